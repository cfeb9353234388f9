// Frames with engine.frames(): pixels in an ordinary array, or written into the plan's own memory; and what the calling thread
// allocates for each, by a heap profile. argv: file, size, rounds.

import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { open } from "../../dist/index.js";

const [file, ...sizes] = process.argv.slice(2);
const [size, rounds] = sizes.map(Number);
const pixels = new Uint8Array(readFileSync(file).buffer);
const engine = await open({ device: "cpu" });
const given = { width: size, height: size, type: "u8", threshold: { above: 127 }, connectivity: 8 };
const frames = await engine.frames(given);

async function timed(data, many) {
  const milliseconds = new Float64Array(many);
  let count = 0;
  for (let i = 0; i < many; i++) {
    const begin = performance.now();
    ({ count } = await frames.measure(data));
    milliseconds[i] = performance.now() - begin;
  }
  return { milliseconds: Array.from(milliseconds.subarray(Math.floor(many / 10))), objects: count };
}

/** Bytes per frame by the function that allocates them, from samples of every 128 bytes, those of collected objects too. */
async function allocated(many) {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 128,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  for (let i = 0; i < many; i++) await frames.measure(frames.data);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  const bytes = {};
  const add = ({ callFrame: { functionName, url }, selfSize, children }) => {
    const name = `${functionName || "(anonymous)"} in ${url.split("/").at(-1) || "V8"}`;
    bytes[name] = (bytes[name] ?? 0) + selfSize / many;
    children.forEach(add);
  };
  add(profile.head);
  session.disconnect();
  return Object.entries(bytes)
    .filter(([, size]) => size >= 16)
    .sort(([, a], [, b]) => b - a);
}

const array = await timed(pixels, rounds);
frames.data.set(pixels);
const own = await timed(frames.data, rounds);
const calls = new Float64Array(Math.ceil(rounds / 4));
for (let i = 0; i < calls.length; i++) {
  const begin = performance.now();
  const found = await engine.components(
    { data: pixels, width: size, height: size },
    { threshold: { above: 127 }, connectivity: 8 },
  );
  await found.regions();
  found.dispose();
  calls[i] = performance.now() - begin;
}
const heap = await allocated(500);
const { threads } = engine.describe();
const single = Array.from(calls.subarray(Math.floor(calls.length / 10)));
console.log(JSON.stringify({ array, own, single, heap, threads }));
await engine.close();
