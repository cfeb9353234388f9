// The options of `wand()`, checked against the image.

import type { Shape } from "../core/pixels.js";
import type { FillPlan, WandPlan } from "../core/plans.js";
import { Unsupported } from "../types/errors.js";
import type { WandOptions } from "../types/fill.js";
import { planFill } from "./fill.js";

/** Checks options against the shape of an image. */
export function planWand(options: WandOptions, shape: Shape): WandPlan {
  const { depth, type, nodata } = shape;
  if (depth > 1) throw new Unsupported(`Expected an image for a wand, got a volume of ${depth} slices; use fill.`);
  const { seeds, contiguous, connectivity } = planFill(options, shape, shape);
  if (type !== "u8") throw new Unsupported(`Expected a u8 raster for a wand, got ${type}; use fill.`);
  if (nodata !== undefined) throw new Unsupported("Expected no nodata for a wand; use fill.");
  return { seeds, contiguous, connectivity: connectivity as 4 | 8 };
}

/** The fill of a plane of differences from one of its seeds. */
export function planReach(plan: WandPlan, seed: number, tolerance: number, shape: Shape): FillPlan {
  const [x, y] = plan.seeds[seed];
  return planFill({ seeds: [[x, y]], tolerance, connectivity: plan.connectivity }, shape, shape);
}
