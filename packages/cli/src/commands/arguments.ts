// Parsers of option values, which reject wrong ones with one sentence, and the choice of a threshold.

import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { STORED_BYTES, type StoredType } from "@skerry/files";
import { limitMemory, type RawLayout } from "@skerry/files/node";
import { type Command, Option } from "commander";
import {
  type AutomaticThreshold,
  type ChannelName,
  type ComponentsOptions,
  type Connectivity,
  type Engine,
  type FilterOptions,
  type LocalThreshold,
  open,
  type Place,
  REGION_PROPERTIES,
  type RegionProperty,
  type Threshold,
} from "skerry";
import { UsageError, unexpected } from "../errors.js";

/** Sees to it that no file is written twice, or over an input. */
export class WrittenOnce {
  readonly #owners = new Map<string, string>();

  /** An input, and what to call it; stdin is no file. */
  reads(path: string, name: string): void {
    if (path !== "-") this.#owners.set(fileOf(path), name);
  }

  /** Registers the file of an option; does nothing if there is none. */
  writes(path: string | undefined, name: string): void {
    if (path === undefined) return;
    const owner = this.#owners.get(fileOf(path));
    if (owner) throw new UsageError(`Expected every file to be written once, but ${path} is ${owner} and ${name}.`);
    this.#owners.set(fileOf(path), name);
  }
}

/** The file that a path leads to, through links; of one that does not exist its folder is followed. */
function fileOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return resolve(path);
    }
  }
}

/** Any finite number. */
export function number(option: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) throw unexpected(option, "a number", text);
    return value;
  };
}

/** A number of 0 or more. */
export function atLeastZero(option: string): (text: string) => number {
  return (text) => {
    const value = number(option)(text);
    if (value < 0) throw unexpected(option, "0 or more", text);
    return value;
  };
}

/** A number above 0. */
export function above(option: string): (text: string) => number {
  return (text) => {
    const value = number(option)(text);
    if (!(value > 0)) throw unexpected(option, "above 0", value);
    return value;
  };
}

/** A whole number of at least 1. */
export function whole(option: string): (text: string) => number {
  return (text) => {
    const value = number(option)(text);
    if (!Number.isInteger(value) || value < 1) {
      throw unexpected(option, "a whole number of at least 1", text);
    }
    return value;
  };
}

/** Two numbers LO,HI in order. */
export function pair(option: string): (text: string) => [number, number] {
  return (text) => {
    const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
    const [lo, hi] = parts;
    if (parts.length !== 2 || lo === undefined || hi === undefined || !Number.isFinite(lo) || !Number.isFinite(hi)) {
      throw unexpected(option, "two numbers LO,HI", text);
    }
    if (lo > hi) throw unexpected(option, "LO,HI with LO at most HI", text);
    return [lo, hi];
  };
}

/** Numbers A,B,...; one or as many as the option takes. */
export function numbers(option: string): (text: string) => number[] {
  return (text) => {
    const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
    if (!parts.every(Number.isFinite)) {
      throw unexpected(option, "a number or several with commas between", text);
    }
    return parts;
  };
}

/** X,Y or X,Y,Z in whole pixels, added to those before. */
export function place(option: string): (text: string, before: Place[] | undefined) => Place[] {
  return (text, before = []) => {
    const parts = numbers(option)(text);
    if (parts.length < 2 || parts.length > 3 || !parts.every(Number.isInteger)) {
      throw unexpected(option, "X,Y, or X,Y,Z for a volume, in whole pixels", text);
    }
    return [...before, parts as unknown as Place];
  };
}

/** W,H or W,H,D. */
export function shape(text: string): [number, number, number] {
  const parts = numbers("--shape")(text);
  if (parts.length < 2 || parts.length > 3 || !parts.every((n) => Number.isInteger(n) && n > 0)) {
    throw unexpected("--shape", "WIDTH,HEIGHT or WIDTH,HEIGHT,DEPTH", text);
  }
  const [width, height, depth = 1] = parts as [number, number, number?];
  return [width, height, depth];
}

/** A type as skerry or NumPy calls it. */
export function dtype(text: string): StoredType {
  const known: Record<string, StoredType> = {
    ...{ uint8: "u8", int8: "i8", uint16: "u16", int16: "i16", uint32: "u32", int32: "i32" },
    ...{ float32: "f32", float64: "f64" },
  };
  const type = known[text] ?? (text as StoredType);
  if (!(type in STORED_BYTES)) {
    throw unexpected("--dtype", Object.keys(known).join(", "), text);
  }
  return type;
}

/** Adds the options for files that are nothing but values. */
export function addRawOptions(command: Command): void {
  command
    .addOption(new Option("--shape <W,H[,D]>", "INPUT is raw values, x fastest, then y, then z").argParser(shape))
    .addOption(
      new Option("--dtype <T>", "type of raw values, little-endian: uint8 (default), int16, float32, ...").argParser(
        dtype,
      ),
    );
}

/** The options for raw values. */
export interface RawOptions {
  shape?: [number, number, number];
  dtype?: StoredType;
}

/** The layout that the options tell, if any. */
export function rawLayout({ shape: sides, dtype: type = "u8" }: RawOptions): RawLayout | undefined {
  if (!sides) {
    if (type !== "u8") throw new UsageError("Expected --dtype together with --shape.");
    return undefined;
  }
  const [width, height, depth] = sides;
  return { width, height, depth, type };
}

/** #rrggbb as three numbers of 0 to 255, or a number or three as they stand. */
export function colour(text: string, option = "--color"): { hex: boolean; values: number[] } {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return { hex: true, values: hex.slice(1).map((part) => Number.parseInt(part, 16)) };
  if (text.startsWith("#")) throw unexpected(option, "#rrggbb", text);
  const values = numbers(option)(text);
  if (values.length !== 1 && values.length !== 3) {
    throw unexpected(option, "#rrggbb, one number or three", text);
  }
  return { hex: false, values };
}

/** Bytes: a number, or one with K, M or G behind. */
export function bytes(option: string): (text: string) => number {
  return (text) => {
    const [, digits, suffix] = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text) ?? [];
    const value = Number(digits) * 1024 ** ["", "K", "M", "G"].indexOf((suffix ?? "").toUpperCase());
    if (!(value > 0)) throw unexpected(option, "a size like 512M or 2G", text);
    return value;
  };
}

/** The size of a pixel: one number for all sides, or X,Y or X,Y,Z. */
export function spacing(text: string): [number, number, number] {
  const parts = numbers("--spacing")(text);
  const [x = 0, y = x, z = parts.length === 1 ? x : 1] = parts;
  if (parts.length > 3 || ![x, y, z].every((n) => n > 0)) {
    throw unexpected("--spacing", "X,Y or X,Y,Z above 0", text);
  }
  return [x, y, z];
}

/** One of some names. */
export function oneOf<T extends string>(option: string, names: readonly T[]): (text: string) => T {
  return (text) => {
    if (!names.includes(text as T)) throw unexpected(option, names.join(", "), text);
    return text as T;
  };
}

/** 4 or 8, 6, 18 or 26. */
export function connectivity(text: string): Connectivity {
  const found = ([4, 8, 6, 18, 26] as const).find((each) => `${each}` === text);
  if (!found) {
    throw unexpected("--connectivity", "4 or 8 for images, 6, 18 or 26 for volumes", text);
  }
  return found;
}

/** The option for it. */
export function connectivityOption(): Option {
  return new Option(
    "--connectivity <N>",
    "neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26",
  ).argParser(connectivity);
}

/** Device to run on. */
export type DeviceName = "auto" | "gpu" | "cpu";

/** auto, gpu or cpu. */
export function device(text: string): DeviceName {
  if (text !== "auto" && text !== "gpu" && text !== "cpu") {
    throw unexpected("--device", "auto, gpu or cpu", text);
  }
  return text;
}

/**
 * Opening a GPU takes some tenths of a second. In this time the CPU labels hundreds of millions of pixels. So `auto`
 * opens a GPU only for inputs of at least this many pixels in all, estimated from the first.
 */
const WORTH_A_GPU = 2 ** 29;

/** Device that auto opens for so many inputs like the first. */
export function deviceFor(pixels: number, inputs: number): DeviceName {
  return pixels * inputs < WORTH_A_GPU ? "cpu" : "auto";
}

/** Threads, 1 to 64. */
export function threads(text: string): number {
  const value = whole("--threads")(text);
  if (value > 64) throw unexpected("--threads", "at most 64", text);
  return value;
}

/** How to run and report, in every command that works on pixels. */
export interface RunOptions {
  device: DeviceName;
  threads?: number;
  timing?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** Adds the options for where to run; `auto` describes the device that auto chooses. */
export function addDeviceOptions(command: Command, auto: string): void {
  command
    .addOption(memoryOption())
    .addOption(new Option("--device <D>", `auto, gpu or cpu; ${auto}`).default("auto").argParser(device))
    .addOption(
      new Option("--threads <N>", "worker threads (default: the machine's cores, at most 8)").argParser(threads),
    );
}

function memoryOption(): Option {
  return new Option("--memory <SIZE>", MEMORY).argParser((text) => {
    const limit = bytes("--memory")(text);
    limitMemory(limit);
    return limit;
  });
}

const MEMORY =
  "most resident memory of the process, e.g. 2G; inputs and calls that need more are refused, or go through files (default: half of the machine's for decoded inputs)";

/** Adds the options for how to run and report; `json` tells what the object stands for or holds. */
export function addRunOptions(command: Command, auto: string, json: string): void {
  addDeviceOptions(command, auto);
  command
    .option("--timing", "a table of stages with ms and GB/s on stderr, the GPU's own clock beside the wall clock")
    .option("--json", `one JSON object ${json}`)
    .option("--quiet", "no summary");
}

/** Opens an engine with the options. For the device "auto" it opens the device `auto` instead. */
export function openEngine(
  { device, threads, timing }: Omit<RunOptions, "json" | "quiet">,
  auto: DeviceName,
): Promise<Engine> {
  return open({ device: device === "auto" ? auto : device, threads, profile: timing });
}

/** Names of region properties. */
export function properties(text: string): RegionProperty[] {
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!REGION_PROPERTIES.includes(name as RegionProperty)) {
      throw new UsageError(`Expected --properties out of ${REGION_PROPERTIES.join(", ")}, got ${name || "nothing"}.`);
    }
  }
  return names as RegionProperty[];
}

/** The option for pixels without a value. */
export function nodataOption(): Option {
  return new Option(
    "--nodata <V>",
    "pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is",
  ).argParser(number("--nodata"));
}

/** Adds the options for thresholds. */
export function addThresholdOptions(command: Command): void {
  command
    .option("--otsu", "above Otsu's threshold, as --threshold otsu")
    .addOption(
      new Option("--threshold <NAME>", "above the threshold that a method chooses: otsu, li or triangle").argParser(
        oneOf("--threshold", Object.keys(METHODS)),
      ),
    )
    .option("--nonzero", "any colour channel is not 0")
    .addOption(new Option("--above <N>", "above N").argParser(number("--above")))
    .addOption(new Option("--below <N>", "below N").argParser(number("--below")))
    .addOption(new Option("--between <LO,HI>", "from LO to HI, both included").argParser(pair("--between")))
    .addOption(
      new Option("--outside <LO,HI>", "bright objects above HI and dark ones below LO; the two never merge").argParser(
        pair("--outside"),
      ),
    )
    .addOption(
      new Option("--hysteresis <LO,HI>", "above LO, in objects that hold a pixel above HI").argParser(
        pair("--hysteresis"),
      ),
    )
    .addOption(
      new Option(
        "--local <METHOD:RADIUS[,V]>",
        "above a threshold of the pixels around: mean:R[,OFFSET] or sauvola:R[,K]",
      ).argParser(local),
    )
    .option("--dark", "with --otsu, --threshold or --local: at and below the threshold instead of above it")
    .addOption(nodataOption());
}

/** Adds the options for what happens to pixels before they are told from background. */
function addPreparationOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--channel <NAME>",
        "find objects in red, green, blue, alpha, N (from 0), luma (default), hematoxylin, eosin or dab",
      ).argParser((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    )
    .addOption(
      new Option("--smooth <S>", "smooth by a Gaussian of S pixels before the threshold").argParser(above("--smooth")),
    )
    .addOption(
      new Option(
        "--flatten <R>",
        "subtract the mean of the pixels up to R away; 128 (8 bits) or 32768 (16 bits) stands for it then, and thresholds count from there, for uneven light",
      ).argParser(whole("--flatten")),
    );
}

/** METHOD:RADIUS, and K or OFFSET behind a comma. */
function local(text: string): LocalThreshold["local"] {
  const [, method, radius, value] = /^(mean|sauvola):(\d+)(?:,([-+.\de]+))?$/.exec(text) ?? [];
  const given = value === undefined ? undefined : Number(value);
  if (!method || Number.isNaN(given)) throw unexpected("--local", "mean:RADIUS[,OFFSET] or sauvola:RADIUS[,K]", text);
  if (method === "mean") return { radius: Number(radius), method, ...(given === undefined ? {} : { offset: given }) };
  return { radius: Number(radius), method: "sauvola", ...(given === undefined ? {} : { k: given }) };
}

/** Adds the options that tell objects from background: thresholds, what joins by values, neighbours. */
export function addRuleOptions(command: Command): void {
  addPreparationOptions(command);
  addThresholdOptions(command);
  command
    .option(
      "--within <MASK>",
      "only pixels where this image or volume is not 0; others are background, and count for no threshold",
    )
    .addOption(
      new Option(
        "--by <KIND>",
        "value: neighbours of equal value join, each area of a class map is an object; labels: each value of a label image is one object, in one piece or several",
      ).argParser(oneOf("--by", ["value", "labels"])),
    )
    .addOption(
      new Option("--tolerance <D>", "neighbours join that differ by at most D in every channel").argParser(
        number("--tolerance"),
      ),
    )
    .addOption(
      new Option(
        "--background <V>",
        "with --by or --tolerance: this value is no object; 0 by default, or none",
      ).argParser(background),
    )
    .addOption(connectivityOption());
}

/** Adds the options for what happens to objects: their pixels first, then which of them stay, then their growth. */
export function addFilterOptions(command: Command): void {
  const radius = (flags: string, name: string, text: string): void => {
    command.addOption(new Option(flags, text).argParser(atLeastZero(name)));
  };
  radius("--open <R>", "--open", "drop what is too narrow for a ball of radius R (pixels, or units with --physical)");
  radius("--close <R>", "--close", "fill gaps that are too narrow for it");
  radius("--erode <R>", "--erode", "drop pixels that are at most R from the background");
  radius("--dilate <R>", "--dilate", "add pixels that are at most R from an object");
  command
    .addOption(
      new Option(
        "--fill-holes [WHERE]",
        "fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself",
      ).argParser(oneOf("--fill-holes", ["slices", "x", "y", "z"])),
    )
    .addOption(
      new Option("--max-hole-area <N>", "with --fill-holes: leave larger holes").argParser(number("--max-hole-area")),
    )
    .addOption(
      new Option(
        "--split [H]",
        "split objects that touch where the distance to the background falls by H (default 1)",
      ).argParser((text) => {
        const h = number("--split")(text);
        if (h < 0) throw unexpected("--split", "0 or more", text);
        return h;
      }),
    )
    .addOption(
      new Option("--absorb <AREA>", "give areas of fewer pixels to the neighbour with the longest border").argParser(
        above("--absorb"),
      ),
    )
    .option("--clear-border", "drop objects that touch the image border")
    .addOption(new Option("--min-area <N>", "drop objects of fewer pixels").argParser(number("--min-area")))
    .addOption(new Option("--max-area <N>", "drop objects of more pixels").argParser(number("--max-area")))
    .addOption(new Option("--largest <K>", "keep the K largest").argParser(whole("--largest")))
    .addOption(
      new Option("--expand <D>", "at last, let objects grow by D into the background; they keep apart").argParser(
        above("--expand"),
      ),
    );
}

/** The options that tell which objects stay. */
export interface KeepingOptions {
  minArea?: number;
  maxArea?: number;
  largest?: number;
  clearBorder?: boolean;
  fillHoles?: true | "slices" | "x" | "y" | "z";
  maxHoleArea?: number;
  open?: number;
  close?: number;
  erode?: number;
  dilate?: number;
  expand?: number;
  split?: true | number;
  absorb?: number;
  physical?: boolean;
}

/** Morphology, splitting and growth of objects. */
type Shaping = Pick<
  ComponentsOptions,
  "open" | "close" | "erode" | "dilate" | "split" | "absorb" | "expand" | "physical"
>;

/** The options of it; no fields where there are none. */
export function namedShaping({ physical, ...options }: KeepingOptions): Shaping {
  const names = ["open", "close", "erode", "dilate", "split", "absorb", "expand"] as const;
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return { ...Object.fromEntries(given), ...(physical ? { physical } : {}) };
}

/** Refuses areas that no object can have. */
export function checkAreas(options: KeepingOptions): void {
  const { minArea = 0, maxArea = Number.POSITIVE_INFINITY, maxHoleArea, fillHoles } = options;
  if (maxHoleArea !== undefined && !fillHoles)
    throw new UsageError("Expected --max-hole-area together with --fill-holes.");
  if (minArea < 0 || maxArea < 0) throw new UsageError("Expected --min-area and --max-area to be 0 or more.");
  if (minArea > maxArea) {
    throw new UsageError(`Expected --min-area to be at most --max-area, got ${minArea} and ${maxArea}.`);
  }
}

/** The filter that the options tell; no fields where there are none. */
export function namedFilter(options: KeepingOptions): FilterOptions {
  return {
    ...(options.minArea !== undefined ? { minArea: options.minArea } : {}),
    ...(options.maxArea !== undefined ? { maxArea: options.maxArea } : {}),
    ...(options.largest !== undefined ? { largest: options.largest } : {}),
    ...(options.clearBorder ? { clearBorder: true } : {}),
    ...(options.fillHoles ? { fillHoles: options.fillHoles } : {}),
    ...(options.maxHoleArea !== undefined ? { maxHoleArea: options.maxHoleArea } : {}),
  };
}

/** A value, one per channel, or none. */
export function background(text: string): number[] | "none" {
  return text === "none" ? text : numbers("--background")(text);
}

const THRESHOLDS = [
  "otsu",
  "threshold",
  "nonzero",
  "above",
  "below",
  "between",
  "outside",
  "hysteresis",
  "local",
] as const;

/** How summaries name an automatic threshold. */
export const METHODS: Readonly<Record<AutomaticThreshold, string>> = { otsu: "Otsu", li: "Li", triangle: "triangle" };

/** Whether a threshold is chosen from the histogram. */
export function isAutomatic(threshold: Threshold | undefined): threshold is AutomaticThreshold {
  return typeof threshold === "string" && Object.hasOwn(METHODS, threshold);
}

/** The options for thresholds. */
export interface ThresholdOptions {
  nodata?: number;
  otsu?: boolean;
  threshold?: AutomaticThreshold;
  nonzero?: boolean;
  above?: number;
  below?: number;
  between?: [number, number];
  outside?: [number, number];
  hysteresis?: [number, number];
  local?: LocalThreshold["local"];
  dark?: boolean;
}

/** The options for what happens to pixels before they are told from background. */
export interface PreparationOptions {
  channel?: ChannelName;
  smooth?: number;
  flatten?: number;
}

/** Preparation of pixels; no fields if there is none. */
export function namedPreparation({ channel, smooth, flatten }: PreparationOptions): PreparationOptions {
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(smooth === undefined ? {} : { smooth }),
    ...(flatten === undefined ? {} : { flatten }),
  };
}

/** The options that tell objects from background. */
export interface RuleOptions extends ThresholdOptions, PreparationOptions {
  within?: string;
  by?: "value" | "labels";
  tolerance?: number;
  background?: number[] | "none";
}

/** The options that join pixels by their values, if they are given; there is no threshold then. */
function namedLinkage(options: RuleOptions): Pick<ComponentsOptions, "by" | "background"> | undefined {
  const { by, tolerance, background: value } = options;
  if (by !== undefined && tolerance !== undefined) throw new UsageError("Expected --by or --tolerance, got both.");
  if (by === undefined && tolerance === undefined) {
    if (value !== undefined) throw new UsageError("Expected --background together with --by value or --tolerance.");
    return undefined;
  }
  if (tolerance !== undefined && tolerance < 0) {
    throw unexpected("--tolerance", "0 or more", tolerance);
  }
  const [name] = [...THRESHOLDS, "dark" as const].filter((each) => options[each] !== undefined);
  if (name) throw new UsageError(`Expected no threshold with --by or --tolerance, got --${name}.`);
  if (by === "labels") {
    if (value !== undefined) throw new UsageError("Expected no --background with --by labels, whose background is 0.");
    return undefined;
  }
  const given =
    value === undefined ? {} : { background: value === "none" ? null : value.length === 1 ? value[0] : value };
  return { by: tolerance === undefined ? "value" : { tolerance }, ...given };
}

/** The threshold that was named, if any. */
export function namedThreshold(options: ThresholdOptions): Threshold | undefined {
  const given = THRESHOLDS.filter((name) => options[name] !== undefined);
  if (given.length > 1) {
    throw new UsageError(`Expected one threshold, got ${given.map((name) => `--${name}`).join(" and ")}.`);
  }
  const [name] = given;
  if (options.dark && name !== undefined && name !== "otsu" && name !== "threshold" && name !== "local") {
    throw new UsageError(
      `Expected --dark only with --otsu, --threshold or --local, got --${name}; use --below instead.`,
    );
  }
  if (name === "threshold") return options.threshold;
  if (name === "otsu" || (options.dark && !name)) return "otsu";
  if (name === "nonzero") return "nonzero";
  return name && ({ [name]: options[name] } as unknown as Threshold);
}

/** Rule that makes objects of pixels: a threshold, their values, or the labels that they hold. */
export type Rule = Pick<ComponentsOptions, "threshold" | "background"> & { by?: ComponentsOptions["by"] | "labels" };

/** The rule that was named, if any. */
export function namedRule(options: RuleOptions): Rule | undefined {
  const threshold = namedThreshold(options);
  return namedLinkage(options) ?? (options.by === "labels" ? { by: options.by } : threshold && { threshold });
}
