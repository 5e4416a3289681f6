import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";

import { environmentOf, find, howToInstall, pythonOf, type Sought } from "../src/find";

/** An interpreter in whose environment jaxlint is installed with its extra `server`. */
const READY = process.env["JAXLINT_PYTHON"] ?? "python3";
const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "jaxlint find ")));
const project = path.join(root, "project");
const NOTHING: Sought = { paths: [], interpreters: [], active: undefined, folders: [], searched: "" };

/** An environment without packages: the interpreter that made it, with a folder of its own. */
function environment(folder: string): string {
  execFileSync(READY, ["-m", "venv", "--without-pip", folder]);
  return pythonOf(folder);
}

function program(file: string, text = "#!/bin/sh\nexit 0\n"): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

let bare = "";

before(() => {
  mkdirSync(project);
  bare = environment(path.join(root, "bare"));
});

after(() => rmSync(root, { recursive: true, force: true }));

test("an interpreter says what is installed", async () => {
  assert.equal(await environmentOf(READY), "ready");
  assert.equal(await environmentOf(bare), "no jaxlint");
  assert.equal(await environmentOf(path.join(root, "absent")), "no Python 3.11 or newer that runs");
  assert.equal(await environmentOf(program(path.join(root, "old"))), "no Python 3.11 or newer that runs");
});

test("jaxlint without pygls, and an unrelated package of its name", async () => {
  const python = environment(path.join(root, "partial"));
  const site = execFileSync(python, ["-c", "import site; print(site.getsitepackages()[0])"]).toString().trim();
  mkdirSync(path.join(site, "jaxlint"), { recursive: true });
  writeFileSync(path.join(site, "jaxlint", "__init__.py"), "raise SystemExit('imported')\n");
  assert.equal(await environmentOf(python), "no jaxlint");
  mkdirSync(path.join(site, "jaxlint", "server"));
  writeFileSync(path.join(site, "jaxlint", "server", "app.py"), "");
  assert.equal(await environmentOf(python), "jaxlint without its extra `server`");
});

test("a folder named jaxlint beside the interpreter's working folder is not taken for it", async () => {
  const before = process.cwd();
  mkdirSync(path.join(project, "jaxlint", "server"), { recursive: true });
  writeFileSync(path.join(project, "jaxlint", "__init__.py"), "");
  writeFileSync(path.join(project, "jaxlint", "server", "app.py"), "");
  process.chdir(project);
  try {
    assert.equal(await environmentOf(bare), "no jaxlint");
  } finally {
    process.chdir(before);
  }
});

test("the setting comes first, and the first path that is a program", async () => {
  const own = program(path.join(root, "own", "jaxlint"));
  const found = await find({ ...NOTHING, paths: [path.join(root, "none"), root, own], interpreters: [READY] });
  assert.deepEqual(found.command, { command: own, args: [], from: "`jaxlint.path`" });
  assert.equal(found.passed.length, 2);
});

test("then the named interpreters, the chosen one, the workspace's, and PATH", async () => {
  const named = await find({ ...NOTHING, interpreters: [bare, READY], active: bare });
  assert.deepEqual(named.command, { command: READY, args: ["-P", "-m", "jaxlint"], from: "`jaxlint.interpreter`" });
  assert.deepEqual(named.passed, [`${bare} (\`jaxlint.interpreter\`): no jaxlint`]);

  const chosen = await find({ ...NOTHING, active: READY, folders: [project] });
  assert.equal(chosen.command?.from, "the chosen interpreter");

  const own = pythonOf(path.join(project, ".venv"));
  mkdirSync(path.dirname(own), { recursive: true });
  const real = execFileSync(READY, ["-c", "import sys; print(sys.executable)"]).toString().trim();
  program(own, `#!/bin/sh\nexec "${real}" "$@"\n`);
  const local = await find({ ...NOTHING, active: bare, folders: [root, project] });
  assert.deepEqual(local.command, { command: own, args: ["-P", "-m", "jaxlint"], from: ".venv" });

  const searched = path.join(root, "bin");
  const linked = path.join(searched, "jaxlint");
  mkdirSync(searched);
  symlinkSync(program(path.join(root, "elsewhere", "jaxlint")), linked);
  const last = await find({ ...NOTHING, active: bare, searched: ["relative", "", root, searched].join(path.delimiter) });
  assert.deepEqual(last.command, { command: linked, args: [], from: "`PATH`" });
});

test("where there is none, the user is told what was looked at and how to install", async () => {
  const found = await find({ ...NOTHING, paths: ["/none"], active: bare, searched: root });
  assert.equal(found.command, undefined);
  const text = howToInstall(found, bare);
  assert.match(text, /^ {2}\/none \(`jaxlint\.path`\): no program is there$/m);
  assert.match(text, /\(the chosen interpreter\): no jaxlint$/m);
  assert.match(text, /`PATH`: no program `jaxlint`/);
  assert.ok(text.includes(`"${bare}" -m pip install "jaxlint[server] @ git+https://github.com/`), text);
});
