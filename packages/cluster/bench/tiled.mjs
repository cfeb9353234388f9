// Checks a distributed run on a volume of 10 240^3 voxels whose labels follow from a formula: a lattice of 161^3 balls, many of
// which lie in up to eight blocks. All 8000 chunks of the input are hard links to one file. `label` runs on one block of each of
// the 27 kinds (first, middle and last along each axis), and on random blocks, whose output has to equal that of their kind.
// Other blocks get the objects of their kind, moved to their place. `seams` and `merge` run on all blocks, `number` where
// `relabel` needs it, and `relabel` on random blocks, whose labels are compared with the formula voxel by voxel.
//
//     node packages/cluster/bench/tiled.mjs [--side 20] [--relabel 100] [--folder DIR] [--seed 1]

import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { FileStore } from "@skerry/files/zarr/internal";
import { ProcessContext } from "../dist/context.js";
import { boxOf, placeOf } from "../dist/grid.js";
import { runStep } from "../dist/phases.js";
import { plan as planOf } from "../dist/plan.js";
import { enroll } from "../dist/run.js";
import { DROPPED } from "../dist/steps/merge.js";
import { Storage } from "../dist/storage.js";

const { values } = parseArgs({
  options: {
    side: { type: "string", default: "20" },
    relabel: { type: "string", default: "100" },
    folder: { type: "string", default: join(tmpdir(), "skerry-tiled") },
    seed: { type: "string", default: "1" },
  },
});
const side = Number(values.side);
const BLOCK = 512;
const PERIOD = 64;
const BALLS = BLOCK / PERIOD;
const SIZE = side * BLOCK;
/** Random blocks that are labelled beside those of the 27 kinds, to check that their output equals that of their kind. */
const EXTRA = 27;

let state = Number(values.seed);
const below = (n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};
const say = (text) => console.log(`${((performance.now() - begin) / 1000).toFixed(0)} s: ${text}`);
const begin = performance.now();

/** The radius of the ball at a place of the lattice: 12 to 29, the same in each block. */
const radiusOf = (z, y, x) => 12 + ((((z % BALLS) * 5 + (y % BALLS) * 3 + (x % BALLS)) * 7) % 18);

/** The number of the ball at each voxel of a block, from 1, among the 9^3 balls that reach into it; 0 for none. */
function balls() {
  const own = new Uint16Array(BLOCK ** 3);
  const count = BALLS + 1;
  for (let i = 0; i < count ** 3; i++) {
    const centre = [Math.floor(i / count / count), Math.floor(i / count) % count, i % count];
    const radius = radiusOf(...centre);
    const [cz, cy, cx] = centre.map((at) => at * PERIOD);
    for (let z = Math.max(0, cz - radius); z <= Math.min(BLOCK - 1, cz + radius); z++) {
      for (let y = Math.max(0, cy - radius); y <= Math.min(BLOCK - 1, cy + radius); y++) {
        const rest = radius * radius - (z - cz) ** 2 - (y - cy) ** 2;
        if (rest < 0) continue;
        const half = Math.floor(Math.sqrt(rest));
        const row = (z * BLOCK + y) * BLOCK;
        own.fill(i + 1, row + Math.max(0, cx - half), row + Math.min(BLOCK - 1, cx + half) + 1);
      }
    }
  }
  return own;
}

/** The first voxel of a ball in raster order. The volume holds a half, a quarter or an eighth of balls at its borders. */
function firstVoxel(place) {
  const radius = radiusOf(...place);
  const [cz, cy, cx] = place.map((at) => at * PERIOD);
  for (let z = Math.max(0, cz - radius); z < SIZE; z++) {
    for (let y = Math.max(0, cy - radius); y < SIZE; y++) {
      const rest = radius * radius - (z - cz) ** 2 - (y - cy) ** 2;
      if (rest < 0) continue;
      const x = Math.max(0, cx - Math.floor(Math.sqrt(rest)));
      if (x < SIZE) return (z * SIZE + y) * SIZE + x;
    }
  }
  throw new Error(`the ball at ${place} lies outside`);
}

/** The label of each ball of the lattice: its rank by its first voxel. */
function ranks() {
  const count = side * BALLS + 1;
  const keys = new Float64Array(count ** 3);
  for (let i = 0; i < keys.length; i++) {
    const place = [Math.floor(i / count / count), Math.floor(i / count) % count, i % count];
    keys[i] = firstVoxel(place);
  }
  const sorted = keys.slice().sort();
  const rank = new Map();
  for (const [i, key] of sorted.entries()) rank.set(key, i + 1);
  return { count, labels: Uint32Array.from(keys, (key) => rank.get(key)) };
}

function render(own) {
  const pixels = new Uint8Array(own.length);
  for (let i = 0; i < own.length; i++) pixels[i] = own[i] === 0 ? 10 : 200;
  const image = join(values.folder, "image.zarr");
  const chunk = join(values.folder, "chunk");
  mkdirSync(image, { recursive: true });
  writeFileSync(chunk, gzipSync(pixels, { level: 1 }));
  writeFileSync(
    join(image, "zarr.json"),
    JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [SIZE, SIZE, SIZE],
      data_type: "uint8",
      fill_value: 0,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [BLOCK, BLOCK, BLOCK] } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      codecs: [{ name: "bytes" }, { name: "gzip", configuration: { level: 1 } }],
      attributes: {},
    }),
  );
  for (let i = 0; i < side ** 3; i++) {
    const to = join(image, "c", `${Math.floor(i / side / side)}`, `${Math.floor(i / side) % side}`, `${i % side}`);
    mkdirSync(dirname(to), { recursive: true });
    linkSync(chunk, to);
  }
  return image;
}

/** First, middle or last along each axis. */
const kindOf = (grid, block) => placeOf(grid, block).map((at) => (at === 0 ? 0 : at === side - 1 ? 2 : 1));

/** Objects of the step `label` that are equal for all blocks of a kind; `fragments` also holds positions, which differ. */
const KINDS = ["bits", "records", "order", "rows", "faces"];

/** The objects of another block of the kind, with moved positions of fragments. */
function moved(objects, offset) {
  const { first, ...others } = objects.fragments;
  return { ...objects, fragments: { first: first.map((at) => at + offset), ...others } };
}

const firstOf = (grid, block) => boxOf(grid, block).from.reduce((sum, at) => sum * SIZE + at, 0);

function checkEqual(own, other, name) {
  for (const [kind, sections] of Object.entries(other)) {
    for (const [section, data] of Object.entries(sections)) {
      const found = own[kind][section];
      if (found.length !== data.length || found.some((value, i) => value !== data[i]))
        throw new Error(`${name}: ${kind}.${section} differs`);
    }
  }
}

rmSync(values.folder, { recursive: true, force: true });
const own = balls();
const image = render(own);
say(`rendered ${SIZE}^3 voxels, ${(SIZE ** 3 / 1e12).toFixed(3)} x 10^12`);
const plan = await planOf({
  recipe: { skerry: 1, operation: "components", options: { threshold: { above: 127 } } },
  input: image,
  output: join(values.folder, "labels.zarr"),
  block: [BLOCK, BLOCK, BLOCK],
  scratch: join(values.folder, "runs"),
});
const storage = new Storage(new FileStore(plan.scratch), await enroll(plan));
let checked;
/** Compares labels with the formula before they are written to the label image. */
class CheckingContext extends ProcessContext {
  async labels(type) {
    const writer = await super.labels(type);
    return {
      begin: () => writer.begin(),
      write: (box) => {
        checked?.(box);
        return writer.write(box);
      },
    };
  }
}
const context = new CheckingContext(plan, storage, { threads: 1 });
const { grid } = context;
const seconds = {};
async function step(phase, number) {
  const start = performance.now();
  await runStep(context, { phase, number });
  const [sum, count] = seconds[phase] ?? [0, 0];
  seconds[phase] = [sum + (performance.now() - start) / 1000, count + 1];
}
const objectsOf = async (block) => {
  const all = {};
  for (const kind of [...KINDS, "fragments"]) all[kind] = await storage.read(kind, block);
  return all;
};

const chosen = new Set();
while (chosen.size < Math.min(Number(values.relabel), grid.count)) chosen.add(below(grid.count));
const samples = new Map();
for (let block = 0; block < grid.count; block++) {
  const kind = kindOf(grid, block).join("");
  if (samples.has(kind)) continue;
  await step("label", block);
  samples.set(kind, { block, objects: await objectsOf(block) });
}
say(`labelled the ${samples.size} kinds of blocks`);
const truly = new Set([...samples.values()].map(({ block }) => block));
for (let i = 0; i < Math.min(EXTRA, grid.count); i++) {
  const block = below(grid.count);
  await step("label", block);
  truly.add(block);
  const { block: from, objects } = samples.get(kindOf(grid, block).join(""));
  checkEqual(await objectsOf(block), moved(objects, firstOf(grid, block) - firstOf(grid, from)), `block ${block}`);
}
say(`${EXTRA} others wrote what their kind did`);
for (let block = 0; block < grid.count; block++) {
  if (truly.has(block)) continue;
  const { block: from, objects } = samples.get(kindOf(grid, block).join(""));
  const all = moved(objects, firstOf(grid, block) - firstOf(grid, from));
  for (const [kind, sections] of Object.entries(all)) {
    if (kind === "bits" && !chosen.has(block)) continue;
    await storage.write(kind, block, sections);
  }
}
say(`placed the objects of ${grid.count} blocks`);
for (let block = 0; block < grid.count; block++) await step("seams", block);
say("seams");
await step("merge", 0);
const totals = await storage.read("totals", 0);
const { count, labels } = ranks();
say(`merge: ${totals.fragments[0]} fragments, ${totals.count[0]} objects, ${labels.length} by the formula`);
if (totals.count[0] !== labels.length) throw new Error("the number of objects differs");
const numbered = new Set();
let voxels = 0;
let differing = 0;
for (const block of chosen) {
  const roots = await storage.read("roots", block, ["block"]);
  for (const owner of new Set([block, ...roots.block])) {
    if (owner === DROPPED || numbered.has(owner)) continue;
    numbered.add(owner);
    await step("number", owner);
  }
  const place = placeOf(grid, block);
  const around = BALLS + 1;
  const table = new Uint32Array(around ** 3 + 1);
  for (let i = 0; i < around ** 3; i++) {
    const [z, y, x] = [Math.floor(i / around / around), Math.floor(i / around) % around, i % around].map(
      (at, axis) => place[axis] * BALLS + at,
    );
    table[i + 1] = labels[(z * count + y) * count + x];
  }
  let seen = false;
  checked = ({ data }) => {
    seen = true;
    voxels += data.length;
    for (let i = 0; i < data.length; i++) if (data[i] !== table[own[i]]) differing++;
  };
  await step("relabel", block);
  if (!seen) throw new Error(`block ${block} wrote no labels`);
}
say(`${chosen.size} blocks relabelled, ${numbered.size} numbered: ${differing} of ${voxels} voxels differ`);
for (const [phase, [sum, steps]] of Object.entries(seconds)) {
  console.log(`${phase}: ${steps} steps, ${((sum * 1000) / steps).toFixed(0)} ms each`);
}
const peak = process.resourceUsage().maxRSS / 2 ** 20;
console.log(
  `${(storage.moved.written / 1e9).toFixed(2)} GB of objects written, ${peak.toFixed(2)} GiB resident; ${cpus()[0].model}, Node ${process.versions.node}`,
);
await context.close();
rmSync(values.folder, { recursive: true, force: true });
if (differing > 0) process.exitCode = 1;
