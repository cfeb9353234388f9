// Draws calls of the Python package and computes their results with the library alone, for tests/test_library.py: neither recipes nor
// serve() take part. Places and boxes are turned into numpy's order here once more, on their own.
//
//     node python/tests/cases.mjs FOLDER [CALLS] [SEED]
//
// FOLDER gets cases.json, with a record per call, and data.bin, with the arrays of all.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { random as bitsOf } from "@skerry/scenes";
import { open } from "skerry";
import { newPixels } from "skerry/internal";

const [folder, calls = "300", seed = "1"] = process.argv.slice(2);
const TYPES = ["u8", "u16", "i16", "u32", "i32", "f32"];
const bits = bitsOf(Number(seed));
const random = () => bits() / 2 ** 32;
const below = (n) => Math.floor(random() * n);
const one = (list) => list[below(list.length)];
const maybe = (chance, record) => (random() < chance ? record : {});

const parts = [];
let bytes = 0;
/** numpy's name of an array's type: u1 for Uint8Array. */
const dtypeOf = ({ constructor: { name, BYTES_PER_ELEMENT } }) =>
  `${name.replace("Big", "")[0].toLowerCase()}${BYTES_PER_ELEMENT}`;

/** Keeps an array for data.bin. */
function kept(data, shape) {
  const pad = (8 - (bytes % 8)) % 8;
  parts.push(new Uint8Array(pad), new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const record = { type: dtypeOf(data), shape, offset: bytes + pad };
  bytes += pad + data.byteLength;
  return record;
}

/** Sides from the longest step, as numpy has them. */
const sides = ({ width, height, depth, isVolume }) => (isVolume ? [depth, height, width] : [height, width]);
const reversed = (values) => [...values].reverse();

/** A raster of blobs in noise: up to eight boxes of a value each. */
function drawn({ type = one(TYPES), levels, channels = 1, size } = {}) {
  const isVolume = size ? size.isVolume : random() < 0.3 && channels === 1;
  const [width, height, depth] = size
    ? [size.width, size.height, size.depth]
    : isVolume
      ? [1 + below(40), 1 + below(12), 1 + below(8)]
      : [1 + below(90), 1 + below(60), 1];
  const data = newPixels(type, width * height * depth * channels);
  const most = levels ?? (type === "u8" ? 256 : 1000);
  const noise = random() * 0.5;
  const boxes = Array.from({ length: 1 + below(8) }, () => ({
    from: [below(width), below(height), below(depth)],
    to: [width, height, depth].map((side) => 1 + below(side)),
    value: 1 + below(most - 1),
  }));
  for (let i = 0; i < data.length; i++) {
    const at = Math.floor(i / channels);
    const place = [at % width, Math.floor(at / width) % height, Math.floor(at / (width * height))];
    const box = boxes.find(({ from, to }) => place.every((n, axis) => n >= from[axis] && n < from[axis] + to[axis]));
    if (random() < noise) data[i] = below(most);
    else if (box) data[i] = box.value;
    if (type === "f32" && levels === undefined && random() < 0.3) data[i] += 0.25;
    if ((type === "i16" || type === "i32") && levels === undefined && random() < 0.1) data[i] = -data[i];
  }
  const raster = { data, width, height, depth, isVolume, channels };
  return raster;
}

/** What the library takes of a raster: an image has no depth. */
const given = ({ data, width, height, depth, isVolume, channels, spacing }) => ({
  data,
  width,
  height,
  ...(isVolume ? { depth } : {}),
  ...(channels > 1 ? { channels } : {}),
  ...(spacing ? { spacing } : {}),
});
const maskOf = async (engine, raster) =>
  engine.components(given(raster), { threshold: "nonzero" }).then(async (found) => {
    const mask = await found.mask();
    found.dispose();
    return mask;
  });

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const named = (options) => Object.fromEntries(Object.entries(options).map(([name, value]) => [snake(name), value]));
const near = ({ isVolume }) => one(isVolume ? [6, 18, 26] : [4, 8]);

/** Options of the objects of pixels. */
function objectOptions(raster) {
  const [low, high] = [below(200), 200 + below(300)];
  const threshold = one([
    { threshold: "nonzero" },
    { threshold: { above: low } },
    { threshold: { below: high } },
    { threshold: { between: [low, high] } },
    ...(raster.channels === 1
      ? [{ threshold: { outside: [low, high] } }, { threshold: { hysteresis: [low, high] } }]
      : []),
    { threshold: one(["otsu", "triangle", "li"]), polarity: one(["bright", "dark"]) },
  ]);
  const both = typeof threshold.threshold === "object" && "outside" in threshold.threshold;
  return {
    ...threshold,
    connectivity: near(raster),
    ...(both ? {} : maybe(0.2, { [one(["open", "close", "erode", "dilate"])]: one([1, 1.5, 2]) })),
    ...maybe(0.2, { fillHoles: true }),
    ...maybe(0.3, { minArea: 1 + below(6) }),
    ...maybe(0.1, { maxArea: 50 + below(300) }),
    ...maybe(0.15, { clearBorder: true }),
    ...maybe(0.15, { largest: 1 + below(4) }),
    ...(both ? {} : maybe(0.1, { expand: 1 + below(3) })),
  };
}

/** Columns of a table by the names that scikit-image gives them. */
function columns(regions, { count, depth }, isVolume) {
  const axes = depth > 1 ? 3 : 2;
  const flat = isVolume && depth === 1;
  const found = {};
  for (const [name, data] of Object.entries(regions)) {
    if (!ArrayBuffer.isView(data) || count === 0) continue;
    const each = data.length / count;
    const column = (at) =>
      kept(
        data.constructor.from({ length: count }, (_, i) => data[i * each + at]),
        [count],
      );
    if (each === 1) found[snake(name)] = kept(data.slice(), [count]);
    else if (name === "bounds") {
      for (let axis = 0; axis < axes; axis++) {
        found[`bbox-${axis + (flat ? 1 : 0)}`] = column(axes - 1 - axis);
        found[`bbox-${axis + (flat ? 4 : axes)}`] = column(2 * axes - 1 - axis);
      }
    } else if (name === "centroid" || name === "weightedCentroid") {
      for (let axis = 0; axis < axes; axis++)
        found[`${snake(name)}-${axis + (flat ? 1 : 0)}`] = column(axes - 1 - axis);
    }
  }
  return found;
}

/** Properties with a number for each object of an image. */
const SHAPES = ["perimeter", "crofton", "eccentricity", "orientation", "eulerNumber", "solidity", "holes", "majorAxis"];
const properties = (isVolume) => {
  const list = ["area", "bounds", "centroid", ...(isVolume ? [] : SHAPES.filter(() => random() < 0.3))];
  return list;
};

const labelsOf = async (found, raster) => ({ labels: kept((await found.labels()).data.slice(), sides(raster)) });

/** Labels whose numbers are those of the label image. */
async function valuesOf(found, raster) {
  const { data } = await found.labels();
  const { value } = await found.regions({ properties: ["area"] });
  return {
    values: kept(
      data.map((label) => (label ? value[label - 1] : 0)),
      sides(raster),
    ),
  };
}

async function outlinesOf(found, { isVolume }, options) {
  const { points, rings, label, hole, outer } = await found.outlines({
    tolerance: options.simplify,
    rings: options.rings ?? "simple",
  });
  if (isVolume) throw new Error("Expected an image.");
  const turned = points.slice();
  for (let i = 0; i < turned.length; i += 2) [turned[i], turned[i + 1]] = [points[i + 1], points[i]];
  return {
    points: kept(turned, [turned.length / 2, 2]),
    ends: kept(rings.map((at) => at / 2).slice(), [rings.length]),
    label: kept(label.slice(), [label.length]),
    hole: kept(hole.slice(), [hole.length]),
    outer: kept(outer.slice(), [outer.length]),
  };
}

/** Labels for label images: sparse numbers in boxes. */
const labelImage = (isImage) => {
  const image = drawn({ type: one(["u8", "u16", "u32", "i32"]), levels: 40 });
  return isImage && image.isVolume ? labelImage(true) : image;
};

/** The objects of a label image, after the steps. */
async function refined(engine, raster, { connectivity, expand, absorb, ...filter }) {
  let found = await engine.labelled(given(raster), connectivity ? { connectivity } : {});
  const steps = [
    ...(absorb ? [() => found.absorb({ pixels: absorb })] : []),
    ...(Object.keys(filter).length > 0 ? [() => found.filter(filter)] : []),
    ...(expand ? [() => found.expand(expand)] : []),
  ];
  for (const step of steps) {
    const next = await step();
    found.dispose();
    found = next;
  }
  return found;
}

/** Each function: a call of the package, and what it gives by the library. */
const FUNCTIONS = {
  async label(engine) {
    const raster = drawn({ channels: one([1, 1, 1, 3, 4]), ...(random() < 0.5 ? {} : { type: "u8" }) });
    if (raster.channels > 1) return this.colours(engine);
    const options = random() < 0.15 ? { by: "value", connectivity: near(raster) } : objectOptions(raster);
    const fence = random() < 0.2 ? drawn({ type: "u8", size: raster }) : undefined;
    const within = fence && (await maskOf(engine, fence));
    const found = await engine.components(given(raster), { ...options, ...(within ? { within } : {}) });
    const expected = await labelsOf(found, raster);
    const { count } = found;
    found.dispose();
    return { raster, options, images: fence ? { within: fence } : {}, expected, count };
  },
  async colours(engine) {
    const raster = drawn({ type: one(["u8", "u16", "f32"]), channels: one([3, 4]) });
    const options = { ...objectOptions(raster), ...maybe(0.3, { channel: one(["red", "green", 2]) }) };
    const found = await engine.components(given(raster), options);
    const expected = await labelsOf(found, raster);
    const { count } = found;
    found.dispose();
    return { raster, options, expected, count };
  },
  async split(engine) {
    const raster = drawn({ type: "u8" });
    const options = {
      connectivity: near(raster),
      ...maybe(0.4, { split: one([0.5, 1, 2]) }),
      ...maybe(0.3, { minArea: 3 }),
    };
    const found = await engine.components(given(raster), { threshold: "nonzero", split: 1, ...options });
    const expected = await labelsOf(found, raster);
    const { count } = found;
    found.dispose();
    return { raster, options, expected, count };
  },
  async regions(engine) {
    const raster = drawn();
    const options = objectOptions(raster);
    const wanted = properties(raster.isVolume);
    const values = random() < 0.4 ? drawn({ size: raster }) : undefined;
    const list = [...wanted, ...(values ? ["min", "max", "mean", "sum", "weightedCentroid"] : [])];
    const found = await engine.components(given(raster), options);
    const regions = await found.regions({ properties: list, ...(values ? { intensity: given(values) } : {}) });
    const expected = columns(regions, found, raster.isVolume);
    const { count } = found;
    found.dispose();
    return {
      raster,
      options: { ...options, properties: list.map(snake) },
      images: values ? { intensity: values } : {},
      expected,
      count,
    };
  },
  async regionprops_table(engine) {
    const raster = labelImage();
    const list = properties(raster.isVolume);
    const found = await engine.labelled(given(raster));
    const expected = columns(await found.regions({ properties: list }), found, raster.isVolume);
    const { count } = found;
    found.dispose();
    return { raster, options: { properties: list.map(snake) }, expected, count };
  },
  async refine_labels(engine) {
    const raster = labelImage();
    const options = {
      ...maybe(0.5, { minArea: 1 + below(10) }),
      ...maybe(0.3, { clearBorder: true }),
      ...maybe(0.3, { largest: 1 + below(4) }),
      ...maybe(0.3, { expand: 1 + below(3) }),
    };
    const found = await refined(engine, raster, options);
    const expected = await valuesOf(found, raster);
    found.dispose();
    return { raster, options, expected };
  },
  async expand_labels(engine) {
    const raster = labelImage();
    const distance = one([1, 1.5, 2, 4]);
    const found = await refined(engine, raster, { expand: distance });
    const expected = await valuesOf(found, raster);
    found.dispose();
    return { raster, options: { [one(["distance", "expand"])]: distance }, expected };
  },
  async outlines(engine) {
    let raster = drawn();
    while (raster.isVolume) raster = drawn();
    const options = objectOptions(raster);
    const also = { ...maybe(0.4, { simplify: one([0.5, 1, 2]) }), ...maybe(0.3, { rings: "exact" }) };
    const found = await engine.components(given(raster), options);
    const expected = await outlinesOf(found, raster, also);
    found.dispose();
    return { raster, options: { ...options, ...also }, expected };
  },
  async label_outlines(engine) {
    const raster = labelImage(true);
    const also = { ...maybe(0.4, { simplify: one([0.5, 1, 2]) }), ...maybe(0.3, { rings: "exact" }) };
    const found = await engine.labelled(given(raster));
    const { label: _, ...expected } = await outlinesOf(found, raster, also);
    found.dispose();
    return { raster, options: also, expected };
  },
  async fill(engine) {
    const raster = random() < 0.3 ? drawn({ type: "u8", channels: 3 }) : drawn();
    // A volume of one slice is an image to the library.
    const axes = raster.depth > 1 ? 3 : 2;
    const turned = (seed) => (raster.isVolume && axes === 2 ? [0, ...reversed(seed)] : reversed(seed));
    const place = () => [below(raster.width), below(raster.height), below(raster.depth)].slice(0, axes);
    const seeds = Array.from({ length: 1 + below(2) }, place);
    const options = {
      ...maybe(0.6, { tolerance: below(60) }),
      ...maybe(0.3, { range: "floating" }),
      connectivity: near(raster),
    };
    const found = await engine.fill(given(raster), { ...options, seeds });
    const { bits } = await found.mask();
    const expected = { words: kept(bits.slice(), [...sides(raster).slice(0, -1), Math.ceil(raster.width / 32)]) };
    found.dispose();
    return { raster, options: { ...options, seeds: seeds.map(turned) }, expected };
  },
  async distance_transform(engine) {
    const raster = drawn();
    const low = below(400);
    const axes = raster.isVolume ? 3 : 2;
    const spacing = random() < 0.5 ? Array.from({ length: axes }, () => one([0.5, 1, 2, 3])) : undefined;
    const options = {
      threshold: one(["nonzero", { above: low }, { below: low }, { between: [0, low] }]),
      ...maybe(0.3, { max: 1 + below(12), ...maybe(0.5, { beyond: "clamp" }) }),
      ...maybe(0.2, { metric: one(["cityblock", "chessboard"]) }),
      ...maybe(0.2, { to: "surface" }),
    };
    const nearest = random() < 0.3;
    const map = await engine.distance(given({ ...raster, spacing }), { ...options, nearest });
    const expected = {
      distances: kept(map.data.slice(), sides(raster)),
      ...(nearest ? { nearest: kept(map.nearest.slice(), sides(raster)) } : {}),
    };
    const turned = spacing ? { [one(["spacing", "sampling"])]: reversed(spacing) } : {};
    return { raster, options: { ...options, ...turned, ...(nearest ? { return_indices: true } : {}) }, expected };
  },
  async kmeans(engine) {
    const raster = random() < 0.6 ? drawn({ type: "u8", channels: one([3, 4]) }) : drawn({ type: "u8" });
    const options = {
      k: 1 + below(5),
      ...maybe(0.3, { seed: below(100) }),
      ...(raster.channels > 1 ? maybe(0.2, { colourSpace: "oklab" }) : {}),
      ...maybe(0.2, { maxIterations: 1 + below(5) }),
    };
    const { data, centres, k } = await engine.kmeans(given(raster), options);
    const expected = {
      classes: kept(data.slice(), sides(raster)),
      centres: kept(Float64Array.from(centres), [k, centres.length / k]),
    };
    return { raster, options, expected };
  },
  async combine_masks(engine) {
    const raster = drawn({ type: "u8", levels: 2 });
    const beside = Array.from({ length: 1 + below(2) }, () => drawn({ type: "u8", levels: 2, size: raster }));
    const how = one(["union", "intersection", "difference"]);
    const options = maybe(0.5, { [one(["erode", "dilate"])]: one([1, 2, 2.5]) });
    let mask = await maskOf(engine, raster);
    for (const each of beside) {
      const other = await maskOf(engine, each);
      mask = how === "difference" ? await engine.difference(mask, [other]) : await engine[how]([mask, other]);
    }
    if (options.erode) mask = await engine.erode(mask, options.erode);
    if (options.dilate) mask = await engine.dilate(mask, options.dilate);
    const expected = { words: kept(mask.bits.slice(), [...sides(raster).slice(0, -1), Math.ceil(raster.width / 32)]) };
    return { raster, options, lists: { [how]: beside }, expected };
  },
};
const { colours: _, ...drawnFunctions } = FUNCTIONS;

/** An image as the record of its array, with its channels last. */
const sent = (raster) => kept(raster.data, [...sides(raster), ...(raster.channels > 1 ? [raster.channels] : [])]);

const engine = await open({ device: "cpu", threads: 1 });
const cases = [];
for (const name of Object.keys(drawnFunctions)) {
  for (let round = 0; round < Number(calls); round++) {
    const drawnCase = await FUNCTIONS[name](engine);
    const { raster, options, images = {}, lists = {}, expected, count } = drawnCase;
    cases.push({
      name,
      options: named(options),
      ...(raster.channels > 1 ? { channels: true } : {}),
      image: sent(raster),
      images: Object.fromEntries(Object.entries(images).map(([field, each]) => [field, sent(each)])),
      lists: Object.fromEntries(Object.entries(lists).map(([field, list]) => [field, list.map(sent)])),
      expected,
      ...(count === undefined ? {} : { count }),
    });
  }
}
engine.close();
writeFileSync(join(folder, "cases.json"), JSON.stringify(cases));
writeFileSync(join(folder, "data.bin"), Buffer.concat(parts));
console.log(`${cases.length} calls`);
process.exit(0);
