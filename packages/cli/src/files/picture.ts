// Pictures in: PNG, JPEG, WebP, TIFF, GIF and AVIF through sharp, .npy by ourselves, from a file or stdin.

import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import sharp, { type SharpOptions } from "sharp";
import type { PixelArray, Raster, Source } from "skerry";
import { firstLine, RunError, reasonOf } from "../errors.js";
import { bufferBytes, fileBytes, isNpy, npySource } from "./npy.js";

/** An input: pixels in memory, or a Source over a file. */
export interface Picture {
  /** As it was named on the command line. */
  readonly input: string;
  /** For `{name}`: the file's name without folder and ending. */
  readonly name: string;
  readonly pixels: (Raster & { channels: number }) | Source;
  /** What the user should know about how it was read. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** Pixels are taken as they are stored: no colour profile is applied, and no size is too large. */
const OPTIONS: SharpOptions = { ignoreIcc: true, limitInputPixels: false };

export function nameOf(input: string): string {
  return input === "-" ? "stdin" : basename(input, extname(input));
}

/** Opens a picture; with `alpha` one that has transparency comes as RGBA, else without it. */
export async function openPicture(input: string, { alpha = false } = {}): Promise<Picture> {
  const shown = input === "-" ? "stdin" : input;
  if (input !== "-" && extname(input).toLowerCase() === ".npy") {
    const bytes = await fileBytes(input);
    try {
      const pixels = await npySource(bytes, shown);
      return { input, name: nameOf(input), pixels, notes: [], close: () => bytes.close() };
    } catch (error) {
      await bytes.close();
      throw error;
    }
  }
  const buffer = await readWhole(input, shown);
  const close = async (): Promise<void> => undefined;
  if (isNpy(buffer)) {
    return { input, name: nameOf(input), pixels: await npySource(bufferBytes(buffer), shown), notes: [], close };
  }
  const { raster, notes } = await decode(buffer, shown, alpha);
  return { input, name: nameOf(input), pixels: raster, notes, close };
}

async function readWhole(input: string, shown: string): Promise<Buffer> {
  let buffer: Buffer;
  try {
    if (input === "-") {
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
      buffer = Buffer.concat(chunks);
    } else {
      buffer = await readFile(input);
    }
  } catch (error) {
    throw new RunError(`Could not read ${shown}: ${reasonOf(error)}.`);
  }
  if (buffer.length === 0) throw new RunError(`Could not read ${shown}: it is empty.`);
  return buffer;
}

async function decode(
  buffer: Buffer,
  shown: string,
  alpha: boolean,
): Promise<{ raster: Raster & { channels: number }; notes: string[] }> {
  const notes: string[] = [];
  try {
    const { depth = "", channels: stored = 1, pages = 1, hasAlpha } = await sharp(buffer, OPTIONS).metadata();
    if (pages > 1) notes.push(`${shown} has ${pages} pages; the first one is used`);
    const deep = depth === "ushort";
    if (!deep && depth !== "uchar") {
      throw new RunError(`Expected ${shown} to have 8 or 16 bits without sign a channel, got ${depth}.`);
    }
    const keepsAlpha = alpha && hasAlpha === true;
    const grey = stored <= 2 && !keepsAlpha;
    const turned = sharp(buffer, OPTIONS).autoOrient();
    const { data, info } = await (keepsAlpha ? turned : turned.removeAlpha())
      .toColourspace(grey ? (deep ? "grey16" : "b-w") : deep ? "rgb16" : "srgb")
      .raw({ depth: deep ? "ushort" : "uchar" })
      .toBuffer({ resolveWithObject: true });
    const pixels: PixelArray = deep ? shorts(data) : new Uint8Array(data.buffer, data.byteOffset, data.length);
    return { raster: { data: pixels, width: info.width, height: info.height, channels: info.channels }, notes };
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(`Could not read ${shown}: ${firstLine((error as Error).message)}.`);
  }
}

function shorts(data: Buffer): Uint16Array {
  // A slice of a pool need not lie at an even address.
  const aligned = data.byteOffset % 2 === 0 ? data : Buffer.from(Uint8Array.from(data).buffer);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, data.length / 2);
}

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
};

/** Calls `visit` with the rows of a picture, some at a time, until it returns false. */
export async function eachBand(
  { pixels }: Picture,
  visit: (rows: PixelArray, y0: number, y1: number) => boolean,
): Promise<void> {
  if ("data" in pixels) {
    visit(pixels.data, 0, pixels.height);
    return;
  }
  const { width, height, type } = pixels;
  const rows = Math.max(1, Math.min(height, Math.floor((1 << 20) / width)));
  const band = new ARRAYS[type](rows * width);
  for (let y0 = 0; y0 < height; y0 += rows) {
    const y1 = Math.min(height, y0 + rows);
    const part = band.subarray(0, (y1 - y0) * width);
    await pixels.read(0, 1, y0, y1, part, {});
    if (!visit(part, y0, y1)) return;
  }
}

/** Whether a picture holds at most two values (colours), one of them 0: something that was thresholded before. */
export async function isBinary(picture: Picture): Promise<boolean> {
  const channels = picture.pixels.channels ?? 1;
  let other: readonly number[] | undefined;
  let zero = false;
  let binary = true;
  await eachBand(picture, (rows) => {
    other ??= firstNonzero(rows, channels);
    const seen = other ? countValues(rows, channels, other) : { zeros: rows.length / channels, others: 0 };
    zero ||= seen.zeros > 0;
    binary = seen.zeros + seen.others === rows.length / channels;
    return binary;
  });
  return binary && zero;
}

function firstNonzero(rows: PixelArray, channels: number): readonly number[] | undefined {
  let i = 0;
  while (i < rows.length && rows[i] === 0) i++;
  if (i === rows.length) return undefined;
  const begin = i - (i % channels);
  return Array.from(rows.subarray(begin, begin + channels));
}

/** How many pixels are 0 and how many are `other`, up to the first that is neither. */
function countValues(rows: PixelArray, channels: number, other: readonly number[]): { zeros: number; others: number } {
  const [r = 0, g = 0, b = 0] = other;
  let zeros = 0;
  let others = 0;
  for (let i = 0; i < rows.length; i += channels) {
    const colour = channels > 1;
    if (rows[i] === r && (!colour || (rows[i + 1] === g && rows[i + 2] === b))) others++;
    else if (rows[i] === 0 && (!colour || (rows[i + 1] === 0 && rows[i + 2] === 0))) zeros++;
    else break;
  }
  return { zeros, others };
}

/** The whole picture in memory. */
export async function rasterOf({ pixels }: Picture): Promise<Raster & { channels: number }> {
  if ("data" in pixels) return pixels;
  const { width, height, type } = pixels;
  const data = new ARRAYS[type](width * height);
  await pixels.read(0, 1, 0, height, data, {});
  return { data, width, height, channels: 1 };
}
