// The public run table: row, begin, end and label of each run, in raster order or grouped by label.

import { decodeRow } from "./bits";

/** Arguments of {@link emitRuns}. */
// @ts-ignore: decorator
@unmanaged
export class EmitRunsCall {
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
  /** Runs of the rows. */
  count: u32;
  /** Four u32 arrays: row, begin, end, label. [0 .. count * RUN_BYTES] */
  out: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. width * 8] */
  list: usize;
}

/**
 * Writes the runs of rows [y0, y1) as four arrays of `count` u32 one after another at `out`: row, begin,
 * end (exclusive), label.
 */
export function emitRuns(call: EmitRunsCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, map = call.map, count = call.count, out = call.out,
    list = call.list;
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

/**
 * Adds the runs of rows [y0, y1) to the counters of their labels: counts[label]++.
 * @param y0 first row, counted through all slices
 * @param y1 row after the last, counted through all slices
 * @param offsets u32 per row and one more: first runs [y0 * 4 .. (y1 + 1) * 4]
 * @param labels u32 per run of the image: its strip's component [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4]
 * @param map u32 per component of the strip: label [0 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1)) * 4]
 * @param counts u32 per label, and an unused entry 0: runs [4 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1), map) * 4]
 */
export function countRunsByLabel(y0: u32, y1: u32, offsets: usize, labels: usize, map: usize, counts: usize): void {
  const runs = load<u32>(offsets + (<usize>y1 << 2)) - load<u32>(offsets + (<usize>y0 << 2));
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  for (let i: u32 = 0; i < runs; i++) {
    const label = load<u32>(map + (<usize>load<u32>(labels + (<usize>i << 2)) << 2));
    const at = counts + (<usize>label << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Arguments of {@link scatterRunsByLabel}. */
// @ts-ignore: decorator
@unmanaged
export class ScatterRunsByLabelCall {
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
  /** u32 per label, and an unused entry 0: place of the next run. [4 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1), map) * 4] */
  next: usize;
  /** Runs of the image. */
  count: u32;
  /** Four u32 arrays: row, begin, end, label. [0 .. u32(offsets, y1) > u32(offsets, y0) ? count * 16 : 0] */
  out: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. width * 8] */
  list: usize;
}

/**
 * Writes the runs of rows [y0, y1) to their places: `next[label]` is the index of the label's next run in the four
 * arrays of `count` u32 at `out`, and is incremented. Calls for strips must come in the order of the strips.
 */
export function scatterRunsByLabel(call: ScatterRunsByLabelCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, map = call.map, next = call.next, count = call.count,
    out = call.out, list = call.list;
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
