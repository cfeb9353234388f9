// The options of filters.

import { InvalidArgument } from "../api/errors.js";
import type { FilterOptions } from "../api/types.js";
import type { Filter } from "../core/plans.js";
import { atLeastZero, flag, positiveInteger } from "./arguments.js";

/** Fills in the defaults of a FilterOptions; undefined when nothing is filtered. */
export function checkFilter(options: FilterOptions): Filter | undefined {
  const { fillHoles = false, clearBorder = false, minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  for (const [name, value] of Object.entries({ fillHoles, clearBorder })) flag(name, value);
  for (const [name, value] of Object.entries({ minArea, maxArea })) atLeastZero(name, value);
  if (minArea > maxArea) {
    throw new InvalidArgument(`Expected minArea to be at most maxArea, got ${minArea} and ${maxArea}.`, {
      argument: "minArea",
    });
  }
  const largest = options.largest === undefined ? 0 : positiveInteger("largest", options.largest);
  if (!fillHoles && !clearBorder && minArea <= 1 && maxArea === Number.POSITIVE_INFINITY && !largest) return undefined;
  return { fillHoles, clearBorder, minArea, maxArea, largest };
}
