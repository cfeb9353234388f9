// Gaussians of resident u8 on the GPU: random cases against the CPU, then the device time of 8192 x 8192, beside the copy of its bytes.
//
//     node packages/skerry/bench/gpu-smooth.mjs [--cases N] [--side N]

import { parseArgs } from "node:util";
import { create } from "webgpu";
import { open } from "../dist/index.js";
import { median, openEngine, referenceCopy, timed, warm } from "./gpu-stages.mjs";

const { values: given } = parseArgs({
  options: { cases: { type: "string", default: "200" }, side: { type: "string", default: "8192" } },
});
const gpu = create(["disable-dawn-features=timestamp_quantization"]);
const { engine, context } = await openEngine(gpu);
const cpu = await open({ device: "cpu" });
let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

/** The values of an image of one channel: each pixel is an object, whose least value is its own. */
async function valuesOf(own, image) {
  const { width, height, depth } = image;
  const data = Uint32Array.from({ length: width * height * depth }, (_, i) => i + 1);
  const pixels = await own.labelled({ data, width, height, depth });
  const { min } = await pixels.regions({ properties: ["min"], intensity: image });
  pixels.dispose();
  return min;
}

let wrong = 0;
for (let i = 0; i < Number(given.cases); i++) {
  const depth = random() < 0.3 ? 1 + Math.floor(random() * 9) : 1;
  const [width, height] = [1 + Math.floor(random() * (random() < 0.3 ? 2500 : 130)), 1 + Math.floor(random() * 70)];
  const channels = [1, 1, 3, 4][Math.floor(random() * 4)];
  const isFull = random() < 0.2;
  const data = new Uint8Array(width * height * depth * channels).map(() => (isFull ? 255 : random() * 256));
  const one = () => (random() < 0.15 ? 0 : random() < 0.2 ? random() * 8 : 0.1 + random() * 4);
  const sigma = [one(), one(), one()];
  const raster = { data, width, height, channels, ...(depth > 1 ? { depth } : {}) };
  const [near, far] = [await cpu.smooth(raster, { sigma }), await engine.smooth(raster, { sigma })];
  for (let c = 0; c < channels; c++) {
    const a = channels > 1 ? await cpu.channel(near, c) : near;
    const b = channels > 1 ? await engine.channel(far, c) : far;
    const [expected, found] = [await valuesOf(cpu, a), await valuesOf(engine, b)];
    if (expected.some((value, at) => value !== found[at])) {
      wrong++;
      console.log(`differs: ${width} x ${height} x ${depth} x ${channels}, sigma ${sigma}`);
    }
  }
  near.dispose();
  far.dispose();
}
console.log(`${given.cases} random cases, ${wrong} channels differ from the CPU`);

const side = Number(given.side);
const total = side * side;
const image = await engine.load({ data: new Uint8Array(total).map(() => random() * 256), width: side, height: side });
const [source, target] = [await context.memory.allocate(total, "a"), await context.memory.allocate(total * 4, "b")];
const reference = referenceCopy(total, source, target);
for (const sigma of [1, 2, 5, 8]) {
  (await engine.smooth(image, { sigma })).dispose();
  await warm(context, reference, total);
  const [own, copies] = [[], []];
  for (let round = 0; round < 20; round++) {
    copies.push((await timed(context, reference)).copy);
    (await engine.smooth(image, { sigma })).dispose();
    const device = engine.timings.filter(({ clock, stage }) => clock === "device" && stage === "smooth");
    own.push(device.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  }
  const copy = median(copies);
  console.log(
    `sigma ${sigma}: ${median(own).toFixed(3)} ms of device time; 5 bytes per pixel copied in ${copy.toFixed(3)} ms`,
  );
}
await cpu.close();
await engine.close();
if (wrong > 0) process.exitCode = 1;
