// Runs expanded to one label per pixel.

import { decodeRow } from "./bits";

/**
 * Writes rows [y0, y1) as u32 labels to `out`, which needs 16 bytes of slack past its end. `offsets` are
 * the rows' first runs, `labels` the strips' own labels of all runs, `map` the image's labels of this strip's.
 */
export function expandRows(
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
      // Whole vectors, overlapping what follows: it is written next, from left to right.
      while (to < begin) {
        v128.store(to, zero);
        to += 16;
      }
      to = begin;
      while (to < end) {
        v128.store(to, label);
        to += 16;
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
