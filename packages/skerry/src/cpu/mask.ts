// Pixels to bits: bands go to the workers, each of which writes its rows of the bit planes.

import type { Call } from "../core/call.js";
import { type Bits, type Pixels, partOf, rowCount, type Size, TYPE_CODE } from "../core/pixels.js";
import type { Predicate } from "../core/plans.js";
import { bandBytes, bandsOf, inLanes, laneCount, PIXEL_BAND, type Rows, timed } from "./bands.js";
import { type KernelCall, kernelCall, runCall, runKernel } from "./kernels.js";
import { PixelFeed } from "./pixel-feed.js";
import type { Pool } from "./pool.js";
import { ScratchScope, withScratch } from "./scratch.js";

/** Bits that link pixels to those of earlier rows, one plane for each way; shared by the planes of one raster. */
export interface Links {
  readonly at: number;
  /** The objects that hold the links; the last one to release them frees them. */
  readonly holders: Set<object>;
}

/** Bit planes in WebAssembly memory; `second` is 0 when there is one class. Rows are counted through all slices. */
export interface Planes extends Size {
  /** All slices' rows. */
  readonly rows: number;
  /** 64-bit words per row. */
  readonly words: number;
  readonly first: number;
  readonly second: number;
  /** u32 per row and one more: runs per row when counted, the numbers of the rows' first runs when labelled. */
  readonly offsetsAt: number;
  /** Rows [y0, y1) that hold valid bits. Other rows are logically empty and their memory is uninitialised. */
  readonly window?: Rows | undefined;
  /** Set if pixels join by value. */
  readonly links?: Links | undefined;
  /** Set if runs may touch: touching runs alternate between the two planes. Without links they carry given labels. */
  readonly touching?: boolean | undefined;
}

/** The rows of planes that may hold something. */
export function rowsOf({ rows, window }: Pick<Planes, "rows" | "window">): Rows {
  return window ?? { y0: 0, y1: rows };
}

export function planeBytes({ words, rows }: { words: number; rows: number }): number {
  return words * 8 * rows;
}

/** Bytes that {@link allocatePlanes} reserves. */
export function planesBytes({ width, height, depth }: Size, classes: 1 | 2): number {
  const rows = height * depth;
  return classes * planeBytes({ words: Math.ceil(width / 64), rows }) + (rows + 1) * 4 + 4 * 64;
}

/** Bytes in flight while pixels, or given bits, are packed into planes: bands, and rows read from a source. */
export function packingBytes(pool: Pool, input: Pixels | Bits): number {
  if (input.kind === "mask") return laneCount(pool) * bandBytes(pool, input, PIXEL_BAND);
  if (input.kind === "image") return 0;
  const { shape } = input;
  const values = Math.max(bandBytes(pool, shape, PIXEL_BAND), PixelFeed.scratchBytes(shape) * shape.channels);
  const staged = input.kind === "source" ? 2 : 1;
  return laneCount(pool) * (values * staged + (shape.channels > 1 ? PixelFeed.scratchBytes(shape) : 0) + 64);
}

/** Allocates `classes` planes, whose contents are uninitialised. */
export async function allocatePlanes(
  pool: Pool,
  { width, height, depth }: Size,
  classes: 1 | 2,
  links?: Links,
): Promise<Planes> {
  const words = Math.ceil(width / 64);
  const rows = height * depth;
  const scope = new ScratchScope(pool);
  try {
    const first = await scope.allocate(planeBytes({ words, rows }));
    const second = classes === 2 ? await scope.allocate(planeBytes({ words, rows })) : 0;
    const offsetsAt = await scope.allocate((rows + 1) * 4);
    const touching = links !== undefined;
    const planes = { width, height, depth, rows, words, first, second, offsetsAt, links, touching };
    links?.holders.add(planes);
    return planes;
  } catch (error) {
    scope.freeAll();
    throw error;
  }
}

export function freePlanes(pool: Pool, planes: Planes): void {
  const { first, second, offsetsAt, links } = planes;
  pool.free(first);
  if (second) pool.free(second);
  pool.free(offsetsAt);
  if (links) freeLinks(pool, links, planes);
}

/** Removes a holder of links, and frees them with the last one. */
export function freeLinks(pool: Pool, { at, holders }: Links, holder: object): void {
  if (holders.delete(holder) && holders.size === 0) pool.free(at);
}

/** Makes planes and fills them with `fill`; when that fails they are released. */
export async function makePlanes(
  pool: Pool,
  size: Size,
  classes: 1 | 2,
  fill: (planes: Planes) => Promise<void>,
  links?: Links,
): Promise<Planes> {
  const planes = await allocatePlanes(pool, size, classes, links);
  try {
    await fill(planes);
    return planes;
  } catch (error) {
    freePlanes(pool, planes);
    throw error;
  }
}

/** Planes whose runs are counted, and their foreground pixels. */
export interface Packed {
  readonly planes: Planes;
  readonly foreground: number;
}

/** A kernel that packs a band of pixels, by name, and its arguments; `lane` tells bands that are packed at once apart. */
type PackBand = (planes: Planes, band: Rows, pointer: number, lane: number) => KernelCall;

/** Packs all bands of pixels into planes of `classes`, and counts runs; a kernel's result is foreground. */
export async function packBands(
  pool: Pool,
  pixels: Pixels,
  classes: 1 | 2,
  call: Call,
  pack: PackBand,
): Promise<Packed> {
  const { shape } = pixels;
  let foreground = 0;
  const planes = await makePlanes(pool, shape, classes, (planes) =>
    withScratch(pool, async (scope) => {
      const bands = pixelBands(pool, pixels);
      const lanes = Math.min(laneCount(pool), bands.length);
      const feed = await PixelFeed.open(scope, pixels, lanes, bands[0]?.y1 ?? 1, call);
      await timed(call, "pack", rowCount(shape) * feed.rowBytes + planeBytes(planes), () =>
        inLanes(call, "pack", bands, lanes, async (band, lane) => {
          const { pointer, input } = await feed.fetch(lane, band);
          const found = await runCall(pool, pack(planes, band, pointer, lane), { input });
          foreground += found;
        }),
      );
    }),
  );
  return { planes, foreground };
}

function pixelBands(pool: Pool, { shape }: Pixels): Rows[] {
  return bandsOf(
    { y0: 0, y1: rowCount(shape) },
    PixelFeed.scratchBytes(shape) * shape.channels,
    bandBytes(pool, shape, PIXEL_BAND),
  );
}

/** Tests every pixel and counts runs. Reads each pixel once: N bytes in, N / 8 out per class. */
export async function packPixels(pool: Pool, pixels: Pixels, predicate: Predicate, call: Call): Promise<Packed> {
  return fenced(pool, predicate.within, call, (fence) => packFenced(pool, pixels, predicate, fence, call));
}

/** Calls `work` with the address of a fence's plane, or with 0 if there is no fence. */
export async function fenced<T>(
  pool: Pool,
  within: Bits | undefined,
  call: Call,
  work: (fence: number) => Promise<T>,
): Promise<T> {
  if (!within) return work(0);
  const planes = await unpackMask(pool, within, call);
  try {
    return await work(planes.first);
  } finally {
    freePlanes(pool, planes);
  }
}

async function packFenced(
  pool: Pool,
  pixels: Pixels,
  predicate: Predicate,
  fence: number,
  call: Call,
): Promise<Packed> {
  const { width, channels, type } = pixels.shape;
  const { except } = predicate;
  const [one, two] = predicate.classes;
  if (!one) throw new RangeError("a predicate has one or two classes");
  return withScratch(pool, async (scope) => {
    const lanes = Math.min(laneCount(pool), pixelBands(pool, pixels).length);
    const scratch = await scope.lanes(channels > 1 ? lanes : 0, PixelFeed.scratchBytes(pixels.shape));
    const excepted = await scope.lanes(except === undefined ? 0 : lanes, Math.ceil(width / 64) * 8);
    return packBands(pool, pixels, two ? 2 : 1, call, (planes, { y0, y1 }, pointer, lane) => {
      const at = y0 * planes.words * 8;
      return kernelCall("packRows", {
        ...{ type: TYPE_CODE[type], channels, src: pointer, rows: y1 - y0, width, any: predicate.any },
        ...{ lo: one.lo, hi: one.hi, invert: one.invert, dst: planes.first + at },
        ...{ lo2: two?.lo ?? 0, hi2: two?.hi ?? 0, invert2: two?.invert ?? false, dst2: two ? planes.second + at : 0 },
        ...{ counts: planes.offsetsAt + y0 * 4, scratch: scratch[lane] ?? 0 },
        ...{ except: except ?? 0, excepted: excepted[lane] ?? 0, fence: fence && fence + at },
      });
    });
  });
}

/** Copies given bits, of one class or two, into planes. */
export function unpackMask(pool: Pool, mask: Bits, call: Call): Promise<Planes> {
  const { bits, second } = mask;
  return makePlanes(pool, mask, second ? 2 : 1, async (planes) => {
    await unpackPlane(pool, planes, bits, planes.first, call);
    if (second) await unpackPlane(pool, planes, second, planes.second, call);
  });
}

function unpackPlane(pool: Pool, planes: Planes, bits: Uint32Array, planeAt: number, call: Call): Promise<void> {
  const { width, rows } = planes;
  const words32 = Math.ceil(width / 32);
  return withScratch(pool, async (scope) => {
    const bands = bandsOf({ y0: 0, y1: rows }, words32 * 4, bandBytes(pool, planes, PIXEL_BAND));
    const lanes = Math.min(laneCount(pool), bands.length);
    const slots = await scope.lanes(lanes, (bands[0] as { y1: number }).y1 * words32 * 4);
    await timed(call, "pack", bits.byteLength + planeBytes(planes), () =>
      inLanes(call, "pack", bands, lanes, async ({ y0, y1 }, lane) => {
        const pointer = slots[lane];
        const array = partOf(bits, y0 * words32, y1 * words32);
        await runKernel(
          pool,
          "copyBits",
          { src: pointer, rows: y1 - y0, width, dst: planeAt + y0 * planes.words * 8 },
          {
            input: { pointer, array },
          },
        );
      }),
    );
  });
}

/** Clears the rows outside [y0, y1), the window of these planes or of others of the same size. */
export async function clearOutside(pool: Pool, planes: Planes, { y0, y1 }: Rows): Promise<void> {
  const stride = planes.words * 8;
  for (const at of [planes.first, planes.second]) {
    if (!at) continue;
    if (y0 > 0) await runKernel(pool, "fillBytes", { dst: at, value: 0, bytes: y0 * stride });
    if (y1 < planes.rows)
      await runKernel(pool, "fillBytes", { dst: at + y1 * stride, value: 0, bytes: (planes.rows - y1) * stride });
  }
}

/** Writes the bits of one plane, or with `which` 0 of all, as a public Mask's words; `into` is all 0 before. */
export function exportMask(pool: Pool, planes: Planes, which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void> {
  const { width, words, first, second, touching } = planes;
  const main = which === 2 ? second : first;
  const other = which === 0 || touching ? second : 0;
  return exportRows(pool, planes, "mask", into, call, ({ y0, y1 }, pointer) => {
    const at = y0 * words * 8;
    return kernelCall("exportBits", {
      src: main + at,
      src2: other ? other + at : 0,
      rows: y1 - y0,
      width,
      dst: pointer,
    });
  });
}

/** Writes the foreground pixels with background beside them as the words of a public Mask. `into` must be all 0. */
export async function exportSurface(
  pool: Pool,
  planes: Planes,
  border: boolean,
  into: Uint32Array,
  call: Call,
): Promise<void> {
  const { width, height, depth, first, second } = planes;
  await clearOutside(pool, planes, rowsOf(planes));
  await exportRows(pool, planes, "surface", into, call, ({ y0, y1 }, pointer) => {
    return kernelCall("surfaceRows", {
      bits: first,
      bits2: second,
      width,
      y0,
      y1,
      height,
      depth,
      border,
      out: pointer,
    });
  });
}

/** Runs a kernel that writes bands of 32-bit words, and copies them to `into`. */
async function exportRows(
  pool: Pool,
  planes: Planes,
  stage: string,
  into: Uint32Array,
  call: Call,
  write: (band: Rows, pointer: number) => KernelCall,
): Promise<void> {
  const words32 = Math.ceil(planes.width / 32);
  await withScratch(pool, async (scope) => {
    const bands = bandsOf(rowsOf(planes), words32 * 4, bandBytes(pool, planes, PIXEL_BAND));
    const lanes = Math.min(laneCount(pool), bands.length);
    const slots = await scope.lanes(
      lanes,
      bands.reduce((rows, { y0, y1 }) => Math.max(rows, y1 - y0), 0) * words32 * 4,
    );
    await timed(call, stage, into.byteLength + planeBytes(planes), () =>
      inLanes(call, stage, bands, lanes, async (band, lane) => {
        const pointer = slots[lane];
        await runCall(pool, write(band, pointer), {
          output: { pointer, array: partOf(into, band.y0 * words32, band.y1 * words32) },
        });
      }),
    );
  });
}

/** Planes as bits on the host, of one class or of both. */
export async function readBits(pool: Pool, planes: Planes, both: boolean, call: Call): Promise<Bits> {
  const { width, height, depth } = planes;
  const words = Math.ceil(width / 32) * planes.rows;
  const bits = new Uint32Array(words);
  await exportMask(pool, planes, 1, bits, call);
  if (!both) return { kind: "mask", width, height, depth, bits };
  const second = new Uint32Array(words);
  await exportMask(pool, planes, 2, second, call);
  return { kind: "mask", width, height, depth, bits, second };
}
