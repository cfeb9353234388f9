// Labels as files store them: 32 bits per pixel, or 16 if the format has no 32 and 16 suffice.

import type { Components, Sink } from "skerry";
import { FileError } from "../errors.js";

import type { Fill, Layout, ValueType } from "../layout.js";
import { type Space, spaceOf } from "../space.js";

/** Types that labels are written as, the first choice first. */
export const LABEL_TYPES: readonly ValueType[] = ["u32", "u16"];

const MOST_SHORT = 65535;

/**
 * The layout of a label image's file, and its values.
 * @throws FileError for u16 and more than 65535 objects
 */
export function labelValues(
  components: Components,
  type: ValueType,
  space?: Space,
): { readonly layout: Layout; readonly fill: Fill } {
  const { width, height, depth, spacing, count } = components;
  if (type === "u16" && count > MOST_SHORT) {
    throw new FileError(
      `Expected at most ${MOST_SHORT} objects for 16-bit labels, got ${count}; write .npy or .tif instead.`,
    );
  }
  const size = { width, height, depth };
  // Without a range, ImageJ shows 32-bit labels from 0 to the most that they can be: all black.
  const range = count > 0 ? ([0, count] as const) : undefined;
  const header = { ...size, type, labels: true, range, description: "labels by skerry" };
  const layout = { ...header, space: space ?? spaceOf({ size, spacing }) };
  return { layout, fill: (sink) => components.labels({ into: sink as Sink }) };
}
