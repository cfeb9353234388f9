// Weighted means of f32 along an axis, of rows and across rows, mirrored at the borders.

import { SMOOTH_SUM_BYTES } from "./layout/smooth";

// Mirrors a place beyond a border: -1 becomes 0, n becomes n - 1.
// @ts-ignore: decorator
@inline
export function mirrored(i: i32, n: i32): i32 {
  if (i >= 0 && i < n) return i;
  const period: i64 = 2 * <i64>n; // wide: n may pass 2^30
  let at = <i64>i % period;
  if (at < 0) at += period;
  return <i32>(at < n ? at : period - 1 - at);
}

/**
 * Smooths rows along x.
 * @param src rows, tight [0 .. rows * width * channels * 4]
 * @param rows rows in the band
 * @param width pixels of a row, >= 1
 * @param channels values of a pixel
 * @param weights weights of the middle and of each step away [0 .. (radius + 1) * 4]
 * @param radius steps to either side
 * @param dst rows, tight [0 .. rows * width * channels * 4]
 * @param line scratch: one row of one channel with its mirrored continuations [0 .. (width + 2 * radius + 4) * 4]
 */
export function smoothRows(
  src: usize, rows: u32, width: i32, channels: u32, weights: usize, radius: i32, dst: usize, line: usize,
): void {
  const inner = line + (<usize>radius << 2);
  for (let y: u32 = 0; y < rows; y++) {
    for (let c: u32 = 0; c < channels; c++) {
      for (let x = 0; x < width; x++) {
        store<f32>(inner + (<usize>x << 2), load<f32>(src + ((<usize>x * channels + c) << 2)));
      }
      for (let i = 1; i <= radius; i++) {
        store<u32>(inner - (<usize>i << 2), load<u32>(inner + (<usize>mirrored(-i, width) << 2)));
        store<u32>(inner + (<usize>(width - 1 + i) << 2), load<u32>(inner + (<usize>mirrored(width - 1 + i, width) << 2)));
      }
      for (let x = 0; x < width; x += 4) {
        const sum = floatsAround(inner + (<usize>x << 2), weights, radius);
        for (let i = 0; i < min(4, width - x); i++) {
          store<f32>(dst + ((<usize>(x + i) * channels + c) << 2), pick(sum, i));
        }
      }
    }
    src += (<usize>width * channels) << 2;
    dst += (<usize>width * channels) << 2;
  }
}

// @ts-ignore: decorator
@inline
function pick(v: v128, i: i32): f32 {
  if (i == 0) return f32x4.extract_lane(v, 0);
  if (i == 1) return f32x4.extract_lane(v, 1);
  return i == 2 ? f32x4.extract_lane(v, 2) : f32x4.extract_lane(v, 3);
}

// @ts-ignore: decorator
@inline
function floatsAround(middle: usize, weights: usize, radius: i32): v128 {
  let sum = f32x4.mul(v128.load(middle), v128.load32_splat(weights));
  for (let k: usize = 4; k <= <usize>radius << 2; k += 4) {
    const both = f32x4.add(v128.load(middle - k), v128.load(middle + k));
    sum = f32x4.add(sum, f32x4.mul(both, v128.load32_splat(weights + k)));
  }
  return sum;
}

/** Arguments of {@link smoothLines}. */
// @ts-ignore: decorator
@unmanaged
export class SmoothLinesCall {
  /** The first of the lines along the axis. [0 .. lines * values * 4] */
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
  /** Weights of the middle and of each step away. [0 .. (radius + 1) * 4] */
  weights: usize;
  /** Steps to either side. */
  radius: u32;
  /** The first of the lines. [first * values * 4 .. (first + count) * values * 4] */
  dst: usize;
  /** Scratch: sums of 1024 values. [0 .. SMOOTH_SUM_BYTES] */
  sums: usize;
}

/** Number of values whose sums fit the L1 cache. */
const BLOCK: u32 = 1024;

/** Smooths across lines, along y or z: values [begin, end) of lines [first, first + count). */
export function smoothLines(call: SmoothLinesCall): void {
  const lines = <i32>call.lines, values = call.values, weights = call.weights, radius = <i32>call.radius,
    sums = call.sums;
  for (let y = <i32>call.first; y < <i32>(call.first + call.count); y++) {
    for (let x = call.begin; x < call.end; x += BLOCK) {
      const count = min(BLOCK, call.end - x);
      const row = call.src + (<usize>x << 2);
      memory.fill(sums, 0, SMOOTH_SUM_BYTES);
      for (let k = 0; k <= radius; k++) {
        const above = row + ((<usize>mirrored(y - k, lines) * values) << 2);
        const below = row + ((<usize>mirrored(y + k, lines) * values) << 2);
        addFloats(above, k ? below : 0, weights + (<usize>k << 2), count, sums);
      }
      memory.copy(call.dst + ((<usize>y * values + x) << 2), sums, <usize>count << 2);
    }
  }
}

// @ts-ignore: decorator
@inline
function addFloats(above: usize, below: usize, weight: usize, count: u32, sums: usize): void {
  const w = load<f32>(weight);
  const ws = v128.load32_splat(weight);
  let i: usize = 0;
  for (; i + 4 <= <usize>count; i += 4) {
    let v = v128.load(above + (i << 2));
    if (below) v = f32x4.add(v, v128.load(below + (i << 2)));
    const sum = sums + (i << 2);
    v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(v, ws)));
  }
  for (; i < <usize>count; i++) {
    let v = load<f32>(above + (i << 2));
    if (below) v += load<f32>(below + (i << 2));
    const sum = sums + (i << 2);
    store<f32>(sum, load<f32>(sum) + v * w);
  }
}
