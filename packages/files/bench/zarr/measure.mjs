// Times the measurement of a label image of 1024^3 voxels of u32 with a million objects, and of the values of a u8 image, from
// OME-Zarr; and its parts: decoding both, and measuring the same arrays in memory. Labels are balls on a lattice, from 1 in
// raster order; the image is 20 plus the label modulo 230.
//
//     node packages/files/bench/zarr/measure.mjs [--size 1024] [--store FOLDER]

import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { open } from "skerry";
import { zarrSink, zarrSource } from "../../dist/zarr/index.js";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "1024" },
    store: { type: "string", default: join(tmpdir(), "skerry-lattice") },
  },
});
const size = Number(values.size);
const PERIOD = 10;
const RADIUS = 4;
const along = Math.floor(size / PERIOD);

const timed = async (work) => {
  const begin = performance.now();
  const result = await work();
  return { seconds: (performance.now() - begin) / 1000, result };
};

/** Labels of a slice, from 1 in raster order of the lattice, and grey values. */
function render(z, labels, grey) {
  labels.fill(0);
  grey.fill(7);
  const [k, dz] = [Math.floor(z / PERIOD), (z % PERIOD) - PERIOD / 2];
  if (k >= along) return;
  for (let y = 0; y < along * PERIOD; y++) {
    const [j, dy] = [Math.floor(y / PERIOD), (y % PERIOD) - PERIOD / 2];
    const left = RADIUS * RADIUS - dz * dz - dy * dy;
    if (left < 0) continue;
    const half = Math.floor(Math.sqrt(left));
    for (let i = 0; i < along; i++) {
      const label = (k * along + j) * along + i + 1;
      const at = y * size + i * PERIOD + PERIOD / 2;
      labels.fill(label, at - half, at + half + 1);
      grey.fill(20 + (label % 230), at - half, at + half + 1);
    }
  }
}

const [labelStore, imageStore] = [`${values.store}-labels.zarr`, `${values.store}-image.zarr`];
const there = await zarrSource(imageStore).then(
  (source) => source.close() ?? true,
  () => false,
);
if (!there) {
  const shape = { width: size, height: size, depth: size, version: "0.4", overwrite: true };
  const labels = await zarrSink(labelStore, { ...shape, type: "u32", chunks: [128, 128, 32] });
  const image = await zarrSink(imageStore, { ...shape, type: "u8", labels: false, chunks: [128, 128, 128] });
  const [own, grey] = [new Uint32Array(size * size), new Uint8Array(size * size)];
  for (let z = 0; z < size; z++) {
    render(z, own, grey);
    await labels.write(z, z + 1, 0, size, own);
    await image.write(z, z + 1, 0, size, grey);
  }
  await labels.finish();
  await image.finish();
}

const engine = await open({ device: "cpu" });
const properties = ["area", "centroid", "mean", "min", "max"];

async function load(store, data) {
  const source = await zarrSource(store);
  const part = data ?? new { u32: Uint32Array, u8: Uint8Array }[source.type](size * size * 4);
  for (let z = 0; z < size; z += 4) {
    const end = Math.min(size, z + 4);
    const rows = data ? data.subarray(z * size * size, end * size * size) : part.subarray(0, (end - z) * size * size);
    await source.read(z, end, 0, size, rows, {});
  }
  source.close();
}

const decoded = await timed(async () => {
  await load(labelStore);
  await load(imageStore);
});
const [labels, grey] = [new Uint32Array(size ** 3), new Uint8Array(size ** 3)];
await load(labelStore, labels);
await load(imageStore, grey);
const sourceOf = (data, type) => ({
  width: size,
  height: size,
  depth: size,
  type,
  read: (z0, _z1, y0, _y1, into) =>
    into.set(data.subarray((z0 * size + y0) * size, (z0 * size + y0) * size + into.length)),
});
const apart = await timed(async () => {
  const found = await engine.labelled(sourceOf(labels, "u32"));
  const regions = await found.regions({ properties, intensity: sourceOf(grey, "u8") });
  found.dispose();
  return regions;
});
const whole = await timed(async () => {
  const [source, image] = [await zarrSource(labelStore), await zarrSource(imageStore)];
  const found = await engine.labelled(source);
  const regions = await found.regions({ properties, intensity: image });
  found.dispose();
  source.close();
  image.close();
  return {
    regions,
    chunks: source.traffic.chunks + image.traffic.chunks,
    chunkCount: source.chunkCount + image.chunkCount,
  };
});
const equal = properties.every((name) =>
  apart.result[name].every((value, i) => Object.is(value, whole.result.regions[name][i])),
);
console.log(
  `${size}^3 u32 labels, ${whole.result.regions.count} objects, with a u8 image; ${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`,
);
console.table([
  {
    "decode s": decoded.seconds.toFixed(2),
    "measure in memory s": apart.seconds.toFixed(2),
    "whole s": whole.seconds.toFixed(2),
    "whole / parts": (whole.seconds / (decoded.seconds + apart.seconds)).toFixed(2),
    "chunks read": `${whole.result.chunks} of ${whole.result.chunkCount}`,
    equal,
  },
]);
await engine.close();
