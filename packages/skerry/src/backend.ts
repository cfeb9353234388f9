// What a device must do, on input that was checked already. engine.ts speaks only to this interface;
// nothing above it knows which device runs.

import type { DistanceInto, DistancePlan } from "./distance.js";
import { changedError, noFiniteError } from "./errors.js";
import type {
  Assessment,
  Centres,
  ClusterRule,
  ColourSpace,
  ColourStart,
  Iterated,
  IterationPlan,
  StartPlan,
} from "./kmeans.js";
import type { Step } from "./progress.js";
import { readRows } from "./slices.js";
import type {
  ColourMetric,
  Connectivity,
  GpuDescription,
  GpuRaster,
  PixelArray,
  PixelType,
  ResultWindow,
  Sink,
  Source,
  Timing,
} from "./types.js";

/** Bytes of one channel of a pixel. */
export const PIXEL_BYTES: Record<PixelType, number> = { u8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4 };

/** The smallest and the largest value of a pixel's channels. */
export const PIXEL_RANGE: Record<PixelType, readonly [number, number]> = {
  u8: [0, 255],
  u16: [0, 65535],
  i16: [-32768, 32767],
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  f32: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

/** Kernels know pixel types by number. */
export const TYPE_CODE: Record<PixelType, number> = { u8: 0, u16: 1, i16: 2, f32: 3, u32: 4, i32: 5 };

/** A typed array of `type`. */
export function newPixels(type: PixelType, length: number): PixelArray {
  if (type === "u8") return new Uint8Array(length);
  if (type === "u16") return new Uint16Array(length);
  if (type === "i16") return new Int16Array(length);
  if (type === "u32") return new Uint32Array(length);
  if (type === "i32") return new Int32Array(length);
  return new Float32Array(length);
}

/** Values [from, to) of the caller's array, which the caller may have detached or shrunk since the call began. */
export function partOf<T extends PixelArray>(array: T, from: number, to: number): T {
  if (array.length < to) throw changedError();
  return array.subarray(from, to) as T;
}

/** Puts values into the caller's array. */
export function putInto(array: PixelArray, values: PixelArray, at: number): void {
  if (array.length < at + values.length) throw changedError();
  array.set(values, at);
}

/** Pixels per row, rows per slice, slices. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** Rows of all slices together: devices count rows through, row y of slice z is z * height + y. */
export function rowCount({ height, depth }: Pick<Size, "height" | "depth">): number {
  return height * depth;
}

/** Size and type of an input. */
export interface Shape extends Size {
  readonly channels: number;
  readonly type: PixelType;
  /** A value of the type that pixels without one have, treated like NaN; only with one channel. */
  readonly nodata?: number | undefined;
}

/** Pixels that a device keeps. */
export interface BackendImage {
  /** The device that has them. */
  readonly where: "cpu" | "gpu";
  dispose(): void;
}

/** Where pixels come from. */
export type Pixels =
  | { readonly kind: "array"; readonly shape: Shape; readonly data: PixelArray }
  | { readonly kind: "image"; readonly shape: Shape; readonly image: BackendImage }
  | { readonly kind: "source"; readonly shape: Shape; readonly source: Source };

/** Bits that come ready. */
export interface Bits extends Size {
  readonly kind: "mask";
  readonly bits: Uint32Array;
  /** The plane of a second class, where it was packed before. */
  readonly second?: Uint32Array | undefined;
}

/** An inclusive interval of values; foreground is inside it, or outside when inverted. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
  readonly invert: boolean;
}

/** One interval per class, tested on the luma; or, with `any`, on whether any colour channel is nonzero. */
export interface Predicate {
  readonly any: boolean;
  readonly classes: readonly Interval[];
  /** A value that is background in any case. */
  readonly except?: number | undefined;
  /** Pixels outside are background. */
  readonly within?: Bits | undefined;
}

/** Neighbours join when they differ by at most the tolerance in every channel; pixels of the background join nothing. */
export interface Linkage {
  readonly tolerance: number;
  /** One value per channel, or undefined for none. */
  readonly background: readonly number[] | undefined;
  /** A second value of the background. */
  readonly except?: number | undefined;
  /** Pixels outside are background. */
  readonly within?: Bits | undefined;
}

/** Whether pixels join by what they hold, instead of by being foreground. */
export function isLinkage(rule: Predicate | Linkage): rule is Linkage {
  return "tolerance" in rule;
}

/** How background joins where objects join so: by faces where they do by corners, and by corners where they do by faces. */
export function complementOf(connectivity: Connectivity): Connectivity {
  if (connectivity === 4 || connectivity === 8) return connectivity === 4 ? 8 : 4;
  return connectivity === 6 ? 26 : 6;
}

/** A checked FilterOptions: every field is there. */
export interface Filter {
  readonly fillHoles: boolean;
  readonly clearBorder: boolean;
  readonly minArea: number;
  readonly maxArea: number;
  /** 0 keeps all. */
  readonly largest: number;
}

/** Whether a filter drops nothing, beside the holes that it may fill; every object has at least one pixel. */
export function keepsAll({ clearBorder, minArea, maxArea, largest }: Omit<Filter, "fillHoles">): boolean {
  return !clearBorder && minArea <= 1 && maxArea === Number.POSITIVE_INFINITY && largest === 0;
}

/** x, y, z; z is 0 in images. */
export type Seed = readonly [number, number, number];

/** A checked FillOptions: every field is there. */
export interface FillPlan {
  /** x, y, z. */
  readonly seeds: readonly Seed[];
  readonly metric: ColourMetric;
  /** Per channel; all alike with l1 and l2. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Against the neighbour instead of the seed. */
  readonly floating: boolean;
  readonly connectivity: Connectivity;
  /** Side of the window whose mean is the seed's colour: odd. */
  readonly average: number;
  readonly contiguous: boolean;
  readonly within: Bits | undefined;
}

/** Whether a step from one pixel to another says nothing of the step back. */
export function isDirected({ floating, lower, upper }: FillPlan): boolean {
  return floating && lower.some((n, i) => n !== upper[i]);
}

/** What accompanies one call: its signal, its progress, its times. */
export interface Call {
  /** Bytes that may be in use, if there is a limit. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: Step) => void) | undefined;
  readonly timings: Timing[];
}

/** Rows [y0, y1) of pixels that are not on a device: a part of the array, or read from the source. */
export async function hostRows(
  pixels: Exclude<Pixels, { kind: "image" }>,
  y0: number,
  y1: number,
  { signal }: Call,
): Promise<PixelArray> {
  const { width, channels, type } = pixels.shape;
  const values = width * channels;
  if (pixels.kind === "array") return partOf(pixels.data, y0 * values, y1 * values);
  const into = newPixels(type, (y1 - y0) * values);
  await readRows(pixels, y0, y1, into, signal);
  return into;
}

/** How much of the shape sums is wanted; each level holds the ones before. */
export type RegionLevel = "area" | "bounds" | "centroid" | "shape";

/** The levels, each after those that it holds. */
export const REGION_LEVELS: readonly RegionLevel[] = ["area", "bounds", "centroid", "shape"];

/** Which sums `regions` is to make. */
export interface RegionsPlan {
  readonly level: RegionLevel;
  /** With z, even of a single slice. */
  readonly solid: boolean;
  readonly intensity?: { readonly pixels: Pixels; readonly contrast: boolean } | undefined;
}

/** Sums per object, exact, interleaved where there are several per object. */
export interface RegionSums {
  readonly area: Uint32Array;
  /** x0, y0, x1, y1; the fields of solid sums have z as well, in the order that {@link RegionProperty} tells. */
  readonly bounds?: Uint32Array | undefined;
  /** Mean x, mean y. */
  readonly centroid?: Float64Array | undefined;
  /** Sums of x, y, x x, x y, y y. */
  readonly rawMoments?: BigInt64Array | undefined;
  /** Pixel edges, Euler number; solid: faces across x, y and z, Euler number. */
  readonly outline?: BigInt64Array | undefined;
  /** {@link INTENSITY_FIELDS} numbers per object, i64 or f64; both counts are integers. */
  readonly intensity?: BigInt64Array | Float64Array | undefined;
}

/** Of an object's intensity: min, max, sum, sum v v, sum v x, sum v y, sum of the edges' background, number of those edges, sum v z, pixels. */
export const INTENSITY_FIELDS = 10;

/** A checked ResultWindow: every field is there. */
export type WindowPlan = Required<ResultWindow>;

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

/** Which pixels' colours a device is to keep, and where. */
export interface ColoursPlan {
  readonly space: ColourSpace;
  readonly ignoreTransparent: boolean;
}

/** The run table, struct of arrays. */
export interface RunTable {
  readonly row: Uint32Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  readonly label: Uint32Array;
  readonly offsets?: Uint32Array | undefined;
}

/** Whether histograms of a type have a count for each value. */
export function hasLevels(type: PixelType): boolean {
  return type === "u8" || type === "u16" || type === "i16";
}

/** Bins of floats. */
export const BINS = 256;

/** Counts of levels; level of counts[i] is `first + i` for integers of up to 16 bits, the centre of bin i for others. */
export interface Histogram {
  readonly counts: Float64Array;
  readonly levels: Float64Array;
  /** Of bins that hold several levels each, from the smallest to the largest value. */
  readonly edges?: Float64Array | undefined;
}

/** Edges of equal bins, from the smallest to the largest value: one more than there are bins. */
export function binEdges(low: number, high: number, bins = BINS): Float64Array {
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins);
  edges[bins] = high;
  return edges;
}

/** The histogram of counts per bin. */
export function ofBins(counts: Float64Array, edges: Float64Array): Histogram {
  return { counts, edges, levels: counts.map((_, i) => ((edges[i] as number) + (edges[i + 1] as number)) / 2) };
}

/** The histogram of counts per level of an integer type, without those of pixels that have no value. */
export function ofLevels(counts: Float64Array, { type, nodata }: Shape): Histogram {
  const first = type === "i16" ? -32768 : 0;
  if (nodata !== undefined) counts[nodata - first] = 0;
  if (counts.every((n) => n === 0)) throw noFiniteError();
  return { counts, levels: Float64Array.from(counts, (_, i) => first + i) };
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
