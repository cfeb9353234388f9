// The public names, nothing else.

export { Components, type LabelsBuffer, type MaskBuffer } from "./api/components.js";
export { DistanceMap } from "./api/distance-map.js";
export { type DistanceBuffer, type DistanceTarget, Engine } from "./api/engine.js";
export { DeviceLost, InvalidArgument, OutOfMemory, SkerryError, Unsupported } from "./api/errors.js";
export { labelAt } from "./api/label-at.js";
export { open } from "./api/open.js";
export { type Coat, paint } from "./api/paint.js";
export type { GpuBuffer, GpuDevice, GpuInstance, GpuTexture, Signal } from "./api/platform.js";
export { recolour } from "./api/recolour.js";
export type { Selection } from "./api/selections.js";
export type {
  AbsorbOptions,
  AutomaticThreshold,
  CallOptions,
  ChannelName,
  Classes,
  Closest,
  ColourMetric,
  ComponentsOptions,
  Connectivity,
  Contacts,
  ConvexHulls,
  Description,
  DistanceArray,
  DistanceMetric,
  DistanceOptions,
  ExpandOptions,
  FillOptions,
  FilterOptions,
  FlattenOptions,
  GpuDescription,
  GpuRaster,
  Histogram,
  HistogramOptions,
  Image,
  KeepOptions,
  KeepWhereOptions,
  KmeansOptions,
  LabelledOptions,
  Labels,
  LocalThreshold,
  Mask,
  MorphologyOptions,
  ObjectHistograms,
  ObjectProperties,
  ObjectProperty,
  OpenOptions,
  OutlineOptions,
  Outlines,
  PaintOptions,
  PickedK,
  PickKOptions,
  PixelArray,
  PixelType,
  Place,
  Points,
  Progress,
  Raster,
  RecolourOptions,
  RegionProperty,
  Regions,
  RegionsOptions,
  ResultWindow,
  Runs,
  Segmentation,
  Sink,
  SmoothOptions,
  Source,
  Spacing,
  SplitOptions,
  Stains,
  Threshold,
  Timing,
  UnmixOptions,
  WandOptions,
  WatershedOptions,
} from "./api/types.js";
export { Wand } from "./api/wand.js";
export { REGION_PROPERTIES } from "./core/region-properties.js";
export type { CocoRle, CocoString } from "./results/coco.js";
