// The options of `components()` that determine which pixels join.

import type { Size } from "../core/pixels.js";
import type { Linkage } from "../core/plans.js";
import type { ComponentsOptions } from "../types/components.js";
import { InvalidArgument } from "../types/errors.js";
import { CONNECTIVITIES, type Connectivity } from "../types/raster.js";
import { atLeastZero, number, show, unexpected } from "./arguments.js";

/**
 * 4 or 8 for an image, 6, 18 or 26 for a volume; the first by default. `given` is the input. With an explicit `depth: 1` it is
 * also a volume of one slice, in which 6 neighbours are 4, and 18 or 26 are 8.
 */
export function checkConnectivity(
  connectivity: unknown,
  { depth }: Pick<Size, "depth">,
  given: { readonly depth?: number } = {},
): Connectivity {
  if (depth === 1 && given.depth === 1) {
    if (connectivity === 6) return 4;
    if (connectivity === 18 || connectivity === 26) return 8;
  }
  const known: readonly Connectivity[] = CONNECTIVITIES[depth > 1 ? "volume" : "image"];
  const found = connectivity === undefined ? known[0] : known.find((each) => each === connectivity);
  if (found === undefined) {
    const expected = depth > 1 ? "6, 18 or 26 for a volume" : "4 or 8 for a 2-D image";
    throw unexpected("connectivity", `${expected}`, connectivity);
  }
  return found;
}

/** The rule that joins pixels by their values; undefined if a threshold is used instead. */
export function checkLinkage(
  { by, background: given, threshold, polarity, fillHoles }: ComponentsOptions,
  channels: number,
): Linkage | undefined {
  if (by === undefined) {
    if (given !== undefined) {
      throw new InvalidArgument(`Expected a background only with by: "value" or a tolerance, got ${show(given)}.`, {
        argument: "background",
      });
    }
    return undefined;
  }
  const background = given === undefined ? 0 : given;
  const tolerance = by === "value" ? 0 : (Object(by) as { tolerance?: unknown }).tolerance;
  if (tolerance === undefined) {
    throw unexpected("by", '"value" or { tolerance: number }', by);
  }
  atLeastZero("by.tolerance", tolerance);
  for (const [name, value] of Object.entries({ threshold, polarity })) {
    if (value !== undefined)
      throw new InvalidArgument(`Expected no ${name} with by, got ${show(value)}.`, { argument: name });
  }
  if (fillHoles !== undefined && fillHoles !== false) {
    throw new InvalidArgument("Expected fillHoles only with a threshold: with by, a hole may hold another object.", {
      argument: "fillHoles",
    });
  }
  if (background === null) return { tolerance: tolerance as number, background: undefined };
  const values = Array.isArray(background) ? background : Array.from({ length: channels }, () => background);
  if (values.length !== channels) {
    throw new InvalidArgument(
      `Expected background to be null, one number or one per channel, which are ${channels}, got ${values.length}.`,
      { argument: "background" },
    );
  }
  for (const value of values) number("background", value);
  return { tolerance: tolerance as number, background: values };
}
