// The magnitude of the gradient: Sobel's operators, or differences between both neighbours of pixels that a Gaussian smoothed, in all
// axes; mirrored at the borders. Derivatives of integers are whole numbers, and the root of the sum of their squares is rounded to one,
// so that every device has the same. Each row of the result takes its neighbours into three lines:
//
//     along x: what is then subtracted between x + 1 and x - 1
//     across:  differences between rows, or between slices, of which Sobel then adds 1 2 1 along x
//
// Floats are divided before they are added up, so that large ones stay finite, and each row is subtracted next to its counterpart, so that
// equal ones leave 0. A fourth line has the pixels themselves: no operator weighs the middle, which may be NaN.
//
// Example in an image: the rows 0 0 8, 0 0 8 and 0 0 8 give the line 0 0 32 (1 2 1 of rows), at x = 1 the derivative 32, and as
// Sobel's operator has the sum of weights 8, the result 4: 8 in two pixels.

import { F32, I16, U16, U8 } from "./image-luma";
import { mirrored } from "./smooth";

/** Arguments of {@link gradientRows}. */
// @ts-ignore: decorator
@unmanaged
export class GradientCall {
  /** Type of src: 0 u8, 1 u16, 2 i16, 3 f32. */
  type: u32;
  /** All slices, tight. [0 .. width * lines * slices * (type === 0 ? 1 : type === 3 ? 4 : 2)] */
  src: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  lines: u32;
  /** Slices; 1 of an image. */
  slices: u32;
  /** First row that is written, counted over all slices. */
  first: u32;
  /** Rows that are written. */
  count: u32;
  /** Sobel's operators instead of differences. */
  sobel: bool;
  /** The power of 2 that whole roots are divided by. */
  shift: u32;
  /** Rows of f32. [first * width * 4 .. (first + count) * width * 4] */
  dst: usize;
  /** Scratch: four lines, with four values before and behind. [0 .. 4 * (width + 8) * 4] */
  scratch: usize;
}

// @ts-ignore: decorator
@inline
function fourAt(type: u32, at: usize): v128 {
  if (type == U8) return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
  if (type == U16) return i32x4.extend_low_i16x8_u(v128.load64_zero(at));
  if (type == I16) return i32x4.extend_low_i16x8_s(v128.load64_zero(at));
  return v128.load(at);
}

/** One value in the first lane. */
// @ts-ignore: decorator
@inline
function oneAt(type: u32, at: usize): v128 {
  if (type == U8) return i32x4.splat(load<u8>(at));
  if (type == U16) return i32x4.splat(load<u16>(at));
  if (type == I16) return i32x4.splat(load<i16>(at));
  return v128.load32_splat(at);
}

// @ts-ignore: decorator
@inline
function plus(type: u32, a: v128, b: v128): v128 {
  return type == F32 ? f32x4.add(a, b) : i32x4.add(a, b);
}

// @ts-ignore: decorator
@inline
function minus(type: u32, a: v128, b: v128): v128 {
  return type == F32 ? f32x4.sub(a, b) : i32x4.sub(a, b);
}

/** A row times a whole number; of floats times the unit as well, a power of 2. */
// @ts-ignore: decorator
@inline
function times(type: u32, a: v128, factor: i32, unit: f32): v128 {
  return type == F32 ? f32x4.mul(a, f32x4.splat(<f32>factor * unit)) : i32x4.mul(a, i32x4.splat(factor));
}

/** Adds a row, times a whole number, to a line. */
// @ts-ignore: decorator
@inline
function addRow(type: u32, row: usize, width: u32, factor: i32, unit: f32, line: usize): void {
  if (factor == 0) return;
  const size: usize = type == U8 ? 1 : type == F32 ? 4 : 2;
  let x: u32 = 0;
  for (; x + 4 <= width; x += 4) {
    const at = line + (<usize>x << 2);
    v128.store(at, plus(type, v128.load(at), times(type, fourAt(type, row + x * size), factor, unit)));
  }
  for (; x < width; x++) {
    const at = line + (<usize>x << 2);
    const sum = plus(type, v128.load32_splat(at), times(type, oneAt(type, row + x * size), factor, unit));
    store<u32>(at, i32x4.extract_lane(sum, 0));
  }
}

/** The derivative across lines at four pixels, of which Sobel adds the neighbours along x. */
// @ts-ignore: decorator
@inline
function across(type: u32, sobel: bool, at: usize): v128 {
  const middle = v128.load(at);
  if (!sobel) return middle;
  const sides = plus(type, v128.load(at - 4), v128.load(at + 4));
  return plus(type, sides, times(type, middle, 2, 1));
}

/** The squares of the lower two lanes as doubles, which hold them exactly. */
// @ts-ignore: decorator
@inline
function squares(type: u32, d: v128): v128 {
  const wide = type == F32 ? f64x2.promote_low_f32x4(d) : f64x2.convert_low_i32x4_s(d);
  return f64x2.mul(wide, wide);
}

// @ts-ignore: decorator
@inline
function roots(type: u32, sum: v128, scale: v128): v128 {
  const root = f64x2.sqrt(sum);
  return f32x4.demote_f64x2_zero(f64x2.mul(type == F32 ? root : f64x2.nearest(root), scale));
}

// Moves the upper two lanes down.
// @ts-ignore: decorator
@inline
function upper(d: v128): v128 {
  return i64x2.shuffle(d, d, 1, 1);
}

/** Writes rows [first, first + count) of the magnitudes. */
export function gradientRows(call: GradientCall): void {
  const type = call.type, width = call.width, lines = <i32>call.lines, slices = <i32>call.slices, sobel = call.sobel;
  const rowBytes = <usize>width * (type == U8 ? 1 : type == F32 ? 4 : 2);
  const lineBytes = <usize>(width + 8) << 2;
  const along = call.scratch + 16, down = along + lineBytes, deep = down + lineBytes, own = deep + lineBytes;
  const isFloat = type == F32;
  const unit = <f32>(1.0 / <f64>(1 << call.shift));
  const scale = f64x2.splat(isFloat ? 1 : <f64>unit), small = f32x4.splat(unit);
  // Sums of Sobel's squares in images of u8 stay below 2^24, where the root of an f32 is rounded to the right whole number.
  const isSmall = type == U8 && slices == 1;
  const reach = slices > 1 ? 1 : 0;
  for (let row = <i32>call.first; row < <i32>(call.first + call.count); row++) {
    const z = row / lines, y = row - z * lines;
    memory.fill(call.scratch, 0, 4 * lineBytes);
    if (isFloat) addRow(type, call.src + <usize>row * rowBytes, width, 1, 1, own);
    for (let k = -reach; k <= reach; k++) {
      const slice = call.src + <usize>mirrored(z + k, slices) * lines * rowBytes;
      // Sobel weighs the middle twice, and its neighbours once; a single slice has no neighbours.
      const weightZ = reach == 0 ? 1 : sobel ? 2 - (k & 1) : 1 - (k & 1);
      for (let j = -1; j <= 1; j++) {
        const weightY = sobel ? 2 - (j & 1) : 1 - (j & 1);
        const from = slice + <usize>mirrored(y + j, lines) * rowBytes;
        addRow(type, from, width, weightY * weightZ, unit, along);
      }
      addRow(type, slice + <usize>mirrored(y - 1, lines) * rowBytes, width, -weightZ, unit, down);
      addRow(type, slice + <usize>mirrored(y + 1, lines) * rowBytes, width, weightZ, unit, down);
    }
    for (let j = -1; reach > 0 && j <= 1; j++) {
      const weightY = sobel ? 2 - (j & 1) : 1 - (j & 1);
      const from = call.src + <usize>mirrored(y + j, lines) * rowBytes;
      addRow(type, from + <usize>mirrored(z - 1, slices) * lines * rowBytes, width, -weightY, unit, deep);
      addRow(type, from + <usize>mirrored(z + 1, slices) * lines * rowBytes, width, weightY, unit, deep);
    }
    // The border's own values lie beyond it.
    for (let i: usize = 0; i < 3; i++) {
      const line = along + i * lineBytes;
      store<u32>(line - 4, load<u32>(line));
      store<u32>(line + (<usize>width << 2), load<u32>(line + (<usize>(width - 1) << 2)));
    }
    const dst = call.dst + ((<usize>row * width) << 2);
    for (let x: u32 = 0; x < width; x += 4) {
      const at = <usize>x << 2;
      const dx = minus(type, v128.load(along + at + 4), v128.load(along + at - 4));
      const dy = across(type, sobel, down + at);
      let result: v128;
      if (isSmall) {
        const sum = i32x4.add(i32x4.mul(dx, dx), i32x4.mul(dy, dy));
        result = f32x4.mul(f32x4.nearest(f32x4.sqrt(f32x4.convert_i32x4_s(sum))), small);
      } else {
        let low = f64x2.add(squares(type, dx), squares(type, dy));
        let high = f64x2.add(squares(type, upper(dx)), squares(type, upper(dy)));
        if (reach) {
          const dz = across(type, sobel, deep + at);
          low = f64x2.add(low, squares(type, dz));
          high = f64x2.add(high, squares(type, upper(dz)));
        }
        result = i64x2.shuffle(roots(type, low, scale), roots(type, high, scale), 0, 2);
      }
      if (isFloat) {
        // 0, or NaN where the pixel is NaN or infinite.
        const middle = v128.load(own + at);
        result = f32x4.add(result, f32x4.sub(middle, middle));
      }
      if (x + 4 <= width) v128.store(dst + at, result);
      else {
        store<f32>(dst + at, f32x4.extract_lane(result, 0));
        if (x + 1 < width) store<f32>(dst + at, f32x4.extract_lane(result, 1), 4);
        if (x + 2 < width) store<f32>(dst + at, f32x4.extract_lane(result, 2), 8);
      }
    }
  }
}
