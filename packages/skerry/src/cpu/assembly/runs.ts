// The run table as users take it: row, begin, end and label, in raster order or grouped by label.

import { decodeRow } from "./bits";

/**
 * Writes the runs of rows [y0, y1) as four arrays of `count` u32 one after another at `out`: row, begin,
 * end (exclusive), label.
 */
export function emitRuns(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize, map: usize, count: u32,
  out: usize, list: usize,
): void {
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  const pitch = <usize>count << 2;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      store<u32>(out, y);
      store<u32>(out + pitch, load<u32>(list + (<usize>i << 3)));
      store<u32>(out + 2 * pitch, load<u32>(list + (<usize>i << 3), 4));
      store<u32>(out + 3 * pitch, load<u32>(map + (<usize>load<u32>(labels + (<usize>i << 2)) << 2)));
      out += 4;
    }
    labels += <usize>runs << 2;
  }
}

/** Adds the runs of rows [y0, y1) to the counters of their labels: counts[label]++. */
export function countRunsByLabel(y0: u32, y1: u32, offsets: usize, labels: usize, map: usize, counts: usize): void {
  const runs = load<u32>(offsets + (<usize>y1 << 2)) - load<u32>(offsets + (<usize>y0 << 2));
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  for (let i: u32 = 0; i < runs; i++) {
    const label = load<u32>(map + (<usize>load<u32>(labels + (<usize>i << 2)) << 2));
    const at = counts + (<usize>label << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/**
 * Writes the runs of rows [y0, y1) to their places: `next[label]` is where the label's next run goes in
 * the four arrays of `count` u32 at `out`, and is moved on. Strips must come in order.
 */
export function scatterRunsByLabel(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize, map: usize, next: usize,
  count: u32, out: usize, list: usize,
): void {
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  const pitch = <usize>count << 2;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      const label = load<u32>(map + (<usize>load<u32>(labels + (<usize>i << 2)) << 2));
      const slot = next + (<usize>label << 2);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      const to = out + (<usize>place << 2);
      store<u32>(to, y);
      store<u32>(to + pitch, load<u32>(list + (<usize>i << 3)));
      store<u32>(to + 2 * pitch, load<u32>(list + (<usize>i << 3), 4));
      store<u32>(to + 3 * pitch, label);
    }
    labels += <usize>runs << 2;
  }
}
