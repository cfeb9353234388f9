// skerry's k-means through its public API, from given colours, into memory touched before. argv: file of RGB bytes, width,
// height, file of colours, k, iterations (0: until convergence), threads.

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { median } from "./measure.mjs";

const [, , file, width, height, colours, k, iterations, threads] = process.argv;
const data = new Uint8Array(readFileSync(file));
const photo = { data, width: Number(width), height: Number(height), channels: 3 };
const init = new Uint8Array(readFileSync(colours)).subarray(0, k * 3);
const into = new Uint8Array(width * height);
const engine = await open({ device: "cpu", threads: Number(threads) });
const maxIterations = Number(iterations) || 100_000;
const runs = [];
let found;
for (let i = 0; i < 9; i++) {
  const begin = performance.now();
  found = await engine.kmeans(photo, { init, maxIterations, into });
  const stages = Object.fromEntries(engine.timings.map(({ stage, milliseconds }) => [stage, milliseconds]));
  runs.push({ all: performance.now() - begin, stages });
  if (i > 2 && runs.reduce((sum, { all }) => sum + all, 0) > 10_000) break;
}
// The first two runs touch memory that later ones reuse.
const warm = runs.slice(2);
const stage = (...names) => median(warm.map(({ stages }) => names.reduce((sum, name) => sum + (stages[name] ?? 0), 0)));
const medians = {
  all: median(warm.map(({ all }) => all)),
  colours: stage("count colours", "lay out colours"),
  assign: stage("assign"),
  update: stage("update"),
  classes: stage("classes of pixels"),
};
console.log(JSON.stringify({ medians, iterations: found.iterations, inertia: found.inertia }));
await engine.close();
