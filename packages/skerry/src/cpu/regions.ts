// Sums per object. Strips accumulate over their runs (and the pixels under them). Records joined at seams are added.
// Then the objects' fields are gathered in the order of their labels.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { PIXEL_BYTES, rowCount, TYPE_CODE } from "../core/pixels.js";
import { REGION_LEVELS, type RegionsPlan } from "../core/plans.js";
import { INTENSITY_FIELDS, type RegionSums } from "../core/sums.js";
import { LAYOUT } from "../generated/kernels.js";
import { Unsupported } from "../types/errors.js";
import type { PixelType } from "../types/raster.js";
import { bandBytes, bandsOf, inLanes, laneCount, listBytes, PIXEL_BAND, SLAB_BAND, timed } from "./bands.js";
import { CHUNK, type Labelled, rowsArguments } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { PixelFeed } from "./pixel-feed.js";
import { planeBytes } from "./planes.js";

const { AREA_BYTES, BOUNDS_BYTES, CENTROID_BYTES, SHAPE_BYTES, INTENSITY_BYTES } = LAYOUT.regions;
const { SOLID_AREA_BYTES, SOLID_BOUNDS_BYTES, SOLID_CENTROID_BYTES, SOLID_SHAPE_BYTES } = LAYOUT.regions;
const { COPY, AREA, CENTROID, BOUNDS, SOLID_CENTROID, SOLID_BOUNDS } = LAYOUT.regions;
const { OUTLINE_WORD_BYTES, OUTLINE_HEAD_BYTES, MAPS_BYTES, LUMA_SLACK_BYTES } = LAYOUT.regions;
const { WIDE_INTENSITY_BYTES, WIDE_SUMS, INTEGERS, FLOATS, WIDE } = LAYOUT.regions;

/** Kind of sums for intensities of a type. */
function sumsIn(type: PixelType): number {
  if (type === "f32") return FLOATS;
  return type === "u32" || type === "i32" ? WIDE : INTEGERS;
}

/** Bytes from the begin of a record to its bounds; and to its first moments, of an image. */
export const [BOUNDS_AT, MOMENTS_AT] = [8, 24];

/** Bytes of a record of each level. */
export const RECORD_BYTES = [AREA_BYTES, BOUNDS_BYTES, CENTROID_BYTES, SHAPE_BYTES] as const;
const SOLID_BYTES = [SOLID_AREA_BYTES, SOLID_BOUNDS_BYTES, SOLID_CENTROID_BYTES, SOLID_SHAPE_BYTES] as const;

/** Makes the records of a level, one per strip's component, joins them at seams, and returns their address. */
export async function accumulateRegions(
  pool: Pool,
  scope: ScratchScope,
  labelled: Labelled,
  { level, solid }: Pick<RegionsPlan, "level" | "solid">,
  call: Call,
): Promise<number> {
  if (solid) return accumulateSolids(pool, scope, labelled, level, call);
  const { planes, strips, joinsAt, joined, size, connectivity } = labelled;
  const number = REGION_LEVELS.indexOf(level);
  const bytes = RECORD_BYTES[number] as number;
  const recordsAt = await scope.allocate(size * bytes);
  const lanes = Math.min(pool.threads * 2, strips.length);
  const lists = await scope.lanes(lanes, listBytes(planes.width));
  const outlines = await scope.lanes(
    lanes,
    level === "shape" ? (planes.words + 1) * OUTLINE_WORD_BYTES + OUTLINE_HEAD_BYTES : 0,
  );
  await timed(call, "regions", planeBytes(planes) + labelled.runCount * 4 + size * bytes, async () => {
    await inLanes(call, "regions", strips, lanes, async (strip, lane) => {
      await runKernel(pool, "accumulateStrip", {
        ...rowsArguments(labelled, strip),
        level: number,
        eight: connectivity === 8,
        records: recordsAt + strip.base * bytes,
        count: strip.count,
        list: lists[lane],
        outline: outlines[lane],
      });
    });
    await runKernel(pool, "combineRegions", { level: number, records: recordsAt, joins: joinsAt, count: joined });
  });
  return recordsAt;
}

/** The same for volumes, and for components whose runs may touch. */
async function accumulateSolids(
  pool: Pool,
  scope: ScratchScope,
  labelled: Labelled,
  level: RegionsPlan["level"],
  call: Call,
): Promise<number> {
  const { planes, strips, joinsAt, joined, size, connectivity, mapAt } = labelled;
  const { width, words, height, touching } = planes;
  const number = REGION_LEVELS.indexOf(level);
  const bytes = SOLID_BYTES[number] as number;
  const recordsAt = await scope.allocate(size * bytes);
  const lanes = Math.min(pool.threads * 2, strips.length);
  const lists = await scope.lanes(lanes, listBytes(width));
  const byLabel = touching && level === "shape";
  const scratch = await scope.lanes(
    byLabel ? lanes : 0,
    5 * (width * 4 + LAYOUT.labels.SLACK_BYTES + words * 8) + listBytes(width),
  );
  const mapsAt = await scope.allocate(strips.length * MAPS_BYTES);
  const maps = strips.flatMap((_, i) => [i - 1, i, i + 1].map((k) => mapAt + (strips[k]?.base ?? 0) * 4));
  await pool.write(mapsAt, Uint32Array.from(maps));
  await timed(call, "regions", planeBytes(planes) + labelled.runCount * 4 + size * bytes, async () => {
    await inLanes(call, "regions", strips, lanes, async (strip, lane, index) => {
      await runKernel(pool, "accumulateSolids", {
        ...rowsArguments(labelled, strip),
        height,
        level: number,
        connectivity,
        records: recordsAt + strip.base * bytes,
        count: strip.count,
        list: lists[lane],
        maps: byLabel ? mapsAt + index * 12 : 0,
        scratch: scratch[lane] ?? 0,
      });
    });
    await runKernel(pool, "combineSolids", { level: number, records: recordsAt, joins: joinsAt, count: joined });
  });
  return recordsAt;
}

export async function measureRegions(
  pool: Pool,
  labelled: Labelled,
  { level, solid, intensity }: RegionsPlan,
  call: Call,
): Promise<RegionSums> {
  return withScratch(pool, async (scope) => {
    const number = REGION_LEVELS.indexOf(level);
    const bytes = (solid ? SOLID_BYTES : RECORD_BYTES)[number] as number;
    const axes = solid ? 3 : 2;
    const moments = solid ? 9 : 5;
    const firstMoments = solid ? 32 : MOMENTS_AT;
    const { count } = labelled;
    const area = new Uint32Array(count);
    const bounds = new Uint32Array(number >= 1 ? count * 2 * axes : 0);
    const centroid = new Float64Array(number >= 2 ? count * axes : 0);
    const sums: { -readonly [key in keyof RegionSums]: RegionSums[key] } = { area };
    // The main thread is idle while workers compute sums, so it touches the result arrays.
    const [recordsAt] = await Promise.all([
      accumulateRegions(pool, scope, labelled, { level, solid }, call),
      touch([area, bounds, centroid]),
    ]);
    const gatherer = await Gatherer.open(pool, scope, labelled, call);
    await gatherer.gather(AREA, recordsAt, bytes, 0, area, 1);
    if (number >= 1) {
      sums.bounds = bounds;
      await gatherer.gather(solid ? SOLID_BOUNDS : BOUNDS, recordsAt, bytes, BOUNDS_AT, bounds, 2 * axes);
    }
    if (number >= 2) {
      sums.centroid = centroid;
      await gatherer.gather(solid ? SOLID_CENTROID : CENTROID, recordsAt, bytes, firstMoments, centroid, axes);
    }
    if (number >= 3) {
      sums.rawMoments = new BigInt64Array(count * moments);
      await gatherer.gather(COPY, recordsAt, bytes, firstMoments, sums.rawMoments, moments);
      const outline = solid ? 4 : 2;
      sums.outline = new BigInt64Array(count * outline);
      await gatherer.gather(COPY, recordsAt, bytes, firstMoments + moments * 8, sums.outline, outline);
    }
    if (intensity) {
      const kind = sumsIn(intensity.pixels.shape.type);
      const recordBytes = kind === WIDE ? WIDE_INTENSITY_BYTES : INTENSITY_BYTES;
      const at = await accumulateIntensity(pool, scope, labelled, intensity, recordBytes, call);
      const ArrayOf = kind === FLOATS ? Float64Array : BigInt64Array;
      sums.intensity = new ArrayOf(count * INTENSITY_FIELDS);
      await gatherer.gather(COPY, at, recordBytes, 0, sums.intensity, INTENSITY_FIELDS);
      if (kind === WIDE) {
        sums.intensityHighs = new BigInt64Array(count * WIDE_SUMS);
        await gatherer.gather(COPY, at, recordBytes, INTENSITY_BYTES, sums.intensityHighs, WIDE_SUMS);
      }
    }
    return sums;
  });
}

/** Bytes of a page of memory. The first write to a page takes the time of a thousand others. */
const PAGE_BYTES = 4096; // host: of the system
/** Pages touched between two turns of the event loop, some milliseconds' worth. */
const PAGES_AT_ONCE = 1024;

/** Makes the system map the pages of fresh arrays before they are needed. */
async function touch(arrays: readonly (Uint32Array | Float64Array)[]): Promise<void> {
  let pages = 0;
  for (const array of arrays) {
    for (let at = 0; at < array.length; at += PAGE_BYTES / array.BYTES_PER_ELEMENT) {
      array[at] = 0;
      if (++pages % PAGES_AT_ONCE === 0) await turn();
    }
  }
}

/** Collects fields chunk by chunk through slots, straight into the caller's arrays. */
class Gatherer {
  #pool: Pool;
  #labelled: Labelled;
  #call: Call;
  #slots: number[];
  #firsts: Uint32Array;

  private constructor(pool: Pool, labelled: Labelled, call: Call, slots: number[], firsts: Uint32Array) {
    this.#pool = pool;
    this.#labelled = labelled;
    this.#call = call;
    this.#slots = slots;
    this.#firsts = firsts;
  }

  static async open(pool: Pool, scope: ScratchScope, labelled: Labelled, call: Call): Promise<Gatherer> {
    const firsts = new Uint32Array(Math.ceil(labelled.size / CHUNK) + 1);
    await pool.read(labelled.firstsAt, firsts.subarray(0, -1));
    firsts[firsts.length - 1] = labelled.count;
    const most = firsts.reduce((n, first, i) => Math.max(n, first - (firsts[i - 1] ?? 0)), 0);
    const lanes = Math.min(laneCount(pool), firsts.length - 1);
    return new Gatherer(pool, labelled, call, await scope.lanes(lanes, most * INTENSITY_BYTES), firsts);
  }

  async gather(
    kind: number,
    recordsAt: number,
    recordBytes: number,
    field: number,
    into: Uint32Array | Float64Array | BigInt64Array,
    perObject: number,
  ): Promise<void> {
    const { mapAt, firstsAt, size } = this.#labelled;
    const length = perObject * into.BYTES_PER_ELEMENT;
    const chunks = Array.from({ length: this.#firsts.length - 1 }, (_, i) => i);
    await timed(this.#call, "gather", into.byteLength * 2, () =>
      inLanes(this.#call, "gather", chunks, this.#slots.length, async (chunk, lane) => {
        const first = this.#firsts[chunk];
        const array = into.subarray(first * perObject, this.#firsts[chunk + 1] * perObject);
        const pointer = this.#slots[lane];
        const from = chunk * CHUNK;
        const to = Math.min(size, from + CHUNK);
        const written = await runKernel(
          this.#pool,
          "gatherRegions",
          {
            kind,
            records: recordsAt,
            bytes: recordBytes,
            field,
            length,
            map: mapAt,
            firsts: firstsAt,
            from,
            to,
            out: pointer,
          },
          { output: { pointer, array } },
        );
        if (written < 0) throw new Unsupported("Expected objects of fewer than 2^32 pixels, got a larger one.");
      }),
    );
  }
}

async function accumulateIntensity(
  pool: Pool,
  scope: ScratchScope,
  labelled: Labelled,
  { pixels, contrast }: NonNullable<RegionsPlan["intensity"]>,
  recordBytes: number,
  call: Call,
): Promise<number> {
  const { planes, strips, joinsAt, joined, size } = labelled;
  const { width, height, depth, channels, type, nodata } = pixels.shape;
  const total = rowCount(pixels.shape);
  // The rows on either side that edges read: one row, or in a volume a whole slice.
  const halo = depth > 1 ? height : 1;
  const recordsAt = await scope.allocate(size * recordBytes);
  const kind = sumsIn(type);
  // One lane updates a strip's records, and processes the strip's bands in order.
  const lanes = Math.min(laneCount(pool), strips.length);
  const bands = strips.map((strip) =>
    bandsOf(
      strip,
      width * channels * PIXEL_BYTES[type],
      Math.max(bandBytes(pool, pixels.shape, PIXEL_BAND), contrast && depth > 1 ? SLAB_BAND : 0),
    ),
  );
  const rows = bands.flat().reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0) + 2 * halo;
  const feed = await PixelFeed.open(scope, pixels, lanes, rows, call);
  // A resident image must not be reduced to luma where it lies.
  const luma =
    pixels.kind === "image" && channels > 1
      ? await scope.lanes(lanes, rows * feed.lumaRowBytes + LUMA_SLACK_BYTES)
      : [];
  const lists = await scope.lanes(lanes, listBytes(width));
  await timed(call, "intensity", total * feed.rowBytes + planeBytes(planes), async () => {
    await inLanes(call, "intensity", strips, lanes, async ({ base, count }, lane, index) => {
      const records = recordsAt + base * recordBytes;
      await runKernel(pool, "resetIntensity", { records, size: count, kind });
      for (const { y0, y1 } of bands[index] as { y0: number; y1: number }[]) {
        call.signal?.throwIfAborted();
        const before = contrast ? Math.min(halo, y0) : 0;
        const after = contrast ? Math.min(halo, total - y1) : 0;
        const { pointer, input } = await feed.fetch(lane, { y0: y0 - before, y1: y1 + after });
        await runKernel(
          pool,
          "accumulateIntensity",
          {
            ...rowsArguments(labelled, { y0, y1 }),
            height,
            depth,
            type: TYPE_CODE[type],
            channels,
            src: pointer + before * feed.rowBytes,
            slot: luma[lane] ?? pointer,
            before,
            after,
            records,
            list: lists[lane],
            edges: contrast,
            excepting: nodata !== undefined,
            except: nodata ?? 0,
          },
          { input },
        );
      }
    });
    await runKernel(pool, "combineIntensity", {
      kind,
      records: recordsAt,
      joins: joinsAt,
      count: joined,
    });
  });
  return recordsAt;
}
