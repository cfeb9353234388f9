// Pixels to bits. Every threshold is one inclusive interval [lo, hi] per polarity (and bit plane), possibly inverted.
// Integers are tested by one unsigned SIMD comparison: (v - lo) <= (hi - lo).

import { andBits, tailMask } from "./bits";
import { countRows } from "./components-rows";
import { F32, I32, U32, U8, reduceRow, typeBytes } from "./image-luma";

/** Arguments of {@link packRows}. */
// @ts-ignore: decorator
@unmanaged
export class PackRowsCall {
  /** Pixel type, TYPE_CODE 0..5. */
  type: u32;
  /** Channels of a pixel: 1, 3 or 4. */
  channels: u32;
  /** Pixels of the band, rows tight. [0 .. rows && (channels === 1 ? (rows - 1) * width + Math.ceil(width / 64) * 64 : rows * width * channels) * typeBytes(type)] */
  src: usize;
  /** Rows in the band. */
  rows: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Bool: test whether any colour channel is nonzero. */
  any: bool;
  /** First plane: least value, f64. */
  lo: f64;
  /** First plane: largest value, f64. */
  hi: f64;
  /** Bool: the first plane takes the values outside of lo, hi. */
  invert: bool;
  /** First bit plane, the band's rows. [0 .. rows * rowBytes(width)] */
  dst: usize;
  /** Second plane: least value, f64. */
  lo2: f64;
  /** Second plane: largest value, f64. */
  hi2: f64;
  /** Bool: the second plane takes the values outside of lo2, hi2. */
  invert2: bool;
  /** Second bit plane, the band's rows; 0 none. [0 .. rows * rowBytes(width)] */
  dst2: usize;
  /** u32 per row of the band: runs. [0 .. rows * 4] */
  counts: usize;
  /** One row of one channel, whole words of pixels. [0 .. channels === 1 ? 0 : Math.ceil(width / 64) * 64 * typeBytes(type)] */
  scratch: usize;
  /** Value that is background, f64. */
  except: f64;
  /** Scratch: bits of one row; 0 if no value is excepted. [0 .. rowBytes(width)] */
  excepted: usize;
  /** Bits of the fence, outside which pixels are background; 0 none. [0 .. rows * rowBytes(width)] */
  fence: usize;
}

/**
 * Writes the bits of `rows` rows of pixels. One channel is read up to 64 pixels past the end of `src`; what is
 * read there is masked off. NaN is background. Counts the runs of each row into `counts`, while the bits are in the
 * cache, and returns the number of foreground pixels.
 *
 * `dst2` is the second plane, or 0. `scratch` holds one row of one channel, in whole words of 64 pixels. With `excepted`,
 * room for a row of bits, pixels of the value `except` are background. With `fence`, rows of bits, pixels outside it are
 * background.
 */
export function packRows(call: PackRowsCall): f64 {
  let type = call.type, channels = call.channels, src = call.src, rows = call.rows, width = call.width,
    any = call.any, lo = call.lo, hi = call.hi, invert = call.invert, dst = call.dst, lo2 = call.lo2,
    hi2 = call.hi2, invert2 = call.invert2, dst2 = call.dst2, counts = call.counts, scratch = call.scratch,
    except = call.except, excepted = call.excepted, fence = call.fence;
  const words = (width + 63) >> 6;
  let foreground: f64 = 0;
  for (let y: u32 = 0; y < rows; y++) {
    const row = reduceRow(type, channels, src, width, any, scratch);
    packRow(type, row, width, words, lo, hi, invert, dst);
    if (dst2) packRow(type, row, width, words, lo2, hi2, invert2, dst2);
    if (excepted) {
      packRow(type, row, width, words, except, except, false, excepted);
      clearBits(dst, excepted, words);
      if (dst2) clearBits(dst2, excepted, words);
    }
    if (fence) {
      andBits(dst, fence, <usize>words << 3, dst);
      if (dst2) andBits(dst2, fence, <usize>words << 3, dst2);
      fence += <usize>words << 3;
    }
    foreground += countRows(dst, dst2, words, 0, 1, counts);
    counts += 4;
    if (dst2) dst2 += <usize>words << 3;
    src += <usize>width * channels * typeBytes(type);
    dst += <usize>words << 3;
  }
  return foreground;
}

function clearBits(bits: usize, those: usize, words: u32): void {
  const end = bits + (<usize>words << 3);
  for (; bits < end; bits += 8, those += 8) store<u64>(bits, load<u64>(bits) & ~load<u64>(those));
}

// @ts-ignore: decorator
@inline
function packRow(type: u32, src: usize, width: u32, words: u32, lo: f64, hi: f64, invert: bool, dst: usize): void {
  if (type == F32) {
    packFloats(src, width, words, <f32>lo, <f32>hi, invert, dst);
    return;
  }
  const flip: u64 = invert ? u64.MAX_VALUE : 0;
  if (type == U8) packBytes(src, words, <i32>lo, <i32>hi, flip, dst);
  else if (type == U32) packWords(src, words, <i32><u32>lo, <i32><u32>hi, flip, dst);
  else if (type == I32) packWords(src, words, <i32>lo, <i32>hi, flip, dst);
  else packShorts(src, words, <i32>lo, <i32>hi, flip, dst);
  const last = dst + (<usize>(words - 1) << 3);
  store<u64>(last, load<u64>(last) & tailMask(width));
}

function packBytes(src: usize, words: u32, lo: i32, hi: i32, flip: u64, dst: usize): void {
  const low = i8x16.splat(<i8>lo);
  const span = i8x16.splat(<i8>(hi - lo));
  for (let i: u32 = 0; i < words; i++) {
    const a = <u64>i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(src), low), span));
    const b = <u64>i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(src, 16), low), span));
    const c = <u64>i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(src, 32), low), span));
    const d = <u64>i8x16.bitmask(i8x16.le_u(i8x16.sub(v128.load(src, 48), low), span));
    store<u64>(dst, (a | (b << 16) | (c << 32) | (d << 48)) ^ flip);
    src += 64;
    dst += 8;
  }
}

// @ts-ignore: decorator
@inline
function shorts16(src: usize, low: v128, span: v128): u64 {
  const a = i16x8.le_u(i16x8.sub(v128.load(src), low), span);
  const b = i16x8.le_u(i16x8.sub(v128.load(src, 16), low), span);
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
}

/** Writes `words` words of bits of 16-bit values: lo <= v <= hi, by one unsigned comparison; inverted if `flip` is all ones. */
export function packShorts(src: usize, words: u32, lo: i32, hi: i32, flip: u64, dst: usize): void {
  const low = i16x8.splat(<i16>lo);
  const span = i16x8.splat(<i16>(hi - lo));
  for (let i: u32 = 0; i < words; i++) {
    const a = shorts16(src, low, span);
    const b = shorts16(src + 32, low, span);
    const c = shorts16(src + 64, low, span);
    const d = shorts16(src + 96, low, span);
    store<u64>(dst, (a | (b << 16) | (c << 32) | (d << 48)) ^ flip);
    src += 128;
    dst += 8;
  }
}

function packWords(src: usize, words: u32, lo: i32, hi: i32, flip: u64, dst: usize): void {
  const low = i32x4.splat(lo);
  const span = i32x4.splat(hi - lo);
  for (let i: u32 = 0; i < words; i++) {
    let bits: u64 = 0;
    for (let k: u64 = 0; k < 64; k += 4) {
      bits |= <u64>i32x4.bitmask(i32x4.le_u(i32x4.sub(v128.load(src), low), span)) << k;
      src += 16;
    }
    store<u64>(dst, bits ^ flip);
    dst += 8;
  }
}

// @ts-ignore: decorator
@inline
function narrow4(a: v128, b: v128, c: v128, d: v128): u64 {
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
}

// @ts-ignore: decorator
@inline
function inside(v: v128, lo: v128, hi: v128): v128 {
  return v128.and(f32x4.ge(v, lo), f32x4.le(v, hi));
}

function packFloats(src: usize, width: u32, words: u32, lo: f32, hi: f32, invert: bool, dst: usize): void {
  const low = f32x4.splat(lo);
  const high = f32x4.splat(hi);
  const flip: u64 = invert ? u64.MAX_VALUE : 0;
  for (let i: u32 = 0; i < words; i++) {
    let bits: u64 = 0;
    let odd: u64 = 0;
    for (let k: u32 = 0; k < 4; k++) {
      const a = v128.load(src);
      const b = v128.load(src, 16);
      const c = v128.load(src, 32);
      const d = v128.load(src, 48);
      bits |= narrow4(inside(a, low, high), inside(b, low, high), inside(c, low, high), inside(d, low, high)) << (<u64>k << 4);
      odd |= narrow4(f32x4.ne(a, a), f32x4.ne(b, b), f32x4.ne(c, c), f32x4.ne(d, d)) << (<u64>k << 4);
      src += 64;
    }
    const mask = i == words - 1 ? tailMask(width) : u64.MAX_VALUE;
    store<u64>(dst, (bits ^ flip) & ~odd & mask);
    dst += 8;
  }
}
