// Two classes filled on their own may claim the same pixels: a bright ring around a dark ring around a
// bright dot. The filled object that begins first in raster order, which is the outer one, takes them.

import { below, decodeRow, tailMask } from "./bits";

/** first[component] = y * width + x of the first pixel of the strip's `count` components, from rows [y0, y1). */
export function firstPixels(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize,
  first: usize, count: u32, list: usize,
): void {
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

/** What a seam joined begins where its root begins. */
export function spreadFirst(joins: usize, joined: u32, first: usize): void {
  for (let i: u32 = 0; i < joined; i++) {
    const root = load<u32>(joins + (<usize>i << 3), 4);
    store<u64>(first + (<usize>load<u32>(joins + (<usize>i << 3)) << 3), load<u64>(first + (<usize>root << 3)));
  }
}

/** Clears, in rows [y0, y1) of two planes, what both claim from the one whose object begins later. */
export function resolveClasses(
  bits: usize, offsets: usize, labels: usize, first: usize,
  bits2: usize, offsets2: usize, labels2: usize, first2: usize,
  width: u32, y0: u32, y1: u32, list: usize, list2: usize,
): void {
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
