// The law of streams and frames: the objects of lines without an end, cut anywhere into arrays and batches, are those of
// labelling the whole; and a frame is a single call. On every engine, between its other calls.

import fc from "fast-check";
import { open } from "../checked/index.js";
import { kindsOf } from "./kinds.mjs";

const PROPERTIES = ["area", "bounds", "centroid", "perimeter", "eulerNumber", "mean"];

/** Rules of objects, each as the options of a stream and of components(). */
const rules = fc.constantFrom(
  { threshold: { above: 150 } },
  { threshold: { outside: [60, 150] } },
  { threshold: { below: 60 }, fillHoles: true },
  { threshold: { above: 99 }, fillHoles: true, maxHoleArea: 3 },
  { threshold: { hysteresis: [99, 220] } },
  { threshold: { local: { radius: 2, offset: 10 } } },
  { threshold: { local: { radius: 3, method: "sauvola" } }, polarity: "dark" },
  { by: { tolerance: 20 }, background: null },
  { by: "value" },
);

const cases = fc.record({
  width: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(31, 32, 33, 63, 64, 65, 130)),
  height: fc.integer({ min: 8, max: 70 }),
  rule: rules,
  connectivity: fc.constantFrom(4, 8),
  levels: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 2, maxLength: 4 }),
  share: fc.constantFrom(0.02, 0.3, 0.5, 0.8),
  strokes: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 60 }), fc.integer({ min: -2, max: 2 })), {
    maxLength: 4,
  }),
  seed: fc.nat(),
  batch: fc.integer({ min: 1, max: 30 }),
  pieces: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 5 }),
  firstRow: fc.constantFrom(0, 7, 2 ** 32 - 9),
  together: fc.boolean(),
});

/** Noise of some levels, and slanted strokes, which several batches hold. */
function draw({ width, height, levels, share, strokes, seed }) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i++) {
    data[i] = next() / 2 ** 32 < share ? levels[next() % levels.length] : levels[0];
  }
  for (const [x, y, length, slope] of strokes) {
    for (let k = 0; k < length; k++) {
      const row = (y % height) + k;
      const column = (x % width) + Math.floor((slope * k) / 2);
      if (row < height && column >= 0 && column < width) data[row * width + column] = levels[1];
    }
  }
  return data;
}

function* cut(data, pieces) {
  for (let at = 0, i = 0; at < data.length; i++) {
    const length = pieces[i % pieces.length] || (i % 2 === 1 ? 1 : 0);
    yield data.slice(at, at + length);
    at += length;
  }
}

let engines = [];

async function streamed(engine, given, data) {
  const { width, rule, connectivity, batch, pieces, firstRow } = given;
  const objects = [];
  const lines = { width, type: "u8", data: cut(data, pieces) };
  const options = { ...rule, connectivity, properties: PROPERTIES, contour: true, batch, firstRow };
  for await (const object of engine.stream(lines, options)) {
    const { id, contour, ...others } = object;
    if (id !== objects.length + 1) throw new Error(`object ${objects.length + 1} has id ${id}`);
    objects.push(JSON.stringify({ ...others, contour: contour.map((ring) => Array.from(ring)) }));
  }
  return objects;
}

async function whole(engine, { width, height, rule, connectivity, firstRow }, data) {
  const raster = { data, width, height };
  const found = await engine.components(raster, { ...rule, connectivity });
  try {
    const regions = await found.regions({ properties: [...PROPERTIES, "rawMoments"], intensity: raster });
    const { points, rings, label } = await found.outlines();
    const contours = Array.from({ length: found.count }, () => []);
    label.forEach((one, i) => {
      contours[one - 1].push(Array.from(points.subarray(rings[i], rings[i + 1]), (n, k) => n + (k % 2 ? firstRow : 0)));
    });
    const objects = Array.from({ length: found.count }, (_, i) => {
      const object = {};
      for (const name of PROPERTIES) {
        const each = regions[name].length / found.count;
        const values = Array.from(regions[name].subarray(i * each, (i + 1) * each), Number);
        if (name === "bounds") for (const k of [1, 3]) values[k] += firstRow;
        if (name === "centroid") {
          values[1] = Number(regions.rawMoments[5 * i + 1] + BigInt(regions.area[i] * firstRow)) / regions.area[i];
        }
        object[name] = each === 1 ? values[0] : values;
      }
      if (regions.polarity) object.polarity = ["bright", "dark"][regions.polarity[i] - 1];
      if (regions.value) object.value = regions.value[i];
      object.contour = contours[i];
      return object;
    });
    const order = objects.map((_, i) => i).sort((a, b) => objects[a].bounds[3] - objects[b].bounds[3] || a - b);
    return order.map((i) => JSON.stringify(objects[i]));
  } finally {
    found.dispose();
  }
}

/** A frame of the same pixels, as a single call. */
async function framed(engine, { width, height, rule, connectivity }, data) {
  const frames = await engine.frames({ width, height, type: "u8", ...rule, connectivity });
  try {
    const first = await frames.measure(data);
    const { count, area, bounds, centroid } = await frames.measure(data);
    if (first.count !== count) throw new Error(`${first.count} objects, then ${count}`);
    return JSON.stringify([count, [...area], [...bounds], [...centroid]]);
  } finally {
    frames.dispose();
  }
}

async function called(engine, { width, height, rule, connectivity }, data) {
  const found = await engine.components({ data, width, height }, { ...rule, connectivity });
  const { count, area, bounds, centroid } = await found.regions();
  found.dispose();
  return JSON.stringify([count, [...area], [...bounds], [...centroid]]);
}

async function run(given) {
  const data = draw(given);
  for (const { name, engine } of engines) {
    const work = [streamed, whole, framed, called].map((one) => () => one(engine, given, data));
    const results = [];
    if (given.together) results.push(...(await Promise.all(work.map((one) => one()))));
    else for (const one of work) results.push(await one());
    const [objects, expected, frame, call] = results;
    const at = expected.findIndex((text, i) => text !== objects[i]);
    if (at >= 0 || objects.length !== expected.length) {
      throw new Error(
        `${name}: ${objects.length} objects of ${expected.length}; ${objects[at]} instead of ${expected[at]}`,
      );
    }
    if (frame !== call) throw new Error(`${name}: the frame ${frame} instead of ${call}`);
    await new Promise((resolve) => setImmediate(resolve));
    const { used } = engine.describe().memory;
    if (used !== 0) throw new Error(`${name}: ${used} bytes are still in use`);
  }
}

/** Draws streams until the time is over. */
export async function fuzzStreams(parameters, devices) {
  engines = await Promise.all(
    kindsOf(devices).map(async ({ name, ...options }) => ({ name, engine: await open(options) })),
  );
  try {
    return await fc.check(fc.asyncProperty(cases, run), parameters);
  } finally {
    for (const { engine } of engines) await engine.close();
  }
}
