// Runs drawn calls on an engine, compares the results that must be equal on all engines, and checks them against slower
// equivalents.

import { typeOfArray } from "@skerry/files/internal";
import { fromRle, paint, recolour, toRle } from "skerry";
import { polygons } from "./answers.mjs";
import { startOf } from "./draw.mjs";
import { rasterOf } from "./pixels.mjs";

/** Maximum number of an outline's coordinates for which its sides are compared pair by pair. */
const MOST_NUMBERS = 1500;

const NEIGHBOURS = { image: [4, 8, 8], volume: [6, 18, 26] };
const connectivityOf = ({ depth = 1 }, neighbours) => NEIGHBOURS[depth > 1 ? "volume" : "image"][neighbours];
const inside = ({ width, height, depth = 1 }, [x, y, z]) => [x % width, y % height, ...(depth > 1 ? [z % depth] : [])];

/** Checks that two coats in one call equal two calls in turn, on the calling thread and in the workers. */
async function checkCoats(engine, raster, components) {
  const coats = [
    { components, colour: 7 },
    { components, colour: 3, opacity: 0.25 },
  ];
  const both = await paint(raster, coats, { opacity: 0.5 });
  const once = await paint(raster, components, 7, { opacity: 0.5 });
  const twice = await paint(once, components, 3, { opacity: 0.25 });
  const differs = both.data.findIndex((value, i) => !Object.is(value, twice.data[i]));
  if (differs >= 0) throw new Error(`coats differ from paints one after another at value ${differs}`);
  const worked = await engine.paint(raster, coats, { opacity: 0.5 });
  const other = both.data.findIndex((value, i) => !Object.is(value, worked.data[i]));
  if (other >= 0) throw new Error(`the workers' paint differs from the calling thread's at value ${other}`);
}

/** Checks that a wand's area at a tolerance is that of the fill, if wands support such a fill. */
async function checkAreas(
  engine,
  { tolerance, metric, range, contiguous, seeds, average, neighbours },
  input,
  raster,
  found,
) {
  const { data, depth = 1, nodata } = raster;
  const plain = metric === "linf" && range === "fixed" && average === 1;
  if (!plain || typeof tolerance !== "number" || !(data instanceof Uint8Array) || depth > 1 || nodata !== undefined)
    return;
  const wand = await engine.wand(input, {
    seeds: seeds.map((seed) => inside(raster, seed)),
    contiguous,
    connectivity: connectivityOf(raster, neighbours),
  });
  let area;
  try {
    area = (await wand.areas())[Math.min(255, Math.floor(tolerance))];
  } finally {
    wand.dispose();
  }
  if (area !== found.foreground) throw new Error(`a wand's area is ${area}, the fill has ${found.foreground} pixels`);
}

/** A Source over a raster. */
function sourceOf({ data, width, height, depth = 1, channels, nodata }) {
  const values = width * channels;
  return {
    width,
    height,
    depth,
    channels,
    type: typeOfArray(data),
    nodata,
    read: async (z0, z1, y0, y1, into) => {
      if (z1 - z0 > 1) into.set(data.subarray(z0 * height * values, z1 * height * values));
      else into.set(data.subarray((z0 * height + y0) * values, (z0 * height + y1) * values));
    },
  };
}

/** A Sink, and the array that it fills. */
function sinkOf(type, size) {
  const { width, height, depth = 1 } = size;
  const data = new type(width * height * depth);
  const write = (z0, z1, y0, _y1, part) => data.set(part, (z1 - z0 > 1 ? z0 * height : z0 * height + y0) * width);
  return { data, sink: { write } };
}

/** A fence of pseudo-random bits. */
function fenceOf({ width, height, depth = 1 }) {
  const words = Math.ceil(width / 32);
  const bits = Uint32Array.from({ length: words * height * depth }, (_, i) => Math.imul(i + 1, 2654435761) >>> (i % 7));
  return { width, height, depth, bits };
}

/** Labels written into the middle of an array from `engine.allocate()`. The rest of the array must not change. */
async function allocatedLabels(engine, found) {
  const pixels = found.width * found.height * found.depth;
  const array = engine.allocate("u32", pixels + 8).fill(0xfeedface);
  try {
    await found.labels({ into: array.subarray(3, 3 + pixels) });
    const around = [...array.subarray(0, 3), ...array.subarray(3 + pixels)];
    if (around.some((value) => value !== 0xfeedface)) throw new Error("labels were written around their array");
    return array.slice(3, 3 + pixels);
  } finally {
    engine.free(array);
    await checkFreed(engine, found, array);
  }
}

/** Checks that a freed array is refused, even if its memory was lent again. */
async function checkFreed(engine, found, freed) {
  if (!(freed.buffer instanceof SharedArrayBuffer)) return;
  const anew = engine.allocate("u32", freed.length).fill(0xfeedface);
  try {
    const into = freed.subarray(0, found.width * found.height * found.depth);
    const outcome = await found.labels({ into }).then(
      () => "labels",
      ({ name }) => name,
    );
    if (outcome !== "InvalidArgument") throw new Error(`a freed array got ${outcome}`);
    if (anew.some((value) => value !== 0xfeedface)) throw new Error("a freed array was written to");
  } finally {
    engine.free(anew);
  }
}

/** Checks that the signed areas of an object's rings add up to its area, and that no ring has an area of 0. */
async function checkRings(found, { points, rings, label }) {
  const { area } = await found.regions({ properties: ["area"] });
  const sums = new Float64Array(found.count);
  label.forEach((of, ring) => {
    const own = points.subarray(rings[ring], rings[ring + 1]);
    let twice = 0;
    for (let i = 0; i < own.length; i += 2) {
      const next = (i + 2) % own.length;
      twice += own[i] * own[next + 1] - own[next] * own[i + 1];
    }
    if (twice === 0) throw new Error(`a ring of object ${of} has no area`);
    sums[of - 1] += twice / 2;
  });
  const wrong = sums.findIndex((sum, i) => sum !== area[i]);
  if (wrong >= 0) throw new Error(`object ${wrong + 1} has an area of ${area[wrong]}, and rings of ${sums[wrong]}`);
}

/** Checks that COCO's run lengths of an image's mask count its columns, and that the mask is read back from both forms. */
function checkRunLengths(mask) {
  const { bits, width, height, depth = 1 } = mask;
  if (depth > 1) return mask;
  const words = Math.ceil(width / 32);
  const counts = [0];
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [Math.floor(i / height), i % height];
    const isSet = (bits[y * words + (x >> 5)] >>> (x & 31)) & 1;
    if (isSet !== (counts.length + 1) % 2) counts.push(0);
    counts[counts.length - 1]++;
  }
  const plain = toRle(mask, { compressed: false });
  if (String(plain.counts) !== String(counts)) throw new Error("run lengths do not count the columns of their mask");
  for (const rle of [plain, toRle(mask)]) {
    const own = fromRle(rle).bits;
    if (own.some((word, i) => word !== bits[i])) throw new Error("a mask differs from that of its run lengths");
  }
  return mask;
}

const COMPONENTS = {
  labels: async (found, { sink: wanted, via }, _, engine) => {
    if (via === "allocated" && !wanted) return [await allocatedLabels(engine, found)];
    if (!wanted) return [(await found.labels()).data];
    const { data, sink } = sinkOf(Uint32Array, found);
    await found.labels({ into: sink });
    return [data];
  },
  regions: async (found, _, raster) => {
    // Sums of f32 depend on their order.
    const whole = raster.data instanceof Float32Array ? {} : { intensity: raster };
    const properties = whole.intensity ? "all" : ["area", "bounds", "centroid"];
    const regions = await found.regions({ properties, ...whole });
    return Object.values(regions).filter(ArrayBuffer.isView);
  },
  runs: async (found) => {
    const { row, begin, end, label } = await found.runs({ groupBy: "label" });
    return [row, begin, end, label];
  },
  surface: async (found) => [(await found.surface()).bits, checkRunLengths(await found.mask()).bits],
  filter: async (found) => {
    const left = await found.filter({ minArea: 2, largest: 3 });
    const { data } = await left.labels();
    left.dispose();
    return [data];
  },
  distance: async (found, _, __, engine) => [(await engine.distance(found, { squared: true, max: 20 })).data],
  window: async (found, _, __, ___, { window: drawn }) => {
    const window = { ...drawn, axis: found.depth > 1 ? drawn.axis : "z" };
    return [(await found.labels({ window })).data, (await found.mask({ window })).bits];
  },
  histogram: async (found, _, raster, engine, { neighbours }) => {
    const { counts, edges, otsu } = await engine.histogram(raster, neighbours ? { bins: neighbours * 77 } : {});
    return [counts, edges, [otsu], (await found.mask()).bits];
  },
  // The effect of each suggestion is that of its call, and the same on every engine.
  suggest: async (found, _, raster, engine) => {
    if (found.depth > 1) return [(await found.mask()).bits];
    const asked = { threshold: "otsu", polarity: "auto" };
    const { count, specks, ground, offers } = await engine.suggest(raster, asked);
    for (const { changes, count: told } of offers) {
      const set = Object.entries({ ...asked, ...changes }).filter(([, value]) => value !== undefined);
      const again = await engine.components(raster, Object.fromEntries(set));
      const own = again.count;
      again.dispose();
      if (own !== told) throw new Error(`a suggestion tells ${told} objects, its call finds ${own}`);
    }
    return [Float64Array.of(count, specks, ground, ...offers.flatMap((offer) => [offer.count, offer.agreement]))];
  },
  channel: async (_, __, raster, engine, { neighbours, window }) => {
    const isWhole = raster.data instanceof Uint8Array || raster.data instanceof Uint16Array;
    const contrasts = isWhole && raster.nodata === undefined && window.width % 3 === 0;
    const plain = raster.channels > 1 ? neighbours : "luma";
    const plane = await engine.channel(raster, contrasts ? "contrast" : plain);
    try {
      const bright = await engine.components(plane, { threshold: { above: 100 } });
      const mask = bright.mask();
      bright.dispose();
      return [(await mask).bits];
    } finally {
      plane.dispose();
    }
  },
  labelled: async (found, { sink, via }, raster, engine) => {
    const own = raster.channels === 1 && sink;
    const { data, width, height, depth } = own ? raster : await found.labels();
    const input = { data, width, height, depth };
    const image = via === "image" ? await engine.load(input) : undefined;
    const objects = await engine.labelled(image ?? input);
    image?.dispose();
    try {
      const { area, bounds, value } = await objects.regions({ properties: ["area", "bounds"] });
      const half = await objects.keep({
        labels: Array.from(area.keys())
          .filter((i) => i % 2)
          .map((i) => i + 1),
      });
      const kept = (await half.labels()).data;
      half.dispose();
      const numbers = (await objects.labels()).data;
      const wrong = numbers.findIndex((label, i) => {
        const isEmpty = data[i] === 0 || Number.isNaN(data[i]);
        return isEmpty ? label !== 0 : value[label - 1] !== data[i];
      });
      if (wrong >= 0)
        throw new Error(`${data[wrong]} at ${wrong} is object ${numbers[wrong]} of ${value[numbers[wrong] - 1]}`);
      return [numbers, kept, area, bounds, value];
    } finally {
      objects.dispose();
    }
  },
  light: async (_found, _, raster, engine, { neighbours, window }) => {
    const { width, height } = window;
    const local = neighbours ? { radius: 1 + (height % 9), method: "sauvola" } : { radius: height, offset: 3 };
    const wholes =
      raster.data instanceof Float32Array || raster.data.BYTES_PER_ELEMENT > 2 || raster.nodata !== undefined;
    const light = {
      ...(width % 2 ? { smooth: width / 20 } : {}),
      ...(height % 5 ? {} : { gradient: width % 3 ? "sobel" : height / 15 }),
      ...(height % 3 ? {} : { flatten: 1 + (width % 12) }),
    };
    // Local thresholds are of integers.
    const threshold = wholes || light.gradient !== undefined ? { above: 9 } : { local };
    const bright = await engine.components(raster, { ...light, threshold });
    try {
      return [(await bright.mask()).bits];
    } finally {
      bright.dispose();
    }
  },
  // Each slice of a stack is what the same image is alone.
  each: async (_found, { via }, raster, engine, { rule, filter, neighbours }) => {
    const { data, width, height, depth = 1, channels, nodata } = raster;
    const options = { ...rule, ...filter, connectivity: neighbours ? 8 : 4 };
    if (rule.by) delete options.fillHoles;
    const image = via === "image" ? await engine.load(raster) : undefined;
    const slices = await engine.components(image ?? raster, { ...options, each: true });
    image?.dispose();
    const arrays = [];
    for (const [z, found] of slices.entries()) {
      const values = width * height * channels;
      const own = { data: data.slice(z * values, (z + 1) * values), width, height, channels, nodata };
      const alone = await engine.components(own, options);
      for (const one of [found, alone]) {
        const { area, bounds, centroid } = await one.regions();
        arrays.push([(await one.labels()).data, area, bounds, centroid, [one.foreground, one.runCount]]);
        one.dispose();
      }
      const [wrong] = arrays.at(-1).filter((array, i) => String(array) !== String(arrays.at(-2)[i]));
      if (wrong) throw new Error(`slice ${z} of ${depth} differs from the image alone`);
    }
    return arrays.flat();
  },
  morphology: async (found, _, __, ___, { neighbours, window }) => {
    const operation = ["dilate", "erode", "open", "close"][window.width % 4];
    const radius = window.height / (found.depth > 1 ? 8 : 2);
    const metric = ["euclidean", "cityblock", "chessboard"][neighbours];
    const border = window.step > 1 ? "extend" : "background";
    const calls = [
      found[operation](radius, { metric, border }),
      found.expand(1 + radius / 2),
      found.filter({ fillHoles: "slices", maxHoleArea: 30 }),
    ];
    const arrays = await Promise.allSettled(
      calls.map(async (call) => {
        const made = await call;
        const kept = made.filter({ minArea: 9 });
        const labels = made.labels();
        made.dispose();
        const left = await kept;
        const ofLeft = left.labels();
        left.dispose();
        return [(await labels).data, (await ofLeft).data];
      }),
    );
    const failed = arrays.find(({ reason }) => reason !== undefined);
    if (failed) throw failed.reason;
    return arrays.flatMap(({ value }) => value);
  },
  split: async (found, _, raster, __, { neighbours, window }) => {
    const { width, height, depth } = found;
    const data = new Uint32Array(width * height * depth);
    // So dense that one marker lies in several objects of small images, too.
    for (let i = window.height % 7; i < data.length; i += 4 + (window.width % 13)) data[i] = (i % 3) + 1;
    const markers = { width, height, depth, data };
    const wholes = raster.nodata === undefined;
    // A GPU splits only with a whole h.
    const h = window.width % 2 ? window.width / 30 : Math.ceil(window.width / 9);
    const options = [{ h }, { by: wholes ? raster : "distance", h: neighbours * 9 }, { markers }];
    const minArea = neighbours && 4;
    const before = (await found.labels()).data;
    const calls = [found.split({ ...options[window.step % 3], minArea }), found.absorb({ minArea: 3 })];
    const arrays = await Promise.allSettled(
      calls.map(async (call) => {
        const made = await call;
        const labels = made.labels();
        made.dispose();
        const { data: parts } = await labels;
        const wrong =
          call === calls[0] ? parts.findIndex((part, i) => (part ? made.parent[part - 1] : 0) !== before[i]) : -1;
        if (wrong >= 0) throw new Error(`part ${parts[wrong]} at ${wrong} is not of object ${before[wrong]}`);
        return [parts, made.parent];
      }),
    );
    const failed = arrays.find(({ reason }) => reason !== undefined);
    if (failed) throw failed.reason;
    return arrays.flatMap(({ value }) => value);
  },
  edits: async (found, _, __, ___, { neighbours, window }) => {
    const { width, height, depth } = found;
    const z = window.step % depth;
    // Places that follow from the window, so that every device and every partition gets the same.
    const spot = (i) => {
      const [x, y] = [(window.width * (i + 1)) % width, (window.height * (i + 3)) % height];
      return depth > 1 ? [x, y, z] : [x, y];
    };
    const radius = window.height / 8;
    const made = [
      { draw: [spot(0), spot(1)], radius },
      { cut: [spot(2), spot(3), spot(4)] },
      { erase: [spot(5), spot(6)], radius: radius / 2 },
      { join: [spot(7), spot(8)] },
      { drop: spot(9) },
      { fill: spot(10) },
    ];
    const cut = await found.edit([made[1]]);
    const call = found.edit(made.slice(neighbours));
    cut.dispose();
    const edited = await call;
    const { data } = await edited.labels();
    const same = await edited.edit([]);
    edited.dispose();
    // The same list, which goes on from the edits before.
    (await found.edit(made.slice(neighbours, neighbours + 2))).dispose();
    const inParts = await found.edit(made.slice(neighbours));
    const parts = await inParts.labels();
    inParts.dispose();
    if (parts.data.some((label, i) => label !== data[i])) throw new Error("edits in two parts, and other labels");
    const again = await same.labels();
    same.dispose();
    if (cut.foreground !== found.foreground) throw new Error("a cut that changes the foreground");
    if (again.data.some((label, i) => label !== data[i])) throw new Error("no edits, and other labels");
    return [data, edited.parent, Uint32Array.from(edited.idleEdits ?? [])];
  },
  outlines: async (found, _, __, ___, { neighbours, window }) => {
    const some = neighbours ? {} : { labels: [found.count] };
    const tolerance = window.step > 1 ? window.height / 9 : 0;
    const kind = window.width % 2 ? "simple" : "exact";
    const outlines = await found.outlines({ ...some, tolerance, rings: kind });
    const { points, rings, label, hole, outer } = outlines;
    if (tolerance === 0 && neighbours) await checkRings(found, { points, rings, label });
    if (kind === "simple" && points.length <= MOST_NUMBERS) {
      const fault = polygons.faultOf(outlines);
      if (fault) throw new Error(fault);
    }
    return [points, rings, label, hole, outer];
  },
  selections: async (found, _, __, engine, { window }) => {
    const mask = await found.mask();
    const grown = await engine.dilate(mask, window.step / 4, { metric: window.step > 1 ? "cityblock" : "euclidean" });
    const shell = await engine.difference(grown, [found]);
    const back = await engine.intersection([await engine.union([shell, found]), mask]);
    if (back.bits.some((word, i) => word !== mask.bits[i])) throw new Error("a set is not what it was");
    return [grown.bits, shell.bits, (await engine.erode(grown, window.step / 4)).bits];
  },
  shapes: async (found, _, raster, __, { window }) => {
    const flat = found.depth === 1;
    const regions = await found.regions({
      properties: [
        "area",
        "solidity",
        "feretDiameter",
        "median",
        "quantiles",
        "histogram",
        ...(flat
          ? ["convexArea", "convexHull", "holes", "minimumRectangle", "crofton"]
          : ["convexVolume", "principalAxes"]),
      ],
      intensity: raster,
      perChannel: window.step > 1,
      quantiles: [0, 0.3, 1],
      bins: window.height,
    });
    const { area, solidity, convexHull, histogram } = regions;
    const wrong = solidity.findIndex((part) => !(part > 0 && part <= 1));
    if (wrong >= 0)
      throw new Error(`object ${wrong + 1} of ${area[wrong]} pixels has a solidity of ${solidity[wrong]}`);
    if (flat && found.count > 0) {
      const { label, hole } = await found.outlines();
      const counted = new Uint32Array(found.count);
      label.forEach((of, ring) => {
        counted[of - 1] += hole[ring];
      });
      if (counted.some((n, i) => n !== regions.holes[i])) throw new Error("holes are not those of the outlines");
    }
    const records = [convexHull, histogram].filter(Boolean).flatMap((record) => Object.values(record));
    return [...Object.values(regions).filter(ArrayBuffer.isView), ...records];
  },
  contacts: async (found) => {
    const { first, second, faces } = await found.contacts();
    return [first, second, faces];
  },
  keep: async (found) => {
    const left = await found.keep({ perValue: 1 });
    const { data } = await left.labels();
    left.dispose();
    return [data];
  },
};

const RUN = {
  async components(engine, step, input, raster, extra) {
    const options = { ...step.rule, connectivity: connectivityOf(raster, step.neighbours), ...step.filter };
    if (step.within) options.within = fenceOf(raster);
    if (step.rule.by) delete options.fillHoles;
    const found = await engine.components(input, { ...options, ...extra });
    try {
      const made = COMPONENTS[step.product](found, step.around, raster, engine, step);
      if (step.around.disposeEarly) found.dispose();
      const arrays = await made;
      // A raster of infinities or NaN alone is a label image, too.
      if (!step.raster.special.endsWith("alone") || raster.channels !== 1) return arrays;
      return [...arrays, ...(await COMPONENTS.labelled(undefined, { ...step.around, sink: true }, raster, engine))];
    } finally {
      found.dispose();
    }
  },
  async fill(engine, step, input, raster, extra) {
    const { tolerance, metric, contiguous } = step;
    const range = contiguous ? step.range : "fixed";
    const sided = typeof tolerance === "object" && (metric !== "linf" || range === "floating");
    const found = await engine.fill(input, {
      seeds: step.seeds.map((seed) => inside(raster, seed)),
      tolerance: sided ? tolerance.upper : tolerance,
      metric,
      range,
      contiguous,
      connectivity: connectivityOf(raster, step.neighbours),
      ...(range === "fixed" ? { average: step.average } : {}),
      ...extra,
    });
    try {
      const made = Promise.all([found.mask(), found.labels()]);
      if (step.around.disposeEarly) found.dispose();
      const [{ bits }, { data }] = await made;
      if (!step.around.disposeEarly) {
        await checkCoats(engine, raster, found);
        await checkAreas(engine, { ...step, range }, input, raster, found);
      }
      return [bits, data];
    } finally {
      found.dispose();
    }
  },
  async distance(engine, step, input, _raster, extra) {
    const { threshold, to, metric, spacing, max, beyond, signed } = step;
    const nearest = step.nearest && !signed && metric !== "chessboard";
    const options = {
      threshold,
      to,
      metric,
      spacing,
      signed,
      nearest,
      ...(max ? { max, beyond: nearest || signed ? "infinity" : beyond } : {}),
    };
    const integral = new Set(spacing).size === 1 && spacing[0] === 1;
    if (integral && metric === "euclidean" && !signed && options.beyond !== "coarse" && options.beyond !== "clamp")
      options.squared = true;
    const map = await engine.distance(input, { ...options, ...extra });
    checkWindow(map, step.window);
    return [map.data, ...(map.nearest ? [map.nearest] : [])];
  },
  async kmeans(engine, step, input, raster, extra) {
    const { k, metric, colourSpace, seed, maxIterations, restarts } = step;
    const init = step.init === "colours" ? startOf(k, raster.channels, seed) : step.init;
    const ignoreTransparent = step.ignoreTransparent && raster.channels === 4;
    const { data, sink } = sinkOf(Uint8Array, raster);
    const into = step.around.sink ? sink : data;
    const found = await engine.kmeans(input, {
      k,
      metric,
      colourSpace,
      seed,
      maxIterations,
      init,
      ...(step.init === "colours" || step.init === "tiles" ? {} : { restarts }),
      ignoreTransparent,
      into,
      ...extra,
    });
    if (into === data) {
      const [near, far] = [
        await recolour(found, { alpha: seed % 2 > 0 }),
        await engine.recolour(found, { alpha: seed % 2 > 0 }),
      ];
      const differs = near.data.findIndex((value, i) => value !== far.data[i]);
      if (differs >= 0) throw new Error(`the workers' recolour differs from the calling thread's at value ${differs}`);
    }
    const { palette, counts, centres } = found;
    return [data, palette, counts, centres];
  },
};

/** Compares a window of a map with its values, pixel by pixel. */
function checkWindow(map, window) {
  const { data, width, height, unit, squared } = map;
  const found = map.window(window);
  for (let i = 0; i < found.length; i++) {
    const x = window.x + (i % window.width) * window.step;
    const y = window.y + Math.floor(i / window.width) * window.step;
    const own = x >= 0 && y >= 0 && x < width && y < height ? data[y * width + x] : Number.POSITIVE_INFINITY;
    const none = own === Number.POSITIVE_INFINITY || (squared && own === 0xffffffff);
    const wanted = none ? Number.POSITIVE_INFINITY : squared ? Math.fround(Math.sqrt(own) * unit) : own;
    if (found[i] !== wanted) throw new Error(`window ${i} is ${found[i]}, where the map has ${wanted}`);
  }
}

/** A raster in a buffer of its own, and a function that shrinks that after some turns. */
function shrinkingRaster(raster) {
  const bytes = raster.data.byteLength;
  const buffer = new ArrayBuffer(bytes, { maxByteLength: bytes });
  const data = new raster.data.constructor(buffer, 0, raster.data.length);
  data.set(raster.data);
  const shrink = async (turns) => {
    for (let turn = 0; turn < turns; turn++) await (turn < 8 ? undefined : new Promise(setImmediate));
    buffer.resize(bytes >> 2);
  };
  return { raster: { ...raster, data }, shrink };
}

/**
 * Runs a step. Resolves to its arrays, to its error, or to `aborted`, also where its array shrank and that was refused. A `steady` run
 * keeps its array, so that the others are compared with what is right.
 */
export async function outcomeOf(engine, step, steady = false) {
  if (step.noun === "calls") return nonsenseOf(engine, step);
  const raster = rasterOf(step.raster);
  const { via, abortAfter } = step.around;
  const shrinkAfter = !steady && (via === "array" || via === "image") ? step.around.shrinkAfter : undefined;
  const shrinking = shrinkAfter === undefined ? undefined : shrinkingRaster(raster);
  let image;
  let allocated;
  const controller = new AbortController();
  let timer;
  try {
    if (via === "image") {
      const loading = engine.load(shrinking?.raster ?? raster);
      shrinking?.shrink(shrinkAfter);
      image = await loading;
    }
    if (via === "allocated") allocated = allocatedRaster(engine, raster);
    const input = via === "source" ? sourceOf(raster) : (image ?? allocated?.raster ?? shrinking?.raster ?? raster);
    if (abortAfter !== undefined) timer = setTimeout(() => controller.abort(), abortAfter);
    const extra = abortAfter === undefined ? {} : { signal: controller.signal };
    const made = RUN[step.noun](engine, step, input, raster, extra);
    if (!image) shrinking?.shrink(shrinkAfter);
    if (image && step.around.disposeEarly) setImmediate(() => image.dispose());
    if (allocated && step.around.disposeEarly) setImmediate(() => allocated.free());
    return { arrays: await made };
  } catch (error) {
    if (error.name === "AbortError" && abortAfter !== undefined) return { aborted: true };
    if (error.name === "InvalidArgument" && shrinking) return { aborted: true };
    return { error: `${error.name}: ${error.message}`, name: error.name };
  } finally {
    clearTimeout(timer);
    image?.dispose();
    allocated?.free();
  }
}

/** A raster whose pixels lie in an array from `engine.allocate()`, and a function that frees it, once. */
function allocatedRaster(engine, raster) {
  const type = typeOfArray(raster.data);
  const data = engine.allocate(type, raster.data.length);
  data.set(raster.data);
  let taken = false;
  const free = () => {
    if (!taken) engine.free(data);
    taken = true;
  };
  return { raster: { ...raster, data }, free };
}

/** Arguments of no sense must be refused in one short sentence. */
async function nonsenseOf(engine, { method, input, options }) {
  const given = input?.data === "bytes" ? { ...input, data: new Uint8Array(12) } : input;
  try {
    const found = await engine[method](given, options);
    found?.dispose?.();
    return { arrays: [] };
  } catch (error) {
    return { error: `${error.name}: ${error.message}`, name: error.name };
  }
}

const REFUSALS = ["InvalidArgument", "Unsupported", "OutOfMemory"];

/** The fault of an outcome by itself, if any. */
export function complaint({ error, name }) {
  if (error === undefined) return undefined;
  if (!REFUSALS.includes(name)) return `an unexpected ${error}`;
  if (error.length > 400) return `a message of ${error.length} letters: ${error.slice(0, 100)}`;
  return undefined;
}

/** How two outcomes of one step differ, if they do. Devices may differ in the last bit of a square root. */
export function difference(a, b, step, exact) {
  if (a.aborted || b.aborted) return undefined;
  if (a.error || b.error) {
    // A device may refuse a call that only the other supports, or has the memory for.
    if (!exact && (a.name === "Unsupported" || b.name === "Unsupported")) return undefined;
    return a.error === b.error ? undefined : `${a.error ?? "a result"} beside ${b.error ?? "a result"}`;
  }
  for (const [i, one] of a.arrays.entries()) {
    const other = b.arrays[i];
    if (one.length !== other.length) return `array ${i}: ${one.length} values beside ${other.length}`;
    const loose = step.noun === "distance" && one instanceof Float32Array;
    for (let at = 0; at < one.length; at++) {
      const [u, v] = [one[at], other[at]];
      if (Object.is(u, v) || u === v) continue;
      if (loose && Math.abs(u - v) <= (exact ? 1e-12 : 2e-6) * Math.abs(v)) continue;
      return `array ${i} at ${at}: ${u} beside ${v}`;
    }
  }
  return undefined;
}
