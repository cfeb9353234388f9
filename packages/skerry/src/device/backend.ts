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
import type { EditPlan } from "../core/edits.js";
import type { BackendFrames, FramesPlan } from "../core/frames-plan.js";
import type { Histogram } from "../core/histogram.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
import type { BackendImage, Bits, ImageOwner, Pixels, Shape, Size } from "../core/pixels.js";
import type {
  ExpandPlan,
  Filter,
  HolesPlan,
  OutlinesPlan,
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
  ComponentsRequest,
  ContrastRequest,
  DeviceRequest,
  DistanceRequest,
  FillRequest,
  FlattenRequest,
  GradientRequest,
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

/**
 * New components of others. After a split `origins` has the object of each part, after a merge the label `into[i]` of each result, and
 * after edits the object that each came from, 0 for one that was drawn.
 */
export interface Made {
  readonly components: BackendComponents;
  readonly origins?: Uint32Array | undefined;
  /** The edits without effect, by their indices. */
  readonly idle?: Uint32Array | undefined;
}

/** A result on the GPU: the caller's buffer for it, if there is one. */
export interface IntoBuffer {
  readonly into: GPUBuffer | undefined;
}

/** The products of components: the plan of each, and its result. */
export interface Products {
  readonly regions: readonly [RegionsPlan, RegionSums];
  /** The polarity of each object: 1 bright, 2 dark. */
  readonly polarityOf: readonly [undefined, Uint8Array];
  readonly labels: readonly [{ readonly into: Uint32Array | Sink }, void];
  /**
   * The labels of a window. With `which` it has 1 in each pixel of the objects of that polarity, or of all objects for 0.
   */
  readonly window: readonly [WindowInto, void];
  /** Four arrays of `runCount`, and count + 1 offsets when grouped. */
  readonly runs: readonly [{ readonly grouped: boolean }, RunTable];
  readonly mask: readonly [{ readonly which: 0 | 1 | 2; readonly into: Uint32Array }, void];
  /** As a Mask's words, the pixels with background beside them along an axis; with `border` also those at the border. */
  readonly surface: readonly [{ readonly border: boolean; readonly into: Uint32Array }, void];
  /** The label of a pixel; rows are numbered across all slices. 0 for background. */
  readonly at: readonly [{ readonly x: number; readonly row: number }, number];
  /** In the caller's buffer, or a new one, which the caller destroys. */
  readonly labelsBuffer: readonly [{ readonly window: WindowPlan | undefined } & IntoBuffer, GPUBuffer];
  readonly maskBuffer: readonly [{ readonly which: 0 | 1 | 2 } & IntoBuffer, GPUBuffer];
  /** The distances of all pixels to the objects. */
  readonly distance: readonly [Pick<DistanceRequest, "plan" | "into">, void];
  /** Shapes measured from the runs of each object. */
  readonly shapes: readonly [ShapesPlan, ShapeSums];
  /** Quantiles and histograms of the values under each object. */
  readonly picked: readonly [ValuesPlan, ValueSums];
  /** The outlines of some objects, or of all; of an image. */
  readonly outlines: readonly [OutlinesPlan, Outlines];
  readonly filter: readonly [Filter, Made];
  /** The objects whose byte is 1; there are `count` bytes. */
  readonly keep: readonly [Uint8Array, Made];
  /** The components of the pixels that morphology makes of the objects. */
  readonly morphology: readonly [MorphologyPlan, Made];
  /** The components of the objects with the holes of their slices filled. */
  readonly fillSlices: readonly [HolesPlan, Made];
  readonly split: readonly [WatershedPlan, Made];
  /** Merges each object into the label `into[i]`. Results are numbered by their first pixels. */
  readonly merge: readonly [Uint32Array, Made];
  /** The objects grown into the background; they keep their labels. */
  readonly expand: readonly [ExpandPlan, Made];
  /** The objects after corrections by hand. */
  readonly edit: readonly [EditPlan, Made];
}

/** A window of labels, and where it goes. */
export interface WindowInto {
  readonly window: WindowPlan;
  readonly which: 0 | 1 | 2 | undefined;
  readonly into: Uint32Array;
}

export type ProductName = keyof Products;
export type PlanOf<N extends ProductName> = Products[N][0];
export type ResultOf<N extends ProductName> = Products[N][1];

/** The products that are components. */
export type Making = { [N in ProductName]: ResultOf<N> extends Made ? N : never }[ProductName];

/** Functions that serve products, by their names. */
export type Serving<N extends ProductName = ProductName> = {
  readonly [K in N]: (plan: PlanOf<K>, call: Call) => Promise<ResultOf<K>>;
};

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
  readonly connectivity: Connectivity;
  /** The backend that holds them. */
  readonly owner: ImageOwner;
  /** Whether the device does not serve a product. */
  refuses<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): boolean;
  /** @throws Refused if the device finds only in the middle of the work that it does not serve the product */
  serve<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): Promise<ResultOf<N>>;
  /** The objects as bits on the host, both planes. */
  bits(call: Call): Promise<Bits>;
  /** The same components on the CPU, made once, and freed with these. */
  onHost(call: Call): Promise<BackendComponents>;
  dispose(): void;
}

/** A device ends a product that it has begun; the CPU serves it. */
export class Refused extends Error {
  override name = "Refused";
}

/** Components whose labels are not computed yet: their bits, and the counts that are known. */
export interface HoldRequest {
  readonly bits: Bits;
  readonly connectivity: Connectivity;
  readonly known: { readonly count: number; readonly foreground: number; readonly runCount: number };
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
  /** Classes in the caller's buffer, or in a new one, which the caller destroys; missing on the CPU. */
  classesBuffer?(request: ClassesRequest<GPUBuffer | undefined>, call: Call): Promise<GPUBuffer>;
  dispose(): void;
}

/** Description of a device. */
export interface DeviceDescription {
  readonly threads: number;
  readonly shared: boolean;
  readonly memory: { readonly used: number; readonly reserved: number };
  readonly gpu?: GpuDescription | undefined;
  readonly gpuFrom?: Readonly<Record<string, number>> | undefined;
  readonly notice?: string | undefined;
}

/** A device. Each operation takes one request record. The router passes only pixels that the device can read. */
export interface Backend {
  readonly device: "cpu" | "gpu";
  /** Set once the device is lost. */
  readonly lost: Error | undefined;
  /** Describes the device; a GPU has 0 threads. */
  describe(): DeviceDescription;
  /** Whether this device does not serve a request, which then runs on the CPU. */
  refuses(request: DeviceRequest, call: Call): boolean;
  /** Wraps pixels on the caller's device; returns their shape and a handle. Rejects with Unsupported if there is no GPU. */
  adopt(raster: GpuRaster): Promise<{ image: BackendImage; shape: Shape }>;
  load(pixels: HostPixels, call: Call): Promise<BackendImage>;
  /** Copies the pixels of an image from this device to an array of the host, and returns it. */
  read(pixels: Pixels & { kind: "image" }, into: PixelArray, call: Call): Promise<PixelArray>;
  /** Copies some rows of an image, numbered across slices, to the host, one after another. */
  rows(pixels: Pixels & { kind: "image" }, rows: readonly number[], call: Call): Promise<PixelArray>;
  /** Histogram of the luma, finite values alone; rejects with InvalidArgument if there is none. */
  histogram(request: HistogramRequest, call: Call): Promise<Histogram>;
  components(request: ComponentsRequest, call: Call): Promise<BackendComponents>;
  /** The components of each slice, all at once; undefined if they do not fit after all. */
  stack?(request: ComponentsRequest, call: Call): Promise<BackendComponents[] | undefined>;
  fill(request: FillRequest, call: Call): Promise<BackendComponents>;
  distance(request: DistanceRequest, call: Call): Promise<void>;
  /** Counts the colours of u8 pixels; the caller disposes them. */
  colours(request: ColoursRequest, call: Call): Promise<BackendColours>;
  channel(request: ChannelRequest, call: Call): Promise<BackendImage>;
  smooth(request: SmoothRequest, call: Call): Promise<BackendImage>;
  gradient(request: GradientRequest, call: Call): Promise<BackendImage>;
  flatten(request: FlattenRequest, call: Call): Promise<BackendImage>;
  stain(request: StainRequest, call: Call): Promise<BackendImage>;
  wandDifferences(request: WandRequest, call: Call): Promise<BackendImage[]>;
  /** The caller's buffer, or a new one, which the caller destroys, with a copy of `data`; rejects with Unsupported if there is no GPU. */
  bufferOf(data: Uint32Array, label: string, into: GPUBuffer | undefined): Promise<GPUBuffer>;
  close(): Promise<void>;
}

/** The backend of the CPU. It serves every request, also for other backends. */
export interface HostBackend extends Backend {
  /** Frames by a prepared plan; undefined if the general calls do it. */
  frames(plan: FramesPlan): Promise<BackendFrames | undefined>;
  /** Pixels as bits, on the host. */
  pack(request: PackRequest, call: Call): Promise<Bits>;
  /** Components that were labelled before, of which labels are computed on first use. */
  hold(request: HoldRequest, call: Call): Promise<BackendComponents>;
  /** Copies colours that another device counted to the CPU. */
  mirror(list: ColourList, request: ColoursRequest, call: Call): Promise<Mirror>;
  /** The basins of markers within bits. */
  watershed(request: WatershedRequest, call: Call): Promise<BackendComponents>;
  contrast(request: ContrastRequest, call: Call): Promise<BackendImage>;
  /** Pixels that a wand's fill takes at each tolerance of 0 to 255, from planes of differences. */
  wandAreas(planes: readonly Pixels[], plan: WandPlan, call: Call): Promise<Float64Array>;
  recolour(request: RecolourRequest, call: Call): Promise<void>;
  paint(request: PaintRequest, call: Call): Promise<void>;
  /** The objects of a label image. */
  labelled(request: LabelledRequest, call: Call): Promise<BackendComponents>;
  /** Memory for an array of the caller that the backend processes in place; undefined without shared memory. */
  lend(bytes: number): { readonly buffer: ArrayBufferLike; readonly pointer: number } | undefined;
  /** Ends the loan of such an array and returns a function that frees its memory; undefined for any other array. */
  takeBack(array: ArrayBufferView): (() => void) | undefined;
  /** Throws for an array whose loan has ended, or a view on one. */
  refuseFreed(array: ArrayBufferView): void;
}

/** Opens the CPU, which serves what another device refuses. */
export type OpenHost = () => Promise<HostBackend>;

/** A copy on the CPU of another device's colours. It also moves centres of empty classes for that device; see BackendColours. */
export interface Mirror extends Pick<BackendColours, "start" | "silhouette" | "dispose"> {
  /** Moves the centres of `next` for which `empty` is 1, and returns how many classes moved. */
  refill(centres: Centres, next: Centres, empty: Uint8Array, rule: ClusterRule, call: Call): Promise<number>;
}
