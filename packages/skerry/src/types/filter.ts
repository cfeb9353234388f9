// The options that choose which objects stay.

import type { CallOptions } from "./calls.js";
import type { Image, Raster, Source } from "./raster.js";
import type { NumberProperty, ObjectProperty } from "./region-properties.js";
import type { RegionsOptions } from "./regions.js";
import type { Polarity } from "./threshold.js";

/** Slices whose holes are filled: those across an axis. `"slices"` are those across z. */
export type HoleSlices = "slices" | "x" | "y" | "z";

/** Options that fill holes and drop objects, applied in this order: holes, border, area, largest. */
export interface FilterOptions {
  /**
   * Fill background components (of the complementary connectivity) that do not touch the image border. `"slices"` (or
   * `"z"`), `"x"` and `"y"` fill the holes of each slice across that axis instead, as images; the CPU does this, and
   * objects of two polarities are united. Of a list, such as `["x", "z"]`, one after another.
   */
  readonly fillHoles?: boolean | HoleSlices | readonly HoleSlices[];
  /** With `fillHoles`: holes of more pixels stay open. */
  readonly maxHoleArea?: number;
  /** Drop objects that touch the image border. */
  readonly clearBorder?: boolean;
  /** Drop objects of fewer pixels. */
  readonly minArea?: number;
  /** Drop objects of more pixels. */
  readonly maxArea?: number;
  /** Keep the k largest objects; at equal area the lower label stays. */
  readonly largest?: number;
}

/** Options of `components.keep()`: exactly one of `perValue` and `labels`; see also {@link KeepWhereOptions}. */
export interface KeepOptions extends CallOptions {
  /** Not with `labels`: properties belong to `where`. */
  readonly properties?: undefined;
  /** Not with `labels`. */
  readonly where?: undefined;
  /**
   * Keeps the k largest objects of each value or polarity; without values and polarities, the k largest of all. At equal area
   * the lower label stays.
   */
  readonly perValue?: number;
  /** Keeps the objects with these labels. */
  readonly labels?: Iterable<number>;
}

/** Properties of one object: a number each, or a list for a property of several numbers, e.g. `centroid`. */
export type ObjectProperties<P extends ObjectProperty> = {
  readonly [K in P]: K extends NumberProperty ? number : readonly number[];
};

/** Facts that an object has without being measured. */
export interface ObjectKind {
  /** The side of the threshold, of components found with `{ outside }`. */
  readonly polarity?: Polarity;
  /** The value of the first pixel, one per channel, of components found `by` value or tolerance, and of label images. */
  readonly value?: number | readonly number[];
}

/** Options of `components.keep()` that choose objects by their properties. */
export interface KeepWhereOptions<P extends ObjectProperty>
  extends CallOptions,
    Pick<RegionsOptions, "quantiles" | "physical"> {
  /** Not with `where`. */
  readonly perValue?: undefined;
  /** Not with `where`. */
  readonly labels?: undefined;
  /** The properties that are measured, without `convexHull` and `histogram`; see {@link RegionProperty}. None by default. */
  readonly properties?: readonly P[];
  /** Pixels to measure under the objects, of the components' size. */
  readonly intensity?: Raster | Image | Source;
  /** Whether an object stays; `index + 1` is its label. */
  readonly where: (object: ObjectProperties<P> & ObjectKind, index: number) => boolean;
}
