// Checks that imports go downwards through the rooms of each package, and that nothing imports in circles. A room is a folder of `src`, or
// a file there that is listed by its name. Rooms are listed from the top; those of one line stand beside each other and do not import
// each other. Imports that go upwards are listed with their reasons.
//
// Two rules of single packages: `options/` and `results/` of the library do not import the router, and outside its tools the page does
// not ask which tool is chosen.
//
//     node scripts/lint/rooms.mjs

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const packages = resolve(dirname(fileURLToPath(import.meta.url)), "../../packages");

const ROOMS = {
  skerry: [
    "index internal",
    "api",
    "operations",
    "options results",
    "device",
    "cpu gpu",
    "core",
    "types",
    "platform generated",
  ],
  files: [
    "index internal",
    "zarr",
    "node",
    "writers outline-writers",
    "products",
    "formats",
    "layout match projection slice",
    "space",
    "drawing fitted mask-bytes drawable transparency writing order",
    "affine units output bytes unpack-stream",
    "integers",
    "errors",
  ],
  recipe: [
    "index internal",
    "serve",
    "run",
    "steps typescript",
    "run/",
    "flags schema",
    "check",
    "conditions files",
    "fields strokes",
    "fields/",
    "field beside expression",
    "errors json quote",
    "kinds",
  ],
  cluster: [
    "index",
    "engines",
    "seal status estimate",
    "run",
    "phases",
    "steps",
    "context",
    "inputs outputs step",
    "places records",
    "plan",
    "known grid identity schema wide storage generated",
    "format",
    "errors",
  ],
  lab: [
    "main early sw",
    "view",
    "panels",
    "session",
    "tools",
    "widgets",
    "state",
    "engine",
    "words",
    "files",
    "settings",
  ],
  cli: ["main", "commands", "explain tour", "progress", "errors"],
};

/** Upward imports: the package, the importing room, the imported file, and the reason. */
const UPWARDS = [
  ["skerry", "cpu", "device/backend.ts", "the interface that a device implements"],
  ["skerry", "gpu", "device/backend.ts", "the interface that a device implements"],
  ["skerry", "generated", "cpu/checked.ts", "the type of the ranges that the build writes"],
  ["skerry", "platform", "types/errors.ts", "the error of a worker that cannot be started"],
  ["files", "space", "formats/tiff/entries.ts", "entries of a GeoTIFF, which a space keeps as they are"],
  ["files", "match", "formats/tiff/entries.ts", "entries of a GeoTIFF, which two spaces compare"],
];

const wrong = [];
const used = new Set();
let upwards = 0;

/** Source files of a package, and of each the files there that it imports. */
function importsOf(root) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const known = new Set(files);
  const pattern = /(?:^(?:import|export)\s[^;]*?from\s+|\bimport\()"(\.[^"]+)"/gms;
  return files.map((path) => {
    const found = [...readFileSync(join(root, path), "utf8").matchAll(pattern)].map(([, to]) => {
      const name = relative(root, resolve(root, dirname(path), to)).replace(/\.js$/, "");
      return [`${name}.ts`, `${name}.tsx`, name].find((each) => known.has(each));
    });
    return { path, imports: found.filter((to) => to !== undefined) };
  });
}

for (const [name, lines] of Object.entries(ROOMS)) {
  const root = join(packages, name, "src");
  const ranks = new Map(lines.flatMap((line, rank) => line.split(" ").map((room) => [room, rank])));
  // A file beside a folder of its name is listed without the slash.
  const roomOf = (path) => {
    const [folder, ...rest] = path.split("/");
    if (rest.length === 0) return folder.replace(/\.tsx?$/, "");
    return ranks.has(`${folder}/`) ? `${folder}/` : folder;
  };
  const kernels = new Map();
  for (const { path, imports } of importsOf(root)) {
    if (path.startsWith("cpu/assembly/")) {
      kernels.set(path, imports);
      continue;
    }
    const own = roomOf(path);
    if (!ranks.has(own)) wrong.push(`${name}: ${path} lies in no listed room`);
    for (const to of imports) {
      const other = roomOf(to);
      if (name === "skerry" && to === "device/router.ts" && ["options", "results"].includes(own)) {
        wrong.push(`${name}: ${path} imports the router`);
      }
      if (other === own || ranks.get(other) > ranks.get(own)) continue;
      const reason = UPWARDS.find(([of, room, file]) => of === name && room === own && file === to);
      if (reason) used.add(reason);
      else wrong.push(`${name}: ${path} imports ${to}: ${own} stands below or beside ${other}`);
      upwards++;
    }
  }
  findCircles(kernels);
}
for (const entry of UPWARDS)
  if (!used.has(entry)) wrong.push(`${entry[0]}: nothing in ${entry[1]} imports ${entry[2]} any more`);

// The page's tools differ only behind their interface.
const page = join(packages, "lab/src");
for (const { path } of importsOf(page)) {
  if (!path.startsWith("tools/") && /\btool [!=]==/.test(readFileSync(join(page, path), "utf8"))) {
    wrong.push(`lab: ${path} compares the tool by name; ask toolOf()`);
  }
}

/** Finds circles among the kernels, which biome cannot parse. */
function findCircles(imports) {
  const state = new Map();
  const visit = (path, way) => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      wrong.push(`a circle: ${[...way.slice(way.indexOf(path)), path].join(" > ")}`);
      return;
    }
    state.set(path, "open");
    for (const to of imports.get(path) ?? []) visit(to, [...way, path]);
    state.set(path, "done");
  };
  for (const path of imports.keys()) visit(path, []);
}

for (const line of wrong) console.log(line);
console.log(`${upwards} imports go upwards, ${wrong.length} of them, or other faults, without a reason`);
if (wrong.length > 0) process.exitCode = 1;
