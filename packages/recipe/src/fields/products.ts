// Fields of outputs: measurements, outlines, paint.

import { type ColourMetric, REGION_PROPERTIES, type RegionProperty } from "skerry";
import { type FILL_RANGES, factsOf } from "skerry/internal";
import { field, type Operation } from "../field.js";
import { either, type Kind, listOf, number, numbers, on, oneOf, record, text } from "../kinds.js";
import { condition, NUMBERS } from "./objects.js";
import { FILL_FIELDS, type Stroke } from "./own.js";

/** Operations whose measurements can be chosen. */
const MEASURED: readonly Operation[] = ["components", "labelled"];
const OUTLINED: readonly Operation[] = ["components", "labelled"];
/** The properties of tables by default. */
const USUAL = `those of ${REGION_PROPERTIES.filter((name) => factsOf(name).usual)
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1")} that apply`;

/** Operations whose results can be written to OME-Zarr. */
const IN_STORES: readonly Operation[] = ["components", "labelled", "fill", "distance", "kmeans"];

const properties: Kind<readonly RegionProperty[]> = {
  expected: `out of ${REGION_PROPERTIES.join(", ")}`,
  words: REGION_PROPERTIES,
  schema: { type: "array", items: { enum: REGION_PROPERTIES }, minItems: 1, uniqueItems: true },
  is: (value): value is readonly RegionProperty[] =>
    Array.isArray(value) && value.length > 0 && value.every((name) => REGION_PROPERTIES.includes(name)),
  parse: (text) => text.split(",").map((name) => name.trim()),
  print: (value) => value.join(","),
};

/** The properties that a recipe names one by one; undefined for those of the default, and for all. */
export function namedProperties({
  products = {},
}: {
  readonly products?: { readonly properties?: readonly RegionProperty[] | "all" };
}): readonly RegionProperty[] | undefined {
  const { properties } = products;
  return properties === "all" ? undefined : properties;
}

/** A colour: #rrggbb, or one number or three of the picture's own type. */
export type Paint = string | readonly number[];
const colour: Kind<Paint> = {
  expected: "#rrggbb, one number or three",
  schema: {
    anyOf: [
      { type: "string", pattern: "^#[0-9a-fA-F]{6}$" },
      { type: "array", items: { type: "number" }, minItems: 1, maxItems: 3 },
    ],
  },
  is: (value): value is Paint =>
    typeof value === "string"
      ? /^#[0-9a-f]{6}$/i.test(value)
      : Array.isArray(value) && (value.length === 1 || value.length === 3) && value.every(Number.isFinite),
  parse: (text) =>
    text.startsWith("#") ? text : text.split(",").map((part) => (part.trim() ? Number(part) : Number.NaN)),
  print: String,
};

/** A painted selection: its strokes, the options of their fills, and the colour. */
export interface PaintedCoat {
  readonly color: string;
  readonly strokes: readonly Stroke[];
  readonly metric?: ColourMetric;
  readonly range?: (typeof FILL_RANGES)[number];
  readonly connectivity?: 4 | 8;
  readonly average?: number;
  readonly contiguous?: false;
}

const fillKind = (name: string): Kind<unknown> => FILL_FIELDS.find((each) => each.name === name)?.kind as Kind<unknown>;
const coat = record<PaintedCoat>(
  "{ color, strokes }",
  {
    color: colour as Kind<unknown>,
    strokes: fillKind("strokes"),
    metric: fillKind("metric"),
    range: fillKind("range"),
    average: fillKind("average"),
    contiguous: fillKind("contiguous"),
    connectivity: {
      ...oneOf(),
      schema: { enum: [4, 8] },
      is: (value): value is never => value === 4 || value === 8,
    } as Kind<unknown>,
  },
  ["color", "strokes"],
);

/** A name without folders. */
const plainName: Kind<string> = {
  ...text("a name without / and \\, other than . and .."),
  schema: { type: "string", minLength: 1, pattern: "^(?!\\.\\.?$)[^/\\\\]+$" },
  is: (value): value is string => typeof value === "string" && /^(?!\.\.?$)[^/\\]+$/.test(value),
};

/** Parts of a figure. */
const drawn: Kind<readonly ("colours" | "outlines" | "numbers" | "bar")[]> = {
  ...listOf(oneOf("colours", "outlines", "numbers", "bar")),
  expected: "out of colours, outlines, numbers, bar",
  parse: (written) => written.split(",").map((part) => part.trim()),
};

/** The output that shows them. */
const FIGURE = "--figure FILE";

const lengths = { unit: "pixels", call: "outlines" } as const;

export const PRODUCTS_FIELDS = [
  field({
    name: "properties",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--properties <LIST>",
    kind: either<"all", readonly RegionProperty[]>(`all, or ${properties.expected}`, oneOf("all"), properties),
    call: "regions",
    of: "--regions FILE, or --outlines FILE.geojson or .fgb",
    common: true,
    otherwise: USUAL,
    help: `measure these (see below), e.g. area,centroid; all: those that apply but rawMoments, convexHull, inscribed, median, quantiles and histogram; default: ${USUAL}`,
  }),
  field({
    name: "failIf",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--fail-if <CONDITION>",
    kind: condition,
    common: true,
    together: (before, next) => `(${before}) || (${next})`,
    help: 'end with exit code 3 if it holds for all objects together, e.g. "count > 0", or for any of them, e.g. "area > 500"; count, foreground and coverage (from 0 to 1) are of all, other names as in --select; with --endless the run ends at the first object that makes it true',
  }),
  field({
    name: "golden",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--golden <TABLE.csv>",
    kind: text("the file of a table"),
    help: "compare the objects with those of a table that --regions wrote before, print what differs, and then end with exit code 3; {name} is the input",
  }),
  field({
    name: "deviation",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--deviation <SHARE>",
    kind: number("0 or more", { least: 0 }),
    otherwise: "0",
    of: "--golden TABLE.csv",
    help: "with --golden: the share by which numbers may differ from the taught ones, of places the share of the side of a square of the object's area (default 0)",
  }),
  field({
    name: "perChannel",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--per-channel",
    kind: on,
    call: "regions",
    of: "--regions FILE",
    help: "measure each channel of colours by itself instead of their luma",
  }),
  field({
    name: "quantiles",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--quantiles <LIST>",
    kind: numbers<readonly number[]>("numbers from 0 to 1", { item: number("", { least: 0, most: 1 }) }),
    call: "regions",
    help: "with --properties quantiles: these, from 0 to 1 (default 0.25,0.5,0.75)",
  }),
  field({
    name: "bins",
    part: "products",
    operations: MEASURED,
    group: "products",
    flag: "--bins <N>",
    call: "regions",
    kind: number("a whole number of at least 1", { integer: true, least: 1 }),
    help: "with --properties histogram: this many bins",
  }),
  field({
    name: "simplify",
    part: "products",
    operations: [...OUTLINED, "kmeans"],
    group: "products",
    flag: "--simplify <PIXELS>",
    kind: number("0 or more", { least: 0 }),
    of: "--outlines FILE",
    ...lengths,
    help: "leave out corners of outlines at most this far from the simplified line; shared borders stay shared",
  }),
  field({
    name: "rings",
    part: "products",
    operations: OUTLINED,
    group: "products",
    flag: "--rings <R>",
    kind: oneOf("simple", "exact"),
    of: "--outlines FILE",
    call: "outlines",
    otherwise: "simple",
    help: "outlines: simple (valid polygons: rings are cut where they touch themselves; the default) or exact (one ring per border)",
  }),
  field({
    name: "world",
    part: "products",
    operations: OUTLINED,
    group: "products",
    flag: "--world",
    kind: on,
    help: "outlines and centroids in the coordinates of the map that a GeoTIFF lies on",
  }),
  field({
    name: "draw",
    part: "products",
    operations: OUTLINED,
    group: "products",
    flag: "--draw <LIST>",
    kind: drawn,
    of: FIGURE,
    otherwise: "colours,bar; the bar where the size of a pixel is known",
    help: "in a figure: colours, outlines, numbers of the objects, and bar, the scale bar (default colours,bar)",
  }),
  field({
    name: "colourBy",
    part: "products",
    operations: OUTLINED,
    group: "products",
    flag: "--colour-by <PROPERTY>",
    kind: oneOf(...NUMBERS, "value" as const),
    of: FIGURE,
    help: "in a figure: the colours of objects follow this property, e.g. area, or with --by value the class, with a legend",
  }),
  field({
    name: "title",
    part: "products",
    operations: OUTLINED,
    group: "products",
    flag: "--title <TEXT>",
    kind: text("a text"),
    of: FIGURE,
    help: "in a figure: a line above it",
  }),
  field({
    name: "name",
    part: "products",
    operations: IN_STORES,
    group: "products",
    flag: "--name <NAME>",
    kind: plainName,
    of: "an output that is an OME-Zarr image",
    otherwise: "labels",
    help: "what labels are called inside an OME-Zarr image: they go to labels/NAME (default labels)",
  }),
  field({
    name: "downsample",
    part: "products",
    operations: IN_STORES,
    group: "products",
    flag: "--downsample <HOW>",
    kind: oneOf("nearest", "mode"),
    of: "an output that ends in .zarr",
    otherwise: "nearest",
    help: "smaller versions in OME-Zarr: nearest (the first pixel of each block; the default) or mode (its most frequent label)",
  }),
  field({
    name: "color",
    part: "products",
    operations: ["fill"],
    group: "products",
    flag: "--color <C>",
    kind: colour,
    common: true,
    otherwise: "#ff0000; in a grey .npy or .pgm the most that it holds",
    help: "paint: #rrggbb, or values of the picture's own type (default #ff0000)",
  }),
  field({
    name: "opacity",
    part: "products",
    operations: ["fill"],
    group: "products",
    flag: "--opacity <P>",
    kind: number("from 0 to 1", { least: 0, most: 1 }),
    call: "paint",
    otherwise: "1",
    help: "paint: 0 to 1 (default 1)",
  }),
  field({
    name: "coats",
    part: "products",
    operations: ["fill"],
    group: "products",
    kind: listOf(coat),
    help: "selections painted one over another, each with a colour of its own",
  }),
] as const;
