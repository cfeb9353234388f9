// Bundles the child process of the Python package with the library and recipes, into python/src/skerry/node/child.mjs, and writes
// python/src/skerry/_calls.py from the fields of recipes. `npm run build:python` runs this after `npm run build`.

import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { callsOf } from "./calls.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));

rmSync(`${root}src/skerry/node`, { recursive: true, force: true });
await build({
  entryPoints: { child: `${root}child/child.mjs` },
  outdir: `${root}src/skerry/node`,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
  // Where the GPU's package is installed beside Node, it is found from there.
  external: ["webgpu"],
});
writeFileSync(`${root}src/skerry/_calls.py`, await callsOf());
