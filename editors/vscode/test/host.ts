/**
 * The extension within VS Code: findings, fixes, notebooks, settings, restart.
 *
 * VS Code itself runs this, with a folder as workspace whose settings lead to an interpreter with jaxlint:
 * `code --extensionDevelopmentPath=. --extensionTestsPath=dist/test/host.js FOLDER`.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import * as path from "node:path";

import * as vscode from "vscode";

const OLD = "import jax\n\n\ndef doubled(tree):\n    return jax.tree_map(lambda x: 2 * x, tree)\n";
const NOTEBOOK = {
  cells: ["import jax", "%timeit 1\njax.tree_map(abs, [1])"].map((source, index) => ({
    cell_type: "code",
    execution_count: null,
    id: `cell${index}`,
    metadata: {},
    outputs: [],
    source,
  })),
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
};

function folder(): string {
  const found = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(found !== undefined, "a folder must be open");
  return found;
}

/** The findings of a document once there are as many as wanted. */
async function findings(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = vscode.languages.getDiagnostics(uri).filter((each) => each.source === "jaxlint");
    if (found.length === count) {
      return found;
    }
    assert.ok(Date.now() < end, `${uri}: ${found.length} findings instead of ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function code(found: vscode.Diagnostic | undefined): unknown {
  return typeof found?.code === "object" ? found.code.value : found?.code;
}

async function opened(name: string, text: string): Promise<vscode.TextDocument> {
  const file = path.join(folder(), name);
  writeFileSync(file, text);
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document;
}

const TESTS: Record<string, () => Promise<void>> = {
  "findings come while typing, a quick fix takes one away": async () => {
    const document = await opened("typed.py", "");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), OLD);
    await vscode.workspace.applyEdit(edit);
    const [found] = await findings(document.uri, 1);
    assert.equal(code(found), "JAX901");
    assert.equal(document.getText(found!.range), "jax.tree_map");
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      found!.range,
      "quickfix",
      10,
    );
    const fix = actions.find((each) => each.isPreferred && each.edit !== undefined);
    assert.ok(fix?.edit !== undefined, actions.map((each) => each.title).join(", "));
    await vscode.workspace.applyEdit(fix.edit);
    assert.equal(document.getText(), OLD.replace("tree_map", "tree.map"));
    await findings(document.uri, 0);
    await document.save();
  },

  "all fixes run on save": async () => {
    const settings = vscode.workspace.getConfiguration("editor");
    await settings.update("codeActionsOnSave", { "source.fixAll.jaxlint": "explicit" }, false);
    const document = await opened("saved.py", OLD);
    await findings(document.uri, 1);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, "\n\njax.tree_map(abs, [1])\n");
    await vscode.workspace.applyEdit(edit);
    await document.save();
    assert.equal(document.getText().match(/jax\.tree\.map/g)?.length, 2, document.getText());
    await findings(document.uri, 0);
    await settings.update("codeActionsOnSave", undefined, false);
  },

  "the command fixes the file": async () => {
    const document = await opened("commanded.py", OLD);
    await findings(document.uri, 1);
    await vscode.commands.executeCommand("jaxlint.fixFile");
    await findings(document.uri, 0);
    await document.save();
  },

  "hovers show the rule's page": async () => {
    const document = await opened("hovered.py", OLD);
    const [found] = await findings(document.uri, 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      document.uri,
      found!.range.start,
    );
    const text = hovers.flatMap((each) => each.contents.map((part) => (part as vscode.MarkdownString).value)).join();
    assert.match(text, /JAX901/);
  },

  "cells of notebooks have findings, once, and fixes": async () => {
    const file = vscode.Uri.file(path.join(folder(), "n.ipynb"));
    writeFileSync(file.fsPath, JSON.stringify(NOTEBOOK));
    const notebook = await vscode.workspace.openNotebookDocument(file);
    await vscode.window.showNotebookDocument(notebook);
    const cell = notebook.cellAt(1).document;
    await findings(cell.uri, 1);
    await new Promise((resolve) => setTimeout(resolve, 2000)); // the same, pulled, would come later
    const [found] = await findings(cell.uri, 1);
    assert.deepEqual([code(found), found!.range.start.line], ["JAX901", 1]);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      cell.uri,
      found!.range,
      "quickfix",
      10,
    );
    const fix = actions.find((each) => each.isPreferred && each.edit !== undefined);
    await vscode.workspace.applyEdit(fix!.edit!);
    assert.equal(cell.getText(), "%timeit 1\njax.tree.map(abs, [1])");
    await findings(cell.uri, 0);
  },

  "settings take effect without a restart": async () => {
    const document = await opened("set.py", OLD);
    await findings(document.uri, 1);
    const settings = vscode.workspace.getConfiguration("jaxlint");
    await settings.update("ignore", ["JAX901"], false);
    await findings(document.uri, 0);
    await settings.update("ignore", undefined, false);
    await findings(document.uri, 1);
  },

  "the server restarts": async () => {
    const document = await opened("again.py", OLD);
    await findings(document.uri, 1);
    await vscode.commands.executeCommand("jaxlint.restart");
    await findings(document.uri, 1);
  },
};

export async function run(): Promise<void> {
  const lines: string[] = [];
  for (const [name, test] of Object.entries(TESTS)) {
    try {
      await test();
      lines.push(`ok ${name}`);
    } catch (error) {
      lines.push(`not ok ${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  const text = lines.join("\n");
  const report = process.env["JAXLINT_REPORT"];
  if (report !== undefined) {
    writeFileSync(report, `${text}\n`);
  }
  console.log(text);
  if (lines.some((line) => line.startsWith("not ok"))) {
    throw new Error(text);
  }
}
