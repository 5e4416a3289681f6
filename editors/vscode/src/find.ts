/**
 * Which program is the server.
 *
 * In: the settings, the interpreter that the Python extension has chosen, the workspace folders and the
 * environment. Out: the command to start, or lines that say what was looked at and what was missing there.
 */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as path from "node:path";

export interface Sought {
  /** `jaxlint.path`, with variables replaced. */
  readonly paths: readonly string[];
  /** `jaxlint.interpreter`, with variables replaced. */
  readonly interpreters: readonly string[];
  /** The interpreter of the Python extension. */
  readonly active: string | undefined;
  readonly folders: readonly string[];
  /** The environment variable `PATH`. */
  readonly searched: string;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** What led to it, for the user. */
  readonly from: string;
}

export interface Found {
  readonly command: Command | undefined;
  /** What was looked at without success, in order, for the user. */
  readonly passed: readonly string[];
}

/** What is known of an interpreter's environment. */
export type Environment =
  | "ready"
  | "jaxlint without its extra `server`"
  | "no jaxlint"
  | "no Python 3.11 or newer that runs";

const IS_WINDOWS = process.platform === "win32";
const PATIENCE = 15_000; // milliseconds that an interpreter gets to say what is installed

// The modules are looked up and not imported. An unrelated package named jaxlint has no server.
const PROBE = `
from importlib.util import find_spec
from pathlib import Path
spec = find_spec("jaxlint")
folders = spec.submodule_search_locations or () if spec else ()
if not any(Path(folder, "server", "app.py").is_file() for folder in folders):
    print("no jaxlint")
else:
    print("ready" if find_spec("pygls") else "no server extra")
`;

const FAILED: Environment = "no Python 3.11 or newer that runs";
const ENVIRONMENTS: Readonly<Record<string, Environment>> = {
  ready: "ready",
  "no jaxlint": "no jaxlint",
  "no server extra": "jaxlint without its extra `server`",
};

/** The first place with a jaxlint that can be a server. */
export async function find(sought: Sought): Promise<Found> {
  const passed: string[] = [];
  for (const each of sought.paths) {
    if (await isProgram(each)) {
      return { command: { command: each, args: [], from: "`jaxlint.path`" }, passed };
    }
    passed.push(`${each} (\`jaxlint.path\`): no program is there`);
  }
  for (const { interpreter, from } of await interpreters(sought)) {
    const environment = await environmentOf(interpreter);
    if (environment === "ready") {
      const args = ["-P", "-m", "jaxlint"]; // without -P a folder `jaxlint` of the workspace would be imported
      return { command: { command: interpreter, args, from }, passed };
    }
    passed.push(`${interpreter} (${from}): ${environment}`);
  }
  for (const folder of sought.searched.split(path.delimiter).filter((each) => path.isAbsolute(each))) {
    const program = path.join(folder, IS_WINDOWS ? "jaxlint.exe" : "jaxlint");
    if (await isProgram(program)) {
      return { command: { command: program, args: [], from: "`PATH`" }, passed };
    }
  }
  passed.push("`PATH`: no program `jaxlint`");
  return { command: undefined, passed };
}

/** The interpreters that are asked, without repetition, best first. */
async function interpreters(sought: Sought): Promise<{ interpreter: string; from: string }[]> {
  const named = sought.interpreters.map((interpreter) => ({ interpreter, from: "`jaxlint.interpreter`" }));
  const active = sought.active === undefined ? [] : [{ interpreter: sought.active, from: "the chosen interpreter" }];
  const own = sought.folders.flatMap((folder) =>
    [".venv", "venv"].map((name) => ({ interpreter: pythonOf(path.join(folder, name)), from: name })),
  );
  const present: { interpreter: string; from: string }[] = [];
  for (const each of own) {
    if (await isProgram(each.interpreter)) {
      present.push(each);
    }
  }
  const all = [...named, ...active, ...present];
  return all.filter((each, index) => all.findIndex((other) => other.interpreter === each.interpreter) === index);
}

/** The interpreter of a virtual environment. */
export function pythonOf(environment: string): string {
  return IS_WINDOWS ? path.join(environment, "Scripts", "python.exe") : path.join(environment, "bin", "python");
}

/** Asks an interpreter what is installed in its environment. */
export function environmentOf(interpreter: string): Promise<Environment> {
  return new Promise((resolve) => {
    execFile(interpreter, ["-P", "-c", PROBE], { timeout: PATIENCE, windowsHide: true }, (error, out) => {
      resolve(error === null ? (ENVIRONMENTS[out.trim()] ?? FAILED) : FAILED);
    });
  });
}

export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** What to tell a user whose environments have no server. */
export function howToInstall(found: Found, interpreter: string | undefined): string {
  const python = interpreter === undefined ? "python" : quoted(interpreter);
  return [
    "No jaxlint with a language server was found:",
    ...found.passed.map((line) => `  ${line}`),
    "Install it from its repository, with the extra `server` (Python 3.11 or newer):",
    `  ${python} -m pip install "jaxlint[server] @ git+https://github.com/jaxlint/jaxlint"`,
    "or say in the setting `jaxlint.path` where it is.",
  ].join("\n");
}

function quoted(text: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text}"`;
}
