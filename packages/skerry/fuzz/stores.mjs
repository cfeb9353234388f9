// OME-Zarr images of random sizes, chunks, shards, codecs and types. Written values must be read back, whole and in boxes, in
// bands of any length. Reading keys that were changed, cut or removed must return values or reject with one sentence.

import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { rasterOf } from "../../files/dist/node/index.js";
import { openZarr, ZarrError, zarrSink, zarrSource } from "../../files/dist/zarr/index.js";

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };
const CODECS = [
  { name: "raw" },
  { name: "gzip" },
  { name: "zstd" },
  { name: "blosc", cname: "lz4" },
  { name: "blosc" },
];

const side = fc.integer({ min: 1, max: 24 });
const images = fc.record({
  width: side,
  height: side,
  depth: fc.oneof(fc.constant(1), side),
  type: fc.constantFrom(...Object.keys(ARRAYS)),
  chunks: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
  /** Chunks of a shard along each axis; none for 0.4. */
  shards: fc.option(fc.tuple(...[1, 1, 1].map(() => fc.integer({ min: 1, max: 3 })))),
  version: fc.constantFrom("0.4", "0.5"),
  codec: fc.constantFrom(...CODECS),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  density: fc.constantFrom(0, 0.02, 0.5, 1),
  rows: fc.integer({ min: 1, max: 30 }),
  box: fc.tuple(...[0, 0, 0, 0, 0, 0].map(() => fc.double({ min: 0, max: 0.999, noNaN: true }))),
  /** The key that is changed, how, and where. */
  wrong: fc.option(
    fc.record({ key: fc.nat(), how: fc.constantFrom("byte", "cut", "gone"), at: fc.nat(), value: fc.nat(255) }),
  ),
});

/** Random values with a probability of `density`, else 0. */
function valuesOf({ width, height, depth, type, seed, density }) {
  let state = seed;
  return ARRAYS[type].from({ length: width * height * depth }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24 < density ? state >>> (type === "u32" ? 0 : 24) : 0;
  });
}

async function write(url, image, data) {
  const { width, height, depth, type, chunks, shards, version, codec, rows } = image;
  const inside = shards?.map((n, i) => n * Math.min(chunks[i], [width, height, depth][i]));
  const sink = await zarrSink(url, {
    width,
    height,
    depth,
    type,
    chunks,
    version,
    codec,
    labels: false,
    ...(version === "0.5" && inside ? { shards: inside } : {}),
  });
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y += rows) {
      const end = Math.min(height, y + rows);
      await sink.write(z, z + 1, y, end, data.subarray((z * height + y) * width, (z * height + end) * width));
    }
  }
  await sink.finish();
}

async function read(url, options, rows) {
  const source = await zarrSource(url, options);
  const { width, height, depth, type } = source;
  const all = new ARRAYS[type](width * height * depth);
  try {
    for (let z = 0; z < depth; z++) {
      for (let y = 0; y < height; y += rows) {
        const end = Math.min(height, y + rows);
        await source.read(z, z + 1, y, end, all.subarray((z * height + y) * width, (z * height + end) * width), {});
      }
    }
    return { all, again: source.traffic.chunks - source.chunkCount };
  } finally {
    source.close();
  }
}

function check(what, got, expected) {
  const at = got.findIndex((value, i) => !Object.is(value, expected[i]));
  if (at >= 0 || got.length !== expected.length)
    throw new Error(`${what}: value ${at} is ${got[at]}, not ${expected[at]}`);
}

/** One image of all slices, as commands read it. */
async function projected(url, page) {
  const picture = await openZarr(url, { page });
  try {
    return (await rasterOf(picture)).data;
  } finally {
    await picture.close();
  }
}

/** The largest value along each line of sight, or the mean, of those that are numbers. */
function projectionOf(data, pixels, page) {
  return Array.from({ length: pixels }, (_, i) => {
    const along = [];
    for (let at = i; at < data.length; at += pixels) if (!Number.isNaN(data[at])) along.push(data[at]);
    if (along.length === 0) return Number.NaN;
    if (page === "largest") return along.reduce((most, value) => (value > most ? value : most));
    return Math.fround(along.reduce((sum, value) => sum + value, 0) / along.length);
  });
}

async function run(image) {
  const folder = mkdtempSync(join(tmpdir(), "skerry-fuzz-"));
  const url = join(folder, "image.zarr");
  try {
    const { width, height, depth, rows, box, wrong } = image;
    const data = valuesOf(image);
    await write(url, image, data);
    const whole = await read(url, {}, rows);
    check("the whole", whole.all, data);
    if (whole.again !== 0) throw new Error(`${whole.again} chunks were read more often than once`);
    const [x, y, z] = [Math.floor(box[0] * width), Math.floor(box[1] * height), Math.floor(box[2] * depth)];
    const [w, h, d] = [width - x, height - y, depth - z].map((most, i) => 1 + Math.floor(box[3 + i] * most));
    const part = await read(url, { box: { x, y, z, width: w, height: h, depth: d } }, rows);
    const expected = [];
    for (let k = z; k < z + d; k++) {
      for (let j = y; j < y + h; j++) for (let i = x; i < x + w; i++) expected.push(data[(k * height + j) * width + i]);
    }
    check("a box", part.all, expected);
    // A slice is the image of that depth, whole and in a box.
    const slice = await read(url, { page: z }, rows);
    check("a slice", slice.all, data.subarray(z * width * height, (z + 1) * width * height));
    const cut = await read(url, { page: z, box: { x, y, width: w, height: h } }, rows);
    check("a box of a slice", cut.all, expected.slice(0, w * h));
    for (const page of ["largest", "mean"]) {
      if (depth > 1) check(`the ${page}`, await projected(url, page), projectionOf(data, width * height, page));
    }
    if (!wrong) return;
    const keys = readdirSync(url, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    const key = keys[wrong.key % keys.length];
    const bytes = readFileSync(key);
    if (wrong.how === "gone") rmSync(key);
    else if (wrong.how === "cut") truncateSync(key, wrong.at % (bytes.length + 1));
    else if (bytes.length > 0) {
      bytes[wrong.at % bytes.length] = wrong.value;
      writeFileSync(key, bytes);
    }
    await read(url, {}, rows).catch((error) => {
      const told = error instanceof ZarrError || error.name === "UsageError" || error.name === "FileError";
      if (!told || !/^[A-Z].*\.$/s.test(error.message)) throw new Error(`${wrong.how} of ${key}: ${error.stack}`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Draws images until the time is over. */
export function fuzzStores(parameters) {
  return fc.check(fc.asyncProperty(images, run), parameters);
}
