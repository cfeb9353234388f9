// Which pixels of two rows are alike: a bit for each, whether they differ by at most a tolerance. Rows of one channel are compared
// by vectors, with a function for each type of value, and for equality another, which takes a third of the instructions.

import { channelsOf, matchWord, pixelBytes, typeOf } from "./fill-match";
import { F32, I16, I32, typeBytes } from "./image-luma";

/**
 * Writes one bit for each pixel of row `a`: whether it and the pixel of row `b` differ by at most `tolerance`, by the match block of
 * a difference. Bits past the width are undefined, and whole words are read. `bMove` is what `b` moves by after 64 pixels: 64 pixels, or
 * 0 for a row of one word that is repeated.
 */
export function alikeRow(
  match: usize, tolerance: f64, a: usize, b: usize, bMove: usize, words: u32, width: u32, to: usize,
): void {
  const type = typeOf(match);
  if (channelsOf(match) == 1 && (type != F32 || tolerance == 0)) {
    if (type == F32) equalRow<f32>(a, b, bMove, words, to);
    else if (typeBytes(type) == 1) compareRow<u8>(a, b, bMove, words, min(tolerance, 255), 0, to);
    // Signed values with their sign bits turned are in the order of unsigned ones.
    else if (typeBytes(type) == 2) compareRow<u16>(a, b, bMove, words, min(tolerance, 65535), type == I16 ? 0x8000 : 0, to);
    else compareRow<u32>(a, b, bMove, words, min(tolerance, 4294967295), type == I32 ? 0x80000000 : 0, to);
    return;
  }
  const step = pixelBytes(match) << 6;
  for (let i: u32 = 0; i < words; i++) {
    store<u64>(to + (<usize>i << 3), matchWord(match, a, min(64, width - (i << 6)), b));
    a += step;
    b += bMove;
  }
}

// @ts-ignore: decorator
@inline
function compareRow<T>(
  a: usize, b: usize, bMove: usize, words: u32, tolerance: f64, turned: u32, to: usize,
): void {
  if (tolerance == 0) equalRow<T>(a, b, bMove, words, to);
  else nearRow<T>(a, b, bMove, words, <u32>tolerance, turned, to);
}

function equalRow<T>(a: usize, b: usize, bMove: usize, words: u32, to: usize): void {
  const zero = i32x4.splat(0);
  alikeWords<T>(a, b, bMove, words, zero, zero, true, to);
}

function nearRow<T>(a: usize, b: usize, bMove: usize, words: u32, most: u32, turned: u32, to: usize): void {
  if (sizeof<T>() == 1) alikeWords<T>(a, b, bMove, words, i8x16.splat(<i8>most), i8x16.splat(0), false, to);
  else if (sizeof<T>() == 2) alikeWords<T>(a, b, bMove, words, i16x8.splat(<i16>most), i16x8.splat(<i16>turned), false, to);
  else alikeWords<T>(a, b, bMove, words, i32x4.splat(<i32>most), i32x4.splat(<i32>turned), false, to);
}

// @ts-ignore: decorator
@inline
function alikeWords<T>(
  a: usize, b: usize, bMove: usize, words: u32, most: v128, turned: v128, exact: bool, to: usize,
): void {
  const end = to + (<usize>words << 3);
  for (; to < end; to += 8) {
    // 16 pixels of any size become one vector of 16 bytes, of which the sign bits are taken.
    let word: u64 = 0;
    if (exact) {
      // Written out, since a loop takes as long as what it does.
      word = <u64>i8x16.bitmask(sixteen<T>(a, b, most, turned, exact));
      word |= <u64>i8x16.bitmask(sixteen<T>(a + 16 * sizeof<T>(), b + 16 * sizeof<T>(), most, turned, exact)) << 16;
      word |= <u64>i8x16.bitmask(sixteen<T>(a + 32 * sizeof<T>(), b + 32 * sizeof<T>(), most, turned, exact)) << 32;
      word |= <u64>i8x16.bitmask(sixteen<T>(a + 48 * sizeof<T>(), b + 48 * sizeof<T>(), most, turned, exact)) << 48;
    } else {
      for (let k: usize = 0; k < 4; k++) {
        const at = (k << 4) * sizeof<T>();
        word |= <u64>i8x16.bitmask(sixteen<T>(a + at, b + at, most, turned, exact)) << (k << 4);
      }
    }
    store<u64>(to, word);
    a += 64 * sizeof<T>();
    b += bMove;
  }
}

// @ts-ignore: decorator
@inline
function sixteen<T>(a: usize, b: usize, most: v128, turned: v128, exact: bool): v128 {
  const first = alike<T>(a, b, most, turned, exact);
  if (sizeof<T>() == 1) return first;
  const second = alike<T>(a + 16, b + 16, most, turned, exact);
  if (sizeof<T>() == 2) return i8x16.narrow_i16x8_s(first, second);
  const third = alike<T>(a + 32, b + 32, most, turned, exact);
  const fourth = alike<T>(a + 48, b + 48, most, turned, exact);
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(first, second), i16x8.narrow_i32x4_s(third, fourth));
}

/** Ones in the lanes of one vector whose values are alike: the larger minus the smaller fits the unsigned type of the size. */
// @ts-ignore: decorator
@inline
function alike<T>(a: usize, b: usize, most: v128, turned: v128, exact: bool): v128 {
  const v = v128.load(a);
  const w = v128.load(b);
  if (isFloat<T>()) return f32x4.eq(v, w);
  if (exact) return v128.eq<T>(v, w);
  if (sizeof<T>() == 1) return v128.le<T>(v128.sub<T>(v128.max<T>(v, w), v128.min<T>(v, w)), most);
  const p = v128.xor(v, turned);
  const q = v128.xor(w, turned);
  return v128.le<T>(v128.sub<T>(v128.max<T>(p, q), v128.min<T>(p, q)), most);
}
