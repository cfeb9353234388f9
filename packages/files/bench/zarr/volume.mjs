// Times labelling from file to file: a u8 volume in OME-Zarr, its labels into OME-Zarr, and its regions. Beside it the parts,
// each alone on the same threads with the same codec: decoding, labelling in memory, packing. The volume is rendered if it does
// not exist.
//
//     node packages/files/bench/zarr/volume.mjs [--size 1024] [--chunk 128] [--store FOLDER] [--rounds 3]

import { rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { spaceOf } from "@skerry/files";
import { open } from "skerry";
import { zarrSink, zarrSource } from "../../dist/zarr/index.js";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "1024" },
    chunk: { type: "string", default: "128" },
    store: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});
const size = Number(values.size);
const chunk = Number(values.chunk);
const store = values.store ?? join(tmpdir(), `skerry-blobs-${size}.zarr`);
const THRESHOLD = 150;

const timed = async (work) => {
  const begin = performance.now();
  const result = await work();
  return { seconds: (performance.now() - begin) / 1000, result };
};
const peak = () => process.resourceUsage().maxRSS / 1024;

/** Smooth blobs with noise of 16 grey values, like cells under a microscope. */
function renderSlice(z, into) {
  const waves = [0, 1, 2, 3, 4, 5].map((k) => [(2 * Math.PI) / (23 + 9 * k), k * 1.3]);
  const column = waves.map(([w, p]) => Float32Array.from({ length: size }, (_, x) => Math.sin(0.93 * w * x + 3 * p)));
  let seed = (z + 1) * 2654435761;
  for (let y = 0; y < size; y++) {
    const own = waves.map(([w, p]) => Math.sin(w * z + p) * Math.sin(1.1 * w * y + 2 * p));
    for (let x = 0; x < size; x++) {
      let value = 0;
      for (let k = 0; k < 6; k++) value += own[k] * column[k][x];
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      into[y * size + x] = Math.max(0, Math.min(235, value * 60 + 100)) + (seed >>> 28);
    }
  }
}

async function render() {
  const sides = { width: size, height: size, depth: size };
  const sink = await zarrSink(store, {
    type: "u8",
    labels: false,
    version: "0.4",
    width: size,
    height: size,
    depth: size,
    chunks: [chunk, chunk, chunk],
    space: spaceOf({ size: sides, spacing: [0.5, 0.5, 0.5], unit: "um" }),
  });
  const slice = new Uint8Array(size * size);
  for (let z = 0; z < size; z++) {
    renderSlice(z, slice);
    await sink.write(z, z + 1, 0, size, slice);
  }
  await sink.finish();
}

const there = await zarrSource(store).then(
  (source) => source.close() ?? true,
  () => false,
);
if (!there) await render();

const engine = await open({ device: "cpu" });
const slices = Math.max(1, Math.floor(2 ** 22 / (size * size)));

/** Decodes everything into memory. */
async function decode(into) {
  const source = await zarrSource(store);
  const step = size * size * slices;
  const part = new Uint8Array(step);
  for (let z = 0; z < size; z += slices) {
    const end = Math.min(size, z + slices);
    const rows = into ? into.subarray(z * size * size, end * size * size) : part.subarray(0, (end - z) * size * size);
    await source.read(z, end, 0, size, rows, {});
  }
  source.close();
  return source.traffic;
}

const options = { threshold: { above: THRESHOLD }, connectivity: 26 };
const properties = ["area", "bounds", "centroid"];
const target = { name: "bench", overwrite: true };
const rows = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const decoded = await timed(() => decode());
  const data = new Uint8Array(new SharedArrayBuffer(size ** 3));
  await decode(data);
  const labelled = await timed(async () => {
    const cells = await engine.components({ data, width: size, height: size, depth: size }, options);
    await cells.regions({ properties });
    let pixels = 0;
    await cells.labels({
      into: {
        shared: true,
        write: (_z0, _z1, _y0, _y1, part) => {
          pixels += part.length;
        },
      },
    });
    return { cells, pixels };
  });
  // Packs labels that are in memory already, as in the whole.
  const { cells } = labelled.result;
  const labels = new Uint32Array(new SharedArrayBuffer(size ** 3 * 4));
  await cells.labels({ into: labels });
  cells.dispose();
  const encoded = await timed(async () => {
    const sink = await zarrSink(store, target);
    for (let z = 0; z < size; z += slices) {
      const end = Math.min(size, z + slices);
      await sink.write(z, end, 0, size, labels.subarray(z * size * size, end * size * size));
    }
    await sink.finish();
    return sink.bytes;
  });
  const whole = await timed(async () => {
    const source = await zarrSource(store);
    const found = await engine.components(source, options);
    await found.regions({ properties });
    const sink = await zarrSink(store, target);
    await found.labels({ into: sink });
    await sink.finish({ count: found.count });
    const { count } = found;
    found.dispose();
    source.close();
    return { count, read: source.traffic.bytes, chunks: source.traffic.chunks, chunkCount: source.chunkCount };
  });
  const parts = decoded.seconds + labelled.seconds + encoded.seconds;
  rows.push({
    "decode s": decoded.seconds.toFixed(2),
    "label s": labelled.seconds.toFixed(2),
    "encode s": encoded.seconds.toFixed(2),
    "whole s": whole.seconds.toFixed(2),
    "whole / parts": (whole.seconds / parts).toFixed(2),
    objects: whole.result.count,
    "read MiB": (whole.result.read / 2 ** 20).toFixed(0),
    "chunks read": `${whole.result.chunks} of ${whole.result.chunkCount}`,
    "written MiB": (encoded.result / 2 ** 20).toFixed(0),
  });
}
console.log(
  `${size}^3 u8, chunks of ${chunk}^3, zstd 1; ${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`,
);
console.table(rows);
console.log(`peak resident memory with all parts: ${peak().toFixed(0)} MiB`);
await engine.close();
rmSync(join(store, "labels"), { recursive: true, force: true });
