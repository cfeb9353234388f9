// Fields of objects: their pixels, their processing, and the choice of those to keep.

import { type Connectivity, REGION_PROPERTIES, type Threshold } from "skerry";
import { CONNECTIVITIES, isNumber, type NumberProperty, POLARITIES } from "skerry/internal";
import { field, type Operation, textFlag } from "../field.js";
import { either, type Kind, listOf, number, numberOf, numbersOf, on, oneOf, record, text } from "../kinds.js";
import { edits, nameOfEdit, place } from "./places.js";
import { saysThreshold, THRESHOLD_HELP, threshold, writtenThreshold } from "./thresholds.js";

/** Operations that find objects in pixels. */
const FOUND: readonly Operation[] = ["components", "distance"];
/** Operations whose objects are kept or left out. */
const KEPT: readonly Operation[] = ["components", "labelled", "distance"];
/** Operations whose objects are chosen by their measurements. */
const CHOSEN: readonly Operation[] = ["components", "labelled"];

const anyNumber = number("a number");
const atLeastZero = number("0 or more", { least: 0 });
const aboveZero = number("above 0", { above: 0 });
const count = number("a whole number of at least 1", { integer: true, least: 1 });

type HoleSlices = "slices" | "x" | "y" | "z";
const slices = oneOf<HoleSlices>("slices", "x", "y", "z");
const allSlices: Kind<readonly HoleSlices[]> = {
  ...listOf(slices),
  parse: (text) => text.split(",").map((each) => each.trim()),
};
/** Holes: of objects as they are, of the slices across an axis, or of several one after another. */
const holes: Kind<true | HoleSlices | readonly HoleSlices[]> = either(
  "true, slices, x, y or z, or several of these such as x,z",
  on,
  either("slices, x, y or z", slices, allSlices),
);

type By = "value" | { readonly tolerance: number };
const by: Kind<By> = either(
  "value or { tolerance }",
  oneOf("value"),
  record<{ readonly tolerance: number }>("{ tolerance }", { tolerance: atLeastZero }, ["tolerance"]),
);

type Background = number | readonly number[] | null;
const background: Kind<Background> = {
  expected: "a number or several with commas between, or none",
  json: "a number or a list of 2 to 4, or null for none",
  schema: {
    anyOf: [
      { type: "number" },
      { type: "array", items: { type: "number" }, minItems: 2, maxItems: 4 },
      { type: "null" },
    ],
  },
  is: (value): value is Background =>
    value === null || anyNumber.is(value) || (Array.isArray(value) && value.length > 1 && value.every(anyNumber.is)),
  parse: (written) => {
    if (written === "none") return null;
    const values = numbersOf(written);
    return values?.length === 1 ? values[0] : values;
  },
  print: (value) => (value === null ? "none" : String(value)),
};

const CONNECTED: readonly Connectivity[] = [...CONNECTIVITIES.image, ...CONNECTIVITIES.volume];
const connectivity: Kind<Connectivity> = {
  ...oneOf(),
  expected: "4 or 8 for images, 6, 18 or 26 for volumes",
  schema: { enum: CONNECTED },
  is: (value): value is Connectivity => CONNECTED.includes(value as Connectivity),
  parse: Number,
  print: String,
};

/** Properties of one number per object, which conditions and orders may name. */
export const NUMBERS: readonly NumberProperty[] = REGION_PROPERTIES.filter(isNumber);

/** A condition; its words are checked once the whole recipe is. */
export const condition: Kind<string> = {
  ...text("a condition"),
  is: (value): value is string => typeof value === "string" && value.trim() !== "",
};

const sorting: Kind<string> = {
  expected: `one out of ${NUMBERS.join(", ")}`,
  words: NUMBERS,
  schema: { enum: NUMBERS.flatMap((name) => [name, `-${name}`]) },
  is: (value): value is string =>
    typeof value === "string" && NUMBERS.includes(value.replace(/^-/, "") as NumberProperty),
  parse: (written) => written,
  print: (value) => value,
};

const radius = <const N extends string>(flag: string, name: N, help: string, common?: boolean) =>
  field({
    name,
    part: "options",
    operations: FOUND,
    group: "objects",
    flag,
    kind: atLeastZero,
    common,
    help,
    call: "components",
    unit: "pixels, or units with physical",
  });

export const OBJECTS_FIELDS = [
  field({
    name: "smooth",
    part: "options",
    operations: FOUND,
    group: "pixels",
    flag: "--smooth <S>",
    kind: aboveZero,
    call: "components",
    unit: "pixels, or units with physical",
    common: true,
    help: "smooth by a Gaussian of S pixels before the threshold",
  }),
  field({
    name: "gradient",
    part: "options",
    operations: FOUND,
    group: "pixels",
    flag: "--gradient <S>",
    kind: either("sobel, or a number above 0", oneOf("sobel"), aboveZero),
    call: "components",
    unit: "pixels, or units with physical",
    common: true,
    help: "find objects in how much values change per pixel: by Sobel's operators (sobel), or by derivatives of a Gaussian of S pixels; thresholds apply to the result",
  }),
  field({
    name: "flatten",
    part: "options",
    operations: FOUND,
    group: "pixels",
    flag: "--flatten <R>",
    kind: count,
    call: "components",
    unit: "pixels",
    common: true,
    help: "for uneven light: subtract the mean of the pixels up to R away and add 128 (8 bits) or 32768 (16 bits); thresholds apply to the result",
  }),
  field({
    name: "threshold",
    part: "options",
    operations: FOUND,
    group: "pixels",
    kind: threshold,
    call: "components",
    help: "which pixels belong to objects, by their values",
    otherwise: "nonzero if the image holds at most two values and one is 0, else Otsu",
    flags: [
      textFlag<Threshold>("--threshold <T>", THRESHOLD_HELP, writtenThreshold, {
        common: true,
        says: saysThreshold,
        brief: `${writtenThreshold.words?.join(", ")}, ">60", "<60", 60..90 or sauvola:12`,
      }),
    ],
  }),
  field({
    name: "polarity",
    part: "options",
    operations: FOUND,
    group: "pixels",
    flag: "--objects <WHICH>",
    common: true,
    says: (value) => `take the side ${value === "dark" ? "at and below" : "above"} an automatic or local threshold`,
    kind: oneOf(...POLARITIES),
    call: "components",
    otherwise: "dark if more pixels are above the mean around them than below it",
    help: "bright or dark: above, or at and below, an automatic or local threshold; without it dark if most pixels are brighter than the mean around them",
  }),
  field({
    name: "by",
    part: "options",
    operations: FOUND,
    group: "pixels",
    kind: by,
    call: "components",
    help: "neighbours join by their values instead of a threshold",
    flags: [
      textFlag<By>(
        "--by <KIND>",
        "value: neighbours of equal value join, each area of a class map is an object; tolerance:D: neighbours join that differ by at most D in every channel",
        {
          ...by,
          expected: "value or tolerance:D",
          words: ["value"],
          parse: (text) => {
            const [, tolerance] = /^tolerance:(.+)$/.exec(text) ?? [];
            return tolerance === undefined ? text : { tolerance: numberOf(tolerance) };
          },
          print: (value) => (value === "value" ? value : `tolerance:${value.tolerance}`),
        },
        {
          common: true,
          says: (value) =>
            value === "value"
              ? "join neighbours of equal value, so that each area of a class map is an object"
              : `join neighbours that differ by at most ${value.tolerance} in every channel`,
        },
      ),
    ],
  }),
  field({
    name: "background",
    part: "options",
    operations: FOUND,
    group: "pixels",
    flag: "--background <V>",
    kind: background,
    call: "components",
    otherwise: "0",
    help: "with --by value or tolerance:D: this value is no object; 0 by default, or none",
  }),
  field({
    name: "connectivity",
    part: "options",
    operations: ["components", "labelled", "fill", "distance"],
    group: "pixels",
    flag: "--connectivity <N>",
    kind: connectivity,
    common: true,
    otherwise: "4, or 6 in volumes",
    help: "neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26",
  }),
  radius(
    "--open <R>",
    "open",
    "drop parts that are too narrow for a ball of radius R (pixels, or units with --physical)",
    true,
  ),
  radius("--close <R>", "close", "fill gaps that are too narrow for a ball of radius R"),
  radius("--erode <R>", "erode", "drop pixels that are at most R from the background"),
  radius("--dilate <R>", "dilate", "add pixels that are at most R from an object"),
  field({
    name: "fillHoles",
    part: "options",
    operations: FOUND,
    group: "objects",
    flag: "--fill-holes [WHERE]",
    kind: holes,
    call: "components",
    common: true,
    together: (before, next) => (before === true || next === true ? undefined : [before, next].flat()),
    help: "fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself, and several as in x,z one after another",
  }),
  field({
    name: "maxHoleArea",
    part: "options",
    operations: FOUND,
    group: "objects",
    flag: "--max-hole-area <N>",
    kind: atLeastZero,
    call: "components",
    unit: "pixels",
    help: "with --fill-holes: leave larger holes",
  }),
  field({
    name: "split",
    part: "options",
    operations: FOUND,
    group: "objects",
    flag: "--split [H]",
    common: true,
    kind: either<true, number>("0 or more", on, atLeastZero),
    call: "components",
    help: "split objects that touch where the distance to the background falls by H (default 1)",
  }),
  field({
    name: "absorb",
    part: "options",
    operations: [...KEPT, "kmeans"],
    group: "objects",
    flag: "--absorb <AREA>",
    kind: aboveZero,
    call: "absorb",
    unit: "pixels",
    help: "give areas of fewer pixels to the neighbour with the longest border",
  }),
  field({
    name: "clearBorder",
    part: "options",
    operations: KEPT,
    group: "objects",
    flag: "--clear-border",
    kind: on,
    call: "filter",
    common: true,
    help: "drop objects that touch the image border",
  }),
  field({
    name: "minArea",
    part: "options",
    operations: KEPT,
    group: "objects",
    flag: "--min-area <N>",
    kind: atLeastZero,
    call: "filter",
    unit: "pixels",
    common: true,
    help: "drop objects of fewer pixels",
  }),
  field({
    name: "maxArea",
    part: "options",
    operations: KEPT,
    group: "objects",
    flag: "--max-area <N>",
    kind: atLeastZero,
    call: "filter",
    unit: "pixels",
    common: true,
    help: "drop objects of more pixels",
  }),
  field({
    name: "largest",
    part: "options",
    operations: KEPT,
    group: "objects",
    flag: "--largest <K>",
    kind: count,
    call: "filter",
    common: true,
    help: "keep the K largest",
  }),
  field({
    name: "expand",
    part: "options",
    operations: KEPT,
    group: "objects",
    flag: "--expand <D>",
    kind: aboveZero,
    call: "expand",
    unit: "pixels, or units with physical",
    help: "at last, let objects grow by D into the background; they keep apart",
  }),
  field({
    name: "select",
    part: "options",
    operations: CHOSEN,
    group: "keep",
    flag: "--select <CONDITION>",
    common: true,
    kind: condition,
    together: (before, next) => `(${before}) && (${next})`,
    help: 'keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||, properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark',
  }),
  field({
    name: "maxLength",
    part: "options",
    operations: ["components"],
    group: "keep",
    flag: "--max-length <N>",
    kind: count,
    unit: "lines",
    otherwise: "4096",
    help: "with --endless: objects of more lines come in parts of N (default 4096)",
  }),
  field({
    name: "sort",
    part: "options",
    operations: CHOSEN,
    group: "keep",
    flag: "--sort <PROPERTY>",
    kind: sorting,
    help: "order of --regions and --top, the largest first; -PROPERTY the smallest",
  }),
  field({
    name: "top",
    part: "options",
    operations: CHOSEN,
    group: "keep",
    flag: "--top <N>",
    kind: count,
    help: "keep the first N by --sort, or the N largest",
  }),
  field({
    name: "edits",
    part: "options",
    operations: CHOSEN,
    group: "keep",
    flag: "--edits <FILE>",
    takesFile: true,
    says: (list) => `correct objects by hand, ${list.length} times: ${list.map(nameOfEdit).join(", ")}`,
    kind: edits,
    help: 'then correct objects by hand: a JSON file of edits, or the list itself, e.g. [{"drop":[40,12]}]; draw, erase, cut, join, drop, fill',
  }),
  field({
    name: "pick",
    part: "options",
    operations: CHOSEN,
    group: "keep",
    flag: "--pick <X,Y[,Z]>",
    repeat: true,
    kind: listOf(place),
    help: "at last, keep only the objects that these pixels belong to; may be repeated",
  }),
  field({
    name: "physical",
    part: "options",
    operations: ["components", "labelled", "distance", "mask"],
    group: "objects",
    flag: "--physical",
    kind: on,
    common: true,
    help: "lengths and radii, and what tables hold, are in units of the spacing; --min-area and its like count pixels",
  }),
] as const;
