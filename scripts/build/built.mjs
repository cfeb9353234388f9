// Writes packages/cluster/src/generated/built.ts: a digest of all source that may change the bytes of a run, which plans name, so that
// workers of another build refuse them. The build of @skerry/cluster runs this.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const digest = createHash("sha256");

function add(path) {
  const entries = readdirSync(join(packages, path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const own = `${path}/${entry.name}`;
    if (own === "cluster/src/generated") continue;
    if (entry.isDirectory()) add(own);
    else if (/\.(ts|wgsl)$/.test(own)) digest.update(`${own}\n`).update(readFileSync(join(packages, own)));
  }
}
for (const name of ["skerry", "files", "recipe", "cluster"]) add(`${name}/src`);

const text = `// Made by scripts/build/built.mjs: digest of the source.\n\nexport const BUILT = "${digest.digest("hex").slice(0, 16)}";\n`;
mkdirSync(`${packages}cluster/src/generated`, { recursive: true });
writeFileSync(`${packages}cluster/src/generated/built.ts`, text);
