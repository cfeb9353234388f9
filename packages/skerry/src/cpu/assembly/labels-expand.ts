// Runs expanded to one label per pixel.

import { SLACK_BYTES } from "./layout/labels";
import { below, decodeRow, startsOf } from "./bits";

/**
 * Returns the strip's component at pixel x of row y, or -1 in the background. Counting the starts of runs up to x gives
 * the run.
 * @param bits first bit plane, from row 0 [y * rowBytes(width) .. y * rowBytes(width) + ((x >>> 6) + 1) * 8]
 * @param bits2 second bit plane, from row 0; 0 none [y * rowBytes(width) .. y * rowBytes(width) + ((x >>> 6) + 1) * 8]
 * @param width pixels of a row, >= 1
 * @param x column, 0..width - 1
 * @param y row, counted through all slices
 * @param offsets u32 per row and one more: first runs [y * 4 .. (y + 1) * 4]
 * @param labels u32 per run of the image: its strip's component [u32(offsets, y) * 4 .. u32(offsets, y + 1) * 4]
 */
export function labelAt(bits: usize, bits2: usize, width: u32, x: u32, y: u32, offsets: usize, labels: usize): f64 {
  const words = (width + 63) >> 6;
  const at = <usize>y * words << 3;
  const last = x >> 6;
  let rank = load<u32>(offsets + (<usize>y << 2));
  let inside = false;
  for (let plane = 0; plane < 2; plane++) {
    const base = plane == 0 ? bits : bits2;
    if (!base) break;
    let carry: u64 = 0;
    for (let i: u32 = 0; i <= last; i++) {
      const word = load<u64>(base + at + (<usize>i << 3));
      let starts = startsOf(word, carry);
      carry = word >> 63;
      if (i == last) {
        // Bits 0..x. below(x + 1) would shift by 64 for the last bit, which is a shift by 0.
        starts &= below(x & 63) | ((<u64>1) << (<u64>(x & 63)));
        inside = inside || ((word >> (<u64>(x & 63))) & 1) != 0;
      }
      rank += <u32>popcnt(starts);
    }
  }
  return inside ? <f64>load<u32>(labels + (<usize>(rank - 1) << 2)) : -1;
}

/** Arguments of {@link expandRows}. */
// @ts-ignore: decorator
@unmanaged
export class ExpandRowsCall {
  /** First bit plane, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits: usize;
  /** Second bit plane, from row 0; 0 none. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits2: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** Row after the last, counted through all slices. */
  y1: u32;
  /** u32 per row and one more: first runs. [y0 * 4 .. (y0 + 1) * 4] */
  offsets: usize;
  /** u32 per run of the image: its strip's component. [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4] */
  labels: usize;
  /** u32 per component of the strip: label. [0 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1)) * 4] */
  map: usize;
  /** u32 labels of the rows, tight; nothing is written past them. [0 .. (y1 - y0) * width * 4] */
  out: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. width * 8] */
  list: usize;
  /** Scratch: u32 labels of the last rows, and what is written past them. [0 .. y1 > y0 ? Math.ceil(12 / width) * width * 4 + 48 : 0] */
  lastRows: usize;
}

/**
 * Writes rows [y0, y1) as u32 labels. Whole vectors are stored, up to SLACK_BYTES past the end of a row, where another thread
 * may have written the first labels of the next band. So the last rows go through scratch, as many as hold that slack:
 * one row of 12 pixels, or three of 4.
 */
export function expandRows(call: ExpandRowsCall): void {
  const y0 = call.y0;
  const y1 = call.y1;
  if (y0 >= y1) return;
  const width = call.width;
  const through = ((<u32>SLACK_BYTES >> 2) + width - 1) / width;
  const last = y1 - y0 > through ? y1 - through : y0;
  const bytes = <usize>width << 2;
  expandRuns(
    call.bits, call.bits2, width, y0, last, call.offsets, call.labels, call.map, call.out, call.list,
  );
  expandRuns(
    call.bits, call.bits2, width, last, y1, call.offsets, call.labels, call.map, call.lastRows, call.list,
  );
  memory.copy(call.out + <usize>(last - y0) * bytes, call.lastRows, <usize>(y1 - last) * bytes);
}

/**
 * Writes rows [y0, y1) as u32 labels to `out`, which needs SLACK_BYTES past its end. `offsets` are the rows' first runs,
 * `labels` holds each run's component within its strip, and `map` the image's label of each component of this strip.
 */
export function expandRuns(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize, map: usize, out: usize, list: usize,
): void {
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  const zero = i32x4.splat(0);
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    const rowEnd = out + (<usize>width << 2);
    let to = out;
    for (let i: u32 = 0; i < runs; i++) {
      const begin = out + (<usize>load<u32>(list + (<usize>i << 3)) << 2);
      const end = out + (<usize>load<u32>(list + (<usize>i << 3), 4) << 2);
      const label = i32x4.splat(load<i32>(map + (<usize>load<u32>(labels + (<usize>i << 2)) << 2)));
      // Stores whole vectors; later stores, from left to right, overwrite the excess. Runs of 5 to 16 pixels all take the
      // same branches: branches on a run's length would be mispredicted.
      while (to < begin) {
        v128.store(to, zero);
        to += 16;
      }
      to = begin;
      v128.store(to, label);
      if (to + 16 < end) {
        v128.store(to, label, 16);
        v128.store(to, label, 32);
        v128.store(to, label, 48);
        to += 64;
        while (to < end) {
          v128.store(to, label);
          to += 16;
        }
      }
      to = end;
    }
    while (to < rowEnd) {
      v128.store(to, zero);
      to += 16;
    }
    labels += <usize>runs << 2;
    out = rowEnd;
  }
}
