// Checks that imports of the library go downwards through these layers, and not between layers on one level:
//
//     index > api > operations > options, results > device > cpu, gpu > core > types > platform
//
// Upward imports are listed below with their reasons. `options/` and `results/` must not import the router. The kernels
// (cpu/assembly) must not import each other in circles. The page asks which tool is chosen only in its folder of tools.
//
//     node scripts/lint-rooms.mjs

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../packages/skerry/src");
const ORDER = [
  ["index"],
  ["api"],
  ["operations"],
  ["options", "results"],
  ["device"],
  ["cpu", "gpu"],
  ["core"],
  ["types"],
  ["platform", "generated"],
];
const rankOf = Object.fromEntries(ORDER.flatMap((rooms, rank) => rooms.map((room) => [room, rank])));

/** Upward imports: the importing layer, the imported file, and the reason. */
const UPWARDS = [
  ["cpu", "device/backend.ts", "the interface that a device implements"],
  ["gpu", "device/backend.ts", "the interface that a device implements"],
  ["generated", "cpu/checked.ts", "the type of the ranges that the build writes"],
  ["platform", "types/errors.ts", "the error of a worker that cannot be started"],
];

const roomOf = (path) => (path.includes("/") ? path.split("/")[0] : "index");
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** Files that a file imports, as paths in the library. */
function importsOf(path) {
  const text = readFileSync(join(root, path), "utf8");
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gms);
  return [...found].map(([, to]) => relative(root, resolve(root, dirname(path), to)).replace(/(?:\.js)?$/, ".ts"));
}

const wrong = [];
const used = new Set();
let upwards = 0;
const kernels = new Map();
for (const path of files) {
  if (path.startsWith("cpu/assembly/")) {
    kernels.set(path, importsOf(path));
    continue;
  }
  const own = roomOf(path);
  for (const to of importsOf(path)) {
    const other = roomOf(to);
    if (other === "device" && to === "device/router.ts" && ["options", "results"].includes(own)) {
      wrong.push(`${path} imports the router`);
    }
    if (rankOf[other] > rankOf[own] || other === own) continue;
    const known = UPWARDS.find(([room, file]) => room === own && file === to);
    if (known) used.add(known);
    else wrong.push(`${path} imports ${to}: ${own} stands below or beside ${other}`);
    upwards++;
  }
}
for (const entry of UPWARDS) if (!used.has(entry)) wrong.push(`no file of ${entry[0]} imports ${entry[1]} any more`);

// The page's tools differ only behind their interface.
const page = resolve(root, "../../lab/src");
for (const entry of readdirSync(page, { recursive: true, withFileTypes: true })) {
  const path = relative(page, join(entry.parentPath, entry.name));
  if (!entry.isFile() || path.startsWith("tools/")) continue;
  if (/\btool [!=]==/.test(readFileSync(join(page, path), "utf8"))) {
    wrong.push(`packages/lab/src/${path} compares the tool by name; ask toolOf()`);
  }
}

// Circles among the kernels, which biome cannot parse.
const state = new Map();
function visit(path, way) {
  if (state.get(path) === "done") return;
  if (state.get(path) === "open") {
    wrong.push(`a circle: ${[...way.slice(way.indexOf(path)), path].join(" > ")}`);
    return;
  }
  state.set(path, "open");
  for (const to of kernels.get(path) ?? []) visit(to, [...way, path]);
  state.set(path, "done");
}
for (const path of kernels.keys()) visit(path, []);

for (const line of wrong) console.log(line);
console.log(`${upwards} imports go upwards, ${wrong.length} of them, or other faults, without a reason`);
if (wrong.length > 0) process.exitCode = 1;
