// The public names, nothing else.

export { Components, type LabelsBuffer, type MaskBuffer } from "./api/components.js";
export { DistanceMap } from "./api/distance-map.js";
export { type DistanceBuffer, type DistanceTarget, Engine } from "./api/engine.js";
export { Frames } from "./api/frames.js";
export { labelAt } from "./api/label-at.js";
export { open } from "./api/open.js";
export { type Coat, paint } from "./api/paint.js";
export { recolour } from "./api/recolour.js";
export { requestDevice } from "./api/request-device.js";
export { fromRle, toRle } from "./api/rle.js";
export type { Selection } from "./api/selections.js";
export { LineStream } from "./api/stream.js";
export { Wand } from "./api/wand.js";
export type { CocoRle, CocoString } from "./results/coco.js";
export type { CallOptions, Progress, Timing } from "./types/calls.js";
export type { ComponentsOptions, LabelledOptions, StackOptions } from "./types/components.js";
export type { Closest, DistanceArray, DistanceMetric, DistanceOptions } from "./types/distance.js";
export type { Edit, EditOptions } from "./types/edits.js";
export type { Description, GpuDescription, OpenOptions, RequestDeviceOptions } from "./types/engine.js";
export { DeviceLost, InvalidArgument, OutOfMemory, SkerryError, Unsupported } from "./types/errors.js";
export type { ColourMetric, FillOptions, PaintOptions, WandOptions } from "./types/fill.js";
export type { FilterOptions, KeepOptions, KeepWhereOptions, ObjectKind, ObjectProperties } from "./types/filter.js";
export type { FramesOptions } from "./types/frames.js";
export type { Histogram, HistogramOptions } from "./types/histogram.js";
export type {
  Classes,
  ClassesBuffer,
  KmeansOptions,
  PickedK,
  PickKOptions,
  RecolourOptions,
  Segmentation,
} from "./types/kmeans.js";
export type { Contacts, Labels, ResultWindow, Runs } from "./types/labels.js";
export type { FlattenOptions, GradientOptions, SmoothOptions, Stains, UnmixOptions } from "./types/light.js";
export type { ExpandOptions, MorphologyOptions } from "./types/morphology.js";
export type { OutlineOptions, Outlines } from "./types/outlines.js";
export type { GpuBuffer, GpuDevice, GpuInstance, GpuTexture, Signal } from "./types/platform.js";
export type { PreparedCall, PrepareOptions } from "./types/prepare.js";
export type {
  ChannelName,
  Connectivity,
  GpuRaster,
  Image,
  Mask,
  PixelArray,
  PixelType,
  Place,
  Points,
  Raster,
  Sink,
  Source,
  Spacing,
} from "./types/raster.js";
export type { ObjectProperty } from "./types/region-properties.js";
export { REGION_PROPERTIES } from "./types/region-properties.js";
export type {
  ConvexHulls,
  DefaultProperty,
  Measured,
  ObjectHistograms,
  RegionProperty,
  Regions,
  RegionsOptions,
} from "./types/regions.js";
export type { AbsorbOptions, SplitOptions, WatershedOptions } from "./types/split.js";
export type { Lines, StreamedFacts, StreamedObject, StreamOptions } from "./types/stream.js";
export type { SuggestedChanges, Suggestion, Suggestions, SuggestOptions } from "./types/suggest.js";
export type { AutomaticThreshold, LocalThreshold, Polarity, Threshold } from "./types/threshold.js";
