// Components of a label image. Each run carries its label, so an object may have parts that do not touch. Labels are
// numbered by value, or in the order in which they appear.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import type { ChangedRow } from "../core/edit-rows.js";
import type { Edited } from "../core/edits.js";
import { LargeMap } from "../core/large-map.js";
import { type ImageOwner, newPixels, PIXEL_BYTES, type Pixels, TYPE_CODE } from "../core/pixels.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Connectivity, PixelArray } from "../types/raster.js";
import { timed } from "./bands.js";
import { countRuns, type Labelled, placeRuns, type Strip, stripsOf } from "./components.js";
import { type Linked, linkingOf, linkPixels } from "./components-linked.js";
import { keptPlanes } from "./filter.js";
import { runKernel } from "./kernels.js";
import { expandLabels } from "./labels.js";
import type { Pool } from "./memory/pool.js";
import { ScratchScope, withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, residentAt } from "./pixel-feed.js";
import { allocatePlanes, clearOutside, freeLinks, freePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";

const { CHUNK } = LAYOUT.regions;

/** Runs per record, on average: parts are so few that their records, which are merged, cost less than the runs themselves. */
const RUNS_PER_RECORD = 4;

/** Labels and the values that they stand for. */
export interface Found {
  readonly labelled: Labelled;
  readonly values: PixelArray;
}

/**
 * Finds the objects of a label image; 0 is background. Labels 1..count are the ranks of the values, or with `ordered`
 * the order in which the values first appear. Reads each pixel once. Memory: N / 4 bytes for two planes, and while linking
 * N / 8 for links, N / 4 in volumes. A run takes 4 bytes for its label, and its value twice. Marks take 4 bytes for each
 * whole number from the smallest to the largest value, up to 4 per pixel or 256 KiB. Other values are ranked on the host.
 */
export async function labelValues(
  pool: Pool,
  pixels: Pixels,
  connectivity: Connectivity,
  ordered: boolean,
  call: Call,
): Promise<Found> {
  const { type, width, height, depth, nodata } = pixels.shape;
  return withScratch(pool, async (scope) => {
    const linking = linkingOf({ tolerance: 0, background: [0], except: nodata }, pixels.shape);
    // Links are not needed, so the connectivity with the fewest of them is used.
    const { planes, foreground, values } = await linkPixels(pool, pixels, linking, depth > 1 ? 6 : 4, call, scope);
    const touching: Planes = { ...planes, links: undefined };
    if (planes.links) freeLinks(pool, planes.links, planes);
    return holding(pool, touching, async (kept) => {
      const runs = await placeRuns(pool, touching);
      const labelsAt = await kept.allocate(runs * 4);
      const step = PIXEL_BYTES[type];
      const valuesAt = await scope.allocate(runs * step);
      await gather(pool, touching, values, valuesAt, step);
      const ranked = await timed(call, "rank labels", runs * 8, () =>
        rankRuns(pool, { type, valuesAt, labelsAt, runs, most: width * height * depth }, call),
      );
      const order = ordered ? await orderRuns(pool, labelsAt, runs, ranked.length) : undefined;
      const inOrder = order ? newPixels(type, ranked.length).map((_, i) => ranked[order[i]]) : ranked;
      const given = { labelsAt, runs, count: ranked.length, foreground };
      return { labelled: await labelRuns(pool, kept, touching, connectivity, given), values: inOrder };
    });
  });
}

/** For components with given labels: keeps the objects with a 1 in `keep`, and renumbers them in their order. */
export function keepRuns(pool: Pool, labelled: Labelled, keep: Uint8Array, call: Call): Promise<Labelled> {
  const { labelsAt, runCount, connectivity } = labelled;
  let count = 0;
  const chosen = Uint32Array.from(keep, (stays) => (stays ? ++count : 0));
  return withScratch(pool, async (scope) => {
    const left: Planes = { ...(await keptPlanes(pool, scope, labelled, keep, call)), touching: true };
    return holding(pool, left, async (kept) => {
      const foreground = await countRuns(pool, left, stripsOf(left), call);
      const runs = await placeRuns(pool, left);
      const leftAt = await kept.allocate(runCount * 4);
      const chosenAt = await scope.copyIn(chosen);
      await runKernel(pool, "renumberRuns", { labels: labelsAt, runs: runCount, chosen: chosenAt, out: leftAt });
      return labelRuns(pool, kept, left, connectivity, { labelsAt: leftAt, runs, count, foreground });
    });
  });
}

/** Runs `work` with memory that stays with the planes; both are freed if it fails. */
async function holding<T>(pool: Pool, planes: Planes, work: (kept: ScratchScope) => Promise<T>): Promise<T> {
  const kept = new ScratchScope(pool);
  try {
    return await work(kept);
  } catch (error) {
    kept.freeAll();
    freePlanes(pool, planes);
    throw error;
  }
}

/** Copies the runs' values, which were written band by band, into one array in raster order. */
async function gather(pool: Pool, planes: Planes, values: Linked["values"], to: number, step: number): Promise<void> {
  const offsets = new Uint32Array(planes.rows + 1);
  await pool.read(planes.offsetsAt, offsets);
  for (const { y0, at, bytes } of values) {
    await runKernel(pool, "copyBytes", { dst: to + offsets[y0] * step, src: at, bytes });
  }
}

interface Runs {
  readonly type: Pixels["shape"]["type"];
  readonly valuesAt: number;
  readonly labelsAt: number;
  readonly runs: number;
  /** Maximum number of marks. */
  readonly most: number;
}

/** Writes the labels of runs, and returns their values in ascending order. */
async function rankRuns(pool: Pool, given: Runs, call: Call): Promise<PixelArray> {
  const { type, valuesAt, labelsAt, runs, most } = given;
  if (runs === 0) return newPixels(type, 0);
  return withScratch(pool, async (scope) => {
    const values = { type: TYPE_CODE[type], values: valuesAt, count: runs };
    const range = new Float64Array(3);
    const rangeAt = await scope.allocate(range.byteLength);
    await runKernel(pool, "rangeOfValues", { ...values, out: rangeAt });
    await pool.read(rangeAt, range);
    const [low, high, span] = range;
    const size = high - low + 1;
    // Values of 8 or 16 bits take at most 65 536 marks. An infinity counts as whole, and makes the size infinite or NaN.
    if (!span || !(size <= Math.max(most, 65536))) return rankOnHost(pool, given, call);
    const marks = await scope.allocate(size * 4);
    await runKernel(pool, "fillBytes", { dst: marks, value: 0, bytes: size * 4 });
    await runKernel(pool, "markValues", { ...values, low, marks, size });
    const count = await runKernel(pool, "rankMarks", { marks, size });
    await runKernel(pool, "rankValues", { ...values, low, marks, size, out: labelsAt });
    const found = newPixels(type, count);
    const listAt = await scope.allocate(found.byteLength);
    await runKernel(pool, "listMarks", { type: values.type, marks, size, low, count, out: listAt });
    await pool.read(listAt, found);
    return found;
  });
}

/** Runs that are ranked between two turns of the event loop. */
const RUNS_AT_ONCE = 1 << 16;

/** The same for values that are not whole, or lie far apart, as identifiers do. */
async function rankOnHost(pool: Pool, { type, valuesAt, labelsAt, runs }: Runs, call: Call): Promise<PixelArray> {
  const values = newPixels(type, runs);
  await pool.read(valuesAt, values);
  const ranks = new LargeMap();
  const labels = new Uint32Array(runs);
  const inParts = async (visit: (i: number) => void): Promise<void> => {
    for (let from = 0; from < runs; from += RUNS_AT_ONCE) {
      const to = Math.min(runs, from + RUNS_AT_ONCE);
      for (let i = from; i < to; i++) visit(i);
      await turn();
      call.signal?.throwIfAborted();
    }
  };
  await inParts((i) => ranks.set(values[i], 0));
  const found = newPixels(type, ranks.size);
  let listed = 0;
  for (const value of ranks.keys()) found[listed++] = value;
  found.sort();
  found.forEach((value, rank) => {
    ranks.set(value, rank);
  });
  await inParts((i) => {
    labels[i] = ranks.get(values[i]) as number;
  });
  await pool.write(labelsAt, labels);
  return found;
}

/** Numbers labels in the order of their first runs, and returns the label that each had before. */
async function orderRuns(pool: Pool, labels: number, runs: number, count: number): Promise<Uint32Array> {
  return withScratch(pool, async (scope) => {
    const orderAt = await scope.copyIn(new Uint32Array(count));
    await runKernel(pool, "orderRuns", { labels, runs, order: orderAt, count });
    const order = new Uint32Array(count);
    await pool.read(orderAt, order);
    const before = new Uint32Array(count);
    order.forEach((number, label) => {
      before[number - 1] = label;
    });
    return before;
  });
}

/**
 * Components of corrected runs. The planes are those of `before`, with the rows that changed written anew on the host; 8 bytes per run
 * and row.
 */
export async function labelEdited(
  pool: Pool,
  { planes: before, connectivity, foreground }: Labelled,
  { labels, firsts, changed, gained, origins }: Omit<Edited, "idle">,
  call: Call,
): Promise<Labelled> {
  await clearOutside(pool, before, rowsOf(before));
  const planes: Planes = { ...(await allocatePlanes(pool, before, 2)), touching: true };
  return holding(pool, planes, (kept) =>
    timed(call, "label runs", planeBytes(planes) * 4 + labels.length * 8, async () => {
      const bytes = planeBytes(planes);
      await runKernel(pool, "copyBytes", { dst: planes.first, src: before.first, bytes });
      if (before.second) await runKernel(pool, "copyBytes", { dst: planes.second, src: before.second, bytes });
      else await runKernel(pool, "fillBytes", { dst: planes.second, value: 0, bytes });
      const stride = planes.words * 2;
      for (let from = 0; from < changed.length; ) {
        let to = from + 1;
        while (to < changed.length && changed[to].row === changed[to - 1].row + 1) to++;
        const y0 = changed[from].row;
        const [first, second] = [new Uint32Array(stride * (to - from)), new Uint32Array(stride * (to - from))];
        for (let i = from; i < to; i++) {
          const packed = packedRow(changed[i], stride);
          first.set(packed[0], (i - from) * stride);
          second.set(packed[1], (i - from) * stride);
        }
        await pool.write(planes.first + y0 * stride * 4, first);
        await pool.write(planes.second + y0 * stride * 4, second);
        from = to;
      }
      await pool.write(planes.offsetsAt, firsts);
      const labelsAt = await kept.copyIn(labels);
      call.onProgress?.({ stage: "label runs", done: 1, total: 1 });
      const given = { labelsAt, runs: labels.length, count: origins.length, foreground: foreground + gained };
      return labelRuns(pool, kept, planes, connectivity, given);
    }),
  );
}

/** A row in two planes. */
type PackedRow = readonly [first: Uint32Array, second: Uint32Array];

/** Rows that were packed before: most corrections leave those of earlier ones as they are. */
const packedRows = new WeakMap<ChangedRow, PackedRow>();

function packedRow(row: ChangedRow, words: number): PackedRow {
  const known = packedRows.get(row);
  if (known) return known;
  const { spans } = row;
  const packed = [new Uint32Array(words), new Uint32Array(words)] as const;
  let isSecond = false;
  for (let i = 0; i < spans.length; i += 2) {
    // Runs that touch alternate between the planes.
    isSecond = i > 0 && spans[i] === spans[i - 1] && !isSecond;
    setBits(packed[isSecond ? 1 : 0], spans[i], spans[i + 1]);
  }
  packedRows.set(row, packed);
  return packed;
}

/** Sets the bits [begin, end) of a row. */
function setBits(words: Uint32Array, begin: number, end: number): void {
  const [from, to] = [begin >>> 5, (end - 1) >>> 5];
  // Bits from the first on, and up to the last; a shift by 32 would be one by 0.
  const [head, tail] = [0xffffffff << (begin & 31), 0xffffffff >>> (31 - ((end - 1) & 31))];
  if (from === to) {
    words[from] |= head & tail;
    return;
  }
  words[from] |= head;
  for (let i = from + 1; i < to; i++) words[i] = 0xffffffff;
  words[to] |= tail;
}

interface GivenLabels {
  /** u32 per run, from 0. */
  readonly labelsAt: number;
  readonly runs: number;
  readonly count: number;
  readonly foreground: number;
}

/** Components of runs whose labels are given. Strips are grouped into parts, each of which has a record for every label. */
async function labelRuns(
  pool: Pool,
  kept: ScratchScope,
  planes: Planes,
  connectivity: Connectivity,
  { labelsAt, runs, count, foreground }: GivenLabels,
): Promise<Labelled> {
  const rows = stripsOf(planes);
  const most = Math.floor(runs / RUNS_PER_RECORD / Math.max(1, count));
  const parts = Math.max(1, Math.min(rows.length, most));
  const strips: Strip[] = [];
  for (let part = 0; part < parts; part++) {
    const y0 = rows[Math.floor((part * rows.length) / parts)]?.y0 ?? 0;
    const y1 = rows[Math.floor(((part + 1) * rows.length) / parts) - 1]?.y1 ?? y0;
    strips.push({ y0, y1, base: part * count, count });
  }
  const size = parts * count;
  const joined = (parts - 1) * count;
  const mapAt = await kept.allocate(size * 4);
  const joinsAt = await kept.allocate(joined * 8);
  const firstsAt = await kept.allocate(Math.ceil(size / CHUNK) * 4);
  await runKernel(pool, "repeatLabels", { count, parts, map: mapAt, joins: joinsAt, firsts: firstsAt });
  const free = (): void => {
    kept.freeAll();
    freePlanes(pool, planes);
  };
  return {
    planes,
    connectivity,
    strips,
    labelsAt,
    mapAt,
    joinsAt,
    joined,
    firstsAt,
    size,
    count,
    foreground,
    runCount: runs,
    free,
  };
}

/**
 * Merges the objects that have the same new label in `into`. Merged objects are numbered in the order of their first
 * pixels; `values` are their new labels. Takes 4 bytes per pixel.
 */
export function mergeLabels(
  pool: Pool,
  labelled: Labelled,
  into: Uint32Array,
  owner: ImageOwner,
  call: Call,
): Promise<Found> {
  const { planes, mapAt, size, connectivity } = labelled;
  const { width, height, depth } = planes;
  return withScratch(pool, async (scope) => {
    const shape = { width, height, depth, channels: 1, type: "u32" as const };
    const at = await scope.allocate(PixelFeed.residentBytes(shape) + LAYOUT.labels.SLACK_BYTES, LEAD_BYTES);
    const map = new Uint32Array(size);
    await pool.read(mapAt, map);
    const merged = await scope.copyIn(map.map((label) => into[label - 1]));
    await expandLabels(pool, { ...labelled, mapAt: merged }, { at }, { ...call, timings: [] });
    return labelValues(pool, residentAt(at, shape, owner), connectivity, true, call);
  });
}
