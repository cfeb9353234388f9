// Sums of pixel values over components: of their own pixels, and of the background pixels across their boundary edges.
// Integers are summed exactly, in i64; floats in f64. Four sums of 32-bit integers need 128 bits: the square of a single
// value may exceed 63 bits.
//
//     byte 0 min, 8 max, 16 sum, 24 sum of squares, 32 sum v x, 40 sum v y  (i64, or f64 for floats)
//         48 sum over boundary edges of the background value, 56 number of those edges (u64), 64 sum v z
//         72 number of pixels (u64)
//     32-bit integers only, high halves of 128-bit sums: 80 sum of squares, 88 sum v x, 96 sum v y, 104 sum v z

import { FLOATS, INTENSITY_BYTES, WIDE, WIDE_INTENSITY_BYTES } from "./layout/regions";
import { below, decodeRow } from "./bits";
import { I16, I32, U16, U32, U8, lumaRow } from "./image-luma";

// @ts-ignore: decorator
@inline
function recordBytes(kind: u32): usize {
  return kind == WIDE ? WIDE_INTENSITY_BYTES : INTENSITY_BYTES;
}

/**
 * Resets `size` records: sums to 0, minima and maxima to the neutral values.
 * @param records a strip's records of intensity [0 .. size * (kind === 2 ? 112 : 80)]
 * @param size records
 * @param kind 0 sums of i64, 1 of f64, 2 of i64 and 128 bits
 */
export function resetIntensity(records: usize, size: u32, kind: u32): void {
  const bytes = recordBytes(kind);
  memory.fill(records, 0, <usize>size * bytes);
  for (let i: u32 = 0; i < size; i++) {
    const record = records + <usize>i * bytes;
    if (kind == FLOATS) {
      store<f64>(record, Infinity);
      store<f64>(record, -Infinity, 8);
    } else {
      store<i64>(record, i64.MAX_VALUE);
      store<i64>(record, i64.MIN_VALUE, 8);
    }
  }
}

/** Arguments of {@link accumulateIntensity}. */
// @ts-ignore: decorator
@unmanaged
export class AccumulateIntensityCall {
  /** Origin of the first bit plane. [(edges ? rowBeside(y0, y1, height) : y0) * rowBytes(width) .. (edges ? rowAfterBeside(y0, y1, height, depth) : y1) * rowBytes(width)] */
  bits: usize;
  /** Origin of the second bit plane, or 0. [(edges ? rowBeside(y0, y1, height) : y0) * rowBytes(width) .. (edges ? rowAfterBeside(y0, y1, height, depth) : y1) * rowBytes(width)] */
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
  /** Rows per slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** TYPE_CODE 0..5. */
  type: u32;
  /** Values per pixel: 1, 3 or 4. */
  channels: u32;
  /** Pixels of row y0. [-before * width * typeBytes(type) * channels .. (y1 - y0 + after) * width * typeBytes(type) * channels] */
  src: usize;
  /** Receives luma of all rows, the `before` ones first. [0 .. channels > 1 ? (y1 - y0 + before + after) * width * typeBytes(type) : 0] */
  slot: usize;
  /** Rows of pixels before src, for edges. */
  before: u32;
  /** Rows of pixels after row y1 - 1, for edges. */
  after: u32;
  /** The strip's records, 80 bytes each, or 112 for 32-bit integers. [0 .. u32(offsets, y1) > u32(offsets, y0) ? (Math.max(u32(labels, u32(offsets, y0)), u32(labels, u32(offsets, y1) - 1)) + 1) * (type > 3 ? 112 : 80) : 0] */
  records: usize;
  /** Scratch: u32 pairs begin, end of one row's runs. [0 .. bits2 ? width * 8 : width * 4 + 12] */
  list: usize;
  /** 0 or 1: add background pixels across edges. */
  edges: bool;
  /** 0 or 1: leave out pixels equal to except. */
  excepting: bool;
  /** Value of pixels left out (f64). */
  except: f64;
}

/**
 * Adds the pixels of rows [y0, y1), counted through `depth` slices of `height` rows and beginning at `src`, to the
 * records. For the edges, `before` more rows lie before them and `after` more rows after them. Colour is reduced to
 * luma at `slot`. `slot` may be the first of the rows before `src`, because writing one channel never overtakes reading
 * three. With `excepting`, pixels of the value `except` are left out.
 */
export function accumulateIntensity(call: AccumulateIntensityCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, height = call.height, depth = call.depth, type = call.type,
    channels = call.channels, src = call.src, slot = call.slot, before = call.before, after = call.after,
    records = call.records, list = call.list, edges = call.edges, excepting = call.excepting,
    except = call.except;
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  if (type == U8) return rows<u8>(channels, src, slot, width, y0, y1, height, depth, before, after, bits, bits2, labels, records, list, edges, excepting, <u8>except);
  if (type == U16) return rows<u16>(channels, src, slot, width, y0, y1, height, depth, before, after, bits, bits2, labels, records, list, edges, excepting, <u16>except);
  if (type == I16) return rows<i16>(channels, src, slot, width, y0, y1, height, depth, before, after, bits, bits2, labels, records, list, edges, excepting, <i16>except);
  if (type == U32) return rows<u32>(channels, src, slot, width, y0, y1, height, depth, before, after, bits, bits2, labels, records, list, edges, excepting, <u32>except);
  if (type == I32) return rows<i32>(channels, src, slot, width, y0, y1, height, depth, before, after, bits, bits2, labels, records, list, edges, excepting, <i32>except);
  rows<f32>(channels, src, slot, width, y0, y1, height, depth, before, after, bits, bits2, labels, records, list, edges, excepting, <f32>except);
}

function rows<T>(
  channels: u32, src: usize, slot: usize, width: u32, y0: u32, y1: u32, height: u32, depth: u32, before: u32, after: u32,
  bits: usize, bits2: usize, labels: usize, records: usize, list: usize, edges: bool, excepting: bool, except: T,
): void {
  const words = (width + 63) >> 6;
  const pitch = <usize>width * sizeof<T>();
  const count = y1 - y0 + before + after;
  let first = src - <usize>before * pitch * channels;
  if (channels > 1) {
    let from = first;
    let to = slot;
    for (let i: u32 = 0; i < count; i++) {
      lumaRow<T>(from, channels, width, to, false);
      from += pitch * channels;
      to += pitch;
    }
    first = slot;
  }
  let row = first + <usize>before * pitch;
  const stride = <usize>words << 3;
  for (let line = y0; line < y1; line++) {
    const at = <usize>line * stride;
    const y = line % height;
    const z = line / height;
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      const begin = load<u32>(list + (<usize>i << 3));
      const end = load<u32>(list + (<usize>i << 3), 4);
      const bytes = isWide<T>() ? WIDE_INTENSITY_BYTES : INTENSITY_BYTES;
      const record = records + <usize>load<u32>(labels + (<usize>i << 2)) * bytes;
      if (isWide<T>()) addWide<T>(record, row, y, z, begin, end, excepting, except);
      else if (isFloat<T>()) addSome<T, f64>(record, row, y, z, begin, end, excepting, except);
      else if (excepting) addSome<T, i64>(record, row, y, z, begin, end, true, except);
      else addRun<T>(record, row, y, z, begin, end);
      if (edges) {
        if (begin > 0 && !isForeground(bits, bits2, at, begin - 1)) addEdge<T>(record, row, begin - 1, excepting, except);
        if (end < width && !isForeground(bits, bits2, at, end)) addEdge<T>(record, row, end, excepting, except);
        if (y > 0) addEdges<T>(record, row - pitch, bits, bits2, at - stride, begin, end, excepting, except);
        if (y + 1 < height) addEdges<T>(record, row + pitch, bits, bits2, at + stride, begin, end, excepting, except);
        if (z > 0) addEdges<T>(record, row - <usize>height * pitch, bits, bits2, at - <usize>height * stride, begin, end, excepting, except);
        if (z + 1 < depth) addEdges<T>(record, row + <usize>height * pitch, bits, bits2, at + <usize>height * stride, begin, end, excepting, except);
      }
    }
    labels += <usize>runs << 2;
    row += pitch;
  }
}

/** Whether the sums of a type take 128 bits. */
// @ts-ignore: decorator
@inline
function isWide<T>(): bool {
  return !isFloat<T>() && sizeof<T>() == 4;
}

/** Whether a pixel is to be left out. */
// @ts-ignore: decorator
@inline
function isMissing<T>(v: T, excepting: bool, except: T): bool {
  if (isFloat<T>() && v != v) return true;
  return excepting && v == except;
}

// @ts-ignore: decorator
@inline
function addRun<T>(record: usize, row: usize, y: u32, z: u32, begin: u32, end: u32): void {
  let low = load<i64>(record);
  let high = load<i64>(record, 8);
  let sum: i64 = 0;
  let squares: i64 = 0;
  let moment: i64 = 0;
  for (let x = begin; x < end; x++) {
    const v = <i64>load<T>(row + <usize>x * sizeof<T>());
    low = min<i64>(low, v);
    high = max<i64>(high, v);
    sum += v;
    squares += v * v;
    moment += v * <i64>x;
  }
  addSums<i64>(record, low, high, sum, squares, moment, y, z, end - begin);
}

/** Adds a run whose pixels may be left out in part. */
// @ts-ignore: decorator
@inline
function addSome<T, S>(record: usize, row: usize, y: u32, z: u32, begin: u32, end: u32, excepting: bool, except: T): void {
  let low = load<S>(record);
  let high = load<S>(record, 8);
  let sum: S = 0;
  let squares: S = 0;
  let moment: S = 0;
  let count: u32 = 0;
  for (let x = begin; x < end; x++) {
    const pixel = load<T>(row + <usize>x * sizeof<T>());
    if (isMissing<T>(pixel, excepting, except)) continue;
    const v = <S>pixel;
    count++;
    low = min<S>(low, v);
    high = max<S>(high, v);
    sum += v;
    squares += v * v;
    moment += v * <S>x;
  }
  addSums<S>(record, low, high, sum, squares, moment, y, z, count);
}

// @ts-ignore: decorator
@inline
function addSums<S>(record: usize, low: S, high: S, sum: S, squares: S, moment: S, y: u32, z: u32, count: u32): void {
  store<S>(record, low);
  store<S>(record, high, 8);
  store<S>(record, load<S>(record, 16) + sum, 16);
  store<S>(record, load<S>(record, 24) + squares, 24);
  store<S>(record, load<S>(record, 32) + moment, 32);
  store<S>(record, load<S>(record, 40) + sum * <S>y, 40);
  if (z > 0) store<S>(record, load<S>(record, 64) + sum * <S>z, 64);
  store<u64>(record, load<u64>(record, 72) + count, 72);
}

/** Adds a run of 32-bit integers. */
function addWide<T>(record: usize, row: usize, y: u32, z: u32, begin: u32, end: u32, excepting: bool, except: T): void {
  let low = load<i64>(record);
  let high = load<i64>(record, 8);
  let sum: i64 = 0;
  let count: u32 = 0;
  for (let x = begin; x < end; x++) {
    const pixel = load<T>(row + <usize>x * sizeof<T>());
    if (isMissing<T>(pixel, excepting, except)) continue;
    const v = <i64>pixel;
    count++;
    low = min<i64>(low, v);
    high = max<i64>(high, v);
    sum += v;
    const size = <u64>(v < 0 ? -v : v);
    addProduct(record + 24, record + 80, <i64>size, size);
    addProduct(record + 32, record + 88, v, <u64>x);
  }
  store<i64>(record, low);
  store<i64>(record, high, 8);
  store<i64>(record, load<i64>(record, 16) + sum, 16);
  addProduct(record + 40, record + 96, sum, <u64>y);
  addProduct(record + 64, record + 104, sum, <u64>z);
  store<u64>(record, load<u64>(record, 72) + count, 72);
}

/**
 * Adds a * b to the 128 bits whose halves lie at `low` and `high`, for b < 2^32. The magnitude of a is split into two 32-bit
 * words, so each product fits 64 bits:
 *
 *     a = 2^32 h + l    a b = 2^32 (h b) + l b
 */
// @ts-ignore: decorator
@inline
function addProduct(low: usize, high: usize, a: i64, b: u64): void {
  const size = <u64>(a < 0 ? -a : a);
  const lower = (size & 0xffffffff) * b;
  const upper = (size >> 32) * b;
  let least = lower + (upper << 32);
  let most = (upper >> 32) + <u64>(least < lower);
  if (a < 0) {
    least = ~least + 1;
    most = ~most + <u64>(least == 0);
  }
  addHalves(low, high, least, most);
}

// @ts-ignore: decorator
@inline
function addHalves(low: usize, high: usize, least: u64, most: u64): void {
  const sum = load<u64>(low) + least;
  store<u64>(low, sum);
  // A sum that wrapped is less than its summand.
  store<u64>(high, load<u64>(high) + most + <u64>(sum < least));
}

// @ts-ignore: decorator
@inline
function isForeground(bits: usize, bits2: usize, at: usize, x: u32): bool {
  const word = at + (<usize>(x >> 6) << 3);
  let c = load<u64>(bits + word);
  if (bits2) c |= load<u64>(bits2 + word);
  return ((c >> (<u64>(x & 63))) & 1) != 0;
}

// @ts-ignore: decorator
@inline
function addEdge<T>(record: usize, row: usize, x: u32, excepting: bool, except: T): void {
  const v = load<T>(row + <usize>x * sizeof<T>());
  if (isMissing<T>(v, excepting, except)) return;
  if (isFloat<T>()) store<f64>(record, load<f64>(record, 48) + <f64>v, 48);
  else store<i64>(record, load<i64>(record, 48) + <i64>v, 48);
  store<u64>(record, load<u64>(record, 56) + 1, 56);
}

/** Adds the background pixels of the neighbouring row at `row` that lie in [begin, end). */
// @ts-ignore: decorator
@inline
function addEdges<T>(
  record: usize, row: usize, bits: usize, bits2: usize, at: usize, begin: u32, end: u32, excepting: bool, except: T,
): void {
  const last = (end - 1) >> 6;
  for (let i = begin >> 6; i <= last; i++) {
    let c = load<u64>(bits + at + (<usize>i << 3));
    if (bits2) c |= load<u64>(bits2 + at + (<usize>i << 3));
    let open = ~c;
    if (i == begin >> 6) open &= ~below(begin & 63);
    // A full last word keeps all its bits: a shift by 64 would be a shift by 0.
    if (i == last && (end & 63) != 0) open &= below(end & 63);
    while (open) {
      addEdge<T>(record, row, (i << 6) + <u32>ctz(open), excepting, except);
      open &= open - 1;
    }
  }
}

/**
 * Adds the records of components that seams joined to the records of their roots.
 * @param kind 0 sums of i64, 1 of f64, 2 of i64 and 128 bits
 * @param records records of all strips' components [0 .. count ? (u32(joins, 2 * count - 2) + 1) * (kind === 2 ? 112 : 80) : 0]
 * @param joins u32 pairs: component, its root; ascending by component [0 .. count * 8]
 * @param count pairs in joins
 */
export function combineIntensity(kind: u32, records: usize, joins: usize, count: u32): void {
  const bytes = recordBytes(kind);
  for (let i: u32 = 0; i < count; i++) {
    const from = records + <usize>load<u32>(joins + (<usize>i << 3)) * bytes;
    const to = records + <usize>load<u32>(joins + (<usize>i << 3), 4) * bytes;
    if (kind == WIDE) combineWide(from, to);
    else if (kind == FLOATS) combine<f64>(from, to);
    else combine<i64>(from, to);
    store<u64>(to, load<u64>(to, 56) + load<u64>(from, 56), 56);
    store<u64>(to, load<u64>(to, 72) + load<u64>(from, 72), 72);
  }
}

// @ts-ignore: decorator
@inline
function combine<S>(from: usize, to: usize): void {
  store<S>(to, min<S>(load<S>(to), load<S>(from)));
  store<S>(to, max<S>(load<S>(to, 8), load<S>(from, 8)), 8);
  for (let at: usize = 16; at < 56; at += 8) store<S>(to + at, load<S>(to + at) + load<S>(from + at));
  store<S>(to, load<S>(to, 64) + load<S>(from, 64), 64);
}

function combineWide(from: usize, to: usize): void {
  store<i64>(to, min<i64>(load<i64>(to), load<i64>(from)));
  store<i64>(to, max<i64>(load<i64>(to, 8), load<i64>(from, 8)), 8);
  store<i64>(to, load<i64>(to, 16) + load<i64>(from, 16), 16);
  store<i64>(to, load<i64>(to, 48) + load<i64>(from, 48), 48);
  for (let i: usize = 0; i < 4; i++) {
    const low: usize = i == 3 ? 64 : 24 + (i << 3);
    const high: usize = 80 + (i << 3);
    addHalves(to + low, to + high, load<u64>(from + low), load<u64>(from + high));
  }
}
