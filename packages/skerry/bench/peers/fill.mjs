// Times threads that fill a label image in shared memory, each its part: the least that any tool's threads write.
// argv: values, threads.

import { Worker } from "node:worker_threads";
import { measure } from "./measure.mjs";

const [values, threads] = process.argv.slice(2).map(Number);
const labels = new SharedArrayBuffer(values * 4);
const script = `
const { parentPort, workerData: { labels, from, to } } = require("node:worker_threads");
const part = new Uint32Array(labels, from * 4, to - from);
parentPort.on("message", (value) => {
  part.fill(value);
  parentPort.postMessage(value);
});`;
const workers = Array.from({ length: threads }, (_, i) => {
  const from = Math.floor((values * i) / threads);
  const to = Math.floor((values * (i + 1)) / threads);
  return new Worker(script, { eval: true, workerData: { labels, from, to } });
});
let value = 1;
await measure(["fill by threads"], async (lap) => {
  value++;
  const filled = workers.map((worker) => new Promise((resolve) => worker.once("message", resolve)));
  for (const worker of workers) worker.postMessage(value);
  await Promise.all(filled);
  lap();
});
for (const worker of workers) await worker.terminate();
