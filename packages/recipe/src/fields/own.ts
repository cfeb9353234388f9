// Fields of fills, distances, k-means colours and masks.

import type { ColourMetric, DistanceMetric } from "skerry";
import {
  CLUSTER_METRICS,
  COLOUR_METRICS,
  COLOUR_SPACES,
  COLOUR_STARTS,
  DISTANCE_METRICS,
  FILL_RANGES,
} from "skerry/internal";
import { field, switchFor } from "../field.js";
import { either, type Kind, listOf, number, numbersOf, off, on, oneOf, record } from "../kinds.js";
import { place } from "./places.js";

const anyNumber = number("a number");
const atLeastZero = number("0 or more", { least: 0 });
const count = number("a whole number of at least 1", { integer: true, least: 1 });
const fromZero = number("a whole number from 0 to 4294967295", { integer: true, least: 0, most: 2 ** 32 - 1 });

const perChannel: Kind<number | readonly number[]> = {
  expected: "a number or several with commas between",
  json: "a number or a list of 2 to 4",
  schema: { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" }, minItems: 2, maxItems: 4 }] },
  is: (value): value is number | readonly number[] =>
    anyNumber.is(value) || (Array.isArray(value) && value.length > 1 && value.every(anyNumber.is)),
  parse: (text) => {
    const values = numbersOf(text);
    return values?.length === 1 ? values[0] : values;
  },
  print: String,
};

const metrics = oneOf<DistanceMetric>(...DISTANCE_METRICS);

/** One fill of a selection: it starts a new selection, adds to it or takes away from it. */
export interface Stroke {
  readonly mode: "new" | "add" | "take";
  readonly at: readonly number[];
  readonly tolerance: number;
}

const strokes: Kind<readonly Stroke[]> = {
  ...listOf(
    record<Stroke>(
      "{ mode, at, tolerance }",
      { mode: oneOf("new", "add", "take"), at: place, tolerance: atLeastZero },
      ["mode", "at", "tolerance"],
    ),
  ),
};

export const FILL_FIELDS = [
  field({
    name: "seeds",
    part: "options",
    operations: ["fill"],
    group: "own",
    flag: "--at <X,Y[,Z]>",
    kind: listOf(place),
    call: "fill",
    unit: "pixels",
    repeat: true,
    common: true,
    help: "where to begin, in a volume with its slice; may be repeated",
  }),
  field({
    name: "tolerance",
    part: "options",
    operations: ["fill"],
    group: "own",
    flag: "--tolerance <N>",
    kind: perChannel,
    call: "fill",
    unit: "values",
    otherwise: "0",
    common: true,
    help: "how far a channel may differ, or one per channel: R,G,B (default 0)",
  }),
  field({
    name: "metric",
    part: "options",
    operations: ["fill"],
    group: "own",
    flag: "--metric <M>",
    call: "fill",
    kind: oneOf<ColourMetric>(...COLOUR_METRICS),
    otherwise: "linf",
    help: "difference of colours: linf (largest; default), l1 (sum) or l2 (Euclidean)",
  }),
  field({
    name: "range",
    part: "options",
    operations: ["fill"],
    group: "own",
    flag: "--range <R>",
    call: "fill",
    kind: oneOf(...FILL_RANGES),
    otherwise: "fixed",
    common: true,
    help: "against the colour at the point (fixed; default) or of the neighbour (floating)",
  }),
  field({
    name: "contiguous",
    part: "options",
    operations: ["fill"],
    group: "own",
    call: "fill",
    otherwise: "true",
    kind: off,
    help: "whether only pixels count that are connected to a seed",
    flags: [switchFor<false>("--global", "every pixel that matches, connected or not", false, true)],
  }),
  field({
    name: "average",
    part: "options",
    operations: ["fill"],
    group: "own",
    flag: "--average <N>",
    kind: count,
    call: "fill",
    otherwise: "1",
    help: "begin with the mean colour of N x N pixels, N odd",
  }),
  field({
    name: "strokes",
    part: "options",
    operations: ["fill"],
    group: "own",
    kind: strokes,
    help: "instead of seeds: selections one after another, each with its own tolerance; each begins anew, adds or takes away",
  }),
] as const;

export const DISTANCE_FIELDS = [
  field({
    name: "points",
    part: "options",
    operations: ["distance"],
    group: "own",
    flag: "--point <X,Y[,Z]>",
    kind: listOf(place),
    unit: "pixels",
    repeat: true,
    common: true,
    help: "to these pixels instead of the foreground; may be repeated",
  }),
  field({
    name: "to",
    part: "options",
    operations: ["distance"],
    group: "own",
    kind: oneOf("surface"),
    call: "distance",
    otherwise: "foreground",
    help: "what distances are measured to",
    flags: [
      switchFor<"surface">(
        "--surface",
        "to the surface of the foreground: its pixels with background beside them along an axis",
        "surface",
        true,
      ),
    ],
  }),
  field({
    name: "max",
    part: "options",
    operations: ["distance"],
    group: "own",
    flag: "--max <R>",
    call: "distance",
    kind: number("above 0", { above: 0 }),
    unit: "units of the spacing",
    common: true,
    help: "exact up to R, no further",
  }),
  field({
    name: "beyond",
    part: "options",
    operations: ["distance"],
    group: "own",
    flag: "--beyond <HOW>",
    kind: oneOf("infinity", "clamp", "coarse"),
    call: "distance",
    otherwise: "infinity",
    help: "pixels beyond R: infinity (default), clamp to R, or coarse, interpolated",
  }),
  field({
    name: "signed",
    part: "options",
    operations: ["distance"],
    group: "own",
    flag: "--signed",
    kind: on,
    call: "distance",
    common: true,
    help: "inside objects minus the distance to the background",
  }),
  field({
    name: "squared",
    part: "options",
    operations: ["distance"],
    group: "own",
    flag: "--squared",
    kind: on,
    call: "distance",
    help: "squared distances in whole units, as 32-bit integers, 4294967295 for none",
  }),
  field({
    name: "metric",
    part: "options",
    operations: ["distance", "mask"],
    group: "own",
    flag: "--metric <M>",
    kind: metrics,
    otherwise: "euclidean",
    call: "ball",
    help: "euclidean (default), cityblock or chessboard",
  }),
] as const;

/** Initial centres of k-means: a method, or colours, or greys as lists of one. */
type Start = (typeof COLOUR_STARTS)[number] | "tiles" | readonly (readonly number[])[];
const methods = oneOf(...COLOUR_STARTS, "tiles");
const start: Kind<Start> = {
  expected: "kmeans++, random, grid, tiles, colours #rrggbb,#rrggbb,... or greys from 0 to 255 as 0,128,255",
  json: "kmeans++, random, grid, tiles, or a list of colours [r, g, b] or greys [v]",
  schema: {
    anyOf: [
      methods.schema,
      { type: "array", items: { type: "array", items: { type: "number" }, minItems: 1, maxItems: 3 }, minItems: 1 },
    ],
  },
  is: (value): value is Start =>
    methods.is(value) ||
    (Array.isArray(value) &&
      value.length > 0 &&
      value.every(
        (colour) =>
          Array.isArray(colour) &&
          colour.length === value[0].length &&
          (colour.length === 1 || colour.length === 3) &&
          colour.every((n) => typeof n === "number" && n >= 0 && n <= 255),
      )),
  parse: (text) => {
    const parts = text.split(",").map((part) => part.trim());
    if (parts.every((part) => /^#[0-9a-f]{6}$/i.test(part))) return parts.map(rgbOf);
    return parts.every((part) => /^\d+(\.\d+)?$/.test(part)) ? parts.map((part) => [Number(part)]) : text;
  },
  print: (value) =>
    typeof value === "string"
      ? value
      : value.map((colour) => (colour.length === 3 ? hexOf(colour) : colour[0])).join(","),
};

/** Red, green and blue of #rrggbb, 0 to 255. */
export function rgbOf(hex: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
}

/** #rrggbb of whole numbers from 0 to 255. */
function hexOf(colour: readonly number[]): string {
  return `#${colour.map((n) => n.toString(16).padStart(2, "0")).join("")}`;
}

export const KMEANS_FIELDS = [
  field({
    name: "k",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "-k <K>",
    common: true,
    kind: {
      ...either<"auto", number>(
        "a whole number from 1 to 256, or auto",
        oneOf("auto"),
        number("", { integer: true, least: 1, most: 256 }),
      ),
    },
    help: "classes, 1 to 256; or auto: as many as the colours suggest",
  }),
  field({
    name: "maxK",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--max-k <N>",
    otherwise: "12",
    kind: number("a whole number from 2 to 256", { integer: true, least: 2, most: 256 }),
    help: "with -k auto: the most to try (default 12)",
  }),
  field({
    name: "metric",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--metric <M>",
    call: "kmeans",
    kind: oneOf(...CLUSTER_METRICS),
    otherwise: "l2",
    help: "l2 (means; default), l1 (medians) or l1-mean (nearest by sums of differences, means)",
  }),
  field({
    name: "init",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--init <I>",
    kind: start,
    otherwise: "kmeans++",
    common: true,
    help: "initial centres: kmeans++ (default), random, grid, tiles (means of k parts of the picture), colours '#rrggbb,#rrggbb,...', or greys 0,128,255",
  }),
  field({
    name: "seed",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--seed <N>",
    kind: fromZero,
    call: "kmeans",
    otherwise: "0",
    common: true,
    help: "seed of the random generator (default 0)",
  }),
  field({
    name: "colourSpace",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--colour-space <S>",
    call: "kmeans",
    kind: oneOf(...COLOUR_SPACES),
    otherwise: "rgb",
    common: true,
    help: "compare colours as they are (rgb; default) or as the eye sees them (oklab)",
  }),
  field({
    name: "maxIterations",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--max-iterations <N>",
    kind: fromZero,
    call: "kmeans",
    otherwise: "100",
    help: "most iterations (default 100)",
  }),
  field({
    name: "tolerance",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--tolerance <D>",
    kind: atLeastZero,
    call: "kmeans",
    otherwise: "0",
    help: "end once no centre moves further than D (default 0)",
  }),
  field({
    name: "restarts",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--restarts <N>",
    kind: count,
    call: "kmeans",
    otherwise: "1",
    help: "runs from different random initial centres; the one with the lowest inertia is kept",
  }),
  field({
    name: "merge",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    kind: listOf(listOf(place)),
    help: "classes that become one: of each list those that its pixels belong to, in the mean of their colours",
  }),
  field({
    name: "pick",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    kind: listOf(place),
    help: "of a recipe within another: only the classes that these pixels belong to",
  }),
  field({
    name: "ignoreTransparent",
    part: "options",
    operations: ["kmeans"],
    group: "own",
    flag: "--ignore-transparent",
    kind: on,
    call: "kmeans",
    common: true,
    help: "pixels of alpha 0 belong to no class: 255 in classes",
  }),
] as const;

export const MASK_FIELDS = [
  field({
    name: "erode",
    part: "options",
    operations: ["mask"],
    group: "own",
    flag: "--erode <R>",
    kind: atLeastZero,
    unit: "pixels, or units with physical",
    common: true,
    help: "take away pixels that are at most R from an unselected one",
  }),
  field({
    name: "dilate",
    part: "options",
    operations: ["mask"],
    group: "own",
    flag: "--dilate <R>",
    kind: atLeastZero,
    unit: "pixels, or units with physical",
    common: true,
    help: "add pixels that are at most R from a selected one",
  }),
] as const;
