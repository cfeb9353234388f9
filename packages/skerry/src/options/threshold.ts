// Thresholds: their check, the intervals that they stand for in each type, and Otsu's choice from a histogram.

import { InvalidArgument } from "../api/errors.js";
import type { PixelType, Threshold } from "../api/types.js";
import type { Histogram } from "../core/histogram.js";
import { PIXEL_RANGE, type Shape } from "../core/pixels.js";
import type { Interval, Predicate } from "../core/plans.js";
import { number, pair, show, unexpected } from "./arguments.js";

export function checkThreshold(threshold: unknown, polarity: unknown): Threshold {
  if (polarity !== undefined && polarity !== "bright" && polarity !== "dark") {
    throw unexpected("polarity", '"bright" or "dark"', polarity);
  }
  if (polarity === "dark" && threshold !== "otsu") {
    throw new InvalidArgument(`Expected polarity "dark" only with threshold "otsu"; use { below: n } otherwise.`, {
      argument: "polarity",
    });
  }
  if (threshold === "nonzero" || threshold === "otsu") return threshold;
  const kinds = ["above", "below", "between", "outside"] as const;
  const record = (typeof threshold === "object" && threshold !== null ? threshold : {}) as Record<string, unknown>;
  const given = kinds.filter((kind) => record[kind] !== undefined);
  const [kind] = given;
  if (given.length !== 1 || !kind) {
    throw new InvalidArgument(
      `Expected threshold to be "nonzero", "otsu" or one of { above }, { below }, { between } and { outside }, got ${
        given.length > 1 ? `both ${given.join(" and ")}` : show(threshold)
      }.`,
      { argument: "threshold" },
    );
  }
  if (kind === "above" || kind === "below") number(`threshold.${kind}`, record[kind]);
  else pair(`threshold.${kind}`, record[kind]);
  return threshold as Threshold;
}

/** The predicate of a threshold other than Otsu's, on pixels of `type`. */
function predicateOf(threshold: Exclude<Threshold, "otsu">, type: PixelType, channels: number): Predicate {
  if (threshold === "nonzero") {
    return { any: channels > 1, classes: [{ ...interval(type, 0, 0), invert: true }] };
  }
  if ("above" in threshold) return one(above(type, threshold.above));
  if ("below" in threshold) return one(below(type, threshold.below));
  if ("between" in threshold) return one(interval(type, threshold.between[0], threshold.between[1]));
  const [lo, hi] = threshold.outside;
  return { any: false, classes: [above(type, hi), below(type, lo)] };
}

/** The predicate of Otsu's threshold: bright is above it, dark at and below it. */
function otsuPredicate(value: number, type: PixelType, dark: boolean): Predicate {
  return one(dark ? interval(type, Number.NEGATIVE_INFINITY, value) : above(type, value));
}

function one(interval: Interval): Predicate {
  return { any: false, classes: [interval] };
}

function above(type: PixelType, n: number): Interval {
  return interval(type, type === "f32" ? floatAbove(n) : Math.floor(n) + 1, Number.POSITIVE_INFINITY);
}

function below(type: PixelType, n: number): Interval {
  return interval(type, Number.NEGATIVE_INFINITY, type === "f32" ? -floatAbove(-n) : Math.ceil(n) - 1);
}

/** lo <= v <= hi, narrowed to the values that the type has; nothing when none is left. */
function interval(type: PixelType, lo: number, hi: number): Interval {
  const [least, most] = PIXEL_RANGE[type];
  const whole = type !== "f32";
  const from = Math.max(least, whole ? Math.ceil(lo) : floatAtLeast(lo));
  const to = Math.min(most, whole ? Math.floor(hi) : -floatAtLeast(-hi));
  // Kernels need an interval that holds a value, so the empty interval is the inverse of the full one.
  if (!(from <= to)) return { lo: least, hi: most, invert: true };
  return { lo: from, hi: to, invert: false };
}

/** The smallest f32 that is >= n. */
function floatAtLeast(n: number): number {
  const f = Math.fround(n);
  return f >= n ? f : nextFloat(f);
}

/** The smallest f32 that is > n. */
function floatAbove(n: number): number {
  const f = Math.fround(n);
  return f > n ? f : nextFloat(f);
}

function nextFloat(f: number): number {
  if (f === Number.POSITIVE_INFINITY) return Number.NaN;
  if (f === 0) return 2 ** -149;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, f);
  view.setInt32(0, view.getInt32(0) + (f > 0 ? 1 : -1));
  return view.getFloat32(0);
}

/**
 * Otsu's threshold (1979): the level whose split into "at or below" and "above" has the largest between-class variance.
 * Among equal levels it is the lowest. A single level is its own threshold, so nothing is above it. For integers,
 * nearly equal variances are compared exactly, because rounding could make equal ones differ.
 */
export function otsu({ counts, levels }: Histogram): number {
  let total = 0;
  let totalSum = 0;
  for (let i = 0; i < counts.length; i++) {
    total += counts[i];
    totalSum += counts[i] * levels[i];
  }
  let best = -1;
  let split: Split | undefined;
  let threshold = levels[0] ?? 0;
  let weight = 0;
  let sum = 0;
  for (let i = 0; i < counts.length - 1; i++) {
    weight += counts[i];
    sum += counts[i] * levels[i];
    const rest = total - weight;
    if (weight === 0 || rest === 0) continue;
    const apart = sum / weight - (totalSum - sum) / rest;
    const variance = weight * rest * apart * apart;
    const own = { weight, rest, sum, restSum: totalSum - sum };
    if (variance > best * (1 + NEARLY) || (variance > best * (1 - NEARLY) && (!split || isApartMore(own, split)))) {
      best = variance;
      split = own;
      threshold = levels[i];
    }
  }
  if (best < 0) threshold = levels[counts.findIndex((n) => n > 0)] ?? threshold;
  return threshold;
}

/** The largest relative difference that rounding may cause between two equal variances. */
const NEARLY = 1e-9;

/** Pixels at or below a level and above it, and the sums of their levels. */
interface Split {
  readonly weight: number;
  readonly rest: number;
  readonly sum: number;
  readonly restSum: number;
}

/**
 * Whether split `a` has the larger variance, (sum rest - restSum weight)^2 / (weight rest). The comparison is exact for
 * integers.
 */
function isApartMore(a: Split, b: Split): boolean {
  const whole = [a, b].flatMap((split) => Object.values(split) as number[]).every(Number.isSafeInteger);
  const terms = ({ weight, rest, sum, restSum }: Split): [bigint, bigint] => {
    const apart = BigInt(sum) * BigInt(rest) - BigInt(restSum) * BigInt(weight);
    return [apart * apart, BigInt(weight) * BigInt(rest)];
  };
  if (!whole)
    return (
      a.weight * a.rest * (a.sum / a.weight - a.restSum / a.rest) ** 2 >
      b.weight * b.rest * (b.sum / b.weight - b.restSum / b.rest) ** 2
    );
  const [[x, m], [y, n]] = [terms(a), terms(b)];
  return x * n > y * m;
}

/** The predicate of any threshold on pixels of a shape; the value that Otsu's method chose from their histogram, if it did. */
export async function predicateFor(
  threshold: Threshold,
  polarity: "bright" | "dark" | undefined,
  { type, channels, nodata }: Shape,
  histogram: () => Promise<Histogram>,
): Promise<{ readonly predicate: Predicate; readonly chosen: number | undefined }> {
  const chosen = threshold === "otsu" ? otsu(await histogram()) : undefined;
  const found =
    threshold === "otsu"
      ? otsuPredicate(chosen as number, type, polarity === "dark")
      : predicateOf(threshold, type, channels);
  return { predicate: { ...found, except: nodata }, chosen };
}
