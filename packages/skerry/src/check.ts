// Validation at the edge: everything a caller hands in is checked here once and then trusted. Each check
// throws InvalidArgument with one sentence: what was expected, what was found.

import type { Bits, Filter, Pixels, Shape } from "./backend.js";
import { InvalidArgument, Unsupported } from "./errors.js";
import type {
  FilterOptions,
  GpuRaster,
  Mask,
  PixelArray,
  PixelType,
  Raster,
  Sink,
  Source,
  Threshold,
} from "./types.js";

/** More pixels than this must be streamed from a Source. */
const MAX_PIXELS = 2 ** 32;

/** A value as it reads in a sentence. */
export function show(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
    const name = value.constructor?.name;
    return name && name !== "Object" ? `a ${name}` : "an object";
  }
  return String(value);
}

function positiveInteger(name: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw new InvalidArgument(`Expected ${name} to be a whole number of at least 1, got ${show(value)}.`);
  }
  return value;
}

/** The type of a typed array, or undefined. */
export function pixelType(data: unknown): PixelType | undefined {
  if (data instanceof Uint8Array || data instanceof Uint8ClampedArray) return "u8";
  if (data instanceof Uint16Array) return "u16";
  if (data instanceof Int16Array) return "i16";
  if (data instanceof Float32Array) return "f32";
  return undefined;
}

function checkChannels(channels: unknown, name: string): number {
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    throw new InvalidArgument(`Expected ${name} to have 1, 3 or 4 channels, got ${show(channels)}.`);
  }
  return channels;
}

function checkDepth(depth: unknown, name: string): void {
  if (depth !== undefined && depth !== 1) {
    throw new Unsupported(`Expected ${name} to have depth 1: volumes are not supported yet, got depth ${show(depth)}.`);
  }
}

/** Checks a raster in memory and infers its channels. */
export function checkRaster(raster: Raster, name = "the raster"): Pixels & { kind: "array" } {
  const data = raster.data as PixelArray;
  const type = pixelType(data);
  if (!type) {
    throw new InvalidArgument(
      `Expected ${name} to hold a Uint8Array, Uint8ClampedArray, Uint16Array, Int16Array or Float32Array in data, got ${show(data)}.`,
    );
  }
  const width = positiveInteger(`the width of ${name}`, raster.width);
  const height = positiveInteger(`the height of ${name}`, raster.height);
  checkDepth((raster as { depth?: unknown }).depth, name);
  const pixels = width * height;
  if (pixels >= MAX_PIXELS) {
    throw new Unsupported(
      `Expected ${name} to have fewer than 2^32 pixels, got ${width} x ${height}; larger ones go through as a Source.`,
    );
  }
  const channels = checkChannels(raster.channels ?? data.length / pixels, name);
  if (data.length !== pixels * channels) {
    throw new InvalidArgument(
      `Expected ${name} to hold ${width} x ${height} x ${channels} = ${pixels * channels} values, got ${data.length}.`,
    );
  }
  return { kind: "array", shape: { width, height, channels, type }, data };
}

/** Whether a raster is on the GPU, told by its `buffer` or `texture`. */
export function isGpuRaster(raster: object): raster is GpuRaster {
  const { buffer, texture } = raster as { buffer?: unknown; texture?: unknown };
  return buffer !== undefined || texture !== undefined;
}

/** Checks what of a GpuRaster can be told without its device. */
export function checkGpuRaster(raster: GpuRaster): GpuRaster {
  if ("texture" in raster) return raster;
  const width = positiveInteger("the width of the buffer", raster.width);
  const height = positiveInteger("the height of the buffer", raster.height);
  const { type, channels = 1, offset = 0, buffer } = raster;
  if (!["u8", "u16", "i16", "f32"].includes(type)) {
    throw new InvalidArgument(`Expected the type of the buffer to be "u8", "u16", "i16" or "f32", got ${show(type)}.`);
  }
  if (width * height >= MAX_PIXELS) {
    throw new Unsupported(`Expected the buffer to have fewer than 2^32 pixels, got ${width} x ${height}.`);
  }
  return { buffer, offset, width, height, type, channels: checkChannels(channels, "the buffer") };
}

/** Whether an input is a Source, told by its `read`. */
export function isSource(input: object): input is Source {
  return typeof (input as { read?: unknown }).read === "function";
}

/** Whether an input is a Mask, told by its `bits`. */
export function isMask(input: object): input is Mask {
  return (input as { bits?: unknown }).bits !== undefined;
}

/** Whether `into` is a Sink, told by its `write`. */
export function isSink(into: object): into is Sink {
  return typeof (into as { write?: unknown }).write === "function";
}

/** Checks a Source. Its size is bounded by what its bits take, not by its pixels. */
export function checkSource(source: Source, name = "the source"): Pixels & { kind: "source" } {
  const width = positiveInteger(`the width of ${name}`, source.width);
  const height = positiveInteger(`the height of ${name}`, source.height);
  checkDepth(source.depth, name);
  const channels = checkChannels(source.channels ?? 1, name);
  if (!["u8", "u16", "i16", "f32"].includes(source.type)) {
    throw new InvalidArgument(
      `Expected the type of ${name} to be "u8", "u16", "i16" or "f32", got ${show(source.type)}.`,
    );
  }
  if (width >= 2 ** 31 || height >= 2 ** 31) {
    throw new Unsupported(`Expected ${name} to have fewer than 2^31 pixels a side, got ${width} x ${height}.`);
  }
  return { kind: "source", shape: { width, height, channels, type: source.type }, source };
}

/** Checks a Mask. */
export function checkMask(mask: Mask): Bits {
  const width = positiveInteger("the width of the mask", mask.width);
  const height = positiveInteger("the height of the mask", mask.height);
  checkDepth(mask.depth, "the mask");
  const words = Math.ceil(width / 32) * height;
  if (!(mask.bits instanceof Uint32Array) || mask.bits.length !== words) {
    const found = mask.bits instanceof Uint32Array ? `${mask.bits.length}` : show(mask.bits);
    throw new InvalidArgument(
      `Expected a mask of ${width} x ${height} to hold ${words} 32-bit words in bits, got ${found}.`,
    );
  }
  return { kind: "mask", width, height, bits: mask.bits };
}

export function checkConnectivity(connectivity: unknown): 4 | 8 {
  if (connectivity !== 4 && connectivity !== 8) {
    throw new InvalidArgument(`Expected connectivity to be 4 or 8 for a 2-D image, got ${show(connectivity)}.`);
  }
  return connectivity;
}

/** A finite or infinite number, never NaN. */
export function number(name: string, value: unknown): number {
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new InvalidArgument(`Expected ${name} to be a number, got ${show(value)}.`);
  }
  return value;
}

function pair(name: string, value: unknown): void {
  if (!Array.isArray(value) || value.length !== 2) {
    throw new InvalidArgument(`Expected ${name} to be a pair [lo, hi], got ${show(value)}.`);
  }
  const lo = number(`the first number of ${name}`, value[0]);
  const hi = number(`the second number of ${name}`, value[1]);
  if (lo > hi) throw new InvalidArgument(`Expected ${name} to be a pair [lo, hi] with lo <= hi, got [${lo}, ${hi}].`);
}

export function checkThreshold(threshold: unknown, polarity: unknown): Threshold {
  if (polarity !== undefined && polarity !== "bright" && polarity !== "dark") {
    throw new InvalidArgument(`Expected polarity to be "bright" or "dark", got ${show(polarity)}.`);
  }
  if (polarity === "dark" && threshold !== "otsu") {
    throw new InvalidArgument(`Expected polarity "dark" only with threshold "otsu"; use { below: n } otherwise.`);
  }
  if (threshold === "nonzero" || threshold === "otsu") return threshold;
  const kinds = ["above", "below", "between", "outside"] as const;
  const record = (typeof threshold === "object" && threshold !== null ? threshold : {}) as Record<string, unknown>;
  const given = kinds.filter((kind) => record[kind] !== undefined);
  const [kind] = given;
  if (given.length !== 1 || !kind) {
    throw new InvalidArgument(
      `Expected threshold to be "nonzero", "otsu" or one of { above }, { below }, { between } and { outside }, got ${
        given.length > 1 ? `both ${given.join(" and ")}` : show(threshold)
      }.`,
    );
  }
  if (kind === "above" || kind === "below") number(`threshold.${kind}`, record[kind]);
  else pair(`threshold.${kind}`, record[kind]);
  return threshold as Threshold;
}

/** Fills in the defaults of a FilterOptions; undefined when nothing is filtered. */
export function checkFilter(options: FilterOptions): Filter | undefined {
  const { fillHoles = false, clearBorder = false, minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  for (const [name, value] of Object.entries({ fillHoles, clearBorder })) {
    if (typeof value !== "boolean")
      throw new InvalidArgument(`Expected ${name} to be true or false, got ${show(value)}.`);
  }
  for (const [name, value] of Object.entries({ minArea, maxArea })) {
    if (number(name, value) < 0) throw new InvalidArgument(`Expected ${name} to be 0 or more, got ${value}.`);
  }
  if (minArea > maxArea) {
    throw new InvalidArgument(`Expected minArea to be at most maxArea, got ${minArea} and ${maxArea}.`);
  }
  const largest = options.largest === undefined ? 0 : positiveInteger("largest", options.largest);
  if (!fillHoles && !clearBorder && minArea <= 1 && maxArea === Number.POSITIVE_INFINITY && !largest) return undefined;
  return { fillHoles, clearBorder, minArea, maxArea, largest };
}

/** Checks that an intensity raster has the size of the components. */
export function checkSameSize(shape: Shape, width: number, height: number): void {
  if (shape.width !== width || shape.height !== height) {
    throw new InvalidArgument(
      `Expected intensity to be ${width} x ${height} like the components, got ${shape.width} x ${shape.height}.`,
    );
  }
}
