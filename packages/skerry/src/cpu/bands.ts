// Splits work into bands of rows: the sizes of bands, lanes that process one band after another, and the timers of the
// stages.

import type { Call } from "../core/call.js";
import { rowCount, type Size } from "../core/pixels.js";
import type { Pool } from "./memory/pool.js";

/** Rows [y0, y1), counted through all slices. */
export interface Rows {
  readonly y0: number;
  readonly y1: number;
}

/** Maximum size of a band of pixels in flight, in bytes. Larger bands exceed the L2 cache. */
export const PIXEL_BAND = 2 << 20;

/** Maximum size of a band of labels, in bytes. Labels pass through once, so larger bands only save messages. */
export const LABEL_BAND = 4 << 20;

/** Minimum size of a volume's band, in bytes, if each band is copied together with a neighbouring slice. */
export const SLAB_BAND = 4 << 20;

/** Minimum size of a band, in bytes: of smaller ones the steps cost more than they save, 10 us each on the calling thread. */
const LEAST_BAND = 1 << 18;

/** Size of a band, in bytes: all lanes' slots take half a byte per pixel at most, unless LEAST_BAND is more. */
export function bandBytes(pool: Pool, size: Size, most: number): number {
  return Math.min(most, Math.max(LEAST_BAND, (size.width * rowCount(size)) / (2 * laneCount(pool))));
}

/** Scratch in which a kernel decodes a row: 8 bytes per run, and 64 more. Touching runs may have one pixel each. */
export function listBytes(width: number): number {
  return width * 8 + 64;
}

/** Number of lanes: each thread processes one band while its next one is in transit. */
export function laneCount(pool: Pool): number {
  return pool.threads * 2 + 1;
}

/** Cuts rows into bands of at most `bytes`, one row at least. */
export function bandsOf({ y0, y1 }: Rows, rowBytes: number, bytes: number): Rows[] {
  const rows = Math.max(1, Math.floor(bytes / rowBytes));
  const bands: Rows[] = [];
  for (let y = y0; y < y1; y += rows) bands.push({ y0: y, y1: Math.min(y + rows, y1) });
  return bands;
}

/** Runs `work`, adds its wall-clock time to the call's timings, and returns its result. */
export async function timed<T>(call: Call, stage: string, bytes: number, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  call.timings.push({ stage, milliseconds: performance.now() - begin, bytes });
  return result;
}

/** Times the main thread's allocations and copies during `work`. They overlap with the stages listed before them. */
export async function metered<T>({ meter }: Pool, call: Call, work: () => Promise<T>): Promise<T> {
  const before = { allocate: { ...meter.allocate }, copy: { ...meter.copy } };
  const result = await work();
  for (const kind of ["allocate", "copy"] as const) {
    const bytes = meter[kind].bytes - before[kind].bytes;
    const milliseconds = meter[kind].milliseconds - before[kind].milliseconds;
    if (bytes > 0) call.timings.push({ stage: kind, milliseconds, bytes, part: true });
  }
  return result;
}

/**
 * Processes `items` on `lanes` lanes, each of which has one item at a time. Between items it checks the call's signal
 * and reports progress. After a failure no lane takes another item. The first error is thrown once all lanes have
 * finished, so no task still uses memory that is about to be freed.
 */
export async function inLanes<T>(
  call: Call,
  stage: string,
  items: readonly T[],
  lanes: number,
  work: (item: T, lane: number, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let done = 0;
  let failure: { error: unknown } | undefined;
  const lane = async (number: number): Promise<void> => {
    while (next < items.length && !failure) {
      try {
        call.signal?.throwIfAborted();
        const index = next++;
        await work(items[index], number, index);
        call.onProgress?.({ stage, done: ++done, total: items.length });
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, (_, number) => lane(number)));
  if (failure) throw failure.error;
}
