// The order of filters, the same on every device. First holes are filled and the result is labelled. Then one choice
// drops objects: those at the border, those of the wrong area, and all but the largest of the rest (`chooseLabels`, or
// a kernel). A hole is a background component that does not touch the border.

import type { Connectivity, PixelArray } from "../types/raster.js";
import type { Call } from "./call.js";
import type { Size } from "./pixels.js";
import { complementOf, type Filter, keepsAll } from "./plans.js";
import type { RegionSums } from "./sums.js";

/** A byte per object, 1 if the filter keeps it, from the areas and, with `clearBorder`, the bounding boxes. */
export function chooseLabels(
  { clearBorder, minArea, maxArea, largest }: Choice,
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

/** Whether a box touches the border; an image has no border along z. */
function touches(bounds: Uint32Array, at: number, axes: number, ends: readonly number[]): boolean {
  for (let axis = 0; axis < axes; axis++) {
    if (axis === 2 && ends[2] === 1) continue;
    if (bounds[at + axis] === 0 || bounds[at + axes + axis] === ends[axis]) return true;
  }
  return false;
}

/** Keeps only the k largest of the kept objects; at equal area the lower label. */
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

/** The values of the kept objects, in their order. */
export function valuesKept(values: PixelArray, keep: Uint8Array): PixelArray {
  const channels = values.length / keep.length || 1;
  return values.filter((_, i) => keep[Math.floor(i / channels)] === 1) as PixelArray;
}

/** The options that drop objects. */
export type Choice = Omit<Filter, "fillHoles" | "maxHoleArea">;

/** The steps of a filter that a device implements. P are bit planes, L their labels. */
export interface FilterSteps<P, L extends { free(): void }> {
  /** Labels planes; the labels then own the planes. */
  label(planes: P, connectivity: Connectivity, call: Call): Promise<L>;
  /** The planes of the objects that a choice keeps. */
  select(labelled: L, choice: Choice, call: Call): Promise<P>;
  /** The planes of the background of one polarity. */
  background(which: 0 | 1): Promise<P>;
  /** New planes; calls `fill` for each polarity to write them. */
  filled(fill: (filled: P, which: 0 | 1) => Promise<void>, call: Call): Promise<P>;
  /** Writes the objects of one polarity with their holes. */
  addHoles(filled: P, holes: P, which: 0 | 1): Promise<void>;
  free(planes: P): void;
}

/** Applies a filter. `labelled` does not change, and the result is new even if nothing was dropped. */
export async function filterInOrder<P, L extends { readonly connectivity: Connectivity; free(): void }>(
  labelled: L,
  filter: Filter,
  call: Call,
  steps: FilterSteps<P, L>,
): Promise<L> {
  const { connectivity } = labelled;
  const begun = performance.now();
  const inner: Call = { signal: call.signal, onProgress: call.onProgress, timings: [] };
  const label = (planes: P): Promise<L> => steps.label(planes, connectivity, inner);
  try {
    if (!filter.fillHoles) return await label(await steps.select(labelled, filter, inner));
    const filled = await label(
      await steps.filled((planes, which) => fillHoles(planes, which, { connectivity, ...filter }, inner, steps), inner),
    );
    if (keepsAll(filter)) return filled;
    try {
      return await label(await steps.select(filled, filter, inner));
    } finally {
      filled.free();
    }
  } finally {
    call.timings.push({ stage: "filter", milliseconds: performance.now() - begun, bytes: 0 });
  }
}

/** Fills the holes of one polarity: its background components that do not touch the border. */
async function fillHoles<P, L extends { free(): void }>(
  filled: P,
  which: 0 | 1,
  { connectivity, maxHoleArea }: Pick<Filter, "maxHoleArea"> & { readonly connectivity: Connectivity },
  call: Call,
  steps: FilterSteps<P, L>,
): Promise<void> {
  const outside = await steps.label(await steps.background(which), complementOf(connectivity), call);
  try {
    const inside = { clearBorder: true, minArea: 0, maxArea: maxHoleArea, largest: 0 };
    const holes = await steps.select(outside, inside, call);
    try {
      await steps.addHoles(filled, holes, which);
    } finally {
      steps.free(holes);
    }
  } finally {
    outside.free();
  }
}
