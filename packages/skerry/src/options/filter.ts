// The options of filters.

import type { Filter, HolesPlan } from "../core/plans.js";
import { InvalidArgument } from "../types/errors.js";
import type { FilterOptions } from "../types/filter.js";
import { atLeastZero, flag, positiveInteger, unexpected } from "./arguments.js";

/** A filter that drops and fills nothing. */
export const NO_FILTER: Filter = {
  fillHoles: false,
  maxHoleArea: Number.POSITIVE_INFINITY,
  clearBorder: false,
  minArea: 0,
  maxArea: Number.POSITIVE_INFINITY,
  largest: 0,
};

/** The holes to fill slice by slice, one after another, and the filter after them; undefined if it does nothing. */
export interface CheckedFilter {
  readonly holes: readonly HolesPlan[];
  readonly filter: Filter | undefined;
}

/** Checks a FilterOptions and fills in its defaults. */
export function checkFilter(options: FilterOptions): CheckedFilter {
  const { fillHoles = false, clearBorder = false, minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  const { maxHoleArea = Number.POSITIVE_INFINITY } = options;
  const axes = typeof fillHoles === "string" ? [fillHoles] : Array.isArray(fillHoles) ? fillHoles : [];
  if (axes.length === 0) flag("fillHoles", fillHoles);
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
  const fillsAll = fillHoles === true;
  const drops = clearBorder || minArea > 1 || maxArea < Number.POSITIVE_INFINITY || largest > 0;
  return {
    holes: axes.map((axis) => ({ axis: axisOf(axis), maxHoleArea })),
    filter:
      fillsAll || drops ? { fillHoles: fillsAll, maxHoleArea, clearBorder, minArea, maxArea, largest } : undefined,
  };
}

function axisOf(fillHoles: unknown): "x" | "y" | "z" {
  if (fillHoles === "slices") return "z";
  if (fillHoles === "x" || fillHoles === "y" || fillHoles === "z") return fillHoles;
  throw unexpected("fillHoles", 'true, false, "slices", "x", "y", "z" or a list of these', fillHoles);
}
