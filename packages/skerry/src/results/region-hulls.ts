// Measurements on the convex hulls of images' objects; see assembly/regions-hull.ts.

import type { MeasurePlan } from "../core/measure-plan.js";
import { angleOf, hypotenuse } from "../core/portable.js";
import { HULL_FIELDS, type HullCorners, type ShapeSums, type WholeSums } from "../core/sums.js";
import type { ConvexHulls, RegionProperty } from "../types/regions.js";
import { floatsOf, type Step, type Writable } from "./region-shapes.js";

export function hullSteps(
  wanted: Set<RegionProperty>,
  { area }: WholeSums,
  { hulls, corners }: ShapeSums,
  { scale, physical }: MeasurePlan,
  regions: Writable,
): Step[] {
  if (corners && wanted.has("convexHull")) regions.convexHull = hullsOf(corners, scale, physical);
  if (!hulls) return [];
  const floats = floatsOf(wanted, area.length, regions);
  const convex = floats("convexArea");
  const solidity = floats("solidity");
  const feret = floats("feretDiameter", 4);
  const rectangle = floats("minimumRectangle", 5);
  const [sx, sy] = scale;
  return [
    (i) => {
      const at = HULL_FIELDS * i;
      if (convex) convex[i] = hulls[at] * sx * sy;
      if (solidity) solidity[i] = area[i] / hulls[at];
      if (feret) {
        const [x, y] = [hulls[at + 1], hulls[at + 2]];
        feret.set([hypotenuse(x, y), angleTo(x, y), hulls[at + 3], angleTo(hulls[at + 4], hulls[at + 5])], 4 * i);
      }
      if (rectangle) {
        const [along, across, x, y] = hulls.subarray(at + 8, at + 12);
        const sides = along >= across ? [along, across, angleTo(x, y)] : [across, along, angleTo(-y, x)];
        // The kernel has pixel centres at integers, but results have pixel corners there: add half a pixel.
        rectangle.set([hulls[at + 6] + sx / 2, hulls[at + 7] + sy / 2, ...sides], 5 * i);
      }
    },
  ];
}

/** The angle between the y axis and a line, -pi/2 exclusive to pi/2. */
function angleTo(x: number, y: number): number {
  return y < 0 || (y === 0 && x < 0) ? angleOf(-x, -y) : angleOf(x, y);
}

/** Corners as they are, or in units of the pixels' size. */
function hullsOf({ points, ends }: HullCorners, [sx, sy]: readonly number[], physical: boolean): ConvexHulls {
  const offsets = new Uint32Array(ends.length + 1);
  for (const [i, end] of ends.entries()) offsets[i + 1] = 2 * end;
  const places = physical ? Float64Array.from(points, (n, k) => n * (k % 2 === 0 ? sx : sy)) : points;
  return { points: places, offsets };
}
