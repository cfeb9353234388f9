// Counts how often `skerry label --threshold otsu` decides correctly whether the objects of public pictures are dark: compares it with a
// person's judgement. The list names the source of each picture. Fetch them into a folder first, under the names of the list.
//
//     node scripts/docs/polarity.mjs FOLDER [docs/polarity.csv]

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const skerry = fileURLToPath(new URL("../../packages/cli/bin/skerry.js", import.meta.url));
const [folder, list = fileURLToPath(new URL("../../docs/polarity.csv", import.meta.url))] = process.argv.slice(2);
if (!folder) throw new Error("Expected FOLDER with the pictures; see docs/polarity.csv.");

/** Cells of a line; those with commas are in quotation marks. */
const cellsOf = (line) => [...line.matchAll(/("([^"]*)"|[^,]*)(?:,|$)/g)].map(([, plain, quoted]) => quoted ?? plain);

const [header, ...lines] = readFileSync(list, "utf8").trim().split("\n");
const names = cellsOf(header);
const [kinds, lists] = [new Map(), new Map()];
for (const line of lines) {
  const row = Object.fromEntries(cellsOf(line).map((cell, i) => [names[i], cell]));
  // skerry cannot read some files; their values are in a .npy beside them.
  const path = [`${row.file}.npy`, row.file].map((name) => join(folder, name)).find((each) => existsSync(each));
  if (!path) {
    console.log(`not there: ${row.file} (${row.source})`);
    continue;
  }
  const { stdout, stderr } = spawnSync(process.execPath, [skerry, "label", path, "--threshold", "otsu", "--json"], {
    encoding: "utf8",
  });
  const got = stdout ? JSON.parse(stdout).threshold.polarity : stderr.trim();
  for (const [map, name] of [
    [kinds, row.kind],
    [lists, `list ${row.list}`],
  ]) {
    const told = map.get(name) ?? { right: 0, of: 0 };
    map.set(name, { right: told.right + Number(got === row.expected), of: told.of + 1 });
  }
  if (got !== row.expected) console.log(`${row.source}: expected ${row.expected}, got ${got}`);
}
console.table(Object.fromEntries([...kinds, ...lists]));
