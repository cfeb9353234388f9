// New centres from the colours of each class: means and medians. Both process only colours whose class changed since
// the iteration before. Sums are integers, so updating them is as exact as computing them anew.

import { costBetween, weightsOf, zsOf } from "./kmeans-points";
import { LIST, SUM_BYTES } from "./layout/kmeans";

/**
 * Adds those of the colours [first, end) whose class changed to the sums of their new class, and subtracts them from the
 * sums of their old class. Without `previous` classes all are added. `end - first` is a multiple of 16.
 * @param colours block of colours; points and weights read [end > first ? first * 4 : 0 .. end > first ? padded * 8 + (first + Math.ceil((end - first) / 16) * 16) * 4 : 0]
 * @param padded colours in whole blocks of 64
 * @param first first colour
 * @param end one past the last; a multiple of 16 on
 * @param classes u8 class per colour [end > first ? first : 0 .. end > first ? (first + Math.ceil((end - first) / 16) * 16) : 0]
 * @param previous u8 class per colour before, or 0 [end > first ? first : 0 .. end > first ? (first + Math.ceil((end - first) / 16) * 16) : 0]
 * @param sums four i64 per class of this task [0 .. !previous && end > first ? ((u32(classes, first / 4) & 255) + 1) * SUM_BYTES : 0]
 */
export function sumColours(
  colours: usize, padded: u32, first: u32, end: u32, classes: usize, previous: usize, sums: usize,
): void {
  for (let p = first; p < end; p += 16) {
    if (previous && sameSixteen(classes + p, previous + p)) continue;
    for (let i = p; i < p + 16; i++) {
      const now = load<u8>(classes + i);
      if (!previous) add(colours, padded, i, 1, sums + now * SUM_BYTES);
      else {
        const before = load<u8>(previous + i);
        if (now == before) continue;
        add(colours, padded, i, -1, sums + before * SUM_BYTES);
        add(colours, padded, i, 1, sums + now * SUM_BYTES);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function sameSixteen(a: usize, b: usize): bool {
  return !v128.any_true(v128.xor(v128.load(a), v128.load(b)));
}

// @ts-ignore: decorator
@inline
function add(colours: usize, padded: u32, i: u32, sign: i64, sums: usize): void {
  const at = <usize>i << 2;
  const weight = sign * <i64>load<u32>(weightsOf(colours, padded) + at);
  store<i64>(sums, load<i64>(sums) + weight);
  store<i64>(sums, load<i64>(sums, 8) + weight * <i64>load<u16>(colours + at), 8);
  store<i64>(sums, load<i64>(sums, 16) + weight * <i64>load<u16>(colours + at, 2), 16);
  store<i64>(sums, load<i64>(sums, 24) + weight * <i64>load<u32>(zsOf(colours, padded) + at), 24);
}

/**
 * Adds the tasks' sums at `parts` to `all`, clears `parts`, and writes the means to `next`, rounded half up. A class
 * without colours keeps its centre and gets a 1 in `empty`. Returns the number of such classes.
 * @param k centres, 1..256
 * @param all four i64 per class, of all tasks [0 .. k * SUM_BYTES]
 * @param parts the same of each task, read and cleared [0 .. count * k * SUM_BYTES]
 * @param count tasks
 * @param centres list of centres before [0 .. 2080 + k * 4]
 * @param next list of centres written [0 .. 2080 + k * 4]
 * @param empty u8 per class: 1 without colours, written [0 .. k]
 */
export function meanCentres(
  k: u32, all: usize, parts: usize, count: u32, centres: usize, next: usize, empty: usize,
): u32 {
  const bytes = k * SUM_BYTES;
  for (let part = parts; part < parts + count * bytes; part += bytes) {
    for (let i: usize = 0; i < bytes; i += 16) v128.store(all + i, i64x2.add(v128.load(all + i), v128.load(part + i)));
    memory.fill(part, 0, bytes);
  }
  let none: u32 = 0;
  for (let j: u32 = 0; j < k; j++) {
    const sums = all + j * SUM_BYTES;
    const weight = load<u64>(sums);
    const at = <usize>j << 2;
    store<u8>(empty + j, weight == 0);
    none += u32(weight == 0);
    copyCentre(centres, next, at);
    if (weight == 0) continue;
    store<u16>(next + at, mean(load<u64>(sums, 8), weight));
    store<u16>(next + at, mean(load<u64>(sums, 16), weight), 2);
    store<u16>(next + at, mean(load<u64>(sums, 24), weight), LIST);
  }
  return none;
}

// @ts-ignore: decorator
@inline
function mean(sum: u64, weight: u64): u16 {
  return <u16>((2 * sum + weight) / (2 * weight));
}

// @ts-ignore: decorator
@inline
function copyCentre(from: usize, to: usize, at: usize): void {
  store<u32>(to + at, load<u32>(from + at));
  store<u32>(to + at, load<u32>(from + at, LIST), LIST);
  store<u32>(to + at, load<u32>(from + at, 2 * LIST), 2 * LIST);
}

/** Arguments of {@link medianCentres}. */
// @ts-ignore: decorator
@unmanaged
export class MedianCentresCall {
  /** 0, 1, 2. */
  axis: u32;
  /** Centres, 1..256. */
  k: u32;
  /** Bits of a level, 8 or 10 (not a pointer). */
  bits: u32;
  /** Bits of fraction, 7 or 5. */
  shift: u32;
  /** Block of colours; one coordinate and weights read. [axis === 2 ? padded * 4 : axis * 2 .. padded * 12] */
  colours: usize;
  /** Colours in whole blocks of 64. */
  padded: u32;
  /** u8 class per colour. [0 .. padded] */
  classes: usize;
  /** u8 class per colour before, or 0. [0 .. padded] */
  previous: usize;
  /** u32 per class and level of this axis. [0 .. k * 2 ** bits * 4] */
  histogram: usize;
  /** List of centres before. [axis === 0 ? 0 : axis === 1 ? 2 : 1040 .. axis === 0 ? 2080 + k * 4 : axis === 1 ? k * 4 : 1040 + k * 4 - 2] */
  centres: usize;
  /** List of centres; u16 coordinate written. [axis === 0 ? 0 : axis === 1 ? 2 : 1040 .. axis === 0 ? 2080 + k * 4 : axis === 1 ? k * 4 : 1040 + k * 4 - 2] */
  next: usize;
  /** u8 per class: 1 without colours; axis 0 writes. [0 .. axis === 0 ? k : 0] */
  empty: usize;
}

/**
 * Writes the lower medians of one axis (0, 1, 2) to `next`: the smallest level that at least half of a class's pixels do
 * not exceed. A level is a coordinate >> `shift`. `histogram` has 2^bits counters, u32, for each class; it is cleared if
 * there are no `previous` classes. Classes without colours are handled as in `meanCentres`. Returns their number.
 */
export function medianCentres(call: MedianCentresCall): u32 {
  let axis = call.axis, k = call.k, bits = call.bits, shift = call.shift, colours = call.colours,
    padded = call.padded, classes = call.classes, previous = call.previous, histogram = call.histogram,
    centres = call.centres, next = call.next, empty = call.empty;
  const levels: u32 = 1 << bits;
  if (!previous) memory.fill(histogram, 0, <usize>(k * levels) << 2);
  const coordinates = axis == 2 ? zsOf(colours, padded) : colours + axis * 2;
  const weights = weightsOf(colours, padded);
  for (let p: u32 = 0; p < padded; p += 16) {
    if (previous && sameSixteen(classes + p, previous + p)) continue;
    for (let i = p; i < p + 16; i++) {
      const now = <u32>load<u8>(classes + i);
      const at = <usize>i << 2;
      const level = load<u16>(coordinates + at) >> <u16>shift;
      const weight = load<u32>(weights + at);
      if (previous) {
        const before = <u32>load<u8>(previous + i);
        if (now == before) continue;
        bump(histogram + (<usize>((before << bits) | level) << 2), 0 - weight);
      }
      bump(histogram + (<usize>((now << bits) | level) << 2), weight);
    }
  }
  let none: u32 = 0;
  for (let j: u32 = 0; j < k; j++) {
    const counts = histogram + (<usize>(j << bits) << 2);
    let total: u64 = 0;
    for (let i: usize = 0; i < levels; i++) total += load<u32>(counts + (i << 2));
    const to = axis == 2 ? next + LIST + (<usize>j << 2) : next + axis * 2 + (<usize>j << 2);
    const from = to - next + centres;
    if (axis == 0) {
      store<u8>(empty + j, total == 0);
      store<u32>(next + (<usize>j << 2), load<u32>(centres + (<usize>j << 2), 2 * LIST), 2 * LIST);
    }
    if (total == 0) {
      none++;
      store<u16>(to, load<u16>(from));
      continue;
    }
    let level: u32 = 0;
    for (let sum: u64 = load<u32>(counts); 2 * sum < total; sum += load<u32>(counts + (<usize>level << 2))) level++;
    store<u16>(to, <u16>(level << shift));
  }
  return none;
}

// @ts-ignore: decorator
@inline
function bump(at: usize, by: u32): void {
  store<u32>(at, load<u32>(at) + by);
}

/**
 * Whether no centre's move costs more than `limit`.
 * @param metric 0 l2, 1 l1
 * @param k centres
 * @param centres list of centres [0 .. 1040 + k * 4]
 * @param next list of centres after [0 .. 1040 + k * 4]
 * @param limit largest cost of a move, u32
 */
export function centresStay(metric: u32, k: u32, centres: usize, next: usize, limit: u32): bool {
  for (let i: usize = 0; i < k; i++) {
    const a = centres + (i << 2);
    const b = next + (i << 2);
    if (costBetween(metric, load<u32>(a), load<u32>(a, LIST), load<u32>(b), load<u32>(b, LIST)) > limit) return false;
  }
  return true;
}

/** Arguments of {@link refillCentres}. */
// @ts-ignore: decorator
@unmanaged
export class RefillCentresCall {
  /** 0 l2, 1 l1. */
  metric: u32;
  /** Centres. */
  k: u32;
  /** Block of colours; points read. [0 .. count ? (padded + count) * 4 : 0] */
  colours: usize;
  /** Colours in whole blocks of 64. */
  padded: u32;
  /** Colours. */
  count: u32;
  /** u8 class per colour. [0 .. count] */
  classes: usize;
  /** List of centres before. [0 .. count ? 1040 + ((u32(classes, 0) & 255) + 1) * 4 : 0] */
  centres: usize;
  /** List of centres; those of empty classes are written. [0 .. 1040 + k * 4] */
  next: usize;
  /** u8 per class: 1 if empty. [0 .. k] */
  empty: usize;
  /** Cost, colour (u32) per empty class, 8 bytes. [0 .. k && count ? 8 : 0] */
  scratch: usize;
}

/**
 * Moves the classes marked in `empty`, in order, to the colours furthest from the centres of their classes: the first
 * to the furthest colour, the second to the next one. Of equally far colours the first by key is taken. Colours that
 * lie on their centres are not taken. Returns the number of moved classes. `scratch` has 8 bytes for each empty class.
 */
export function refillCentres(call: RefillCentresCall): u32 {
  let metric = call.metric, k = call.k, colours = call.colours, padded = call.padded, count = call.count,
    classes = call.classes, centres = call.centres, next = call.next, empty = call.empty,
    scratch = call.scratch;
  let most: u32 = 0;
  for (let j: u32 = 0; j < k; j++) most += load<u8>(empty + j);
  // The furthest colours so far, in descending order: cost, colour.
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const at = <usize>i << 2;
    const centre = centres + (<usize>load<u8>(classes + i) << 2);
    const xy = load<u32>(colours + at);
    const z = load<u32>(zsOf(colours, padded) + at);
    const cost = costBetween(metric, xy, z, load<u32>(centre), load<u32>(centre, LIST));
    if (cost == 0 || (found == most && cost <= load<u32>(scratch + (<usize>(most - 1) << 3)))) continue;
    if (found < most) found++;
    let slot = found - 1;
    for (; slot > 0 && load<u32>(scratch + (<usize>(slot - 1) << 3)) < cost; slot--) {
      store<u64>(scratch + (<usize>slot << 3), load<u64>(scratch + (<usize>(slot - 1) << 3)));
    }
    store<u32>(scratch + (<usize>slot << 3), cost);
    store<u32>(scratch + (<usize>slot << 3), i, 4);
  }
  let taken: u32 = 0;
  for (let j: u32 = 0; j < k && taken < found; j++) {
    if (!load<u8>(empty + j)) continue;
    const at = <usize>load<u32>(scratch + (<usize>taken << 3), 4) << 2;
    taken++;
    store<u32>(next + (<usize>j << 2), load<u32>(colours + at));
    store<u32>(next + (<usize>j << 2), load<u32>(zsOf(colours, padded) + at), LIST);
  }
  return taken;
}
