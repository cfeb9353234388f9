// Distances along rows: how far each pixel is from the nearest set bit of its own row, read off the bits a byte at a time.
// What is stored is the cost that the other axes add to: (d w)^2, or d w for metrics that are not Euclidean.

import { costOf, I32, infinityOf, splatOf, U16 } from "./cost";
import { surfaceRows } from "./surface";

/** No site, as a distance in pixels; rows are shorter than this. */
const NONE: u32 = 65520;
const FAR: i32 = 1 << 28;

/**
 * Writes the table that the rows are read with: for each byte the distances of its eight pixels to its nearest set bit,
 * as u16. Byte 0b00010001 gives 0 1 2 1 0 1 2 3.
 */
export function nearestInByte(table: usize): void {
  for (let byte: i32 = 0; byte < 256; byte++) {
    for (let x: i32 = 0; x < 8; x++) {
      let d: u32 = NONE;
      for (let other: i32 = 0; other < 8; other++) {
        if ((byte >> other) & 1) d = min(d, <u32>abs(other - x));
      }
      store<u16>(table + <usize>((byte << 4) | (x << 1)), <u16>d);
    }
  }
}

/**
 * Costs along x of rows [y0, y1), counted through all slices, into rows of `pitch` bytes at `dst`; of the pixels of both
 * planes, with `surface` of those with background beside them, with `invert` of the background. `feature`, where it is
 * not 0, gets each pixel's nearest x, the lower one of two, in rows of the same pitch. `row` is room for a row of bits.
 */
export function distanceRows(
  kind: u32, bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, height: u32, depth: u32,
  surface: bool, invert: bool, weight: f64, squared: bool, reach: u32, table: usize, row: usize,
  dst: usize, pitch: u32, feature: usize,
): void {
  const words = (width + 63) >> 6;
  const bytes = <usize>words << 3;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * bytes;
    if (surface) {
      store<u64>(row + bytes - 8, 0);
      surfaceRows(bits, bits2, width, y, y + 1, height, depth, false, row);
    } else {
      const tail: u64 = width & 63 ? ((<u64>1) << (<u64>(width & 63))) - 1 : u64.MAX_VALUE;
      for (let i: usize = 0; i < bytes; i += 8) {
        let word = load<u64>(bits + at + i);
        if (bits2) word |= load<u64>(bits2 + at + i);
        if (invert) word = ~word & (i + 8 == bytes ? tail : u64.MAX_VALUE);
        store<u64>(row + i, word);
      }
    }
    if (kind == U16) costs<u16>(row, width, weight, squared, reach, table, dst);
    else if (kind == I32) costs<i32>(row, width, weight, squared, reach, table, dst);
    else costs<f32>(row, width, weight, squared, reach, table, dst);
    // Columns are searched over the whole pitch, so what lies past the row must be costs, too: any will do.
    const made = <usize>((width + 7) & ~7) * (kind == U16 ? 2 : 4);
    memory.fill(dst + made, 0, pitch - made);
    if (feature) {
      sites(row, width, reach, feature);
      memory.fill(feature + (<usize>width << 2), 0, pitch - (<usize>width << 2));
      feature += pitch;
    }
    dst += pitch;
  }
}

/** The first set bit at or after `x` of a row, or FAR. */
function next(row: usize, x: u32, width: u32): i32 {
  if (x >= width) return FAR;
  const words = (width + 63) >> 6;
  let i = x >> 6;
  let word = load<u64>(row + (<usize>i << 3)) & (u64.MAX_VALUE << (<u64>(x & 63)));
  while (word == 0) {
    if (++i == words) return FAR;
    word = load<u64>(row + (<usize>i << 3));
  }
  return (i << 6) + <i32>ctz(word);
}

function costs<T>(row: usize, width: u32, weight: f64, squared: bool, reach: u32, table: usize, dst: usize): void {
  const lanes = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  const limit = <u16>min(reach, NONE - 1);
  const most = <i32>min(reach, NONE - 1);
  const infinite = splatOf<T>(infinityOf<T>());
  let last: i32 = -FAR;
  let after: i32 = next(row, 0, width);
  for (let x: u32 = 0; x < width; x += 8) {
    const byte = <u32>load<u8>(row + (<usize>x >> 3));
    if (after < <i32>x + 8) after = next(row, x + 8, width);
    if (byte == 0 && <i32>x - last > most && after - <i32>x - 7 > most) {
      v128.store(dst, infinite);
      if (sizeof<T>() == 4) v128.store(dst, infinite, 16);
      dst += 8 * sizeof<T>();
      continue;
    }
    // Distances grow from the last set bit of the bytes before, and shrink towards the first of those behind.
    const left = v128.add_sat<u16>(i16x8.splat(<i16>min(<i32>x - last, 0xffff)), lanes);
    const right = v128.sub_sat<u16>(i16x8.splat(<i16>min(after - <i32>x, 0xffff)), lanes);
    const d = v128.min<u16>(v128.min<u16>(left, right), v128.load(table + (<usize>byte << 4)));
    costOf<T>(dst, d, limit, weight, squared);
    dst += 8 * sizeof<T>();
    if (byte) last = <i32>x + 31 - clz(byte);
  }
}

/** The x of each pixel's nearest set bit, or 0xffffffff where none is within reach. */
function sites(row: usize, width: u32, reach: u32, dst: usize): void {
  let last: i32 = -FAR;
  let after: i32 = next(row, 0, width);
  for (let x: i32 = 0; x < <i32>width; x++) {
    if (after == x) {
      last = x;
      after = next(row, x + 1, width);
    }
    const site = x - last <= after - x ? last : after;
    const away = <u32>abs(site - x);
    store<u32>(dst + (<usize>x << 2), away <= reach && away < <u32>width ? <u32>site : u32.MAX_VALUE);
  }
}

/** Every eighth value of rows of `width` 4-byte values and the last one, into rows of their own, zeros after them. */
export function pickEighths(src: usize, width: u32, rows: u32, pitch: u32, dst: usize, dstPitch: u32): void {
  for (let y: u32 = 0; y < rows; y++) {
    let to = dst;
    for (let x: u32 = 0; x < width - 1; x += 8) {
      store<u32>(to, load<u32>(src + (<usize>x << 2)));
      to += 4;
    }
    store<u32>(to, load<u32>(src + (<usize>(width - 1) << 2)));
    memory.fill(to + 4, 0, dst + dstPitch - (to + 4));
    src += pitch;
    dst += dstPitch;
  }
}

/** Rows of `bytes` bytes, `pitch` apart, one after another. */
export function closeRows(src: usize, pitch: u32, bytes: u32, rows: u32, dst: usize): void {
  for (let y: u32 = 0; y < rows; y++) {
    memory.copy(dst, src, bytes);
    src += pitch;
    dst += bytes;
  }
}

/**
 * Whether each of nx * ny * nz cells of as equal size as may be has a set bit in either plane. As much is looked at as it
 * takes to find one, or a cell without.
 */
export function everyCell(
  bits: usize, bits2: usize, width: u32, height: u32, depth: u32, nx: u32, ny: u32, nz: u32,
): bool {
  const words = (width + 63) >> 6;
  for (let cell: u32 = 0; cell < nx * ny * nz; cell++) {
    const x = cell % nx;
    const y = cell / nx % ny;
    const z = cell / nx / ny;
    const x0 = part(x, width, nx);
    const x1 = part(x + 1, width, nx);
    let found = false;
    for (let k = part(z, depth, nz); k < part(z + 1, depth, nz) && !found; k++) {
      for (let j = part(y, height, ny); j < part(y + 1, height, ny) && !found; j++) {
        const row = <usize>(k * height + j) * words << 3;
        found = anyBetween(bits + row, x0, x1) || (bits2 != 0 && anyBetween(bits2 + row, x0, x1));
      }
    }
    if (!found) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline
function part(i: u32, side: u32, cells: u32): u32 {
  return <u32>(<u64>i * side / cells);
}

/** Whether a row has a bit in [x0, x1), which is not empty. */
function anyBetween(row: usize, x0: u32, x1: u32): bool {
  const last = (x1 - 1) >> 6;
  for (let i = x0 >> 6; i <= last; i++) {
    let word = load<u64>(row + (<usize>i << 3));
    if (i == x0 >> 6) word &= u64.MAX_VALUE << (<u64>(x0 & 63));
    if (i == last) word &= u64.MAX_VALUE >> (<u64>(63 - ((x1 - 1) & 63)));
    if (word) return true;
  }
  return false;
}
