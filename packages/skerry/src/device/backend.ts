// The interface of a device: requests, and handles of images and components. Input was checked before. The router chooses the
// device of a request; the modules above the router do not depend on that choice.

import type { Call } from "../core/call.js";
import type {
  Assessment,
  Centres,
  ClusterRule,
  ColourStart,
  Iterated,
  IterationPlan,
  StartPlan,
} from "../core/clusters.js";
import type { ColourList } from "../core/colour-keys.js";
import type { Histogram } from "../core/histogram.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
import type { BackendImage, Bits, ImageOwner, Pixels, Shape, Size } from "../core/pixels.js";
import type {
  ExpandPlan,
  Filter,
  HolesPlan,
  OutlinesPlan,
  Predicate,
  RegionsPlan,
  ShapesPlan,
  ValuesPlan,
  WandPlan,
  WatershedPlan,
  WindowPlan,
} from "../core/plans.js";
import type {
  ChannelRequest,
  ClassesRequest,
  ColoursRequest,
  ComponentsProduct,
  ComponentsRequest,
  ContrastRequest,
  DeviceRequest,
  DistanceRequest,
  FillRequest,
  FlattenRequest,
  HistogramRequest,
  HostPixels,
  LabelledRequest,
  PackRequest,
  PaintRequest,
  RecolourRequest,
  SmoothRequest,
  StainRequest,
  WandRequest,
  WatershedRequest,
} from "../core/requests.js";
import type { RegionSums, RunTable, ShapeSums, ValueSums } from "../core/sums.js";
import type { GpuDescription } from "../types/engine.js";
import type { Outlines } from "../types/outlines.js";
import type { Connectivity, GpuRaster, PixelArray, Sink } from "../types/raster.js";

/** Labelled components that a device keeps. */
export interface BackendComponents extends Size {
  readonly count: number;
  /** Foreground pixels. */
  readonly foreground: number;
  readonly runCount: number;
  readonly polarities: 1 | 2;
  /** Whether objects may touch, as those found by value and those with given labels. */
  readonly touching: boolean;
  /** The values of the objects' first pixels, if the objects were found by value or tolerance, or have given labels. */
  readonly values: PixelArray | undefined;
  regions(plan: RegionsPlan, call: Call): Promise<RegionSums>;
  /** The polarity of each object: 1 bright, 2 dark. */
  polarityOf(call: Call): Promise<Uint8Array>;
  labels(into: Uint32Array | Sink, call: Call): Promise<void>;
  /**
   * Writes the labels of a window. With `which` it writes 1 in each pixel of the objects of that polarity, or of all
   * objects for 0.
   */
  windowed(window: WindowPlan, which: 0 | 1 | 2 | undefined, into: Uint32Array, call: Call): Promise<void>;
  /** Four arrays of `runCount`, and count + 1 offsets when grouped. */
  runs(grouped: boolean, call: Call): Promise<RunTable>;
  mask(which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void>;
  filter(filter: Filter, call: Call): Promise<BackendComponents>;
  /** The objects whose byte in `keep` is 1; it has `count` bytes. */
  keep(keep: Uint8Array, call: Call): Promise<BackendComponents>;
  /** The components of the pixels that morphology makes of the objects. */
  morphology(plan: MorphologyPlan, call: Call): Promise<BackendComponents>;
  /** The parts of the objects; undefined if the CPU must split them. `makeHost` makes components that serve other requests. */
  split(plan: WatershedPlan, call: Call, makeHost: MakeHost): Promise<Split | undefined>;
  /** The objects grown into the background; they keep their labels. `makeHost` makes components that serve other requests. */
  expand(plan: ExpandPlan, call: Call, makeHost: MakeHost): Promise<BackendComponents>;
  /** The same components on the CPU, if the device can only read and label them. */
  onHost?(call: Call): Promise<HostComponents>;
  /** Writes, as a Mask's words, the pixels with background beside them along an axis; with `border` also those at the border. */
  surface(border: boolean, into: Uint32Array, call: Call): Promise<void>;
  /** The distances of all pixels to the objects. */
  distance(request: Pick<DistanceRequest, "plan" | "into">, call: Call): Promise<void>;
  /** The reason why the device does not serve a request, which the CPU then serves from the bits; undefined if it does. */
  refuses(product: ComponentsProduct, call: Call): string | undefined;
  /** The objects as bits on the host, both planes. */
  bits(call: Call): Promise<Bits>;
  /** The label of a pixel; rows are numbered across all slices. 0 for background. */
  at(x: number, row: number, call: Call): Promise<number>;
  /** New buffers, which the caller destroys; rejects with Unsupported if there is no GPU. */
  labelsBuffer(call: Call, window?: WindowPlan): Promise<GPUBuffer>;
  maskBuffer(which: 0 | 1 | 2, call: Call): Promise<GPUBuffer>;
  readonly connectivity: Connectivity;
  /** The backend that holds them. */
  readonly owner: ImageOwner;
  dispose(): void;
}

/** Parts of objects, and the label of the object of each part. */
export interface Split {
  readonly made: BackendComponents;
  readonly parents: Uint32Array;
}

/** Makes components on the CPU from a label image. */
export type MakeHost = (request: LabelledRequest, call: Call) => Promise<HostComponents>;

/** Components on the CPU. They serve every request, also for components on another device. */
export interface HostComponents extends BackendComponents {
  morphology(plan: MorphologyPlan, call: Call): Promise<HostComponents>;
  split(plan: WatershedPlan, call: Call): Promise<Split & { readonly made: HostComponents }>;
  /** Merges each object into the label `into[i]`. Results are numbered by their first pixels; `labels` has the `into` of each. */
  merge(into: Uint32Array, call: Call): Promise<{ made: HostComponents; labels: Uint32Array }>;
  /** The components of the objects with the holes of their slices filled. */
  fillSlices(plan: HolesPlan, call: Call): Promise<HostComponents>;
  /** Shapes measured from the runs of each object. */
  shapes(plan: ShapesPlan, call: Call): Promise<ShapeSums>;
  /** Quantiles and histograms of the values under each object. */
  picked(plan: ValuesPlan, call: Call): Promise<ValueSums>;
  /** The outlines of some objects, or of all; of an image. */
  outlines(plan: OutlinesPlan, call: Call): Promise<Outlines>;
  /** The objects grown into the background; they keep their labels. */
  expand(plan: ExpandPlan, call: Call): Promise<HostComponents>;
}

/** The colours of an image, and the number of pixels of each, on a device. */
export interface BackendColours {
  /** Number of different colours. */
  readonly count: number;
  /** Initial centres; fewer than k if the colours have fewer distinct positions. */
  start(init: ColourStart, plan: StartPlan, restart: number, call: Call): Promise<Centres>;
  /**
   * Assigns colours and moves centres until they converge or `maxIterations` is reached. A colour is assigned to the nearest
   * centre; ties go to the lower one. A mean is rounded, halves up. Empty classes take, in order, the colours that are
   * farthest from their centres, but no colour that lies on its centre. Ties go to the first colour by key.
   */
  iterate(start: Centres, plan: IterationPlan, call: Call): Promise<Iterated>;
  /** Assigns pixels to their nearest centres, and returns the pixels per class and their cost. */
  assess(centres: Centres, rule: ClusterRule, call: Call): Promise<Assessment>;
  /** The sum of the pixels' simplified silhouettes. */
  silhouette(centres: Centres, rule: ClusterRule, call: Call): Promise<number>;
  classes(request: ClassesRequest<Uint8Array | Sink<Uint8Array>>, call: Call): Promise<void>;
  /** Classes in a new buffer on the GPU, which the caller destroys; missing on the CPU. */
  classesBuffer?(request: Omit<ClassesRequest<never>, "into">, call: Call): Promise<GPUBuffer>;
  dispose(): void;
}

/** Description of a device. */
export interface DeviceDescription {
  readonly threads: number;
  readonly shared: boolean;
  readonly memory: { readonly used: number; readonly reserved: number };
  readonly gpu?: GpuDescription | undefined;
  readonly notice?: string | undefined;
}

/** A device. Each operation takes one request record. The router passes only pixels that the device can read. */
export interface Backend {
  readonly device: "cpu" | "gpu";
  /** Set once the device is lost. */
  readonly lost: Error | undefined;
  /** Describes the device; a GPU has 0 threads. */
  describe(): DeviceDescription;
  /** The reason why this device does not serve a request, which then runs on the CPU; undefined if it does. */
  refuses(request: DeviceRequest, call: Call): string | undefined;
  /** Whether the device needs these pixels packed to bits. */
  takesBits(pixels: Pixels, predicate: Predicate): boolean;
  /** Wraps pixels on the caller's device; returns their shape and a handle. Rejects with Unsupported if there is no GPU. */
  adopt(raster: GpuRaster): Promise<{ image: BackendImage; shape: Shape }>;
  load(pixels: HostPixels, call: Call): Promise<BackendImage>;
  /** Copies the pixels of an image from this device to the host. */
  read(pixels: Pixels & { kind: "image" }, call: Call): Promise<PixelArray>;
  /** Copies some rows of an image, numbered across slices, to the host, one after another. */
  rows(pixels: Pixels & { kind: "image" }, rows: readonly number[], call: Call): Promise<PixelArray>;
  /** Histogram of the luma, finite values alone; rejects with InvalidArgument if there is none. */
  histogram(request: HistogramRequest, call: Call): Promise<Histogram>;
  components(request: ComponentsRequest, call: Call): Promise<BackendComponents>;
  fill(request: FillRequest, call: Call): Promise<BackendComponents>;
  distance(request: DistanceRequest, call: Call): Promise<void>;
  /**
   * Counts the colours of u8 pixels; the caller disposes them. `mirror` copies colours to the CPU for unsupported
   * steps.
   */
  colours(request: ColoursRequest, call: Call, mirror: MakeMirror): Promise<BackendColours>;
  channel(request: ChannelRequest, call: Call): Promise<BackendImage>;
  smooth(request: SmoothRequest, call: Call): Promise<BackendImage>;
  flatten(request: FlattenRequest, call: Call): Promise<BackendImage>;
  stain(request: StainRequest, call: Call): Promise<BackendImage>;
  wandDifferences(request: WandRequest, call: Call): Promise<BackendImage[]>;
  /** A new buffer with a copy of `data`, which the caller destroys; rejects with Unsupported if there is no GPU. */
  bufferOf(data: Uint32Array, label: string): Promise<GPUBuffer>;
  close(): Promise<void>;
}

/** The backend of the CPU. It serves every request, also for other backends. */
export interface HostBackend extends Backend {
  /** Pixels as bits, on the host. */
  pack(request: PackRequest, call: Call): Promise<Bits>;
  components(request: ComponentsRequest, call: Call): Promise<HostComponents>;
  mirror: MakeMirror;
  /** The basins of markers within bits. */
  watershed(request: WatershedRequest, call: Call): Promise<HostComponents>;
  contrast(request: ContrastRequest, call: Call): Promise<BackendImage>;
  /** Pixels that a wand's fill takes at each tolerance of 0 to 255, from planes of differences. */
  wandAreas(planes: readonly Pixels[], plan: WandPlan, call: Call): Promise<Float64Array>;
  recolour(request: RecolourRequest, call: Call): Promise<void>;
  paint(request: PaintRequest, call: Call): Promise<void>;
  /** The objects of a label image. */
  labelled(request: LabelledRequest, call: Call): Promise<HostComponents>;
  /** Memory for an array of the caller that the backend processes in place; undefined without shared memory. */
  lend(bytes: number): { readonly buffer: ArrayBufferLike; readonly pointer: number } | undefined;
  /** Ends the loan of such an array and returns a function that frees its memory; undefined for any other array. */
  takeBack(array: ArrayBufferView): (() => void) | undefined;
  /** Throws for an array whose loan has ended, or a view on one. */
  refuseFreed(array: ArrayBufferView): void;
}

/** Copies colours that another device counted to the CPU. */
export type MakeMirror = (list: ColourList, request: ColoursRequest, call: Call) => Promise<Mirror>;

/** A copy on the CPU of another device's colours. It also moves centres of empty classes for that device; see BackendColours. */
export interface Mirror extends Pick<BackendColours, "start" | "silhouette" | "dispose"> {
  /** Moves the centres of `next` for which `empty` is 1, and returns how many classes moved. */
  refill(centres: Centres, next: Centres, empty: Uint8Array, rule: ClusterRule, call: Call): Promise<number>;
}
