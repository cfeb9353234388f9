// Which pixels belong to a fill: a test on a pixel's channels, or on their differences from another pixel's, whose
// numbers lie in a block that src/cpu/match.ts writes.

import { tailMask } from "./bits";
import { countRows } from "./components";
import { F32, I16, U16, U8, channel16, typeBytes } from "./luma";
import { packShorts } from "./mask";

// The block: u32 metric, channels, type; f64 limit; four f64 each of lo, hi, colour.
const METRIC: usize = 0;
const CHANNELS: usize = 4;
const TYPE: usize = 8;
const LIMIT: usize = 16;
const LO: usize = 24;
const HI: usize = 56;
const COLOUR: usize = 88;
/** Bytes of a block. */
export const MATCH_BYTES: usize = 120;

const LINF: u32 = 0;
const L1: u32 = 1;

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
export function passes<T>(match: usize, at: usize, from: usize): bool {
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
      // Infinities differ from themselves by NaN.
      if (v != other && !(d >= load<f64>(match + offset, LO) && d <= load<f64>(match + offset, HI))) return false;
    } else {
      const other = from == 0 ? load<f64>(match + offset, COLOUR) : <f64>load<T>(from + c * sizeof<T>());
      const d = v == other ? 0 : v - other;
      sum += metric == L1 ? abs(d) : d * d;
    }
  }
  return metric == LINF || sum <= load<f64>(match, LIMIT);
}

/**
 * Writes the bits of `rows` rows of pixels that pass, and are in `fence` (rows of bits like those written; 0 for
 * none); counts the runs of each row into `counts` and returns the number of foreground pixels. `src` must be
 * readable 64 pixels past its end.
 */
export function matchRows(
  match: usize, src: usize, rows: u32, width: u32, fence: usize, dst: usize, counts: usize,
): f64 {
  const type = load<u32>(match, TYPE);
  const words = (width + 63) >> 6;
  const rowBytes = <usize>width * pixelBytes(match);
  let foreground: f64 = 0;
  for (let y: u32 = 0; y < rows; y++) {
    if (type == U8 && load<u32>(match, METRIC) == LINF) matchBytes(match, src, words, dst);
    else if (type == U8) matchScalar<u8>(match, src, width, dst);
    else if ((type == U16 || type == I16) && load<u32>(match, CHANNELS) == 1) {
      packShorts(src, words, <i32>load<f64>(match, LO), <i32>load<f64>(match, HI), 0, dst);
    } else if (type == U16) matchScalar<u16>(match, src, width, dst);
    else if (type == I16) matchScalar<i16>(match, src, width, dst);
    else matchScalar<f32>(match, src, width, dst);
    const last = dst + (<usize>(words - 1) << 3);
    store<u64>(last, load<u64>(last) & tailMask(width));
    if (fence) {
      for (let i: usize = 0; i < words; i++) store<u64>(dst + (i << 3), load<u64>(dst + (i << 3)) & load<u64>(fence + (i << 3)));
      fence += <usize>words << 3;
    }
    foreground += countRows(dst, 0, words, 0, 1, counts);
    counts += 4;
    src += rowBytes;
    dst += <usize>words << 3;
  }
  return foreground;
}

/** 64 bytes per channel at a time: inside when (v - lo) <= (hi - lo) without sign. */
function matchBytes(match: usize, src: usize, words: u32, dst: usize): void {
  const channels = load<u32>(match, CHANNELS);
  if (channels == 1) matchBytesOf(match, src, words, dst, 1);
  else if (channels == 3) matchBytesOf(match, src, words, dst, 3);
  else matchBytesOf(match, src, words, dst, 4);
}

// @ts-ignore: decorator
@inline
function inside(v: v128, match: usize, c: usize): v128 {
  const lo = <i32>load<f64>(match + (c << 3), LO);
  const hi = <i32>load<f64>(match + (c << 3), HI);
  return i8x16.le_u(i8x16.sub(v, i8x16.splat(<i8>lo)), i8x16.splat(<i8>(hi - lo)));
}

// @ts-ignore: decorator
@inline
function matchBytesOf(match: usize, src: usize, words: u32, dst: usize, channels: u32): void {
  for (let i: u32 = 0; i < words; i++) {
    let word: u64 = 0;
    for (let k: u32 = 0; k < 4; k++) {
      let on: v128;
      if (channels == 1) on = inside(v128.load(src), match, 0);
      else {
        on = v128.and(
          v128.and(inside(channel16(src, channels, 0), match, 0), inside(channel16(src, channels, 1), match, 1)),
          inside(channel16(src, channels, 2), match, 2),
        );
        if (channels == 4) on = v128.and(on, inside(channel16(src, channels, 3), match, 3));
      }
      word |= <u64>i8x16.bitmask(on) << (<u64>k << 4);
      src += <usize>channels << 4;
    }
    store<u64>(dst, word);
    dst += 8;
  }
}

function matchScalar<T>(match: usize, src: usize, width: u32, dst: usize): void {
  const step = pixelBytes(match);
  for (let x: u32 = 0; x < width; x += 64) {
    const count = min(64, width - x);
    let word: u64 = 0;
    for (let i: u32 = 0; i < count; i++) {
      word |= <u64>passes<T>(match, src, 0) << (<u64>i);
      src += step;
    }
    store<u64>(dst, word);
    dst += 8;
  }
}
