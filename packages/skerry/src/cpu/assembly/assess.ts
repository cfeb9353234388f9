// What a classification is worth: per class how many pixels it has and what they cost, and how well they are told apart.

import { costBetween, L2, LIST, weightsOf, zsOf } from "./points";

/** Adds the pixels of colours [first, end), and what they cost, to those of their classes: two u64 each. */
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

/** Silhouettes are added up in these parts of 1. */
const PARTS: f64 = 1048576;

/**
 * Adds up, at `sum` (i64, in 2^-20), the simplified silhouettes of the pixels of colours [first, end): 1 - a / b with the
 * distances a to the own centre and b to the nearest other one (Hruschka et al. 2004); 0 where both are 0. Division and
 * square root are exact to the last bit in WebAssembly, and each silhouette is rounded, so that sums do not depend on
 * their order.
 */
export function silhouetteColours(
  metric: u32, k: u32, colours: usize, padded: u32, first: u32, end: u32, classes: usize, centres: usize, sum: usize,
): void {
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
