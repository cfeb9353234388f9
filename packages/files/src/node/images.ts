// Pictures that are decoded whole: PNG, JPEG, WebP, TIFF, GIF and AVIF, through sharp.

import type { SharpOptions } from "sharp";
import type { PixelArray, PixelType, Raster } from "skerry";
import { ARRAYS } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import {
  asUnsigned,
  isSigned,
  signedPixels,
  stackRefusal,
  type TiffDirectory,
  tiffDirectories,
  tiffRefusal,
} from "../formats/tiff-directories.js";
import { mostBytes, tooLarge } from "./memory-limit.js";
import type { Opened, Reader } from "./reader.js";
import { pictureReason } from "./reasons.js";
import { loadSharp } from "./sharp.js";
import { readSmallPng } from "./small-png.js";

/** How these formats begin: at a place, with letters. */
const BEGINNINGS: readonly (readonly [number, string])[] = [
  ...([
    [0, "\x89PNG"],
    [0, "\xff\xd8\xff"],
    [8, "WEBP"],
    [0, "GIF8"],
    [4, "ftyp"],
  ] as const),
  ...([
    [0, "II*\0"],
    [0, "MM\0*"],
    [0, "II+\0"],
    [0, "MM\0+"],
  ] as const),
];

export const IMAGES: Reader = {
  name: "PNG, JPEG, WebP, GIF, AVIF, TIFF",
  endings: [".png", ".tif", ".tiff", ".jpg", ".jpeg", ".webp", ".gif", ".avif"],
  slices: true,
  sniff: (start) =>
    start.kind === "file" &&
    BEGINNINGS.some(([at, letters]) =>
      Buffer.from(letters, "latin1").equals(start.bytes.subarray(at, at + letters.length)),
    ),
  open: async (input, { alpha = false, nodata, sharpPays = false }): Promise<Opened> => {
    const buffer = await input.whole();
    const small = alpha || sharpPays ? undefined : await readSmallPng(buffer);
    if (small) return { pixels: withNodata(small, nodata, input.shown) };
    const { raster, notes } = await decode(buffer, input.shown, alpha);
    return { pixels: withNodata(raster, nodata, input.shown), notes: () => notes };
  },
};

function withNodata<T extends Raster & { channels: number }>(raster: T, nodata: number | undefined, shown: string): T {
  if (nodata === undefined) return raster;
  if (raster.channels > 1) throw new UsageError(`Expected --nodata with a grey input, but ${shown} has colours.`);
  return { ...raster, nodata };
}

/** Pixels are taken as they are stored: no colour profile is applied, and no size is too large. */
const OPTIONS: SharpOptions = { ignoreIcc: true, limitInputPixels: false };

/** Types by their names in libvips. */
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

/** Restores stored samples that libvips scaled up to 8 bits, or took for unsigned. */
function asTyped(values: PixelArray, directories: readonly TiffDirectory[]): PixelArray {
  const [page] = directories;
  if (isSigned(directories)) return signedPixels(values as Uint8Array | Uint16Array | Uint32Array);
  if (page && page.bits < 8 && page.samples === 1 && page.photometric < 2) {
    const factor = 255 / (2 ** page.bits - 1);
    for (let i = 0; i < values.length; i++) values[i] = values[i] / factor;
  }
  return values;
}
