// Derives measurements from the counts of a device. Numerators are integers, as BigInt if a double could not hold them, so
// nothing cancels; one rounding division follows.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import type { MeasurePlan } from "../core/measure-plan.js";
import type { ShapeSums, WholeSums } from "../core/sums.js";
import type { PixelArray } from "../types/raster.js";
import type { Regions } from "../types/regions.js";
import { contourSteps } from "./region-contours.js";
import { hullSteps } from "./region-hulls.js";
import { type IntensitySums, intensitySteps } from "./region-intensity.js";
import { flattened, type Step, shapeSteps, type Writable } from "./region-shapes.js";
import { solidHullSteps } from "./region-solid-hulls.js";

/** Time between two turns of the event loop. */
const TURN_MILLISECONDS = 10;
/** Objects for which one step runs before the next check of the clock. */
const OBJECTS_AT_ONCE = 1 << 10;

/** Inputs of measurements: sums, contours and hulls, holes, and per channel sums and sorted values. */
export interface Measured {
  readonly count: number;
  readonly polarities: Uint8Array | undefined;
  readonly values: PixelArray | undefined;
  readonly sums: WholeSums;
  readonly shapes: ShapeSums;
  readonly holes: Uint32Array | undefined;
  readonly inscribed: Float64Array | undefined;
  readonly intensities: readonly IntensitySums[];
}

export async function deriveRegions(plan: MeasurePlan, measured: Measured, call: Call): Promise<Regions> {
  const { properties, flat, scale, physical } = plan;
  const { count, polarities, values, holes, inscribed } = measured;
  const wanted = new Set(properties);
  const sums = flat && plan.sums.solid ? flattened(measured.sums) : measured.sums;
  const regions: Writable = { count };
  if (polarities) regions.polarity = polarities;
  if (values) regions.value = values;
  const size = scale[0] * scale[1] * (flat ? 1 : scale[2]);
  if (wanted.has("area")) regions.area = physical ? Float64Array.from(sums.area, (n) => n * size) : sums.area;
  if (wanted.has("bounds")) regions.bounds = sums.bounds as Uint32Array;
  if (wanted.has("centroid")) regions.centroid = scaled(sums.centroid as Float64Array, scale, flat ? 2 : 3);
  if (wanted.has("rawMoments")) regions.rawMoments = sums.rawMoments as BigInt64Array;
  if (holes) regions.holes = holes;
  if (inscribed) regions.inscribed = inscribed;
  const steps: Step[] = [
    ...shapeSteps(wanted, sums, plan, regions),
    ...contourSteps(wanted, sums, measured.shapes, plan, regions),
    ...(flat ? hullSteps : solidHullSteps)(wanted, sums, measured.shapes, plan, regions),
    ...intensitySteps(wanted, sums.area, measured.intensities, plan, regions),
  ];
  if (steps.length === 0) return regions;
  let begin = performance.now();
  for (let from = 0; from < count; from += OBJECTS_AT_ONCE) {
    const to = Math.min(count, from + OBJECTS_AT_ONCE);
    for (const step of steps) {
      for (let i = from; i < to; i++) step(i);
      if (performance.now() - begin < TURN_MILLISECONDS) continue;
      await turn();
      call.signal?.throwIfAborted();
      begin = performance.now();
    }
  }
  return regions;
}

/** Points in units of the pixels' size, in place. */
function scaled(points: Float64Array, scale: readonly number[], axes: number): Float64Array {
  if (scale.every((n) => n === 1)) return points;
  for (let i = 0; i < points.length; i++) points[i] = points[i] * scale[i % axes];
  return points;
}
