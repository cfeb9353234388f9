// Initial centres, by greedy k-means++ (Arthur and Vassilvitskii 2007). Each next centre is drawn a few times from the
// colours, in proportion to the cost of their pixels; the draw that leaves the least cost is kept. All numbers are
// integers from a generator of this file, so a seed gives the same centres everywhere. Most boxes are skipped: a box is
// unchanged if it is further from the new centre than each of its colours is from its own centre.
//
// The state: generator u64, total cost u64, cost of each group u64, cost of each block u64, largest cost of a pixel in
// each group u32, the same for each block u32, and cost of a pixel of each colour u32.

import { BIAS, boxesOf, costs, costToBox, groupBoxesOf, weightsOf, zsOf } from "./kmeans-points";
import { BLOCK, GROUP, L2, LIST } from "./layout/kmeans";

// @ts-ignore: decorator
@inline
function groupSums(state: usize): usize {
  return state + 16;
}

// @ts-ignore: decorator
@inline
function blockSums(state: usize, padded: u32): usize {
  return groupSums(state) + (<usize>groupsOf(padded) << 3);
}

// @ts-ignore: decorator
@inline
function groupMosts(state: usize, padded: u32): usize {
  return blockSums(state, padded) + (<usize>(padded / BLOCK) << 3);
}

// @ts-ignore: decorator
@inline
function blockMosts(state: usize, padded: u32): usize {
  return groupMosts(state, padded) + (<usize>groupsOf(padded) << 2);
}

// @ts-ignore: decorator
@inline
function pixelCosts(state: usize, padded: u32): usize {
  return blockMosts(state, padded) + (<usize>(padded / BLOCK) << 2);
}

// @ts-ignore: decorator
@inline
function groupsOf(padded: u32): u32 {
  return (padded / BLOCK + GROUP - 1) / GROUP;
}

/** The next number of splitmix64 (Steele, Lea and Flood 2014). */
// @ts-ignore: decorator
@inline
function random(state: usize): u64 {
  const next = load<u64>(state) + 0x9e3779b97f4a7c15;
  store<u64>(state, next);
  let z = (next ^ (next >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/** A random number below n: the upper half of a product of 128 bits, computed from 32-bit halves. */
function below(state: usize, n: u64): u64 {
  const r = random(state);
  const rLow = r & 0xffffffff;
  const rHigh = r >> 32;
  const nLow = n & 0xffffffff;
  const nHigh = n >> 32;
  const middle = rHigh * nLow + ((rLow * nLow) >> 32);
  const other = rLow * nHigh + (middle & 0xffffffff);
  return rHigh * nHigh + (middle >> 32) + (other >> 32);
}

/** Arguments of {@link plantCentre}. */
// @ts-ignore: decorator
@unmanaged
export class PlantCentreCall {
  /** 0 l2, 1 l1. */
  metric: u32;
  /** Block of colours; all but keys read. [0 .. padded * COLOUR_BYTES + (padded / BLOCK + Math.ceil(padded / (BLOCK * GROUP))) * BOX_BYTES] */
  colours: usize;
  /** Colours in whole blocks of 64, not 0. */
  padded: u32;
  /** Generator, total, sums and largest costs of groups and blocks, costs of colours. [0 .. PLANT_HEAD_BYTES + (Math.ceil(padded / (BLOCK * GROUP)) + padded / BLOCK) * PLANT_SUM_BYTES + padded * 4] */
  state: usize;
  /** List of centres; entry i written. [i * 4 .. 2080 + i * 4 + 4] */
  centres: usize;
  /** Number of the centre. */
  i: u32;
  /** Draws to choose from, at least 1. */
  trials: u32;
  /** Seed of the generator, u32; used for centre 0. */
  seed: u32;
  /** Number of the restart, u32; used for centre 0. */
  stream: u32;
}

/**
 * Adds centre number i to a list. The first centre is drawn in proportion to the pixels, with a generator that begins
 * at `seed` + 2^32 `stream`. Each other centre is the best of `trials` draws. Returns 0 if all colours lie on existing
 * centres.
 */
export function plantCentre(call: PlantCentreCall): u32 {
  let metric = call.metric, colours = call.colours, padded = call.padded, state = call.state,
    centres = call.centres, i = call.i, trials = call.trials, seed = call.seed, stream = call.stream;
  return metric == L2
    ? plant<u8>(colours, padded, state, centres, i, trials, seed, stream)
    : plant<u16>(colours, padded, state, centres, i, trials, seed, stream);
}

// @ts-ignore: decorator
@inline
function plant<M>(
  colours: usize, padded: u32, state: usize, centres: usize, i: u32, trials: u32, seed: u32, stream: u32,
): u32 {
  let chosen: u32 = 0;
  if (i == 0) {
    store<u64>(state, (<u64>stream << 32) | <u64>seed);
    chosen = begin(colours, padded, state);
  } else {
    const total = load<u64>(state, 8);
    if (total == 0) return 0;
    let least = u64.MAX_VALUE;
    for (let trial: u32 = 0; trial < trials; trial++) {
      const drawn = draw(colours, padded, state, below(state, total));
      const left = costWith<M>(colours, padded, state, drawn, false);
      // Costs are always less than 2^64 - 1, so the first trial is always taken.
      if (left < least) {
        least = left;
        chosen = drawn;
      }
    }
  }
  store<u64>(state, costWith<M>(colours, padded, state, chosen, true), 8);
  const at = <usize>chosen << 2;
  store<u32>(centres + (<usize>i << 2), load<u32>(colours + at));
  store<u32>(centres + (<usize>i << 2), load<u32>(zsOf(colours, padded) + at), LIST);
  store<u32>(centres + (<usize>i << 2), i, 2 * LIST);
  return 1;
}

/** Sets all costs to the largest value, and draws a colour with a probability proportional to its pixels. */
function begin(colours: usize, padded: u32, state: usize): u32 {
  const weights = weightsOf(colours, padded);
  const mosts = groupMosts(state, padded);
  memory.fill(mosts, 0xff, pixelCosts(state, padded) + (<usize>padded << 2) - mosts);
  let pixels: u64 = 0;
  for (let i: usize = 0; i < padded; i++) pixels += load<u32>(weights + (i << 2));
  let rest = below(state, pixels);
  let i: u32 = 0;
  for (; rest >= load<u32>(weights + (<usize>i << 2)); i++) rest -= load<u32>(weights + (<usize>i << 2));
  return i;
}

/** The colour that holds unit number `rest` of the total cost. */
function draw(colours: usize, padded: u32, state: usize, rest: u64): u32 {
  let group: u32 = 0;
  for (; rest >= load<u64>(groupSums(state) + (<usize>group << 3)); group++) {
    rest -= load<u64>(groupSums(state) + (<usize>group << 3));
  }
  let block = group * GROUP;
  for (; rest >= load<u64>(blockSums(state, padded) + (<usize>block << 3)); block++) {
    rest -= load<u64>(blockSums(state, padded) + (<usize>block << 3));
  }
  let i = block * BLOCK;
  for (let cost = costOf(colours, padded, state, i); rest >= cost; cost = costOf(colours, padded, state, ++i)) rest -= cost;
  return i;
}

/** The cost of the pixels of a colour. */
// @ts-ignore: decorator
@inline
function costOf(colours: usize, padded: u32, state: usize, i: u32): u64 {
  const at = <usize>i << 2;
  return <u64>load<u32>(weightsOf(colours, padded) + at) * <u64>load<u32>(pixelCosts(state, padded) + at);
}

/** The cost of all pixels with one more centre, at the colour `chosen`. With `keep` the state is updated. */
// @ts-ignore: decorator
@inline
function costWith<M>(colours: usize, padded: u32, state: usize, chosen: u32, keep: bool): u64 {
  const xy = load<u32>(colours + (<usize>chosen << 2));
  const z = load<u32>(zsOf(colours, padded) + (<usize>chosen << 2));
  const point = i64x2.splat(<i64>((<u64>z << 32) | <u64>xy));
  const blocks = padded / BLOCK;
  const groups = groupsOf(padded);
  let total: u64 = 0;
  for (let group: u32 = 0; group < groups; group++) {
    const known = groupSums(state) + (<usize>group << 3);
    const dearest = groupMosts(state, padded) + (<usize>group << 2);
    if (costToBox<M>(groupBoxesOf(colours, padded) + (<usize>group << 4), point) >= load<u32>(dearest)) {
      total += load<u64>(known);
      continue;
    }
    let sum: u64 = 0;
    let most: u32 = 0;
    const last = min((group + 1) * GROUP, blocks);
    for (let block = group * GROUP; block < last; block++) {
      const blockSum = blockSums(state, padded) + (<usize>block << 3);
      const blockMost = blockMosts(state, padded) + (<usize>block << 2);
      if (costToBox<M>(boxesOf(colours, padded) + (<usize>block << 4), point) < load<u32>(blockMost)) {
        const changed = blockWith<M>(colours, padded, state, block, i32x4.splat(xy), i32x4.splat(z), keep);
        if (keep) store<u64>(blockSum, changed);
        sum += changed;
      } else sum += load<u64>(blockSum);
      if (keep) most = max(most, load<u32>(blockMost));
    }
    if (keep) {
      store<u64>(known, sum);
      store<u32>(dearest, most);
    }
    total += sum;
  }
  return total;
}

/** The cost of the pixels of a block with one more centre. */
// @ts-ignore: decorator
@inline
function blockWith<M>(
  colours: usize, padded: u32, state: usize, block: u32, xy: v128, z: v128, keep: bool,
): u64 {
  const begin = <usize>(block * BLOCK) << 2;
  const zs = zsOf(colours, padded);
  const weights = weightsOf(colours, padded);
  const each = pixelCosts(state, padded);
  let sum = i64x2.splat(0);
  let most = i32x4.splat(0);
  for (let at = begin; at < begin + (BLOCK << 2); at += 16) {
    const cost = costs<M>(i16x8.sub(v128.load(colours + at), xy), i16x8.sub(v128.load(zs + at), z));
    const least = i32x4.min_u(v128.load(each + at), v128.xor(cost, i32x4.splat(BIAS)));
    const weight = v128.load(weights + at);
    sum = i64x2.add(sum, i64x2.extmul_low_i32x4_u(least, weight));
    sum = i64x2.add(sum, i64x2.extmul_high_i32x4_u(least, weight));
    if (keep) {
      v128.store(each + at, least);
      most = i32x4.max_u(most, least);
    }
  }
  if (keep) {
    most = i32x4.max_u(most, v128.shuffle<i64>(most, most, 1, 0));
    most = i32x4.max_u(most, v128.shuffle<i32>(most, most, 1, 0, 3, 2));
    store<u32>(blockMosts(state, padded) + (<usize>block << 2), i32x4.extract_lane(most, 0));
  }
  return i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
}
