// The names of each call's options. Other names are rejected with the nearest known name as a hint, because a misspelt
// option would otherwise be ignored.

import type { CallOptions } from "../types/calls.js";
import type { LabelledOptions, StackOptions } from "../types/components.js";
import type { DistanceOptions } from "../types/distance.js";
import type { OpenOptions, RequestDeviceOptions } from "../types/engine.js";
import { InvalidArgument } from "../types/errors.js";
import type { FillOptions, PaintOptions, WandOptions } from "../types/fill.js";
import type { FilterOptions, KeepOptions, KeepWhereOptions } from "../types/filter.js";
import type { HistogramOptions } from "../types/histogram.js";
import type { KmeansOptions, PickKOptions, RecolourOptions } from "../types/kmeans.js";
import type { FlattenOptions, GradientOptions, SmoothOptions, UnmixOptions } from "../types/light.js";
import type { ExpandOptions, MorphologyOptions } from "../types/morphology.js";
import type { OutlineOptions } from "../types/outlines.js";
import type { PrepareOptions } from "../types/prepare.js";
import type { ObjectProperty } from "../types/region-properties.js";
import type { RegionsOptions } from "../types/regions.js";
import type { AbsorbOptions, SplitOptions, WatershedOptions } from "../types/split.js";
import type { SuggestOptions } from "../types/suggest.js";
import { show, unexpected } from "./arguments.js";
import { nearest } from "./nearest.js";

/** Every key of an options type; `tsc` rejects a list with a missing key. */
export type Keys<T> = { readonly [K in keyof Required<T>]: true };

const call: Keys<CallOptions> = { signal: true, onProgress: true };
const filter: Keys<FilterOptions> = {
  fillHoles: true,
  maxHoleArea: true,
  clearBorder: true,
  minArea: true,
  maxArea: true,
  largest: true,
};
const pickK: Keys<PickKOptions> = {
  ...call,
  max: true,
  metric: true,
  init: true,
  seed: true,
  maxIterations: true,
  tolerance: true,
  colourSpace: true,
  restarts: true,
  ignoreTransparent: true,
  within: true,
};
const { max: _, ...clustering } = pickK;

const open: Keys<OpenOptions> = {
  device: true,
  gpu: true,
  bindingBytes: true,
  profile: true,
  threads: true,
  worker: true,
  shared: true,
  mainThread: true,
};
const requestDevice: Keys<RequestDeviceOptions> = { gpu: true, software: true };
const components: Keys<StackOptions> = {
  ...call,
  each: true,
  ...filter,
  threshold: true,
  polarity: true,
  by: true,
  background: true,
  connectivity: true,
  memory: true,
  within: true,
  channel: true,
  smooth: true,
  gradient: true,
  flatten: true,
  open: true,
  close: true,
  erode: true,
  dilate: true,
  expand: true,
  physical: true,
  split: true,
  absorb: true,
};
const suggest: Keys<SuggestOptions> = { ...components, keep: true };
const fill: Keys<FillOptions> = {
  ...call,
  seeds: true,
  tolerance: true,
  metric: true,
  range: true,
  connectivity: true,
  average: true,
  contiguous: true,
  within: true,
};
const distance: Keys<DistanceOptions> = {
  ...call,
  threshold: true,
  polarity: true,
  to: true,
  max: true,
  beyond: true,
  spacing: true,
  squared: true,
  signed: true,
  nearest: true,
  metric: true,
  into: true,
  as: true,
  memory: true,
  within: true,
};
const kmeans: Keys<KmeansOptions> = { ...clustering, k: true, into: true, as: true };
const wand: Keys<WandOptions> = { ...call, seeds: true, connectivity: true, contiguous: true };
const regions: Keys<RegionsOptions> = {
  ...call,
  properties: true,
  intensity: true,
  perChannel: true,
  quantiles: true,
  bins: true,
  physical: true,
};
const keep: Keys<KeepOptions> & Keys<KeepWhereOptions<ObjectProperty>> = {
  ...call,
  perValue: true,
  labels: true,
  properties: true,
  where: true,
  intensity: true,
  physical: true,
  quantiles: true,
};
const morphology: Keys<MorphologyOptions> = { ...call, physical: true, metric: true, border: true };
const expand: Keys<ExpandOptions> = { ...call, physical: true };
const split: Keys<SplitOptions> = {
  ...call,
  by: true,
  h: true,
  markers: true,
  physical: true,
  minArea: true,
};
const absorb: Keys<AbsorbOptions> = { ...call, minArea: true, into: true };
const watershed: Keys<WatershedOptions> = {
  ...call,
  markers: true,
  within: true,
  polarity: true,
  connectivity: true,
};
const outlines: Keys<OutlineOptions> = { ...call, labels: true, tolerance: true, rings: true };
const labelled: Keys<LabelledOptions> = { ...call, connectivity: true };
const smooth: Keys<SmoothOptions> = { ...call, sigma: true, physical: true };
const gradient: Keys<GradientOptions> = { ...call, by: true, physical: true };
const flatten: Keys<FlattenOptions> = { ...call, radius: true, method: true };
const unmix: Keys<UnmixOptions> = { ...call, stains: true };
const histogram: Keys<HistogramOptions> = { ...call, bins: true, within: true };
const paint: Keys<PaintOptions> = { ...call, opacity: true, into: true };
const prepare: Keys<PrepareOptions> = { ...call, type: true, channels: true, volume: true };
const recolour: Keys<RecolourOptions> = { ...call, alpha: true };

const KNOWN = {
  open,
  requestDevice,
  components,
  measure: call,
  fill,
  distance,
  kmeans,
  pickK,
  wand,
  regions,
  keep,
  paint,
  recolour,
  prepare,
  areas: call,
  load: call,
  toRaster: { ...call, into: true },
  channel: call,
  contacts: call,
  at: call,
  over: call,
  filter: { ...call, ...filter },
  histogram,
  smooth,
  gradient,
  flatten,
  unmix,
  suggest,
  dilate: morphology,
  erode: morphology,
  "components.open": morphology,
  close: morphology,
  expand,
  edit: call,
  split,
  absorb,
  watershed,
  outlines,
  union: call,
  intersection: call,
  difference: call,
  labelled,
  labels: { ...call, into: true, as: true, window: true },
  runs: { ...call, groupBy: true },
  mask: { ...call, polarity: true, into: true, as: true, window: true },
  surface: { ...call, border: true },
  cocoRle: { compressed: true },
  toRle: { compressed: true },
} as const;

/** The names of a call's options. */
export function namesOf(name: keyof typeof KNOWN): readonly string[] {
  return Object.keys(KNOWN[name]);
}

/**
 * Checks that `options` is an object with known keys only; keys of value `undefined` pass. Also checks the types of
 * `signal` and `onProgress`.
 */
export function checkOptions(name: keyof typeof KNOWN, options: unknown): void {
  checkNames(name, namesOf(name), options);
}

/** The same for a call whose names are loaded with it. */
export function checkNames(name: string, known: readonly string[], options: unknown): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw unexpected(`the options of ${name}()`, "an object", options);
  }
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || known.includes(key)) continue;
    const near = nearest(key, known);
    throw new InvalidArgument(
      `Expected options that ${name}() knows, got ${show(key)}${near ? `; did you mean "${near}"?` : `; it knows ${known.join(", ")}.`}`,
      { argument: key },
    );
  }
  const { signal, onProgress } = options as { signal?: { throwIfAborted?: unknown }; onProgress?: unknown };
  if (signal !== undefined && typeof Object(signal).throwIfAborted !== "function") {
    throw unexpected("signal", "an AbortSignal", signal);
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw unexpected("onProgress", "a function", onProgress);
  }
}
