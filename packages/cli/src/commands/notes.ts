// Notes on results that are right and may still surprise: settings without an effect, pixels of one value, places that a format cannot
// tell. A note changes no result, so the same recipe gives the same bytes with and without the command line.

import { endingOf, hasAxis, losesPlace, sizesOf, typeOfArray, unitFactor, writtenIds } from "@skerry/files/internal";
import type { Picture } from "@skerry/files/node";
import type { Operation, Recipe } from "@skerry/recipe";
import { argumentsOf, idsIn, namedProperties, neighboursOf, oneValueOf, quotedForShell } from "@skerry/recipe/internal";
import type { Components, Engine, Mask, Threshold } from "skerry";
import { isOfIntensity, PIXEL_RANGE } from "skerry/internal";
import { grouped } from "../progress.js";
import { numberingOf, type OpenedInput } from "./input.js";

/** Options that are, or follow from, a length. */
export const LENGTHS = ["smooth", "gradient", "open", "close", "erode", "dilate", "split", "absorb", "expand"] as const;

/** Operations whose lengths may be in units. */
const IN_UNITS: readonly Operation[] = ["components", "labelled", "mask"];

/** Operations that measure objects. */
const OF_OBJECTS: readonly Operation[] = ["components", "labelled"];

/** Options that leave objects out, as their size or place says. */
const SIEVES = ["clearBorder", "minArea", "maxArea", "largest", "absorb", "maxHoleArea"] as const;

/** Most places of idle edits that a note names. */
const MOST_NAMED = 3;

/** Counts edits that changed nothing, by their first places. */
export function editNotes(
  { input }: Pick<OpenedInput, "input">,
  { options }: Recipe,
  idle: readonly string[],
): string[] {
  if (idle.length === 0) return [];
  const more = idle.length > MOST_NAMED ? " ..." : "";
  const places = idle.slice(0, MOST_NAMED).join("; ");
  return [`${input}: ${idle.length} of ${options?.edits?.length} edits changed nothing, at ${places}${more}`];
}

/**
 * Notes on settings of the recipe that have no effect on this input.
 * @param outputs whether measurements are written, and whether nothing is
 */
export function idleNotes(
  { input: path, pixels, about, space, wholeSpace }: OpenedInput,
  recipe: Recipe,
  { hasTable = false, isCounted = false }: { readonly hasTable?: boolean; readonly isCounted?: boolean } = {},
): string[] {
  const { operation, input = {}, products = {}, options = {} } = recipe;
  const { volume, matte, intensity, nodata } = input;
  const properties = namedProperties(recipe);
  const { fillHoles, top, largest } = options;
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  const [least, most] = PIXEL_RANGE[type];
  const isWhole = type !== "f32";
  const isOut = nodata !== undefined && isWhole && (Math.round(nodata) < least || Math.round(nodata) > most);
  const isBroken = nodata !== undefined && isWhole && !isOut && !Number.isInteger(nodata);
  const { channels = 1 } = pixels;
  const isOne = sizesOf(wholeSpace)[2] === 1 && !hasAxis(space, "page") && !about.format.startsWith("a folder");
  // Areas that are absorbed are counted in pixels.
  const isLength =
    IN_UNITS.includes(operation) && LENGTHS.some((name) => name !== "absorb" && options[name] !== undefined);
  const hasNoValues = properties !== undefined && !properties.some(isOfIntensity);
  const ofObjects = OF_OBJECTS.includes(operation);
  /** The option that tells lengths, which tables and counts do not take without --physical. */
  const given = input.spacing === undefined ? (input.unit === undefined ? undefined : "unit") : "spacing";
  const isInPixels = given !== undefined && ofObjects && !options.physical && !isLength;
  const tolerance = typeof options.by === "object" ? options.by.tolerance : options.tolerance;
  // Distances of colours are sums over the channels by l1, and their root by l2.
  const reach = { linf: 1, l1: channels, l2: Math.sqrt(channels) }[options.metric as string] ?? 1;
  const isWide = isWhole && typeof tolerance === "number" && tolerance >= (most - least) * reach;
  const isSelected = options.select !== undefined || options.sort !== undefined;
  const isMap = operation === "distance";
  const isKept = SIEVES.some((name) => options[name] !== undefined);
  const isLabelled = operation === "labelled";
  const isStart = options.init !== undefined && options.init !== "kmeans++" && options.init !== "random";
  const idle: readonly (readonly [isIdle: boolean, note: string])[] = [
    [volume === true && (isOne || typeof input.page === "number"), "is one picture; --volume has no effect"],
    [
      input.unit !== undefined && unitFactor(input.unit, "m") === undefined,
      `is measured in ${input.unit}, which is no known unit of length, as um, mm, m and in are; the word is written as it is`,
    ],
    [matte !== undefined && about.alpha !== true && channels !== 4, "has no transparency; --matte has no effect"],
    [
      isLength && input.spacing !== undefined && !options.physical,
      "has lengths in pixels; --physical takes --spacing for them",
    ],
    [
      isMap && !isKept && options.split !== undefined,
      "is measured from all pixels of its objects, which --split does not change",
    ],
    [
      isMap && !isKept && !options.fillHoles && options.connectivity !== undefined,
      "is measured from all pixels of its objects, whatever --connectivity joins",
    ],
    [
      isLabelled &&
        options.connectivity !== undefined &&
        products.properties !== "all" &&
        !properties?.includes("eulerNumber"),
      "has its objects by their labels; --connectivity matters for eulerNumber alone",
    ],
    ...LENGTHS.filter((name) => options[name] === 0).map((name): readonly [boolean, string] => [
      true,
      `stays as it is under --${name} 0`,
    ]),
    [
      Array.isArray(input.crop) && input.crop.length === 4 && sizesOf(wholeSpace)[2] > 1,
      `is a volume; --crop X,Y,WIDTH,HEIGHT takes all of its ${sizesOf(wholeSpace)[2]} slices`,
    ],
    [
      isWhole &&
        typeof tolerance === "number" &&
        !Number.isInteger(tolerance) &&
        operation === "fill" &&
        options.average === undefined,
      `holds ${type}, which are whole numbers; --tolerance ${tolerance} counts as ${Math.floor(tolerance as number)}`,
    ],
    [isOut, `holds ${type}, which has no value ${nodata}; --nodata has no effect`],
    [isBroken, `holds ${type}, which are whole numbers; --nodata ${nodata} counts as ${Math.round(nodata ?? 0)}`],
    [
      fillHoles !== undefined && fillHoles !== true && sizesOf(wholeSpace)[2] === 1,
      "is one slice; --fill-holes fills its holes along every axis",
    ],
    [
      top !== undefined && largest !== undefined && top >= largest,
      `has at most ${largest} objects by --largest; --top ${top} leaves none of them out`,
    ],
    [
      hasTable && intensity !== undefined && hasNoValues,
      "has a table without values; --intensity matters for properties such as mean",
    ],
    [
      hasTable && given !== undefined && (operation === "fill" || operation === "kmeans"),
      `has a table in pixels; --${given} has no effect on it`,
    ],
    [
      products.perChannel === true && intensity === undefined && hasNoValues,
      "has a table without values; --per-channel matters for properties such as mean",
    ],
    [
      isWide && (typeof options.by === "object" || operation === "fill"),
      `holds ${type}, whose values go from ${least} to ${most}: --tolerance ${tolerance} ${operation === "fill" ? "takes" : "joins"} all of them`,
    ],
    [
      isWhole && typeof options.background === "number" && (options.background < least || options.background > most),
      `holds ${type}, which has no value ${options.background}; --background has no effect`,
    ],
    [hasTable && isInPixels, `has a table in pixels; --physical takes --${given} for it`],
    [
      !hasTable && intensity !== undefined && ofObjects && !isSelected,
      "is measured without a table; --intensity matters for --regions FILE",
    ],
    [
      isCounted && isInPixels && (Array.isArray(input.spacing) || input.unit !== undefined),
      `is counted in pixels; --physical takes --${given} for tables and lengths`,
    ],
    [
      operation === "fill" && options.metric !== undefined && channels === 1,
      "has one channel, where every --metric is the difference",
    ],
    [isStart && options.seed !== undefined, "begins at the same colours whatever --seed is"],
    [
      options.ignoreTransparent === true && channels !== 4,
      "has no transparent pixel; --ignore-transparent has no effect",
    ],
    [
      products.perChannel === true && channels === 1 && intensity === undefined && space.taken.channel === undefined,
      "has one channel; --per-channel has no effect",
    ],
  ];
  return idle.flatMap(([isIdle, note]) => (isIdle ? [`${path} ${note}`] : []));
}

/** Notes on outputs whose formats cannot tell the place of the input. */
export function lostPlaces({ input, space }: Picture, ...paths: readonly (string | undefined)[]): string[] {
  return paths.flatMap((path) =>
    path !== undefined && losesPlace(endingOf(path), space)
      ? [
          `${path} does not tell the place of ${input}, for which its format has no room; .nii, .nrrd, .mha and .zarr keep those of volumes, .tif and .zarr those on maps`,
        ]
      : [],
  );
}

/** Channels of a colour by their names. */
const CHANNEL_NUMBERS = ["red", "green", "blue", "alpha"];

/**
 * A note on pixels of one value, where a threshold was to be chosen for them. Pixels are read again up to the first that differs, so
 * callers ask only where the result is one of such pixels.
 */
export async function flatNotes(
  { input, pixels }: Picture,
  { input: { channel = "luma" } = {}, options: { gradient } = {} }: Recipe,
  threshold: Threshold | undefined,
): Promise<string[]> {
  // The gradient of one value is 0.
  if (gradient !== undefined) return [];
  if (typeof threshold !== "string" || threshold === "nonzero") return [];
  const named = typeof channel === "number" ? channel : CHANNEL_NUMBERS.indexOf(channel);
  if (named < 0 && channel !== "luma" && channel !== "index") return [];
  const isOne = (pixels.channels ?? 1) === 1;
  const value = await oneValueOf(pixels, isOne || named < 0 ? undefined : named);
  if (value === undefined) return [];
  const which = value === 0 ? "none" : "all";
  return [`${input} holds one value, ${value}, which no threshold divides; ${which} of its pixels are objects`];
}

/** Most pixels that are read a second time for a note. */
const MOST_READ_AGAIN = 2 ** 26;

/** Values of a range that are within a threshold; undefined if they are some of them. */
function within([least, most]: readonly [number, number], threshold: Threshold): string | undefined {
  if (typeof threshold !== "object") return undefined;
  const isNone =
    ("above" in threshold && threshold.above >= most) ||
    ("below" in threshold && threshold.below <= least) ||
    ("between" in threshold && (threshold.between[0] > most || threshold.between[1] < least)) ||
    ("outside" in threshold && threshold.outside[0] <= least && threshold.outside[1] >= most) ||
    ("hysteresis" in threshold && threshold.hysteresis[1] >= most);
  const isAll =
    ("above" in threshold && threshold.above < least) ||
    ("below" in threshold && threshold.below > most) ||
    ("between" in threshold && threshold.between[0] <= least && threshold.between[1] >= most) ||
    ("outside" in threshold && (threshold.outside[0] > most || threshold.outside[1] < least));
  return isNone ? "none is" : isAll ? "all are" : undefined;
}

/**
 * A note on a threshold that no value, or every value, of the pixels' type is within, or of the pixels themselves. Up to {@link
 * MOST_READ_AGAIN} of them are read again where all or none are of objects.
 */
export async function rangeNotes(
  engine: Engine,
  { input, pixels }: Picture,
  { options: { flatten } = {} }: Recipe,
  foreground: number,
  threshold: Threshold | undefined,
): Promise<string[]> {
  if (threshold === undefined) return [];
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  const range = PIXEL_RANGE[type];
  const ofType = type === "f32" ? undefined : within(range, threshold);
  if (ofType)
    return [`${input} holds ${type}, whose values go from ${range.join(" to ")}: ${ofType} within the threshold`];
  const isPlain = (pixels.channels ?? 1) === 1 && flatten === undefined;
  const { width, height, depth = 1 } = pixels;
  const size = width * height * depth;
  if (!isPlain || size > MOST_READ_AGAIN || (foreground > 0 && foreground < size)) return [];
  // Pixels without a finite value have no range.
  const found = await engine.histogram(pixels).catch(() => undefined);
  if (!found) return [];
  const { min, max } = found;
  const part = within([min, max], threshold);
  return part ? [`${input} has values from ${min} to ${max}: ${part} within the threshold`] : [];
}

/** The number of pixels that a mask selects. */
export function selectedIn({ bits }: Mask): number {
  let selected = 0;
  for (let word of bits) for (; word; word &= word - 1) selected++;
  return selected;
}

/** Options that take pixels or objects away, in the order of the steps. */
const TAKE_AWAY: readonly string[] = [
  "threshold",
  "open",
  "erode",
  "clearBorder",
  "minArea",
  "maxArea",
  "select",
  "absorb",
];

/** Options that add pixels to those within the threshold. */
const GROW = ["fillHoles", "close", "dilate", "expand"] as const;

/** A note on pixels that are all foreground, or of which no object is left, where no other note says why. */
export function extremesNote(
  { input }: Picture,
  recipe: Recipe,
  { foreground, count, size }: { readonly foreground: number; readonly count: number; readonly size: number },
): string[] {
  const { operation, options = {} } = recipe;
  if (count === 0) {
    const taken = Object.entries(options).filter(([name]) => TAKE_AWAY.includes(name));
    const { args } = argumentsOf({ ...recipe, input: {}, products: {}, options: Object.fromEntries(taken) });
    const flags = args.map(quotedForShell).join(" ");
    if (taken.length === 0) return [];
    if (taken.every(([name]) => name === "threshold"))
      return options.threshold === "nonzero" ? [] : [`${input}: no pixel is within ${flags}`];
    return [`${input}: no object is left after ${flags}`];
  }
  const isGrown = GROW.some((name) => options[name] !== undefined);
  if (foreground < size || operation !== "components" || options.by !== undefined || isGrown) return [];
  const why = options.threshold === "nonzero" ? ", because none is 0" : "";
  return [`${input}: every pixel is foreground${why}; the threshold divides nothing`];
}

/** A note on ids that change from pixel to pixel, as those of a photograph do that was taken for a label image. */
export function greysNote({ input, pixels }: Picture, { operation }: Recipe): string[] {
  if (operation !== "labelled" || !("data" in pixels)) return [];
  const { pairs, changes } = neighboursOf(pixels);
  const isPlain = pairs < pixels.width || changes * 2 < pairs;
  return isPlain
    ? []
    : [
        `${input} has other ids from pixel to pixel, as greys of a photograph; skerry label --threshold otsu finds its objects`,
      ];
}

/** A note on a label image that was taken for a photograph: nearly every number up to its largest occurs, in areas. */
export function labelsNote({ input, pixels }: Picture, { operation, options = {} }: Recipe): string[] {
  const isChosen = options.by !== undefined || typeof options.threshold === "object" || options.threshold === "nonzero";
  if (operation === "labelled" || isChosen || !("data" in pixels) || pixels.data instanceof Uint8Array) return [];
  const { count = 0, most = 0 } = idsIn(pixels) ?? {};
  if (most < 2 || count < 0.9 * most) return [];
  return [
    `${input} holds ${grouped(count)} numbers in areas, as a label image does; --by labels takes each as an object`,
  ];
}

/** A note on measured values that are the ids themselves. */
export function idsNotes({ input }: Picture, recipe: Recipe): string[] {
  const { operation, input: { intensity } = {} } = recipe;
  const property = namedProperties(recipe)?.find(isOfIntensity);
  if (operation !== "labelled" || property === undefined || intensity !== undefined) return [];
  return [`${input}: ${property} is that of the ids themselves (--intensity FILE measures another image)`];
}

/** A note on labels of a label image that are not its ids, because a file of labels has no room for these. */
export function numberedNote(
  picture: Picture,
  components: Pick<Components, "ids">,
  output: string | undefined,
): string[] {
  const { input } = picture;
  if (output === undefined || !components.ids || writtenIds(components, numberingOf(picture))) return [];
  return [
    `${output} has labels from 1, because ids of ${input} are not whole numbers from 1 to ${2 ** 32 - 1}; the column value of --regions has them`,
  ];
}

/** A note on pixels without a colour that is seen, which count as black. */
export function transparentNote({ input, pixels }: OpenedInput, isIgnored = false): string[] {
  if (isIgnored || !("data" in pixels) || pixels.channels !== 4) return [];
  let count = 0;
  for (let at = 3; at < pixels.data.length; at += 4) if (pixels.data[at] === 0) count++;
  if (count === 0) return [];
  const text =
    count === 1 ? "1 pixel is wholly transparent, and counts" : `${count} pixels are wholly transparent, and count`;
  return [`${input}: ${text} as black (--ignore-transparent leaves them out)`];
}
