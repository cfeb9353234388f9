// Fields for reading inputs: the part of a file, the size of a pixel, and other files beside it.

import type { ChannelName } from "skerry";
import { CHANNELS, PROJECTIONS, type Projection } from "skerry/internal";
import { parseBeside } from "../beside.js";
import { field, flagFor, OPERATIONS, type Operation } from "../field.js";
import { anyRecord, either, type Kind, listOf, number, numbers, on, oneOf, text } from "../kinds.js";

const NAMED = [...CHANNELS, "index"] as const;

/** Operations that begin with pixels of an image. */
const OF_PIXELS: readonly Operation[] = ["components", "distance"];

const wholeNumber = (expected: string, least: number) => number(expected, { integer: true, least });

/** Types of stored values, as NumPy and as skerry call them. */
export const DTYPES = {
  uint8: "u8",
  int8: "i8",
  uint16: "u16",
  int16: "i16",
  uint32: "u32",
  int32: "i32",
  float32: "f32",
  float64: "f64",
  uint64: "u64",
  int64: "i64",
} as const;
type Dtype = keyof typeof DTYPES;

const dtypes = oneOf<Dtype>(...(Object.keys(DTYPES) as Dtype[]));

const files = text("files");

/** A colour of 8 bits per channel. */
const hex: Kind<string> = {
  ...text("a colour such as #ffffff"),
  schema: { type: "string", pattern: "^#[0-9a-fA-F]{6}$" },
  is: (value): value is string => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value),
};

/** Files of images, each with an optional channel and name. */
const images: Kind<readonly string[]> = {
  ...listOf(text("the file of an image")),
  expected: "files of images of different names, such as cells.tif:1 or marker=cells.tif:1",
  is: (value): value is readonly string[] => {
    if (!Array.isArray(value) || value.length === 0 || !value.every((each) => typeof each === "string")) return false;
    const names = value.map((each) => parseBeside(each)?.name);
    return !names.includes(undefined) && new Set(names).size === names.length;
  },
};

const WITHIN =
  "only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count for no threshold";

export const INPUT_FIELDS = [
  field({
    name: "shape",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--shape <W,H[,D]>",
    kind: numbers<readonly number[]>("WIDTH,HEIGHT or WIDTH,HEIGHT,DEPTH, or WIDTH with --endless", {
      item: wholeNumber("a whole number of at least 1", 1),
      most: 3,
    }),
    help: "INPUT is raw values, x fastest, then y, then z",
  }),
  field({
    name: "endless",
    part: "input",
    operations: ["components"],
    group: "read",
    flag: "--endless",
    kind: on,
    help: "INPUT is raw lines of --shape WIDTH without an end, as those of a line camera: each object is printed as a line of JSON as soon as it is finished",
  }),
  field({
    name: "dtype",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--dtype <T>",
    kind: { ...dtypes, parse: (name) => Object.entries(DTYPES).find((names) => names.includes(name as never))?.[0] },
    help: "type of raw values, little-endian: uint8 (default), int16, float32 and others",
    otherwise: "uint8",
  }),
  field({
    name: "volume",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--volume",
    kind: on,
    help: "a folder of pictures is one volume, not a batch: slices in the order of the numbers in their names; so are the pages of a TIFF with --page all",
  }),
  field({
    name: "page",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--page <N>",
    kind: either<"all" | Projection, number>(
      `a number from 0, all, ${PROJECTIONS.join(" or ")}`,
      oneOf("all", ...PROJECTIONS),
      wholeNumber("a number from 0", 0),
    ),
    help: "take page N (from 0) of a TIFF, GIF or WebP, or slice N of a volume or of an OME-Zarr image, and of files beside it; all: each page or slice by itself, with a column page in one table, with --volume the pages of a TIFF are slices; largest, mean: one image of all slices or pages, of their values along each line of sight",
    otherwise: "0, or the slices that ImageJ or OME describe",
  }),
  field({
    name: "time",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--time <N>",
    kind: either<"all", number>("a number from 0, or all", oneOf("all"), wholeNumber("a number from 0", 0)),
    help: "take time N (from 0) of a TIFF of ImageJ or OME, of a volume of four dimensions, or of an OME-Zarr image, and of files beside it that have times; all: each time in turn, with a column time in one table",
    otherwise: "0",
  }),
  field({
    name: "stack",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--stack <N>",
    kind: wholeNumber("a number from 0", 0),
    help: "take stack N (from 0) of a folder of DICOM slices that holds several: of other series, directions or sizes",
  }),
  field({
    name: "allowGaps",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--allow-gaps",
    kind: on,
    help: "DICOM slices whose steps differ by more than 1 % lie at the mean step",
  }),
  field({
    name: "level",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--level <N>",
    kind: wholeNumber("a number from 0", 0),
    help: "take the smaller version N of an OME-Zarr image, or of a TIFF such as a Cloud Optimized GeoTIFF; 0 is the whole",
    otherwise: "0",
  }),
  field({
    name: "crop",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--crop <BOX>",
    unit: "pixels",
    kind: {
      ...numbers<readonly number[]>("X,Y,WIDTH,HEIGHT or X,Y,Z,WIDTH,HEIGHT,DEPTH in whole pixels", {
        item: wholeNumber("a whole number of 0 or more", 0),
        least: 4,
        most: 6,
      }),
      is: (value): value is readonly number[] =>
        Array.isArray(value) &&
        (value.length === 4 || value.length === 6) &&
        value.every((n, i) => Number.isInteger(n) && n >= (i < value.length / 2 ? 0 : 1)),
    },
    common: true,
    help: "only this part: X,Y,WIDTH,HEIGHT, of a volume X,Y,Z,WIDTH,HEIGHT,DEPTH",
  }),
  field({
    name: "spacing",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--spacing <X,Y[,Z]>",
    kind: {
      ...either<"file", readonly number[]>("X,Y or X,Y,Z above 0, or file", oneOf("file"), {
        ...numbers<readonly number[]>("X,Y or X,Y,Z above 0", {
          item: number("above 0", { above: 0 }),
          least: 2,
          most: 3,
        }),
        parse: (written) => {
          const sides = written.split(",").map(Number);
          return sides.length === 1 ? [sides[0], sides[0], sides[0]] : sides;
        },
      }),
      json: '[x, y] or [x, y, z] above 0, or "file"',
    },
    help: "the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing resolution of a PNG or TIFF, which is not used otherwise",
    otherwise: "what GeoTIFF, NIfTI, DICOM, OME or ImageJ tell",
  }),
  field({
    name: "unit",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--unit <NAME>",
    kind: text("a unit such as um, mm, m"),
    help: "the unit of lengths, e.g. um or ft: converts the file's own, and names that of --spacing, which is else the file's",
    otherwise: "what the file tells",
  }),
  field({
    name: "nodata",
    part: "input",
    operations: ["components", "labelled", "fill", "distance"],
    group: "read",
    flag: "--nodata <V>",
    kind: number("a number"),
    help: "pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is",
  }),
  field({
    name: "axes",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--axes <ORDER>",
    kind: oneOf("zyx", "yxc"),
    help: "axes of a .npy array of three: zyx, a volume, or yxc, a picture whose pixels have 3 or 4 channels",
    otherwise:
      "yxc for uint8 whose last axis is 3 or 4 and whose others are above 4, with a note; label images are zyx",
  }),
  field({
    name: "matte",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--matte <COLOUR>",
    kind: hex,
    help: "lay a picture with transparency on a colour, #rrggbb, before anything else",
    otherwise:
      "fills, classes and areas of equal value take all pixels of alpha 0 as equal; others take the colours below, with a note",
  }),
  field({
    name: "channel",
    part: "input",
    operations: OF_PIXELS,
    group: "pixels",
    flag: "--channel <NAME>",
    kind: either<ChannelName | "index", number>(
      `${NAMED.join(", ")} or a number from 0`,
      oneOf(...NAMED),
      wholeNumber("a number from 0", 0),
    ),
    common: true,
    help: "take red, green, blue, alpha, band or channel N (from 0), luma (default), contrast: the colour distance from the frame of the picture, hematoxylin, eosin, dab, or index: the numbers of a palette",
    otherwise: "luma",
  }),
  field({
    name: "channel",
    part: "input",
    operations: ["fill", "kmeans"],
    group: "pixels",
    flag: "--channel <NAME>",
    kind: either<ChannelName, number>(
      `${CHANNELS.join(", ")} or a number from 0`,
      oneOf(...CHANNELS),
      wholeNumber("a number from 0", 0),
    ),
    help: "take one of several: band or channel N (from 0) of a file, or red, green, blue, alpha, luma, contrast, hematoxylin, eosin or dab of colours",
    otherwise: "all colours",
  }),
  field({
    name: "channel",
    part: "input",
    operations: ["labelled"],
    group: "read",
    flag: "--channel <N>",
    kind: either<"index", number>("a number from 0, or index", oneOf("index"), wholeNumber("a number from 0", 0)),
    help: "take the labels of band or channel N (from 0) of a file that holds several",
    otherwise: "0",
  }),
  field({
    name: "within",
    part: "input",
    operations: ["components", "distance", "fill", "kmeans"],
    group: "pixels",
    kind: {
      ...either<string, object>("the file of a mask", text(""), anyRecord),
      schema: {
        anyOf: [
          { type: "string", minLength: 1 },
          { type: "object", description: "a recipe of components, fill or kmeans, on the same pixels" },
        ],
      },
    },
    help: WITHIN,
    flags: [
      flagFor<string | object, string>(
        "--within <MASK>",
        WITHIN,
        text("the file of a mask"),
        (path) => path,
        (value) => (typeof value === "string" ? value : undefined),
      ),
    ],
  }),
  field({
    name: "intensity",
    part: "input",
    operations: ["components", "labelled"],
    group: "own",
    flag: "--intensity <FILE[:SELECTION]>",
    kind: images,
    repeat: true,
    common: true,
    help: "measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1, or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in marker=cells.tif:1",
    otherwise: "the pixels that objects are found in",
  }),
  field({
    name: "ignorePlace",
    part: "input",
    operations: OPERATIONS,
    group: "read",
    flag: "--ignore-place",
    kind: on,
    help: "combine files of one size pixel by pixel, whatever their headers tell of their places",
  }),
  field({
    name: "union",
    part: "input",
    operations: ["mask"],
    group: "own",
    flag: "--union <FILE...>",
    kind: listOf(files),
    repeat: true,
    variadic: true,
    common: true,
    help: "add the pixels that are selected in any of these",
  }),
  field({
    name: "intersection",
    part: "input",
    operations: ["mask"],
    group: "own",
    flag: "--intersection <FILE...>",
    kind: listOf(files),
    repeat: true,
    variadic: true,
    common: true,
    help: "keep only the pixels that are selected in all of these",
  }),
  field({
    name: "difference",
    part: "input",
    operations: ["mask"],
    group: "own",
    flag: "--difference <FILE...>",
    kind: listOf(files),
    repeat: true,
    variadic: true,
    common: true,
    help: "take away the pixels that are selected in any of these",
  }),
] as const;
