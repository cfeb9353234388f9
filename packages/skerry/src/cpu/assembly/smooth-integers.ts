// Weighted means of integers along the axes, mirrored at the borders. Rows are smoothed along x into a ring of rows, from which
// columns are smoothed along y, tile by tile, so that both passes stay in the cache. Between the passes values have 16 bits:
//
//     Q15: u8 times 64, weights of 15 bits that add up to 2^15. A product of a folded pair is rounded, (a b + 2^14) >> 15,
//          and the rounded products are added: at most 32640 for a pair, so that 16 bits suffice.
//     Q24: u8 times 256, u16, or i16, less 32768 (as signed 16 bits), weights of 24 bits that add up to 2^24. A weight is
//          256 h + l; sums of h v and of l v are exact in 32 bits, and the mean is rounded once: (256 H + L + 2^23) >> 24.
//
// Example in Q15: of the values 0 0 64 64 and the weights 1/4, 1/2, 1/4 the second value becomes
// ((0 + 64) 8192 + 2^14 >> 15) + (0 16384 + 2^14 >> 15) = 16 + 0.

import { U16, U8 } from "./image-luma";
import { SMOOTH_TILE } from "./layout/smooth";
import { mirrored } from "./smooth";

/** A type beside TYPE_CODE 0..5: values between the passes. */
const WORKING: u32 = 6;

/** Taps whose low products 32 bits hold: 64 pairs of 2 * 32768 * 255. */
const LOW_TAPS: i32 = 64;

// @ts-ignore: decorator
@inline
function bytesOf(type: u32): usize {
  return type == U8 ? 1 : 2;
}

// @ts-ignore: decorator
@inline
function workingAt(type: u32, exact: bool, at: usize): i16 {
  if (type == U8) return exact ? <i16>((<u32>load<u8>(at) << 8) ^ 0x8000) : <i16>(<u32>load<u8>(at) << 6);
  const v = load<u16>(at);
  return <i16>(type == U16 ? v ^ 0x8000 : v);
}

// @ts-ignore: decorator
@inline
function eightAt(type: u32, exact: bool, at: usize): v128 {
  if (type == U8) {
    const v = i16x8.extend_low_i8x16_u(v128.load64_zero(at));
    return exact ? v128.xor(i16x8.shl(v, 8), i16x8.splat(-32768)) : i16x8.shl(v, 6);
  }
  const v = v128.load(at);
  return type == U16 ? v128.xor(v, i16x8.splat(-32768)) : v;
}

/** Writes `count` working values as values of a type. */
// @ts-ignore: decorator
@inline
function putRow(type: u32, exact: bool, row: usize, count: i32, dst: usize): void {
  const flip = i16x8.splat(-32768);
  let i = 0;
  if (type == U8) {
    if (exact) {
      const half = i16x8.splat(128);
      for (; i + 16 <= count; i += 16) {
        const at = row + (<usize>i << 1);
        const a = i16x8.shr_u(i16x8.add_sat_u(v128.xor(v128.load(at), flip), half), 8);
        const b = i16x8.shr_u(i16x8.add_sat_u(v128.xor(v128.load(at, 16), flip), half), 8);
        v128.store(dst + <usize>i, i8x16.narrow_i16x8_u(a, b));
      }
    } else {
      const half = i16x8.splat(32);
      for (; i + 32 <= count; i += 32) {
        const at = row + (<usize>i << 1);
        const a = i16x8.shr_s(i16x8.add(v128.load(at), half), 6);
        const b = i16x8.shr_s(i16x8.add(v128.load(at, 16), half), 6);
        const c = i16x8.shr_s(i16x8.add(v128.load(at, 32), half), 6);
        const d = i16x8.shr_s(i16x8.add(v128.load(at, 48), half), 6);
        v128.store(dst + <usize>i, i8x16.narrow_i16x8_u(a, b));
        v128.store(dst + <usize>i, i8x16.narrow_i16x8_u(c, d), 16);
      }
    }
    for (; i < count; i++) {
      const v = load<i16>(row + (<usize>i << 1));
      const rounded = exact ? (<u32>(<u16>v ^ 0x8000) + 128) >> 8 : <u32>((<i32>v + 32) >> 6);
      store<u8>(dst + <usize>i, min<u32>(255, rounded));
    }
    return;
  }
  const own = type == U16 ? flip : i16x8.splat(0);
  for (; i + 8 <= count; i += 8) v128.store(dst + (<usize>i << 1), v128.xor(v128.load(row + (<usize>i << 1)), own));
  for (; i < count; i++) {
    const v = load<u16>(row + (<usize>i << 1));
    store<u16>(dst + (<usize>i << 1), type == U16 ? v ^ 0x8000 : v);
  }
}

/**
 * Means of `count` working values. Entry k of the table has the addresses of the values k steps before and behind; the first one
 * twice that of the middle. Reads and writes up to 63 values more.
 */
// @ts-ignore: decorator
@inline
function meansInto(exact: bool, table: usize, weights: usize, radius: i32, count: i32, out: usize): void {
  if (exact) exactMeans(table, weights, radius, count, out);
  else shortMeans(table, weights, radius, count, out);
}

/** Q15; weights are u16. */
function shortMeans(table: usize, weights: usize, radius: i32, count: i32, out: usize): void {
  for (let x: usize = 0; x < <usize>count << 1; x += 128) {
    const middle = <usize>load<u32>(table) + x;
    let w = v128.load16_splat(weights);
    let s0 = i16x8.q15mulr_sat_s(v128.load(middle), w);
    let s1 = i16x8.q15mulr_sat_s(v128.load(middle, 16), w);
    let s2 = i16x8.q15mulr_sat_s(v128.load(middle, 32), w);
    let s3 = i16x8.q15mulr_sat_s(v128.load(middle, 48), w);
    let s4 = i16x8.q15mulr_sat_s(v128.load(middle, 64), w);
    let s5 = i16x8.q15mulr_sat_s(v128.load(middle, 80), w);
    let s6 = i16x8.q15mulr_sat_s(v128.load(middle, 96), w);
    let s7 = i16x8.q15mulr_sat_s(v128.load(middle, 112), w);
    for (let k: usize = 1; k <= <usize>radius; k++) {
      const a = <usize>load<u32>(table + (k << 3)) + x;
      const b = <usize>load<u32>(table + (k << 3), 4) + x;
      w = v128.load16_splat(weights + (k << 1));
      s0 = i16x8.add(s0, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a), v128.load(b)), w));
      s1 = i16x8.add(s1, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 16), v128.load(b, 16)), w));
      s2 = i16x8.add(s2, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 32), v128.load(b, 32)), w));
      s3 = i16x8.add(s3, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 48), v128.load(b, 48)), w));
      s4 = i16x8.add(s4, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 64), v128.load(b, 64)), w));
      s5 = i16x8.add(s5, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 80), v128.load(b, 80)), w));
      s6 = i16x8.add(s6, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 96), v128.load(b, 96)), w));
      s7 = i16x8.add(s7, i16x8.q15mulr_sat_s(i16x8.add(v128.load(a, 112), v128.load(b, 112)), w));
    }
    v128.store(out + x, s0);
    v128.store(out + x, s1, 16);
    v128.store(out + x, s2, 32);
    v128.store(out + x, s3, 48);
    v128.store(out + x, s4, 64);
    v128.store(out + x, s5, 80);
    v128.store(out + x, s6, 96);
    v128.store(out + x, s7, 112);
  }
}

// @ts-ignore: decorator
@inline
function exactMean(high: v128, low: v128): v128 {
  return i32x4.shr_s(i32x4.add(high, i32x4.shr_s(i32x4.add(low, i32x4.splat(1 << 23)), 8)), 16);
}

/** Q24; weights are four i16 per step: h of the value before and behind, and l of both. */
function exactMeans(table: usize, weights: usize, radius: i32, count: i32, out: usize): void {
  const byte = i32x4.splat(255);
  for (let x: usize = 0; x < <usize>count << 1; x += 32) {
    let h0 = i32x4.splat(0), h1 = h0, h2 = h0, h3 = h0, l0 = h0, l1 = h0, l2 = h0, l3 = h0;
    for (let k = 0; k <= radius; k++) {
      const a = <usize>load<u32>(table + (<usize>k << 3)) + x;
      const b = <usize>load<u32>(table + (<usize>k << 3), 4) + x;
      const h = v128.load32_splat(weights + (<usize>k << 3));
      const l = v128.load32_splat(weights + (<usize>k << 3), 4);
      let first = v128.load(a);
      let second = v128.load(b);
      let v = v128.shuffle<i16>(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
      h0 = i32x4.add(h0, i32x4.dot_i16x8_s(v, h));
      l0 = i32x4.add(l0, i32x4.dot_i16x8_s(v, l));
      v = v128.shuffle<i16>(first, second, 4, 12, 5, 13, 6, 14, 7, 15);
      h1 = i32x4.add(h1, i32x4.dot_i16x8_s(v, h));
      l1 = i32x4.add(l1, i32x4.dot_i16x8_s(v, l));
      first = v128.load(a, 16);
      second = v128.load(b, 16);
      v = v128.shuffle<i16>(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
      h2 = i32x4.add(h2, i32x4.dot_i16x8_s(v, h));
      l2 = i32x4.add(l2, i32x4.dot_i16x8_s(v, l));
      v = v128.shuffle<i16>(first, second, 4, 12, 5, 13, 6, 14, 7, 15);
      h3 = i32x4.add(h3, i32x4.dot_i16x8_s(v, h));
      l3 = i32x4.add(l3, i32x4.dot_i16x8_s(v, l));
      if ((k & (LOW_TAPS - 1)) == LOW_TAPS - 1) {
        // The low sums' multiples of 256 go into the high ones before they fill 32 bits.
        h0 = i32x4.add(h0, i32x4.shr_s(l0, 8));
        h1 = i32x4.add(h1, i32x4.shr_s(l1, 8));
        h2 = i32x4.add(h2, i32x4.shr_s(l2, 8));
        h3 = i32x4.add(h3, i32x4.shr_s(l3, 8));
        l0 = v128.and(l0, byte);
        l1 = v128.and(l1, byte);
        l2 = v128.and(l2, byte);
        l3 = v128.and(l3, byte);
      }
    }
    v128.store(out + x, i16x8.narrow_i32x4_s(exactMean(h0, l0), exactMean(h1, l1)));
    v128.store(out + x, i16x8.narrow_i32x4_s(exactMean(h2, l2), exactMean(h3, l3)), 16);
  }
}

/** Arguments of {@link smoothBand}. */
// @ts-ignore: decorator
@unmanaged
export class SmoothBandCall {
  /** Type of src: 0 u8, 1 u16, 2 i16. */
  from: u32;
  /** Type of dst, as from, or 6 for the values between passes. */
  to: u32;
  /** Q24 instead of Q15, which is for u8 only. */
  exact: bool;
  /** A slice, tight. [0 .. lines * width * channels * (from === 0 ? 1 : 2)] */
  src: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Values of a pixel. */
  channels: u32;
  /** Rows of the slice. */
  lines: u32;
  /** First row that is written. */
  first: u32;
  /** Rows that are written. */
  count: u32;
  /** Weights along x of the middle and of each step away. [0 .. (radiusX + 1) * (exact ? 8 : 2)] */
  weightsX: usize;
  /** Steps to either side along x; 0 leaves the axis as it is. */
  radiusX: u32;
  /** Weights along y. [0 .. (radiusY + 1) * (exact ? 8 : 2)] */
  weightsY: usize;
  /** Steps to either side along y; 0 leaves the axis as it is. */
  radiusY: u32;
  /** A slice, tight. [first * width * channels * (to === 0 ? 1 : 2) .. (first + count) * width * channels * (to === 0 ? 1 : 2)] */
  dst: usize;
  /** Scratch: part of a row with its continuations. [0 .. (SMOOTH_TILE + 2 * radiusX * channels + 64) * 2] */
  line: usize;
  /** Scratch: rows that are smoothed along x. [0 .. (2 * radiusY + 1 < lines ? 2 * radiusY + 1 : lines) * SMOOTH_TILE * 2] */
  ring: usize;
  /** Scratch: addresses of both passes. [0 .. (radiusX + radiusY + 2) * 8] */
  table: usize;
  /** Scratch: part of a row. [0 .. SMOOTH_TILE * 2] */
  row: usize;
}

/** Smooths rows [first, first + count) of a slice along x and y. */
export function smoothBand(call: SmoothBandCall): void {
  const exact = call.exact, to = call.to, values = <i32>(call.width * call.channels), lines = <i32>call.lines,
    channels = call.channels, radiusX = <i32>call.radiusX, radiusY = <i32>call.radiusY, line = call.line,
    across = call.table, down = call.table + (<usize>(radiusX + 1) << 3);
  const ringRows = min(2 * radiusY + 1, lines);
  const reach = <usize>radiusX * channels;
  for (let k: usize = 0; k <= <usize>radiusX; k++) {
    store<u32>(across + (k << 3), <u32>(line + ((reach - k * channels) << 1)));
    store<u32>(across + (k << 3), <u32>(line + ((reach + k * channels) << 1)), 4);
  }
  const end = <i32>(call.first + call.count);
  for (let x = 0; x < values; x += <i32>SMOOTH_TILE) {
    const count = min(<i32>SMOOTH_TILE, values - x);
    let next = max(0, <i32>call.first - radiusY);
    for (let y = <i32>call.first; y < end; y++) {
      for (const last = min(lines - 1, y + radiusY); next <= last; next++) {
        const slot = call.ring + <usize>(next % ringRows) * (SMOOTH_TILE << 1);
        if (radiusX == 0) {
          widen(call, next, x, count, slot);
        } else {
          widen(call, next, x, count, line);
          meansInto(exact, across, call.weightsX, radiusX, count, slot);
        }
      }
      let row = call.ring + <usize>(y % ringRows) * (SMOOTH_TILE << 1);
      if (radiusY > 0) {
        for (let k = 0; k <= radiusY; k++) {
          const entry = down + (<usize>k << 3);
          store<u32>(entry, <u32>(call.ring + <usize>(mirrored(y - k, lines) % ringRows) * (SMOOTH_TILE << 1)));
          store<u32>(entry, <u32>(call.ring + <usize>(mirrored(y + k, lines) % ringRows) * (SMOOTH_TILE << 1)), 4);
        }
        row = call.row;
        meansInto(exact, down, call.weightsY, radiusY, count, row);
      }
      putRow(to, exact, row, count, call.dst + (<usize>y * values + x) * bytesOf(to));
    }
  }
}

/** Writes values [x - reach, x + count + reach) of row y as working values; those beyond the row are mirrored by pixels. */
// @ts-ignore: decorator
@inline
function widen(call: SmoothBandCall, y: i32, x: i32, count: i32, line: usize): void {
  const from = call.from, exact = call.exact, channels = <i32>call.channels, width = <i32>call.width;
  const reach = <i32>call.radiusX * channels, values = width * channels;
  const size = bytesOf(from);
  const src = call.src + <usize>y * values * size;
  const begin = x - reach;
  const end = x + count + reach;
  let i = begin;
  for (; i < 0; i++) {
    // Rounds down: -1 / 3 is pixel -1.
    const pixel = (i + 1) / channels - 1;
    const at = mirrored(pixel, width) * channels + i - pixel * channels;
    store<i16>(line + (<usize>(i - begin) << 1), workingAt(from, exact, src + <usize>at * size));
  }
  const inside = min(end, values);
  if (from == U8 && !exact) {
    for (; i + 32 <= inside; i += 32) {
      const at = line + (<usize>(i - begin) << 1);
      const a = v128.load(src + <usize>i);
      const b = v128.load(src + <usize>i, 16);
      v128.store(at, i16x8.shl(i16x8.extend_low_i8x16_u(a), 6));
      v128.store(at, i16x8.shl(i16x8.extend_high_i8x16_u(a), 6), 16);
      v128.store(at, i16x8.shl(i16x8.extend_low_i8x16_u(b), 6), 32);
      v128.store(at, i16x8.shl(i16x8.extend_high_i8x16_u(b), 6), 48);
    }
  }
  for (; i + 8 <= inside; i += 8) {
    v128.store(line + (<usize>(i - begin) << 1), eightAt(from, exact, src + <usize>i * size));
  }
  for (; i < inside; i++) {
    store<i16>(line + (<usize>(i - begin) << 1), workingAt(from, exact, src + <usize>i * size));
  }
  for (; i < end; i++) {
    const pixel = i / channels;
    const at = mirrored(pixel, width) * channels + i - pixel * channels;
    store<i16>(line + (<usize>(i - begin) << 1), workingAt(from, exact, src + <usize>at * size));
  }
}

/** Arguments of {@link smoothSlices}. */
// @ts-ignore: decorator
@unmanaged
export class SmoothSlicesCall {
  /** Type of dst: 0 u8, 1 u16, 2 i16. */
  to: u32;
  /** Q24 instead of Q15. */
  exact: bool;
  /** Slices of values between passes, and 128 bytes that are read, but not used. [0 .. lines * values * 2 + 128] */
  src: usize;
  /** Slices. */
  lines: u32;
  /** Values of a slice. */
  values: u32;
  /** First value of each slice that is written. */
  begin: u32;
  /** One past the last value. */
  end: u32;
  /** Weights of the middle and of each step away. [0 .. (radius + 1) * (exact ? 8 : 2)] */
  weights: usize;
  /** Steps to either side, >= 1. */
  radius: u32;
  /** Slices. [0 .. lines * values * (to === 0 ? 1 : 2)] */
  dst: usize;
  /** Scratch: addresses. [0 .. (radius + 1) * 8] */
  table: usize;
  /** Scratch: part of a row. [0 .. SMOOTH_TILE * 2] */
  row: usize;
}

/** Smooths values [begin, end) of all slices along z. */
export function smoothSlices(call: SmoothSlicesCall): void {
  const lines = <i32>call.lines, radius = <i32>call.radius, to = call.to, exact = call.exact, table = call.table;
  const slice = <usize>call.values << 1;
  for (let x = call.begin; x < call.end; x += <u32>SMOOTH_TILE) {
    const count = min(<u32>SMOOTH_TILE, call.end - x);
    const src = call.src + (<usize>x << 1);
    for (let z = 0; z < lines; z++) {
      for (let k = 0; k <= radius; k++) {
        const entry = table + (<usize>k << 3);
        store<u32>(entry, <u32>(src + <usize>mirrored(z - k, lines) * slice));
        store<u32>(entry, <u32>(src + <usize>mirrored(z + k, lines) * slice), 4);
      }
      meansInto(exact, table, call.weights, radius, <i32>count, call.row);
      putRow(to, exact, call.row, <i32>count, call.dst + (<usize>z * call.values + x) * bytesOf(to));
    }
  }
}
