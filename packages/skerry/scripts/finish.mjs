// Finishes what tsc made. Comments stay in the declarations of public names alone. Declarations that those of the entry points do not lead to are
// removed (those of kernels would repeat WASM and WGSL as literal types). dist/bundle.js is the library in one file, for pages
// without a bundler.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const reached = new Set();
async function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  const text = await readFile(file, "utf8");
  for (const [, path] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.js"/g))
    await reach(join(dirname(file), `${path}.d.ts`));
}
await reach(join(dist, "index.d.ts"));
await reach(join(dist, "internal.d.ts"));
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.name.endsWith(".d.ts")) {
    if (!reached.has(file)) await rm(file);
    else if (!/^(api|types|results)\/|^\w+\.d\.ts$/.test(relative(dist, file))) {
      await writeFile(file, (await readFile(file, "utf8")).replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ""));
    }
  }
  if (!entry.name.endsWith(".js") || ["bundle.js", "worker.js"].includes(entry.name)) continue;
  const { code } = await transform(await readFile(file, "utf8"), {
    target: "es2022",
    legalComments: "none",
    minifyWhitespace: true,
    minifySyntax: true,
  });
  await writeFile(file, code);
}
// tsc would take the removed declarations for up to date.
await rm(join(dist, ".tsbuildinfo"), { force: true });

await build({
  entryPoints: [join(dist, "index.js")],
  outfile: join(dist, "bundle.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  // Not the paths of tsconfig.json, which are for the compiler: they lead to the sources for Node.
  logLevel: "warning",
  tsconfigRaw: {},
});
