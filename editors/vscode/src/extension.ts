/**
 * The extension: starts the server, restarts it where that is needed, and shows how it is.
 *
 * What the server says of documents reaches VS Code through vscode-languageclient.
 */

import {
  commands,
  type ConfigurationChangeEvent,
  type Disposable,
  type Event,
  type ExtensionContext,
  extensions,
  languages,
  type LogOutputChannel,
  StatusBarAlignment,
  type StatusBarItem,
  ThemeColor,
  type Uri,
  window,
  workspace,
} from "vscode";
import {
  DidChangeConfigurationNotification,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";

import { type Command, find, howToInstall } from "./find";
import { AT_START, forServer, pathFrom, replaced, strings, type Surroundings } from "./setting";

const NAME = "jaxlint";
const CELL = "vscode-notebook-cell";
const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { scheme: CELL, language: "python" },
];

/** The part of the Python extension's interface that is used here. */
interface Python {
  readonly environments: {
    getActiveEnvironmentPath(resource?: Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<Resolved | undefined>;
    readonly onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

interface Resolved {
  readonly executable: { readonly uri: Uri | undefined };
}

class Extension {
  private client: LanguageClient | undefined;
  private readonly output: LogOutputChannel;
  private readonly status: StatusBarItem;
  private readonly watched: Disposable[] = [];
  private last: Promise<void> = Promise.resolve();
  private isWaiting = false;
  private isWatchingPython = false;
  private told = "";

  constructor() {
    this.output = window.createOutputChannel(NAME, { log: true });
    this.status = window.createStatusBarItem(`${NAME}.status`, StatusBarAlignment.Right, 100);
    this.status.name = NAME;
    this.status.command = `${NAME}.showOutput`;
    this.watched.push(
      this.output,
      this.status,
      commands.registerCommand(`${NAME}.restart`, () => this.restart()),
      commands.registerCommand(`${NAME}.showOutput`, () => this.output.show()),
      commands.registerCommand(`${NAME}.fixFile`, () => fixFile()),
      workspace.onDidChangeConfiguration((event) => this.configured(event)),
      workspace.onDidChangeWorkspaceFolders(() => this.foldersChanged()),
      window.onDidChangeActiveTextEditor(() => this.showStatus()),
    );
  }

  /** Starts the server anew; a start that is asked for while another waits is the same. */
  restart(): Promise<void> {
    if (!this.isWaiting) {
      this.isWaiting = true;
      this.last = this.last.then(async () => {
        this.isWaiting = false;
        try {
          await this.stop();
          await this.start();
        } catch (error) {
          this.failed(`The server did not start: ${error instanceof Error ? error.message : String(error)}`);
        }
      });
    }
    return this.last;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.output.warn(String(error)));
  }

  async end(): Promise<void> {
    await this.last;
    await this.stop();
    for (const each of this.watched) {
      each.dispose();
    }
  }

  private async start(): Promise<void> {
    this.say("$(sync~spin)", "Starting");
    const active = await this.chosenInterpreter();
    const settings = workspace.getConfiguration(NAME);
    const around = surroundings();
    const found = await find({
      paths: strings(settings.get("path")).map((each) => pathFrom(each, around)),
      interpreters: strings(settings.get("interpreter")).map((each) => pathFrom(each, around)),
      active,
      folders: (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      searched: process.env["PATH"] ?? "",
    });
    for (const line of found.passed) {
      this.output.info(`Not used: ${line}`);
    }
    if (found.command === undefined) {
      this.failed(howToInstall(found, active));
      return;
    }
    const more = strings(settings.get("args")).map((each) => replaced(each, around));
    await this.run(found.command, more, around);
  }

  private async run(found: Command, more: readonly string[], around: Surroundings): Promise<void> {
    const args = [...found.args, "server", ...more];
    this.output.info(`Starting, found by ${found.from}: ${[found.command, ...args].join(" ")}`);
    const options = around.folder === undefined ? {} : { options: { cwd: around.folder } };
    const client = new LanguageClient(NAME, NAME, { command: found.command, args, ...options }, this.clientOptions());
    client.onDidChangeState(({ newState }) => {
      if (client === this.client && newState === State.Stopped) {
        this.say("$(error)", "The server has ended", true);
      } else if (client === this.client && newState === State.Running) {
        const version = client.initializeResult?.serverInfo?.version ?? "";
        this.say("$(check)", `jaxlint ${version}, found by ${found.from}: ${found.command}`);
      }
    });
    this.client = client;
    await client.start();
    this.told = "";
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: serverSettings(),
      middleware: {
        workspace: {
          configuration: (params) =>
            params.items.map((item) => (item.section === NAME ? serverSettings() : null)),
        },
        // The findings of cells are pushed; pulled as well they would be shown twice.
        provideDiagnostics: (document, previous, token, next) => {
          const uri = "uri" in document ? document.uri : document;
          return uri.scheme === CELL ? undefined : next(document, previous, token);
        },
      },
    };
  }

  /** The interpreter that the user has chosen in the Python extension, where that is installed. */
  private async chosenInterpreter(): Promise<string | undefined> {
    const extension = extensions.getExtension<Python>("ms-python.python");
    if (extension === undefined) {
      return undefined;
    }
    try {
      const { environments } = await extension.activate();
      if (!this.isWatchingPython) {
        this.isWatchingPython = true;
        this.watched.push(environments.onDidChangeActiveEnvironmentPath(() => void this.restart()));
      }
      const chosen = environments.getActiveEnvironmentPath(workspace.workspaceFolders?.[0]?.uri);
      return (await environments.resolveEnvironment(chosen))?.executable.uri?.fsPath;
    } catch (error) {
      this.output.warn(`The Python extension does not tell its interpreter: ${String(error)}`);
      return undefined;
    }
  }

  private configured(event: ConfigurationChangeEvent): void {
    if (AT_START.some((name) => event.affectsConfiguration(name))) {
      void this.restart();
    } else if (event.affectsConfiguration(NAME) && this.client?.isRunning()) {
      void this.client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }
  }

  /** Where there was no server, a new folder may have one. */
  private foldersChanged(): void {
    if (this.client === undefined) {
      void this.restart();
    }
  }

  private failed(text: string): void {
    this.client = undefined;
    this.output.error(text);
    this.say("$(warning)", text, true);
    if (text !== this.told) {
      this.told = text;
      const [first] = text.split("\n");
      void window.showWarningMessage(`jaxlint: ${first}`, "Show how").then((chosen) => {
        if (chosen !== undefined) {
          this.output.show();
        }
      });
    }
  }

  private say(icon: string, tooltip: string, isBad = false): void {
    this.status.text = `${icon} ${NAME}`;
    this.status.tooltip = tooltip;
    this.status.backgroundColor = isBad ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    this.showStatus();
  }

  private showStatus(): void {
    const document = window.activeTextEditor?.document;
    if (document !== undefined && languages.match(SELECTOR, document) > 0) {
      this.status.show();
    } else {
      this.status.hide();
    }
  }
}

function surroundings(): Surroundings {
  return { folder: workspace.workspaceFolders?.[0]?.uri.fsPath, environment: process.env };
}

function serverSettings(): Record<string, unknown> {
  const settings = workspace.getConfiguration(NAME);
  const names = Object.keys(settings);
  return forServer(Object.fromEntries(names.map((name) => [name, settings.get(name)])), surroundings());
}

async function fixFile(): Promise<void> {
  await commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.jaxlint", apply: "first" });
}

let extension: Extension | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  extension = new Extension();
  context.subscriptions.push({ dispose: () => void deactivate() });
  await extension.restart();
}

export async function deactivate(): Promise<void> {
  const ending = extension;
  extension = undefined;
  await ending?.end();
}
