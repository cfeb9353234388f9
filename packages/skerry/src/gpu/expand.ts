// Labels that grow into the background, on the device: the label of each pixel's nearest site, by the distance map.

import type { Call } from "../core/call.js";
import { plainPlan, planCosts } from "../core/distance-costs.js";
import type { DistancePlan } from "../core/distance-plan.js";
import type { Size } from "../core/pixels.js";
import type { ExpandPlan } from "../core/plans.js";
import { groupsOf } from "./bands.js";
import { type Context, withScratch } from "./device/context.js";
import { fitsDistances, recordDistances } from "./distance.js";
import type { Labelled } from "./labelled.js";
import { recordExpansion } from "./labels.js";
import type { LabelImage } from "./watershed.js";

/** The map of nearest sites; undefined on grids whose costs are floats, which devices round in their own ways. */
function planOf({ distance, spacing }: ExpandPlan, size: Size): DistancePlan | undefined {
  const costs = planCosts({ max: distance, metric: "euclidean", small: false }, size, spacing);
  return costs.isInteger ? plainPlan(costs, { nearest: true }) : undefined;
}

/** Whether labels of one strip grow on the device: on grids of whole steps, if their map fits one binding. */
export function expandsHere(context: Context, size: Size, plan: ExpandPlan, call: Call): boolean {
  const map = planOf(plan, size);
  return map !== undefined && fitsDistances(context, size, map, call);
}

/** Grows all labels, which keep their numbers. Takes some 20 to 30 bytes per pixel while it runs, of which 4 stay. */
export async function expandObjects(
  context: Context,
  { planes, strips: [strip], count }: Labelled,
  plan: ExpandPlan,
): Promise<Omit<LabelImage, "origins"> & { readonly foreground: number }> {
  const { width, rows } = planes;
  const map = planOf(plan, planes) as DistancePlan;
  const total = width * rows;
  const grown = await context.memory.allocate(total * 4, "labels");
  try {
    return await withScratch(context, async (scope) => {
      const values = await scope.allocate(total * 4, "distances");
      const nearest = await scope.allocate(total * 4, "nearest sites");
      const labels = await scope.allocate(total * 4, "labels");
      const counts = await scope.allocate(8, "counts");
      const commands = context.commands();
      commands.clear(counts, 0, 8);
      await recordDistances(scope, commands, planes, map, { values, nearest });
      commands.stage("expand", total * 16);
      recordExpansion(commands, planes, strip, { y0: 0, y1: rows }, labels);
      commands.dispatch("labels-nearest", groupsOf(total), { nearest, labels, grown, counts }, { width, total });
      const [foreground, runCount] = await context.numbers(commands, counts, 2);
      return { labels: grown, count, runCount, foreground };
    });
  } catch (error) {
    context.memory.free(grown);
    throw error;
  }
}
