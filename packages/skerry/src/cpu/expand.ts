// Labels that grow into the background: each pixel near enough takes the label of its nearest site.

import type { Call } from "../core/call.js";
import { plainPlan, planCosts } from "../core/distance-costs.js";
import type { ImageOwner } from "../core/pixels.js";
import type { ExpandPlan } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Labelled } from "./components.js";
import { type Found, labelValues } from "./components-labelled.js";
import { labelNearest } from "./distance.js";
import { expandLabels } from "./labels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, residentAt } from "./pixel-feed.js";
import { clearOutside, rowsOf } from "./planes.js";

/** Grows all labels, which keep their numbers. Takes 8 bytes per pixel besides the memory of a map with nearest sites. */
export async function growLabels(
  pool: Pool,
  labelled: Labelled,
  { distance, spacing }: ExpandPlan,
  owner: ImageOwner,
  call: Call,
): Promise<Found> {
  const { planes, connectivity } = labelled;
  const { width, height, depth, rows } = planes;
  await clearOutside(pool, planes, rowsOf(planes));
  const costs = planCosts({ max: distance, metric: "euclidean", small: false }, planes, spacing);
  const plan = plainPlan(costs, { nearest: true });
  return withScratch(pool, async (scope) => {
    const shape = { width, height, depth, channels: 1, type: "u32" as const };
    const labels = await scope.allocate(width * rows * 4 + LAYOUT.labels.SLACK_BYTES);
    const dst = await scope.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
    await expandLabels(pool, labelled, { at: labels }, call);
    await labelNearest(pool, planes, plan, { labels, dst }, call);
    scope.free(labels);
    return labelValues(pool, residentAt(dst, shape, owner), connectivity, false, call);
  });
}
