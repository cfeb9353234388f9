// Pictures and volumes in: PNG, JPEG, WebP, TIFF, GIF and AVIF through sharp, PGM, .npy, NIfTI, raw values, folders
// of slices, from a file or stdin.

import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { SharpOptions } from "sharp";
import type { PixelArray, PixelType, Raster, Source } from "skerry";
import { ARRAYS, bufferBytes, bytesSource, checkLength, type Size, type StoredType } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { isNpy, openNpy } from "../formats/npy.js";
import { isPgm, openPgm } from "../formats/pgm.js";
import {
  asUnsigned,
  isSigned,
  signedPixels,
  stackRefusal,
  type TiffDirectory,
  tiffDirectories,
  tiffRefusal,
} from "../formats/tiff-directories.js";
import type { Orientation } from "../layout.js";
import { fileBytes } from "./file-bytes.js";
import { mostBytes, tooLarge } from "./limit.js";
import { isNifti, isNiftiPath, openNifti, openNiftiBuffer } from "./nifti.js";
import { readSmallPng } from "./png.js";
import { reasonOf } from "./reasons.js";
import { loadSharp } from "./sharp.js";
import { readFolder } from "./stack.js";

/** An input: pixels in memory, or a Source over a file. */
export interface Picture {
  /** As it was named on the command line. */
  readonly input: string;
  /** For `{name}`: the file's name without folder and ending. */
  readonly name: string;
  readonly pixels: (Raster & { channels: number }) | Source;
  /** Notes for the user on how the input was read; complete once all of it was read. */
  notes(): readonly string[];
  /** Where a NIfTI volume lies in the patient. */
  readonly orientation?: Orientation;
  close(): Promise<void>;
}

/** Pixels are taken as they are stored: no colour profile is applied, and no size is too large. */
const OPTIONS: SharpOptions = { ignoreIcc: true, limitInputPixels: false };

export function nameOf(input: string): string {
  if (input === "-") return "stdin";
  return basename(input, isNiftiPath(input) ? (/\.nii(\.gz)?$/i.exec(input)?.[0] ?? "") : extname(input));
}

/** Sides of an input, its depth 1 by default. */
export function sizeOf({ pixels: { width, height, depth = 1 } }: Pick<Picture, "pixels">): Size {
  return { width, height, depth };
}

/** How values of a file without a header lie: the lower byte first, x fastest. */
export interface RawLayout extends Size {
  readonly type: StoredType;
}

/** How to read: with `alpha` pictures that have transparency come as RGBA; with `raw` the file is nothing but values. */
export interface PictureOptions {
  readonly alpha?: boolean;
  readonly raw?: RawLayout | undefined;
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
  /** A packed volume is unpacked to a temporary file instead of memory. */
  readonly spill?: boolean;
  /** Many pictures are to come, so that sharp's threads are worth the time its library takes to load. */
  readonly sharpPays?: boolean;
}

/** Formats that are read as they are asked for, by the ending of the file's name. */
const OPENERS: Readonly<Record<string, typeof openNpy>> = { ".npy": openNpy, ".pgm": openPgm };

/** Opens a picture or a volume. */
export async function openPicture(
  input: string,
  { alpha = false, raw, spill = false, nodata, sharpPays = false }: PictureOptions = {},
): Promise<Picture> {
  const shown = input === "-" ? "stdin" : input;
  const opened = (pixels: Picture["pixels"], notes: readonly string[] = [], close = async () => {}): Picture => {
    return { input, name: nameOf(input), pixels, notes: () => notes, close };
  };
  if (raw) {
    const bytes = input === "-" ? bufferBytes(await readWhole(input, shown)) : await fileBytes(input);
    return closingOnError(bytes, async () => {
      checkLength(bytes, 0, raw, raw.type, shown);
      const { width, height, depth, type } = raw;
      const source = bytesSource(bytes, 0, { width, height, depth }, { type, littleEndian: true, nodata }, shown);
      return noted(
        opened(source, [], () => bytes.close()),
        source,
        shown,
      );
    });
  }
  if (input !== "-" && isNiftiPath(input)) {
    const { source, orientation, close } = await openNifti(input, { spill, nodata });
    return { ...noted(opened(source, [], close), source, shown), orientation };
  }
  const open = OPENERS[extname(input).toLowerCase()];
  if (open) {
    const bytes = await fileBytes(input);
    return closingOnError(bytes, async () => opened(await open(bytes, shown, nodata), [], () => bytes.close()));
  }
  if (input !== "-" && (await isFolder(input))) {
    const slice = async (path: string): Promise<Raster & { channels: number }> => {
      const picture = await openPicture(path, { alpha, nodata });
      return rasterOf(picture).finally(() => picture.close());
    };
    const { raster, notes } = await readFolder(input, slice, nodata);
    return opened(raster, notes);
  }
  const buffer = await readWhole(input, shown);
  if (isNpy(buffer)) return opened(await openNpy(bufferBytes(buffer), shown, nodata));
  if (isPgm(buffer)) return opened(await openPgm(bufferBytes(buffer), shown, nodata));
  if (input === "-" && isNifti(buffer)) {
    const { source, orientation, close } = await openNiftiBuffer(buffer, shown, nodata);
    return { ...noted(opened(source, [], close), source, shown), orientation };
  }
  const small = alpha || sharpPays ? undefined : await readSmallPng(buffer);
  if (small) return opened(withNodata(small, nodata, shown));
  const { raster, notes } = await decode(buffer, shown, alpha);
  return opened(withNodata(raster, nodata, shown), notes);
}

function withNodata<T extends Raster & { channels: number }>(raster: T, nodata: number | undefined, shown: string): T {
  if (nodata === undefined) return raster;
  if (raster.channels > 1) throw new UsageError(`Expected --nodata with a grey input, but ${shown} has colours.`);
  return { ...raster, nodata };
}

async function closingOnError<T>(bytes: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** With a note when values had to be rounded on the way. */
function noted(picture: Picture, source: { readonly unlike: number }, shown: string): Picture {
  const rounded = (): readonly string[] =>
    source.unlike > 0 ? [`${shown}: ${source.unlike} float64 values do not fit float32 and were rounded`] : [];
  return { ...picture, notes: rounded };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
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
    throw new FileError(`Could not read ${shown}: ${reasonOf(error)}.`);
  }
  if (buffer.length === 0) throw new FileError(`Could not read ${shown}: it is empty.`);
  return buffer;
}

/** What libvips calls the types. */
const DEPTHS: Record<string, PixelType> = {
  uchar: "u8",
  ushort: "u16",
  short: "i16",
  uint: "u32",
  int: "i32",
  float: "f32",
};

/** The same in words, with those that are not read. */
const DEPTH_NAMES: Record<string, string> = {
  ...{ uchar: "8 bits", ushort: "16 bits", uint: "32 bits", int: "signed 32 bits", float: "32-bit floats" },
  ...{ char: "signed 8 bits", short: "signed 16 bits", double: "64-bit floats", complex: "complex numbers" },
  dpcomplex: "complex numbers",
};

async function decode(
  buffer: Buffer,
  shown: string,
  alpha: boolean,
): Promise<{ raster: Raster & { channels: number }; notes: string[] }> {
  const notes: string[] = [];
  const directories = tiffDirectories(buffer);
  const refusal = tiffRefusal(directories, shown) ?? stackRefusal(directories, shown);
  if (refusal) throw new FileError(refusal);
  const given = asUnsigned(buffer, directories);
  try {
    const sharp = await loadSharp();
    const metadata = await sharp(given, OPTIONS).metadata();
    const { depth = "", channels: stored = 1, pages = 1, hasAlpha, format } = metadata;
    // Pages of a TIFF are the slices of a stack; those of other formats are frames of an animation.
    const slices = format === "tiff" ? pages : 1;
    if (pages > 1 && slices === 1) notes.push(`${shown} has ${pages} pages; the first one is used`);
    const options: SharpOptions = { ...OPTIONS, pages: slices };
    const grey = stored <= 2 && !(alpha && hasAlpha === true);
    const type = DEPTHS[depth];
    if (!type || (!grey && type !== "u8" && type !== "u16")) {
      throw new FileError(
        `Expected ${shown} to have 8 or 16 bits a channel, or one channel of 32 bits, got ${stored} of ${DEPTH_NAMES[depth] ?? depth}; convert it to one of these, or to .npy.`,
      );
    }
    const decoded = metadata.width * metadata.height * slices * (grey ? 1 : stored) * ARRAYS[type].BYTES_PER_ELEMENT;
    if (decoded > mostBytes()) {
      const sides = `${metadata.width} x ${metadata.height}${slices > 1 ? ` x ${slices}` : ""} pixels, `;
      throw tooLarge(shown, decoded, mostBytes(), sides);
    }
    const asStored = sharp(given, options);
    const turned = slices > 1 ? asStored : asStored.autoOrient();
    const space = grey ? (type === "u16" ? "grey16" : "b-w") : type === "u16" ? "rgb16" : "srgb";
    const { data, info } = await (alpha && hasAlpha ? turned : turned.removeAlpha())
      .toColourspace(space)
      .raw({ depth: depth as "uchar" })
      .toBuffer({ resolveWithObject: true });
    // A slice of a pool need not lie at an even address.
    const bytes = data.byteOffset % 4 === 0 ? data : Buffer.from(Uint8Array.from(data).buffer);
    const array = ARRAYS[type];
    const values = new array(bytes.buffer, bytes.byteOffset, data.length / array.BYTES_PER_ELEMENT);
    const pixels = asTyped(values, directories);
    // Pages come one below the other.
    const size = { width: info.width, height: info.height / slices, depth: slices };
    return { raster: { data: pixels, ...size, channels: info.channels }, notes };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`Could not read ${shown}: ${pictureReason((error as Error).message)}.`, { cause: error });
  }
}

/** What decoders say of a picture, in our words. */
function pictureReason(message: string): string {
  if (/unsupported image format/i.test(message)) {
    return "it is no PNG, JPEG, WebP, GIF, AVIF, TIFF, PGM, .npy or NIfTI file";
  }
  if (/compression|not configured/i.test(message)) {
    return "its compression is not read; save it uncompressed, or with LZW or Deflate";
  }
  if (/memory|too large|exceeds|limit/i.test(message)) return "it does not fit memory when decoded";
  return "it is damaged or cut off";
}

/** What libvips returns for samples that it scales up to 8 bits, or takes for unsigned, as they are stored. */
function asTyped(values: PixelArray, directories: readonly TiffDirectory[]): PixelArray {
  const [page] = directories;
  if (isSigned(directories)) return signedPixels(values as Uint8Array | Uint16Array | Uint32Array);
  if (page && page.bits < 8 && page.samples === 1 && page.photometric < 2) {
    const factor = 255 / (2 ** page.bits - 1);
    for (let i = 0; i < values.length; i++) values[i] = values[i] / factor;
  }
  return values;
}

/** Values that are read from a file at a time. */
const BAND_VALUES = 2 ** 20;

/**
 * Calls `visit` with the rows of a picture, counted through all slices, some at a time, until it returns false. Of a file they are
 * read into `whole`, which then holds the picture, or into an array that is used again.
 */
export async function eachBand(
  picture: Pick<Picture, "pixels">,
  visit: (rows: PixelArray, y0: number, y1: number) => boolean,
  whole?: PixelArray,
): Promise<void> {
  const { pixels } = picture;
  const { width, height, depth } = sizeOf(picture);
  if ("data" in pixels) {
    visit(pixels.data, 0, height * depth);
    return;
  }
  // Whole slices, or rows of one.
  const slices = Math.min(depth, Math.max(1, Math.floor(BAND_VALUES / (width * height))));
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_VALUES / width)));
  const band = whole ?? new ARRAYS[pixels.type](slices * rows * width);
  for (let z = 0; z < depth; z += slices) {
    const end = Math.min(depth, z + slices);
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const from = z * height + y0;
      const to = from + (end - z) * (y1 - y0);
      const at = whole ? from * width : 0;
      const part = band.subarray(at, at + (to - from) * width) as PixelArray;
      await pixels.read(z, end, y0, y1, part, {});
      if (!visit(part, from, to)) return;
    }
  }
}

/** The whole picture in memory, in an array that `make` gives. */
export async function rasterOf(
  picture: Picture,
  make: (type: PixelType, length: number) => PixelArray = (type, length) => new ARRAYS[type](length),
): Promise<Raster & { channels: number }> {
  const { pixels } = picture;
  if ("data" in pixels) return pixels;
  const { type, spacing, nodata } = pixels;
  const size = sizeOf(picture);
  const data = make(type, size.width * size.height * size.depth);
  await eachBand(picture, () => true, data);
  return { data, ...size, channels: 1, ...(spacing ? { spacing } : {}), ...(nodata === undefined ? {} : { nodata }) };
}
