// Dilation of bit rows by a disc (or diamond, or square) of any radius, for images only. An erosion is a dilation of the
// background. A disc is described by its rows (row dy reaches `widths[|dy|]` pixels to either side) or by its columns.
//
// Small discs are processed by words (nearRows). Rows with the smallest reach are added last, so rows added before are
// widened by the difference of two reaches only. A disc of radius 2 has the widths 2, 2, 0:
//
//     row(0) | row(-1) | row(1), widened by 2 - 0, | row(-2) | row(2), widened by 0
//
// Larger discs are processed by pixels (farRows). h is the distance to the nearest set pixel of a row, and height(h) is 1
// more than the rows that the disc reaches up and down there. A pixel is set if a pixel of its column, |dy| rows away, has
// height > |dy|. So heights are carried down the rows, and up, less by one in each.

import { below, decodeOne, tailMask } from "./bits";

/** Arguments of {@link nearRows}. */
// @ts-ignore: decorator
@unmanaged
export class NearRowsCall {
  /** Bit plane, from row 0. [0 .. height * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows. */
  height: u32;
  /** First row that is written. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Bool: dilate the background, and write the remaining foreground. */
  invert: bool;
  /** Whether pixels beyond the border are set (after `invert`). */
  outside: bool;
  /** u32 per row of the disc from its middle: pixels to either side, not ascending. [0 .. (reach + 1) * 4] */
  widths: usize;
  /** Rows of the disc above its middle. */
  reach: u32;
  /** Bit plane of the result, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  dst: usize;
  /** Scratch: two rows with two words on either side. [0 .. SCRATCH_ROWS * (rowBytes(width) + ROW_MARGIN_BYTES)] */
  rows: usize;
}

/** Bytes on either side of a row: two words, for pixels beyond the border. */
const PAD: usize = 16;

/** Dilates rows [y0, y1) by words. */
export function nearRows(call: NearRowsCall): void {
  const words = (call.width + 63) >> 6;
  const bytes = <usize>words << 3;
  // Vectors write a word past a row of an odd number of words.
  const room = bytes + 2 * PAD + 16;
  for (let y = call.y0; y < call.y1; y++) {
    let row = call.rows + PAD;
    let other = row + room;
    setRow(call, <i32>y, row, words);
    let reach = load<u32>(call.widths);
    for (let d: u32 = 1; d <= call.reach; d++) {
      const width = load<u32>(call.widths + (<usize>d << 2));
      if (width < reach) {
        const widened = widen(row, other, words, reach - width, call);
        if (widened != row) {
          other = row;
          row = widened;
        }
        reach = width;
      }
      addRow(call, <i32>y - <i32>d, row, words);
      addRow(call, <i32>(y + d), row, words);
    }
    const last = widen(row, other, words, reach, call);
    finish(last, call.dst + <usize>y * bytes, words, call.width, call.invert);
  }
}

/** Copies a row, and sets the pixels beyond its ends. */
// @ts-ignore: decorator
@inline
function setRow(call: NearRowsCall, y: i32, row: usize, words: u32): void {
  const from = call.bits + <usize>y * (<usize>words << 3);
  const flip: u64 = call.invert ? u64.MAX_VALUE : 0;
  for (let i: u32 = 0; i < words; i++) {
    store<u64>(row + (<usize>i << 3), load<u64>(from + (<usize>i << 3)) ^ flip);
  }
  close(row, words, call.width, call.outside);
}

/** Sets the pixels beyond the ends of a row. */
// @ts-ignore: decorator
@inline
function close(row: usize, words: u32, width: u32, outside: bool): void {
  const beyond: u64 = outside ? u64.MAX_VALUE : 0;
  const last = row + (<usize>(words - 1) << 3);
  const mask = tailMask(width);
  store<u64>(last, (load<u64>(last) & mask) | (beyond & ~mask));
  store<u64>(row - 8, beyond);
  store<u64>(last, beyond, 8);
  store<u64>(last, beyond, 16);
}

// @ts-ignore: decorator
@inline
function addRow(call: NearRowsCall, y: i32, row: usize, words: u32): void {
  if (y < 0 || y >= <i32>call.height) {
    if (call.outside) memory.fill(row, 0xff, <usize>words << 3);
    return;
  }
  const from = call.bits + <usize>y * (<usize>words << 3);
  const flip = i64x2.splat(call.invert ? -1 : 0);
  let i: u32 = 0;
  for (; i + 2 <= words; i += 2) {
    const at = <usize>i << 3;
    v128.store(row + at, v128.or(v128.load(row + at), v128.xor(v128.load(from + at), flip)));
  }
  // Pixels past the width are mended by close().
  if (i < words) {
    const at = <usize>i << 3;
    store<u64>(row + at, load<u64>(row + at) | (load<u64>(from + at) ^ (call.invert ? u64.MAX_VALUE : 0)));
  }
  close(row, words, call.width, call.outside);
}

/** Widens a row by n pixels to either side; returns which of the two rows holds the result. */
// @ts-ignore: decorator
@inline
function widen(row: usize, other: usize, words: u32, n: u32, call: NearRowsCall): usize {
  // A row widened by r before may be shifted by up to r + 1 without a gap, also where it was cut off at an end.
  let done: u32 = 0;
  while (done < n) {
    const step = min<u32>(min<u32>(n - done, done + 1), 63);
    for (let i: u32 = 0; i < words; i += 2) {
      const at = row + (<usize>i << 3);
      const v = v128.load(at);
      const left = v128.or(i64x2.shl(v, <i32>step), i64x2.shr_u(v128.load(at - 8), 64 - <i32>step));
      const right = v128.or(i64x2.shr_u(v, <i32>step), i64x2.shl(v128.load(at + 8), 64 - <i32>step));
      v128.store(other + (<usize>i << 3), v128.or(v, v128.or(left, right)));
    }
    close(other, words, call.width, call.outside);
    const swap = row;
    row = other;
    other = swap;
    done += step;
  }
  return row;
}

// @ts-ignore: decorator
@inline
function finish(row: usize, dst: usize, words: u32, width: u32, invert: bool): void {
  const flip: u64 = invert ? u64.MAX_VALUE : 0;
  for (let i: u32 = 0; i < words; i++) store<u64>(dst + (<usize>i << 3), load<u64>(row + (<usize>i << 3)) ^ flip);
  const last = dst + (<usize>(words - 1) << 3);
  store<u64>(last, load<u64>(last) & tailMask(width));
}

/** Arguments of {@link farRows}. */
// @ts-ignore: decorator
@unmanaged
export class FarRowsCall {
  /** Bit plane, from row 0. [0 .. height * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows. */
  height: u32;
  /** First row that is written. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Bool: dilate the background, and write the remaining foreground. */
  invert: bool;
  /** Whether pixels beyond the border are set (after `invert`). */
  outside: bool;
  /** u8, or u16, per pixel to the side, from 0: 1 more than the rows that the disc reaches up and down there. 16 bytes of 0 follow. [0 .. (reachX + 1) * (wide ? 2 : 1) + 16] */
  heights: usize;
  /** Pixels that the disc reaches to the side. */
  reachX: u32;
  /** Rows that it reaches up and down. */
  reachY: u32;
  /** Whether heights take 16 bits. */
  wide: bool;
  /** Bit plane of the result, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  dst: usize;
  /** Scratch: heights of the rows and of those in reach, and a row of carried heights. [0 .. (Math.min(height, y1 + reachY) - Math.max(0, y0 - reachY) + 1) * rowBytes(width) * 8 * (wide ? 2 : 1)] */
  values: usize;
  /** Scratch: a row of bits, and its runs. [0 .. rowBytes(width) + width * 8 + 64] */
  list: usize;
}

/** Dilates rows [y0, y1) by pixels, at a cost per row that does not depend on the disc. */
export function farRows(call: FarRowsCall): void {
  if (call.wide) far<u16>(call);
  else far<u8>(call);
}

// @ts-ignore: decorator
@inline
function far<T>(call: FarRowsCall): void {
  const words = (call.width + 63) >> 6;
  const bytes = <usize>words << 3;
  const pitch = (<usize>words << 6) * sizeof<T>();
  const first = <i32>max<i32>(0, <i32>call.y0 - <i32>call.reachY);
  const end = <i32>min<u32>(call.height, call.y1 + call.reachY);
  const carried = call.values + <usize>(end - first) * pitch;
  const top = <u32>load<T>(call.heights);
  // With `outside`, rows beyond the border are full, and the nearest of them decides.
  begin<T>(carried, pitch, call.outside ? <u32>max<i32>(0, <i32>top - first) : 0);
  for (let y = first; y < <i32>call.y1; y++) {
    const row = call.values + <usize>(y - first) * pitch;
    heightsOf<T>(call, y, row, pitch);
    const out = y >= <i32>call.y0 ? call.dst + <usize>y * bytes : 0;
    carry<T>(row, carried, words, out, false);
  }
  for (let y = <i32>call.y1; y < end; y++) heightsOf<T>(call, y, call.values + <usize>(y - first) * pitch, pitch);
  const under = <i32>call.height - end;
  begin<T>(carried, pitch, call.outside ? <u32>max<i32>(0, <i32>top - under) : 0);
  for (let y = end - 1; y >= <i32>call.y0; y--) {
    const out = y < <i32>call.y1 ? call.dst + <usize>y * bytes : 0;
    carry<T>(call.values + <usize>(y - first) * pitch, carried, words, out, true);
    if (out) finish(out, out, words, call.width, call.invert);
  }
}

/** Sets the heights that are carried into the first row: those of the row before it. */
// @ts-ignore: decorator
@inline
function begin<T>(carried: usize, pitch: usize, height: u32): void {
  if (sizeof<T>() == 1) memory.fill(carried, <u8>height, pitch);
  else for (let at: usize = 0; at < pitch; at += 2) store<u16>(carried + at, <u16>height);
}

/** Writes the height at each pixel of a row: 1 more than the rows that the disc reaches up and down, 0 out of reach. */
// @ts-ignore: decorator
@inline
function heightsOf<T>(call: FarRowsCall, y: i32, row: usize, pitch: usize): void {
  const width = call.width;
  const words = (width + 63) >> 6;
  const bits = call.list;
  const list = bits + (<usize>words << 3);
  const from = call.bits + <usize>y * (<usize>words << 3);
  finish(from, bits, words, width, call.invert);
  memory.fill(row, 0, pitch);
  const runs = decodeOne(bits, width, list);
  const most = call.reachX;
  let end: u32 = 0;
  // Without pixels beyond the border the first gap has no left end.
  let open = !call.outside;
  for (let i: u32 = 0; i <= runs; i++) {
    const last = i == runs;
    const begin = last ? width : load<u32>(list + (<usize>i << 3));
    const gap = begin - end;
    const leftGap: u32 = open ? 0 : last && !call.outside ? gap : (gap + 1) >> 1;
    const rightGap: u32 = last && !call.outside ? 0 : open ? gap : gap >> 1;
    const fromLeft = min<u32>(leftGap, most);
    const fromRight = min<u32>(rightGap, most);
    for (let k: u32 = 0; k < fromLeft; k++) {
      store<T>(row + <usize>(end + k) * sizeof<T>(), load<T>(call.heights + <usize>(k + 1) * sizeof<T>()));
    }
    for (let k: u32 = 0; k < fromRight; k++) {
      store<T>(row + <usize>(begin - 1 - k) * sizeof<T>(), load<T>(call.heights + <usize>(k + 1) * sizeof<T>()));
    }
    if (last) break;
    end = load<u32>(list + (<usize>i << 3), 4);
    const height = load<T>(call.heights);
    if (sizeof<T>() == 1) memory.fill(row + begin, <u8>height, end - begin);
    else for (let x = begin; x < end; x++) store<T>(row + (<usize>x << 1), height);
    open = false;
  }
}

/** Carries heights on to a row, less by one, and writes or adds the bits of those above 0. */
// @ts-ignore: decorator
@inline
function carry<T>(row: usize, carried: usize, words: u32, out: usize, adds: bool): void {
  for (let i: u32 = 0; i < words; i++) {
    let word: u64 = 0;
    for (let k: u32 = 0; k < 4; k++) {
      const at = ((<usize>i << 6) + (<usize>k << 4)) * sizeof<T>();
      word |= <u64>carry16<T>(row + at, carried + at) << (<u64>k << 4);
    }
    if (!out) continue;
    const to = out + (<usize>i << 3);
    store<u64>(to, adds ? load<u64>(to) | word : word);
  }
}

/** Sixteen pixels: bit i is set where the height of pixel i is above 0. */
// @ts-ignore: decorator
@inline
function carry16<T>(row: usize, carried: usize): u32 {
  const zero = i64x2.splat(0);
  if (sizeof<T>() == 1) {
    const v = i8x16.max_u(i8x16.sub_sat_u(v128.load(carried), i8x16.splat(1)), v128.load(row));
    v128.store(carried, v);
    return ~<u32>i8x16.bitmask(i8x16.eq(v, zero)) & 0xffff;
  }
  const one = i16x8.splat(1);
  const low = i16x8.max_u(i16x8.sub_sat_u(v128.load(carried), one), v128.load(row));
  const high = i16x8.max_u(i16x8.sub_sat_u(v128.load(carried, 16), one), v128.load(row, 16));
  v128.store(carried, low);
  v128.store(carried, high, 16);
  const none = i8x16.narrow_i16x8_s(i16x8.eq(low, zero), i16x8.eq(high, zero));
  return ~<u32>i8x16.bitmask(none) & 0xffff;
}

/** Arguments of {@link padRows}. */
// @ts-ignore: decorator
@unmanaged
export class PadRowsCall {
  /** Bit plane. [0 .. height * depth * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** Words that are put before each row. */
  left: u32;
  /** Pixels that are put behind it. */
  right: u32;
  /** Rows that are put above and below each slice. */
  rows: u32;
  /** Slices that are put before and behind. */
  slices: u32;
  /** Whether the padding repeats the border's pixels; else it is empty. */
  extend: bool;
  /** First row of the result, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Bit plane of the result. [y0 * rowBytes(left * 64 + width + right) .. y1 * rowBytes(left * 64 + width + right)] */
  dst: usize;
}

/** Pads a bit plane: writes rows [y0, y1) of the larger plane. */
export function padRows(call: PadRowsCall): void {
  const words = (call.width + 63) >> 6;
  const wide = (call.left << 6) + call.width + call.right;
  const wideWords = (wide + 63) >> 6;
  const tall = call.height + 2 * call.rows;
  for (let row = call.y0; row < call.y1; row++) {
    const y = <i32>(row % tall) - <i32>call.rows;
    const z = <i32>(row / tall) - <i32>call.slices;
    const to = call.dst + (<usize>row * wideWords << 3);
    const inside = y >= 0 && y < <i32>call.height && z >= 0 && z < <i32>call.depth;
    memory.fill(to, 0, <usize>wideWords << 3);
    if (!inside && !call.extend) continue;
    const fromY = max<i32>(0, min<i32>(<i32>call.height - 1, y));
    const fromZ = max<i32>(0, min<i32>(<i32>call.depth - 1, z));
    const from = call.bits + ((<usize>fromZ * call.height + fromY) * words << 3);
    memory.copy(to + (<usize>call.left << 3), from, <usize>words << 3);
    if (!call.extend) continue;
    if (load<u64>(from) & 1) memory.fill(to, 0xff, <usize>call.left << 3);
    const last = call.width - 1;
    if (!((load<u64>(from + (<usize>(last >> 6) << 3)) >> <u64>(last & 63)) & 1)) continue;
    for (let x = (call.left << 6) + call.width; x < wide; ) {
      const at = to + (<usize>(x >> 6) << 3);
      store<u64>(at, load<u64>(at) | ~below(x & 63));
      x = (x | 63) + 1;
    }
    const end = to + (<usize>(wideWords - 1) << 3);
    store<u64>(end, load<u64>(end) & tailMask(wide));
  }
}

/** Arguments of {@link cropRows}. */
// @ts-ignore: decorator
@unmanaged
export class CropRowsCall {
  /** Bit plane of the larger image. [0 .. (height + 2 * rows) * (depth + 2 * slices) * rowBytes(left * 64 + width + right)] */
  bits: usize;
  /** Pixels of a row of the result, >= 1. */
  width: u32;
  /** Rows of a slice of the result. */
  height: u32;
  /** Slices of the result. */
  depth: u32;
  /** Words before each row. */
  left: u32;
  /** Pixels behind it. */
  right: u32;
  /** Rows above and below each slice. */
  rows: u32;
  /** Slices before and behind. */
  slices: u32;
  /** First row of the result, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Bit plane of the result. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  dst: usize;
}

/** Removes the padding of padRows: writes rows [y0, y1) of the smaller plane. */
export function cropRows(call: CropRowsCall): void {
  const words = (call.width + 63) >> 6;
  const wideWords = ((call.left << 6) + call.width + call.right + 63) >> 6;
  const tall = call.height + 2 * call.rows;
  for (let row = call.y0; row < call.y1; row++) {
    const place = <usize>(row / call.height + call.slices) * tall + (row % call.height) + call.rows;
    const to = call.dst + (<usize>row * words << 3);
    memory.copy(to, call.bits + ((place * wideWords + call.left) << 3), <usize>words << 3);
    const last = to + (<usize>(words - 1) << 3);
    store<u64>(last, load<u64>(last) & tailMask(call.width));
  }
}
