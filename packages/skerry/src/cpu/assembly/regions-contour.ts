// Counts for the perimeter of each object: steps along its border pixels, and crossings of its border with lines in four
// directions. Both are counted 64 pixels at a time on bit rows that hold this object alone.
//
// A border pixel has background beside it along an axis. Of the border pixels around it, o lie along the axes and d on
// the diagonals. K. Benkrid, D. Crookes and A. Benkrid (2000) give it a length by o and d, which scikit-image's `perimeter`
// uses:
//
//     o 2 or 3, d at most 2               1
//     o 0, d 2   or   o 1, d 3            sqrt 2
//     o 1, d 1 or 2                       (1 + sqrt 2) / 2

import { setRange } from "./bits";
import { CONTOUR_BYTES } from "./layout/contours";

/** Arguments of {@link measureContours}. */
// @ts-ignore: decorator
@unmanaged
export class MeasureContoursCall {
  /** Four u32 arrays of runs grouped by label: row, begin, end, label. [0 .. count * RUN_BYTES] */
  table: usize;
  /** Runs of the table. */
  count: u32;
  /** u32 per object and one more: its first run. [0 .. (objects + 1) * 4] */
  offsets: usize;
  /** Objects. */
  objects: u32;
  /** First object, from 0 on. */
  from: u32;
  /** One past the last object. */
  to: u32;
  /** Pixels per row. */
  width: u32;
  /** Scratch: six bit rows with a word before and behind each. [0 .. 6 * (rowBytes(width) + 24)] */
  rows: usize;
  /** Five f64 per object of this call. [0 .. (to - from) * CONTOUR_BYTES] */
  records: usize;
}

/** Measures the contours of objects [from, to). */
export function measureContours(call: MeasureContoursCall): void {
  const words = <usize>((call.width + 63) >> 6);
  const pitch = (words + 3) << 3;
  // Three rows of the object's pixels and three of its border, each by its number modulo 3; a word of zeros lies at both ends.
  const bits = call.rows + 8;
  const border = bits + 3 * pitch;
  memory.fill(call.rows, 0, 6 * pitch);
  const row = call.table;
  const begin = row + (<usize>call.count << 2);
  const end = begin + (<usize>call.count << 2);
  let record = call.records;
  for (let object = call.from; object < call.to; object++) {
    const first = load<u32>(call.offsets + (<usize>object << 2));
    const last = load<u32>(call.offsets + (<usize>object << 2), 4);
    memory.fill(record, 0, CONTOUR_BYTES);
    if (first == last) {
      record += CONTOUR_BYTES;
      continue;
    }
    const y1 = load<u32>(row + (<usize>(last - 1) << 2));
    // First runs of the three rows before y, and of y.
    let from3 = first, from2 = first, from1 = first, from0 = first;
    // A row is measured two rows later, and its memory is empty again after three.
    for (let y = load<u32>(row + (<usize>first << 2)); y < y1 + 4; y++) {
      let to = from0;
      while (to < last && load<u32>(row + (<usize>to << 2)) == y) to++;
      const own = bits + <usize>(y % 3) * pitch;
      const above = bits + <usize>((y + 2) % 3) * pitch;
      const twoAbove = bits + <usize>((y + 1) % 3) * pitch;
      const ownBorder = border + <usize>(y % 3) * pitch;
      const aboveBorder = border + <usize>((y + 2) % 3) * pitch;
      const twoAboveBorder = border + <usize>((y + 1) % 3) * pitch;
      setRuns(own, begin, end, from0, to);
      countCrossings(own, above, begin, end, from0, to, record);
      findBorder(aboveBorder, above, twoAbove, own, begin, end, from1, from0);
      countSteps(twoAboveBorder, ownBorder, aboveBorder, begin, end, from2, from1, record);
      // Clears the rows that y + 1 reuses.
      clearRuns(twoAbove, begin, end, from2, from1);
      clearRuns(ownBorder, begin, end, from3, from2);
      from3 = from2;
      from2 = from1;
      from1 = from0;
      from0 = to;
    }
    record += CONTOUR_BYTES;
  }
}

/** Puts runs into a row of zeros. */
function setRuns(bits: usize, begin: usize, end: usize, from: u32, to: u32): void {
  for (let run = from; run < to; run++) {
    setRange(bits, load<u32>(begin + (<usize>run << 2)), load<u32>(end + (<usize>run << 2)));
  }
}

/** Zeroes the words that runs touch. */
function clearRuns(bits: usize, begin: usize, end: usize, from: u32, to: u32): void {
  for (let run = from; run < to; run++) {
    const last = (load<u32>(end + (<usize>run << 2)) - 1) >> 6;
    for (let i = load<u32>(begin + (<usize>run << 2)) >> 6; i <= last; i++) store<u64>(bits + (<usize>i << 3), 0);
  }
}

/** The bits of word `at` moved by one pixel: each pixel's left, or right, neighbour. */
// @ts-ignore: decorator
@inline
function leftOf(at: usize): u64 {
  return (load<u64>(at) << 1) | (load<u64>(at - 8) >> 63);
}

// @ts-ignore: decorator
@inline
function rightOf(at: usize): u64 {
  return (load<u64>(at) >> 1) | (load<u64>(at + 8) << 63);
}

/** Counts pixels whose neighbour before them is background: to the left and above, and on both diagonals above. */
function countCrossings(own: usize, above: usize, begin: usize, end: usize, from: u32, to: u32, record: usize): void {
  let axes: u64 = 0;
  let diagonals: u64 = 0;
  // Runs may share a word, which counts once.
  let next: u32 = 0;
  for (let run = from; run < to; run++) {
    const last = (load<u32>(end + (<usize>run << 2)) - 1) >> 6;
    for (let i = max(next, load<u32>(begin + (<usize>run << 2)) >> 6); i <= last; i++) {
      const at = <usize>i << 3;
      const c = load<u64>(own + at);
      axes += popcnt(c & ~leftOf(own + at)) + popcnt(c & ~load<u64>(above + at));
      diagonals += popcnt(c & ~leftOf(above + at)) + popcnt(c & ~rightOf(above + at));
    }
    next = last + 1;
  }
  add(record, 24, axes);
  add(record, 32, diagonals);
}

/** Writes which pixels of a row have background beside them along an axis. */
function findBorder(border: usize, own: usize, above: usize, under: usize, begin: usize, end: usize, from: u32, to: u32): void {
  for (let run = from; run < to; run++) {
    const last = (load<u32>(end + (<usize>run << 2)) - 1) >> 6;
    for (let i = load<u32>(begin + (<usize>run << 2)) >> 6; i <= last; i++) {
      const at = <usize>i << 3;
      const within = leftOf(own + at) & rightOf(own + at) & load<u64>(above + at) & load<u64>(under + at);
      store<u64>(border + at, load<u64>(own + at) & ~within);
    }
  }
}

/** Counts a row's border pixels by o and d, which are sums of three bits each, computed for 64 pixels at once. */
function countSteps(own: usize, above: usize, under: usize, begin: usize, end: usize, from: u32, to: u32, record: usize): void {
  let straight: u64 = 0;
  let diagonal: u64 = 0;
  let mixed: u64 = 0;
  let next: u32 = 0;
  for (let run = from; run < to; run++) {
    const last = (load<u32>(end + (<usize>run << 2)) - 1) >> 6;
    for (let i = max(next, load<u32>(begin + (<usize>run << 2)) >> 6); i <= last; i++) {
      const at = <usize>i << 3;
      const c = load<u64>(own + at);
      if (!c) continue;
      const l = leftOf(own + at), r = rightOf(own + at), u = load<u64>(above + at), b = load<u64>(under + at);
      const beside = l ^ r, across = u ^ b;
      const o0 = beside ^ across;
      const o1 = (l & r) ^ (u & b) | (beside & across);
      const o2 = l & r & u & b;
      const ul = leftOf(above + at), ur = rightOf(above + at), bl = leftOf(under + at), br = rightOf(under + at);
      const up = ul ^ ur, down = bl ^ br;
      const d0 = up ^ down;
      const d1 = (ul & ur) ^ (bl & br) | (up & down);
      const d2 = ul & ur & bl & br;
      straight += popcnt(c & o1 & ~d2 & ~(d1 & d0));
      diagonal += popcnt(c & ((~(o0 | o1 | o2) & d1 & ~d0) | (o0 & ~o1 & d1 & d0)));
      mixed += popcnt(c & o0 & ~o1 & (d0 ^ d1));
    }
    next = last + 1;
  }
  add(record, 0, straight);
  add(record, 8, diagonal);
  add(record, 16, mixed);
}

// @ts-ignore: decorator
@inline
function add(record: usize, field: usize, n: u64): void {
  store<f64>(record + field, load<f64>(record + field) + <f64>n);
}
