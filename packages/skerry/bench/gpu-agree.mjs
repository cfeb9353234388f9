// Compares a GPU with the CPU, bit for bit: the seeded calls of `skerry info --bench --tour`, and products of components, also those
// that the GPU refuses, and results in buffers that stay on the GPU. `node packages/skerry/bench/gpu-agree.mjs [--seconds 100] [--rounds 300] [--seed 77]`

import { parseArgs } from "node:util";
import { caseOf, digestOf, random } from "@skerry/scenes";
import { open, requestDevice } from "skerry";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "100" },
    rounds: { type: "string", default: "300" },
    seed: { type: "string", default: "77" },
  },
});
const device = await requestDevice({ software: true });
const engines = [await open({ device: "cpu" }), await open({ device: "gpu", gpu: device })];
let failed = 0;

const begin = performance.now();
let cases = 0;
for (; performance.now() - begin < Number(values.seconds) * 1000; cases++) {
  const { name, run } = caseOf(cases + Number(values.seed));
  const digests = [];
  for (const [i, engine] of engines.entries()) digests[i] = await digestOf(await run(engine));
  if (digests[0] === digests[1]) continue;
  failed++;
  console.log(`differs: ${name}`);
}
console.log(`${cases} seeded calls`);

const next = random(Number(values.seed));
/** Arrays of products, each with its name. */
async function productsOf(engine, raster, connectivity) {
  const objects = await engine.components(raster, { threshold: { above: 90 }, connectivity });
  const intensity = { ...raster, data: Float32Array.from(raster.data) };
  const filtered = await objects.filter({ minArea: 3 });
  const parts = await objects.split();
  const grown = await parts.expand(3);
  const thick = await objects.dilate(2);
  const filled = await objects.filter({ fillHoles: true });
  const absorbed = await objects.absorb({ minArea: 4 });
  const found = {
    filter: (await filtered.labels()).data,
    split: (await parts.labels()).data,
    parents: parts.parent,
    areas: (await parts.regions()).area,
    runs: (await parts.runs()).begin,
    expand: (await grown.labels()).data,
    mask: (await grown.mask()).bits,
    dilate: (await thick.mask()).bits,
    outlines: (await objects.outlines()).label,
    median: (await objects.regions({ properties: ["solidity", "median"], intensity })).median,
    again: (await objects.mask()).bits,
    fillHoles: (await filled.labels()).data,
    absorb: absorbed.parent,
  };
  for (const each of [objects, filtered, parts, grown, thick, filled, absorbed]) each.dispose();
  return found;
}

/** STORAGE, COPY_SRC and COPY_DST; COPY_DST and MAP_READ. */
const [RESULT, STAGING] = [0x8c, 0x9];
/** A buffer for every result. */
const kept = device.createBuffer({ size: 2 ** 20, usage: RESULT });

/** Bytes of a buffer of the card. */
async function bytesOf(buffer, bytes) {
  const size = Math.ceil(bytes / 4) * 4;
  const staging = device.createBuffer({ size, usage: STAGING });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(1);
  const found = new Uint8Array(staging.getMappedRange().slice(0, bytes));
  staging.destroy();
  return found;
}

/** Results of one engine as arrays, of the other in a buffer of ours that holds earlier ones; as bytes. */
async function heldOf(engine, raster, connectivity) {
  const isOnCard = engine === engines[1];
  const there = isOnCard ? { as: "buffer", into: kept } : {};
  const bytes = async ({ data, bits, buffer }, size) => {
    if (isOnCard) return bytesOf(buffer, size);
    const array = data ?? bits;
    return new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice();
  };
  const { width, height } = raster;
  const pixels = width * height;
  const objects = await engine.components(raster, { threshold: { above: 90 }, connectivity });
  const image = await engine.smooth(raster, { sigma: 1.5 });
  const into = new Uint8Array(pixels);
  const found = {
    "labels on the card": await bytes(await objects.labels(there), pixels * 4),
    "mask on the card": await bytes(await objects.mask(there), Math.ceil(width / 32) * 4 * height),
    "squares on the card": await bytes(
      await engine.distance(raster, { threshold: { above: 200 }, squared: true, ...there }),
      pixels * 4,
    ),
    "classes on the card": await bytes(await engine.kmeans(raster, { k: 3, ...there }), pixels),
    smooth: (await image.toRaster({ into })).data,
  };
  for (const each of [objects, image]) each.dispose();
  return found;
}

let products = 0;
for (let round = 0; round < Number(values.rounds); round++) {
  const [width, height] = [20 + (next() % 200), 20 + (next() % 200)];
  const data = Uint8Array.from({ length: width * height }, () => (next() % 100 < 55 ? next() % 256 : 0));
  const found = [];
  for (const [i, engine] of engines.entries()) {
    const raster = { data, width, height };
    const connectivity = round % 2 ? 8 : 4;
    found[i] = { ...(await productsOf(engine, raster, connectivity)), ...(await heldOf(engine, raster, connectivity)) };
  }
  for (const name of Object.keys(found[0])) {
    products++;
    if ((await digestOf([found[0][name]])) === (await digestOf([found[1][name]]))) continue;
    failed++;
    console.log(`differs: ${name} of round ${round}`);
  }
}
console.log(`${products} products; ${failed} differ; ${engines[1].describe().gpu.description}`);
console.log(`memory in use: ${engines.map((engine) => engine.describe().memory.used).join(" and ")} bytes`);
for (const engine of engines) await engine.close();
kept.destroy();
device.destroy();
process.exitCode = failed > 0 ? 1 : 0;
