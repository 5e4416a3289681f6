/** The real server, found as the extension finds it, spoken to as VS Code's client speaks. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  type CodeAction,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type MessageConnection,
  type PublishDiagnosticsParams,
} from "vscode-languageserver-protocol/node";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";

import { find } from "../src/find";
import { forServer } from "../src/setting";

const OLD = `import jax


def doubled(tree):
    return jax.tree_map(lambda x: 2 * x, tree)
`;
const REPAIRED = OLD.replace("jax.tree_map", "jax.tree.map");

let root = "";
let child: ChildProcess;
let connection: MessageConnection;
let settings: Record<string, unknown> = {};
let published: PublishDiagnosticsParams[] = [];
let onPublished: () => void = () => undefined;

/** Starts the server; `pulls` says whether the client asks for diagnostics itself, as VS Code does. */
async function started(pulls: boolean): Promise<InitializeResult> {
  const python = process.env["JAXLINT_PYTHON"] ?? "python3";
  const searched = process.env["PATH"] ?? "";
  const { command } = await find({ paths: [], interpreters: [], active: python, folders: [root], searched });
  assert.ok(command !== undefined);
  child = spawn(command.command, [...command.args, "server"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  connection = createMessageConnection(new StreamMessageReader(child.stdout!), new StreamMessageWriter(child.stdin!));
  connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
    published.push(params);
    onPublished();
  });
  connection.onRequest("workspace/configuration", (params: { items: unknown[] }) =>
    params.items.map(() => forServer(settings, { folder: root, environment: {} })),
  );
  for (const method of ["client/registerCapability", "window/workDoneProgress/create", "workspace/diagnostic/refresh"]) {
    connection.onRequest(method, () => null);
  }
  connection.listen();
  const uri = pathToFileURL(root).href;
  const answer = await connection.sendRequest<InitializeResult>("initialize", {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: "project" }],
    initializationOptions: forServer(settings, { folder: root, environment: {} }),
    capabilities: capabilities(pulls),
  });
  await connection.sendNotification("initialized", {});
  return answer;
}

function capabilities(pulls: boolean): object {
  return {
    general: { positionEncodings: ["utf-16"] },
    workspace: {
      configuration: true,
      didChangeConfiguration: { dynamicRegistration: true },
      didChangeWatchedFiles: { dynamicRegistration: true },
      workspaceFolders: true,
      diagnostics: { refreshSupport: true },
    },
    textDocument: {
      ...(pulls ? { diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true } } : {}),
      publishDiagnostics: { versionSupport: true, relatedInformation: true, tagSupport: { valueSet: [1, 2] } },
      codeAction: {
        codeActionLiteralSupport: { codeActionKind: { valueSet: ["", "quickfix", "source", "source.fixAll"] } },
        resolveSupport: { properties: ["edit"] },
        dataSupport: true,
      },
    },
    notebookDocument: { synchronization: { dynamicRegistration: true, executionSummarySupport: true } },
    window: { workDoneProgress: true, showMessage: {} },
  };
}

/** The findings that are published for a version of a document. */
async function pushed(uri: string, version: number): Promise<Diagnostic[]> {
  for (;;) {
    const found = published.findLast((each) => each.uri === uri && each.version === version);
    if (found !== undefined) {
      return found.diagnostics;
    }
    await new Promise<void>((resolve) => (onPublished = resolve));
  }
}

async function pulled(uri: string): Promise<Diagnostic[]> {
  const report = await connection.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", {
    textDocument: { uri },
  });
  assert.equal(report.kind, "full");
  return report.kind === "full" ? report.items : [];
}

async function opened(text: string, name = "model.py"): Promise<TextDocument> {
  const document = TextDocument.create(pathToFileURL(path.join(root, name)).href, "python", 1, text);
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri: document.uri, languageId: "python", version: 1, text },
  });
  return document;
}

async function actions(document: TextDocument, at: Diagnostic, only: string[]): Promise<CodeAction[]> {
  return (
    (await connection.sendRequest<CodeAction[] | null>("textDocument/codeAction", {
      textDocument: { uri: document.uri },
      range: at.range,
      context: { diagnostics: [at], only, triggerKind: 1 },
    })) ?? []
  );
}

/** Applies an action to a document, as the editor does, and tells the server. */
async function applied(document: TextDocument, action: CodeAction): Promise<string> {
  const whole = action.edit ? action : await connection.sendRequest<CodeAction>("codeAction/resolve", action);
  const text = TextDocument.applyEdits(document, whole.edit?.changes?.[document.uri] ?? []);
  const version = document.version + 1;
  TextDocument.update(document, [{ text }], version);
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: document.uri, version },
    contentChanges: [{ text }],
  });
  return text;
}

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "jaxlint-protocol-"));
  writeFileSync(path.join(root, "pyproject.toml"), "[tool.jaxlint]\n");
  settings = {};
  published = [];
});

afterEach(async () => {
  await connection.sendRequest("shutdown");
  const ended = once(child, "exit");
  await connection.sendNotification("exit");
  assert.deepEqual(await ended, [0, null]);
  connection.dispose();
  rmSync(root, { recursive: true, force: true });
});

test("findings are pulled, and a quick fix takes one away", { timeout: 60_000 }, async () => {
  const { capabilities, serverInfo } = await started(true);
  assert.equal(serverInfo?.name, "jaxlint");
  assert.ok(capabilities.diagnosticProvider && capabilities.codeActionProvider);
  const document = await opened(OLD);
  const [found] = await pulled(document.uri);
  assert.equal(found?.code, "JAX901");
  assert.equal(document.getText(found.range), "jax.tree_map");
  const [fix] = await actions(document, found, ["quickfix"]);
  assert.equal(fix?.isPreferred, true);
  assert.equal(await applied(document, fix), REPAIRED);
  assert.deepEqual(await pulled(document.uri), []);
});

test("findings are pushed, and all fixes are applied as on save", { timeout: 60_000 }, async () => {
  await started(false);
  const document = await opened(`${OLD}\n\nsmile = "\u{1F600}", jax.tree_map(abs, [1])\n`);
  const found = await pushed(document.uri, 1);
  assert.deepEqual(found.map((each) => document.getText(each.range)), ["jax.tree_map", "jax.tree_map"]);
  const [all, ...others] = await actions(document, found[0]!, ["source.fixAll"]);
  assert.equal(all?.kind, "source.fixAll.jaxlint");
  assert.deepEqual(others, []);
  assert.equal(await applied(document, all), `${REPAIRED}\n\nsmile = "\u{1F600}", jax.tree.map(abs, [1])\n`);
  assert.deepEqual(await pushed(document.uri, 2), []);
});

test("settings that change are asked for and take effect", { timeout: 60_000 }, async () => {
  settings = { ignore: ["JAX901"] };
  await started(true);
  const document = await opened(OLD);
  assert.deepEqual(await pulled(document.uri), []);
  settings = { ignore: [], fixAll: false };
  const asked = new Promise<void>((resolve) => {
    connection.onRequest("workspace/configuration", () => {
      setImmediate(resolve);
      return [forServer(settings, { folder: root, environment: {} })];
    });
  });
  await connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
  await asked;
  let found = await pulled(document.uri);
  for (let tries = 0; tries < 50 && found.length === 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    found = await pulled(document.uri);
  }
  assert.deepEqual(found.map((each) => each.code), ["JAX901"]);
  assert.deepEqual(await actions(document, found[0]!, ["source.fixAll.jaxlint"]), []);
});

test("the cells of a notebook are one program", { timeout: 60_000 }, async () => {
  await started(true);
  const uri = pathToFileURL(path.join(root, "n.ipynb")).href;
  const cells = ["import jax", "%timeit 1\njax.tree_map(abs, [1])"].map((text, index) => ({
    uri: `vscode-notebook-cell:${pathToFileURL(path.join(root, "n.ipynb")).pathname}#W${index}`,
    languageId: "python",
    version: 1,
    text,
  }));
  await connection.sendNotification("notebookDocument/didOpen", {
    notebookDocument: {
      uri,
      notebookType: "jupyter-notebook",
      version: 1,
      cells: cells.map((cell) => ({ kind: 2, document: cell.uri })),
    },
    cellTextDocuments: cells,
  });
  const [found, ...others] = await pushed(cells[1]!.uri, 1);
  assert.deepEqual([found?.code, found?.range.start, others], ["JAX901", { line: 1, character: 0 }, []]);
});
