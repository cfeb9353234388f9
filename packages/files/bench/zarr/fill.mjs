// Counts the chunks that a fill reads: one object in a volume of 2048^3 voxels, in about one chunk of a hundred.
//
//     node packages/files/bench/zarr/fill.mjs [--size 2048] [--chunk 128]

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { open } from "skerry";
import { zarrFill, zarrSink } from "../../dist/zarr/index.js";

const { values } = parseArgs({
  options: { size: { type: "string", default: "2048" }, chunk: { type: "string", default: "128" } },
});
const [size, chunk] = [Number(values.size), Number(values.chunk)];
const folder = mkdtempSync(join(tmpdir(), "skerry-fill-"));
const store = join(folder, "cross.zarr");

// Three rods of 8 x 8 voxels, along x, y and z, that cross in the middle.
const middle = Math.floor(size / 2) + 40;
const inRod = (n) => n >= middle && n < middle + 8;
const chunks = [];
let touched = 0;
for (let z = 0; z < size; z += chunk) {
  for (let y = 0; y < size; y += chunk) {
    for (let x = 0; x < size; x += chunk) {
      const near = [x, y, z].filter((at) => middle >= at && middle < at + chunk).length;
      if (near < 2) continue;
      touched++;
      const runs = [];
      for (let row = 0; row < chunk * chunk; row++) {
        const [zz, yy] = [z + Math.floor(row / chunk), y + (row % chunk)];
        if (inRod(zz) && inRod(yy)) runs.push({ row, begin: 0, end: chunk });
        else if ((inRod(zz) || inRod(yy)) && middle >= x && middle < x + chunk)
          runs.push({ row, begin: middle - x, end: middle - x + 8 });
      }
      chunks.push({ x, y, z, width: chunk, height: chunk, depth: chunk, runs });
    }
  }
}
const sink = await zarrSink(store, {
  width: size,
  height: size,
  depth: size,
  type: "u8",
  labels: false,
  version: "0.4",
  chunks: [chunk, chunk, chunk],
});
await sink.paint({ chunks });
await sink.finish();

const engine = await open({ device: "cpu" });
const begin = performance.now();
const filled = await zarrFill(engine, store, { seeds: [[middle, middle, middle]] });
const seconds = (performance.now() - begin) / 1000;
console.log(`${size}^3 u8, chunks of ${chunk}^3; ${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`);
console.table([
  {
    voxels: filled.foreground,
    expected: 3 * 64 * size - 2 * 512,
    "chunks touched": `${touched} (${((100 * touched) / filled.chunkCount).toFixed(2)} %)`,
    "chunks read": `${filled.chunksRead} of ${filled.chunkCount} (${((100 * filled.chunksRead) / filled.chunkCount).toFixed(2)} %)`,
    seconds: seconds.toFixed(2),
  },
]);
await engine.close();
rmSync(folder, { recursive: true });
