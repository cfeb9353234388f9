// The options of `gradient()`: Sobel's operators, or the weights of a Gaussian.

import { defined } from "../core/defined.js";
import type { Shape } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { Unsupported } from "../types/errors.js";
import { unexpected } from "./arguments.js";
import { planSmooth } from "./smooth.js";

/** Weights of the Gaussian whose derivatives are taken; undefined for Sobel's operators. */
export function planGradient(
  given: unknown,
  physical: boolean | undefined,
  shape: Shape,
  spacing: readonly [number, number, number],
  name: string,
): AxisWeights | undefined {
  if (shape.type === "u32" || shape.type === "i32") {
    throw new Unsupported(`Expected u8, u16, i16 or f32 for a gradient, got ${shape.type}.`);
  }
  if (shape.nodata !== undefined) throw new Unsupported("Expected no nodata, whose neighbours would have a gradient.");
  if (given === "sobel") return undefined;
  if (typeof given !== "number" || !(given > 0)) {
    throw unexpected(name, '"sobel", or a sigma of more than 0', given);
  }
  return planSmooth(defined({ sigma: given, physical }), shape, spacing, name);
}
