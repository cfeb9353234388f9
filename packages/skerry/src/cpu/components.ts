// From bits to components: runs are counted, each strip of rows (or slab of slices) is labelled on its own, and strips
// are joined at their seams. The cut into strips depends only on the image's size. So any number of threads computes
// the same sums in the same order.

import type { Call } from "../core/call.js";
import { LAYOUT } from "../generated/kernels.js";
import { OutOfMemory } from "../types/errors.js";
import type { Connectivity } from "../types/raster.js";
import { inLanes, type Rows, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { ScratchScope, withScratch } from "./memory/scratch.js";
import { freePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";

/** Minimum number of pixels per strip: smaller strips cost more than they save. */
const STRIP_PIXELS = 1 << 18;
const MAX_STRIPS = 32;

/** Maximum number of slabs. One thread joins their seams, which are whole slices. */
const MAX_SLABS = 16;

/** Number of strips' components per entry of the table at `firstsAt`. */
export const { CHUNK } = LAYOUT.regions;

/** A strip of rows and its components, numbers [base, base + count) of all strips' components. */
export interface Strip extends Rows {
  readonly base: number;
  readonly count: number;
}

/** Labelled bits in WebAssembly memory; every name ending in `At` is an address. */
export interface Labelled {
  readonly planes: Planes;
  readonly connectivity: Connectivity;
  readonly strips: readonly Strip[];
  /** u32 per run: its strip's component, from 0. */
  readonly labelsAt: number;
  /** u32 per strip's component: its label, from 1. */
  readonly mapAt: number;
  /** Pairs of u32: a strip's component that a seam joined, and the one that it was joined to. */
  readonly joinsAt: number;
  readonly joined: number;
  /** u32 per CHUNK of strips' components: how many labels come before. */
  readonly firstsAt: number;
  /** Number of components of all strips, before joining. */
  readonly size: number;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  free(): void;
}

/** Arguments of every kernel over labelled rows: planes, rows, the rows' first runs, all runs' labels. */
export function rowsArguments({ planes, labelsAt }: Labelled, { y0, y1 }: Rows) {
  const { first, second, width, offsetsAt } = planes;
  return { bits: first, bits2: second, width, y0, y1, offsets: offsetsAt, labels: labelsAt };
}

/**
 * Cuts rows into strips, by the image's size alone. For planes with a window, returns only the parts of strips that lie
 * in the window, so sums are the same as for whole planes.
 */
export function stripsOf(planes: Pick<Planes, "width" | "height" | "depth" | "rows" | "window">): Rows[] {
  const { width, height, depth } = planes;
  const { y0, y1 } = rowsOf(planes);
  const [fixed, most] = depth > 1 ? [height, Math.min(MAX_SLABS, depth)] : [1, Math.min(MAX_STRIPS, height)];
  const wanted = Math.min(most, Math.max(1, Math.ceil((width * height * depth) / STRIP_PIXELS)));
  const rows = Math.ceil(planes.rows / fixed / wanted) * fixed;
  const strips: Rows[] = [];
  for (let y = y0 - (y0 % rows); y < y1; y += rows) strips.push({ y0: Math.max(y, y0), y1: Math.min(y + rows, y1) });
  return strips;
}

/**
 * Labels planes and takes ownership of them: they are freed with the result, or at once if this fails. If the runs are
 * counted already, `counted` is the number of foreground pixels.
 *
 * Reads the bits once or twice (N / 8 bytes each) and writes 4 bytes for each of R runs. Counting is bound by memory,
 * joining by R. Peak memory besides the bits: 4 bytes per row, 4 per run, and up to 12 per strip's component.
 */
export async function labelPlanes(
  pool: Pool,
  planes: Planes,
  connectivity: Connectivity,
  call: Call,
  counted?: number,
): Promise<Labelled> {
  const scope = new ScratchScope(pool);
  const free = (): void => {
    scope.freeAll();
    freePlanes(pool, planes);
  };
  try {
    return { ...(await label(pool, scope, planes, connectivity, call, counted)), free };
  } catch (error) {
    free();
    throw error;
  }
}

async function label(
  pool: Pool,
  scope: ScratchScope,
  planes: Planes,
  connectivity: Connectivity,
  call: Call,
  counted: number | undefined,
): Promise<Omit<Labelled, "free">> {
  const { width, height, depth, words, first, second, offsetsAt, links } = planes;
  const rows = stripsOf(planes);
  if (planes.window) await runKernel(pool, "fillBytes", { dst: offsetsAt, value: 0, bytes: planes.rows * 4 });
  const foreground = counted ?? (await countRuns(pool, planes, rows, call));
  const runCount = await placeRuns(pool, planes);
  const labelsAt = await scope.allocate(runCount * 4);
  const tables = { offsets: offsetsAt, labels: labelsAt };
  const how = {
    bits: first,
    bits2: second,
    words,
    height,
    connectivity,
    links: links?.at ?? 0,
    plane: planeBytes(planes),
    ...tables,
  };
  const counts = new Uint32Array(rows.length);
  const inPairs = joinsPairs(planes, connectivity, runCount);
  await withScratch(pool, async (inner) => {
    const lanes = Math.min(pool.threads * 2, rows.length);
    const parents = await inner.lanes(inPairs ? lanes : 0, pairsBytes(planes, rows));
    await timed(call, "label strips", planeBytes(planes) + runCount * 8, () =>
      inLanes(call, "label strips", rows, lanes, async ({ y0, y1 }, lane, index) => {
        counts[index] = await (inPairs
          ? runKernel(pool, "labelPairs", { bits: first, words, y0, y1, ...tables, parents: parents[lane] })
          : runKernel(pool, "labelStrip", { ...how, y0, y1 }));
      }),
    );
  });
  let size = 0;
  const strips = rows.map((strip, index) => {
    const base = size;
    size += counts[index];
    return { ...strip, base, count: counts[index] };
  });
  const mapAt = await scope.allocate(size * 4);
  const firstsAt = await scope.allocate(Math.ceil(size / CHUNK) * 4);
  // A seam joins at most as many components as its rows have runs. A row has at most one run per two pixels, or one run
  // per pixel if runs are linked.
  const seamRows = depth > 1 ? height : 1;
  const joinsAt = await scope.allocate(Math.min(size, (strips.length - 1) * seamRows * 2 * (width + 2)) * 8);
  const tableAt = await scope.allocate(strips.length * 8);
  const count = await timed(call, "join seams", size * 8, async () => {
    await pool.write(tableAt, Uint32Array.from(strips.flatMap(({ y0, base }) => [y0, base])));
    await runKernel(pool, "joinStrips", { ...how, table: tableAt, strips: strips.length, seamRows, map: mapAt, size });
    return runKernel(pool, "numberComponents", { map: mapAt, size, joins: joinsAt, firsts: firstsAt });
  });
  const joined = size - count;
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
    runCount,
  };
}

/** Minimum number of runs in 64 pixels for joining two rows at once: with fewer, looking at both takes longer than uniting each. */
const PAIRED_RUNS = 4;

/** Whether two rows are joined at once: in images of one plane with 8 neighbours, and many runs. */
export function joinsPairs(
  { words, rows, second, links }: Pick<Planes, "words" | "rows" | "second" | "links">,
  connectivity: Connectivity,
  runCount: number,
): boolean {
  return connectivity === 8 && !second && !links && runCount >= PAIRED_RUNS * words * rows;
}

/** Bytes of scratch for joining pairs of rows of any strip: a number per wide run, at most one for two pixels of two rows. */
export function pairsBytes({ words }: Pick<Planes, "words">, strips: readonly Rows[]): number {
  const most = strips.reduce((all, { y0, y1 }) => Math.max(all, y1 - y0), 0);
  return Math.ceil(most / 2) * words * 128;
}

/** Turns the run counts of rows into the numbers of their first runs, and returns the number of all runs. */
export async function placeRuns(pool: Pool, { offsetsAt, rows }: Planes): Promise<number> {
  const runs = await runKernel(pool, "prefixRows", { counts: offsetsAt, height: rows });
  if (runs * 4 < 2 ** 32) return runs;
  throw new OutOfMemory(
    `Expected the run table to fit 4 GiB of WebAssembly memory, but ${runs} runs take ${runs * 4} bytes.`,
    { bytes: runs * 4, limit: 2 ** 32 },
  );
}

/** Counts the runs of every row, and resolves to the number of foreground pixels. */
export async function countRuns(pool: Pool, planes: Planes, rows: readonly Rows[], call: Call): Promise<number> {
  const { words, first, second, offsetsAt } = planes;
  let foreground = 0;
  await timed(call, "count runs", planeBytes(planes), () =>
    inLanes(call, "count runs", rows, pool.threads * 2, async ({ y0, y1 }) => {
      const pixels = await runKernel(pool, "countRows", {
        bits: first,
        bits2: second,
        words,
        y0,
        y1,
        counts: offsetsAt,
      });
      foreground += pixels;
    }),
  );
  return foreground;
}

/** The label of pixel x of row y; 0 for background. */
export async function labelAt(pool: Pool, labelled: Labelled, x: number, y: number): Promise<number> {
  const { planes, labelsAt, mapAt, strips } = labelled;
  const strip = strips.find(({ y0, y1 }) => y >= y0 && y < y1);
  if (!strip) return 0;
  const labelOut = await runKernel(pool, "labelAt", {
    bits: planes.first,
    bits2: planes.second,
    width: planes.width,
    x,
    y,
    offsets: planes.offsetsAt,
    labels: labelsAt,
  });
  if (labelOut < 0) return 0;
  const label = new Uint32Array(1);
  await pool.read(mapAt + (strip.base + labelOut) * 4, label);
  return label[0];
}
