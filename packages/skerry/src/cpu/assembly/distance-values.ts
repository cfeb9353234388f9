// Converts costs to results: lengths (the cost, or its square root, times the unit), or squared distances as they are.
// Pixels with no site in reach get a substitute value.

import { I32_INFINITY } from "./distance-cost";
import { DISTANCE, F32, SQUARED, U16 } from "./layout/distance";

/** Arguments of {@link distanceValues}. */
// @ts-ignore: decorator
@unmanaged
export class DistanceValuesCall {
  /** 0 u16, 1 i32, 2 f32 costs. */
  kind: u32;
  /** Costs of the first row of the first slice. [0 .. rows && slices ? (slices - 1) * slicePitch + (rows - 1) * pitch + (output === SQUARED_16 ? width : Math.ceil(width / 4) * 4) * (kind === 0 ? 2 : 4) : 0] */
  src: usize;
  /** Bytes from row to row of src. */
  pitch: u32;
  /** Bytes from slice to slice of src. */
  slicePitch: u32;
  /** Values per row. */
  width: u32;
  /** Rows per slice here. */
  rows: u32;
  /** Slices here. */
  slices: u32;
  /** Values one after another; read too with minus. [0 .. rows && slices ? rows * slices * width * (output === SQUARED_16 ? 2 : 4) + (output === 1 || (output === 0 && !minus) ? (Math.ceil(width / 4) * 4 - width) * 4 : 0) : 0] */
  dst: usize;
  /** 0 f32 distance, 1 u32 squared, 2 u16 squared. */
  output: u32;
  /** 0 or 1: costs are squared distances. */
  squared: bool;
  /** Factor of a cost, or of its root with `squared` (f64). */
  unit: f64;
  /** Value for infinite costs (f64). */
  far: f64;
  /** 0 or 1: subtract from what dst holds. */
  minus: bool;
  /** f32 at every eighth pixel of the volume, or 0. [output === 0 && rows && slices ? (Math.floor(z0 / 8) * latticeHeight + Math.floor(y0 / 8)) * latticeWidth * 4 : 0 .. output === 0 && rows && slices ? (Math.ceil((z0 + slices - 1) / 8) * latticeHeight + Math.ceil((y0 + rows - 1) / 8) + 1) * latticeWidth * 4 : 0] */
  lattice: usize;
  /** Points per row of the lattice. */
  latticeWidth: u32;
  /** Rows of points per slice. */
  latticeHeight: u32;
  /** Row within its slice of the first row. */
  y0: u32;
  /** Slice of the first row. */
  z0: u32;
  /** Rows per slice of the volume. */
  sideY: u32;
  /** Slices of the volume. */
  sideZ: u32;
  /** Scratch: f32 row of points; 0 without lattice. [0 .. lattice && output === 0 && rows && slices ? latticeWidth * 4 : 0] */
  line: usize;
}

/**
 * Writes the values of `slices` slices of `rows` rows of `width` pixels, one after another, to `dst`, and up to 3 values
 * past them. Rows and slices lie `pitch` and `slicePitch` bytes apart at `src`. Infinite costs become `far`;
 * with `lattice` they are interpolated between its points and become at least `far`. A lattice holds the distances of
 * each eighth pixel along each axis and the last one, `latticeWidth` per row and `latticeHeight` rows per slice. The
 * first row here is y0 of slice z0, in a volume of `sideY` rows per slice and `sideZ` slices. With `minus`, values are
 * subtracted from the values at `dst`.
 */
export function distanceValues(call: DistanceValuesCall): void {
  let kind = call.kind, src = call.src, pitch = call.pitch, slicePitch = call.slicePitch, width = call.width,
    rows = call.rows, slices = call.slices, dst = call.dst, output = call.output, squared = call.squared,
    unit = call.unit, far = call.far, minus = call.minus, lattice = call.lattice,
    latticeWidth = call.latticeWidth, latticeHeight = call.latticeHeight, y0 = call.y0, z0 = call.z0,
    sideY = call.sideY, sideZ = call.sideZ, line = call.line;
  const size: usize = output == DISTANCE || output == SQUARED ? 4 : 2;
  for (let z: u32 = 0; z < slices; z++) {
    for (let y: u32 = 0; y < rows; y++) {
      const from = src + <usize>z * slicePitch + <usize>y * pitch;
      if (output == DISTANCE) {
        distances(kind, from, width, dst, squared, <f32>unit, <f32>far, minus);
        if (lattice) {
          latticeLine(lattice, latticeWidth, latticeHeight, y0 + y, z0 + z, sideY, sideZ, line);
          beyond(kind, from, width, dst, <f32>far, minus, line);
        }
      } else if (output == SQUARED) squares(kind, from, width, dst);
      else if (kind == U16) memory.copy(dst, from, <usize>width << 1);
      else narrow(from, width, dst);
      dst += <usize>width * size;
    }
  }
}

// @ts-ignore: decorator
@inline
function costs4(kind: u32, src: usize, x: usize): v128 {
  if (kind == U16) return f32x4.convert_i32x4_u(v128.load_ext<u16>(src + (x << 1)));
  const cost = v128.load(src + (x << 2));
  return kind == F32 ? cost : f32x4.convert_i32x4_s(cost);
}

// @ts-ignore: decorator
@inline
function infinite4(kind: u32, src: usize, x: usize): v128 {
  if (kind == U16) return v128.eq<i32>(v128.load_ext<u16>(src + (x << 1)), i32x4.splat(0xffff));
  const cost = v128.load(src + (x << 2));
  return kind == F32 ? v128.eq<f32>(cost, f32x4.splat(Infinity)) : v128.eq<i32>(cost, i32x4.splat(I32_INFINITY));
}

function distances(
  kind: u32, src: usize, width: u32, dst: usize, squared: bool, unit: f32, far: f32, minus: bool,
): void {
  const scale = f32x4.splat(unit);
  const most = f32x4.splat(far);
  for (let x: usize = 0; x < width; x += 4) {
    const cost = costs4(kind, src, x);
    const near = f32x4.mul(squared ? f32x4.sqrt(cost) : cost, scale);
    let value = v128.bitselect(most, near, infinite4(kind, src, x));
    const to = dst + (x << 2);
    if (!minus) v128.store(to, value);
    else if (x + 4 <= width) v128.store(to, f32x4.sub(v128.load(to), value));
    else for (let i = x; i < width; i++) {
      store<f32>(dst + (i << 2), load<f32>(dst + (i << 2)) - f32x4.extract_lane(value, 0));
      value = v128.shuffle<u32>(value, value, 1, 2, 3, 0);
    }
  }
}

function squares(kind: u32, src: usize, width: u32, dst: usize): void {
  const none = i32x4.splat(-1);
  for (let x: usize = 0; x < width; x += 4) {
    const cost = kind == U16 ? v128.load_ext<u16>(src + (x << 1)) : v128.load(src + (x << 2));
    v128.store(dst + (x << 2), v128.bitselect(none, cost, infinite4(kind, src, x)));
  }
}

/** Converts 32-bit integer costs that fit 16 bits to u16; infinity becomes 0xffff. */
function narrow(src: usize, width: u32, dst: usize): void {
  for (let x: usize = 0; x < width; x++) {
    const cost = load<i32>(src + (x << 2));
    store<u16>(dst + (x << 1), cost == I32_INFINITY ? 0xffff : <u16>cost);
  }
}

/** The interpolation weight of p between two points of a lattice at every eighth of `side` pixels and the last one. */
// @ts-ignore: decorator
@inline
function between(p: u32, side: u32): f32 {
  const from = p & ~7;
  const to = min(from + 8, side - 1);
  return to > from ? <f32>(p - from) / <f32>(to - from) : 0;
}

/** Interpolates the lattice along y and z: one row of points for row y of slice z. */
function latticeLine(
  lattice: usize, points: u32, lines: u32, y: u32, z: u32, sideY: u32, sideZ: u32, line: usize,
): void {
  const row = <usize>points << 2;
  const plane = row * lines;
  const at = lattice + <usize>(z >> 3) * plane + <usize>(y >> 3) * row;
  const v = between(y, sideY);
  const w = between(z, sideZ);
  const down: usize = v > 0 ? row : 0;
  const back: usize = w > 0 ? plane : 0;
  for (let i: usize = 0; i < row; i += 4) {
    const front = mix(load<f32>(at + i), load<f32>(at + i + down), v);
    const rear = mix(load<f32>(at + i + back), load<f32>(at + i + back + down), v);
    store<f32>(line + i, mix(front, rear, w));
  }
}

/** Interpolates between a and b, which are both infinite or both finite. */
// @ts-ignore: decorator
@inline
function mix(a: f32, b: f32, t: f32): f32 {
  return t == 0 || a == b ? a : a + (b - a) * t;
}

function beyond(
  kind: u32, src: usize, width: u32, dst: usize, far: f32, minus: bool, line: usize,
): void {
  for (let x: u32 = 0; x < width; x++) {
    const infinite = kind == U16
      ? load<u16>(src + (<usize>x << 1)) == 0xffff
      : kind == F32
        ? load<f32>(src + (<usize>x << 2)) == Infinity
        : load<i32>(src + (<usize>x << 2)) == I32_INFINITY;
    if (!infinite) continue;
    const t = between(x, width);
    const at = line + (<usize>(x >> 3) << 2);
    const value = max(far, mix(load<f32>(at), t > 0 ? load<f32>(at, 4) : 0, t));
    const to = dst + (<usize>x << 2);
    // A pixel that is far from one side lies on the other side, where its distance is 0: `dst` holds only -`far`.
    store<f32>(to, minus ? -value : value);
  }
}

/**
 * Writes the bits of the pixels whose cost is at most `limit`, or with `invert` larger.
 * @param kind 0 u16, 1 i32, 2 f32 costs
 * @param src costs of the first row [0 .. rows && (rows - 1) * pitch + width * (kind === 0 ? 2 : 4)]
 * @param pitch bytes from row to row of src (not a pointer)
 * @param rows rows
 * @param width pixels of a row, >= 1
 * @param limit the largest cost
 * @param invert 0 or 1
 * @param dst bit rows [0 .. rows * rowBytes(width)]
 */
export function costsToBits(kind: u32, src: usize, pitch: usize, rows: u32, width: u32, limit: f64, invert: bool, dst: usize): void {
  const words = (width + 63) >> 6;
  for (let y: u32 = 0; y < rows; y++) {
    for (let i: u32 = 0; i < words; i++) {
      const begin = i << 6;
      const end = min(width, begin + 64);
      let word: u64 = 0;
      for (let x = begin; x < end; x++) word |= <u64>(costAt(kind, src, x) <= limit) << <u64>(x - begin);
      if (invert) word ^= end - begin < 64 ? (<u64>1 << <u64>(end - begin)) - 1 : u64.MAX_VALUE;
      store<u64>(dst, word);
      dst += 8;
    }
    src += pitch;
  }
}

// @ts-ignore: decorator
@inline
function costAt(kind: u32, src: usize, x: u32): f64 {
  if (kind == U16) return <f64>load<u16>(src + (<usize>x << 1));
  return kind == F32 ? <f64>load<f32>(src + (<usize>x << 2)) : <f64>load<i32>(src + (<usize>x << 2));
}

/** Arguments of {@link takeLabels}. */
// @ts-ignore: decorator
@unmanaged
export class TakeLabelsCall {
  /** 0 u16, 1 i32, 2 f32 costs. */
  kind: u32;
  /** Costs of the first row. [0 .. rows && (rows - 1) * pitch + width * (kind === 0 ? 2 : 4)] */
  src: usize;
  /** Places of the nearest sites, u32, of the first row. [0 .. rows && (rows - 1) * pitch + width * 4] */
  features: usize;
  /** Bytes from row to row of src and features. */
  pitch: u32;
  /** Rows. */
  rows: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** The largest cost. */
  limit: f64;
  /** u32 per pixel of the image. [0 .. pixels * 4] */
  labels: usize;
  /** Pixels of the image. */
  pixels: f64;
  /** u32 per pixel: the nearest site's label; 0 beyond the limit. [0 .. rows * width * 4] */
  dst: usize;
}

/** Writes the label of each pixel's nearest site. */
export function takeLabels(call: TakeLabelsCall): void {
  const width = call.width;
  let src = call.src, features = call.features, dst = call.dst;
  for (let y: u32 = 0; y < call.rows; y++) {
    for (let x: u32 = 0; x < width; x++) {
      const near = costAt(call.kind, src, x) <= call.limit;
      const site = <usize>load<u32>(features + (<usize>x << 2));
      store<u32>(dst + (<usize>x << 2), near && <f64>site < call.pixels ? load<u32>(call.labels + (site << 2)) : 0);
    }
    src += call.pitch;
    features += call.pitch;
    dst += <usize>width << 2;
  }
}
