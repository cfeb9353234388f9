// The options of `smooth()` and `flatten()`: weights per axis, and the radius of a window.

import type { Shape } from "../core/pixels.js";
import type { AxisWeights, FlattenPlan } from "../core/plans.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { FlattenOptions, SmoothOptions } from "../types/light.js";
import { flag, oneOf, show, unexpected, wholeNumber } from "./arguments.js";

/** Standard deviations after which a Gaussian is cut, as in SciPy. */
const CUT = 4;

/** The largest radius in pixels; weights of longer kernels are lost in rounding. */
const MOST_RADIUS = 1 << 16;

/** The Gaussian's weights along each axis. */
export function planSmooth(
  { sigma, physical = false }: SmoothOptions,
  shape: Shape,
  spacing: readonly [number, number, number],
  name = "sigma",
): AxisWeights {
  flag("physical", physical);
  const ok = (n: unknown): boolean => typeof n === "number" && Number.isFinite(n) && n >= 0;
  const each = Array.isArray(sigma) ? sigma : [sigma, sigma, sigma];
  if (each.length < 2 || each.length > 3 || !Array.from(each).every(ok)) {
    throw unexpected(name, "a number of 0 or more, or one per axis", sigma);
  }
  const sides = shape.depth === 1 ? 2 : 3;
  if (Array.isArray(sigma) && sigma.length !== sides) {
    throw unexpected(name, `a number, or one per axis, which are ${sides}`, sigma);
  }
  checkSmoothed(shape);
  return [0, 1, 2].map((axis) => gaussian((each[axis] ?? 0) / (physical ? spacing[axis] : 1)));
}

/** The middle and one side of a Gaussian; with both sides the weights add up to 1. Undefined for a sigma below 1/8 pixel. */
function gaussian(sigma: number): Float64Array | undefined {
  const radius = Math.floor(CUT * sigma + 0.5);
  if (radius === 0) return undefined;
  if (radius > MOST_RADIUS) {
    throw new InvalidArgument(`Expected a sigma of at most ${MOST_RADIUS / CUT} pixels, got ${sigma}.`, {
      argument: "sigma",
    });
  }
  const weights = Float64Array.from({ length: radius + 1 }, (_, i) => Math.exp(-(i ** 2) / (2 * sigma ** 2)));
  const sum = weights.reduce((all, weight, i) => all + (i === 0 ? weight : 2 * weight), 0);
  return weights.map((weight) => weight / sum);
}

/** Rejects types and pixels that cannot be smoothed. */
function checkSmoothed({ type, nodata }: Shape): void {
  if (type === "u32" || type === "i32") throw new Unsupported(`Expected u8, u16, i16 or f32 to smooth, got ${type}.`);
  if (nodata !== undefined) throw new Unsupported("Expected no nodata, which means of neighbours would take up.");
}

export function planFlatten(
  { radius, method = "subtract" }: FlattenOptions,
  shape: Shape,
  name = "radius",
): FlattenPlan {
  oneOf("method", method, ["subtract", "divide"]);
  checkSmoothed(shape);
  const { type } = shape;
  if (method === "divide" && type === "i16") {
    throw new Unsupported('Expected method "subtract" for i16, whose local mean may be 0 or less, got "divide".');
  }
  return { radius: checkRadius(name, radius, shape), method };
}

/** Checks a radius: the window's sums, and with `squares` their squares, must be exact. */
export function checkRadius(
  name: string,
  radius: unknown,
  { type, depth }: Pick<Shape, "type" | "depth">,
  squares = false,
): number {
  const checked = wholeNumber(name, radius, 1, MOST_RADIUS);
  if (type === "f32") return checked;
  // The largest sum: below 2^45, and with squares below 2^31.5, whose square fits 64 bits.
  const values = (squares ? 2 ** 31.5 : 2 ** 45) / (type === "u8" ? 255 : 65535);
  const most = Math.floor((values ** (1 / (depth > 1 ? 3 : 2)) - 1) / 2);
  if (checked > most) {
    throw new Unsupported(
      `Expected a ${name} of at most ${most} for ${type} in ${depth > 1 ? "a volume" : "an image"}, got ${show(radius)}.`,
    );
  }
  return checked;
}
