// Sums over square windows of images of u8, mirrored at the borders: the results of window-sums.ts, four pixels at a time. Sums of
// columns have 16 bits and those of their squares 32, for up to 128 pixels to either side. A window's sums at four neighbouring
// pixels are running sums of the columns that enter less those that leave: from 3 5 4 6 that enter, 1 1 2 2 that leave, and a sum of
// 10 come the differences 2 4 2 4 and the sums 10 12 16 18; the next four begin with 22.

import { MEAN, SAUVOLA } from "./layout/window-sums";
import { mirrored, sauvola } from "./window-sums";

/** Arguments of {@link windowBytes}. */
// @ts-ignore: decorator
@unmanaged
export class WindowBytesCall {
  /** The whole image of u8, of one channel, and 3 bytes that are read, but not used. [0 .. width * height + 3] */
  src: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows. */
  height: u32;
  /** First row. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Pixels to either side, at most 128, for Sauvola 90: sums of squares have 31 bits. */
  radius: u32;
  /** Whether the last pixel is repeated beyond the border. */
  edge: bool;
  /** 0 subtract: values; 2 mean, 3 Sauvola: bits. */
  mode: u32;
  /** Offset that is subtracted from the mean, or Sauvola's k. */
  first: f64;
  /** Sauvola's r. */
  second: f64;
  /** Bits are set at and below the threshold instead of above it. */
  dark: bool;
  /** Values of the whole image, or its bit plane. [mode < 2 ? y0 * width : y0 * rowBytes(width) .. mode < 2 ? y1 * width : y1 * rowBytes(width)] */
  dst: usize;
  /** Scratch: u16 sums of the columns, with those beyond the borders. [0 .. (width + 2 * radius + 24) * 2] */
  sums: usize;
  /** Scratch: u32 sums of their squares, for Sauvola. [0 .. mode === 3 ? (width + 2 * radius + 24) * 4 : 0] */
  squares: usize;
}

/** Writes rows [y0, y1). */
export function windowBytes(call: WindowBytesCall): void {
  const radius = <i32>call.radius, height = <i32>call.height, mode = call.mode;
  const squares = mode == SAUVOLA;
  const all = call.width + 2 * call.radius + 24;
  memory.fill(call.sums, 0, <usize>all << 1);
  if (squares) memory.fill(call.squares, 0, <usize>all << 2);
  for (let k = -radius; k <= radius; k++) addRow(call, rowAt(call, <i32>call.y0 + k), squares);
  for (let y = <i32>call.y0; y < <i32>call.y1; y++) {
    if (y > <i32>call.y0) {
      const enters = mirrored(y + radius, height, call.edge);
      const leaves = mirrored(y - radius - 1, height, call.edge);
      // At a border the row that enters may be the one that leaves.
      if (enters != leaves) exchangeRows(call, rowAt(call, enters), rowAt(call, leaves), squares);
    }
    continueColumns(call, squares);
    if (mode < MEAN) subtractRow(call, y);
    else if (mode == MEAN) meanRow(call, y);
    else sauvolaRow(call, y);
  }
}

// @ts-ignore: decorator
@inline
function rowAt(call: WindowBytesCall, y: i32): usize {
  return call.src + <usize>mirrored(y, <i32>call.height, call.edge) * call.width;
}

/** Adds a row to the sums of the columns. */
function addRow(call: WindowBytesCall, row: usize, squares: bool): void {
  const sums = call.sums + (<usize>call.radius << 1);
  const powers = call.squares + (<usize>call.radius << 2);
  for (let x: usize = 0; x < <usize>call.width; x++) {
    const v = <u32>load<u8>(row + x);
    store<u16>(sums + (x << 1), <u16>(load<u16>(sums + (x << 1)) + v));
    if (squares) store<u32>(powers + (x << 2), load<u32>(powers + (x << 2)) + v * v);
  }
}

/** Adds a row to the sums of the columns, and takes another one away. */
function exchangeRows(call: WindowBytesCall, enters: usize, leaves: usize, squares: bool): void {
  const sums = call.sums + (<usize>call.radius << 1);
  const powers = call.squares + (<usize>call.radius << 2);
  const width = <usize>call.width;
  let x: usize = 0;
  for (; x + 8 <= width; x += 8) {
    const a = v128.load64_zero(enters + x);
    const b = v128.load64_zero(leaves + x);
    const up = i16x8.extend_low_i8x16_u(a);
    const down = i16x8.extend_low_i8x16_u(b);
    v128.store(sums + (x << 1), i16x8.sub(i16x8.add(v128.load(sums + (x << 1)), up), down));
    if (squares) {
      const p = i16x8.mul(up, up);
      const q = i16x8.mul(down, down);
      const low = i32x4.sub(i32x4.extend_low_i16x8_u(p), i32x4.extend_low_i16x8_u(q));
      const high = i32x4.sub(i32x4.extend_high_i16x8_u(p), i32x4.extend_high_i16x8_u(q));
      v128.store(powers + (x << 2), i32x4.add(v128.load(powers + (x << 2)), low));
      v128.store(powers + (x << 2), i32x4.add(v128.load(powers + (x << 2), 16), high), 16);
    }
  }
  for (; x < width; x++) {
    const a = <u32>load<u8>(enters + x);
    const b = <u32>load<u8>(leaves + x);
    store<u16>(sums + (x << 1), <u16>(load<u16>(sums + (x << 1)) + a - b));
    if (squares) store<u32>(powers + (x << 2), load<u32>(powers + (x << 2)) + a * a - b * b);
  }
}

/** Mirrors the sums of the columns beyond both borders. */
function continueColumns(call: WindowBytesCall, squares: bool): void {
  const radius = <i32>call.radius, width = <i32>call.width, edge = call.edge;
  for (let i = 1; i <= radius + 1; i++) {
    if (i <= radius) continueColumn(call, -i, mirrored(-i, width, edge), squares);
    continueColumn(call, width - 1 + i, mirrored(width - 1 + i, width, edge), squares);
  }
}

// @ts-ignore: decorator
@inline
function continueColumn(call: WindowBytesCall, to: i32, from: i32, squares: bool): void {
  const radius = <i32>call.radius;
  store<u16>(call.sums + (<usize>(radius + to) << 1), load<u16>(call.sums + (<usize>(radius + from) << 1)));
  if (squares) {
    store<u32>(call.squares + (<usize>(radius + to) << 2), load<u32>(call.squares + (<usize>(radius + from) << 2)));
  }
}

/** The sum of the first window of a row. */
function firstSum(call: WindowBytesCall): u32 {
  let sum: u32 = 0;
  for (let i: usize = 0; i <= <usize>(2 * call.radius); i++) sum += load<u16>(call.sums + (i << 1));
  return sum;
}

function firstSquare(call: WindowBytesCall): u32 {
  let sum: u32 = 0;
  for (let i: usize = 0; i <= <usize>(2 * call.radius); i++) sum += load<u32>(call.squares + (i << 2));
  return sum;
}

/** d0, d0 + d1, d0 + d1 + d2, d0 + d1 + d2 + d3. */
// @ts-ignore: decorator
@inline
function runningSum(d: v128): v128 {
  const none = i32x4.splat(0);
  const two = i32x4.add(d, v128.shuffle<i32>(none, d, 0, 4, 5, 6));
  return i32x4.add(two, v128.shuffle<i32>(none, two, 0, 1, 4, 5));
}

/** How far the columns that enter four windows exceed those that leave them. */
// @ts-ignore: decorator
@inline
function sumsApart(sums: usize, side: usize, x: usize): v128 {
  const at = sums + (x << 1);
  const enters = i32x4.extend_low_i16x8_u(v128.load64_zero(at + (side << 1)));
  return i32x4.sub(enters, i32x4.extend_low_i16x8_u(v128.load64_zero(at)));
}

// @ts-ignore: decorator
@inline
function squaresApart(squares: usize, side: usize, x: usize): v128 {
  const at = squares + (x << 2);
  return i32x4.sub(v128.load(at + (side << 2)), v128.load(at));
}

// @ts-ignore: decorator
@inline
function fourPixels(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

/** Largest number of pixels of a window whose means floats decide: they are off by 2^-15 at most, and 1 / (4 n) is more. */
const SURE: i32 = 6600;

/** v - floor(sum / n + 1/2) + 128, clamped. */
function subtractRow(call: WindowBytesCall, y: i32): void {
  const side = 2 * <i32>call.radius + 1;
  if (side * side <= SURE) differences(call, y, true);
  else differences(call, y, false);
}

// @ts-ignore: decorator
@inline
function differences(call: WindowBytesCall, y: i32, sure: bool): void {
  const width = <i32>call.width;
  const sums = call.sums, side = <usize>(2 * call.radius + 1);
  const n = <i32>(side * side);
  const row = call.src + <usize>y * width;
  const out = call.dst + <usize>y * width;
  const twice = i32x4.splat(2 * n); // wide: n is at most 257^2
  const half = i32x4.splat(n);
  const inverse = f32x4.splat(<f32>(0.5 / <f64>n));
  const point = f32x4.splat(0.5);
  // Adding 2^23 leaves the nearest whole number in the low bits of a float below it.
  const whole = f32x4.splat(8388608);
  // 128, and the bits of 2^23.
  const middle = i32x4.splat(0x4b000000 + 128);
  let sum = i32x4.splat(firstSum(call));
  for (let x = 0; x < width; x += 4) {
    const apart = sumsApart(sums, side, <usize>x);
    const running = runningSum(apart);
    const doubled = i32x4.add(i32x4.shl(i32x4.add(sum, i32x4.sub(running, apart)), 1), half);
    sum = i32x4.add(sum, v128.shuffle<i32>(running, running, 3, 3, 3, 3));
    // (2 sum + n) / (2 n) rounded down, of which the middle between two whole numbers is no result.
    const raised = f32x4.add(f32x4.convert_i32x4_s(doubled), point);
    let near = f32x4.add(f32x4.sub(f32x4.mul(raised, inverse), point), whole);
    if (!sure) {
      // The float is at most one off; the remainder tells.
      const left = i32x4.sub(doubled, i32x4.mul(i32x4.sub(near, i32x4.splat(0x4b000000)), twice));
      near = i32x4.sub(i32x4.add(near, i32x4.lt_s(left, i32x4.splat(0))), i32x4.ge_s(left, twice));
    }
    const flat = i32x4.sub(i32x4.add(fourPixels(row + <usize>x), middle), near);
    const short = i16x8.narrow_i32x4_s(flat, flat);
    const bytes = i32x4.extract_lane(i8x16.narrow_i16x8_u(short, short), 0);
    if (x + 4 <= width) {
      store<u32>(out + <usize>x, bytes);
    } else {
      for (let i = x; i < width; i++) store<u8>(out + <usize>i, <u8>(bytes >> (<u32>(i - x) << 3)));
    }
  }
}

/** Sets the bits of a word of 64 pixels, at its last pixel. */
// @ts-ignore: decorator
@inline
function putBits(call: WindowBytesCall, y: i32, x: i32, word: u64): void {
  const width = <i32>call.width;
  const beyond = x + 4 - width;
  // Bits beyond the row are 0. A shift by 64 would be none, so a whole word is not shifted.
  const used = beyond > 0 ? word & (<u64>-1 >> (<u64>(64 - (width & 63)) & 63)) : word;
  store<u64>(call.dst + <usize>y * ((<usize>(width + 63) >> 6) << 3) + (<usize>(x >> 6) << 3), used);
}

/** Bits of pixels above, or at and below, the mean less an offset. */
function meanRow(call: WindowBytesCall, y: i32): void {
  const width = <i32>call.width;
  const sums = call.sums, side = <usize>(2 * call.radius + 1);
  const n = <i32>(side * side);
  const row = call.src + <usize>y * width;
  const each = i32x4.splat(n);
  // n v - sum is a whole number, which is above a number if it is above the next whole one below.
  const least = i32x4.splat(<i32>max(-2147483648.0, min(2147483647.0, floor(-(<f64>n * call.first)))));
  const flip: u64 = call.dark ? 15 : 0;
  let sum = i32x4.splat(firstSum(call));
  let word: u64 = 0;
  for (let x = 0; x < width; x += 4) {
    const apart = sumsApart(sums, side, <usize>x);
    const running = runningSum(apart);
    const own = i32x4.add(sum, i32x4.sub(running, apart));
    sum = i32x4.add(sum, v128.shuffle<i32>(running, running, 3, 3, 3, 3));
    const more = i32x4.gt_s(i32x4.sub(i32x4.mul(fourPixels(row + <usize>x), each), own), least);
    word |= (<u64>i32x4.bitmask(more) ^ flip) << (<u64>x & 63);
    if ((x & 63) == 60 || x + 4 >= width) {
      putBits(call, y, x, word);
      word = 0;
    }
  }
}

/**
 * Bits of pixels above, or at and below, Sauvola's threshold. Floats decide where pixels are far from it, which most are; doubles
 * where they are near, as in window-sums.ts.
 */
function sauvolaRow(call: WindowBytesCall, y: i32): void {
  const width = <i32>call.width, powers = call.squares, k = call.first, r = call.second, dark = call.dark;
  const sums = call.sums, side = <usize>(2 * call.radius + 1);
  const n = <i32>(side * side);
  const row = call.src + <usize>y * width;
  const count = f32x4.splat(<f32>n);
  const weight = f32x4.splat(<f32>k);
  const scale = f32x4.splat(<f32>(1 / (<f64>n * r)));
  const one = f32x4.splat(1);
  // Rounding of n squares - sum^2, 2^-22 of n^2 255^2 at most, is n / 8 of its root; times k mean / r, and of the other sums n / 50.
  const margin = f32x4.splat(<f32>(<f64>n * (0.02 + 32 * abs(k) / abs(r))));
  let sum = i32x4.splat(firstSum(call));
  let square = i32x4.splat(firstSquare(call));
  let word: u64 = 0;
  for (let x = 0; x < width; x += 4) {
    let apart = sumsApart(sums, side, <usize>x);
    let running = runningSum(apart);
    const own = i32x4.add(sum, i32x4.sub(running, apart));
    sum = i32x4.add(sum, v128.shuffle<i32>(running, running, 3, 3, 3, 3));
    apart = squaresApart(powers, side, <usize>x);
    running = runningSum(apart);
    const squares = i32x4.add(square, i32x4.sub(running, apart));
    square = i32x4.add(square, v128.shuffle<i32>(running, running, 3, 3, 3, 3));
    const v = fourPixels(row + <usize>x);
    const s = f32x4.convert_i32x4_s(own);
    const variance = f32x4.sub(f32x4.mul(count, f32x4.convert_i32x4_s(squares)), f32x4.mul(s, s));
    const spread = f32x4.sqrt(f32x4.pmax(variance, f32x4.splat(0)));
    const local = f32x4.add(s, f32x4.mul(f32x4.mul(s, weight), f32x4.sub(f32x4.mul(spread, scale), one)));
    const above = f32x4.sub(f32x4.mul(count, f32x4.convert_i32x4_s(v)), local);
    let bits = i32x4.bitmask(f32x4.gt(above, f32x4.splat(0)));
    // Also where the difference is no number, but not in windows of zeros, whose threshold is 0.
    const far = v128.or(f32x4.gt(f32x4.abs(above), margin), i32x4.eq(own, i32x4.splat(0)));
    const near = ~i32x4.bitmask(far) & 15;
    if (near) {
      for (let i = 0; i < 4; i++) {
        if (!((near >> i) & 1)) continue;
        const exact = sauvola(<i64>laneOf(own, i), <i64>laneOf(squares, i), n, k, r);
        bits = (bits & ~(1 << i)) | (<i32>(<f64>(<i64>n * laneOf(v, i)) > exact) << i);
      }
    }
    word |= <u64>(dark ? bits ^ 15 : bits) << (<u64>x & 63);
    if ((x & 63) == 60 || x + 4 >= width) {
      putBits(call, y, x, word);
      word = 0;
    }
  }
}

// @ts-ignore: decorator
@inline
function laneOf(v: v128, i: i32): u32 {
  if (i == 0) return i32x4.extract_lane(v, 0);
  if (i == 1) return i32x4.extract_lane(v, 1);
  return i == 2 ? i32x4.extract_lane(v, 2) : i32x4.extract_lane(v, 3);
}
