// Times the merge of a volume of 10 240^3 voxels in 8000 blocks of 512^3, with 10^9 objects and some 150 million fragments at
// seams. It reads real files, which are rendered first. Fragments of neighbouring blocks meet at random.
//
//     node packages/cluster/bench/merge.mjs [--side 20] [--fragments 18750] [--pairs 11125] [--folder DIR] [--min-area 0]

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { spaceOf } from "@skerry/files";
import { FileStore } from "@skerry/files/zarr/internal";
import { blockBefore, gridOf, placeOf } from "../dist/grid.js";
import { canonical, runOf } from "../dist/plan.js";
import { merge } from "../dist/steps/merge.js";
import { codeOf } from "../dist/steps/seams.js";
import { Storage } from "../dist/storage.js";

const { values } = parseArgs({
  options: {
    side: { type: "string", default: "20" },
    fragments: { type: "string", default: "18750" },
    pairs: { type: "string", default: "11125" },
    folder: { type: "string", default: join(tmpdir(), "skerry-merge") },
    "min-area": { type: "string", default: "0" },
    render: { type: "boolean", default: false },
  },
});
const [side, fragments, pairs, minArea] = [values.side, values.fragments, values.pairs, values["min-area"]].map(Number);
const BLOCK = 512;
const grid = gridOf([side * BLOCK, side * BLOCK, side * BLOCK], [BLOCK, BLOCK, BLOCK]);
const plan = {
  skerry: "plan",
  version: 3,
  from: [0, 0, 0],
  size: grid.size,
  block: grid.block,
  chunks: grid.block,
  space: spaceOf({ size: { width: side * BLOCK, height: side * BLOCK, depth: side * BLOCK } }),
  recipe: {
    skerry: 1,
    operation: "components",
    options: { threshold: { above: 1 }, ...(minArea > 0 ? { minArea } : {}) },
  },
  input: { url: "none", level: 0, type: "u8" },
  intensities: [],
  properties: ["area"],
  scratch: values.folder,
};
const storage = new Storage(new FileStore(values.folder), runOf(plan));

async function render() {
  await storage.keys.set(`${storage.run}/plan.json`, new TextEncoder().encode(canonical(plan)));
  let state = 1;
  const next = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let block = 0; block < grid.count; block++) {
    const [z, y, x] = placeOf(grid, block).map((at) => at * BLOCK);
    const first = new Float64Array(fragments);
    const step = (BLOCK * BLOCK * BLOCK) / fragments;
    for (let i = 0; i < fragments; i++) {
      const local = Math.floor(i * step + next(step));
      const [lz, ly, lx] = [Math.floor(local / BLOCK / BLOCK), Math.floor(local / BLOCK) % BLOCK, local % BLOCK];
      first[i] = ((z + lz) * grid.size[1] + y + ly) * grid.size[2] + x + lx;
    }
    const area = new Uint32Array(fragments).map(() => 100 + next(900));
    const slices = new Float64Array(BLOCK).fill(230);
    await storage.write("fragments", block, {
      first,
      area,
      flags: new Uint8Array(fragments),
      slices,
      count: Uint32Array.of(fragments),
      foreground: Float64Array.of(0),
    });
    const before = [1, 2, 4].filter((corner) => blockBefore(grid, block, corner) !== undefined);
    const length = before.length === 0 ? 0 : pairs;
    const a = new Uint32Array(length);
    const b = new Uint32Array(length);
    for (let i = 0; i < length; i++) {
      a[i] = codeOf(Math.floor((i * fragments) / length), 0);
      b[i] = codeOf(next(fragments), before[next(before.length)]);
    }
    await storage.write("edges", block, { a, b });
  }
}

if (values.render) {
  await render();
} else {
  mkdirSync(values.folder, { recursive: true });
  const own = fileURLToPath(import.meta.url);
  const begin = performance.now();
  execFileSync(process.execPath, [own, ...process.argv.slice(2), "--render"], { stdio: "inherit" });
  console.log(`rendered in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  const start = performance.now();
  await merge({ plan, grid, storage });
  const seconds = (performance.now() - start) / 1000;
  const { count, fragments: total } = await storage.read("totals", 0);
  const { maxRSS } = process.resourceUsage();
  console.log(
    `${grid.count} blocks, ${(total[0] / 1e6).toFixed(0)} million fragments, ${((grid.count * pairs) / 1e6).toFixed(0)} million pairs: ${(count[0] / 1e6).toFixed(0)} million objects in ${seconds.toFixed(1)} s, ${(maxRSS / 2 ** 20).toFixed(2)} GiB, ${minArea > 0 ? "by area" : "without filters"}`,
  );
  console.log(
    `${(storage.moved.read / 1e9).toFixed(2)} GB read, ${(storage.moved.written / 1e9).toFixed(2)} GB written; ${cpus()[0].model}, Node ${process.versions.node}`,
  );
  rmSync(values.folder, { recursive: true, force: true });
}
