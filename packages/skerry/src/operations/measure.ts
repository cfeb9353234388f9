// Requests sums, contours, hulls and values from the devices, and derives measurements from them.

import type { Call } from "../core/call.js";
import { BINS } from "../core/histogram.js";
import type { MeasurePlan } from "../core/measure-plan.js";
import type { Stages } from "../core/progress.js";
import type { RegionSums } from "../core/sums.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import type { IntensitySums } from "../results/region-intensity.js";
import { deriveRegions } from "../results/regions.js";
import type { Regions } from "../types/regions.js";
import { holesOf } from "./holes.js";
import { inscribed } from "./inscribed.js";
import { planChannel, withPrepared } from "./preparation.js";

/** Sums of objects, and of the values under them per channel. */
export interface ObjectSums {
  readonly sums: RegionSums;
  readonly intensities: readonly IntensitySums[];
}

export async function sumObjects(
  router: Router,
  held: BackendComponents,
  plan: MeasurePlan,
  call: Call,
): Promise<ObjectSums> {
  const { sums: wanted, summed, contrast } = plan;
  const intensities: IntensitySums[] = [];
  let sums: RegionSums | undefined;
  for (const { pixels: given, channel } of plan.intensities) {
    const steps = channel === undefined ? [] : [planChannel(channel, given.shape)];
    await withPrepared(router, given, steps, call, async (pixels) => {
      // The first pass over pixels also computes the sums over runs; later passes only sum values.
      const level = sums ? "area" : wanted.level;
      const intensity = summed ? { pixels, contrast } : undefined;
      const measured = summed || !sums ? await router.regions(held, { ...wanted, level, intensity }, call) : sums;
      sums ??= measured;
      const levels = pixels.shape.type === "u8" ? "levels" : BINS;
      const bins = plan.histogram ? (plan.bins ?? levels) : undefined;
      const fractions = plan.fractions && Float64Array.from(plan.fractions);
      const picked =
        fractions && (await router.serve(held, "picked", { pixels, fractions, bins, areas: sums.area }, call));
      intensities.push({ sums: measured.intensity, highs: measured.intensityHighs, picked });
    });
  }
  return { sums: sums ?? (await router.regions(held, wanted, call)), intensities };
}

export async function measureObjects(
  router: Router,
  held: BackendComponents,
  plan: MeasurePlan,
  call: Call,
): Promise<Regions> {
  const { sums: wanted } = plan;
  const { sums, intensities } = await sumObjects(router, held, plan, call);
  const { count, values } = held;
  const has = (name: MeasurePlan["properties"][number]): boolean => plan.properties.includes(name);
  const measured = {
    count,
    values,
    sums,
    intensities,
    polarities: held.polarities === 2 ? await router.serve(held, "polarityOf", undefined, call) : undefined,
    shapes: plan.shapes ? await router.serve(held, "shapes", plan.shapes, call) : {},
    holes: has("holes") ? await holesOf(router, held, sums, wanted.solid, call) : undefined,
    inscribed: has("inscribed") ? await inscribed(router, held, plan.scale, call) : undefined,
  };
  return deriveRegions(plan, measured, call);
}

/** The stages of a measurement, with the shares of its time. */
export function regionStages({ properties, sums, shapes, intensities, summed, fractions }: MeasurePlan): Stages {
  const has = (name: MeasurePlan["properties"][number]): boolean => properties.includes(name);
  const channel: Stages = [
    ...(summed ? ([["intensity", 4]] as const) : []),
    ...(fractions ? ([["values", 4]] as const) : []),
  ];
  return [
    ["regions", 2],
    ...(sums.level === "area" ? [] : ([["gather", 1]] as const)),
    ...intensities.flatMap(() => channel),
    ...(shapes?.contours ? ([["contours", 2]] as const) : []),
    ...(shapes?.hull ? ([["hulls", 2]] as const) : []),
    ...(shapes?.hull?.solid ? ([["solid hulls", 4]] as const) : []),
    ...(has("inscribed") ? ([["distance", 8]] as const) : []),
  ];
}
