// Sums over the runs of each component. Each component of a strip has a record, whose size depends on `level`. Strips are
// summed independently; records of components that seams joined are added afterwards. All sums are integers.
//
//     byte  0 area u64                        level 0   8 bytes
//           8 x0, ~x1, y0, ~y1 u32            level 1  24 bytes, the box: four minima in one vector
//          24 sum x, sum y u64                level 2  40 bytes
//          40 sum xx, sum xy, sum yy u64      level 3  80 bytes
//          64 pixel edges u64, 72 Euler number i64

import { below, decodeRow, rowsEqual, startsOf } from "./bits";
import {
  AREA, AREA_BYTES, BOUNDS, BOUNDS_BYTES, CENTROID, CENTROID_BYTES, CHUNK, COPY, SHAPE_BYTES, SOLID_BOUNDS, SOLID_CENTROID,
} from "./layout/regions";

// @ts-ignore: decorator
@inline
export function recordBytes(level: u32): usize {
  return level == 0 ? AREA_BYTES : level == 1 ? BOUNDS_BYTES : level == 2 ? CENTROID_BYTES : SHAPE_BYTES;
}

/** Resets `size` records: sums to 0, minima to the largest value. */
function resetRegions(records: usize, size: u32, level: u32): void {
  const bytes = recordBytes(level);
  memory.fill(records, 0, <usize>size * bytes);
  if (level == 0) return;
  for (let i: u32 = 0; i < size; i++) v128.store(records + <usize>i * bytes, i32x4.splat(-1), 8);
}

/** Arguments of {@link accumulateStrip}. */
// @ts-ignore: decorator
@unmanaged
export class AccumulateStripCall {
  /** Origin of the first bit plane. [(level === 3 && y0 > 0 ? y0 - 1 : y0) * rowBytes(width) .. y1 * rowBytes(width)] */
  bits: usize;
  /** Origin of the second bit plane, or 0. [(level === 3 && y0 > 0 ? y0 - 1 : y0) * rowBytes(width) .. y1 * rowBytes(width)] */
  bits2: usize;
  /** Pixels per row. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** u32 per row: number of the row's first run. [y0 * 4 .. y0 * 4 + 4] */
  offsets: usize;
  /** u32 per run of the image: its strip's component. [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4] */
  labels: usize;
  /** 0 area, 1 bounds, 2 centroid, 3 shape. */
  level: u32;
  /** 0 or 1: 8 neighbours, else 4. */
  eight: bool;
  /** The strip's records, reset first. [0 .. count * (level === 0 ? 8 : level === 1 ? 24 : level === 2 ? 40 : 80)] */
  records: usize;
  /** Records of the strip. */
  count: u32;
  /** Scratch: u32 pairs begin, end of one row's runs. [0 .. bits2 ? width * 8 : width * 4 + 12] */
  list: usize;
  /** Scratch: two ranked rows per plane. [0 .. level === 3 ? (bits2 ? 3 : 1) * (Math.ceil((rowBytes(width) + 8) * 1.5 / 8) * 8) + (rowBytes(width) + 8) * 1.5 : 0] */
  outline: usize;
}

/**
 * Resets the strip's `count` records, and sums the runs of rows [y0, y1) into them. `offsets` are the rows' first runs.
 * `labels` holds each run's component within its strip. `list` is scratch for one row's runs (8 bytes per pixel plus 64).
 * `outline` is scratch for level 3 (48 bytes per word plus 64).
 */
export function accumulateStrip(call: AccumulateStripCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, level = call.level, eight = call.eight,
    records = call.records, count = call.count, list = call.list, outline = call.outline;
  resetRegions(records, count, level);
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  if (level == 0) accumulate<AreaRecord>(bits, bits2, width, y0, y1, eight, labels, records, list, outline);
  else if (level == 1) accumulate<BoundsRecord>(bits, bits2, width, y0, y1, eight, labels, records, list, outline);
  else if (level == 2) accumulate<CentroidRecord>(bits, bits2, width, y0, y1, eight, labels, records, list, outline);
  else accumulate<ShapeRecord>(bits, bits2, width, y0, y1, eight, labels, records, list, outline);
}

/**
 * Sum of i * i for i < n, that is (n - 1) n (2 n - 1) / 6. Factors are divided before they are multiplied, because their
 * product exceeds 64 bits for n > 2^21.
 */
// @ts-ignore: decorator
@inline
export function squaresBelow(n: u64): u64 {
  if (n == 0) return 0;
  const pairs = n & 1 ? ((n - 1) >> 1) * n : (n - 1) * (n >> 1);
  const odd = 2 * n - 1; // wide: n < 2^32 in u64
  return pairs % 3 == 0 ? (pairs / 3) * odd : pairs * (odd / 3);
}

// @ts-ignore: decorator
@inline
export function add(at: usize, value: u64): void {
  store<u64>(at, load<u64>(at) + value);
}

// The record of a level is a type here, so the compiler generates a loop for each level. With `level` as a number, wasm-opt
// folds the loops of two levels into one that tests the level for every run (up to 40 % slower on noise).
// @ts-ignore: decorator
@unmanaged
class AreaRecord {
  area: u64;
}

// @ts-ignore: decorator
@unmanaged
class BoundsRecord extends AreaRecord {
  x0: u32;
  notX1: u32;
  y0: u32;
  notY1: u32;
}

// @ts-ignore: decorator
@unmanaged
class CentroidRecord extends BoundsRecord {
  sumX: u64;
  sumY: u64;
}

// @ts-ignore: decorator
@unmanaged
class ShapeRecord extends CentroidRecord {
  sumXX: u64;
  sumXY: u64;
  sumYY: u64;
  edges: u64;
  euler: i64;
}

// @ts-ignore: decorator
@inline
function accumulate<Record>(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, eight: bool,
  labels: usize, records: usize, list: usize, outline: usize,
): void {
  const words = (width + 63) >> 6;
  const stride = <usize>words << 3;
  const bytes = offsetof<Record>();
  for (let y = y0; y < y1; ) {
    const row = bits + <usize>y * stride;
    const row2 = bits2 ? bits2 + <usize>y * stride : 0;
    // Consecutive equal rows have runs of the same components: the first row is added, times the number of rows.
    let rows: u32 = 1;
    while (y + rows < y1 && repeats(row, row2, rows, words)) rows++;
    const runs = decodeRow(row, row2, width, list);
    if (offsetof<Record>() == SHAPE_BYTES && runs) outlineRow(row, row2, y, words, eight, outline);
    // Sum of y, and of y * y, over the rows.
    const sumRows = ((<u64>y + <u64>(y + rows) - 1) * rows) >> 1;
    const squareRows = squaresBelow(y + rows) - squaresBelow(y);
    // Turns begin, end, 0, 0 into begin, ~end, y0, ~y1.
    const turn = i32x4(0, -1, y, ~(y + rows));
    for (let i: u32 = 0; i < runs; i++) {
      const begin = load<u32>(list + (<usize>i << 3));
      const end = load<u32>(list + (<usize>i << 3), 4);
      const record = records + <usize>load<u32>(labels + (<usize>i << 2)) * bytes;
      const length = <u64>(end - begin);
      add(record, length * rows);
      if (offsetof<Record>() >= BOUNDS_BYTES) {
        const box = v128.xor(v128.load64_zero(list + (<usize>i << 3)), turn);
        v128.store(record, i32x4.min_u(v128.load(record, 8), box), 8);
      }
      if (offsetof<Record>() >= CENTROID_BYTES) {
        const sumX = ((<u64>begin + <u64>end - 1) * length) >> 1;
        const sums = i64x2.replace_lane(i64x2.splat(sumX * rows), 1, length * sumRows);
        v128.store(record, i64x2.add(v128.load(record, 24), sums), 24);
        if (offsetof<Record>() == SHAPE_BYTES) {
          add(record + 40, (squaresBelow(end) - squaresBelow(begin)) * rows);
          add(record + 48, sumX * sumRows);
          add(record + 56, length * squareRows);
          const plane = outline + (row2 && !isSet(row, begin) ? outlineBytes(words) : 0);
          // A repeated row adds the edges at its two ends. Its run meets one run, so the Euler number is unchanged.
          add(record + 64, 2 * rows + 2 * length - 2 * countBetween(plane, words, begin, end));
          add(record + 72, 1 - countBetween(plane + rankedBytes(words), words, begin, end + 1));
        }
      }
    }
    labels += (<usize>runs << 2) * rows;
    y += rows;
  }
}

// @ts-ignore: decorator
@inline
function repeats(row: usize, row2: usize, rows: u32, words: u32): bool {
  const at = (<usize>rows * words) << 3;
  return rowsEqual(row, row + at, words) && (row2 == 0 || rowsEqual(row2, row2 + at, words));
}

// @ts-ignore: decorator
@inline
function isSet(row: usize, x: u32): bool {
  return ((load<u64>(row + (<usize>(x >> 6) << 3)) >> (<u64>(x & 63))) & 1) != 0;
}

// A ranked row: words + 1 words of bits, then words + 1 counts (u32) of the bits before each word.
// @ts-ignore: decorator
@inline
function rankedBytes(words: u32): usize {
  return (<usize>(words + 1) * 12 + 7) & ~7;
}

// @ts-ignore: decorator
@inline
function outlineBytes(words: u32): usize {
  return 2 * rankedBytes(words);
}

/**
 * Writes two ranked rows per plane: the pixels with a pixel of the same plane above, and the meetings (pairs of touching
 * runs, see joinRow) with the row above. A meeting is counted with the run of this row: a straight or right one lies in
 * [begin, end), a left one at `end`, so the range of meetings is one longer.
 */
function outlineRow(row: usize, row2: usize, y: u32, words: u32, eight: bool, out: usize): void {
  outlinePlane(row, y, words, eight, out);
  if (row2) outlinePlane(row2, y, words, eight, out + outlineBytes(words));
}

function outlinePlane(row: usize, y: u32, words: u32, eight: bool, out: usize): void {
  const stride = <usize>words << 3;
  const meet = out + rankedBytes(words);
  const counts = <usize>(words + 1) << 3;
  let cCarry: u64 = 0;
  let uCarry: u64 = 0;
  let covered: u32 = 0;
  let met: u32 = 0;
  for (let i: u32 = 0; i <= words; i++) {
    const at = <usize>i << 3;
    const c = i < words ? load<u64>(row + at) : 0;
    const u = i < words && y > 0 ? load<u64>(row - stride + at) : 0;
    const cLeft = (c << 1) | cCarry;
    const uLeft = (u << 1) | uCarry;
    const cs = startsOf(c, cCarry);
    const us = startsOf(u, uCarry);
    let pairs = (us & c) | (cs & u & ~us);
    if (eight) pairs |= (us & ~c & cLeft) | (cs & ~u & uLeft);
    store<u64>(out + at, c & u);
    store<u64>(meet + at, pairs);
    store<u32>(out + counts + (<usize>i << 2), covered);
    store<u32>(meet + counts + (<usize>i << 2), met);
    covered += <u32>popcnt(c & u);
    met += <u32>popcnt(pairs);
    cCarry = c >> 63;
    uCarry = u >> 63;
  }
}

/** Set bits of a ranked row in [begin, end). */
// @ts-ignore: decorator
@inline
function countBetween(ranked: usize, words: u32, begin: u32, end: u32): u64 {
  return <u64>(rank(ranked, words, end) - rank(ranked, words, begin));
}

// @ts-ignore: decorator
@inline
function rank(ranked: usize, words: u32, x: u32): u32 {
  const word = <usize>(x >> 6);
  const before = load<u32>(ranked + (<usize>(words + 1) << 3) + (word << 2));
  return before + <u32>popcnt(load<u64>(ranked + (word << 3)) & below(x & 63));
}

/**
 * Adds the records of components that seams joined to the records of their roots.
 * @param level 0..3, as in accumulateStrip
 * @param records records of all strips' components [0 .. count ? (u32(joins, 2 * count - 2) + 1) * (level === 0 ? 8 : level === 1 ? 24 : level === 2 ? 40 : 80) : 0]
 * @param joins u32 pairs: component, its root; ascending by component [0 .. count * 8]
 * @param count pairs in joins
 */
export function combineRegions(level: u32, records: usize, joins: usize, count: u32): void {
  const bytes = recordBytes(level);
  for (let i: u32 = 0; i < count; i++) {
    const from = records + <usize>load<u32>(joins + (<usize>i << 3)) * bytes;
    const to = records + <usize>load<u32>(joins + (<usize>i << 3), 4) * bytes;
    add(to, load<u64>(from));
    if (level >= 1) v128.store(to, i32x4.min_u(v128.load(to, 8), v128.load(from, 8)), 8);
    for (let at: usize = 24; at < bytes; at += 8) add(to + at, load<u64>(from + at));
  }
}

/** Arguments of {@link gatherRegions}. */
// @ts-ignore: decorator
@unmanaged
export class GatherRegionsCall {
  /** 0 copy, 1 area, 2/4 centroid, 3/5 bounds. */
  kind: u32;
  /** Records of all strips' components. [to > from ? from * bytes + (kind === 0 ? field : kind === 2 ? 0 : kind === 3 || kind === 5 ? 8 : 0) : 0 .. to > from ? (to - 1) * bytes + (kind === 0 ? field + length : kind === 1 ? 8 : kind === 2 ? 40 : kind === 3 ? 24 : kind === 4 ? 56 : 32) : 0] */
  records: usize;
  /** Bytes of a record (not a pointer). */
  bytes: usize;
  /** COPY: byte of the field within a record. */
  field: usize;
  /** Bytes copied per label, multiple of 8 (not a pointer). */
  length: usize;
  /** u32 per component: its label from 1. [from * 4 .. to * 4] */
  map: usize;
  /** u32 per 32768 components: labels before. [Math.floor(from / 32768) * 4 .. Math.floor(from / 32768) * 4 + 4] */
  firsts: usize;
  /** First component, a multiple of 32768. */
  from: u32;
  /** One past the last component of the chunk. */
  to: u32;
  /** The field of the chunk's labels, one after another. [0 .. to > from ? Math.max(0, afterLargest(map, from, to) - 1 - u32(firsts, Math.floor(from / 32768))) * (kind === 0 ? length : kind === 1 ? 4 : kind === 2 || kind === 3 ? 16 : 24) : 0] */
  out: usize;
}

/**
 * Collects one field of the records of labels, in order: of the roots among components [from, to) of all strips, which are
 * chunk `from` / CHUNK. COPY writes `length` bytes (a multiple of 8) from `field`, AREA one u32, CENTROID two f64 (the
 * first moments over the area), and BOUNDS x0, y0, x1, y1. SOLID_CENTROID and SOLID_BOUNDS include z. Returns the number
 * of labels written, or -1 if an area exceeds 32 bits.
 */
export function gatherRegions(call: GatherRegionsCall): i32 {
  let kind = call.kind, records = call.records, bytes = call.bytes, field = call.field, length = call.length,
    map = call.map, firsts = call.firsts, from = call.from, to = call.to, out = call.out;
  const first = load<u32>(firsts + (<usize>(from / CHUNK) << 2));
  let next = first;
  for (let i = from; i < to; i++) {
    // New labels ascend, so a component whose label is not the next one was joined to an earlier component.
    if (load<u32>(map + (<usize>i << 2)) != next + 1) continue;
    next++;
    const record = records + <usize>i * bytes;
    if (kind == AREA) {
      const area = load<u64>(record);
      if (area >> 32) return -1;
      store<u32>(out, <u32>area);
      out += 4;
    } else if (kind == CENTROID) {
      const area = <f64>load<u64>(record);
      store<f64>(out, <f64>load<u64>(record, 24) / area);
      store<f64>(out, <f64>load<u64>(record, 32) / area, 8);
      out += 16;
    } else if (kind == SOLID_CENTROID) {
      const area = <f64>load<u64>(record);
      for (let axis: usize = 0; axis < 24; axis += 8) store<f64>(out + axis, <f64>load<u64>(record + 32 + axis) / area);
      out += 24;
    } else if (kind == SOLID_BOUNDS) {
      store<u32>(out, load<u32>(record, 8));
      store<u32>(out, load<u32>(record, 16), 4);
      store<u32>(out, load<u32>(record, 24), 8);
      store<u32>(out, ~load<u32>(record, 12), 12);
      store<u32>(out, ~load<u32>(record, 20), 16);
      store<u32>(out, ~load<u32>(record, 28), 20);
      out += 24;
    } else if (kind == BOUNDS) {
      store<u32>(out, load<u32>(record, 8));
      store<u32>(out, load<u32>(record, 16), 4);
      store<u32>(out, ~load<u32>(record, 12), 8);
      store<u32>(out, ~load<u32>(record, 20), 12);
      out += 16;
    } else {
      for (let at: usize = 0; at < length; at += 8) store<u64>(out + at, load<u64>(record + field + at));
      out += length;
    }
  }
  return <i32>(next - first);
}
