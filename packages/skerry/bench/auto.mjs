// Whether `auto` takes the faster device: calls drawn from a seed, on the CPU, on the GPU and by `auto`, after it has measured.
//
//     npm run bench:gpu -- auto [--count 200 --seed 1]
//
// Sizes are drawn by their logarithm, from 64 x 64 to 4096 x 4096. A loss is a call for which `auto` chose the device that took over 1.1
// times as long as the other. All arrays are ordinary ones; medians of three warm calls of each.

import { blobs, landscape, noise } from "@skerry/scenes";
import { open } from "skerry";
import { measureSpeeds } from "skerry/internal";

const CALLS = {
  components: async (engine, raster) => {
    const found = await engine.components(raster, { connectivity: 8 });
    await found.regions();
    found.dispose();
  },
  distance: (engine, raster) => engine.distance(raster),
  kmeans: (engine, raster) => engine.kmeans(raster, { k: 16, maxIterations: 20 }),
  smooth: async (engine, raster) => {
    const soft = await engine.smooth(raster, { sigma: 2 });
    await soft.toRaster();
    soft.dispose();
  },
};
const PATTERNS = [
  (side) => blobs(side, 0.5),
  (side) => blobs(side, 0.02),
  (side) => noise(side, 0.5),
  (side) => noise(side, 0.02),
];

async function median(engine, call, raster) {
  const times = [];
  for (let i = 0; i < 4; i++) {
    const begin = performance.now();
    await call(engine, raster);
    if (i > 0) times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[1];
}

/** Calls that any number of pixels, from which the GPU is taken, would lose at least: what content alone decides. */
function leastLost(calls) {
  const lostFrom = (from) =>
    calls.filter(({ pixels, cpu, gpu }) => (pixels >= from ? gpu : cpu) > 1.1 * Math.min(cpu, gpu)).length;
  return Math.min(...[Number.POSITIVE_INFINITY, ...calls.map(({ pixels }) => pixels)].map(lostFrom));
}

/** Draws the calls, and prints those that `auto` lost. `gpu` is the root or device of the GPU. */
export async function auto(gpu, count, seed) {
  const [near, far, both] = await Promise.all([open({ device: "cpu" }), open({ device: "gpu", gpu }), open({ gpu })]);
  const begin = performance.now();
  await measureSpeeds(both);
  console.log(
    `measured in ${(performance.now() - begin).toFixed(0)} ms:`,
    both.describe().gpuFrom ?? both.describe().notice,
  );
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let lost = 0;
  const drawn = [];
  const chosen = { cpu: 0, gpu: 0 };
  for (let i = 0; i < count; i++) {
    const names = Object.keys(CALLS);
    const name = names[Math.floor(next() * names.length)];
    const side = Math.round(2 ** (6 + next() * (name === "kmeans" ? 4 : 6)));
    const pattern = Math.floor(next() * PATTERNS.length);
    const raster =
      name === "kmeans" ? landscape(side, side) : { data: PATTERNS[pattern](side), width: side, height: side };
    const [cpu, card] = [await median(near, CALLS[name], raster), await median(far, CALLS[name], raster)];
    const from = both.describe().gpuFrom?.[name] ?? Number.POSITIVE_INFINITY;
    const device = side * side >= from ? "gpu" : "cpu";
    chosen[device]++;
    drawn.push({ name, pixels: side * side, cpu, gpu: card });
    const took = device === "gpu" ? card : cpu;
    const best = Math.min(cpu, card);
    if (took <= 1.1 * best) continue;
    lost++;
    console.log(
      `lost: ${name}, ${side} x ${side}, pattern ${pattern}: CPU ${cpu.toFixed(2)}, GPU ${card.toFixed(2)} ms, auto took the ${device}`,
    );
  }
  console.log(`${count} calls, ${chosen.gpu} on the GPU, ${lost} lost by more than 1.1`);
  const least = Object.keys(CALLS).map((name) => leastLost(drawn.filter((each) => each.name === name)));
  console.log(
    `with the numbers of pixels that lose least in hindsight: ${least.reduce((sum, each) => sum + each, 0)} lost`,
  );
  await Promise.all([near.close(), far.close(), both.close()]);
}
