// Bit planes in WebAssembly memory: the foreground of a raster, of one polarity or of two.

import type { Size } from "../core/pixels.js";
import type { Rows } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { ScratchScope } from "./memory/scratch.js";

/** Bits that link pixels to those of earlier rows, one plane per neighbour; shared by the planes of one raster. */
export interface Links {
  readonly at: number;
  /** The objects that hold the links; the last one to release them frees them. */
  readonly holders: Set<object>;
}

/** Bit planes in WebAssembly memory; `second` is 0 if there is only one. Rows are counted through all slices. */
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

/** The rows of planes that may have foreground. */
export function rowsOf({ rows, window }: Pick<Planes, "rows" | "window">): Rows {
  return window ?? { y0: 0, y1: rows };
}

export function planeBytes({ words, rows }: { words: number; rows: number }): number {
  return words * 8 * rows;
}

/** Bytes that {@link allocatePlanes} reserves at most. */
export function planesBytes({ width, height, depth }: Size, classes: 1 | 2): number {
  const rows = height * depth;
  return classes * planeBytes({ words: Math.ceil(width / 64), rows }) + (rows + 1) * 4 + 4 * 64;
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

/** Makes planes and fills them with `fill`. If that fails, they are freed. */
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
