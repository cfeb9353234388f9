// Packs both packages, installs the tarballs in an empty folder and uses them there: what is published works.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "skerry-packages-"));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

try {
  for (const name of ["skerry", "@skerry/files", "@skerry/scenes", "@skerry/cli"])
    run("npm", ["pack", "-w", name, "--pack-destination", folder], root);
  const tarballs = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  for (const name of ["skerry", "files", "scenes", "cli"])
    run("npx", ["publint", "--strict", join(root, "packages", name)], root);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", ["install", "--no-audit", "--no-fund", ...tarballs.map((file) => join(folder, file))], folder);
  writeFileSync(
    join(folder, "use.mjs"),
    `import { open } from "skerry";
const engine = await open();
const found = await engine.components({ data: new Uint8Array([1, 0, 1, 1]), width: 4, height: 1 });
console.log(found.count);
await engine.close();
`,
  );
  const count = run(process.execPath, ["use.mjs"], folder).trim();
  if (count !== "2") throw new Error(`the packed library found ${count} objects instead of 2`);
  const label = run("npx", ["skerry", "label", join(root, "samples/spiral.png"), "--json"], folder);
  if (JSON.parse(label).count !== 1) throw new Error(`the packed command said ${label}`);
  // Bundlers take the library as it is: no loader, no plug-in, no copied file.
  run(
    join(root, "node_modules/.bin/esbuild"),
    ["use.mjs", "--bundle", "--format=esm", "--platform=node", "--outfile=node.mjs"],
    folder,
  );
  const bundled = run(process.execPath, ["node.mjs"], folder).trim();
  if (bundled !== "2") throw new Error(`the bundled library found ${bundled} objects instead of 2`);
  run(join(root, "node_modules/.bin/esbuild"), ["use.mjs", "--bundle", "--format=esm", "--outfile=browser.js"], folder);
  console.log("the packed library and command work in an empty folder, and bundle for Node and browsers");
} finally {
  rmSync(folder, { recursive: true });
}
