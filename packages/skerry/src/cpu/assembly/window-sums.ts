// Sums over square windows (cubes in volumes) around every pixel, mirrored at the borders. The outputs are a pixel minus, or
// divided by, its local mean, or bits by a local threshold. Sums of columns slide down the rows, and the sum of a window
// slides along its row. So the cost does not depend on the radius in images; in volumes it grows with the radius.

import { I16, U8 } from "./image-luma";
import { DIVIDE, MEAN, SAUVOLA, SUBTRACT } from "./layout/window-sums";

// Mirrors a place beyond a border: with `edge` the last pixel is repeated (-1 becomes 0), else it is not (-1 becomes 1).
// @ts-ignore: decorator
@inline
export function mirrored(i: i32, n: i32, edge: bool): i32 {
  if (i >= 0 && i < n) return i;
  const last: i64 = 2 * <i64>n - (edge ? 1 : 2); // wide: n may pass 2^30
  if (last <= 0) return 0;
  const period = edge ? last + 1 : last;
  let at = <i64>i % period;
  if (at < 0) at += period;
  return <i32>(at < n ? at : last - at);
}

/** Arguments of {@link windowRows}. */
// @ts-ignore: decorator
@unmanaged
export class WindowRowsCall {
  /** Pixel type: 0 u8, 1 u16, 2 i16. */
  type: u32;
  /** The whole image, of one channel. [0 .. width * height * depth * typeBytes(type)] */
  src: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Pixels to either side. */
  radius: u32;
  /** Whether the last pixel is repeated beyond the border. */
  edge: bool;
  /** 0 subtract, 1 divide: values; 2 mean, 3 Sauvola: bits. */
  mode: u32;
  /** Offset that is subtracted from the mean, or Sauvola's k. */
  first: f64;
  /** Sauvola's r. */
  second: f64;
  /** Bits are set at and below the threshold instead of above it. */
  dark: bool;
  /** Values of the whole image, or its bit plane. [mode < 2 ? y0 * width * typeBytes(type) : y0 * rowBytes(width) .. mode < 2 ? y1 * width * typeBytes(type) : y1 * rowBytes(width)] */
  dst: usize;
  /** Scratch: i64 sums of the columns, and of their squares. [0 .. width * COLUMN_BYTES] */
  columns: usize;
}

/** Writes rows [y0, y1), counted through all slices. */
export function windowRows(call: WindowRowsCall): void {
  if (call.type == U8) rowsOf<u8>(call);
  else if (call.type == I16) rowsOf<i16>(call);
  else rowsOf<u16>(call);
}

// @ts-ignore: decorator
@inline
function rowsOf<T>(call: WindowRowsCall): void {
  const width = call.width, height = <i32>call.height, columns = call.columns, radius = <i32>call.radius;
  const squares = call.mode == SAUVOLA;
  let slice: i32 = -1;
  for (let row = call.y0; row < call.y1; row++) {
    const z = <i32>row / height;
    const y = <i32>row % height;
    if (z != slice) {
      memory.fill(columns, 0, <usize>width << 4);
      for (let k = y - radius; k <= y + radius; k++) addRows<T>(call, k, z, 1, squares);
      slice = z;
    } else {
      addRows<T>(call, y - radius - 1, z, -1, squares);
      addRows<T>(call, y + radius, z, 1, squares);
    }
    slide<T>(call, row);
  }
}

/** Adds row y of every slice of the window around slice `z`, `sign` times. */
// @ts-ignore: decorator
@inline
function addRows<T>(call: WindowRowsCall, y: i32, z: i32, sign: i64, squares: bool): void {
  const width = call.width, columns = call.columns, edge = call.edge;
  const reach = call.depth > 1 ? <i32>call.radius : 0;
  const at = mirrored(y, <i32>call.height, edge);
  for (let k = z - reach; k <= z + reach; k++) {
    const place = <usize>mirrored(k, <i32>call.depth, edge) * call.height + at;
    const row = call.src + place * width * sizeof<T>(); // wide: usize
    for (let x: u32 = 0; x < width; x++) {
      const v = <i64>load<T>(row + <usize>x * sizeof<T>());
      const column = columns + (<usize>x << 4);
      store<i64>(column, load<i64>(column) + v * sign);
      if (squares) store<i64>(column, load<i64>(column, 8) + v * v * sign, 8); // wide: checkRadius keeps sums below 2^63
    }
  }
}

/** Slides the window along a row. */
// @ts-ignore: decorator
@inline
function slide<T>(call: WindowRowsCall, row: u32): void {
  const width = <i32>call.width, radius = <i32>call.radius, columns = call.columns, edge = call.edge, mode = call.mode,
    dark = call.dark, k = call.first, r = call.second;
  const side = <i64>(2 * radius + 1);
  const n = side * side * (call.depth > 1 ? side : 1); // wide: checkRadius keeps sums below 2^63
  const pixels = call.src + <usize>row * width * sizeof<T>();
  const out = call.dst + <usize>row * (mode < MEAN ? <usize>width * sizeof<T>() : (<usize>(width + 63) >> 6) << 3);
  let sum: i64 = 0;
  let square: i64 = 0;
  for (let i = -radius; i <= radius; i++) {
    const column = columns + (<usize>mirrored(i, width, edge) << 4);
    sum += load<i64>(column);
    square += load<i64>(column, 8);
  }
  let word: u64 = 0;
  for (let x = 0; x < width; x++) {
    const v = <i64>load<T>(pixels + <usize>x * sizeof<T>());
    if (mode < MEAN) {
      store<T>(out + <usize>x * sizeof<T>(), flat<T>(v, sum, n, mode));
    } else {
      // n v - sum is exact, and so is its comparison with the offset.
      const more = mode == MEAN ? <f64>(n * v - sum) > -(<f64>n * k) : <f64>(n * v) > sauvola(sum, square, n, k, r);
      word |= <u64>(more != dark) << (<u64>x & 63);
      if ((x & 63) == 63 || x == width - 1) {
        store<u64>(out + (<usize>(x >> 6) << 3), word);
        word = 0;
      }
    }
    const enters = columns + (<usize>mirrored(x + 1 + radius, width, edge) << 4);
    const leaves = columns + (<usize>mirrored(x - radius, width, edge) << 4);
    sum += load<i64>(enters) - load<i64>(leaves);
    square += load<i64>(enters, 8) - load<i64>(leaves, 8);
  }
}

/** n times Sauvola's threshold, m (1 + k (s / r - 1)); n s is rounded down to a multiple of 1 / 256. */
// @ts-ignore: decorator
@inline
export function sauvola(sum: i64, square: i64, n: i64, k: f64, r: f64): f64 {
  const spread = floor(sqrt(<f64>(n * square - sum * sum)) * 256) / 256;
  return <f64>sum + <f64>sum * k * (spread / (<f64>n * r) - 1);
}

/** A pixel minus, or divided by, its local mean; rounded, around the middle of the type. */
// @ts-ignore: decorator
@inline
function flat<T>(v: i64, sum: i64, n: i64, mode: u32): T {
  const middle: i64 = isSigned<T>() ? 0 : 1 << (sizeof<T>() * 8 - 1);
  let result: i64;
  if (mode == SUBTRACT) result = v - floorDivide(2 * sum + n, 2 * n) + middle; // wide: checkRadius keeps sums below 2^63
  else result = sum == 0 ? middle : floorDivide(2 * v * middle * n + sum, 2 * sum); // wide: checkRadius keeps sums below 2^63
  const least: i64 = isSigned<T>() ? -32768 : 0;
  return <T>max<i64>(least, min<i64>(least + (1 << (sizeof<T>() * 8)) - 1, result));
}

// @ts-ignore: decorator
@inline
function floorDivide(a: i64, b: i64): i64 {
  const q = a / b;
  return a % b < 0 ? q - 1 : q;
}

/**
 * Writes values minus, or divided by, their local means; f32.
 * @param values values [0 .. count * 4]
 * @param means local means; then the results [0 .. count * 4]
 * @param count values
 * @param mode 0 subtract, 1 divide
 */
export function flattenFloats(values: usize, means: usize, count: u32, mode: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = <usize>i << 2;
    const v = load<f32>(values + at);
    const m = load<f32>(means + at);
    store<f32>(means + at, mode == DIVIDE ? v / m : v - m);
  }
}
