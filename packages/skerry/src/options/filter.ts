// The options of filters.

import type { Filter, HolesPlan } from "../core/plans.js";
import { InvalidArgument } from "../types/errors.js";
import type { FilterOptions } from "../types/filter.js";
import { atLeastZero, flag, positiveInteger, unexpected } from "./arguments.js";

/** A filter that drops and fills nothing. */
export const NO_FILTER: Filter = {
  ...{ fillHoles: false, maxHoleArea: Number.POSITIVE_INFINITY, clearBorder: false },
  ...{ minArea: 0, maxArea: Number.POSITIVE_INFINITY, largest: 0 },
};

/** The holes to fill slice by slice, and the filter after them; undefined for a step that does nothing. */
export interface CheckedFilter {
  readonly holes: HolesPlan | undefined;
  readonly filter: Filter | undefined;
}

/** Checks a FilterOptions and fills in its defaults. */
export function checkFilter(options: FilterOptions): CheckedFilter {
  const { fillHoles = false, clearBorder = false, minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  const { maxHoleArea = Number.POSITIVE_INFINITY } = options;
  const axis = typeof fillHoles === "string" ? axisOf(fillHoles) : undefined;
  if (!axis) flag("fillHoles", fillHoles);
  flag("clearBorder", clearBorder);
  for (const [name, value] of Object.entries({ minArea, maxArea, maxHoleArea })) atLeastZero(name, value);
  if (minArea > maxArea) {
    throw new InvalidArgument(`Expected minArea to be at most maxArea, got ${minArea} and ${maxArea}.`, {
      argument: "minArea",
    });
  }
  if (options.maxHoleArea !== undefined && fillHoles === false) {
    throw new InvalidArgument("Expected maxHoleArea only with fillHoles.", { argument: "maxHoleArea" });
  }
  const largest = options.largest === undefined ? 0 : positiveInteger("largest", options.largest);
  const whole = fillHoles === true;
  const drops = clearBorder || minArea > 1 || maxArea < Number.POSITIVE_INFINITY || largest > 0;
  return {
    holes: axis && { axis, maxHoleArea },
    filter: whole || drops ? { fillHoles: whole, maxHoleArea, clearBorder, minArea, maxArea, largest } : undefined,
  };
}

function axisOf(fillHoles: string): "x" | "y" | "z" {
  if (fillHoles === "slices") return "z";
  if (fillHoles === "x" || fillHoles === "y" || fillHoles === "z") return fillHoles;
  throw unexpected("fillHoles", 'true, false, "slices", "x", "y" or "z"', fillHoles);
}
