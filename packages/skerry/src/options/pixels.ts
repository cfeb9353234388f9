// Validation of input: every raster, mask and list of points is checked here once and then trusted. A check throws
// InvalidArgument with one sentence, the expected value and the found one. Sound input that is too large is Unsupported.

import { type Bits, PIXEL_RANGE, type Pixels, type Shape, type Size, sizeText } from "../core/pixels.js";
import { InvalidArgument, OutOfMemory, Unsupported } from "../types/errors.js";
import type { GpuRaster, Mask, PixelArray, PixelType, Points, Raster, Sink, Source } from "../types/raster.js";
import { checkFields, positiveInteger, show, unexpected } from "./arguments.js";

/** Rasters of this many pixels or more must be streamed from a Source. */
const MAX_PIXELS = 2 ** 32;

/** The device holds all bits of a source at once, and addresses of the CPU's memory have 32 bits. */
const MAX_BITS_BYTES = 2 ** 32;

/** The type of a typed array, or undefined. */
export function pixelType(data: unknown): PixelType | undefined {
  if (data instanceof Uint8Array || data instanceof Uint8ClampedArray) return "u8";
  if (data instanceof Uint16Array) return "u16";
  if (data instanceof Int16Array) return "i16";
  if (data instanceof Uint32Array) return "u32";
  if (data instanceof Int32Array) return "i32";
  if (data instanceof Float32Array) return "f32";
  return undefined;
}

export const TYPES: readonly PixelType[] = ["u8", "u16", "i16", "u32", "i32", "f32"];
const TYPE_NAMES = '"u8", "u16", "i16", "u32", "i32" or "f32"';

function checkChannels(channels: unknown, type: PixelType, name: string): number {
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    throw new InvalidArgument(`Expected ${name} to have 1, 3 or 4 channels, got ${show(channels)}.`, {
      argument: name,
    });
  }
  if (channels > 1 && (type === "u32" || type === "i32")) {
    throw new Unsupported(`Expected ${name} to have 1 channel of ${type}, got ${channels}.`);
  }
  return channels;
}

function checkSize(given: { width: unknown; height: unknown; depth?: unknown }, name: string): Size {
  return {
    width: positiveInteger(`the width of ${name}`, given.width),
    height: positiveInteger(`the height of ${name}`, given.height),
    depth: given.depth === undefined ? 1 : positiveInteger(`the depth of ${name}`, given.depth),
  };
}

/** Kernels count the pixels of a row in 31 bits. */
function checkWidth(size: Size, name: string): void {
  if (size.width < 2 ** 31) return;
  throw new Unsupported(`Expected ${name} to have fewer than 2^31 pixels per row, got ${sizeText(size)}.`);
}

/** The size of a pixel along x, y and z. */
export function checkSpacing(spacing: unknown, name: string): readonly [number, number, number] {
  if (spacing === undefined) return [1, 1, 1];
  const ok =
    Array.isArray(spacing) &&
    (spacing.length === 2 || spacing.length === 3) &&
    Array.from(spacing).every((n) => typeof n === "number" && Number.isFinite(n) && n > 0);
  if (!ok) {
    throw unexpected(`the spacing of ${name}`, "two or three numbers above 0", spacing);
  }
  const [x, y, z = 1] = spacing as number[];
  return [x, y, z];
}

/** The nodata value rounded to the type; undefined if no pixel can have it. */
function checkNodata(nodata: unknown, { type, channels }: Pick<Shape, "type" | "channels">): number | undefined {
  if (nodata === undefined) return undefined;
  if (typeof nodata !== "number") throw unexpected("nodata", "a number", nodata);
  if (channels > 1) throw new Unsupported(`Expected nodata only with one channel, got ${channels}.`);
  if (type === "f32") return Number.isNaN(nodata) ? undefined : Math.fround(nodata);
  const [least, most] = PIXEL_RANGE[type];
  const rounded = Math.round(nodata);
  return rounded >= least && rounded <= most ? rounded : undefined;
}

/** Fields of inputs. */
const SIZED = ["width", "height", "depth", "spacing"] as const;
const RASTER = [...SIZED, "data", "channels", "nodata"];
const SOURCE = [...SIZED, "type", "channels", "nodata", "read"];

/** Checks a raster in memory and infers its channels. */
export function checkRaster(raster: Raster, name = "the raster"): Pixels & { kind: "array" } {
  checkFields(name, raster, RASTER);
  const data = raster.data;
  const type = pixelType(data);
  if (!type && data === undefined && (raster as { type?: unknown }).type !== undefined) {
    throw unexpected(
      `read of ${name}`,
      "the function of a Source that gives its rows",
      (raster as { read?: unknown }).read,
    );
  }
  if (!type) {
    throw new InvalidArgument(
      `Expected ${name} to hold a Uint8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array or Float32Array in data, got ${show(data ?? raster)}${data === undefined && pixelType(raster) ? " itself; pass { data, width, height }" : ""}.`,
      { argument: name },
    );
  }
  const size = checkSize(raster, name);
  checkWidth(size, name);
  checkSpacing(raster.spacing, name);
  const pixels = size.width * size.height * size.depth;
  if (pixels >= MAX_PIXELS) {
    throw new Unsupported(
      `Expected ${name} to have fewer than 2^32 pixels, got ${sizeText(size)}; larger ones go through as a Source.`,
    );
  }
  if (raster.channels === undefined && ![1, 3, 4].includes(data.length / pixels)) {
    throw new InvalidArgument(
      `Expected ${name} of ${sizeText(size)} to hold ${pixels} values, or 3 or 4 times as many, got ${data.length}.`,
      { argument: name },
    );
  }
  const channels = checkChannels(raster.channels ?? data.length / pixels, type, name);
  if (data.length !== pixels * channels) {
    throw new InvalidArgument(
      `Expected ${name} to hold ${sizeText(size)} x ${channels} = ${pixels * channels} values, got ${data.length}.`,
      { argument: name },
    );
  }
  const nodata = checkNodata(raster.nodata, { type, channels });
  return { kind: "array", shape: { ...size, channels, type, nodata }, data };
}

/** Whether a raster is on the GPU: it has a `buffer` or a `texture`. */
export function isGpuRaster(raster: object): raster is GpuRaster {
  const { buffer, texture } = raster as { buffer?: unknown; texture?: unknown };
  // Typed arrays have a buffer, too, and are refused as rasters.
  if (ArrayBuffer.isView(raster)) return false;
  return buffer !== undefined || texture !== undefined;
}

/** Checks the fields of a GpuRaster that need no device. */
export function checkGpuRaster(raster: GpuRaster): GpuRaster {
  if ("texture" in raster) return raster;
  const width = positiveInteger("the width of the buffer", raster.width);
  const height = positiveInteger("the height of the buffer", raster.height);
  const { type, channels = 1, offset = 0, buffer } = raster;
  const depth = raster.depth === undefined ? 1 : positiveInteger("the depth of the buffer", raster.depth);
  checkSpacing(raster.spacing, "the buffer");
  if (!TYPES.includes(type)) {
    throw unexpected("the type of the buffer", `${TYPE_NAMES}`, type);
  }
  if (width * height * depth >= MAX_PIXELS) {
    throw new Unsupported(
      `Expected the buffer to have fewer than 2^32 pixels, got ${sizeText({ width, height, depth })}.`,
    );
  }
  const sized = { buffer, offset, width, height, depth, type, channels: checkChannels(channels, type, "the buffer") };
  const nodata = checkNodata(raster.nodata, sized);
  return nodata === undefined ? sized : { ...sized, nodata };
}

/** Whether an input is a Source: it has a `read` function. */
export function isSource(input: object): input is Source {
  return typeof (input as { read?: unknown }).read === "function";
}

/** Whether an input is a Mask: it has `bits`. */
export function isMask(input: object): input is Mask {
  return (input as { bits?: unknown }).bits !== undefined;
}

/** Checks the caller's array for the pixels of an image; undefined for a new one. */
export function checkPixelsInto(
  into: unknown,
  { type, width, height, depth, channels }: Omit<Shape, "nodata">,
): PixelArray | undefined {
  if (into === undefined) return undefined;
  const values = width * height * depth * channels;
  if (pixelType(into) === type && (into as PixelArray).length === values) return into as PixelArray;
  const found = pixelType(into);
  const got = found === undefined ? show(into) : `${(into as PixelArray).length} of the type ${found}`;
  throw new InvalidArgument(`Expected into to be an array of ${values} values of the type ${type}, got ${got}.`, {
    argument: "into",
  });
}

/** Whether `into` is a Sink: it has a `write` function. */
export function isSink<T extends PixelArray = Uint32Array>(into: object): into is Sink<T> {
  return typeof (into as { write?: unknown }).write === "function";
}

/** Checks a Source. The memory for its bits limits its size, not the number of its pixels. */
export function checkSource(source: Source, name = "the source"): Pixels & { kind: "source" } {
  checkFields(name, source, SOURCE);
  const size = checkSize(source, name);
  checkSpacing(source.spacing, name);
  if (!TYPES.includes(source.type)) {
    throw unexpected(`the type of ${name}`, `${TYPE_NAMES}`, source.type);
  }
  const channels = checkChannels(source.channels ?? 1, source.type, name);
  if (size.height * size.depth * size.width <= MAX_BITS_BYTES * 8) checkWidth(size, name);
  // This comes before rows are cut into bands, whose list could be too long.
  const bits = Math.ceil(size.width / 64) * 8 * size.height * size.depth;
  if (bits > MAX_BITS_BYTES) {
    throw new OutOfMemory(
      `Expected ${name} to have bits that fit 4 GiB of memory, but those of ${sizeText(size)} pixels take ${bits} bytes.`,
      { bytes: bits, limit: MAX_BITS_BYTES },
    );
  }
  const nodata = checkNodata(source.nodata, { type: source.type, channels });
  return { kind: "source", shape: { ...size, channels, type: source.type, nodata }, source };
}

/** Checks a Mask. */
export function checkMask(mask: Mask): Bits {
  if (typeof mask !== "object" || mask === null)
    throw unexpected("the mask", "a Mask, with width, height and bits", mask);
  checkFields("the mask", mask, [...SIZED, "bits"]);
  const size = checkSize(mask, "the mask");
  checkWidth(size, "the mask");
  checkSpacing(mask.spacing, "the mask");
  const words = Math.ceil(size.width / 32) * size.height * size.depth;
  if (!(mask.bits instanceof Uint32Array) || mask.bits.length !== words) {
    const found = mask.bits instanceof Uint32Array ? `one of ${mask.bits.length}` : show(mask.bits);
    throw new InvalidArgument(
      `Expected the bits of a mask of ${sizeText(size)} to be a Uint32Array of ${words} values, 32 pixels each and rows that begin anew, got ${found}.`,
      { argument: "mask.bits" },
    );
  }
  return { kind: "mask", ...size, bits: mask.bits };
}

/** Checks the mask `within` for pixels of a size. */
export function checkWithin(within: Mask, size: Size): Bits {
  if (typeof within !== "object" || within === null || within.bits === undefined) {
    throw unexpected("within", "a mask, as mask() gives it", within);
  }
  const mask = checkMask(within);
  if (!sameSize(mask, size)) {
    throw new InvalidArgument(`Expected within to be ${sizeText(size)} like the raster, got ${sizeText(mask)}.`, {
      argument: "within",
    });
  }
  return mask;
}

/** Whether an input is a list of points: it has `points`. */
export function isPoints(input: object): input is Points {
  return (input as { points?: unknown }).points !== undefined;
}

/** Form of a place in messages: [x, y], or [x, y, z]. */
export function placeText({ depth }: Size): string {
  return depth > 1 ? "[x, y, z]" : "[x, y]";
}

/** Checks points, and sets their bits. */
export function checkPoints(given: Points): Bits {
  checkFields("the points' image", given, [...SIZED, "points"]);
  const size = checkSize(given, "the points' image");
  checkWidth(size, "the points' image");
  checkSpacing(given.spacing, "the points' image");
  const { width, height, depth } = size;
  if (width * height * depth >= MAX_PIXELS) {
    throw new Unsupported(`Expected an image of fewer than 2^32 pixels around the points, got ${sizeText(size)}.`);
  }
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  if (!Array.isArray(given.points)) {
    throw unexpected("points", "a list of [x, y] or [x, y, z]", given.points);
  }
  for (const point of given.points as readonly unknown[]) {
    const [x, y, z = depth > 1 ? Number.NaN : 0] = Array.isArray(point) ? (point as number[]) : [];
    const isInside = [x, y, z].every((n, axis) => {
      return Number.isInteger(n) && n >= 0 && n < [width, height, depth][axis];
    });
    if (!isInside)
      throw new InvalidArgument(
        `Expected whole points ${placeText(size)} inside ${sizeText(size)}, got ${show(point)}.`,
        {
          argument: "points",
        },
      );
    const at = (z * height + y) * words + (x >> 5);
    bits[at] = bits[at] | (1 << (x & 31));
  }
  return { kind: "mask", ...size, bits };
}

/** Checks that an intensity raster has the size of the components. */
export function checkSameSize(shape: Shape, size: Size): void {
  if (!sameSize(shape, size)) {
    throw new InvalidArgument(
      `Expected intensity to be ${sizeText(size)} like the components, got ${sizeText(shape)}.`,
      { argument: "intensity" },
    );
  }
}

export function sameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height && a.depth === b.depth;
}
