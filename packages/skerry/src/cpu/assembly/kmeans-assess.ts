// Quality of a classification: the number of pixels and the cost of each class, and silhouettes.

import { costBetween, weightsOf, zsOf } from "./kmeans-points";
import { L2, LIST } from "./layout/kmeans";

/**
 * Adds the pixel counts and costs of colours [first, end) to those of their classes: two u64 each.
 * @param metric 0 l2, 1 l1
 * @param colours block of colours; points and weights read [end > first ? first * 4 : 0 .. end > first ? padded * 8 + end * 4 : 0]
 * @param padded colours in whole blocks of 64
 * @param first first colour, a multiple of 64
 * @param end one past the last colour
 * @param classes u8 class per colour [first .. end]
 * @param centres list of centres [0 .. end > first ? 1040 + ((u32(classes, first / 4) & 255) + 1) * 4 : 0]
 * @param sums u64 pixels, u64 cost per class [0 .. end > first ? ((u32(classes, first / 4) & 255) + 1) * 16 : 0]
 */
export function assessColours(
  metric: u32, colours: usize, padded: u32, first: u32, end: u32, classes: usize, centres: usize, sums: usize,
): void {
  for (let i = first; i < end; i++) {
    const at = <usize>i << 2;
    const number = <usize>load<u8>(classes + i);
    const weight = <u64>load<u32>(weightsOf(colours, padded) + at);
    const centre = centres + (number << 2);
    const z = load<u32>(zsOf(colours, padded) + at);
    const cost = costBetween(metric, load<u32>(colours + at), z, load<u32>(centre), load<u32>(centre, LIST));
    const to = sums + (number << 4);
    store<u64>(to, load<u64>(to) + weight);
    store<u64>(to, load<u64>(to, 8) + weight * <u64>cost, 8);
  }
}

/** Silhouettes are summed as integers: a silhouette of 1 is 2^20 units. */
const PARTS: f64 = 1048576;

/** Arguments of {@link silhouetteColours}. */
// @ts-ignore: decorator
@unmanaged
export class SilhouetteColoursCall {
  /** 0 l2, 1 l1. */
  metric: u32;
  /** Centres. */
  k: u32;
  /** Block of colours; points and weights read. [end > first ? first * 4 : 0 .. end > first ? padded * 8 + end * 4 : 0] */
  colours: usize;
  /** Colours in whole blocks of 64. */
  padded: u32;
  /** First colour. */
  first: u32;
  /** One past the last colour. */
  end: u32;
  /** u8 class per colour. [first .. end] */
  classes: usize;
  /** List of centres. [0 .. end > first ? 1040 + k * 4 : 0] */
  centres: usize;
  /** i64 sum in 2^-20, added to. [0 .. 8] */
  sum: usize;
}

/**
 * Adds the simplified silhouettes (Hruschka et al. 2004) of the pixels of colours [first, end) to `sum`, an i64 in units of
 * 2^-20. A silhouette is 1 - a / b, with the distances a to the own centre and b to the nearest other one; 0 if both are
 * 0. Division and square root are correctly rounded in WebAssembly, and each silhouette is rounded to an integer, so sums
 * do not depend on their order.
 */
export function silhouetteColours(call: SilhouetteColoursCall): void {
  let metric = call.metric, k = call.k, colours = call.colours, padded = call.padded, first = call.first,
    end = call.end, classes = call.classes, centres = call.centres, sum = call.sum;
  let total: i64 = 0;
  for (let i = first; i < end; i++) {
    const at = <usize>i << 2;
    const own = <u32>load<u8>(classes + i);
    const xy = load<u32>(colours + at);
    const z = load<u32>(zsOf(colours, padded) + at);
    let a: u32 = 0;
    let b: u32 = u32.MAX_VALUE;
    for (let j: u32 = 0; j < k; j++) {
      const centre = centres + (<usize>j << 2);
      const cost = costBetween(metric, xy, z, load<u32>(centre), load<u32>(centre, LIST));
      if (j == own) a = cost;
      else b = min(b, cost);
    }
    if (b == 0) continue;
    const ratio = <f64>a / <f64>b;
    const silhouette = 1 - (metric == L2 ? sqrt(ratio) : ratio);
    total += <i64>load<u32>(weightsOf(colours, padded) + at) * <i64>nearest(silhouette * PARTS);
  }
  store<i64>(sum, load<i64>(sum) + total);
}
