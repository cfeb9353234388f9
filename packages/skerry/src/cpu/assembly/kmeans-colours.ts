// The colours of an image and their pixel counts: a table of 2^24 counters in the order of keys (see kmeans-points.ts),
// cut into cells of 16 x 16 x 16 neighbouring colours. A photograph touches a quarter of the cells; only these are
// cleared and read. Neighbouring pixels have similar colours, so in this order their counters are near in memory.

import { keysOf, weightsOf } from "./kmeans-points";

/** Counters per cell, and number of cells. */
const CELL: u32 = 4096;
const CELLS: u32 = 4096;

/** The key of a pixel. `spread` is a table each for red, green and blue: the bits of 0..255 at every third place, u32. */
// @ts-ignore: decorator
@inline
function keyOf(channels: u32, pixel: usize, spread: usize): u32 {
  const red = load<u32>(spread + (<usize>load<u8>(pixel) << 2));
  if (channels == 1) return red;
  const green = load<u32>(spread + (<usize>load<u8>(pixel, 1) << 2), 1024);
  return red | green | load<u32>(spread + (<usize>load<u8>(pixel, 2) << 2), 2048);
}

/**
 * Counts pixels into a table of counters, u32 each; `touched` has a byte per cell, zero at first. With `skip`, pixels of
 * alpha 0 are left out.
 * @param channels 1, 3 or 4
 * @param skip 0 or 1: leave out RGBA of alpha 0
 * @param src u8 pixels [0 .. pixels * channels]
 * @param pixels pixels
 * @param spread u32 for 256 reds, greens, blues: key bits [0 .. channels === 1 ? 1024 : 3072]
 * @param table one table: u32 per key, 2^24 keys [0 .. 67108864]
 * @param touched u8 per cell of 4096 keys, of this table [0 .. 4096]
 */
export function countColours(
  channels: u32, skip: bool, src: usize, pixels: u32, spread: usize, table: usize, touched: usize,
): void {
  // Specialised code for RGB.
  if (channels == 3) count(3, false, src, pixels, spread, table, touched);
  else count(channels, skip, src, pixels, spread, table, touched);
}

// @ts-ignore: decorator
@inline
function count(channels: u32, skip: bool, src: usize, pixels: u32, spread: usize, table: usize, touched: usize): void {
  for (const end = src + <usize>pixels * channels; src < end; src += channels) {
    if (skip && load<u8>(src, 3) == 0) continue;
    const key = keyOf(channels, src, spread);
    const cell = key / CELL;
    if (!load<u8>(touched + cell)) {
      store<u8>(touched + cell, 1);
      memory.fill(table + (<usize>(cell * CELL) << 2), 0, CELL << 2);
    }
    const at = table + (<usize>key << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/**
 * Adds the other tables' counters of cells [first, end) to the first table's. Writes each cell's number of nonzero counters
 * to `sizes`.
 * @param tables all tables, 64 MiB each; first receives the sums [end > first ? first * 16384 : 0 .. end > first ? (count - 1) * 67108864 + end * 16384 : 0]
 * @param touched u8 per cell of each table; first's is written [end > first ? first : 0 .. end > first ? (count - 1) * 4096 + end : 0]
 * @param count tables, 1..4
 * @param first first cell
 * @param end one past the last cell, at most 4096
 * @param sizes u32 per cell: its colours, written [first * 4 .. end * 4]
 */
export function sizeCells(tables: usize, touched: usize, count: u32, first: u32, end: u32, sizes: usize): void {
  for (let cell = first; cell < end; cell++) {
    const to = tables + (<usize>(cell * CELL) << 2);
    let any = load<u8>(touched + cell) != 0;
    for (let t: u32 = 1; t < count; t++) {
      if (!load<u8>(touched + <usize>t * CELLS + cell)) continue;
      const from = to + (<usize>t << 26);
      if (!any) memory.copy(to, from, CELL << 2);
      else for (let i: usize = 0; i < CELL << 2; i += 16) v128.store(to + i, i32x4.add(v128.load(to + i), v128.load(from + i)));
      any = true;
    }
    store<u8>(touched + cell, any);
    let size: i32 = 0;
    if (any) {
      let sum = i32x4.splat(0);
      for (let i: usize = 0; i < CELL << 2; i += 16) sum = i32x4.sub(sum, i32x4.ne(v128.load(to + i), i32x4.splat(0)));
      size = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
    }
    store<u32>(sizes + (<usize>cell << 2), size);
  }
}

/**
 * Writes the keys and counts of the colours in cells [first, end); `offsets` has the number of each cell's first colour.
 * @param table the summed table: u32 per key [first * 16384 .. end * 16384]
 * @param touched u8 per cell [first .. end]
 * @param first first cell
 * @param end one past the last cell, at most 4096
 * @param offsets u32 per cell: number of its first colour [first * 4 .. end * 4]
 * @param colours block of colours; keys and weights written [end > first ? padded * 8 + u32(offsets, first) * 4 : 0 .. end > first ? padded * 12 + (end < 4096 ? u32(offsets, end) : padded) * 4 : 0]
 * @param padded colours in whole blocks of 64
 */
export function emitColours(
  table: usize, touched: usize, first: u32, end: u32, offsets: usize, colours: usize, padded: u32,
): void {
  for (let cell = first; cell < end; cell++) {
    if (!load<u8>(touched + cell)) continue;
    let i = <usize>load<u32>(offsets + (<usize>cell << 2)) << 2;
    for (let key = cell * CELL; key < (cell + 1) * CELL; key += 4) {
      const four = v128.load(table + (<usize>key << 2));
      for (let bits = i32x4.bitmask(i32x4.ne(four, i32x4.splat(0))); bits; bits &= bits - 1) {
        const found = key + ctz(bits);
        store<u32>(keysOf(colours, padded) + i, found);
        store<u32>(weightsOf(colours, padded) + i, load<u32>(table + (<usize>found << 2)));
        i += 4;
      }
    }
  }
}

/**
 * Writes the class names of colours [first, end) to a table by key: entries of `names`, u8 each.
 * @param colours block of colours; keys read [padded * 12 + first * 4 .. padded * 12 + end * 4]
 * @param padded colours in whole blocks of 64
 * @param first first colour, a multiple of 64
 * @param end one past the last colour
 * @param classes u8 class per colour [first .. end]
 * @param names u8 name per class; the host allocates 256 [0 .. end > first ? (u32(classes, first / 4) & 255) + 1 : 0]
 * @param table u8 per key, 2^24, written [end > first ? u32(colours, padded * 3 + first) : 0 .. end > first ? u32(colours, padded * 3 + end - 1) + 1 : 0]
 */
export function nameColours(
  colours: usize, padded: u32, first: u32, end: u32, classes: usize, names: usize, table: usize,
): void {
  const keys = keysOf(colours, padded);
  for (let i = first; i < end; i++) {
    store<u8>(table + load<u32>(keys + (<usize>i << 2)), load<u8>(names + load<u8>(classes + i)));
  }
}

/**
 * Looks up each pixel in a table by key. With `skip`, pixels of alpha 0 become 255.
 * @param channels 1, 3 or 4
 * @param skip 0 or 1: RGBA of alpha 0 become 255
 * @param src u8 pixels [0 .. pixels * channels]
 * @param pixels pixels
 * @param spread u32 for 256 reds, greens, blues: key bits [0 .. channels === 1 ? 1024 : 3072]
 * @param table u8 per key, 2^24 [0 .. 16777216]
 * @param dst u8 per pixel, written [0 .. pixels]
 */
export function lookUpColours(
  channels: u32, skip: bool, src: usize, pixels: u32, spread: usize, table: usize, dst: usize,
): void {
  for (const end = dst + pixels; dst < end; dst++, src += channels) {
    const left = skip && load<u8>(src, 3) == 0;
    store<u8>(dst, left ? 255 : load<u8>(table + keyOf(channels, src, spread)));
  }
}

/**
 * Copies the pixels that are set in a fence to `dst`, without gaps. Returns their number.
 * @param channels 1, 3 or 4
 * @param src u8 pixels, rows tight [0 .. rows * width * channels]
 * @param width pixels of a row, >= 1
 * @param rows rows
 * @param fence bit rows [0 .. rows * rowBytes(width)]
 * @param dst u8 pixels [0 .. rows * width * channels]
 */
export function gatherInside(channels: u32, src: usize, width: u32, rows: u32, fence: usize, dst: usize): u32 {
  const words = (width + 63) >> 6;
  let found: u32 = 0;
  for (let y: u32 = 0; y < rows; y++) {
    for (let i: u32 = 0; i < words; i++) {
      for (let word = load<u64>(fence + (<usize>i << 3)); word; word &= word - 1) {
        const from = src + <usize>((i << 6) + <u32>ctz(word)) * channels;
        for (let c: usize = 0; c < channels; c++) store<u8>(dst + <usize>found * channels + c, load<u8>(from + c));
        found++;
      }
    }
    src += <usize>width * channels;
    fence += <usize>words << 3;
  }
  return found;
}

/**
 * Sets the classes of pixels outside a fence to 255.
 * @param classes u8, rows tight [0 .. rows * width]
 * @param width pixels of a row, >= 1
 * @param rows rows
 * @param fence bit rows [0 .. rows * rowBytes(width)]
 */
export function clearOutsideClasses(classes: usize, width: u32, rows: u32, fence: usize): void {
  const words = (width + 63) >> 6;
  for (let y: u32 = 0; y < rows; y++) {
    for (let x: u32 = 0; x < width; x++) {
      if (!((load<u64>(fence + (<usize>(x >> 6) << 3)) >> <u64>(x & 63)) & 1)) store<u8>(classes + x, 255);
    }
    classes += width;
    fence += <usize>words << 3;
  }
}
