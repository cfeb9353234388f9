// Distances along rows: the distance d of each pixel to the nearest set bit of its own row, read from the bits a byte
// at a time. The stored value is a cost, to which the other axes add: (d w)^2, or d w for metrics that are not
// Euclidean.

import { costOf, infinityOf, splatOf } from "./distance-cost";
import { surfaceOf } from "./mask-surface";
import { I32, U16 } from "./layout/distance";

/** No site, as a distance in pixels; rows are shorter than this. */
const NONE: u32 = 65520;
const FAR: i32 = 1 << 28;

/**
 * Writes the table that the rows are read with: for each byte the distances of its eight pixels to its nearest set bit,
 * as u16. Byte 0b00010001 gives 0 1 2 1 0 1 2 3.
 * @param table u16 for each of the 8 pixels of each of the 256 byte values, written [0 .. BYTE_TABLE_BYTES]
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

/** Arguments of {@link distanceRows}. */
// @ts-ignore: decorator
@unmanaged
export class DistanceRowsCall {
  /** 0 u16, 1 i32, 2 f32 costs. */
  kind: u32;
  /** Origin of the first bit plane. [(surface ? rowBeside(y0, y1, height) : y0) * rowBytes(width) .. (surface ? rowAfterBeside(y0, y1, height, depth) : y1) * rowBytes(width)] */
  bits: usize;
  /** Origin of the second bit plane, or 0. [(surface ? rowBeside(y0, y1, height) : y0) * rowBytes(width) .. (surface ? rowAfterBeside(y0, y1, height, depth) : y1) * rowBytes(width)] */
  bits2: usize;
  /** Pixels per row. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Rows per slice of the planes. */
  height: u32;
  /** Slices of the planes. */
  depth: u32;
  /** 0 or 1: sites are pixels with background beside them. */
  surface: bool;
  /** 0 or 1: sites are background; not with surface. */
  invert: bool;
  /** Side of a pixel along x (f64). */
  weight: f64;
  /** 0 or 1: costs are squared distances. */
  squared: bool;
  /** Largest distance of a site, in pixels. */
  reach: u32;
  /** Table that nearestInByte wrote. [0 .. BYTE_TABLE_BYTES] */
  table: usize;
  /** Scratch: a row of bits. [0 .. y1 > y0 ? rowBytes(width) : 0] */
  row: usize;
  /** Rows of costs of y0..y1. [0 .. (y1 - y0) * pitch] */
  dst: usize;
  /** Bytes from row to row of dst and feature. */
  pitch: u32;
  /** Rows of u32 nearest x, or 0. [0 .. (y1 - y0) * pitch] */
  feature: usize;
}

/**
 * Writes the costs along x of rows [y0, y1), counted through all slices, into rows of `pitch` bytes at `dst`. Sites are
 * the pixels of both planes; with `surface` only those with background beside them; with `invert` the background. If
 * `feature` is not 0, it receives the x of each pixel's nearest site, the lower one of two, in rows of the same pitch.
 * `row` has room for a row of bits.
 */
export function distanceRows(call: DistanceRowsCall): void {
  let kind = call.kind, bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    height = call.height, depth = call.depth, surface = call.surface, invert = call.invert,
    weight = call.weight, squared = call.squared, reach = call.reach, table = call.table, row = call.row,
    dst = call.dst, pitch = call.pitch, feature = call.feature;
  const words = (width + 63) >> 6;
  const bytes = <usize>words << 3;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * bytes;
    if (surface) {
      store<u64>(row + bytes - 8, 0);
      surfaceOf(bits, bits2, width, y, y + 1, height, depth, false, row);
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
    // Columns are searched over the whole pitch, so the bytes past the row must be valid costs. Any value will do.
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
    // Distances grow from the last set bit of the bytes before, and shrink towards the first set bit of the bytes after.
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

/**
 * Copies every eighth value and the last one of rows of `width` 4-byte values to rows that are padded with zeros.
 * @param src rows of 4-byte values [0 .. rows ? (rows - 1) * pitch + width * 4 : 0]
 * @param width values per row, at least 1
 * @param rows rows
 * @param pitch bytes from row to row of src
 * @param dst rows of every eighth value, zeros after [0 .. rows * dstPitch]
 * @param dstPitch bytes from row to row of dst
 */
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

/**
 * Copies rows of `bytes` bytes, which lie `pitch` apart, so that no gaps remain.
 * @param src rows, pitch apart [0 .. rows ? (rows - 1) * pitch + bytes : 0]
 * @param pitch bytes from row to row of src
 * @param bytes bytes copied per row
 * @param rows rows
 * @param dst rows one after another [0 .. rows * bytes]
 */
export function closeRows(src: usize, pitch: u32, bytes: u32, rows: u32, dst: usize): void {
  for (let y: u32 = 0; y < rows; y++) {
    memory.copy(dst, src, bytes);
    src += pitch;
    dst += bytes;
  }
}

/**
 * Whether each of nx * ny * nz cells, of sizes as equal as possible, has a set bit in either plane. A cell is read only
 * up to its first set bit, and the search ends with the first empty cell.
 * @param bits the first bit plane [0 .. height * depth * rowBytes(width)]
 * @param bits2 the second bit plane, or 0 [0 .. height * depth * rowBytes(width)]
 * @param width pixels per row
 * @param height rows per slice
 * @param depth slices
 * @param nx cells along x, 1..width
 * @param ny cells along y, 1..height
 * @param nz cells along z, 1..depth
 */
export function everyCell(
  bits: usize, bits2: usize, width: u32, height: u32, depth: u32, nx: u32, ny: u32, nz: u32,
): bool {
  const words = (width + 63) >> 6;
  for (let cell: u32 = 0; cell < nx * ny * nz; cell++) { // wide: fewer than 2^32 eighths of pixels
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
