// Components by value: pixels join if their values match. Workers receive each band together with the rows before it,
// and write two planes of runs, link bits, and the runs' values.

import type { Call } from "../core/call.js";
import { type Match, matchNeighbour } from "../core/colour-match.js";
import { type Bits, LINK_PLANES, newPixels, PIXEL_BYTES, type Pixels, rowCount, type Shape } from "../core/pixels.js";
import type { Linkage } from "../core/plans.js";
import type { Connectivity, PixelArray } from "../types/raster.js";
import { bandBytes, bandsOf, inLanes, laneCount, listBytes, PIXEL_BAND, SLAB_BAND, timed } from "./bands.js";
import type { Labelled } from "./components.js";
import { MATCH_BYTES, writeMatch } from "./fill-match.js";
import { runKernel } from "./kernels.js";
import { fenced } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { PixelFeed } from "./pixel-feed.js";
import { freeLinks, type Links, makePlanes, type Packed, type Planes, planeBytes } from "./planes.js";

/** Pixels of background that a kernel compares with at once. */
const WORD = 64;

/** The rule by which pixels join: a test on their difference, and its bound if all channels share one. */
export interface Linking {
  readonly match: Match;
  readonly tolerance: number;
  readonly background: readonly number[] | undefined;
  /** A second value of the background. */
  readonly except?: number | undefined;
  /** Pixels outside are background. */
  readonly within?: Bits | undefined;
}

/** The linking of components by value or tolerance. */
export function linkingOf({ tolerance, background, except, within }: Linkage, { type, channels }: Shape): Linking {
  const bounds = Array.from({ length: channels }, () => tolerance);
  const match = matchNeighbour({ metric: "linf", lower: bounds, upper: bounds }, type);
  // Integers differ by whole numbers.
  return { match, tolerance: type === "f32" ? tolerance : Math.floor(tolerance), background, except, within };
}

/** Values of the runs from row `y0` on, at an address. */
interface Values {
  readonly y0: number;
  readonly at: number;
  readonly bytes: number;
}

/** Counted planes with links, and the values of their runs. The scope that was given for the values frees them. */
export interface Linked extends Packed {
  readonly values: readonly Values[];
}

/**
 * Tests every pixel against its earlier neighbours. Reads each pixel once; each band also rereads the row before it, in a
 * volume with the slice before it. Writes N / 8 bytes for each neighbour in earlier rows, and N / 4 for two planes. With
 * `kept`, the first pixels of all runs are stored in that scope.
 */
export async function linkPixels(
  pool: Pool,
  pixels: Pixels,
  linking: Linking,
  connectivity: Connectivity,
  call: Call,
  kept?: ScratchScope,
): Promise<Linked> {
  const { shape } = pixels;
  const bytes = planeBytes({ words: Math.ceil(shape.width / 64), rows: rowCount(shape) });
  // This function holds the links until the planes do, or until creating the planes fails.
  const links: Links = { at: await pool.allocate(LINK_PLANES[connectivity] * bytes), holders: new Set() };
  links.holders.add(links);
  const values: Values[] = [];
  let foreground = 0;
  try {
    const planes = await fenced(pool, linking.within, call, (fence) =>
      makePlanes(
        pool,
        shape,
        2,
        async (planes) => {
          const given = { pixels, linking, connectivity, planes, links: links.at, fence };
          foreground = await linkBands(pool, given, call, kept && { scope: kept, values });
        },
        links,
      ),
    );
    return { planes, foreground, values };
  } finally {
    freeLinks(pool, links, links);
  }
}

interface LinkedBands {
  readonly pixels: Pixels;
  readonly linking: Linking;
  readonly connectivity: Connectivity;
  readonly planes: Planes;
  readonly links: number;
  readonly fence: number;
}

/** Writes planes and links band by band, and with `kept` the runs' values. Resolves to the number of foreground pixels. */
async function linkBands(
  pool: Pool,
  { pixels, linking, connectivity, planes, links, fence }: LinkedBands,
  call: Call,
  kept: { readonly scope: ScratchScope; readonly values: Values[] } | undefined,
): Promise<number> {
  const { shape } = pixels;
  const { width, height, depth, channels, type } = shape;
  const rows = rowCount(shape);
  const plane = planeBytes({ words: planes.words, rows });
  const step = channels * PIXEL_BYTES[type];
  const rowBytes = width * step;
  let foreground = 0;
  await withScratch(pool, async (scope) => {
    const test = await placeTest(pool, scope, linking, shape);
    const halo = depth > 1 ? height + 1 : 1;
    const size = Math.max(bandBytes(pool, shape, PIXEL_BAND), depth > 1 ? SLAB_BAND : 0);
    const bands = bandsOf({ y0: 0, y1: rows }, rowBytes, size);
    const lanes = Math.min(laneCount(pool), bands.length);
    const feed = await PixelFeed.open(scope, pixels, lanes, (bands[0] as { y1: number }).y1 + halo, call);
    const lists = await scope.lanes(kept ? lanes : 0, listBytes(width));
    await timed(call, "link", rows * rowBytes + (LINK_PLANES[connectivity] + 2) * plane, () =>
      inLanes(call, "link", bands, lanes, async ({ y0, y1 }, lane) => {
        const before = Math.min(halo, y0);
        const { pointer, input } = await feed.fetch(lane, { y0: y0 - before, y1 });
        const src = pointer + before * rowBytes;
        const counts = planes.offsetsAt + y0 * 4;
        const bandRows = { src, y0, rows: y1 - y0, width, height, connectivity, counts, fence };
        const out = { bits: planes.first, bits2: planes.second, links, plane };
        // Bands run concurrently, so `foreground` must be read after the await, not before.
        const found = await runKernel(pool, "linkRows", { ...test, ...bandRows, ...out }, { input });
        foreground += found;
        if (!kept) return;
        const block = { y0, bytes: (await runKernel(pool, "sumRows", { counts, rows: y1 - y0 })) * step };
        const at = await kept.scope.allocate(block.bytes);
        const first = y0 * planes.words * 8;
        await runKernel(pool, "emitValues", {
          bits: planes.first + first,
          bits2: planes.second + first,
          width,
          rows: y1 - y0,
          src,
          step,
          out: at,
          list: lists[lane],
        });
        kept.values.push({ ...block, at });
      }),
    );
  });
  return foreground;
}

/** Writes the match blocks and background pixels with which pixels are compared. */
async function placeTest(pool: Pool, scope: ScratchScope, linking: Linking, shape: Shape) {
  const { match: given, tolerance, background: none, except: left } = linking;
  const background = await placeBackground(scope, none, shape);
  const except = await placeBackground(scope, left === undefined ? undefined : [left], shape);
  const [match, equal] = (await scope.lanes(2, MATCH_BYTES)) as [number, number];
  await writeTest(pool, match, given, shape);
  await writeTest(pool, equal, linkingOf({ tolerance: 0, background: undefined }, shape).match, shape);
  return { match, tolerance, equal, background, except };
}

async function writeTest(pool: Pool, at: number, match: Match, shape: Shape): Promise<void> {
  const block = new DataView(new ArrayBuffer(MATCH_BYTES));
  writeMatch(block, match, shape, true);
  await pool.write(at, block);
}

/** Address of a word of background pixels; 0 without a background, or if no pixel can have its value. */
async function placeBackground(
  scope: ScratchScope,
  background: readonly number[] | undefined,
  { channels, type }: Shape,
): Promise<number> {
  if (!background) return 0;
  const pixels = newPixels(type, WORD * channels);
  for (let i = 0; i < pixels.length; i++) pixels[i] = background[i % channels];
  if (background.some((value, channel) => pixels[channel] !== value)) return 0;
  return scope.copyIn(pixels);
}

/** The value of each object: that of its first pixel. Takes memory for a second copy of all runs' values. */
export async function valuesOf(
  pool: Pool,
  { planes, strips, labelsAt, mapAt, size, count, runCount }: Labelled,
  values: readonly Values[],
  { channels, type }: Shape,
): Promise<PixelArray> {
  const step = channels * PIXEL_BYTES[type];
  const found = newPixels(type, count * channels);
  await withScratch(pool, async (scope) => {
    const valuesAt = await scope.allocate(runCount * step);
    const ownAt = await scope.allocate(size * step);
    const offsets = new Uint32Array(planes.rows + 1);
    await pool.read(planes.offsetsAt, offsets);
    for (const { y0, at, bytes } of values) {
      await runKernel(pool, "copyBytes", { dst: valuesAt + offsets[y0] * step, src: at, bytes });
    }
    for (const { y0, y1, base } of strips) {
      const [from, to] = [offsets[y0], offsets[y1]];
      await runKernel(pool, "firstValues", {
        labels: labelsAt + from * 4,
        runs: to - from,
        values: valuesAt + from * step,
        step,
        out: ownAt + base * step,
      });
    }
    await runKernel(pool, "gatherValues", { map: mapAt, size, values: ownAt, step });
    await pool.read(ownAt, found);
  });
  return found;
}
