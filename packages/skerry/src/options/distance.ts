// Checks the options of distance maps and turns them into a plan in pixels and costs. If the sides of a pixel are
// integer multiples of one unit, costs are integers of that unit, squared for the Euclidean metric. They are exact on
// every device. With other sides costs are f32.

import { MOST_SMALL, planCosts } from "../core/distance-costs.js";
import type { DistanceInto, DistancePlan } from "../core/distance-plan.js";
import { rowCount, type Size, sizeText } from "../core/pixels.js";
import { DISTANCE_METRICS, type DistanceArray, type DistanceOptions } from "../types/distance.js";
import { InvalidArgument } from "../types/errors.js";
import type { PixelArray, Sink } from "../types/raster.js";
import { checkMemoryLimit, flag, oneOf, show, unexpected } from "./arguments.js";
import { checkAs } from "./labels.js";
import { isSink } from "./pixels.js";

/** Each option on its own, and those that exclude each other. */
function checkOptions(options: DistanceOptions): void {
  const { to = "foreground", max = Number.POSITIVE_INFINITY, beyond = "infinity", metric = "euclidean" } = options;
  const { squared = false, signed = false, nearest = false, memory } = options;
  oneOf("to", to, ["foreground", "surface"]);
  oneOf("beyond", beyond, ["infinity", "clamp", "coarse"]);
  oneOf("metric", metric, DISTANCE_METRICS);
  for (const [name, value] of Object.entries({ squared, signed })) flag(name, value);
  if (typeof max !== "number" || !(max > 0)) {
    throw unexpected("max", "a number above 0", max);
  }
  checkMemoryLimit(memory);
  if (beyond !== "infinity" && max === Number.POSITIVE_INFINITY) {
    throw new InvalidArgument(`Expected beyond only with max, got ${show(beyond)} without.`, { argument: "beyond" });
  }
  if (squared && metric !== "euclidean") {
    throw new InvalidArgument(`Expected squared only with the Euclidean metric, got ${show(metric)}.`, {
      argument: "squared",
    });
  }
  if (squared && (signed || beyond !== "infinity")) {
    throw new InvalidArgument(
      `Expected squared without ${signed ? "signed" : "beyond"}, which whole numbers cannot hold.`,
      { argument: "squared" },
    );
  }
  if (signed && to === "surface") {
    throw new InvalidArgument('Expected signed only with to: "foreground", because a surface has no inside.', {
      argument: "signed",
    });
  }
  if (signed && nearest)
    throw new InvalidArgument("Expected either signed or nearest, got both.", { argument: "signed" });
}

/** Checks options against the size of a map, and of its pixels. */
export function planDistance(
  options: DistanceOptions,
  size: Size,
  spacing: readonly [number, number, number],
): DistancePlan {
  const { max = Number.POSITIVE_INFINITY, beyond = "infinity", metric = "euclidean" } = options;
  const { squared = false, signed = false, nearest = false } = options;
  checkOptions(options);
  if (nearest && size.width * rowCount(size) >= 2 ** 32) {
    throw new InvalidArgument(`Expected fewer than 2^32 pixels for nearest, got ${sizeText(size)}.`, {
      argument: "nearest",
    });
  }
  const sizes = [size.width, size.height, size.depth] as const;
  if (sizes.some((n) => n > 65500)) {
    throw new InvalidArgument(
      `Expected at most 65500 pixels along each axis for a distance map, got ${sizeText(size)}.`,
      { argument: "size" },
    );
  }
  const costs = planCosts({ max, metric, small: !nearest }, size, spacing);
  if (squared && !costs.isInteger) {
    throw new InvalidArgument(
      costs.gridded
        ? `Expected a map whose squared distances stay below 2^30 units for squared, got ${sizeText(size)}.`
        : `Expected a spacing whose sides are whole multiples of one unit for squared, got ${show(spacing)}.`,
      { argument: "squared" },
    );
  }
  const { kind, weights, unit, limit, reach } = costs;
  return {
    surface: options.to === "surface",
    invert: false,
    signed,
    only: 0,
    metric,
    weights,
    unit,
    limit,
    kind,
    reach,
    far: beyond === "infinity" ? Number.POSITIVE_INFINITY : max,
    coarse: beyond === "coarse",
    output: !squared ? "distance" : options.into instanceof Uint16Array ? "squared16" : "squared",
    nearest: nearest !== false,
  };
}

/** Target of a map, checked; a new array if the caller gave none. */
export function checkInto(options: DistanceOptions, plan: DistancePlan, { width, height, depth }: Size): DistanceInto {
  const { into, nearest } = options;
  const values = width * height * depth;
  const resident = checkAs(options, values * 4);
  if (resident) {
    if (plan.nearest) {
      throw new InvalidArgument('Expected nearest only without { as: "buffer" }, got both.', { argument: "as" });
    }
    return { data: { as: "buffer", buffer: resident.into }, nearest: undefined };
  }
  const kind = plan.output === "distance" ? Float32Array : plan.output === "squared" ? Uint32Array : Uint16Array;
  if (plan.output === "squared16" && plan.limit > MOST_SMALL) {
    throw new InvalidArgument(
      "Expected max to be at most 255 units for a Uint16Array, whose squared distances end there.",
      { argument: "max" },
    );
  }
  const checked = <T extends PixelArray>(
    name: string,
    given: unknown,
    type: new (length: number) => T,
  ): T | Sink<T> => {
    if (given === undefined || given === true) {
      if (values >= 2 ** 32)
        throw new InvalidArgument(`Expected a Sink for a map of ${values} pixels, got none.`, { argument: name });
      return new type(values);
    }
    if (given instanceof type && given.length === values) return given;
    if (isSink<T>(Object(given))) return given as Sink<T>;
    const found = ArrayBuffer.isView(given)
      ? `a ${given.constructor.name} of ${(given as PixelArray).length}`
      : show(given);
    throw new InvalidArgument(`Expected ${name} to be a Sink or a ${type.name} of ${values} values, got ${found}.`, {
      argument: name,
    });
  };
  const data = checked<DistanceArray>("into", into, kind) as DistanceInto["data"];
  return { data, nearest: plan.nearest ? checked("nearest", nearest, Uint32Array) : undefined };
}
