// The pixel test of a fill: on a pixel's channels, or on their differences from another pixel. Its parameters are in a
// match block (layout/match.ts).

import { tailMask } from "./bits";
import { CHANNELS, COLOUR, HI, HIGHS, LIMIT, LO, LOWS, METRIC, TYPE } from "./layout/match";
import { countRows } from "./components-rows";
import { I16, I32, U16, U32, U8, typeBytes } from "./image-luma";
import { packShorts } from "./mask-pack";

const LINF: u32 = 0;
const L1: u32 = 1;

// @ts-ignore: decorator
@inline
export function channelsOf(match: usize): u32 {
  return load<u32>(match, CHANNELS);
}

// @ts-ignore: decorator
@inline
export function typeOf(match: usize): u32 {
  return load<u32>(match, TYPE);
}

// @ts-ignore: decorator
@inline
export function pixelBytes(match: usize): usize {
  return <usize>load<u32>(match, CHANNELS) * typeBytes(load<u32>(match, TYPE));
}

/** Whether the pixel at `at` passes, on its own (`from` 0) or against the pixel at `from`. */
// @ts-ignore: decorator
@inline
function passes<T>(match: usize, at: usize, from: usize): bool {
  const channels = load<u32>(match, CHANNELS);
  const metric = load<u32>(match, METRIC);
  let sum: f64 = 0;
  for (let c: usize = 0; c < channels; c++) {
    const v = <f64>load<T>(at + c * sizeof<T>());
    const offset = c << 3;
    if (metric == LINF) {
      if (from == 0) {
        // Written so that NaN fails.
        if (!(v >= load<f64>(match + offset, LO) && v <= load<f64>(match + offset, HI))) return false;
        continue;
      }
      const other = <f64>load<T>(from + c * sizeof<T>());
      const d = v - other;
      // The difference of two equal infinities is NaN.
      if (v != other && !(d >= load<f64>(match + offset, LO) && d <= load<f64>(match + offset, HI))) return false;
    } else {
      const other = from == 0 ? load<f64>(match + offset, COLOUR) : <f64>load<T>(from + c * sizeof<T>());
      const d = v == other ? 0 : v - other;
      sum += metric == L1 ? abs(d) : d * d;
    }
  }
  return metric == LINF || sum <= load<f64>(match, LIMIT);
}

/** Ones in the bytes that pass: low <= v <= high, or against another pixel's byte q - low <= v <= q + high. */
// @ts-ignore: decorator
@inline
function bytesPass(match: usize, src: usize, from: usize, k: usize): v128 {
  const v = v128.load(src + k);
  // Four channels repeat after 16 bytes, three after 48.
  let low = v128.load(match + k % 48, LOWS);
  let high = v128.load(match + k % 48, HIGHS);
  if (from) {
    const other = v128.load(from + k);
    low = i8x16.sub_sat_u(other, low);
    high = i8x16.add_sat_u(other, high);
  }
  return v128.and(i8x16.ge_u(v, low), i8x16.le_u(v, high));
}

/**
 * One bit per pixel of three bytes, out of 48 bytes: whether all three bytes are ones. Each byte is combined with the
 * two bytes after it. The results at bytes 0, 3, 6, ... are then gathered.
 */
// @ts-ignore: decorator
@inline
function whole3(a: v128, b: v128, c: v128): u64 {
  const p = v128.and(
    v128.and(a, v128.shuffle<u8>(a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    v128.shuffle<u8>(a, b, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
  );
  const q = v128.and(
    v128.and(b, v128.shuffle<u8>(b, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    v128.shuffle<u8>(b, c, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
  );
  // The last pixel ends with c, so what follows does not matter.
  const r = v128.and(
    v128.and(c, v128.shuffle<u8>(c, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    v128.shuffle<u8>(c, c, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
  );
  const first = v128.swizzle(p, i8x16(0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  const second = v128.swizzle(q, i8x16(-1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1));
  const third = v128.swizzle(r, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13));
  return <u64>i8x16.bitmask(v128.or(v128.or(first, second), third));
}

/** One bit per pixel of four bytes, out of 64 bytes: whether its 32-bit lane is all ones. */
// @ts-ignore: decorator
@inline
function whole4(a: v128, b: v128, c: v128, d: v128): u64 {
  const ones = i32x4.splat(-1);
  const low = i16x8.narrow_i32x4_s(i32x4.eq(a, ones), i32x4.eq(b, ones));
  const high = i16x8.narrow_i32x4_s(i32x4.eq(c, ones), i32x4.eq(d, ones));
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

// @ts-ignore: decorator
@inline
function bytes1(match: usize, src: usize, from: usize): u64 {
  let word = <u64>i8x16.bitmask(bytesPass(match, src, from, 0));
  word |= <u64>i8x16.bitmask(bytesPass(match, src + 16, from ? from + 16 : 0, 0)) << 16;
  word |= <u64>i8x16.bitmask(bytesPass(match, src + 32, from ? from + 32 : 0, 0)) << 32;
  return word | (<u64>i8x16.bitmask(bytesPass(match, src + 48, from ? from + 48 : 0, 0)) << 48);
}

// @ts-ignore: decorator
@inline
function bytes3(match: usize, src: usize, from: usize): u64 {
  let word: u64 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const at = src + k * 48;
    const other = from ? from + k * 48 : 0;
    const a = bytesPass(match, at, other, 0);
    const b = bytesPass(match, at, other, 16);
    const c = bytesPass(match, at, other, 32);
    // In most images, most groups of bytes pass as a whole or fail as a whole.
    if (i8x16.all_true(v128.and(v128.and(a, b), c))) word |= <u64>0xffff << (k << 4);
    else if (v128.any_true(v128.or(v128.or(a, b), c))) word |= whole3(a, b, c) << (k << 4);
  }
  return word;
}

// @ts-ignore: decorator
@inline
function bytes4(match: usize, src: usize, from: usize): u64 {
  let word: u64 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const at = src + (k << 6);
    const other = from ? from + (k << 6) : 0;
    word |= whole4(
      bytesPass(match, at, other, 0),
      bytesPass(match, at + 16, other ? other + 16 : 0, 0),
      bytesPass(match, at + 32, other ? other + 32 : 0, 0),
      bytesPass(match, at + 48, other ? other + 48 : 0, 0),
    ) << (k << 4);
  }
  return word;
}

// @ts-ignore: decorator
@inline
function matchEach<T>(match: usize, src: usize, count: u32, from: usize): u64 {
  const step = pixelBytes(match);
  let word: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    word |= <u64>passes<T>(match, src, from) << (<u64>i);
    src += step;
    if (from) from += step;
  }
  return word;
}

/**
 * One bit for each of `count` pixels at `src`, at most 64: whether it passes on its own (`from` 0), or against the
 * pixel at the same index of `from`. Bits past `count` are undefined; 64 pixels are readable.
 */
// @ts-ignore: decorator
@inline
export function matchWord(match: usize, src: usize, count: u32, from: usize): u64 {
  const type = typeOf(match);
  if (type == U8 && load<u32>(match, METRIC) == LINF) {
    const channels = load<u32>(match, CHANNELS);
    if (channels == 3) return bytes3(match, src, from);
    return channels == 1 ? bytes1(match, src, from) : bytes4(match, src, from);
  }
  if (type == U8) return matchEach<u8>(match, src, count, from);
  if (type == U16) return matchEach<u16>(match, src, count, from);
  if (type == I16) return matchEach<i16>(match, src, count, from);
  if (type == U32) return matchEach<u32>(match, src, count, from);
  if (type == I32) return matchEach<i32>(match, src, count, from);
  return matchEach<f32>(match, src, count, from);
}

/**
 * Writes the bits of `rows` rows of pixels that pass and lie within `fence` (rows of bits like those written; 0 for
 * none). Counts the runs of each row into `counts`, and returns the number of foreground pixels. `src` must be
 * readable 64 pixels past its end.
 * @param match match block: metric, channels, type, limit, bounds [0 .. 216]
 * @param src pixels of the band, rows tight [0 .. rows && ((rows - 1) * width + ((u32(match, 2) === 0 && u32(match, 0) === 0) || (u32(match, 1) === 1 && (u32(match, 2) === 1 || u32(match, 2) === 2)) ? Math.ceil(width / 64) * 64 : width)) * u32(match, 1) * typeBytes(u32(match, 2))]
 * @param rows rows in the band
 * @param width pixels of a row, >= 1
 * @param fence bits of the fence, outside which pixels are background; 0 none [0 .. rows * rowBytes(width)]
 * @param dst bits, the band's rows [0 .. rows * rowBytes(width)]
 * @param counts u32 per row of the band: runs [0 .. rows * 4]
 */
export function matchRows(
  match: usize, src: usize, rows: u32, width: u32, fence: usize, dst: usize, counts: usize,
): f64 {
  const type = load<u32>(match, TYPE);
  const words = (width + 63) >> 6;
  const step = pixelBytes(match);
  let foreground: f64 = 0;
  for (let y: u32 = 0; y < rows; y++) {
    if ((type == U16 || type == I16) && load<u32>(match, CHANNELS) == 1) {
      packShorts(src, words, <i32>load<f64>(match, LO), <i32>load<f64>(match, HI), 0, dst);
    } else {
      for (let i: u32 = 0; i < words; i++) {
        store<u64>(dst + (<usize>i << 3), matchWord(match, src + (<usize>i << 6) * step, min(64, width - (i << 6)), 0));
      }
    }
    const last = dst + (<usize>(words - 1) << 3);
    store<u64>(last, load<u64>(last) & tailMask(width));
    if (fence) {
      for (let i: usize = 0; i < words; i++) store<u64>(dst + (i << 3), load<u64>(dst + (i << 3)) & load<u64>(fence + (i << 3)));
      fence += <usize>words << 3;
    }
    foreground += countRows(dst, 0, words, 0, 1, counts);
    counts += 4;
    src += <usize>width * step;
    dst += <usize>words << 3;
  }
  return foreground;
}
