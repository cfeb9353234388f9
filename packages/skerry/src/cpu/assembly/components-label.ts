// Joins the runs of a strip of rows into components, by union-find with the smallest run number as the root. See
// components-join-strips.ts for the seams between strips.

import { joinSliceBefore } from "./components-join-slices";
import { decodeRow, rowsEqual } from "./bits";
import { joinRowLinked } from "./components-linked";
import { EARLIER, hasEarlier, isWidened, linkPlane, rowsBack } from "./components-neighbours";
import { copyParents, joinRow, joinRowTwo } from "./components-union";

/** Arguments of {@link labelStrip}. */
// @ts-ignore: decorator
@unmanaged
export class LabelStripCall {
  /** First bit plane, from row 0. [y0 * words * 8 .. y1 * words * 8] */
  bits: usize;
  /** Second bit plane, from row 0; 0 none. [y0 * words * 8 .. y1 * words * 8] */
  bits2: usize;
  /** 64-bit words of a bit row. */
  words: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** Row after the last, counted through all slices. */
  y1: u32;
  /** Rows of one slice. */
  height: u32;
  /** 4, 8, 6, 18 or 26. */
  connectivity: u32;
  /** Link planes, 1 to 12, from row 0; 0 none. [y1 > y0 ? y0 * words * 8 : 0 .. y1 > y0 ? (linkPlanes(connectivity) - 1) * plane + y1 * words * 8 : 0] */
  links: usize;
  /** Bytes of one link plane, rows * words * 8. */
  plane: usize;
  /** u32 per row and one more: first runs. [y0 * 4 .. (y1 + 1) * 4] */
  offsets: usize;
  /** u32 per run of the image: parents, then components. [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4] */
  labels: usize;
}

/**
 * Labels rows [y0, y1), counted through all slices of `height` rows, on their own. `labels` holds one u32 per run. The
 * strip's entries are parents while runs are united; at the end each is the strip's own component of its run.
 * Components are numbered from 0 in the order of their first runs. `links` are link planes of `plane` bytes each, or 0
 * if all foreground joins. Returns the number of components.
 */
export function labelStrip(call: LabelStripCall): u32 {
  let bits = call.bits, bits2 = call.bits2, words = call.words, y0 = call.y0, y1 = call.y1,
    height = call.height, connectivity = call.connectivity, links = call.links, plane = call.plane,
    offsets = call.offsets, labels = call.labels;
  const base = load<u32>(offsets + (<usize>y0 << 2));
  labels += <usize>base << 2;
  let y = y0 % height;
  let z = y0 / height;
  for (let row = y0; row < y1; row++) {
    const first = load<u32>(offsets + (<usize>row << 2)) - base;
    const end = load<u32>(offsets + (<usize>(row + 1) << 2)) - base;
    for (let i = first; i < end; i++) store<u32>(labels + (<usize>i << 2), i);
    if (first < end) {
      let fresh = true;
      // With one plane, joinSliceBefore() joins all rows of the slice before in one pass.
      const atOnce = !bits2 && row >= y0 + height;
      const ways: u32 = atOnce ? 1 : EARLIER;
      for (let k: u32 = 0; k < ways; k++) {
        if (!hasEarlier(k, y, z, height, connectivity)) continue;
        const back = rowsBack(k, height);
        if (row < y0 + back) continue;
        const above = load<u32>(offsets + (<usize>(row - back) << 2)) - base;
        const aboveEnd = load<u32>(offsets + (<usize>(row - back + 1) << 2)) - base;
        if (above == aboveEnd) continue;
        const widened = isWidened(k, connectivity);
        const stride = <usize>words << 3;
        const at = <usize>row * stride;
        if (!bits2 && fresh && end - first == aboveEnd - above && rowsEqual(bits + at, bits + at - <usize>back * stride, words)) {
          copyParents(labels, above, first, end - first);
        } else {
          const link = links ? links + <usize>linkPlane(k, connectivity) * plane + at : 0;
          joinInStrip(bits, bits2, at, at - <usize>back * stride, words, widened, fresh, link, plane, first, above, labels);
        }
        fresh = false;
      }
      if (atOnce) joinSliceBefore(bits, words, row, y, height, connectivity, offsets, base, labels);
    }
    if (++y == height) {
      y = 0;
      z++;
    }
  }
  return numberRoots(labels, load<u32>(offsets + (<usize>y1 << 2)) - base);
}

/** Calls code that is specialised for each kind of rows. */
function joinInStrip(
  bits: usize, bits2: usize, c: usize, u: usize, words: u32, widened: bool, fresh: bool, link: usize, plane: usize,
  cRank: u32, uRank: u32, parents: usize,
): void {
  if (link) {
    joinRowLinked(bits + c, bits + u, bits2 + c, bits2 + u, link, widened ? plane : 0, words, cRank, uRank, parents, fresh, false, 0, 0, 0, 0);
  } else if (bits2) {
    joinRowTwo(bits + c, bits + u, bits2 + c, bits2 + u, words, widened, cRank, uRank, parents, false, 0, 0, 0, 0);
  } else if (widened) {
    if (fresh) joinRow(bits + c, bits + u, words, true, true, cRank, uRank, parents, false, 0, 0, 0, 0);
    else joinRow(bits + c, bits + u, words, true, false, cRank, uRank, parents, false, 0, 0, 0, 0);
  } else {
    if (fresh) joinRow(bits + c, bits + u, words, false, true, cRank, uRank, parents, false, 0, 0, 0, 0);
    else joinRow(bits + c, bits + u, words, false, false, cRank, uRank, parents, false, 0, 0, 0, 0);
  }
}

/**
 * Turns parents into component numbers from 0, in place. A parent precedes its children, so its number is already
 * there.
 */
function numberRoots(labels: usize, runs: u32): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < runs; i++) {
    const at = labels + (<usize>i << 2);
    const p = load<u32>(at);
    const root = p == i;
    store<u32>(at, root ? count : load<u32>(labels + (<usize>p << 2)));
    count += u32(root);
  }
  return count;
}

/** Arguments of {@link polaritiesOf}. */
// @ts-ignore: decorator
@unmanaged
export class PolaritiesOfCall {
  /** First bit plane, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits: usize;
  /** Second bit plane, from row 0; must not be 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
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
  /** u8 per component of the strip: 1 or 2. [0 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1))] */
  polarities: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. width * 8] */
  list: usize;
}

/**
 * Writes polarities[component] (u8, 1 or 2) of the strip's components. All runs of a component have the same polarity.
 */
export function polaritiesOf(call: PolaritiesOfCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, polarities = call.polarities, list = call.list;
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = decodeRow(bits + at, bits2 + at, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      const begin = load<u32>(list + (<usize>i << 3));
      const first = (load<u64>(bits + at + (<usize>(begin >> 6) << 3)) >> (<u64>(begin & 63))) & 1;
      store<u8>(polarities + load<u32>(labels + (<usize>i << 2)), first ? 1 : 2);
    }
    labels += <usize>runs << 2;
  }
}
