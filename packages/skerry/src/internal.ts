// Exports for our own packages beyond the library's public names. They are not documented, and change without notice.

export { type FoundSums, objectSums } from "./api/object-sums.js";
export { measureSpeeds } from "./api/speeds.js";
export { chooseThreshold } from "./core/automatic-threshold.js";
export { areObjectsDark, lumaOf, newSamples, type SampledAxis, sampledAxes } from "./core/background.js";
export { defined } from "./core/defined.js";
export {
  countBelow,
  type Joins,
  joinComponents,
  type Meeting,
  meetingsAt,
  type NumberedStrips,
  numberStrips,
  type SeamSide,
} from "./core/join-components.js";
export { newPixels, PIXEL_RANGE } from "./core/pixels.js";
export { INTENSITY_FIELDS } from "./core/sums.js";
export type { ObjectSums } from "./operations/measure.js";
export { isNonzeroGround } from "./operations/samples.js";
export { nearest } from "./options/nearest.js";
export { stainWeights } from "./options/stains.js";
export { cocoRle, cocoString } from "./results/coco.js";
export { type WholeObjects, wholeRegions } from "./results/whole-objects.js";
export { DISTANCE_METRICS } from "./types/distance.js";
export { EDITS, type EditName, MOST_RADIUS } from "./types/edits.js";
export { COLOUR_METRICS, FILL_RANGES } from "./types/fill.js";
export { CLUSTER_METRICS, COLOUR_SPACES, COLOUR_STARTS } from "./types/kmeans.js";
export { CHANNELS, CONNECTIVITIES, PROJECTIONS, type Projection, STAIN_NAMES } from "./types/raster.js";
export {
  factsOf,
  isList,
  isNumber,
  isOfIntensity,
  type NumberProperty,
  PROPERTIES,
  type PropertyFacts,
  type PropertyUnit,
  titleOf,
} from "./types/region-properties.js";
export { SUGGESTED } from "./types/suggest.js";
export { METHODS, POLARITIES } from "./types/threshold.js";
