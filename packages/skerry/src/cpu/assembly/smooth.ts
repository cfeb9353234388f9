// Weighted means along an axis, of rows and across rows, mirrored at the borders. Integers are smoothed as 16-bit
// numbers with weights of 24 bits that add up to 2^24. A product has 40 bits, so each number is cut into two bytes:
//
//     t = sum of w v = 256 H + L,  H = sum of w (v >> 8),  L = sum of w (v & 255);  both fit 32 bits
//     rounded mean   = (t + 2^23) >> 24 = (H + ((L + 2^23) >> 8)) >> 16

import { F32, I16, U8 } from "./image-luma";
import { SMOOTH_SUM_BYTES } from "./layout/smooth";

/** A type beside TYPE_CODE 0..5, between the passes of two axes: u8 times 256, u16, or i16 plus 32768, in 16 bits. */
const WORKING: u32 = 6;

// @ts-ignore: decorator
@inline
function bytesOf(type: u32): usize {
  return type == U8 ? 1 : type == F32 ? 4 : 2;
}

// @ts-ignore: decorator
@inline
function workingAt(type: u32, at: usize): u32 {
  if (type == U8) return <u32>load<u8>(at) << 8;
  const v = <u32>load<u16>(at);
  return type == I16 ? v ^ 0x8000 : v;
}

// @ts-ignore: decorator
@inline
function putWorking(type: u32, at: usize, v: u32): void {
  if (type == U8) store<u8>(at, min<u32>(255, (v + 128) >> 8));
  else store<u16>(at, type == I16 ? v ^ 0x8000 : v);
}

// Mirrors a place beyond a border: -1 becomes 0, n becomes n - 1.
// @ts-ignore: decorator
@inline
function mirrored(i: i32, n: i32): i32 {
  const period: i64 = 2 * <i64>n; // wide: n may pass 2^30
  let at = <i64>i % period;
  if (at < 0) at += period;
  return <i32>(at < n ? at : period - 1 - at);
}

// @ts-ignore: decorator
@inline
function meanOf(high: v128, low: v128): v128 {
  return i32x4.shr_u(i32x4.add(high, i32x4.shr_u(i32x4.add(low, i32x4.splat(1 << 23)), 8)), 16);
}

/** Arguments of {@link smoothRows}. */
// @ts-ignore: decorator
@unmanaged
export class SmoothRowsCall {
  /** Type of src: 0 u8, 1 u16, 2 i16, 3 f32, 6 working. */
  from: u32;
  /** Type of dst, as from. */
  to: u32;
  /** Rows, tight. [0 .. rows * width * channels * (from === 0 ? 1 : from === 3 ? 4 : 2)] */
  src: usize;
  /** Rows in the band. */
  rows: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Values of a pixel. */
  channels: u32;
  /** u32, or f32, of the middle and of each step away. [0 .. (radius + 1) * 4] */
  weights: usize;
  /** Steps to either side. */
  radius: u32;
  /** Rows, tight. [0 .. rows * width * channels * (to === 0 ? 1 : to === 3 ? 4 : 2)] */
  dst: usize;
  /** Scratch: one row of one channel with its mirrored continuations. [0 .. (width + 2 * radius + 4) * 4] */
  line: usize;
}

/** Smooths rows along x. */
export function smoothRows(call: SmoothRowsCall): void {
  const from = call.from, to = call.to, width = <i32>call.width, channels = call.channels, weights = call.weights,
    radius = <i32>call.radius, line = call.line;
  let src = call.src, dst = call.dst;
  const fromBytes = bytesOf(from), toBytes = bytesOf(to);
  const inner = line + (<usize>radius << 2);
  for (let y: u32 = 0; y < call.rows; y++) {
    for (let c: u32 = 0; c < channels; c++) {
      for (let x = 0; x < width; x++) {
        const at = src + (<usize>x * channels + c) * fromBytes;
        store<u32>(inner + (<usize>x << 2), from == F32 ? load<u32>(at) : workingAt(from, at));
      }
      for (let i = 1; i <= radius; i++) {
        store<u32>(inner - (<usize>i << 2), load<u32>(inner + (<usize>mirrored(-i, width) << 2)));
        store<u32>(inner + (<usize>(width - 1 + i) << 2), load<u32>(inner + (<usize>mirrored(width - 1 + i, width) << 2)));
      }
      for (let x = 0; x < width; x += 4) {
        const middle = inner + (<usize>x << 2);
        const sum = from == F32 ? floatsAround(middle, 4, weights, radius) : numbersAround(middle, weights, radius);
        for (let i = 0; i < min(4, width - x); i++) {
          const at = dst + (<usize>(x + i) * channels + c) * toBytes;
          const v = pick(sum, i);
          if (to == F32) store<u32>(at, v);
          else putWorking(to, at, v);
        }
      }
    }
    src += <usize>width * channels * fromBytes;
    dst += <usize>width * channels * toBytes;
  }
}

// @ts-ignore: decorator
@inline
function pick(v: v128, i: i32): u32 {
  if (i == 0) return i32x4.extract_lane(v, 0);
  if (i == 1) return i32x4.extract_lane(v, 1);
  return i == 2 ? i32x4.extract_lane(v, 2) : i32x4.extract_lane(v, 3);
}

// @ts-ignore: decorator
@inline
function floatsAround(middle: usize, step: usize, weights: usize, radius: i32): v128 {
  let sum = f32x4.mul(v128.load(middle), v128.load32_splat(weights));
  for (let k: usize = 1; k <= <usize>radius; k++) {
    const both = f32x4.add(v128.load(middle - k * step), v128.load(middle + k * step));
    sum = f32x4.add(sum, f32x4.mul(both, v128.load32_splat(weights + (k << 2))));
  }
  return sum;
}

// @ts-ignore: decorator
@inline
function numbersAround(middle: usize, weights: usize, radius: i32): v128 {
  const byte = i32x4.splat(255);
  let v = v128.load(middle);
  let w = v128.load32_splat(weights);
  let high = i32x4.mul(i32x4.shr_u(v, 8), w);
  let low = i32x4.mul(v128.and(v, byte), w);
  for (let k: usize = 4; k <= <usize>radius << 2; k += 4) {
    v = i32x4.add(v128.load(middle - k), v128.load(middle + k));
    w = v128.load32_splat(weights + k);
    high = i32x4.add(high, i32x4.mul(i32x4.shr_u(v, 8), w));
    low = i32x4.add(low, i32x4.mul(v128.and(v, byte), w));
  }
  return meanOf(high, low);
}

/** Arguments of {@link smoothLines}. */
// @ts-ignore: decorator
@unmanaged
export class SmoothLinesCall {
  /** Type of src: 0 u8, 1 u16, 2 i16, 3 f32, 6 working. */
  from: u32;
  /** Type of dst, as from. */
  to: u32;
  /** The first of the lines along the axis. [0 .. lines * values * (from === 0 ? 1 : from === 3 ? 4 : 2)] */
  src: usize;
  /** Lines along the axis: rows of a slice, or slices. */
  lines: u32;
  /** Values of a line. */
  values: u32;
  /** First line that is written. */
  first: u32;
  /** Lines that are written. */
  count: u32;
  /** First value of each line that is written. */
  begin: u32;
  /** One past the last value. */
  end: u32;
  /** u32, or f32, of the middle and of each step away. [0 .. (radius + 1) * 4] */
  weights: usize;
  /** Steps to either side. */
  radius: u32;
  /** The first of the lines. [first * values * (to === 0 ? 1 : to === 3 ? 4 : 2) .. (first + count) * values * (to === 0 ? 1 : to === 3 ? 4 : 2)] */
  dst: usize;
  /** Scratch: sums of 1024 values. [0 .. SMOOTH_SUM_BYTES] */
  sums: usize;
}

/** Number of values whose sums fit the L1 cache. */
const BLOCK: u32 = 1024;

/** Smooths across lines, along y or z: values [begin, end) of lines [first, first + count). */
export function smoothLines(call: SmoothLinesCall): void {
  const from = call.from, to = call.to, lines = <i32>call.lines, values = call.values, weights = call.weights,
    radius = <i32>call.radius, sums = call.sums;
  const fromBytes = bytesOf(from), toBytes = bytesOf(to);
  for (let y = <i32>call.first; y < <i32>(call.first + call.count); y++) {
    for (let x = call.begin; x < call.end; x += BLOCK) {
      const count = min(BLOCK, call.end - x);
      const row = call.src + <usize>x * fromBytes;
      memory.fill(sums, 0, SMOOTH_SUM_BYTES);
      for (let k = 0; k <= radius; k++) {
        const weight = weights + (<usize>k << 2);
        const above = row + <usize>mirrored(y - k, lines) * values * fromBytes;
        const below = row + <usize>mirrored(y + k, lines) * values * fromBytes;
        if (from == F32) addFloats(above, k ? below : 0, weight, count, sums);
        else addNumbers(from, above, k ? below : 0, load<u32>(weight), count, sums);
      }
      const out = call.dst + (<usize>y * values + x) * toBytes;
      for (let i: u32 = 0; i < count; i++) {
        const sum = sums + (<usize>i << 3);
        if (to == F32) store<f32>(out + (<usize>i << 2), load<f32>(sum));
        else putWorking(to, out + <usize>i * toBytes, (load<u32>(sum) + ((load<u32>(sum, 4) + (1 << 23)) >> 8)) >> 16);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function addFloats(above: usize, below: usize, weight: usize, count: u32, sums: usize): void {
  const w = load<f32>(weight);
  for (let i: u32 = 0; i < count; i++) {
    let v = load<f32>(above + (<usize>i << 2));
    if (below) v += load<f32>(below + (<usize>i << 2));
    const sum = sums + (<usize>i << 3);
    store<f32>(sum, load<f32>(sum) + v * w);
  }
}

// Each sum is a pair H, L of u32. Four values are added at a time: a vector holds the sums of two.
// @ts-ignore: decorator
@inline
function addNumbers(from: u32, above: usize, below: usize, weight: u32, count: u32, sums: usize): void {
  const w = i32x4.splat(weight);
  const byte = i32x4.splat(255);
  const size = bytesOf(from);
  const whole = count & ~3;
  for (let i: u32 = 0; i < whole; i += 4) {
    let v = fourAt(from, above + <usize>i * size);
    if (below) v = i32x4.add(v, fourAt(from, below + <usize>i * size));
    const high = i32x4.mul(i32x4.shr_u(v, 8), w);
    const low = i32x4.mul(v128.and(v, byte), w);
    const sum = sums + (<usize>i << 3);
    v128.store(sum, i32x4.add(v128.load(sum), v128.shuffle<i32>(high, low, 0, 4, 1, 5)));
    v128.store(sum, i32x4.add(v128.load(sum, 16), v128.shuffle<i32>(high, low, 2, 6, 3, 7)), 16);
  }
  for (let i = whole; i < count; i++) {
    let v = workingAt(from, above + <usize>i * size);
    if (below) v += workingAt(from, below + <usize>i * size);
    const sum = sums + (<usize>i << 3);
    store<u32>(sum, load<u32>(sum) + (v >> 8) * weight);
    store<u32>(sum, load<u32>(sum, 4) + (v & 255) * weight, 4);
  }
}

// @ts-ignore: decorator
@inline
function fourAt(from: u32, at: usize): v128 {
  if (from == U8) return i32x4.shl(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))), 8);
  const v = i32x4.extend_low_i16x8_u(v128.load64_zero(at));
  return from == I16 ? v128.xor(v, i32x4.splat(0x8000)) : v;
}
