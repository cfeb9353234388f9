// Quantiles and histograms of the values under each object. The pixels of an object are gathered from its runs. 8-bit
// values, and 16-bit values of objects with 65 536 pixels or more, are counted per level. Other values are sorted by keys
// that ascend with the value, by radix sort over their bytes.

import { F32, I16, I32, U16, U32, U8, typeBytes } from "./image-luma";
import { binOf } from "./histogram";
import { BYTE_COUNTERS } from "./layout/regions-values";

/** Largest number of keys that are sorted by insertion. */
const FEW: u32 = 32;
/** Levels of 16 bits, and the least number of pixels of a 16-bit object whose levels are counted. */
const LEVELS: u32 = 65536;

/** Arguments of {@link measureValues}. */
// @ts-ignore: decorator
@unmanaged
export class MeasureValuesCall {
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
  /** All pixels, of one channel. [0 .. width * rows * typeBytes(type)] */
  pixels: usize;
  /** Pixels per row. */
  width: u32;
  /** Rows of all slices. */
  rows: u32;
  /** TYPE_CODE 0..5. */
  type: u32;
  /** 0 or 1: leave out pixels equal to except. */
  excepting: bool;
  /** Value of pixels left out (f64). */
  except: f64;
  /** f64: quantiles from 0 to 1. [0 .. quantiles * 8] */
  fractions: usize;
  /** Number of quantiles. */
  quantiles: u32;
  /** f64 edges of bins. [0 .. bins ? bins * 8 + 8 : 0] */
  edges: usize;
  /** Bins; 0 for no histogram. */
  bins: u32;
  /** Keys of the largest object, twice. [0 .. quantiles ? most * 8 : 0] */
  keys: usize;
  /** Pixels of the largest object; 0 for 8-bit values, at most 65536 for 16-bit values. */
  most: u32;
  /** Counters of levels, or of bytes. [0 .. quantiles ? (typeBytes(type) === 2 ? LEVEL_COUNTERS : BYTE_COUNTERS) : 0] */
  counters: usize;
  /** f64 per object of this call and quantile. [0 .. (to - from) * quantiles * 8] */
  out: usize;
  /** u32 per object of this call and bin. [0 .. (to - from) * bins * 4] */
  histogram: usize;
}

/** Writes the quantiles and histograms of objects [from, to). */
export function measureValues(call: MeasureValuesCall): void {
  for (let object = call.from; object < call.to; object++) {
    const first = load<u32>(call.offsets + (<usize>object << 2));
    const last = load<u32>(call.offsets + (<usize>object << 2), 4);
    const place = <usize>(object - call.from);
    if (call.bins) countBins(call, first, last, call.histogram + place * call.bins * 4);
    if (!call.quantiles) continue;
    const out = call.out + place * call.quantiles * 8;
    if (call.type == U8 || (typeBytes(call.type) == 2 && pixelsOf(call, first, last) >= LEVELS)) {
      const levels: u32 = call.type == U8 ? 256 : LEVELS;
      writeQuantiles(call, countLevels(call, first, last, levels), levels, 0, out);
    } else {
      const n = gatherKeys(call, first, last);
      writeQuantiles(call, n, 0, sortKeys(call, n), out);
    }
  }
}

/** Writes the least and the greatest finite value of objects [from, to) in place of two quantiles; NaN if an object has none. */
export function measureExtremes(call: MeasureValuesCall): void {
  const size = typeBytes(call.type);
  for (let object = call.from; object < call.to; object++) {
    const first = load<u32>(call.offsets + (<usize>object << 2));
    const last = load<u32>(call.offsets + (<usize>object << 2), 4);
    let low: f64 = Infinity, high: f64 = -Infinity;
    for (let run = first; run < last; run++) {
      let at = addressOf(call, run);
      for (let n = lengthOf(call, run); n > 0; n--, at += size) {
        const v = valueAt(call, at);
        // NaN fails both comparisons.
        if (!(v > -Infinity && v < Infinity)) continue;
        low = min(low, v);
        high = max(high, v);
      }
    }
    const out = call.out + <usize>(object - call.from) * 16;
    store<f64>(out, low <= high ? low : NaN);
    store<f64>(out, low <= high ? high : NaN, 8);
  }
}

function pixelsOf(call: MeasureValuesCall, first: u32, last: u32): u32 {
  const begin = call.table + (<usize>call.count << 2);
  const end = begin + (<usize>call.count << 2);
  let n: u32 = 0;
  for (let run = first; run < last; run++) n += load<u32>(end + (<usize>run << 2)) - load<u32>(begin + (<usize>run << 2));
  return n;
}

/** The address of a run's first pixel. */
// @ts-ignore: decorator
@inline
function addressOf(call: MeasureValuesCall, run: u32): usize {
  const at = call.table + (<usize>run << 2);
  const place = <usize>load<u32>(at) * call.width + load<u32>(at + (<usize>call.count << 2));
  return call.pixels + place * typeBytes(call.type);
}

// @ts-ignore: decorator
@inline
function lengthOf(call: MeasureValuesCall, run: u32): u32 {
  const begin = call.table + (<usize>(call.count + run) << 2);
  return load<u32>(begin + (<usize>call.count << 2)) - load<u32>(begin);
}

/** The pixel at an address; NaN for one that is to be left out. */
// @ts-ignore: decorator
@inline
function valueAt(call: MeasureValuesCall, at: usize): f64 {
  const type = call.type;
  const v = type == U8 ? <f64>load<u8>(at)
    : type == U16 ? <f64>load<u16>(at)
    : type == I16 ? <f64>load<i16>(at)
    : type == U32 ? <f64>load<u32>(at)
    : type == I32 ? <f64>load<i32>(at)
    : <f64>load<f32>(at);
  return call.excepting && v == call.except ? NaN : v;
}

function countBins(call: MeasureValuesCall, first: u32, last: u32, histogram: usize): void {
  const size = typeBytes(call.type);
  memory.fill(histogram, 0, <usize>call.bins << 2);
  const low = load<f64>(call.edges);
  const high = load<f64>(call.edges + (<usize>call.bins << 3));
  for (let run = first; run < last; run++) {
    let at = addressOf(call, run);
    for (let n = lengthOf(call, run); n > 0; n--, at += size) {
      const v = valueAt(call, at);
      // NaN is in no bin either.
      if (!(v >= low && v <= high)) continue;
      const bin = histogram + (<usize>binOf(v, call.edges, call.bins) << 2);
      store<u32>(bin, load<u32>(bin) + 1);
    }
  }
}

/** Counts levels, those of i16 from -32768 on. Returns the number of pixels counted. */
function countLevels(call: MeasureValuesCall, first: u32, last: u32, levels: u32): u32 {
  const size = typeBytes(call.type);
  memory.fill(call.counters, 0, <usize>levels << 2);
  const lowest: f64 = call.type == I16 ? -32768 : 0;
  let count: u32 = 0;
  for (let run = first; run < last; run++) {
    let at = addressOf(call, run);
    for (let n = lengthOf(call, run); n > 0; n--, at += size) {
      const v = valueAt(call, at);
      if (v != v) continue;
      const counter = call.counters + (<usize>(v - lowest) << 2);
      store<u32>(counter, load<u32>(counter) + 1);
      count++;
    }
  }
  return count;
}

/** Writes a key per pixel, and returns their number. A key is the value less the type's lowest one; for floats see keyOf. */
function gatherKeys(call: MeasureValuesCall, first: u32, last: u32): u32 {
  const size = typeBytes(call.type);
  let to = call.keys;
  for (let run = first; run < last; run++) {
    let at = addressOf(call, run);
    for (let n = lengthOf(call, run); n > 0; n--, at += size) {
      const v = valueAt(call, at);
      if (v != v) continue;
      store<u32>(to, call.type == F32 ? keyOf(<f32>v) : <u32>(<i64>v - lowestOf(call.type)));
      to += 4;
    }
  }
  return <u32>((to - call.keys) >> 2);
}

// @ts-ignore: decorator
@inline
function lowestOf(type: u32): i64 {
  return type == I16 ? -32768 : type == I32 ? -2147483648 : 0;
}

/** A key that ascends with a float: its bits, all inverted if it is negative, else with the sign bit inverted. */
// @ts-ignore: decorator
@inline
function keyOf(v: f32): u32 {
  const bits = reinterpret<u32>(v);
  return bits >> 31 ? ~bits : bits | 0x80000000;
}

// @ts-ignore: decorator
@inline
function valueOf(type: u32, key: u32): f64 {
  if (type == F32) return <f64>reinterpret<f32>(key >> 31 ? key & 0x7fffffff : ~key);
  return <f64>(<i64>key + lowestOf(type));
}

/** Sorts n keys, byte by byte from the lowest on, between the two halves of their memory. Returns their address. */
function sortKeys(call: MeasureValuesCall, n: u32): usize {
  let keys = call.keys;
  if (n <= FEW) {
    for (let i: u32 = 1; i < n; i++) {
      const key = load<u32>(keys + (<usize>i << 2));
      let j = i;
      for (; j > 0 && load<u32>(keys + (<usize>(j - 1) << 2)) > key; j--) {
        store<u32>(keys + (<usize>j << 2), load<u32>(keys + (<usize>(j - 1) << 2)));
      }
      store<u32>(keys + (<usize>j << 2), key);
    }
    return keys;
  }
  let other = keys + (<usize>call.most << 2);
  const counters = call.counters;
  for (let shift: u32 = 0; shift < <u32>typeBytes(call.type) * 8; shift += 8) {
    memory.fill(counters, 0, BYTE_COUNTERS);
    for (let i: u32 = 0; i < n; i++) {
      const counter = counters + <usize>((load<u32>(keys + (<usize>i << 2)) >> shift) & 255) * 4;
      store<u32>(counter, load<u32>(counter) + 1);
    }
    let before: u32 = 0;
    for (let byte: usize = 0; byte < BYTE_COUNTERS; byte += 4) {
      const own = load<u32>(counters + byte);
      store<u32>(counters + byte, before);
      before += own;
    }
    for (let i: u32 = 0; i < n; i++) {
      const key = load<u32>(keys + (<usize>i << 2));
      const counter = counters + <usize>((key >> shift) & 255) * 4;
      const place = load<u32>(counter);
      store<u32>(counter, place + 1);
      store<u32>(other + (<usize>place << 2), key);
    }
    const swapped = keys;
    keys = other;
    other = swapped;
  }
  return keys;
}

/**
 * Writes the quantiles of n values, from counted levels or from sorted keys. Between two values they are interpolated
 * linearly, from the nearer value, as in NumPy.
 */
function writeQuantiles(call: MeasureValuesCall, n: u32, levels: u32, keys: usize, out: usize): void {
  for (let i: u32 = 0; i < call.quantiles; i++) {
    const at = out + (<usize>i << 3);
    if (n == 0) {
      store<f64>(at, NaN);
      continue;
    }
    const place = load<f64>(call.fractions + (<usize>i << 3)) * <f64>(n - 1);
    const rank = min<u32>(<u32>place, n - 1);
    const rest = place - <f64>rank;
    const low = valueOfRank(call, rank, levels, keys);
    if (rest == 0) {
      store<f64>(at, low);
      continue;
    }
    const high = valueOfRank(call, rank + 1, levels, keys);
    // Between equal values nothing is interpolated: the difference of two equal infinities is NaN.
    if (low == high) {
      store<f64>(at, low);
      continue;
    }
    // Between a number and an infinity the quantile is that infinity, between both infinities it is NaN.
    if (low == -Infinity || high == Infinity) {
      store<f64>(at, low > -Infinity ? high : high < Infinity ? low : NaN);
      continue;
    }
    const apart = high - low;
    store<f64>(at, rest >= 0.5 ? high - apart * (1 - rest) : low + apart * rest);
  }
}

function valueOfRank(call: MeasureValuesCall, rank: u32, levels: u32, keys: usize): f64 {
  if (!levels) return valueOf(call.type, load<u32>(keys + (<usize>rank << 2)));
  let level: u32 = 0;
  let before: u32 = 0;
  while (level < levels - 1) {
    before += load<u32>(call.counters + (<usize>level << 2));
    if (before > rank) break;
    level++;
  }
  return call.type == I16 ? <f64>level - 32768 : <f64>level;
}
