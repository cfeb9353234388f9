// Assigns every colour to its nearest centre. Centres that are nearest to no point of a box are discarded for all
// colours in it, first for a group of blocks and then for each block (Kanungo et al. 2002). Of 255 centres some four to
// eight remain. Discarding is exact, so the classes are those of trying every centre.

import { boxesOf, costs, groupBoxesOf, zsOf } from "./kmeans-points";
import { BLOCK, GROUP, L2, LIST } from "./layout/kmeans";

/**
 * Copies the centres that may be nearest to a point of the box from one list to another, in order. Returns their
 * number. Let m be the centre nearest to the box's middle. Centre c is discarded if the box corner furthest towards c
 * is closer to m. Costs are sums over the axes, so that corner decides.
 */
// @ts-ignore: decorator
@inline
function choose<M>(from: usize, n: u32, box: usize, to: usize): u32 {
  const loXY = v128.load32_splat(box);
  const loZ = v128.load32_splat(box, 4);
  const hiXY = v128.load32_splat(box, 8);
  const hiZ = v128.load32_splat(box, 12);
  const midXY = i16x8.avgr_u(loXY, hiXY);
  const midZ = i16x8.avgr_u(loZ, hiZ);
  let best = i32x4.splat(i32.MAX_VALUE);
  let where = i32x4.splat(0);
  for (let i: usize = 0; i < n; i += 4) {
    const at = from + (i << 2);
    const cost = costs<M>(i16x8.sub(v128.load(at), midXY), i16x8.sub(v128.load(at, LIST), midZ));
    where = v128.bitselect(i32x4.splat(<i32>i), where, i32x4.lt_s(cost, best));
    best = i32x4.min_s(best, cost);
  }
  let least = i32x4.extract_lane(best, 0);
  let measure = i32x4.extract_lane(where, 0);
  if (i32x4.extract_lane(best, 1) < least) { least = i32x4.extract_lane(best, 1); measure = i32x4.extract_lane(where, 1) + 1; }
  if (i32x4.extract_lane(best, 2) < least) { least = i32x4.extract_lane(best, 2); measure = i32x4.extract_lane(where, 2) + 2; }
  if (i32x4.extract_lane(best, 3) < least) measure = i32x4.extract_lane(where, 3) + 3;
  const mXY = v128.load32_splat(from + (<usize>measure << 2));
  const mZ = v128.load32_splat(from + (<usize>measure << 2), LIST);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < n; i += 4) {
    const at = from + (<usize>i << 2);
    const xy = v128.load(at);
    const z = v128.load(at, LIST);
    const cornerXY = v128.bitselect(hiXY, loXY, i16x8.gt_s(xy, mXY));
    const cornerZ = v128.bitselect(hiZ, loZ, i16x8.gt_s(z, mZ));
    const toMeasure = costs<M>(i16x8.sub(cornerXY, mXY), i16x8.sub(cornerZ, mZ));
    const toOther = costs<M>(i16x8.sub(cornerXY, xy), i16x8.sub(cornerZ, z));
    // Some of the last four may be past the end of the list.
    const there = n - i < 4 ? (1 << (n - i)) - 1 : 15;
    for (let bits = ~i32x4.bitmask(i32x4.lt_s(toMeasure, toOther)) & there; bits; bits &= bits - 1) {
      const source = at + (<usize>ctz(bits) << 2);
      const target = to + (<usize>kept << 2);
      store<u32>(target, load<u32>(source));
      store<u32>(target, load<u32>(source, LIST), LIST);
      store<u32>(target, load<u32>(source, 2 * LIST), 2 * LIST);
      kept++;
    }
  }
  padList(to, kept);
  return kept;
}

/** Repeats the last centre of a list three times, for code that reads four centres at a time. */
// @ts-ignore: decorator
@inline
function padList(list: usize, n: u32): void {
  const last = list + (<usize>(n - 1) << 2);
  for (let i: usize = 4; i <= 12; i += 4) {
    store<u32>(last + i, load<u32>(last));
    store<u32>(last + i, load<u32>(last, LIST), LIST);
    store<u32>(last + i, load<u32>(last, 2 * LIST), 2 * LIST);
  }
}

/** Arguments of {@link assignColours}. */
// @ts-ignore: decorator
@unmanaged
export class AssignColoursCall {
  /** 0 l2, 1 l1. */
  metric: u32;
  /** Centres, 1..256. */
  k: u32;
  /** List of centres, parts of 1040 bytes; padded by 3. [0 .. 2080 + k * 4 + 12] */
  centres: usize;
  /** Block of colours; points and boxes read. [end > first ? first * 16384 : 0 .. end > first ? padded * 16 + padded / 4 + end * 16 : 0] */
  colours: usize;
  /** Colours in whole blocks of 64. */
  padded: u32;
  /** First group of 64 blocks. */
  first: u32;
  /** One past the last group. */
  end: u32;
  /** u8 class per colour, written. [end > first ? first * 4096 : 0 .. end > first ? Math.min(end * 4096, padded) : 0] */
  classes: usize;
  /** Two lists of centres, 3120 bytes each. [0 .. end > first ? 5200 + k * 4 + 12 : 0] */
  scratch: usize;
}

/**
 * Writes the number of the nearest of k centres, a byte each, for the colours of groups [first, end). Of equally near
 * centres the lower number is taken. `scratch` has room for two lists.
 */
export function assignColours(call: AssignColoursCall): void {
  let metric = call.metric, k = call.k, centres = call.centres, colours = call.colours, padded = call.padded,
    first = call.first, end = call.end, classes = call.classes, scratch = call.scratch;
  if (metric == L2) assign<u8>(k, centres, colours, padded, first, end, classes, scratch);
  else assign<u16>(k, centres, colours, padded, first, end, classes, scratch);
}

// @ts-ignore: decorator
@inline
function assign<M>(
  k: u32, centres: usize, colours: usize, padded: u32, first: u32, end: u32, classes: usize, scratch: usize,
): void {
  const blocks = padded / BLOCK;
  // All threads write the same values here.
  padList(centres, k);
  const near = scratch + 3 * LIST;
  for (let group = first; group < end; group++) {
    const n = choose<M>(centres, k, groupBoxesOf(colours, padded) + (<usize>group << 4), scratch);
    const last = min((group + 1) * GROUP, blocks);
    for (let block = group * GROUP; block < last; block++) {
      const left = choose<M>(scratch, n, boxesOf(colours, padded) + (<usize>block << 4), near);
      const to = classes + <usize>block * BLOCK;
      if (left == 1) {
        const one = i8x16.splat(<i8>load<u32>(near, 2 * LIST));
        for (let i: usize = 0; i < BLOCK; i += 16) v128.store(to + i, one);
        continue;
      }
      const from = <usize>(block * BLOCK) << 2;
      nearest<M>(near, left, colours + from, zsOf(colours, padded) + from, to);
    }
  }
}

/** The nearest of a list for each colour of a block, eight at a time. */
// @ts-ignore: decorator
@inline
function nearest<M>(list: usize, n: u32, xys: usize, zs: usize, classes: usize): void {
  const end = list + (<usize>n << 2);
  for (let i: usize = 0; i < BLOCK; i += 8) {
    const xy1 = v128.load(xys + (i << 2));
    const xy2 = v128.load(xys + (i << 2), 16);
    const z1 = v128.load(zs + (i << 2));
    const z2 = v128.load(zs + (i << 2), 16);
    let best1 = i32x4.splat(i32.MAX_VALUE);
    let best2 = best1;
    let class1 = i32x4.splat(0);
    let class2 = class1;
    for (let at = list; at < end; at += 4) {
      const xy = v128.load32_splat(at);
      const z = v128.load32_splat(at, LIST);
      const number = v128.load32_splat(at, 2 * LIST);
      const cost1 = costs<M>(i16x8.sub(xy1, xy), i16x8.sub(z1, z));
      const cost2 = costs<M>(i16x8.sub(xy2, xy), i16x8.sub(z2, z));
      class1 = v128.bitselect(number, class1, i32x4.lt_s(cost1, best1));
      class2 = v128.bitselect(number, class2, i32x4.lt_s(cost2, best2));
      best1 = i32x4.min_s(best1, cost1);
      best2 = i32x4.min_s(best2, cost2);
    }
    const words = i16x8.narrow_i32x4_u(class1, class2);
    v128.store64_lane(classes + i, i8x16.narrow_i16x8_u(words, words), 0);
  }
}
