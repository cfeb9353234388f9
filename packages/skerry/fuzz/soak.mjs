// Tests whether memory grows. Callers work on one engine for some minutes, with large and small images. Resident memory
// is measured after five idle seconds, once after the first minute and once at the end.
//
//     npm run soak -- [--seconds 600] [--callers 8] [--seed 1] [--device cpu]

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { open } from "../checked/index.js";
import { sequences } from "./draw.mjs";
import { complaint, outcomeOf } from "./steps.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    callers: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    device: { type: "string", default: "cpu" },
  },
});
const IDLE_MILLISECONDS = 5000;
const FIRST_MILLISECONDS = 60_000;
/** Maximum growth of resident memory, in MiB. */
const MOST_GROWTH = 150;

const mebibytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
const engine = await open({ device: values.device });
const arbitrary = sequences(["components", "fill", "distance", "kmeans"]);
let calls = 0;
let seed = Number(values.seed);

/** Calls on an image of 12 Mpx, in place of every twentieth sequence. */
async function large() {
  const [width, height] = [4000, 3000];
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i += 37) data[i] = (i * 7) & 255;
  const image = await engine.load({ data, width, height });
  const found = await engine.components(image, { threshold: { above: 100 }, connectivity: 8 });
  await Promise.all([found.regions(), found.runs()]);
  found.dispose();
  image.dispose();
}

async function caller(until) {
  while (performance.now() < until) {
    if (++calls % 20 === 0) {
      await large();
      continue;
    }
    const [{ steps }] = fc.sample(arbitrary, { seed: seed++, numRuns: 1 });
    for (const step of steps) {
      const wrong = complaint(await outcomeOf(engine, step));
      if (wrong) throw new Error(`${step.noun}: ${wrong}`);
    }
  }
}

async function work(milliseconds) {
  const until = performance.now() + milliseconds;
  await Promise.all(Array.from({ length: Number(values.callers) }, () => caller(until)));
  await pause(IDLE_MILLISECONDS);
  return mebibytes();
}

const first = await work(Math.min(FIRST_MILLISECONDS, Number(values.seconds) * 1000));
const last = await work(Math.max(0, Number(values.seconds) * 1000 - FIRST_MILLISECONDS));
const { used, reserved } = engine.describe().memory;
await engine.close();
const grown = last - first;
console.log(
  `${calls} sequences of ${values.callers} callers in ${values.seconds} s: ${first.toFixed(0)} MiB after the first minute, ${last.toFixed(0)} MiB at the end, each after 5 idle seconds; the engine uses ${used} bytes of ${reserved}`,
);
process.exit(grown > MOST_GROWTH || used > 0 ? 1 : 0);
