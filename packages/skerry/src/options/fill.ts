// Checks the options of a fill, and turns them into a plan for every device.

import { type Shape, type Size, sizeText } from "../core/pixels.js";
import type { FillPlan, Seed } from "../core/plans.js";
import { InvalidArgument } from "../types/errors.js";
import { COLOUR_METRICS, FILL_RANGES, type FillOptions } from "../types/fill.js";
import { atLeastZero, flag, oneOf, show, unexpected } from "./arguments.js";
import { checkConnectivity } from "./components.js";
import { checkWithin, placeText } from "./pixels.js";

/** Checks the options against the size of the raster and fills in the defaults. */
export function planFill(options: FillOptions, shape: Shape, given: { readonly depth?: number }): FillPlan {
  const { channels } = shape;
  const { metric = "linf", range = "fixed", average = 1, contiguous = true, within } = options;
  oneOf("metric", metric, COLOUR_METRICS);
  oneOf("range", range, FILL_RANGES);
  flag("contiguous", contiguous);
  if (!Number.isInteger(average) || average < 1 || average > 255 || average % 2 === 0) {
    throw unexpected("average", "an odd whole number from 1 to 255", average);
  }
  const floating = range === "floating";
  if (floating && !contiguous) {
    throw new InvalidArgument(
      'Expected range "fixed" with contiguous false, got "floating": only connected pixels have neighbours.',
      {
        argument: "range",
      },
    );
  }
  if (floating && average > 1) {
    throw new InvalidArgument(
      'Expected range "fixed" with an average: a floating range does not use the seed\'s colour.',
      { argument: "range" },
    );
  }
  return {
    seeds: checkSeeds(options.seeds, shape),
    metric: channels === 1 ? "linf" : metric,
    ...checkTolerance(options.tolerance ?? 0, metric, channels),
    floating,
    connectivity: checkConnectivity(options.connectivity, shape, given),
    average,
    contiguous,
    within: within === undefined ? undefined : checkWithin(within, shape),
  };
}

/** Checks one seed. */
export function checkSeed(seed: unknown, size: Size): Seed {
  const { width, height, depth } = size;
  const axes = depth > 1 ? 3 : 2;
  if (!Array.isArray(seed) || seed.length !== axes || !Array.from(seed).every(Number.isInteger)) {
    throw unexpected("a seed", `${placeText(size)} in whole pixels`, seed);
  }
  const [x, y, z = 0] = seed as [number, number, number?];
  if (x < 0 || y < 0 || z < 0 || x >= width || y >= height || z >= depth) {
    throw new InvalidArgument(
      `Expected seeds inside the ${sizeText(size)} ${depth > 1 ? "volume" : "image"}, got ${show(seed)}.`,
      { argument: "seeds" },
    );
  }
  return [x, y, z];
}

function checkSeeds(seeds: unknown, size: Size): Seed[] {
  if (!Array.isArray(seeds) || seeds.length === 0) {
    throw unexpected("seeds", `a list of at least one ${placeText(size)}`, seeds);
  }
  return Array.from(seeds, (seed) => checkSeed(seed, size));
}

function checkTolerance(
  tolerance: unknown,
  metric: string,
  channels: number,
): { lower: readonly number[]; upper: readonly number[] } {
  const sides = Object(tolerance) as { lower?: unknown; upper?: unknown };
  const twoSided = !Array.isArray(tolerance) && typeof tolerance === "object" && tolerance !== null;
  if (twoSided && (sides.lower === undefined || sides.upper === undefined)) {
    throw new InvalidArgument("Expected a tolerance of two sides to have both lower and upper.", {
      argument: "tolerance",
    });
  }
  const lower = perChannel(twoSided ? sides.lower : tolerance, twoSided ? "tolerance.lower" : "tolerance", channels);
  const upper = twoSided ? perChannel(sides.upper, "tolerance.upper", channels) : lower;
  if (channels > 1 && metric !== "linf" && typeof tolerance !== "number") {
    throw new InvalidArgument(`Expected one tolerance with metric "${metric}", which is a single distance.`, {
      argument: "tolerance",
    });
  }
  return { lower, upper };
}

function perChannel(value: unknown, name: string, channels: number): number[] {
  const values = Array.isArray(value) ? value : Array.from({ length: channels }, () => value);
  if (values.length !== channels) {
    throw new InvalidArgument(
      `Expected ${name} to be one number or one per channel, which are ${channels}, got ${values.length}.`,
      { argument: name },
    );
  }
  for (const each of values) atLeastZero(name, each);
  return values as number[];
}
