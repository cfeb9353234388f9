// Bundles the command with the library: Node takes one to two milliseconds for each of some eighty modules, in every run of
// `skerry`. Commands stay chunks of their own, loaded when they are called. Other libraries are bundled as well, except the
// dependencies and peer dependencies in package.json. The build of @skerry/cli runs this, into bundle/.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licensesOf } from "./licenses.mjs";

const root = fileURLToPath(new URL("../../packages/cli/", import.meta.url));
const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

rmSync(`${root}bundle`, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: [
    { in: `${root}src/main.ts`, out: "main" },
    // The script of OME-Zarr's worker threads, beside the folder of the chunks as in its own package.
    { in: fileURLToPath(new URL("../../packages/files/dist/zarr/worker.js", import.meta.url)), out: "zarr/worker" },
  ],
  outdir: `${root}bundle`,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
  // Comments and indents are a third of what is installed; names stay, for the traces of errors.
  minifyWhitespace: true,
  // Chunks lie as deep as src/commands/, so that paths relative to import.meta.url lead to the same files.
  chunkNames: "commands/[name]-[hash]",
  external: Object.keys({ ...dependencies, ...peerDependencies }),
  // Libraries in CommonJS load Node's modules by require(), and ask for their folder.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url), __dirname = import.meta.dirname ?? '';",
  },
});
const licenses = licensesOf(Object.keys(metafile.inputs).map((name) => resolve(name)));
writeFileSync(`${root}bundle/LICENSES.txt`, licenses);
