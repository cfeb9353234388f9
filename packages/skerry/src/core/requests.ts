// Requests to a device, checked and with every default filled in: one record per kind of request.

import type { Connectivity, PixelArray } from "../types/raster.js";
import type { Centres, ClusterRule } from "./clusters.js";
import type { DistanceInto, DistancePlan } from "./distance-plan.js";
import type { Bits, Pixels, Shape } from "./pixels.js";
import type {
  AxisWeights,
  ColoursPlan,
  ContrastPlan,
  FillPlan,
  FlattenPlan,
  Linkage,
  Predicate,
  StainPlan,
  WandPlan,
  WatershedPlan,
} from "./plans.js";

/** The components of pixels by a rule, or of bits. */
export interface ComponentsRequest {
  readonly input: Pixels | Bits;
  /** Not used for bits. */
  readonly rule: Predicate | Linkage;
  readonly connectivity: Connectivity;
}

/** The objects of a label image, as they are. */
export interface LabelledRequest {
  readonly pixels: Pixels;
  readonly connectivity: Connectivity;
  /** The values of the objects: their labels, or others in the labels' order; undefined where labels only distinguish objects. */
  readonly values: "labels" | PixelArray | undefined;
}

/** The foreground of an image as bits. */
export interface PackRequest {
  readonly pixels: Pixels;
  readonly predicate: Predicate;
}

/** The components of the pixels that the seeds fill. */
export interface FillRequest {
  readonly pixels: Pixels;
  readonly plan: FillPlan;
}

/** The distances of all pixels to the foreground. */
export interface DistanceRequest {
  readonly input: Pixels | Bits;
  /** Not used for bits. */
  readonly predicate: Predicate;
  readonly plan: DistancePlan;
  readonly into: DistanceInto;
}

/** Number of pixels per luma; `bins` is for values without exact levels, 256 by default. */
export interface HistogramRequest {
  readonly pixels: Pixels;
  readonly bins?: number | undefined;
  /** Pixels outside are not counted. */
  readonly within?: Bits | undefined;
}

/** One channel as an image of its own; undefined is the luma. */
export interface ChannelRequest {
  readonly pixels: Pixels;
  readonly channel: number | undefined;
}

/** Weighted means along the axes, in the raster's type. */
export interface SmoothRequest {
  readonly pixels: Pixels;
  readonly axes: AxisWeights;
}

/** Magnitudes of gradients as f32, of one channel; with weights of pixels that are smoothed first, else by Sobel's operators. */
export interface GradientRequest {
  readonly pixels: Pixels;
  readonly axes: AxisWeights | undefined;
}

/** Pixels minus, or divided by, their local means; of one channel. */
export interface FlattenRequest {
  readonly pixels: Pixels;
  readonly plan: FlattenPlan;
}

/** The amount of a stain as f32 of one channel. */
export interface StainRequest {
  readonly pixels: Pixels;
  readonly plan: StainPlan;
}

/** The contrast with the frame's colour, of one channel. */
export interface ContrastRequest {
  readonly pixels: Pixels;
  readonly plan: ContrastPlan;
}

/** The basins of markers within bits. */
export interface WatershedRequest {
  readonly within: Bits;
  readonly connectivity: Connectivity;
  readonly plan: WatershedPlan;
}

/**
 * Planes of differences of a u8 raster: per pixel the largest difference of a channel from the seed's colour, as u8 of one
 * channel. There is one plane per seed or, unless contiguous, one plane of the least differences.
 */
export interface WandRequest {
  readonly pixels: Pixels;
  readonly plan: WandPlan;
}

/** The different colours of a u8 raster. */
export interface ColoursRequest {
  readonly pixels: Pixels;
  readonly plan: ColoursPlan;
}

/** The classes of all pixels: `names` has the class of each centre; pixels without a class are 255. */
export interface ClassesRequest<T> {
  readonly centres: Centres;
  readonly rule: ClusterRule;
  readonly names: Uint8Array;
  readonly into: T;
}

/** A segmentation in colour. `colours` has 4 bytes for each of 256 classes, of which the first `channels` are used. */
export interface RecolourRequest {
  readonly classes: { readonly shape: Shape; readonly data: Uint8Array };
  readonly colours: Uint8Array;
  readonly channels: 1 | 3 | 4;
  readonly into: Uint8Array;
}

/** One colour over the pixels of a mask, in the first channels. */
export interface PaintCoat {
  readonly mask: Bits;
  readonly colour: readonly number[];
  readonly opacity: number;
}

/** Coats of paint in their order. `into` has the pixels' length and type, and may be their array. */
export interface PaintRequest {
  readonly pixels: HostPixels;
  readonly coats: readonly PaintCoat[];
  readonly into: PixelArray;
}

/** A request and its noun, which a backend may refuse. */
export type DeviceRequest =
  | ({ readonly noun: "components" } & ComponentsRequest)
  | ({ readonly noun: "stack" } & ComponentsRequest)
  | ({ readonly noun: "pack" } & PackRequest)
  | ({ readonly noun: "fill" } & FillRequest)
  | ({ readonly noun: "distance" } & Pick<DistanceRequest, "input" | "plan">)
  | ({ readonly noun: "histogram" } & HistogramRequest)
  | ({ readonly noun: "channel" } & ChannelRequest)
  | ({ readonly noun: "smooth" } & SmoothRequest)
  | ({ readonly noun: "gradient" } & GradientRequest)
  | ({ readonly noun: "flatten" } & FlattenRequest)
  | ({ readonly noun: "stain" } & StainRequest)
  | ({ readonly noun: "wand" } & WandRequest)
  | ({ readonly noun: "colours" } & ColoursRequest);

/** Pixels of the host, in memory. */
export type HostPixels = Pixels & { readonly kind: "array"; readonly data: PixelArray };
