// Measurements on the convex hulls of volumes' objects; see assembly/regions-hull-3d.ts.

import type { MeasurePlan } from "../core/measure-plan.js";
import { type ShapeSums, SOLID_FIELDS, type WholeSums } from "../core/sums.js";
import type { RegionProperty } from "../types/regions.js";
import { floatsOf, pointed, type Step, type Writable } from "./region-shapes.js";

export function solidHullSteps(
  wanted: Set<RegionProperty>,
  { area }: WholeSums,
  { solids }: ShapeSums,
  { scale }: MeasurePlan,
  regions: Writable,
): Step[] {
  if (!solids) return [];
  const floats = floatsOf(wanted, area.length, regions);
  const convex = floats("convexVolume");
  const solidity = floats("solidity");
  const feret = floats("feretDiameter", 4);
  return [
    (i) => {
      const [voxels, ...way] = solids.subarray(SOLID_FIELDS * i, SOLID_FIELDS * (i + 1));
      if (convex) convex[i] = voxels * scale[0] * scale[1] * scale[2];
      if (solidity) solidity[i] = area[i] / voxels;
      if (!feret) return;
      const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
      feret.set([length, ...pointed(way).map((n) => n / length)], 4 * i);
    },
  ];
}
