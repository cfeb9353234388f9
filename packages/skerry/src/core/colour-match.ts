// The test of a pixel in a fill, by the same numbers on every device: intervals per channel, or the largest distance
// between two colours.

import { InvalidArgument } from "../types/errors.js";
import type { ColourMetric } from "../types/fill.js";
import type { PixelArray, PixelType } from "../types/raster.js";
import { PIXEL_RANGE, type Shape } from "./pixels.js";
import type { Seed } from "./plans.js";

/**
 * A test on a pixel's value v per channel; with floating range on v minus its neighbour's, with `colour` all 0.
 *
 * - `linf`: lo <= v <= hi in every channel.
 * - `l1`: the sum of |v - colour| is at most `limit`.
 * - `l2`: the sum of (v - colour)^2 is at most `limit`.
 */
export interface Match {
  readonly metric: ColourMetric;
  readonly lo: readonly number[];
  readonly hi: readonly number[];
  readonly colour: readonly number[];
  readonly limit: number;
}

/** The number of each metric in kernels. */
export const METRIC_CODE: Record<ColourMetric, number> = { linf: 0, l1: 1, l2: 2 };

/** The largest allowed differences, downwards and upwards: per channel, or the same for all channels with l1 and l2. */
export interface Tolerance {
  readonly metric: ColourMetric;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** The test for pixels that differ from a colour by at most the tolerance. */
export function matchColour({ metric, lower, upper }: Tolerance, colour: readonly number[], type: PixelType): Match {
  const [least, most] = PIXEL_RANGE[type];
  const isInteger = type !== "f32";
  const lo = colour.map((value, i) => {
    const below = lower[i];
    return isInteger ? Math.max(least, Math.ceil(value - below)) : farthest(value, below, -1);
  });
  const hi = colour.map((value, i) => {
    const above = upper[i];
    return isInteger ? Math.min(most, Math.floor(value + above)) : farthest(value, above, 1);
  });
  return { metric, lo, hi, colour, limit: limitOf(metric, upper[0], isInteger) };
}

/** The test for differences from a neighbour of at most the tolerance. */
export function matchNeighbour({ metric, lower, upper }: Tolerance, type: PixelType): Match {
  const isInteger = type !== "f32";
  // No two values of an integer type differ by more. For the types that GPU kernels read, these bounds fit i32.
  const [least, largest] = PIXEL_RANGE[type];
  const most = largest - least;
  const bound = (n: number): number => Math.min(most, isInteger ? Math.floor(n) : n);
  const lo = lower.map((n) => 0 - bound(n));
  const hi = upper.map(bound);
  return { metric, lo, hi, colour: lower.map(() => 0), limit: limitOf(metric, upper[0], isInteger) };
}

/** The largest sum that is within the tolerance; no sum of four channels of integers passes 2^35. */
function limitOf(metric: ColourMetric, tolerance: number, isInteger: boolean): number {
  const limit = metric === "l2" ? largestSquare(tolerance) : tolerance;
  return isInteger ? Math.min(2 ** 35, Math.floor(limit)) : limit;
}

/** The largest number whose square root, rounded, is at most n. */
function largestSquare(n: number): number {
  let square = n * n;
  if (square === Number.POSITIVE_INFINITY || square === 0) return square;
  while (Math.sqrt(square) > n) square = step(square, -1n);
  while (Math.sqrt(step(square, 1n)) <= n) square = step(square, 1n);
  return square;
}

/** The double after (`by` 1n) or before (`by` -1n) a positive one. */
function step(value: number, by: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + by);
  return view.getFloat64(0);
}

/** The farthest f32 in a direction that differs from `value` by at most `tolerance`, by bisection. */
function farthest(value: number, tolerance: number, direction: 1 | -1): number {
  let near = orderOf(value);
  let far = orderOf(direction * Number.POSITIVE_INFINITY);
  const within = (order: number): boolean => {
    const other = valueAt(order);
    return other === value || direction * (other - value) <= tolerance;
  };
  if (within(far)) return valueAt(far);
  while (Math.abs(far - near) > 1) {
    const middle = Math.trunc((near + far) / 2);
    if (within(middle)) near = middle;
    else far = middle;
  }
  return valueAt(near);
}

/** f32 as integers in the same order, 0 for zero. */
function orderOf(value: number): number {
  const bits = new Int32Array(Float32Array.of(value).buffer)[0];
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

function valueAt(order: number): number {
  const value = new Float32Array(Int32Array.of(Math.abs(order)).buffer)[0];
  return order < 0 ? -value : value;
}

/** Reads columns [x0, x1) of rows [y0, y1) into a tightly packed array; rows are numbered across all slices. */
export type ReadWindow = (x0: number, x1: number, y0: number, y1: number) => Promise<PixelArray>;

/** The bytes of a colour in one number, the first lowest. */
export function packedColour(colour: readonly number[]): number {
  return colour.reduce((sum, value, c) => sum + value * 2 ** (8 * c), 0);
}

/** The colour at each seed: the mean of the n x n (x n) window around it, as far as it lies in the image or volume. */
export async function coloursAt(
  seeds: readonly Seed[],
  average: number,
  { width, height, depth, channels, type }: Shape,
  read: ReadWindow,
): Promise<number[][]> {
  const reach = (average - 1) / 2;
  const colours: number[][] = [];
  for (const seed of seeds) {
    const [x, y, z] = seed;
    const [x0, x1] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
    const [y0, y1] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
    const [z0, z1] = [Math.max(0, z - reach), Math.min(depth, z + reach + 1)];
    const slices: PixelArray[] = [];
    for (let slice = z0; slice < z1; slice++) {
      slices.push(await read(x0, x1, slice * height + y0, slice * height + y1));
    }
    const pixels = (x1 - x0) * (y1 - y0) * (z1 - z0);
    const colour = Array.from({ length: channels }, (_, c) => {
      if (type === "u32" || type === "i32") return wideMean(slices, pixels);
      let sum = 0;
      for (const values of slices) for (let i = c; i < values.length; i += channels) sum += values[i];
      return type === "f32" ? Math.fround(sum / pixels) : Math.floor((2 * sum + pixels) / (2 * pixels));
    });
    if (colour.some(Number.isNaN)) {
      throw new InvalidArgument(`Expected a number at the seed [${(depth > 1 ? seed : [x, y]).join(", ")}], got NaN.`, {
        argument: "seed",
      });
    }
    colours.push(colour);
  }
  return colours;
}

/** The mean of 32-bit integers, halves rounded up. Their sum may exceed 2^53, so the upper halves are summed separately. */
function wideMean(slices: readonly PixelArray[], pixels: number): number {
  let [upper, lower] = [0, 0];
  for (const values of slices) {
    for (const value of values) {
      const high = Math.floor(value / 65536);
      upper += high;
      lower += value - high * 65536;
    }
  }
  const doubled = 2n * (BigInt(upper) * 65536n + BigInt(lower)) + BigInt(pixels);
  const twice = 2n * BigInt(pixels);
  const mean = doubled / twice;
  return Number(doubled % twice < 0n ? mean - 1n : mean);
}

/** Seeds of the same colour, and the test against it. */
export interface Wave {
  readonly match: Match;
  readonly seeds: readonly Seed[];
}

/** Groups seeds by their colours, in the order in which the colours first appear. */
export function wavesOf(
  tolerance: Tolerance,
  seeds: readonly Seed[],
  colours: readonly (readonly number[])[],
  type: PixelType,
): Wave[] {
  const waves = new Map<string, { match: Match; seeds: Seed[] }>();
  for (const [i, seed] of seeds.entries()) {
    const colour = colours[i];
    const key = colour.join();
    const wave = waves.get(key) ?? { match: matchColour(tolerance, colour, type), seeds: [] };
    wave.seeds.push(seed);
    waves.set(key, wave);
  }
  return [...waves.values()];
}
