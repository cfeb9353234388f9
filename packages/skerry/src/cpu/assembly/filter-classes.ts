// Bright and dark objects are filled separately, so two of them may claim the same pixels: a bright ring around a dark
// ring around a bright dot. The filled object that begins first in raster order (the outer one) gets them.

import { below, decodeRow, tailMask } from "./bits";

/** Arguments of {@link firstPixels}. */
// @ts-ignore: decorator
@unmanaged
export class FirstPixelsCall {
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
  /** u64 per component of the strip: first pixel. [0 .. count * 8] */
  first: usize;
  /** Components of the strip. */
  count: u32;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. width * 8] */
  list: usize;
}

/**
 * first[component] = y * width + x of the first pixel of the strip's `count` components, from rows [y0, y1).
 */
export function firstPixels(call: FirstPixelsCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, first = call.first, count = call.count, list = call.list;
  memory.fill(first, 255, <usize>count << 3);
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      const at = first + (<usize>load<u32>(labels + (<usize>i << 2)) << 3);
      const pixel = <u64>y * width + load<u32>(list + (<usize>i << 3));
      store<u64>(at, min(load<u64>(at), pixel));
    }
    labels += <usize>runs << 2;
  }
}

/**
 * Copies the first pixel of each root to the components that seams joined to it.
 * @param joins u32 pairs: joined component, its root [0 .. joined * 8]
 * @param joined pairs
 * @param first u64 per component: first pixel [0 .. afterLargest(joins, 0, joined * 2) * 8]
 */
export function spreadFirst(joins: usize, joined: u32, first: usize): void {
  for (let i: u32 = 0; i < joined; i++) {
    const root = load<u32>(joins + (<usize>i << 3), 4);
    store<u64>(first + (<usize>load<u32>(joins + (<usize>i << 3)) << 3), load<u64>(first + (<usize>root << 3)));
  }
}

/** Arguments of {@link resolveClasses}. */
// @ts-ignore: decorator
@unmanaged
export class ResolveClassesCall {
  /** First bit plane, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits: usize;
  /** First plane's u32 per row: first runs. [y0 * 4 .. (y0 + 1) * 4] */
  offsets: usize;
  /** u32 per run of the first plane: component. [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4] */
  labels: usize;
  /** u64 per component of the strip: first pixel. [0 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1)) * 8] */
  first: usize;
  /** Second bit plane, from row 0; never 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits2: usize;
  /** Second plane's u32 per row: first runs. [y0 * 4 .. (y0 + 1) * 4] */
  offsets2: usize;
  /** u32 per run of the second plane: component. [u32(offsets2, y0) * 4 .. u32(offsets2, y1) * 4] */
  labels2: usize;
  /** u64 per component of the strip: first pixel. [0 .. afterLargest(labels2, u32(offsets2, y0), u32(offsets2, y1)) * 8] */
  first2: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** Row after the last, counted through all slices. */
  y1: u32;
  /** Scratch: runs of a row of the first plane. [0 .. width * 8] */
  list: usize;
  /** Scratch: runs of a row of the second plane. [0 .. width * 8] */
  list2: usize;
}

/**
 * In rows [y0, y1), clears the pixels that both planes claim from the plane whose object begins later.
 */
export function resolveClasses(call: ResolveClassesCall): void {
  let bits = call.bits, offsets = call.offsets, labels = call.labels, first = call.first, bits2 = call.bits2,
    offsets2 = call.offsets2, labels2 = call.labels2, first2 = call.first2, width = call.width, y0 = call.y0,
    y1 = call.y1, list = call.list, list2 = call.list2;
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  labels2 += <usize>load<u32>(offsets2 + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  for (let y = y0; y < y1; y++) {
    const row = bits + (<usize>y * words << 3);
    const row2 = bits2 + (<usize>y * words << 3);
    const runs = decodeRow(row, 0, width, list);
    const runs2 = decodeRow(row2, 0, width, list2);
    let i: u32 = 0;
    let j: u32 = 0;
    while (i < runs && j < runs2) {
      const endA = load<u32>(list + (<usize>i << 3), 4);
      const endB = load<u32>(list2 + (<usize>j << 3), 4);
      const begin = max(load<u32>(list + (<usize>i << 3)), load<u32>(list2 + (<usize>j << 3)));
      const end = min(endA, endB);
      if (begin < end) {
        const a = load<u64>(first + (<usize>load<u32>(labels + (<usize>i << 2)) << 3));
        const b = load<u64>(first2 + (<usize>load<u32>(labels2 + (<usize>j << 2)) << 3));
        clearRange(a < b ? row2 : row, begin, end);
      }
      if (endA < endB) i++;
      else j++;
    }
    labels += <usize>runs << 2;
    labels2 += <usize>runs2 << 2;
  }
}

function clearRange(row: usize, begin: u32, end: u32): void {
  const last = (end - 1) >> 6;
  for (let i = begin >> 6; i <= last; i++) {
    let mask = u64.MAX_VALUE;
    if (i == begin >> 6) mask &= ~below(begin & 63);
    if (i == last) mask &= tailMask(((end - 1) & 63) + 1);
    const at = row + (<usize>i << 3);
    store<u64>(at, load<u64>(at) & ~mask);
  }
}
