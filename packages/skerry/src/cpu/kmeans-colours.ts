// The colours of an image in WebAssembly memory. They are counted into tables by key, one per thread and at most four.
// The tables are merged and laid out for the kernels (assembly/kmeans-points.ts). Classes of colours are mapped back to
// pixels.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { CONVERTED, type ColourList, KEYS, oklabOfKey, SPREAD } from "../core/colour-keys.js";
import { type Pixels, partOf, rowCount } from "../core/pixels.js";
import type { ColoursPlan } from "../core/plans.js";
import { OrderedWriter, writeRows } from "../core/sinks.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Sink } from "../types/raster.js";
import { bandBytes, bandsOf, inLanes, laneCount, PIXEL_BAND, type Rows, timed } from "./bands.js";
import { type KernelCall, kernelCall, runCall, runKernel } from "./kernels.js";
import { fenced } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { PixelFeed } from "./pixel-feed.js";

/** A table has 4 bytes per key, and 1 byte for each of this many cells of keys. */
const TABLE_BYTES = KEYS * 4;
const CELLS = 4096;

/** Maximum number of tables, each of up to 64 MiB. More threads share them. */
const MOST_TABLES = 4;

/** Colours per block and blocks per group. */
export const { BLOCK, GROUP } = LAYOUT.kmeans;
const { COLOUR_BYTES, BOX_BYTES } = LAYOUT.kmeans;

/** Colours in memory: `padded` is `count` in whole blocks. */
export interface Colours {
  readonly at: number;
  readonly count: number;
  readonly padded: number;
}

/** Number of groups of colours. The last group may be incomplete. */
export function groupCount({ padded }: Colours): number {
  return Math.ceil(padded / (BLOCK * GROUP));
}

/** Fewer colours are not worth a message to a worker. */
const LEAST_COLOURS = BLOCK * GROUP;

/** Cuts colours into ranges of whole blocks, a few for each thread. */
export function colourRanges(pool: Pool, total: number): { first: number; end: number; index: number }[] {
  return rangesOf(pool, total, Math.max(BLOCK, Math.min(LEAST_COLOURS, Math.ceil(total / BLOCK) * BLOCK)));
}

/** Cuts [0, total) into ranges whose bounds are multiples of `unit`, a few for each thread. */
export function rangesOf(pool: Pool, total: number, unit = 1): { first: number; end: number; index: number }[] {
  const step = Math.max(1, Math.ceil(total / unit / (pool.threads * 4))) * unit;
  const count = Math.ceil(total / step);
  return Array.from({ length: count }, (_, index) => {
    return { index, first: index * step, end: Math.min(total, (index + 1) * step) };
  });
}

/** Runs a kernel for each of some ranges. */
export async function eachRange(
  pool: Pool,
  call: Call,
  ranges: readonly { first: number; end: number; index: number }[],
  work: (first: number, end: number, index: number) => KernelCall,
): Promise<void> {
  await inLanes({ ...call, onProgress: undefined }, "colours", ranges, ranges.length, async ({ first, end, index }) => {
    await runCall(pool, work(first, end, index));
  });
}

/** All rows of u8 pixels, in bands. */
function pixelBands(pool: Pool, { shape }: Pixels): Rows[] {
  const rows = { y0: 0, y1: rowCount(shape) };
  return bandsOf(rows, shape.width * shape.channels, bandBytes(pool, shape, PIXEL_BAND));
}

/** Counts the colours of pixels. */
export function countColours(pool: Pool, pixels: Pixels, plan: ColoursPlan, call: Call): Promise<Colours> {
  return fenced(pool, plan.within, { ...call, timings: [] }, (fence) => countInside(pool, pixels, plan, fence, call));
}

async function countInside(pool: Pool, pixels: Pixels, plan: ColoursPlan, fence: number, call: Call): Promise<Colours> {
  const { width, channels } = pixels.shape;
  return withScratch(pool, async (scope) => {
    const bands = pixelBands(pool, pixels);
    const tables = Math.min(pool.threads, MOST_TABLES, bands.length);
    const lanes = Math.min(tables * 2, bands.length);
    const feed = await PixelFeed.open(scope, pixels, lanes, (bands[0] as { y1: number }).y1, call);
    const most = (bands[0] as { y1: number }).y1 * width * channels;
    const inside = await scope.lanes(fence ? lanes : 0, most);
    const rowBytes = Math.ceil(width / 64) * 8;
    const spread = await scope.copyIn(SPREAD);
    const counters = await scope.allocate(TABLE_BYTES * tables);
    const touched = await scope.copyIn(new Uint8Array(CELLS * tables));
    // A table has one writer at a time. Meanwhile another lane copies in its band.
    const turns = Array.from({ length: tables }, () => Promise.resolve<unknown>(undefined));
    const bytes = width * channels * rowCount(pixels.shape);
    await timed(call, "count colours", bytes, () =>
      inLanes(call, "colours", bands, lanes, async (band, lane) => {
        const table = lane % tables;
        const { pointer, input } = await feed.fetch(lane, band);
        if (input) await pool.write(input.pointer, input.array);
        const rows = band.y1 - band.y0;
        const given = { channels, src: pointer, width, rows, fence: fence + band.y0 * rowBytes };
        const [src, count] = fence
          ? [inside[lane], await runKernel(pool, "gatherInside", { ...given, dst: inside[lane] })]
          : [pointer, rows * width];
        const counted = turns[table].then(() =>
          runKernel(pool, "countColours", {
            channels,
            skip: plan.ignoreTransparent && channels === 4,
            src,
            pixels: count,
            spread,
            table: counters + table * TABLE_BYTES,
            touched: touched + table * CELLS,
          }),
        );
        turns[table] = counted.catch(() => undefined);
        await counted;
      }),
    );
    return timed(call, "lay out colours", 0, () =>
      layOut(pool, scope, { counters, touched, tables }, plan, channels, call),
    );
  });
}

/** Lays out the colours that the tables count. */
async function layOut(
  pool: Pool,
  scope: ScratchScope,
  { counters, touched, tables }: { counters: number; touched: number; tables: number },
  plan: ColoursPlan,
  channels: number,
  call: Call,
): Promise<Colours> {
  const cells = rangesOf(pool, CELLS);
  const offsets = new Uint32Array(CELLS);
  const sizes = await scope.allocate(CELLS * 4);
  await eachRange(pool, call, cells, (first, end) =>
    kernelCall("sizeCells", { tables: counters, touched, count: tables, first, end, sizes }),
  );
  await pool.read(sizes, offsets);
  let count = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    const size = offsets[cell];
    offsets[cell] = count;
    count += size;
  }
  await pool.write(sizes, offsets);
  return place(pool, count, plan, channels, call, (colours) =>
    eachRange(pool, call, cells, (first, end) =>
      kernelCall("emitColours", {
        table: counters,
        touched,
        first,
        end,
        offsets: sizes,
        colours: colours.at,
        padded: colours.padded,
      }),
    ),
  );
}

/** Colours from a list. */
export function placeColours(
  pool: Pool,
  { keys, weights }: ColourList,
  plan: ColoursPlan,
  channels: number,
  call: Call,
): Promise<Colours> {
  return place(pool, keys.length, plan, channels, call, async ({ at, padded }) => {
    await pool.write(at + padded * 8, weights);
    await pool.write(at + padded * 12, keys);
  });
}

/** Allocates colours, calls `fill` to write their keys and weights, and derives points and boxes. */
async function place(
  pool: Pool,
  count: number,
  { space }: ColoursPlan,
  channels: number,
  call: Call,
  fill: (colours: Colours) => Promise<void>,
): Promise<Colours> {
  const padded = Math.ceil(count / BLOCK) * BLOCK;
  const blocks = padded / BLOCK;
  const at = await pool.allocate(padded * COLOUR_BYTES + (blocks + Math.ceil(blocks / GROUP)) * BOX_BYTES);
  const colours = { at, count, padded };
  try {
    await pool.write(at + padded * 8 + count * 4, new Uint32Array(padded - count));
    await fill(colours);
    if (space.name === "oklab") await writeOklab(pool, colours, channels, space.fraction, call);
    else {
      await eachRange(pool, call, colourRanges(pool, padded), (first, end) =>
        kernelCall("placeColours", { colours: at, padded, count, first, end, shift: space.fraction }),
      );
    }
    await eachRange(pool, call, rangesOf(pool, groupCount(colours)), (first, end) =>
      kernelCall("boxColours", { colours: at, padded, first, end }),
    );
    return colours;
  } catch (error) {
    pool.free(at);
    throw error;
  }
}

/** Writes the points of colours in Oklab. */
async function writeOklab(
  pool: Pool,
  { at, count, padded }: Colours,
  channels: number,
  fraction: number,
  call: Call,
): Promise<void> {
  const keys = new Uint32Array(count);
  await pool.read(at + padded * 12, keys);
  const part = Math.min(padded, CONVERTED);
  const xy = new Uint32Array(part);
  const zs = new Uint32Array(part);
  for (let from = 0; from < padded; from += part) {
    call.signal?.throwIfAborted();
    const end = Math.min(padded, from + part);
    for (let i = from; i < end; i++) {
      const lab = oklabOfKey(keys[Math.min(i, count - 1)], channels);
      xy[i - from] = ((lab & 1023) | (((lab >> 10) & 1023) << 16)) << fraction;
      zs[i - from] = (lab >> 20) << fraction;
    }
    await pool.write(at + from * 4, xy.subarray(0, end - from));
    await pool.write(at + padded * 4 + from * 4, zs.subarray(0, end - from));
    await turn();
  }
}

/** Writes the class names of pixels: first a table of the colours' class names by key, then one look-up per pixel. */
export function writeClasses(
  pool: Pool,
  pixels: Pixels,
  plan: ColoursPlan,
  colours: Colours,
  classes: number,
  names: Uint8Array,
  into: Uint8Array | Sink<Uint8Array>,
  call: Call,
): Promise<void> {
  return fenced(pool, plan.within, { ...call, timings: [] }, (fence) =>
    writeInside(pool, pixels, { skip: plan.ignoreTransparent, fence }, colours, classes, names, into, call),
  );
}

async function writeInside(
  pool: Pool,
  pixels: Pixels,
  { skip, fence }: { readonly skip: boolean; readonly fence: number },
  { at, count, padded }: Colours,
  classes: number,
  names: Uint8Array,
  into: Uint8Array | Sink<Uint8Array>,
  call: Call,
): Promise<void> {
  const { width, channels } = pixels.shape;
  await withScratch(pool, async (scope) => {
    const table = await scope.allocate(KEYS);
    const spread = await scope.copyIn(SPREAD);
    const called = await scope.copyIn(names);
    await eachRange(pool, call, colourRanges(pool, count), (first, end) =>
      kernelCall("nameColours", { colours: at, padded, first, end, classes, names: called, table }),
    );
    const bands = pixelBands(pool, pixels);
    const lanes = Math.min(laneCount(pool), bands.length);
    const rows = (bands[0] as { y1: number }).y1;
    const feed = await PixelFeed.open(scope, pixels, lanes, rows, call);
    const slots = await scope.lanes(lanes, rows * width);
    const staging = into instanceof Uint8Array ? [] : slots.map(() => new Uint8Array(rows * width));
    const order = new OrderedWriter();
    await timed(call, "classes of pixels", rowCount(pixels.shape) * width * (channels + 1), () =>
      inLanes(call, "classes", bands, lanes, async (band, lane) => {
        const { y0, y1 } = band;
        const { pointer, input } = await feed.fetch(lane, band);
        const slot = slots[lane];
        const count = (y1 - y0) * width;
        const args = { channels, skip: skip && channels === 4, src: pointer, pixels: count, spread, table, dst: slot };
        const find = async (array: Uint8Array): Promise<number> => {
          const output = { pointer: slot, array };
          if (!fence) return runKernel(pool, "lookUpColours", args, { input, output });
          await runKernel(pool, "lookUpColours", args, { input });
          const given = { classes: slot, width, rows: y1 - y0, fence: fence + y0 * Math.ceil(width / 64) * 8 };
          return runKernel(pool, "clearOutsideClasses", given, { output });
        };
        if (into instanceof Uint8Array) {
          await find(partOf(into, y0 * width, y1 * width));
          return;
        }
        const array = (staging[lane] as Uint8Array).subarray(0, (y1 - y0) * width);
        await order.write(find(array), () => writeRows(into, pixels.shape, y0, array));
      }),
    );
  });
}
