// The watershed of heights within bits: of the distance to the background, or of a raster. See assembly/watershed.ts for
// its definition. Heights and basins take 4 bytes per pixel each.

import type { Call } from "../core/call.js";
import { plainPlan, planCosts } from "../core/distance-costs.js";
import { type ImageOwner, PIXEL_BYTES, type Shape, TYPE_CODE } from "../core/pixels.js";
import type { WatershedPlan } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import { OutOfMemory } from "../types/errors.js";
import type { Connectivity } from "../types/raster.js";
import { placePixels } from "./arriving-pixels.js";
import { bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { planeOf } from "./channel.js";
import type { Labelled } from "./components.js";
import { type Found, labelValues } from "./components-labelled.js";
import { copyCosts } from "./distance.js";
import { runKernel } from "./kernels.js";
import { expandLabels } from "./labels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, residentAt } from "./pixel-feed.js";
import { clearOutside, type Planes, rowsOf } from "./planes.js";

/** Maximum number of pixels: in a u32, the numbers of pixels and basins leave one bit free for a mark. */
const MOST_PIXELS = 2 ** 31;

/** Pixels that a lane takes at once. */
const BAND_PIXELS = 1 << 18;

/** Initial number of places in a band's table of saddles. */
const LEAST_PLACES = 1 << 12;

const { SADDLE_BYTES, SORT_BYTES } = LAYOUT.watershed;
/** Kinds of heights for `mergeBasins`. */
const { SQUARES, FLOAT_SQUARES, UNSIGNED, SIGNED, FLOATS } = LAYOUT.watershed;

/** Heights of all pixels, and how to read them. */
interface Heights {
  readonly at: number;
  readonly kind: number;
  readonly unit: number;
}

/** The parts of objects, with the label of the object that each comes from. */
export interface Parts extends Found {
  readonly parents: Uint32Array;
}

/** Inputs and memory of one watershed. */
interface Work {
  readonly pool: Pool;
  readonly scope: ScratchScope;
  readonly planes: Planes;
  readonly connectivity: Connectivity;
  readonly pixels: number;
  readonly call: Call;
}

/**
 * Splits the foreground of planes. `objects` are the components of the planes: their parts are numbered in the order of
 * their first pixels, and an object without a marker stays whole. Without objects, parts have the numbers of their markers.
 */
export async function splitPlanes(
  pool: Pool,
  given: Planes,
  connectivity: Connectivity,
  plan: WatershedPlan,
  objects: Labelled | undefined,
  owner: ImageOwner,
  call: Call,
): Promise<Parts> {
  const { width, height, depth, rows } = given;
  const pixels = width * rows;
  if (pixels >= MOST_PIXELS) {
    throw new OutOfMemory(`Expected fewer than 2^31 pixels for a watershed, got ${pixels}.`, { bytes: pixels * 8 });
  }
  await clearOutside(pool, given, rowsOf(given));
  return withScratch(pool, async (scope) => {
    const work: Work = { pool, scope, planes: given, connectivity, pixels, call };
    const heights = await placeHeights(work, plan);
    const shape: Shape = { width, height, depth, channels: 1, type: "u32" };
    const basins = await scope.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
    const markers = plan.markers ? await placePixels(pool, scope, plan.markers, call) : 0;
    const peaks = await timed(call, "basins", pixels * 24, () => findBasins(work, heights, markers, basins));
    const saddles = await timed(call, "saddles", pixels * 8, () => findAllSaddles(work, heights, basins, peaks.length));
    const { parents, marked } = await timed(call, "merge basins", saddles.count * 24, () =>
      merge(work, heights, peaks, saddles, markers, plan.h),
    );
    const origins = objects ? await labelsAtPeaks(work, heights, objects, peaks) : new Uint32Array(peaks.length);
    if (markers) spreadMarks(parents, marked, origins);
    // Without objects parts have the numbers of their markers.
    const labels = objects ? parents.map((parent) => parent + 1) : parents.map((parent) => marked[parent] ?? 0);
    const labelsAt = await scope.copyIn(labels);
    await eachBand(work, "label basins", (begin, end) =>
      runKernel(pool, "labelBasins", { basins, begin, end, labels: labelsAt, count: labels.length }),
    );
    const found = await labelValues(pool, residentAt(basins, shape, owner), connectivity, objects !== undefined, call);
    if (!objects) return { ...found, parents: new Uint32Array() };
    return { ...found, parents: Uint32Array.from(found.values, (value) => origins[value - 1]) };
  });
}

/** Runs `take` for bands of pixels. */
function eachBand(
  { pool, pixels, call }: Work,
  stage: string,
  take: (begin: number, end: number) => Promise<unknown>,
): Promise<void> {
  const bands = bandsOf({ y0: 0, y1: pixels }, 1, BAND_PIXELS);
  return inLanes(call, stage, bands, laneCount(pool), async ({ y0, y1 }) => {
    await take(y0, y1);
  });
}

/** Runs `take` for bands of rows. */
function eachRows(work: Work, take: (y0: number, y1: number, index: number) => Promise<unknown>): Promise<void> {
  return inLanes(work.call, "basins", rowBands(work), laneCount(work.pool), async ({ y0, y1 }, _, index) => {
    await take(y0, y1, index);
  });
}

/** Bands of rows, for kernels that read neighbours. */
function rowBands({ pool, planes: { width, rows } }: Work): { y0: number; y1: number }[] {
  const most = Math.max(1, Math.min(Math.ceil(BAND_PIXELS / width), Math.ceil(rows / pool.threads)));
  return bandsOf({ y0: 0, y1: rows }, 1, most);
}

/** Writes 4 bytes per pixel: squared distances to the background, or the values of a raster as u32 in the same order. */
async function placeHeights({ pool, scope, planes, pixels, call }: Work, plan: WatershedPlan): Promise<Heights> {
  const at = await scope.allocate(pixels * 4 + LAYOUT.labels.SLACK_BYTES);
  if (plan.raster === undefined) {
    const costs = planCosts({ max: Number.POSITIVE_INFINITY, metric: "euclidean", small: false }, planes, plan.spacing);
    await copyCosts(pool, planes, plainPlan(costs, { invert: true }), at, call);
    return { at, kind: costs.isInteger ? SQUARES : FLOAT_SQUARES, unit: costs.unit };
  }
  const { raster, dark } = plan;
  const { type, channels } = raster.shape;
  const src =
    channels > 1
      ? scope.keep(await planeOf(pool, raster, undefined, call))
      : await placePixels(pool, scope, raster, call);
  const size = PIXEL_BYTES[type];
  const bands = bandsOf({ y0: 0, y1: pixels }, 1, BAND_PIXELS);
  await inLanes(call, "heights", bands, laneCount(pool), async ({ y0, y1 }) => {
    const given = { type: TYPE_CODE[type], src: src + y0 * size, count: y1 - y0, flip: dark, dst: at + y0 * 4 };
    await runKernel(pool, "orderValues", given);
  });
  const kind = type === "f32" ? FLOATS : type === "i16" || type === "i32" ? SIGNED : UNSIGNED;
  return { at, kind, unit: 1 };
}

/** Writes each pixel's basin number, and returns the pixel numbers of the peaks. */
async function findBasins(work: Work, heights: Heights, markers: number, basins: number): Promise<Uint32Array> {
  const { pool, scope, planes, connectivity, pixels, call } = work;
  const { width, height, depth, first: bits } = planes;
  const size = { bits, width, height, depth, connectivity };
  await inLanes(call, "basins", rowBands(work), laneCount(pool), async ({ y0, y1 }) => {
    await runKernel(pool, "leadUp", { ...size, heights: heights.at, y0, y1, markers, leads: basins });
  });
  const every = { bits, width, leads: basins };
  await eachRows(work, (y0, y1) => runKernel(pool, "climb", { ...every, pixels, y0, y1 }));
  const counts: number[] = [];
  await eachRows(work, async (y0, y1, index) => {
    counts[index] = await runKernel(pool, "listPeaks", { ...every, y0, y1, first: 0, count: 0, out: 0 });
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  const at = await scope.allocate(total * 4);
  const firsts: number[] = [];
  counts.reduce((sum, count, i) => {
    firsts[i] = sum;
    return sum + count;
  }, 0);
  await eachRows(work, async (y0, y1, index) => {
    const given = { first: firsts[index], count: counts[index], out: at + firsts[index] * 4 };
    await runKernel(pool, "listPeaks", { ...every, y0, y1, ...given });
  });
  await eachRows(work, (y0, y1) => runKernel(pool, "nameBasins", { ...every, pixels, y0, y1 }));
  const peaks = new Uint32Array(total);
  await pool.read(at, peaks);
  scope.free(at);
  return peaks;
}

/** Sorted saddles at an address. */
interface Saddles {
  readonly at: number;
  readonly count: number;
}

/** Finds the saddles of all pairs of basins: each band in a table of its own, which one table then collects. */
async function findAllSaddles(work: Work, heights: Heights, basins: number, count: number): Promise<Saddles> {
  const { pool, scope, planes, connectivity, call } = work;
  const { width, height, depth, first: bits } = planes;
  const given = { heights: heights.at, bits, width, height, depth, connectivity, basins };
  return withScratch(pool, async (inner) => {
    let all = await Table.open(pool, inner, Math.max(LEAST_PLACES, 2 ** Math.ceil(Math.log2(count + 1)) * 8));
    let turn: Promise<unknown> = Promise.resolve();
    const collectInto = async (band: Table): Promise<void> => {
      for (;;) {
        if (await all.take(band)) return;
        const wider = await Table.open(pool, inner, all.places * 4);
        await wider.take(all);
        inner.free(all.at);
        all = wider;
      }
    };
    await inLanes(call, "saddles", rowBands(work), laneCount(pool), async ({ y0, y1 }) => {
      await withScratch(pool, async (inner) => {
        let places = LEAST_PLACES;
        let band = await Table.open(pool, inner, places);
        for (;;) {
          const { at: table } = band;
          const found = await runKernel(pool, "findSaddles", { ...given, y0, y1, table, capacity: places });
          if (found <= places / 2) break;
          inner.free(band.at);
          places *= 8;
          band = await Table.open(pool, inner, places);
        }
        // One band after another enters its saddles; their order does not matter, as they are sorted.
        const mine = turn.then(() => collectInto(band));
        turn = mine.catch(() => undefined);
        await mine;
      });
    });
    const { count: found } = all;
    const at = await scope.allocate(found * SADDLE_BYTES);
    const [other, counts] = [await inner.allocate(found * SADDLE_BYTES), await inner.allocate(SORT_BYTES)];
    await runKernel(pool, "sortSaddles", {
      table: all.at,
      capacity: all.places,
      count: found,
      list: at,
      other,
      counts,
    });
    return { at, count: found };
  });
}

/** A table of saddles, of which at most half the places are taken. */
class Table {
  count = 0;

  private constructor(
    readonly pool: Pool,
    readonly at: number,
    readonly places: number,
  ) {}

  static async open(pool: Pool, scope: ScratchScope, places: number): Promise<Table> {
    const at = await scope.allocate(places * SADDLE_BYTES);
    await runKernel(pool, "fillBytes", { dst: at, value: 255, bytes: places * SADDLE_BYTES });
    return new Table(pool, at, places);
  }

  /** Takes the saddles of another table. Returns false if they do not fit; this table is then invalid. */
  async take({ at: from, places }: Table): Promise<boolean> {
    const { at: table, places: capacity, count } = this;
    this.count = await runKernel(this.pool, "addSaddles", { from, places, table, capacity, count });
    return this.count <= capacity / 2;
  }
}

/** The basin that each basin is part of, and the number of each basin's marker, 0 without one; empty without markers. */
interface Joined {
  readonly parents: Uint32Array;
  readonly marked: Uint32Array;
}

async function merge(
  { pool, call }: Work,
  heights: Heights,
  places: Uint32Array,
  saddles: Saddles,
  markers: number,
  h: number,
): Promise<Joined> {
  call.signal?.throwIfAborted();
  const basins = places.length;
  return withScratch(pool, async (scope) => {
    const placesAt = await scope.copyIn(places);
    const peaks = await scope.allocate(basins * 4);
    await runKernel(pool, "collect", { numbers: heights.at, places: placesAt, count: basins, out: peaks });
    const marks = markers ? await scope.allocate(basins * 4) : 0;
    if (marks) await runKernel(pool, "collect", { numbers: markers, places: placesAt, count: basins, out: marks });
    const parentsAt = await scope.allocate(basins * 4);
    const { kind, unit } = heights;
    await runKernel(pool, "mergeBasins", {
      list: saddles.at,
      count: saddles.count,
      peaks,
      basins,
      marks,
      kind,
      unit,
      h,
      parents: parentsAt,
    });
    const parents = new Uint32Array(basins);
    await pool.read(parentsAt, parents);
    const marked = new Uint32Array(marks ? basins : 0);
    if (marks) await pool.read(marks, marked);
    return { parents, marked };
  });
}

/**
 * Joins the basins of one marker within one object into one part, even if they do not touch. `origins` are the objects of
 * the basins: a marker that lies in two objects makes a part in each.
 */
function spreadMarks(parents: Uint32Array, marked: Uint32Array, origins: Uint32Array): void {
  const roots = parents.slice();
  const markOf = (basin: number): number => marked[roots[basin]];
  const order = Uint32Array.from(parents.keys()).filter(markOf);
  order.sort((a, b) => origins[a] - origins[b] || markOf(a) - markOf(b) || a - b);
  for (let i = 1; i < order.length; i++) {
    const [basin, before] = [order[i], order[i - 1]];
    if (origins[basin] === origins[before] && markOf(basin) === markOf(before)) parents[basin] = parents[before];
  }
}

/** The label of the object that each peak lies in; overwrites the heights. */
async function labelsAtPeaks(
  { pool, call }: Work,
  heights: Heights,
  objects: Labelled,
  peaks: Uint32Array,
): Promise<Uint32Array> {
  await expandLabels(pool, objects, { at: heights.at }, { ...call, timings: [] });
  return withScratch(pool, async (scope) => {
    const places = await scope.copyIn(peaks);
    const out = await scope.allocate(peaks.byteLength);
    await runKernel(pool, "collect", { numbers: heights.at, places, count: peaks.length, out });
    const labels = new Uint32Array(peaks.length);
    await pool.read(out, labels);
    return labels;
  });
}
