// From exact sums to measurements. Numerators are made in integers, with BigInt where a double would not
// hold them, so nothing cancels; one rounding division follows.

import { turn } from "#event-loop";
import type { PixelArray, RegionProperty, Regions } from "../api/types.js";
import type { Call } from "../core/call.js";
import { INTENSITY_FIELDS, type RegionSums } from "../core/sums.js";
import type { Plan } from "../options/regions.js";
import { flattened, type Step, shapeSteps, type Writable } from "./region-shapes.js";

/** Objects derived between two turns of the event loop. */
const OBJECTS_AT_ONCE = 1 << 14;

/** The objects, what they are beside their sums. */
interface Objects {
  readonly count: number;
  readonly classes: Uint8Array | undefined;
  readonly values: PixelArray | undefined;
}

export async function deriveRegions(
  plan: Plan,
  summed: RegionSums,
  { count, classes, values }: Objects,
  call: Call,
): Promise<Regions> {
  const { properties, flat, scale, physical } = plan;
  const wanted = new Set(properties);
  const sums = flat && plan.solid ? flattened(summed) : summed;
  const regions: { -readonly [key in keyof Regions]: Regions[key] } = { count };
  if (classes) regions.class = classes;
  if (values) regions.value = values;
  const size = scale[0] * scale[1] * (flat ? 1 : scale[2]);
  if (wanted.has("area")) regions.area = physical ? Float64Array.from(sums.area, (n) => n * size) : sums.area;
  if (wanted.has("bounds")) regions.bounds = sums.bounds as Uint32Array;
  if (wanted.has("centroid")) regions.centroid = scaled(sums.centroid as Float64Array, scale, flat ? 2 : 3);
  if (wanted.has("rawMoments")) regions.rawMoments = sums.rawMoments as BigInt64Array;
  const steps = [...shapeSteps(wanted, sums, plan, regions), ...intensitySteps(wanted, sums, plan, regions)];
  if (steps.length === 0) return regions;
  for (let from = 0; from < count; from += OBJECTS_AT_ONCE) {
    if (from > 0) {
      await turn();
      call.signal?.throwIfAborted();
    }
    const to = Math.min(count, from + OBJECTS_AT_ONCE);
    for (const step of steps) for (let i = from; i < to; i++) step(i);
  }
  return regions;
}

/** Points in units of the pixels' size, in place. */
function scaled(points: Float64Array, scale: readonly number[], axes: number): Float64Array {
  if (scale.every((n) => n === 1)) return points;
  for (let i = 0; i < points.length; i++) points[i] = points[i] * scale[i % axes];
  return points;
}

const FIELDS = INTENSITY_FIELDS;

function intensitySteps(wanted: Set<RegionProperty>, sums: RegionSums, plan: Plan, regions: Writable): Step[] {
  const { area, intensity } = sums;
  if (!intensity) return [];
  const count = area.length;
  const steps: Step[] = [];
  const at = (i: number, field: number): number => Number(intensity[FIELDS * i + field]);
  const floats = (name: RegionProperty, per: number, value: (i: number) => readonly number[]): void => {
    if (!wanted.has(name)) return;
    const array = new Float64Array(count * per);
    (regions as unknown as Record<string, Float64Array>)[name] = array;
    steps.push((i) => array.set(value(i), i * per));
  };
  // Both counts are integers even if the sums are floats. Without a pixel or without an edge, 0 / 0 is the documented
  // NaN.
  const counts = new BigUint64Array(intensity.buffer, intensity.byteOffset, intensity.length);
  const pixels = (i: number): number => Number(counts[FIELDS * i + 9]);
  const edges = (i: number): number => Number(counts[FIELDS * i + 7]);
  floats("min", 1, (i) => [pixels(i) ? at(i, 0) : Number.NaN]);
  floats("max", 1, (i) => [pixels(i) ? at(i, 1) : Number.NaN]);
  floats("mean", 1, (i) => [at(i, 2) / pixels(i)]);
  floats("std", 1, (i) => [
    deviation(pixels(i), intensity[FIELDS * i + 2] as bigint, intensity[FIELDS * i + 3] as bigint),
  ]);
  const { flat, scale } = plan;
  floats("weightedCentroid", flat ? 2 : 3, (i) => {
    const place = [at(i, 4) / at(i, 2), at(i, 5) / at(i, 2), at(i, 8) / at(i, 2)];
    return place.slice(0, flat ? 2 : 3).map((n, axis) => n * scale[axis]);
  });
  floats("contrast", 1, (i) => [at(i, 2) / pixels(i) - at(i, 6) / edges(i)]);
  if (wanted.has("sum")) {
    if (intensity instanceof BigInt64Array) {
      const sum = new BigInt64Array(count);
      regions.sum = sum;
      steps.push((i) => {
        sum[i] = intensity[FIELDS * i + 2];
      });
    } else {
      floats("sum", 1, (i) => [at(i, 2)]);
    }
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
