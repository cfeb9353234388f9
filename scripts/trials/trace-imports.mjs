// Prints the longest chain of imports among the files whose code runs when one raster goes from engine.components() to its
// labels on the CPU. The chain begins at api/open.ts. Circles of imports would make it endless; the linter refuses them.
//
//     node scripts/trials/trace-imports.mjs

import { existsSync, readFileSync } from "node:fs";
import inspector from "node:inspector/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const dist = resolve(dirname(fileURLToPath(import.meta.url)), "../../packages/skerry/dist");
const src = resolve(dist, "../../src");
const session = new inspector.Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const { open } = await import(join(dist, "index.js"));
const engine = await open({ device: "cpu", threads: 1 });
await session.post("Profiler.takePreciseCoverage");
const found = await engine.components({ data: new Uint8Array([0, 9, 9, 0]), width: 4, height: 1 });
await found.labels();
const { result } = await session.post("Profiler.takePreciseCoverage");
await engine.close();

// A file counts if one of its functions was called. The body of a module runs at the import, so it does not count.
const names = new Set();
for (const { url, functions } of result) {
  if (!url.startsWith(`file://${dist}`)) continue;
  const called = functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0);
  if (called) names.add(relative(dist, fileURLToPath(url)).replace(/\.js$/, ".ts"));
}
// The code that opens the devices ran before.
for (const name of ["api/open.ts", "device/open.ts"]) if (existsSync(join(src, name))) names.add(name);

// Imports in the sources, including those of types and dynamic ones.
const imports = new Map();
for (const name of names) {
  const source = readFileSync(join(src, name), "utf8");
  const found = [...source.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)];
  const named = found.map(([, path]) => join(dirname(name), path).replace(/\.js$/, ".ts"));
  imports.set(
    name,
    named.filter((each) => names.has(each)),
  );
}
const longest = new Map();
function pathFrom(name) {
  const known = longest.get(name);
  if (known) return known;
  const paths = imports.get(name).map(pathFrom);
  const path = [name, ...paths.reduce((best, each) => (each.length > best.length ? each : best), [])];
  longest.set(name, path);
  return path;
}
const path = pathFrom("api/open.ts");
for (const name of path) console.log(name);
console.log(`${path.length} files in the longest path, ${names.size} files in all`);
