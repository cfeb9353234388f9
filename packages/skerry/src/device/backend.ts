// What a device must do, on input that was checked already. engine.ts speaks only to this interface;
// nothing above it knows which device runs.

import type { Connectivity, GpuDescription, GpuRaster, PixelArray, Sink } from "../api/types.js";
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
import type { DistanceInto, DistancePlan } from "../core/distance-plan.js";
import type { Histogram } from "../core/histogram.js";
import type { BackendImage, Bits, Pixels, Shape, Size } from "../core/pixels.js";
import type { ColoursPlan, FillPlan, Filter, Linkage, Predicate, RegionsPlan, WindowPlan } from "../core/plans.js";
import type { RegionSums, RunTable } from "../core/sums.js";

/** Labelled components that a device keeps. */
export interface BackendComponents extends Size {
  readonly count: number;
  /** Foreground pixels. */
  readonly foreground: number;
  readonly runCount: number;
  readonly classes: 1 | 2;
  /** The values of the objects' first pixels, where these were found by linkage. */
  readonly values: PixelArray | undefined;
  regions(plan: RegionsPlan, call: Call): Promise<RegionSums>;
  /** 1 or 2 per object. */
  classOf(call: Call): Promise<Uint8Array>;
  labels(into: Uint32Array | Sink, call: Call): Promise<void>;
  /** The labels of a window; with `which` 1 in every pixel of the objects of class 1, of class 2, or with 0 of all. */
  windowed(window: WindowPlan, which: 0 | 1 | 2 | undefined, into: Uint32Array, call: Call): Promise<void>;
  /** Four arrays of `runCount`, and count + 1 offsets when grouped. */
  runs(grouped: boolean, call: Call): Promise<RunTable>;
  mask(which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void>;
  filter(filter: Filter, call: Call): Promise<BackendComponents>;
  /** The objects that have a 1, of `count` bytes. */
  keep(keep: Uint8Array, call: Call): Promise<BackendComponents>;
  /** The pixels with background beside them along an axis, with `border` those at the border, too; as a Mask's words. */
  surface(border: boolean, into: Uint32Array, call: Call): Promise<void>;
  /** The distances of all pixels to the objects. */
  distance(plan: DistancePlan, into: DistanceInto, call: Call): Promise<void>;
  /** The label of a pixel, by its row of all slices'; 0 for background. */
  at(x: number, row: number, call: Call): Promise<number>;
  /** New buffers, which belong to the caller; rejects with Unsupported where there is no GPU. */
  labelsBuffer(call: Call, window?: WindowPlan): Promise<GPUBuffer>;
  maskBuffer(which: 0 | 1 | 2, call: Call): Promise<GPUBuffer>;
  /** Where the components are. */
  readonly device: "cpu" | "gpu";
  dispose(): void;
}

/** The colours of an image, with how many pixels have each, that a device keeps. */
export interface BackendColours {
  /** Different colours. */
  readonly count: number;
  /** Centres to begin with; fewer than k where the colours do not lie at so many places. */
  start(init: ColourStart, plan: StartPlan, restart: number, call: Call): Promise<Centres>;
  /**
   * Assigns colours and moves centres until these rest or the iterations are over. A colour goes to the nearest centre, the
   * lower one of two as near; a mean is rounded, halves up; classes that are empty take, in order, the colours that are
   * furthest from their centres, of two as far the first by key, if they are not on them.
   */
  iterate(start: Centres, plan: IterationPlan, call: Call): Promise<Iterated>;
  /** What the nearest of the centres have of the pixels. */
  assess(centres: Centres, rule: ClusterRule, call: Call): Promise<Assessment>;
  /** The sum of the pixels' simplified silhouettes. */
  silhouette(centres: Centres, rule: ClusterRule, call: Call): Promise<number>;
  /** What every pixel's class is called, by the numbers of the centres; pixels that were left out are 255. */
  classes(
    centres: Centres,
    rule: ClusterRule,
    names: Uint8Array,
    into: Uint8Array | Sink<Uint8Array>,
    call: Call,
  ): Promise<void>;
  dispose(): void;
}

/** Has work done with colours, which go away after it. */
export async function usingColours<C extends Pick<BackendColours, "dispose">, T>(
  colours: C,
  work: (colours: C) => Promise<T>,
): Promise<T> {
  try {
    return await work(colours);
  } finally {
    colours.dispose();
  }
}

/** What a device says of itself. */
export interface DeviceDescription {
  readonly threads: number;
  readonly shared: boolean;
  readonly memory: { readonly used: number; readonly reserved: number };
  readonly gpu?: GpuDescription | undefined;
  readonly notice?: string | undefined;
}

/** A device. */
export interface Backend {
  readonly device: "cpu" | "gpu" | "auto";
  /** What it runs on; threads are 0 where no worker was started. */
  describe(): DeviceDescription;
  /** The shape of pixels that are on the caller's device, and a handle to them; Unsupported where there is no GPU. */
  adopt(raster: GpuRaster): Promise<{ image: BackendImage; shape: Shape }>;
  /** Pixels of a resident image, on the host. */
  read(pixels: Pixels & { kind: "image" }, call: Call): Promise<PixelArray>;
  load(pixels: Pixels & { kind: "array" }, call: Call): Promise<BackendImage>;
  /**
   * Of the luma, finite values alone; rejects with InvalidArgument where there is none. `bins` is for what has no exact levels, 256
   * by default.
   */
  histogram(pixels: Pixels, call: Call, bins?: number): Promise<Histogram>;
  components(
    input: Pixels | Bits,
    rule: Predicate | Linkage,
    connectivity: Connectivity,
    filter: Filter | undefined,
    call: Call,
  ): Promise<BackendComponents>;
  /** The components of what the seeds fill. */
  fill(pixels: Pixels, plan: FillPlan, call: Call): Promise<BackendComponents>;
  /** The distances of all pixels to the foreground. */
  distance(
    input: Pixels | Bits,
    predicate: Predicate,
    plan: DistancePlan,
    into: DistanceInto,
    call: Call,
  ): Promise<void>;
  /** Has work done with the colours of u8 pixels; when `auto` loses its GPU meanwhile, once more on what is left. */
  colours<T>(pixels: Pixels, plan: ColoursPlan, call: Call, work: (colours: BackendColours) => Promise<T>): Promise<T>;
  /** One channel, or with undefined the luma, as an image of one channel. */
  channel(pixels: Pixels, channel: number | undefined, call: Call): Promise<BackendImage>;
  /** Per pixel of a u8 raster the smallest tolerance at which a fill from the seed reaches it, as u8 of one channel. */
  levels(pixels: Pixels, seed: readonly [number, number], connectivity: 4 | 8, call: Call): Promise<BackendImage>;
  close(): Promise<void>;
}

/** Colours of another device's on the CPU, which also moves centres of empty classes for it; see BackendColours. */
export interface Mirror extends Pick<BackendColours, "start" | "silhouette" | "dispose"> {
  /** Changes `next` where `empty` has a 1, and tells how many classes moved. */
  refill(centres: Centres, next: Centres, empty: Uint8Array, rule: ClusterRule, call: Call): Promise<number>;
}
