// Colours as points of three coordinates of 15 bits, in one block of memory that every kernel of the colours reads:
//
//   (x, y) u32 | (z, 0) u32 | weight u32 | key u32 | boxes of 64 colours | boxes of 64 such blocks
//
// each of the first four for `padded` colours, a multiple of 64; entries past the last colour repeat it with weight 0.
// Keys interleave the bits of red, green and blue (Morton 1966). Colours are sorted by key: the colours of a block are
// neighbours, so its box is small. Boxes are (lo xy, lo z, hi xy, hi z), 16 bytes.

import { BLOCK, GROUP, L2 } from "./layout/kmeans";

// @ts-ignore: decorator
@inline
export function zsOf(colours: usize, padded: u32): usize {
  return colours + (<usize>padded << 2);
}

// @ts-ignore: decorator
@inline
export function weightsOf(colours: usize, padded: u32): usize {
  return colours + (<usize>padded << 3);
}

// @ts-ignore: decorator
@inline
export function keysOf(colours: usize, padded: u32): usize {
  return colours + <usize>padded * 12;
}

// @ts-ignore: decorator
@inline
export function boxesOf(colours: usize, padded: u32): usize {
  return colours + (<usize>padded << 4);
}

// @ts-ignore: decorator
@inline
export function groupBoxesOf(colours: usize, padded: u32): usize {
  return boxesOf(colours, padded) + (<usize>(padded / BLOCK) << 4);
}

/** Offset of costs, so that signed comparisons order them as u32. */
export const BIAS: i32 = i32.MIN_VALUE;

/**
 * The costs of four differences (dx, dy) and (dz, 0), less 2^31: sums of their squares, or of their absolute values. A
 * coordinate is at most 32 736, so two squares fit an i32 and three a u32.
 */
// @ts-ignore: decorator
@inline
export function costs<M>(xy: v128, z: v128): v128 {
  if (sizeof<M>() == 2) {
    const one = i16x8.splat(1);
    const sums = i32x4.dot_i16x8_s(i16x8.abs(xy), one);
    return i32x4.add(i32x4.add(sums, i16x8.abs(z)), i32x4.splat(BIAS));
  }
  return i32x4.add(i32x4.add(i32x4.dot_i16x8_s(xy, xy), i32x4.dot_i16x8_s(z, z)), i32x4.splat(BIAS));
}

/** The cost between two points. */
export function costBetween(metric: u32, xy: u32, z: u32, otherXY: u32, otherZ: u32): u32 {
  const d = i16x8.sub(i32x4.splat(xy), i32x4.splat(otherXY));
  const e = i16x8.sub(i32x4.splat(z), i32x4.splat(otherZ));
  return i32x4.extract_lane(metric == L2 ? costs<u8>(d, e) : costs<u16>(d, e), 0) ^ BIAS;
}

/** The least cost between a point and any point of the box. The lower half of `point` holds (x, y), (z, 0). */
// @ts-ignore: decorator
@inline
export function costToBox<M>(box: usize, point: v128): u32 {
  const lo = v128.load(box);
  const hi = v128.shuffle<i64>(lo, lo, 1, 1);
  const past = i16x8.max_s(i16x8.sub(lo, point), i16x8.sub(point, hi));
  const d = i16x8.max_s(past, i16x8.splat(0));
  const sums = i32x4.dot_i16x8_s(d, sizeof<M>() == 2 ? i16x8.splat(1) : d);
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
}

/** Every third bit of a key, from its lowest on, as a number: 0b001_000_001 becomes 0b101. */
// @ts-ignore: decorator
@inline
function everyThird(key: u32): u32 {
  let x = key & 0x249249;
  x = (x | (x >> 2)) & 0x0c30c3;
  x = (x | (x >> 4)) & 0x00f00f;
  return (x | (x >> 8)) & 0xff;
}

/**
 * Writes the points of colours [first, end) in RGB: 8 bits each, times 2^shift. Colours from `count` on repeat the last one.
 * @param colours block of colours; keys read, points written [end > first ? first * 4 : 0 .. end > first ? padded * 12 + Math.min(end, count) * 4 : 0]
 * @param padded colours in whole blocks of 64
 * @param count colours; those after repeat the last
 * @param first first colour
 * @param end one past the last, at most padded
 * @param shift bits of fraction, 7
 */
export function placeColours(colours: usize, padded: u32, count: u32, first: u32, end: u32, shift: u32): void {
  const keys = keysOf(colours, padded);
  const zs = zsOf(colours, padded);
  for (let i = first; i < end; i++) {
    const key = load<u32>(keys + (<usize>min(i, count - 1) << 2));
    const at = <usize>i << 2;
    const x = everyThird(key >> 2) << shift;
    const y = everyThird(key >> 1) << shift;
    store<u32>(colours + at, x | (y << 16));
    store<u32>(zs + at, everyThird(key) << shift);
  }
}

/**
 * Computes the boxes of groups [first, end) and of their blocks.
 * @param colours block of colours; boxes written [end > first ? first * 16384 : 0 .. end > first ? padded * 16 + padded / 4 + end * 16 : 0]
 * @param padded colours in whole blocks of 64
 * @param first first group of 64 blocks of 64 colours
 * @param end one past the last group
 */
export function boxColours(colours: usize, padded: u32, first: u32, end: u32): void {
  const blocks = padded / BLOCK;
  const zs = zsOf(colours, padded);
  const boxes = boxesOf(colours, padded);
  for (let group = first; group < end; group++) {
    let lo = i16x8.splat(i16.MAX_VALUE);
    let hi = i16x8.splat(0);
    const last = min((group + 1) * GROUP, blocks);
    for (let block = group * GROUP; block < last; block++) {
      let least = i16x8.splat(i16.MAX_VALUE);
      let most = i16x8.splat(0);
      const from = <usize>block * BLOCK;
      for (let i = from; i < from + BLOCK; i += 2) {
        // Two colours: xy z xy z.
        const xy = v128.load64_zero(colours + (i << 2));
        const z = v128.load64_zero(zs + (i << 2));
        const both = v128.shuffle<i32>(xy, z, 0, 4, 1, 5);
        least = i16x8.min_s(least, both);
        most = i16x8.max_s(most, both);
      }
      least = i16x8.min_s(least, v128.shuffle<i64>(least, least, 1, 0));
      most = i16x8.max_s(most, v128.shuffle<i64>(most, most, 1, 0));
      v128.store(boxes + (<usize>block << 4), v128.shuffle<i64>(least, most, 0, 2));
      lo = i16x8.min_s(lo, least);
      hi = i16x8.max_s(hi, most);
    }
    v128.store(groupBoxesOf(colours, padded) + (<usize>group << 4), v128.shuffle<i64>(lo, hi, 0, 2));
  }
}
