// The options of `engine.stream()`: the checked plan of a stream of lines. What needs the whole image is refused by name.

import { isAutomatic } from "../core/automatic-threshold.js";
import { defined } from "../core/defined.js";
import { newPixels, type Pixels, type Shape } from "../core/pixels.js";
import type { ComponentsOptions } from "../types/components.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { PixelArray, PixelType } from "../types/raster.js";
import { factsOf, isList, isOfIntensity } from "../types/region-properties.js";
import type { RegionProperty } from "../types/regions.js";
import type { Lines, StreamOptions } from "../types/stream.js";
import { flag, oneOf, positiveInteger, show, unexpected, wholeNumber } from "./arguments.js";
import { checkConnectivity, checkLinkage } from "./components.js";
import { checkFilter } from "./filter.js";
import { checkNames, type Keys, namesOf } from "./names.js";
import { checkSource, checkWithin, TYPES } from "./pixels.js";
import { planRegions } from "./regions.js";
import { checkThreshold, fixedRule } from "./threshold.js";

const KNOWN: Keys<StreamOptions> = {
  signal: true,
  onProgress: true,
  threshold: true,
  polarity: true,
  by: true,
  background: true,
  connectivity: true,
  fillHoles: true,
  maxHoleArea: true,
  minArea: true,
  maxArea: true,
  within: true,
  crop: true,
  reference: true,
  properties: true,
  contour: true,
  thumbnail: true,
  maxLength: true,
  maxOpen: true,
  batch: true,
  firstRow: true,
};
const NAMES = Object.keys(KNOWN);

/** The most lines of an object, unless `maxLength` is given. */
const LONGEST = 4096;
/** Pixels of a batch. */
const BATCH_PIXELS = 1 << 23;
/** Rows are doubles, and a batch of lines must be countable beyond the first. */
const LAST_FIRST_ROW = 2 ** 53 - 2 ** 32;
/** The largest side of a thumbnail, which is then no larger than a picture of 64 Mpx. */
const LARGEST_THUMBNAIL = 8192;

/** A checked stream. */
export interface StreamPlan {
  /** The shape of one line of the crop. */
  readonly line: Shape;
  /** Values of a whole line, and the first value and the value after the last one of the crop. */
  readonly values: number;
  readonly cropValues: readonly [number, number];
  readonly x0: number;
  /** The options of each call of `components()`, without a filter. */
  readonly components: ComponentsOptions;
  /** The options that fill holes; undefined if none are filled. */
  readonly holes: Pick<ComponentsOptions, "fillHoles" | "maxHoleArea"> | undefined;
  readonly minArea: number;
  readonly maxArea: number;
  /** Objects need a value above it, as by hysteresis. */
  readonly peak: number | undefined;
  /** Lines around a line that its threshold needs. */
  readonly halo: number;
  /** The bits of one line; undefined for all. */
  readonly within: Uint32Array | undefined;
  readonly reference: ArrayLike<number> | undefined;
  /** The type of a pixel minus the reference. */
  readonly differences: PixelType;
  /** The properties that are reported, and those that are measured. */
  readonly properties: readonly RegionProperty[];
  readonly measured: readonly RegionProperty[];
  readonly ofIntensity: boolean;
  readonly contrast: boolean;
  readonly contour: boolean;
  readonly thumbnail: number;
  readonly maxLength: number;
  readonly maxOpen: number;
  /** The most lines of a strip. */
  readonly batch: number;
  readonly firstRow: number;
}

/** Checks lines and options before the first line comes. */
export function planStream(lines: Lines, options: StreamOptions): StreamPlan {
  const whole = shapeOf(lines);
  refuseWhole(options);
  checkNames("stream", NAMES, options);
  const { properties = ["area", "bounds", "centroid"], crop, thumbnail = 0, contour = false } = options;
  flag("contour", contour);
  const [x0, x1] = checkCrop(crop, whole.width);
  const line: Shape = { ...whole, width: x1 - x0 };
  const connectivity = checkConnectivity(options.connectivity, whole);
  const { threshold = "nonzero", by, background, polarity } = options;
  const wanted = checkThreshold(threshold, polarity);
  checkLinkage(
    defined({ by, background, threshold: options.threshold, polarity, fillHoles: options.fillHoles }),
    line.channels,
  );
  if (isAutomatic(wanted)) {
    throw new InvalidArgument(
      `Expected a threshold that knows no other lines, got ${show(wanted)}, which needs the whole image; give { above: n }, or { local }.`,
      { argument: "threshold" },
    );
  }
  const differences = options.reference === undefined ? line.type : differencesOf(line);
  const reference = checkReference(options.reference, whole)?.subarray(x0, x1);
  const local = typeof wanted === "object" && "local" in wanted ? wanted.local : undefined;
  // The check of a local threshold stands where it becomes a rule.
  if (by === undefined) fixedRule(wanted, { ...line, type: differences }).predicate(polarity === "dark");
  const peak = typeof wanted === "object" && "hysteresis" in wanted ? wanted.hysteresis : undefined;
  if (peak && reference) {
    throw new InvalidArgument("Expected no hysteresis with a reference, got both.", { argument: "threshold" });
  }
  const { fillHoles = false, maxHoleArea, minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  flag("fillHoles", fillHoles);
  checkFilter(defined({ fillHoles, maxHoleArea, minArea, maxArea }));
  checkProperties(properties, line);
  const measured = [...new Set<RegionProperty>([...properties, "bounds", "area", ...(peak ? (["max"] as const) : [])])];
  const maxLength = options.maxLength === undefined ? LONGEST : positiveInteger("maxLength", options.maxLength);
  const batch =
    options.batch === undefined
      ? Math.max(1, Math.floor(BATCH_PIXELS / line.width))
      : positiveInteger("batch", options.batch);
  const channels = whole.channels;
  return {
    line,
    values: whole.width * channels,
    cropValues: [x0 * channels, x1 * channels],
    x0,
    components:
      by === undefined
        ? defined({ threshold: peak ? ({ above: peak[0] } as const) : wanted, polarity, connectivity })
        : defined({ by, background, connectivity }),
    holes: fillHoles ? defined({ fillHoles, maxHoleArea }) : undefined,
    minArea,
    maxArea,
    peak: peak?.[1],
    halo: local?.radius ?? 0,
    within: withinOf(options.within, whole, x0, x1),
    reference,
    differences,
    properties,
    measured,
    ofIntensity: measured.some(isOfIntensity),
    contrast: measured.includes("contrast"),
    contour,
    thumbnail: thumbnail === 0 ? 0 : wholeNumber("thumbnail", thumbnail, 1, LARGEST_THUMBNAIL),
    maxLength,
    maxOpen: options.maxOpen === undefined ? line.width : positiveInteger("maxOpen", options.maxOpen),
    // A strip that is longer than an object may be would have to cut objects that begin in it.
    batch: Math.min(maxLength, batch),
    firstRow: options.firstRow === undefined ? 0 : wholeNumber("firstRow", options.firstRow, 0, LAST_FIRST_ROW),
  };
}

/** The shape of one line. */
function shapeOf(lines: Lines): Shape {
  if (typeof lines !== "object" || lines === null) throw unexpected("the lines", "{ width, type }", lines);
  if ("height" in lines) {
    throw new InvalidArgument("Expected lines without a height, which has no end; components() takes an image.", {
      argument: "height",
    });
  }
  const { data, ...sized } = lines;
  oneOf("the type of the lines", lines.type, TYPES);
  const isIterable = data === undefined || Symbol.asyncIterator in Object(data) || Symbol.iterator in Object(data);
  if (!isIterable || ArrayBuffer.isView(data)) {
    throw unexpected("the data of the lines", "an iterable of arrays", data);
  }
  return checkSource({ ...sized, height: 1, read: () => undefined }, "the lines").shape;
}

/** Refuses what needs the whole image, by its name. */
function refuseWhole(options: StreamOptions): void {
  for (const name of namesOf("components")) {
    if (NAMES.includes(name) || (Object(options) as Record<string, unknown>)[name] === undefined) continue;
    throw new InvalidArgument(`Expected no ${name} for lines without an end, of which it would need all.`, {
      argument: name,
    });
  }
}

function checkCrop(crop: unknown, width: number): readonly [number, number] {
  if (crop === undefined) return [0, width];
  const [x0, x1] = Array.isArray(crop) && crop.length === 2 ? (crop as number[]) : [Number.NaN, Number.NaN];
  if (Number.isInteger(x0) && Number.isInteger(x1) && x0 >= 0 && x0 < x1 && x1 <= width) return [x0, x1];
  throw unexpected("crop", `two columns [x0, x1) from 0 to ${width}`, crop);
}

/** The type that holds all differences of a pixel and a reference. */
function differencesOf({ type, channels }: Shape): PixelType {
  if (channels > 1) throw new Unsupported(`Expected lines of 1 channel with a reference, got ${channels}.`);
  if (type === "u8") return "i16";
  if (type === "u16" || type === "i16") return "i32";
  if (type === "f32") return "f32";
  throw new Unsupported(`Expected lines of u8, u16, i16 or f32 with a reference, got ${type}.`);
}

function checkReference(given: unknown, { width, type, nodata }: Shape): PixelArray | undefined {
  if (given === undefined) return undefined;
  const { length } = Object(given) as ArrayLike<number>;
  if (length !== width) throw unexpected("reference", `one value per pixel of a line, ${width}`, given);
  if (nodata !== undefined) throw new Unsupported("Expected no nodata with a reference.");
  const values = newPixels(type, width);
  values.set(given as ArrayLike<number>);
  const wrong = Array.from(given as ArrayLike<number>).findIndex(
    (value, x) => values[x] !== (type === "f32" ? Math.fround(value) : value),
  );
  if (wrong < 0) return values;
  throw unexpected(`reference at column ${wrong}`, `a value of ${type}`, (given as ArrayLike<number>)[wrong]);
}

/** The bits of a line's mask, within a crop. */
function withinOf(given: StreamOptions["within"], { width }: Shape, x0: number, x1: number): Uint32Array | undefined {
  if (given === undefined) return undefined;
  const { bits } = checkWithin(given, { width, height: 1, depth: 1 });
  const kept = new Uint32Array(Math.ceil((x1 - x0) / 32));
  for (let x = x0; x < x1; x++) {
    const at = x - x0;
    kept[at >>> 5] = kept[at >>> 5] | (((bits[x >>> 5] >>> (x & 31)) & 1) << (at & 31));
  }
  return kept;
}

function checkProperties(properties: readonly RegionProperty[], line: Shape): void {
  if (!Array.isArray(properties) || properties.length === 0) {
    throw unexpected("properties", "a list of properties", properties);
  }
  const pixels: Pixels = { kind: "array", shape: line, data: newPixels(line.type, 0) };
  planRegions({ properties }, [pixels], { ...line, spacing: [1, 1, 1], linked: false });
  for (const property of properties) {
    if (factsOf(property).raw || isList(property) || property === "quantiles") {
      throw new InvalidArgument(
        `Expected properties that do not depend on a whole image or on options, got ${show(property)}.`,
        {
          argument: "properties",
        },
      );
    }
  }
}
