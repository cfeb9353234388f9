// Lengths of contours, from counts of border pixels and of crossings; see assembly/regions-contour.ts.

import type { MeasurePlan } from "../core/measure-plan.js";
import { CONTOUR_FIELDS, type ShapeSums, type WholeSums } from "../core/sums.js";
import type { RegionProperty } from "../types/regions.js";
import { floatsOf, type Step, type Writable } from "./region-shapes.js";

export function contourSteps(
  wanted: Set<RegionProperty>,
  { area }: WholeSums,
  { contours }: ShapeSums,
  { scale }: MeasurePlan,
  regions: Writable,
): Step[] {
  if (!contours) return [];
  // planRegions() has checked that pixels are square.
  const [side] = scale;
  const floats = floatsOf(wanted, area.length, regions);
  const perimeter = floats("perimeter");
  const crofton = floats("crofton");
  const circularity = floats("circularity");
  return [
    (i) => {
      const at = CONTOUR_FIELDS * i;
      const length = contours[at] + contours[at + 1] * Math.SQRT2 + (contours[at + 2] * (1 + Math.SQRT2)) / 2;
      if (perimeter) perimeter[i] = length * side;
      // Lines of four directions: those along the axes are a pixel apart, those along the diagonals its half diagonal.
      if (crofton) crofton[i] = (Math.PI / 4) * (contours[at + 3] + contours[at + 4] / Math.SQRT2) * side;
      if (circularity) circularity[i] = length > 0 ? (4 * Math.PI * area[i]) / (length * length) : Number.NaN;
    },
  ];
}
