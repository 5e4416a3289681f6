import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as os from "node:os";
import { test } from "node:test";

import { AT_START, forServer, pathFrom, replaced, strings } from "../src/setting";

const AROUND = { folder: "/work/net", environment: { VENV: "/envs/a", EMPTY: "" } };

test("variables are replaced, unknown ones stay", () => {
  assert.equal(replaced("${workspaceFolder}/bin/jaxlint", AROUND), "/work/net/bin/jaxlint");
  assert.equal(replaced("~/bin", AROUND), `${os.homedir()}/bin`);
  assert.equal(replaced("~other/bin", AROUND), "~other/bin");
  assert.equal(replaced("${userHome}/${env:VENV}${env:EMPTY}", AROUND), `${os.homedir()}//envs/a`);
  assert.equal(replaced("${env:NONE} ${workspaceFolderX} ${x}", AROUND), "${env:NONE} ${workspaceFolderX} ${x}");
  assert.equal(replaced("${workspaceFolder}", { folder: undefined, environment: {} }), "${workspaceFolder}");
});

test("paths are relative to the workspace folder", () => {
  assert.equal(pathFrom("bin/jaxlint", AROUND), "/work/net/bin/jaxlint");
  assert.equal(pathFrom("/bin/jaxlint", AROUND), "/bin/jaxlint");
  assert.equal(pathFrom("bin/jaxlint", { folder: undefined, environment: {} }), "bin/jaxlint");
});

test("a list of strings is read from what users write", () => {
  assert.deepEqual(strings(["a", 1, null, "", "b"]), ["a", "b"]);
  assert.deepEqual(strings("a"), ["a"]);
  assert.deepEqual(strings(undefined), []);
  assert.deepEqual(strings({ a: "b" }), []);
});

test("the server gets its settings and no others", () => {
  const settings = { path: ["x"], configuration: "lint.toml", select: null, ignore: ["JAX1"], fixAll: false, trace: {} };
  assert.deepEqual(forServer(settings, AROUND), {
    configuration: "/work/net/lint.toml",
    ignore: ["JAX1"],
    fixAll: false,
  });
  assert.deepEqual(forServer({ configuration: "", select: [] }, AROUND), { select: [] });
});

test("every setting of package.json is used", () => {
  const { properties } = JSON.parse(readFileSync("package.json", "utf8")).contributes.configuration;
  const names = Object.keys(properties).map((name) => name.replace("jaxlint.", ""));
  const every = Object.fromEntries(names.map((name) => [name, "x"]));
  const own = ["trace.server", ...AT_START.map((name) => name.replace("jaxlint.", ""))];
  assert.deepEqual(new Set([...Object.keys(forServer(every, AROUND)), ...own]), new Set(names));
});
