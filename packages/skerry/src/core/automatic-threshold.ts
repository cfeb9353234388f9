// Thresholds that are chosen from a histogram: Otsu's, Li's and the triangle's. Levels are exact values, or the centres of 256
// bins; see core/histogram.ts.

import type { AutomaticThreshold } from "../types/threshold.js";
import type { Histogram } from "./histogram.js";

/** Every method by its name. */
const AUTOMATIC: Readonly<Record<AutomaticThreshold, (histogram: Histogram) => number>> = { otsu, li, triangle };

/** A threshold that is chosen from a histogram. */
export interface ChosenThreshold {
  readonly value: number;
  /** Whether pixels hold several values, which a threshold divides. */
  readonly divides: boolean;
}

/**
 * The threshold that a method chooses. No threshold divides pixels of one value: they are objects unless they are 0, as with
 * "nonzero". Example: a full mask of 255 has the threshold 0, and an empty one, too.
 */
export function chooseThreshold(method: AutomaticThreshold, histogram: Histogram): ChosenThreshold {
  const { counts, levels } = histogram;
  const first = counts.findIndex((n) => n > 0);
  if (first !== counts.findLastIndex((n) => n > 0)) return { value: AUTOMATIC[method](histogram), divides: true };
  const value = levels[first] ?? 0;
  return { value: value < 0 ? 2 * value : 0, divides: false };
}

/** Whether a threshold is chosen from the histogram. */
export function isAutomatic(threshold: unknown): threshold is AutomaticThreshold {
  return typeof threshold === "string" && Object.hasOwn(AUTOMATIC, threshold);
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
    const candidate = { weight, rest, sum, restSum: totalSum - sum };
    if (
      variance > best * (1 + NEARLY) ||
      (variance > best * (1 - NEARLY) && (!split || isApartMore(candidate, split)))
    ) {
      best = variance;
      split = candidate;
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
  const isSafe = [a, b].flatMap((split) => Object.values(split) as number[]).every(Number.isSafeInteger);
  const terms = ({ weight, rest, sum, restSum }: Split): [bigint, bigint] => {
    const apart = BigInt(sum) * BigInt(rest) - BigInt(restSum) * BigInt(weight);
    return [apart * apart, BigInt(weight) * BigInt(rest)];
  };
  if (!isSafe)
    return (
      a.weight * a.rest * (a.sum / a.weight - a.restSum / a.rest) ** 2 >
      b.weight * b.rest * (b.sum / b.weight - b.restSum / b.rest) ** 2
    );
  const [[x, m], [y, n]] = [terms(a), terms(b)];
  return x * n > y * m;
}

/**
 * Li's threshold (C. H. Li and P. K. S. Tam, 1998): minimises the cross entropy between the pixels and the two means that replace
 * them. The iteration begins at the mean of all pixels, and ends once a step is at most half a level, or 1/512 of a bin. A single
 * level is its own threshold. O(levels) per step, some ten steps.
 */
export function li({ counts, levels, edges }: Histogram): number {
  const first = counts.findIndex((n) => n > 0);
  const last = counts.findLastIndex((n) => n > 0);
  if (first === last) return levels[first];
  const least = edges ? edges[0] : levels[first];
  const tolerance = edges ? (edges[1] - edges[0]) / 512 : 0.5;
  /** The mean of levels[from..to], minus the smallest value. */
  const mean = (from: number, to: number): number => {
    let weight = 0;
    let sum = 0;
    for (let i = from; i <= to; i++) {
      weight += counts[i];
      sum += counts[i] * (levels[i] - least);
    }
    return sum / weight;
  };
  let threshold = mean(first, last);
  for (let before = -2 * tolerance; Math.abs(threshold - before) > tolerance; ) {
    before = threshold;
    let split = first;
    while (split + 1 < last && levels[split + 1] - least <= threshold) split++;
    const [low, high] = [mean(first, split), mean(split + 1, last)];
    // Only pixels of the smallest value are below: no lower threshold separates them better.
    if (low === 0) break;
    threshold = (low - high) / (Math.log(low) - Math.log(high));
  }
  return threshold + least;
}

/**
 * The triangle's threshold (G. W. Zack et al., 1977): the level whose count lies furthest below the line from the histogram's
 * peak to the end of its longer tail. Among equal levels it is the one nearest to that end. The comparison is exact.
 */
export function triangle({ counts, levels }: Histogram): number {
  const first = counts.findIndex((n) => n > 0);
  const last = counts.findLastIndex((n) => n > 0);
  let peak = first;
  for (let i = first; i <= last; i++) if (counts[i] > counts[peak]) peak = i;
  // The tail is walked from its end towards the peak.
  const [end, step] = peak - first < last - peak ? [last, -1] : [first, 1];
  const width = Math.abs(peak - end);
  let best = end;
  let furthest = Number.NEGATIVE_INFINITY;
  for (let x = 0; x < width; x++) {
    const below = counts[peak] * x - width * counts[end + step * x];
    if (below > furthest) [furthest, best] = [below, end + step * x];
  }
  return levels[best];
}
