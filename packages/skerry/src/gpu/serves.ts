// The work that a GPU does itself: one row for each request and each product of components, with the limits as readers of the docs
// know them, and as the code checks them. The CPU does all other work. docs/algorithms.md has these rows.

import type { Call } from "../core/call.js";
import { BINS } from "../core/histogram.js";
import { hasKernels, type Pixels, rowCount, type Size, sizeOf } from "../core/pixels.js";
import { isDirected, isLinkage } from "../core/plans.js";
import type { DeviceRequest } from "../core/requests.js";
import type { PlanOf, ProductName } from "../device/backend.js";
import { separates, unmixes } from "./channel.js";
import type { Context } from "./device/context.js";
import { fitsDistances } from "./distance.js";
import { expandsHere } from "./expand.js";
import { fillsExactly } from "./fill.js";
import { derivesExactly } from "./gradient.js";
import { fitsColours } from "./kmeans-colours.js";
import { linksHere } from "./links.js";
import { fitsOneStrip, fitsSlices } from "./mask.js";
import { fitsMorphology } from "./morphology.js";
import { fitsSolids } from "./regions.js";
import { smoothsExactly } from "./smooth.js";
import { fitsSplit } from "./watershed.js";
import { flattensExactly, packsLocally } from "./window.js";

type Noun = DeviceRequest["noun"];
type RequestOf<N extends Noun> = Extract<DeviceRequest, { readonly noun: N }>;

interface Row<Given extends readonly unknown[]> {
  /** The work, and its limits. */
  readonly title: string;
  readonly limits: string;
  /** Whether the limits are kept; without it there are none. */
  readonly fits?: (...given: Given) => boolean;
}

type Requests = { readonly [N in Noun]: Row<[context: Context, request: RequestOf<N>, call: Call]> };

const BINDING = "what fits one binding";

export const REQUESTS: Requests = {
  pack: {
    title: "pixels to bits",
    limits:
      "u8, u16, i16, f32, not within a mask; local thresholds of u8 images; images on the card, or a bus that is fast",
    fits: (context, { pixels, predicate: { within, local } }) =>
      !within &&
      (!local || packsLocally(context, pixels, local)) &&
      hasKernels(pixels.shape.type) &&
      (pixels.kind === "image" || !context.sendsSlowly),
  },
  components: {
    title: "components",
    limits:
      "of a threshold or of bits, where a slice fits one binding; by value and by tolerance of u8, u16 and i16 images on the card, labels and links within one binding",
    fits: (context, { input, rule, connectivity }) => {
      if (isLinkage(rule)) return linksHere(context, input as Pixels, rule, connectivity);
      const classes = input.kind === "mask" && input.second ? 2 : 1;
      return fitsSlices(context, sizeOf(input), Math.max(classes, rule.intervals.length));
    },
  },
  stack: {
    title: "stacks of images",
    limits: "by a fixed threshold or of bits, where the stack fits one binding",
    fits: (context, { input, rule }) => {
      if (isLinkage(rule) || rule.within || rule.local) return false;
      const classes = input.kind === "mask" && input.second ? 2 : 1;
      return fitsOneStrip(context, sizeOf(input), Math.max(classes, rule.intervals.length));
    },
  },
  fill: {
    title: "fills",
    limits: "values that kernels compare exactly, where a slice fits one binding",
    // fill() refuses directed fills, with an error of its own.
    fits: (context, { pixels, plan }) =>
      isDirected(plan) || (fitsSlices(context, pixels.shape, 1) && fillsExactly(context, pixels, plan)),
  },
  distance: {
    title: "distance maps of pixels",
    limits: `${BINDING}, not coarse, memory not bounded`,
    fits: (context, { input, plan }, call) => fitsDistances(context, sizeOf(input), plan, call),
  },
  histogram: {
    title: "histograms",
    limits: "256 bins of fewer than 2^32 pixels of u8, u16, i16 and f32, not within a mask",
    // The kernel's counters have 32 bits.
    fits: (_, { pixels: { shape }, bins = BINS, within }) =>
      rowCount(shape) * shape.width < 2 ** 32 && hasKernels(shape.type) && bins === BINS && !within,
  },
  channel: {
    title: "channels and luma",
    limits: `${BINDING}; luma of types that have a kernel`,
    fits: (context, { pixels, channel }) => separates(context, pixels, channel),
  },
  stain: { title: "stains", limits: BINDING, fits: (context, { pixels }) => unmixes(context, pixels) },
  smooth: {
    title: "Gaussians",
    limits: `u8, u16, i16, ${BINDING}`,
    fits: (context, { pixels }) => smoothsExactly(context, pixels),
  },
  gradient: {
    title: "gradients",
    limits: `u8, u16, i16, ${BINDING}`,
    fits: (context, { pixels }) => derivesExactly(context, pixels),
  },
  flatten: {
    title: "flattening",
    limits: `subtraction from u8 images, radii up to 128, ${BINDING}`,
    fits: (context, { pixels, plan }) => flattensExactly(context, pixels, plan),
  },
  wand: {
    title: "differences for a wand",
    limits: BINDING,
    fits: (context, { pixels: { shape } }) => shape.width * shape.height <= context.device.bindingBytes,
  },
  colours: {
    title: "k-means colours",
    limits: "a table of colours that fits one binding, not within a mask",
    fits: (context, { plan }) => !plan.within && fitsColours(context),
  },
};

/** Components that a GPU holds; `isWhole`: their planes are one strip. */
interface Held extends Size {
  readonly isWhole: boolean;
}

type Rows = { readonly [N in ProductName]?: Row<[context: Context, held: Held, plan: PlanOf<N>, call: Call]> };

const ALWAYS = "always";

export const PRODUCTS: Rows = {
  labels: { title: "labels", limits: ALWAYS },
  window: { title: "labels or mask of a window", limits: ALWAYS },
  labelsBuffer: { title: "labels in a buffer", limits: ALWAYS },
  maskBuffer: { title: "mask in a buffer", limits: ALWAYS },
  runs: { title: "runs", limits: ALWAYS },
  mask: { title: "mask", limits: ALWAYS },
  surface: { title: "surface", limits: ALWAYS },
  at: { title: "label of a pixel", limits: ALWAYS },
  polarityOf: { title: "polarities", limits: ALWAYS },
  filter: { title: "filters by area, border, holes", limits: ALWAYS },
  keep: { title: "choice of objects", limits: ALWAYS },
  regions: {
    title: "regions",
    limits: "of volumes up to 65 535 rows and slices, without values; values of u8, u16 and i16 without nodata",
    fits: (_, held, { intensity, solid, level }) => {
      const { type, nodata } = intensity?.pixels.shape ?? {};
      if (type && (type === "f32" || nodata !== undefined || !hasKernels(type))) return false;
      return !solid || (!intensity && level !== "shape" && fitsSolids(held));
    },
  },
  distance: {
    title: "distance maps of objects",
    limits: `one strip, ${BINDING}, not coarse, memory not bounded`,
    fits: (context, held, { plan }, call) => held.isWhole && fitsDistances(context, held, plan, call),
  },
  morphology: {
    title: "dilate, erode, open, close",
    limits: `one strip, ${BINDING}; large radii with sides that are whole multiples of one unit`,
    fits: (context, held, plan) => held.isWhole && fitsMorphology(context, held, plan),
  },
  split: {
    title: "splits",
    limits: `one strip, by distance, whole heights, ${BINDING}`,
    fits: (context, held, plan, call) => held.isWhole && fitsSplit(context, held, plan, call),
  },
  expand: {
    title: "growth",
    limits: `one strip, whole costs, ${BINDING}, memory not bounded`,
    fits: (context, held, plan, call) => held.isWhole && expandsHere(context, held, plan, call),
  },
};

/** Whether the device does the work of a request. */
export function servesRequest<N extends Noun>(context: Context, request: RequestOf<N>, call: Call): boolean {
  const { fits } = REQUESTS[request.noun];
  return fits === undefined || fits(context, request, call);
}

/** Whether the device makes a product of components. */
export function servesProduct<N extends ProductName>(
  context: Context,
  held: Held,
  name: N,
  plan: PlanOf<N>,
  call: Call,
): boolean {
  const row: Rows[N] = PRODUCTS[name];
  return row !== undefined && (row.fits === undefined || row.fits(context, held, plan, call));
}
