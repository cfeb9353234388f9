// Requests sums, contours, hulls and values from the devices, and derives measurements from them.

import type { Regions } from "../api/types.js";
import type { Call } from "../core/call.js";
import { BINS, binEdges } from "../core/histogram.js";
import type { Pixels } from "../core/pixels.js";
import type { Stages } from "../core/progress.js";
import type { RegionSums } from "../core/sums.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { withPrepared } from "../options/preparation.js";
import type { Plan } from "../options/regions.js";
import { holesOf } from "./holes.js";
import { inscribed } from "./inscribed.js";
import type { IntensitySums } from "./region-intensity.js";
import { deriveRegions } from "./regions.js";

export async function measureObjects(
  router: Router,
  held: BackendComponents,
  plan: Plan,
  call: Call,
): Promise<Regions> {
  const { sums: wanted, summed, contrast } = plan;
  const intensities: IntensitySums[] = [];
  let sums: RegionSums | undefined;
  for (const { pixels: given, steps } of plan.intensities) {
    await withPrepared(router, given, steps, call, async (pixels) => {
      // The first pass over the pixels comes with the sums of shapes.
      const level = sums ? "area" : wanted.level;
      const intensity = summed ? { pixels, contrast } : undefined;
      const own = summed || !sums ? await router.regionsOf(held, { ...wanted, level, intensity }, call) : sums;
      sums ??= own;
      const edges = plan.histogram ? await edgesOf(router, held, pixels, plan.bins, call) : undefined;
      const fractions = plan.fractions && Float64Array.from(plan.fractions);
      const picked = fractions && (await router.pickedOf(held, { pixels, fractions, edges }, call));
      intensities.push({ sums: own.intensity, picked, edges });
    });
  }
  sums ??= await router.regionsOf(held, wanted, call);
  const { count, values } = held;
  const has = (name: Plan["properties"][number]): boolean => plan.properties.includes(name);
  const measured = {
    ...{ count, values, sums, intensities },
    classes: held.classes === 2 ? await held.classOf(call) : undefined,
    shapes: plan.shapes ? await router.shapesOf(held, plan.shapes, call) : {},
    holes: has("holes") ? await holesOf(router, held, sums, wanted.solid, call) : undefined,
    inscribed: has("inscribed") ? await inscribed(router, held, plan.scale, call) : undefined,
  };
  return deriveRegions(plan, measured, call);
}

/** The stages of a measurement, with the shares of its time. */
export function regionStages({ properties, sums, shapes, intensities, summed, fractions }: Plan): Stages {
  const has = (name: Plan["properties"][number]): boolean => properties.includes(name);
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

/** A bin per level of u8 by default; else equal ones from the smallest to the largest value under any object. */
async function edgesOf(
  router: Router,
  held: BackendComponents,
  pixels: Pixels,
  wanted: number | undefined,
  call: Call,
): Promise<Float64Array> {
  const bins = wanted ?? BINS;
  if (wanted === undefined && pixels.shape.type === "u8") return Float64Array.from({ length: bins + 1 }, (_, i) => i);
  const { quantiles } = await router.pickedOf(held, { pixels, fractions: Float64Array.of(0, 1), finite: true }, call);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < quantiles.length; i += 2) {
    // Objects without a value have NaN.
    if (quantiles[i] < low) low = quantiles[i];
    if (quantiles[i + 1] > high) high = quantiles[i + 1];
  }
  // As NumPy, where there is one value, or none.
  if (low > high) return binEdges(0, 1, bins);
  return low === high ? binEdges(low - 0.5, high + 0.5, bins) : binEdges(low, high, bins);
}
