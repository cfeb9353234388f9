import type { PixelArray } from "../api/types.js";
import type { Size } from "./pixels.js";
import type { Filter } from "./plans.js";
import type { RegionSums } from "./sums.js";

/** The objects that a filter keeps, by their areas and, where it clears the border, their boxes. */
export function chooseLabels(
  { clearBorder, minArea, maxArea, largest }: Omit<Filter, "fillHoles">,
  { area, bounds }: RegionSums,
  { width, height, depth }: Size,
): Uint8Array {
  const count = area.length;
  const keep = new Uint8Array(count);
  const fields = bounds ? bounds.length / count : 0;
  const ends = [width, height, depth];
  for (let i = 0; i < count; i++) {
    const size = area[i];
    if (size < minArea || size > maxArea) continue;
    if (bounds && clearBorder && touches(bounds, i * fields, fields / 2, ends)) continue;
    keep[i] = 1;
  }
  if (largest > 0) keepLargest(keep, area, largest);
  return keep;
}

/** Whether a box reaches the border; an image's slice is no border. */
function touches(bounds: Uint32Array, at: number, axes: number, ends: readonly number[]): boolean {
  for (let axis = 0; axis < axes; axis++) {
    if (axis === 2 && ends[2] === 1) continue;
    if (bounds[at + axis] === 0 || bounds[at + axes + axis] === ends[axis]) return true;
  }
  return false;
}

/** Of what is kept, only the k largest stay; at equal area the lower label. */
function keepLargest(keep: Uint8Array, area: Uint32Array, k: number): void {
  const areas = area.filter((_, i) => keep[i]).sort();
  if (areas.length <= k) return;
  const least = areas[areas.length - k];
  let ties = k - (areas.length - (areas.lastIndexOf(least) + 1));
  for (let i = 0; i < area.length; i++) {
    const size = area[i];
    if (!keep[i] || size > least) continue;
    if (size === least && ties > 0) ties--;
    else keep[i] = 0;
  }
}

/** The values of the objects that stay, in their order. */
export function valuesKept(values: PixelArray, keep: Uint8Array): PixelArray {
  const channels = values.length / keep.length || 1;
  return values.filter((_, i) => keep[Math.floor(i / channels)] === 1) as PixelArray;
}
