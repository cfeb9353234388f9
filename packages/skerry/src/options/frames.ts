// The options of `engine.frames()`: the shape of a frame, and the prepared plan where a fixed threshold and sums over runs suffice.

import { isAutomatic } from "../core/automatic-threshold.js";
import { defined } from "../core/defined.js";
import type { FramesPlan } from "../core/frames-plan.js";
import { hasKernels, newPixels, type Pixels, type Shape } from "../core/pixels.js";
import { REGION_LEVELS } from "../core/plans.js";
import type { ComponentsOptions } from "../types/components.js";
import type { FramesOptions } from "../types/frames.js";
import type { Source } from "../types/raster.js";
import type { RegionLevel } from "../types/region-properties.js";
import type { RegionProperty } from "../types/regions.js";
import { oneOf, unexpected } from "./arguments.js";
import { checkConnectivity, checkLinkage } from "./components.js";
import { checkFilter } from "./filter.js";
import { checkNames, type Keys, namesOf } from "./names.js";
import { checkSource, TYPES } from "./pixels.js";
import { planRegions } from "./regions.js";
import { checkThreshold, fixedRule } from "./threshold.js";

/** The options beside those of `components()`. */
const OWN: Keys<Omit<FramesOptions, keyof ComponentsOptions>> = {
  width: true,
  height: true,
  type: true,
  channels: true,
  nodata: true,
  spacing: true,
  properties: true,
  quantiles: true,
  bins: true,
  perChannel: true,
};
const NAMES = [
  ...namesOf("components").filter((name) => name !== "signal" && name !== "onProgress"),
  ...Object.keys(OWN),
];

/** A checked engine.frames(). */
export interface PlannedFrames {
  readonly shape: Shape;
  readonly properties: readonly RegionProperty[];
  readonly minArea: number;
  readonly maxArea: number;
  /** Undefined if the options need more than a prepared plan has. */
  readonly plan: FramesPlan | undefined;
}

/** The options that a prepared plan takes. */
const PREPARED: readonly string[] = [
  "width",
  "height",
  "type",
  "channels",
  "spacing",
  "properties",
  "threshold",
  "connectivity",
  "minArea",
  "maxArea",
];
/** The properties that it measures, each with the sums that it needs. */
const LEVELS: Partial<Record<RegionProperty, RegionLevel>> = { area: "area", bounds: "bounds", centroid: "centroid" };

export function planFrames(options: FramesOptions<RegionProperty>): PlannedFrames {
  checkNames("frames", NAMES, options);
  const { width, height, type, channels, nodata, spacing, properties = ["area", "bounds", "centroid"] } = options;
  oneOf("the type of the frames", type, TYPES);
  const read = (): void => undefined;
  const { shape } = checkSource(
    defined<Source>({ width, height, type, channels, nodata, spacing, read }),
    "the frames",
  );
  const connectivity = checkConnectivity(options.connectivity, shape);
  const threshold = checkThreshold(options.threshold === undefined ? "nonzero" : options.threshold, options.polarity);
  checkLinkage(options, shape.channels);
  const { minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  checkFilter(options);
  if (properties.length === 0) {
    throw unexpected("properties", "a list of properties", properties);
  }
  const pixels: Pixels = { kind: "array", shape, data: newPixels(type, 0) };
  const linked = options.by !== undefined;
  const wanted = { properties, quantiles: options.quantiles, bins: options.bins, perChannel: options.perChannel };
  planRegions(wanted, [pixels], { ...shape, spacing: [1, 1, 1], linked });
  const checked = { shape, properties, minArea, maxArea, plan: undefined };
  const others = Object.entries(options).some(([name, value]) => value !== undefined && !PREPARED.includes(name));
  const isFixed =
    threshold === "nonzero" || (typeof threshold === "object" && !("local" in threshold || "hysteresis" in threshold));
  const levels = properties.map((property) => LEVELS[property]);
  if (others || !isFixed || isAutomatic(threshold) || shape.channels > 1 || !hasKernels(type)) return checked;
  if (levels.includes(undefined)) return checked;
  const predicate = fixedRule(threshold, shape).predicate(false);
  const level = REGION_LEVELS[Math.max(...levels.map((each) => REGION_LEVELS.indexOf(each as RegionLevel)))];
  return { ...checked, plan: { shape, predicate, connectivity, level } };
}
