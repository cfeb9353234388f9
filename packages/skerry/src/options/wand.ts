// The options of a wand, for the images that it takes.

import type { Shape } from "../core/pixels.js";
import type { WandPlan } from "../core/plans.js";
import { Unsupported } from "../types/errors.js";
import type { WandOptions } from "../types/fill.js";
import { checkConnectivity } from "./components.js";
import { checkSeed } from "./fill.js";

/** Checks options against the shape of an image. */
export function planWand(options: WandOptions, shape: Shape): WandPlan {
  const { depth, type, nodata } = shape;
  if (depth > 1) throw new Unsupported(`Expected an image for a wand, got a volume of ${depth} slices; use fill.`);
  const [x, y] = checkSeed(options.seed, shape);
  const connectivity = checkConnectivity(options.connectivity, shape) as 4 | 8;
  if (type !== "u8") throw new Unsupported(`Expected a u8 raster for a wand, got ${type}; use fill.`);
  if (nodata !== undefined) throw new Unsupported("Expected no nodata for a wand; use fill.");
  return { seed: [x, y], connectivity };
}
