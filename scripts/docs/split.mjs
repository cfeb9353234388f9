// Writes the pictures of cells before and after they are split, as the command line draws them: `node scripts/docs/split.mjs`.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
for (const [name, flags] of [
  ["cells-together", []],
  ["cells-split", ["--split"]],
]) {
  const given = [
    "label",
    here("../../samples/cells.png"),
    "--threshold",
    "otsu",
    ...flags,
    "--overlay",
    here(`../../docs/images/${name}.png`),
  ];
  console.log(
    execFileSync(process.execPath, [here("../../packages/cli/bin/skerry.js"), ...given], { encoding: "utf8" }),
  );
}
