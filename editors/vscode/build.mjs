// Bundles the extension into dist/extension.js; with --tests its tests into dist/test/.
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", external: ["vscode"] };

if (process.argv.includes("--tests")) {
  rmSync("dist/test", { recursive: true, force: true });
  const tests = readdirSync("test").filter((name) => name.endsWith(".ts"));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: "dist/test", sourcemap: "inline" });
} else {
  copyFileSync("../../LICENSE", "LICENSE");
  await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true });
}
