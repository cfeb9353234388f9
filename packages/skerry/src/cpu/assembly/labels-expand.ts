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
  /** u32 per row and one more: first runs. [y0 * 4 .. (y1 + 1) * 4] */
  offsets: usize;
  /** u32 per run of the image: its strip's component. [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4] */
  labels: usize;
  /** u32 per component of the strip: label. [0 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1)) * 4] */
  map: usize;
  /** u32 labels of the rows, tight; nothing is written past them. [0 .. (y1 - y0) * width * 4] */
  out: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. width * 8] */
  list: usize;
  /** Scratch: u32 labels of the last rows, and what is written past them. [0 .. y1 > y0 ? Math.ceil(16 / width) * width * 4 + 64 : 0] */
  lastRows: usize;
}

/**
 * Writes rows [y0, y1) as u32 labels. Whole vectors are stored, up to SLACK_BYTES past the end of a row, where another thread
 * may have written the first labels of the next band. So the last rows go through scratch, as many as hold that slack:
 * one row of 16 pixels, or four of 4.
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
 *
 * What a row has in common with the row above, from its left end and from its right one, is copied if it has many runs.
 */
export function expandRuns(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize, map: usize, out: usize, list: usize,
): void {
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  const stride = <usize>words << 3;
  const pitch = <usize>width << 2;
  const zero = i32x4.splat(0);
  let above: u32 = 0;
  for (let y = y0; y < y1; y++) {
    const row = bits + <usize>y * stride;
    const runs = load<u32>(offsets + (<usize>(y + 1) << 2)) - load<u32>(offsets + (<usize>y << 2));
    // Words [left, right) are written from their runs, the first of which may begin before them.
    let left: u32 = 0;
    let right = words;
    let own = labels;
    if (above >= MANY && runs >= MANY && !bits2) {
      left = sameLeft(row, row - stride, words, labels, labels - (<usize>above << 2));
      if (left) {
        memory.copy(out, out - pitch, <usize>left << 8);
        const goesOn = (load<u64>(row + (<usize>left << 3) - 8) >> 63) & load<u64>(row + (<usize>left << 3));
        own += <usize>(runsIn(row, left, 0) - <u32>(goesOn & 1)) << 2;
      }
      right = sameRight(row, row - stride, words, left, labels + (<usize>runs << 2), labels);
    }
    const middle = out + (<usize>left << 8);
    const middleEnd = right < words ? out + (<usize>right << 8) : out + pitch;
    const at = <usize>left << 3;
    const count = decodeRow(row + at, bits2 ? bits2 + <usize>y * stride : 0, <u32>((middleEnd - middle) >> 2), list);
    let to = middle;
    for (let i: u32 = 0; i < count; i++) {
      const begin = middle + (<usize>load<u32>(list + (<usize>i << 3)) << 2);
      const end = middle + (<usize>load<u32>(list + (<usize>i << 3), 4) << 2);
      const label = i32x4.splat(load<i32>(map + (<usize>load<u32>(own + (<usize>i << 2)) << 2)));
      // Stores whole vectors; later stores, from left to right, overwrite the excess. Runs of up to 16 pixels all take the
      // same branches: branches on a run's length would be mispredicted.
      while (to < begin) {
        v128.store(to, zero);
        to += 16;
      }
      v128.store(begin, label);
      v128.store(begin, label, 16);
      v128.store(begin, label, 32);
      v128.store(begin, label, 48);
      to = begin + 64;
      while (to < end) {
        v128.store(to, label);
        to += 16;
      }
      to = end;
    }
    while (to < middleEnd) {
      v128.store(to, zero);
      to += 16;
    }
    if (right < words) memory.copy(middleEnd, middleEnd - pitch, out + pitch - middleEnd);
    labels += <usize>runs << 2;
    out += pitch;
    above = runs;
  }
}

/** Minimum number of runs for which comparing with the row above pays. */
const MANY: u32 = 64;

/** Runs that begin in words of a row; `carry` is the last bit before them. */
function runsIn(row: usize, words: u32, carry: u64): u32 {
  let runs: u32 = 0;
  for (let i: u32 = 0; i < words; i++) {
    const word = load<u64>(row + (<usize>i << 3));
    runs += <u32>popcnt(startsOf(word, carry));
    carry = word >> 63;
  }
  return runs;
}

/** How many words from the left have the pixels and labels of the row above; 0 if they hold few runs. */
function sameLeft(row: usize, up: usize, words: u32, labels: usize, former: usize): u32 {
  let same: u32 = 0;
  while (same < words - 1 && load<u64>(row + (<usize>same << 3)) == load<u64>(up + (<usize>same << 3))) same++;
  const runs = runsIn(row, same, 0);
  return runs >= MANY && memory.compare(labels, former, <usize>runs << 2) == 0 ? same : 0;
}

/** The first of the words at the right end that have the pixels and labels of the row above; `words` if they hold few runs. */
function sameRight(row: usize, up: usize, words: u32, left: u32, labelsEnd: usize, formerEnd: usize): u32 {
  let first = words;
  while (first > left + 1 && load<u64>(row + (<usize>first << 3) - 8) == load<u64>(up + (<usize>first << 3) - 8)) first--;
  // The bit before them decides whether a run begins with them, or goes on; its word may differ elsewhere.
  const carry = load<u64>(row + (<usize>first << 3) - 8) >> 63;
  if (first == words || carry != load<u64>(up + (<usize>first << 3) - 8) >> 63) return words;
  const runs = runsIn(row + (<usize>first << 3), words - first, carry);
  const bytes = <usize>(runs + <u32>carry) << 2;
  return runs >= MANY && memory.compare(labelsEnd - bytes, formerEnd - bytes, bytes) == 0 ? first : words;
}
