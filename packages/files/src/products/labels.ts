// Labels as files have them: 32 bits per pixel, or 16 where a format has no more and they are enough.

import type { Components, Sink } from "skerry";
import { FileError } from "../errors.js";

import { type Fill, type Layout, type Place, placed, type ValueType } from "../layout.js";

/** Types that labels are written as, the first choice first. */
export const LABEL_TYPES: readonly ValueType[] = ["u32", "u16"];

const MOST_SHORT = 65535;

/** The layout of a label image's file, and its values. */
export function labelValues(
  components: Components,
  type: ValueType,
  place?: Place,
): { readonly layout: Layout; readonly fill: Fill } {
  const { width, height, depth, spacing, count } = components;
  if (type === "u16" && count > MOST_SHORT) {
    throw new FileError(
      `Expected at most ${MOST_SHORT} objects for 16-bit labels, got ${count}; write .npy or .tif instead.`,
    );
  }
  const own = { width, height, depth, spacing, type, labels: true, description: "labels by skerry" };
  const layout = { ...own, ...placed(place) };
  return { layout, fill: (sink) => components.labels({ into: sink as Sink }) };
}
