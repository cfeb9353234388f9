// The public names, nothing else.

export type { CocoRle, CocoString } from "./coco.js";
export { Components, type LabelsBuffer, type MaskBuffer } from "./components.js";
export type { DistanceArray } from "./distance.js";
export { DistanceMap } from "./distance-map.js";
export { type DistanceBuffer, type DistanceTarget, Engine } from "./engine.js";
export { DeviceLost, InvalidArgument, OutOfMemory, SkerryError, Unsupported } from "./errors.js";
export { labelAt } from "./label-at.js";
export { type OpenOptions, open } from "./open.js";
export { type Coat, paint } from "./paint.js";
export { recolour } from "./recolour.js";
export { REGION_PROPERTIES } from "./regions.js";
export type {
  CallOptions,
  ChannelName,
  Classes,
  Closest,
  ColourMetric,
  ComponentsOptions,
  Connectivity,
  Contacts,
  Description,
  DistanceMetric,
  DistanceOptions,
  FillOptions,
  FilterOptions,
  GpuDescription,
  GpuRaster,
  Histogram,
  HistogramOptions,
  Image,
  KeepOptions,
  KmeansOptions,
  Labels,
  Mask,
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
  Source,
  Spacing,
  Threshold,
  Timing,
  WandOptions,
} from "./types.js";
export { Wand } from "./wand.js";
