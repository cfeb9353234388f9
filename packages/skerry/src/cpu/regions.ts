// Sums per object: strips accumulate over their runs (and the pixels under them), what the seams joined is
// added up, and the fields of the objects are gathered in the order of their labels.

import { turn } from "#worker";
import { Unsupported } from "../api/errors.js";
import type { Call } from "../core/call.js";
import { PIXEL_BYTES, rowCount, TYPE_CODE } from "../core/pixels.js";
import { REGION_LEVELS, type RegionsPlan } from "../core/plans.js";
import { INTENSITY_FIELDS, type RegionSums } from "../core/sums.js";
import { bandBytes, bandsOf, inLanes, laneCount, listBytes, PIXEL_BAND, SLAB_BAND, timed } from "./bands.js";
import { CHUNK, type Labelled, rowsArguments } from "./components.js";
import { planeBytes } from "./mask.js";
import { PixelFeed } from "./pixel-feed.js";
import type { Pool } from "./pool.js";
import { borrowing, type Loan } from "./scratch.js";

/** Bytes of a record of each level, as in assembly/regions.ts and assembly/solids.ts. */
const RECORD_BYTES = [8, 24, 40, 80] as const;
const SOLID_BYTES = [8, 32, 56, 136] as const;
const INTENSITY_BYTES = INTENSITY_FIELDS * 8;
/** What gatherRegions does, as in assembly/regions.ts. */
const COPY = 0;
const AREA = 1;
const CENTROID = 2;
const BOUNDS = 3;
const SOLID_CENTROID = 4;
const SOLID_BOUNDS = 5;

/** Makes the records of a level, one per strip's component, with seams joined; at the returned address. */
export async function accumulateRegions(
  pool: Pool,
  loan: Loan,
  labelled: Labelled,
  { level, solid }: Pick<RegionsPlan, "level" | "solid">,
  call: Call,
): Promise<number> {
  if (solid) return accumulateSolids(pool, loan, labelled, level, call);
  const { planes, strips, joinsAt, joined, size, connectivity } = labelled;
  const number = REGION_LEVELS.indexOf(level);
  const bytes = RECORD_BYTES[number] as number;
  const recordsAt = await loan.allocate(size * bytes);
  const lanes = Math.min(pool.threads * 2, strips.length);
  const lists = await loan.lanes(lanes, listBytes(planes.width));
  const outlines = await loan.lanes(lanes, level === "shape" ? (planes.words + 1) * 48 + 64 : 0);
  await timed(call, "regions", planeBytes(planes) + labelled.runCount * 4 + size * bytes, async () => {
    await inLanes(call, "regions", strips, lanes, async (strip, lane) => {
      await pool.run("accumulateStrip", [
        ...rowsArguments(labelled, strip),
        ...[number, Number(connectivity === 8), recordsAt + strip.base * bytes, strip.count],
        ...[lists[lane] as number, outlines[lane] as number],
      ]);
    });
    await pool.run("combineRegions", [number, recordsAt, joinsAt, joined]);
  });
  return recordsAt;
}

/** The same with z, and where runs of one component may touch. */
async function accumulateSolids(
  pool: Pool,
  loan: Loan,
  labelled: Labelled,
  level: RegionsPlan["level"],
  call: Call,
): Promise<number> {
  const { planes, strips, joinsAt, joined, size, connectivity, mapAt } = labelled;
  const { width, words, height, links } = planes;
  const number = REGION_LEVELS.indexOf(level);
  const bytes = SOLID_BYTES[number] as number;
  const recordsAt = await loan.allocate(size * bytes);
  const lanes = Math.min(pool.threads * 2, strips.length);
  const lists = await loan.lanes(lanes, listBytes(width));
  const byLabel = links !== undefined && level === "shape";
  const scratch = await loan.lanes(byLabel ? lanes : 0, 5 * (width * 4 + 16 + words * 8) + listBytes(width));
  const mapsAt = await loan.allocate(strips.length * 12);
  const maps = strips.flatMap((_, i) => [i - 1, i, i + 1].map((k) => mapAt + (strips[k]?.base ?? 0) * 4));
  await pool.write(mapsAt, Uint32Array.from(maps));
  await timed(call, "regions", planeBytes(planes) + labelled.runCount * 4 + size * bytes, async () => {
    await inLanes(call, "regions", strips, lanes, async (strip, lane, index) => {
      await pool.run("accumulateSolids", [
        ...rowsArguments(labelled, strip),
        ...[height, number, connectivity, recordsAt + strip.base * bytes, strip.count],
        ...[lists[lane] as number, byLabel ? mapsAt + index * 12 : 0, scratch[lane] ?? 0],
      ]);
    });
    await pool.run("combineSolids", [number, recordsAt, joinsAt, joined]);
  });
  return recordsAt;
}

export async function measureRegions(
  pool: Pool,
  labelled: Labelled,
  { level, solid, intensity }: RegionsPlan,
  call: Call,
): Promise<RegionSums> {
  return borrowing(pool, async (loan) => {
    const number = REGION_LEVELS.indexOf(level);
    const bytes = (solid ? SOLID_BYTES : RECORD_BYTES)[number] as number;
    const axes = solid ? 3 : 2;
    const moments = solid ? 9 : 5;
    const firstMoments = solid ? 32 : 24;
    const { count } = labelled;
    const area = new Uint32Array(count);
    const bounds = new Uint32Array(number >= 1 ? count * 2 * axes : 0);
    const centroid = new Float64Array(number >= 2 ? count * axes : 0);
    const sums: { -readonly [key in keyof RegionSums]: RegionSums[key] } = { area };
    // The main thread has nothing else to do while sums are made.
    const [recordsAt] = await Promise.all([
      accumulateRegions(pool, loan, labelled, { level, solid }, call),
      touch([area, bounds, centroid]),
    ]);
    const gatherer = await Gatherer.open(pool, loan, labelled, call);
    await gatherer.gather(AREA, recordsAt, bytes, 0, area, 1);
    if (number >= 1) {
      sums.bounds = bounds;
      await gatherer.gather(solid ? SOLID_BOUNDS : BOUNDS, recordsAt, bytes, 8, bounds, 2 * axes);
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
      const at = await accumulateIntensity(pool, loan, labelled, intensity, call);
      const floats = intensity.pixels.shape.type === "f32";
      sums.intensity = floats
        ? new Float64Array(count * INTENSITY_FIELDS)
        : new BigInt64Array(count * INTENSITY_FIELDS);
      await gatherer.gather(COPY, at, INTENSITY_BYTES, 0, sums.intensity, INTENSITY_FIELDS);
    }
    return sums;
  });
}

/** Bytes of a page, the first write to which takes the time of a thousand others. */
const PAGE_BYTES = 4096;
/** Pages touched between two turns of the event loop, some milliseconds' worth. */
const PAGES_AT_ONCE = 1024;

/** Has the system map the pages of fresh arrays, before they are needed. */
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

  static async open(pool: Pool, loan: Loan, labelled: Labelled, call: Call): Promise<Gatherer> {
    const firsts = new Uint32Array(Math.ceil(labelled.size / CHUNK) + 1);
    await pool.read(labelled.firstsAt, firsts.subarray(0, -1));
    firsts[firsts.length - 1] = labelled.count;
    const most = firsts.reduce((n, first, i) => Math.max(n, first - (firsts[i - 1] ?? 0)), 0);
    const lanes = Math.min(laneCount(pool), firsts.length - 1);
    return new Gatherer(pool, labelled, call, await loan.lanes(lanes, most * INTENSITY_BYTES), firsts);
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
        const first = this.#firsts[chunk] as number;
        const array = into.subarray(first * perObject, (this.#firsts[chunk + 1] as number) * perObject);
        const pointer = this.#slots[lane] as number;
        const from = chunk * CHUNK;
        const to = Math.min(size, from + CHUNK);
        const written = await this.#pool.run(
          "gatherRegions",
          [kind, recordsAt, recordBytes, field, length, mapAt, firstsAt, from, to, pointer],
          { output: { pointer, array } },
        );
        if (written < 0) throw new Unsupported("Expected objects of fewer than 2^32 pixels, got a larger one.");
      }),
    );
  }
}

async function accumulateIntensity(
  pool: Pool,
  loan: Loan,
  labelled: Labelled,
  { pixels, contrast }: NonNullable<RegionsPlan["intensity"]>,
  call: Call,
): Promise<number> {
  const { planes, strips, joinsAt, joined, size } = labelled;
  const { width, height, depth, channels, type, nodata } = pixels.shape;
  const total = rowCount(pixels.shape);
  // The rows on either side that edges look at: of a volume a whole slice.
  const halo = depth > 1 ? height : 1;
  const recordsAt = await loan.allocate(size * INTENSITY_BYTES);
  // A strip's records belong to one lane at a time, which walks the strip's bands in order.
  const lanes = Math.min(laneCount(pool), strips.length);
  const bands = strips.map((strip) =>
    bandsOf(
      strip,
      width * channels * PIXEL_BYTES[type],
      Math.max(bandBytes(pool, pixels.shape, PIXEL_BAND), contrast && depth > 1 ? SLAB_BAND : 0),
    ),
  );
  const rows = bands.flat().reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0) + 2 * halo;
  const feed = await PixelFeed.open(loan, pixels, lanes, rows, call);
  // A resident image must not be reduced to luma where it lies.
  const luma = pixels.kind === "image" && channels > 1 ? await loan.lanes(lanes, rows * feed.lumaRowBytes + 256) : [];
  const lists = await loan.lanes(lanes, listBytes(width));
  await timed(call, "intensity", total * feed.rowBytes + planeBytes(planes), async () => {
    await inLanes(call, "intensity", strips, lanes, async ({ base, count }, lane, index) => {
      const records = recordsAt + base * INTENSITY_BYTES;
      await pool.run("resetIntensity", [records, count, type === "f32"]);
      for (const { y0, y1 } of bands[index] as { y0: number; y1: number }[]) {
        call.signal?.throwIfAborted();
        const before = contrast ? Math.min(halo, y0) : 0;
        const after = contrast ? Math.min(halo, total - y1) : 0;
        const { pointer, input } = await feed.fetch(lane, { y0: y0 - before, y1: y1 + after });
        await pool.run(
          "accumulateIntensity",
          [
            ...rowsArguments(labelled, { y0, y1 }),
            ...[height, depth, TYPE_CODE[type], channels, pointer + before * feed.rowBytes, luma[lane] ?? pointer],
            ...[before, after, records, lists[lane] as number, Number(contrast), nodata !== undefined, nodata ?? 0],
          ],
          { input },
        );
      }
    });
    await pool.run("combineIntensity", [type === "f32", recordsAt, joinsAt, joined]);
  });
  return recordsAt;
}
