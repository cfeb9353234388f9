// What comes before a threshold on the GPU, of resident pixels: random cases against the CPU, then the device time of 8192 x 8192 u8,
// beside the copy of its bytes.
//
//     node packages/skerry/bench/gpu-light.mjs [--cases N] [--side N]

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

/** Compares images of both devices, channel by channel, and disposes of them. */
async function compare(about, near, far) {
  for (let c = 0; c < near.channels; c++) {
    const a = near.channels > 1 ? await cpu.channel(near, c) : near;
    const b = near.channels > 1 ? await engine.channel(far, c) : far;
    const [expected, found] = [await valuesOf(cpu, a), await valuesOf(engine, b)];
    if (expected.some((value, at) => !Object.is(value, found[at]))) {
      wrong++;
      console.log("differs:", about, c);
    }
  }
  near.dispose();
  far.dispose();
}

const TYPES = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, f32: Float32Array };
const chosen = (list) => list[Math.floor(random() * list.length)];

async function smoothCase() {
  const depth = random() < 0.3 ? 1 + Math.floor(random() * 9) : 1;
  const [width, height] = [1 + Math.floor(random() * (random() < 0.3 ? 2500 : 130)), 1 + Math.floor(random() * 70)];
  const channels = chosen([1, 1, 3, 4]);
  const isFull = random() < 0.2;
  const type = chosen(["u8", "u16", "i16"]);
  const [least, most] = { u8: [0, 255], u16: [0, 65535], i16: [-32768, 32767] }[type];
  const end = chosen([least, most]);
  const data = new TYPES[type](width * height * depth * channels).map(() =>
    isFull ? end : least + random() * (most - least + 1),
  );
  const isWide = random() < 0.2;
  const one = () => (random() < 0.15 ? 0 : isWide ? random() * 60 : random() < 0.2 ? random() * 8 : 0.1 + random() * 4);
  const sigma = [one(), one(), ...(depth > 1 ? [one()] : [])];
  const raster = { data, width, height, channels, ...(depth > 1 ? { depth } : {}) };
  const about = { type, width, height, depth, channels, sigma };
  await compare(about, await cpu.smooth(raster, { sigma }), await engine.smooth(raster, { sigma }));
  const by = random() < 0.5 ? "sobel" : 0.1 + random() * 6;
  await compare({ ...about, by }, await cpu.gradient(raster, { by }), await engine.gradient(raster, { by }));
}

/** Noise, flat pictures, steps and one value: those of one value lie at their own mean. */
function bytesOf(width, height) {
  const kind = Math.floor(random() * 5);
  const base = random() * 255;
  const value = (x) => {
    if (kind === 0) return random() * 256;
    if (kind === 1) return base + random() * 6;
    if (kind === 2) return 255;
    return kind === 3 ? (x >> 3) * 16 + random() * 2 : base;
  };
  return new Uint8Array(width * height).map((_, at) => value(at % width));
}

async function windowCase() {
  const [width, height] = [1 + Math.floor(random() * (random() < 0.2 ? 2300 : 150)), 1 + Math.floor(random() * 150)];
  const raster = { data: bytesOf(width, height), width, height };
  const radius = 1 + Math.floor(random() * (random() < 0.2 ? 128 : 30));
  const image = await engine.load(raster);
  await compare(
    { width, height, radius },
    await cpu.flatten(raster, { radius }),
    await engine.flatten(image, { radius }),
  );
  const polarity = chosen(["bright", "dark"]);
  const mean = { radius, method: "mean", offset: chosen([0, Math.floor(random() * 400 - 200) / 16]) };
  const r = random() < 0.3 ? { r: 1 + random() * 200 } : {};
  const sauvola = { radius: Math.min(radius, 90), method: "sauvola", k: chosen([0, 0.2, 0.5, -0.3, 7]), ...r };
  for (const local of [mean, sauvola]) {
    const options = { threshold: { local }, polarity };
    const [near, far] = [await cpu.components(raster, options), await engine.components(image, options)];
    const [expected, found] = [await near.mask(), await far.mask()];
    if (far.device !== "gpu" || expected.bits.some((word, at) => word !== found.bits[at])) {
      wrong++;
      console.log("differs:", { width, height, local, polarity });
    }
    near.dispose();
    far.dispose();
  }
  image.dispose();
}

async function channelCase() {
  const [width, height] = [1 + Math.floor(random() * 90), 1 + Math.floor(random() * 60)];
  const depth = random() < 0.3 ? 1 + Math.floor(random() * 4) : 1;
  const channels = chosen([3, 4]);
  const type = chosen(Object.keys(TYPES));
  const [least, range] = { u8: [0, 256], u16: [0, 65536], i16: [-32768, 65536], f32: [0, 1] }[type];
  const data = new TYPES[type](width * height * depth * channels).map(() => least + random() * range);
  const raster = { data, width, height, channels, ...(depth > 1 ? { depth } : {}) };
  for (const name of ["luma", "red", "green", "blue", ...(channels === 4 ? ["alpha"] : [])]) {
    await compare({ type, name }, await cpu.channel(raster, name), await engine.channel(raster, name));
  }
  if (type !== "u8" && type !== "u16") return;
  const stains = random() < 0.5 ? "hed" : [0, 1, 2].map(() => [0, 0, 0].map(() => random() * 2 - 0.3));
  const amounts = [await cpu.unmix(raster, { stains }), await engine.unmix(raster, { stains })];
  for (const [at, near] of amounts[0].entries()) await compare({ type, stains, at }, near, amounts[1][at]);
}

async function expandCase() {
  const [width, height] = [1 + Math.floor(random() * 150), 1 + Math.floor(random() * 90)];
  const depth = random() < 0.3 ? 1 + Math.floor(random() * 8) : 1;
  const share = random() * 0.1;
  const data = new Uint8Array(width * height * depth).map(() => (random() < share ? 255 : 0));
  const physical = random() < 0.3;
  const raster = { data, width, height, depth, ...(physical ? { spacing: [1, 2, 3] } : {}) };
  const distance = 0.5 + random() * 15;
  const [few, many] = [await cpu.components(raster), await engine.components(raster)];
  const [near, far] = [await few.expand(distance, { physical }), await many.expand(distance, { physical })];
  const [expected, found] = [(await near.labels()).data, (await far.labels()).data];
  const isSame = near.count === far.count && near.foreground === far.foreground && far.device === "gpu";
  if (!isSame || expected.some((label, at) => label !== found[at])) {
    wrong++;
    console.log("differs:", { width, height, depth, distance, physical });
  }
  for (const each of [few, many, near, far]) each.dispose();
}

for (let i = 0; i < Number(given.cases); i++) {
  await expandCase();
  await smoothCase();
  await windowCase();
  await channelCase();
}
console.log(`${given.cases} random cases of each kind, ${wrong} differ from the CPU`);

const side = Number(given.side);
const total = side * side;
const image = await engine.load({ data: new Uint8Array(total).map(() => random() * 256), width: side, height: side });
const blobs = new Uint8Array(total).map((_, at) => {
  const [x, y] = [at % side, Math.floor(at / side)];
  return 128 + 90 * Math.sin(x / 37) * Math.sin(y / 41) + 8 * random();
});
const scan = await engine.load({ data: blobs, width: side, height: side });
const slide = await engine.load({
  data: new Uint8Array(total * 3).map(() => random() * 256),
  width: side,
  height: side,
  channels: 3,
});
const deep = await engine.load({
  data: new Uint16Array(total).map(() => random() * 65536),
  width: side,
  height: side,
});
const local = (method) => ({ threshold: { local: { radius: 12, method } }, polarity: "dark" });
const objects = await engine.components(scan, { threshold: { above: 190 } });
const works = [
  ...[1, 2, 5, 8, 16].map((sigma) => [`sigma ${sigma}`, "smooth", () => engine.smooth(image, { sigma })]),
  ["sigma 2 of u16", "smooth", () => engine.smooth(deep, { sigma: 2 })],
  ["Sobel", "gradient", () => engine.gradient(image, { by: "sobel" })],
  ["gradient of sigma 2", "gradient", () => engine.gradient(image, { by: 2 })],
  ["Sobel of u16", "gradient", () => engine.gradient(deep, { by: "sobel" })],
  ["sigma 5 of u16", "smooth", () => engine.smooth(deep, { sigma: 5 })],
  ["flatten 40", "flatten", () => engine.flatten(scan, { radius: 40 })],
  ["local mean 12", "pack", () => engine.components(scan, local("mean"))],
  ["Sauvola 12", "pack", () => engine.components(scan, local("sauvola"))],
  ["Sauvola 12 of noise", "pack", () => engine.components(image, local("sauvola"))],
  ["expand 12", "on the device", () => objects.expand(12)],
  ["stain", "stain", () => engine.channel(slide, "hematoxylin")],
  ["luma", "channel", () => engine.channel(slide, "luma")],
  ["green", "channel", () => engine.channel(slide, "green")],
];
const [source, target] = [await context.memory.allocate(total, "a"), await context.memory.allocate(total * 4, "b")];
const reference = referenceCopy(total, source, target);
for (const [name, stage, work] of works) {
  (await work()).dispose();
  await warm(context, reference, total);
  const [own, copies, walls] = [[], [], []];
  for (let round = 0; round < 20; round++) {
    copies.push((await timed(context, reference)).copy);
    const begin = performance.now();
    const made = await work();
    walls.push(performance.now() - begin);
    const device = engine.timings.filter((timing) => timing.clock === "device" && timing.stage === stage);
    own.push(device.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    made.dispose();
  }
  console.log(
    `${name}: ${median(own).toFixed(3)} ms of device time, ${median(walls).toFixed(2)} ms of the whole call; 5 bytes per pixel copied in ${median(copies).toFixed(3)} ms`,
  );
}
await cpu.close();
await engine.close();
if (wrong > 0) process.exitCode = 1;
