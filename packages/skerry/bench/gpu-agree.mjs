// Compares a GPU with the CPU, bit for bit: the seeded calls of `skerry info --bench --tour`, and products of components, also those
// that the GPU refuses. `node packages/skerry/bench/gpu-agree.mjs [--seconds 100] [--rounds 300] [--seed 77]`

import { parseArgs } from "node:util";
import { caseOf, digestOf, random } from "@skerry/scenes";
import { open } from "skerry";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "100" },
    rounds: { type: "string", default: "300" },
    seed: { type: "string", default: "77" },
  },
});
const engines = [await open({ device: "cpu" }), await open({ device: "gpu" })];
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

let products = 0;
for (let round = 0; round < Number(values.rounds); round++) {
  const [width, height] = [20 + (next() % 200), 20 + (next() % 200)];
  const data = Uint8Array.from({ length: width * height }, () => (next() % 100 < 55 ? next() % 256 : 0));
  const found = [];
  for (const [i, engine] of engines.entries()) {
    found[i] = await productsOf(engine, { data, width, height }, round % 2 ? 8 : 4);
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
process.exitCode = failed > 0 ? 1 : 0;
