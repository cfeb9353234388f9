// The weights of a Gaussian as integers, the same on every device. See docs/algorithms.md.

import type { AxisWeights } from "./plans.js";

/** Bits of a weight: 15 where values of u8 are weighted by 16-bit arithmetic, 24 elsewhere. */
export type WeightBits = 15 | 24;

/** The largest radius of weights of 15 bits: rounded products lose up to 0.15 levels of u8 there, beside the last rounding. */
const MOST_SHORT = 32;

/** Whole weights along each axis: the middle one and one side. Undefined leaves an axis as it is. */
export interface WholeWeights {
  readonly bits: WeightBits;
  readonly axes: readonly (Uint32Array | undefined)[];
}

/** The integer weights of pixels of a type, along axes of more than one pixel; with `isWide` of 24 bits in any case. */
export function wholeWeights(
  type: "u8" | "u16" | "i16",
  weights: AxisWeights,
  sides: readonly number[],
  isWide = false,
): WholeWeights {
  const given = weights.map((axis, i) => (sides[i] > 1 ? axis : undefined));
  const isShort = !isWide && type === "u8" && given.every((axis) => (axis?.length ?? 0) <= MOST_SHORT + 1);
  const bits = isShort ? 15 : 24;
  return { bits, axes: given.map((axis) => axis && rounded(axis, bits)) };
}

/**
 * Weights as multiples of 2^-bits that add up to 1. Of 15 bits each weight takes over the rounding error of its outer neighbour, so
 * that no run of small weights is rounded the same way; of 24 bits the middle takes all. Outer weights of 0 are left out.
 */
function rounded(weights: Float64Array, bits: WeightBits): Uint32Array | undefined {
  const rounded = new Uint32Array(weights.length);
  let error = 0;
  let sum = 0;
  for (let step = weights.length - 1; step > 0; step--) {
    const exact = weights[step] * 2 ** bits + error;
    rounded[step] = Math.round(exact);
    if (bits === 15) error = exact - rounded[step];
    sum += 2 * rounded[step];
  }
  rounded[0] = 2 ** bits - sum;
  let radius = weights.length - 1;
  while (radius > 0 && rounded[radius] === 0) radius--;
  return radius === 0 ? undefined : rounded.subarray(0, radius + 1);
}
