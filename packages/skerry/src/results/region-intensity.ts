// Measurements of intensity, from sums of values and from sorted values. With several channels each object has one entry per
// channel in turn.

import type { MeasurePlan } from "../core/measure-plan.js";
import { INTENSITY_FIELDS, type RegionSums, type ValueSums } from "../core/sums.js";
import type { RegionProperty } from "../types/regions.js";
import type { Step, Writable } from "./region-shapes.js";

/** Sums of one channel. */
export interface IntensitySums {
  readonly sums: RegionSums["intensity"];
  readonly highs: RegionSums["intensityHighs"];
  readonly picked: ValueSums | undefined;
}

const FIELDS = INTENSITY_FIELDS;

export function intensitySteps(
  wanted: Set<RegionProperty>,
  { length: count }: ArrayLike<number>,
  channels: readonly IntensitySums[],
  plan: MeasurePlan,
  regions: Writable,
): Step[] {
  if (wanted.has("sum")) {
    const floats = channels.some(({ sums }) => sums instanceof Float64Array);
    regions.sum = new (floats ? Float64Array : BigInt64Array)(count * channels.length);
  }
  return channels.flatMap((channel, c) => [
    ...summedSteps(wanted, channel, { count, channels: channels.length, c }, plan, regions),
    ...pickedSteps(wanted, channel, { count, channels: channels.length, c }, plan, regions),
  ]);
}

/** The number of objects, and the channel c of `channels`. */
interface Place {
  readonly count: number;
  readonly channels: number;
  readonly c: number;
}

/** The array of a property, allocated for the first channel. */
function arrayOf(regions: Writable, name: RegionProperty, { count, channels, c }: Place, per: number): Float64Array {
  const arrays = regions as unknown as Record<string, Float64Array>;
  if (c === 0) arrays[name] = new Float64Array(count * channels * per);
  return arrays[name];
}

function summedSteps(
  wanted: Set<RegionProperty>,
  { sums: intensity, highs }: IntensitySums,
  place: Place,
  { flat, scale }: MeasurePlan,
  regions: Writable,
): Step[] {
  if (!intensity) return [];
  const steps: Step[] = [];
  const at = (i: number, field: number): number => Number(intensity[FIELDS * i + field]);
  // A sum of 128 bits: its field has the lower half.
  const sumOf = (i: number, field: number, high: number): bigint | number => {
    const low = intensity[FIELDS * i + field];
    return highs ? (highs[4 * i + high] << 64n) + BigInt.asUintN(64, low as bigint) : low;
  };
  const floats = (name: RegionProperty, per: number, value: (i: number) => readonly number[]): void => {
    if (!wanted.has(name)) return;
    const array = arrayOf(regions, name, place, per);
    steps.push((i) => array.set(value(i), (i * place.channels + place.c) * per));
  };
  // Both counts are integers even if the sums are floats. Without a pixel or without an edge, 0 / 0 is the documented
  // NaN.
  const counts = new BigUint64Array(intensity.buffer, intensity.byteOffset, intensity.length);
  const pixels = (i: number): number => Number(counts[FIELDS * i + 9]);
  const edgeCount = (i: number): number => Number(counts[FIELDS * i + 7]);
  floats("min", 1, (i) => [pixels(i) ? at(i, 0) : Number.NaN]);
  floats("max", 1, (i) => [pixels(i) ? at(i, 1) : Number.NaN]);
  floats("mean", 1, (i) => [at(i, 2) / pixels(i)]);
  floats("std", 1, (i) => [deviation(pixels(i), intensity[FIELDS * i + 2] as bigint, sumOf(i, 3, 0))]);
  floats("weightedCentroid", flat ? 2 : 3, (i) => {
    const sum = at(i, 2) || Number.NaN;
    const moments = [sumOf(i, 4, 1), sumOf(i, 5, 2), sumOf(i, 8, 3)];
    const centre = moments.map((moment) => Number(moment) / sum);
    return centre.slice(0, flat ? 2 : 3).map((n, axis) => n * scale[axis]);
  });
  floats("contrast", 1, (i) => [at(i, 2) / pixels(i) - at(i, 6) / edgeCount(i)]);
  const { sum } = regions;
  if (sum) {
    steps.push((i) => {
      const least = intensity[FIELDS * i + 2];
      const entry = i * place.channels + place.c;
      if (sum instanceof BigInt64Array) sum[entry] = least as bigint;
      else sum[entry] = Number(least);
    });
  }
  return steps;
}

function pickedSteps(
  wanted: Set<RegionProperty>,
  { picked }: IntensitySums,
  place: Place,
  { fractions }: MeasurePlan,
  regions: Writable,
): Step[] {
  if (!picked || !fractions) return [];
  const steps: Step[] = [];
  const each = fractions.length;
  // The median is the first of the quantiles.
  const first = wanted.has("median") ? 1 : 0;
  if (wanted.has("median")) {
    const median = arrayOf(regions, "median", place, 1);
    steps.push((i) => {
      median[i * place.channels + place.c] = picked.quantiles[i * each];
    });
  }
  if (wanted.has("quantiles")) {
    const quantiles = arrayOf(regions, "quantiles", place, each - first);
    steps.push((i) => {
      const picks = picked.quantiles.subarray(i * each + first, (i + 1) * each);
      quantiles.set(picks, (i * place.channels + place.c) * (each - first));
    });
  }
  const { edges } = picked;
  if (wanted.has("histogram") && edges) {
    const bins = edges.length - 1;
    const { count, channels, c } = place;
    const counts = regions.histogram?.counts ?? new Uint32Array(count * channels * bins);
    const all = regions.histogram?.edges ?? new Float64Array(channels * (bins + 1));
    all.set(edges, c * (bins + 1));
    regions.histogram = { counts, edges: all };
    steps.push((i) => counts.set(picked.histogram.subarray(i * bins, (i + 1) * bins), (i * channels + c) * bins));
  }
  return steps;
}

/** sqrt(n sum vv - (sum v)^2) / n; exact under the root for integers. */
function deviation(n: number, sum: bigint | number, squares: bigint | number): number {
  if (typeof sum === "number" || typeof squares === "number") {
    const mean = Number(sum) / n;
    return Math.sqrt(Math.max(0, Number(squares) / n - mean * mean));
  }
  return Math.sqrt(Number(BigInt(n) * squares - sum * sum)) / n;
}
