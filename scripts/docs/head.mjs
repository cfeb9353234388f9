// Writes the pictures of docs/how-to/head.md: the steps from a scan to the skin, as masks, and the map of the distance to
// it. Needs the MRI of the samples that are not committed:
//
//     node scripts/docs/head.mjs [HEAD.nii.gz]

import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const head = process.argv[2] ?? here("../../../shared/data/head-flair.nii.gz");
const folder = mkdtempSync(join(tmpdir(), "skerry-head-"));
const image = (name) => here(`../../docs/images/head-${name}.png`);
const skerry = (...given) =>
  console.log(
    execFileSync(process.execPath, [here("../../packages/cli/bin/skerry.js"), ...given], { encoding: "utf8" }),
  );

const STEPS = [
  ["threshold", ["--physical", "--smooth", "1", "--threshold", "triangle"]],
  ["skin", ["--close", "8", "--fill-holes", "slices", "--largest", "1"]],
];
const flags = [];
for (const [name, more] of STEPS) {
  flags.push(...more);
  // Draws only the mask, so that the scan itself is not published.
  const labels = join(folder, `${name}.npy`);
  skerry("label", head, ...flags, "-o", labels);
  skerry("label", labels, "--by", "labels", "--overlay", image(name));
}
skerry("distance", head, ...flags, "--surface", "--preview", image("distance"));
