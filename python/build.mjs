// Bundles the child process of the Python package with the library and recipes, into python/src/skerry/node/child.mjs, copies the page for
// its widget into python/src/skerry/page, and writes python/src/skerry/_calls.py from the fields of recipes. `npm run build:python` runs this after `npm run build`.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
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
  minify: true,
  // Errors are told by the names of their classes.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
  // Where the GPU's package is installed beside Node, it is found from there.
  external: ["webgpu"],
});
writeFileSync(`${root}src/skerry/_calls.py`, await callsOf());

// Pictures come to the widget as arrays: samples, and readers of files that no array is, stay out of the wheel.
const left =
  /^(samples|sw\.js|files\.json|.*\.map|(zstd|blosc|libjpegturbojs|openjpegjs|charlsjs|lerc|lz4|zarr|zip-module|zip-web-worker|dicomParser|tiff|nifti).*)$/;
const page = `${root}../packages/lab/dist`;
if (!existsSync(page)) throw new Error("Expected the built page in packages/lab/dist; npm run build makes it.");
rmSync(`${root}src/skerry/page`, { recursive: true, force: true });
cpSync(page, `${root}src/skerry/page`, {
  recursive: true,
  filter: (path) => path === page || !left.test(basename(path)),
});

// A file that another one imports at once is no reader that waits for its files.
for (const name of readdirSync(`${page}/assets`)) {
  if (!name.endsWith(".js") || left.test(name)) continue;
  for (const [, imported] of readFileSync(`${page}/assets/${name}`, "utf8").matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    if (left.test(imported)) throw new Error(`Expected ${imported}, which ${name} imports, in the wheel.`);
  }
}
