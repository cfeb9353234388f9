// Pictures that are decoded whole: PNG, JPEG, WebP, GIF and AVIF, through sharp.

import type { SharpOptions } from "sharp";
import type { Raster } from "skerry";
import { defined } from "skerry/internal";
import { ARRAYS } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { isGif, readGifIndices } from "../formats/gif.js";
import { isHeic } from "../formats/heif.js";
import { pngKind, pngResolution, readPngIndices } from "../formats/png.js";
import { spaceOf, type Taken } from "../space.js";
import { asWanted } from "../transparency.js";
import { mostBytes, tooLarge } from "./memory-limit.js";
import type { About, PictureOptions } from "./picture.js";
import type { Opened, Reader } from "./reader.js";
import { pictureReason } from "./reasons.js";
import { loadSharp } from "./sharp.js";
import { hasPngEnd, isAnimatedPng, isChanged, readSmallPng, smallPngKind } from "./small-png.js";

/** Magic bytes of these formats: offset and characters. */
const BEGINNINGS: readonly (readonly [number, string])[] = [
  [0, "\x89PNG"],
  [0, "\xff\xd8"],
  [8, "WEBP"],
  [0, "GIF8"],
  [4, "ftyp"],
];

const beginsLikeOne = (bytes: Uint8Array): boolean =>
  BEGINNINGS.some(([at, letters]) => Buffer.from(letters, "latin1").equals(bytes.subarray(at, at + letters.length)));

export const IMAGES: Reader = {
  name: "PNG, JPEG, WebP, GIF, AVIF",
  header: async ({ path, contents }, _, start) => {
    // Loading sharp takes longer than reading a small picture.
    const small = smallPngKind(start);
    if (small && !isChanged(await contents())) return spaceOf({ size: small });
    const sharp = await loadSharp();
    const { autoOrient } = await sharp(path, OPTIONS).metadata();
    return spaceOf({ size: autoOrient });
  },
  endings: [".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif"],
  slices: true,
  sniff: (start) => start.kind === "file" && beginsLikeOne(start.bytes),
  axes: ["page"],
  open: async (input, options): Promise<Opened> => {
    const { nodata, sharpPays = false, channel, indices = false } = options;
    const wanted = channel === "alpha" ? ({ alpha: "kept" } as const) : { alpha: options.alpha, matte: options.matte };
    if (channel === "alpha" && options.matte) throw new UsageError("Expected --matte or --channel alpha, got both.");
    const buffer = await input.contents();
    // The decoder knows more formats, such as SVG, than are promised here and on the page.
    if (!beginsLikeOne(buffer)) {
      throw new FileError(
        `Could not read ${input.shown}: ${kindOf(buffer) ?? pictureReason("unsupported image format")}.`,
      );
    }
    const png = pngKind(buffer);
    const printed = png && pngResolution(buffer);
    if (png && !hasPngEnd(buffer)) throw new FileError(`Could not read ${input.shown}: it is damaged or cut off.`);
    const frames = png && isAnimatedPng(buffer) ? [`${input.shown} has several frames; the first one is used`] : [];
    if (png?.palette && (indices || channel === "index" || channel === 0)) {
      const pixels = withNodata(await readPngIndices(buffer, input.shown), nodata, input.shown);
      const space = spaceOf({ size: pixels, printed, taken: channel === undefined ? {} : { channel } });
      return {
        pixels,
        space,
        about: {
          format: "PNG",
          stored: png.bits === 1 ? "1 bit" : `${png.bits} bits`,
          channels: 1,
          palette: 2 ** png.bits,
        },
      };
    }
    if (isGif(buffer) && (indices || channel === "index" || channel === 0)) {
      const { pages, notes } = await pagesOf(buffer, input.shown, options);
      const page = typeof options.page === "number" && pages > 1 ? options.page : 0;
      const numbers = readGifIndices(buffer, input.shown, page);
      if (numbers) {
        const pixels = withNodata(numbers, nodata, input.shown);
        const others = pages > 1 ? [{ name: "page", size: pages } as const] : [];
        const taken: Taken = defined({ channel, page: options.page === undefined || pages === 1 ? undefined : page });
        const about = { format: "GIF", stored: "8 bits", channels: 1, compression: "lzw", palette: 256 };
        return { pixels, space: spaceOf({ size: pixels, others, taken }), about, notes: () => notes };
      }
      const partial = "covers a part of its canvas, and has no number for each pixel";
      if (channel !== undefined) throw new UsageError(`Expected no --channel for ${input.shown}, which ${partial}.`);
      frames.push(`${input.shown} ${partial}; colours are taken`);
    }
    if (channel === "index") {
      throw new UsageError(`Expected --channel index for a file with a palette, but ${input.shown} has none.`);
    }
    const small = sharpPays ? undefined : await readSmallPng(buffer);
    if (small) {
      const given = options.page ?? 0;
      if (given !== 0 && !options.lenient) {
        throw new UsageError(`Expected --page 0 for ${input.shown}, which has one page, got ${given}.`);
      }
      const notes: string[] = [];
      const flattened = small.hasAlpha ? asWanted(small, wanted, input.shown, notes) : small.raster;
      const space = spaceOf({ size: flattened, printed });
      const stored = small.raster.data instanceof Uint16Array ? "uint16" : "uint8";
      const channels = small.isGrey ? (small.hasAlpha ? 2 : 1) : small.raster.channels;
      const about = { format: "PNG", stored, channels, compression: "deflate", alpha: small.hasAlpha };
      return { pixels: withNodata(flattened, nodata, input.shown), space, about, notes: () => notes };
    }
    const { raster, notes, pages, about } = await decode(buffer, input.shown, { ...options, ...wanted });
    if (indices && png?.grey && png.bits < 8) {
      // libvips scales samples of fewer than 8 bits up to 255; labels and classes need the stored values.
      const factor = 255 / (2 ** png.bits - 1);
      for (let i = 0; i < raster.data.length; i++) raster.data[i] /= factor;
    }
    const others = pages > 1 ? [{ name: "page", size: pages } as const] : [];
    const taken = options.page === undefined || pages === 1 ? {} : { page: options.page };
    const space = spaceOf({ size: raster, printed, others, taken });
    return { pixels: withNodata(raster, nodata, input.shown), space, about, notes: () => [...notes, ...frames] };
  },
};

function withNodata<T extends Raster & { channels: number }>(raster: T, nodata: number | undefined, shown: string): T {
  if (nodata === undefined) return raster;
  if (raster.channels > 1) throw new UsageError(`Expected --nodata with a grey input, but ${shown} has colours.`);
  return { ...raster, nodata };
}

/** Pixels are read as they are stored: no colour profile is applied. The size limit of libvips is off. */
/** Sizes are checked before. The decoder of AVIF has a limit of its own, which `unlimited` lifts. */
const OPTIONS: SharpOptions = { ignoreIcc: true, limitInputPixels: false, unlimited: true };

/** Types by their names in libvips. */
const DEPTHS: Readonly<Record<string, "u8" | "u16">> = { uchar: "u8", ushort: "u16" };

/**
 * Brings 10 and 12 bits back to the values that the file stores; libvips has scaled them to 16. Alpha stays in 16 bits, and opaque pixels
 * get the largest value. Example: of 10 bits 51200 becomes 800.
 */
function unscale(values: Uint8Array | Uint16Array, channels: number, bits: number): void {
  if (!(values instanceof Uint16Array) || bits >= 16 || bits <= 8) return;
  const most = 2 ** bits - 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] >> (16 - bits);
    values[i] = channels === 4 && i % 4 === 3 ? Math.round((value / most) * 65535) : value;
  }
}

/** A decoded picture, and facts of its file. */
interface Decoded {
  readonly raster: Raster & { channels: number };
  readonly notes: readonly string[];
  readonly pages: number;
  readonly about: Partial<About>;
}

/** Formats by their names in libvips. */
const NAMES: Readonly<Record<string, string>> = {
  png: "PNG",
  jpeg: "JPEG",
  webp: "WebP",
  gif: "GIF",
  heif: "AVIF",
  avif: "AVIF",
};

async function decode(buffer: Buffer, shown: string, options: PictureOptions): Promise<Decoded> {
  try {
    return await decodeBy("warning", buffer, shown, options);
  } catch (error) {
    if (error instanceof FileError || error instanceof UsageError) throw error;
    const reason = (cause: unknown): FileError =>
      new FileError(`Could not read ${shown}: ${kindOf(buffer) ?? pictureReason((cause as Error).message)}.`, {
        cause,
      });
    // Phones and editors write such JPEGs and GIFs; faults of other formats spoil pixels.
    const isLenient = buffer[0] === 0xff || buffer.toString("latin1", 0, 3) === "GIF";
    if (!isLenient) throw reason(error);
    try {
      const decoded = await decodeBy("truncated", buffer, shown, options);
      return { ...decoded, notes: [...decoded.notes, `${shown} has faults that its decoder passes over`] };
    } catch (second) {
      if (second instanceof FileError || second instanceof UsageError) throw second;
      throw reason(second);
    }
  }
}

/** Formats that are not read, and their first bytes. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "PBM, or PGM or PPM in letters": ["P1", "P2", "P3", "P4"],
  PAM: ["P7"],
  PFM: ["PF", "Pf"],
  "JPEG 2000": ["\0\0\0\x0cjP", "\xff\x4f\xff\x51"],
  "JPEG XL": ["\0\0\0\x0cJXL", "\xff\x0a"],
  PSD: ["8BPS"],
  ICO: ["\0\0\x01\0"],
  "a ZIP archive, as .npz is": ["PK\x03\x04"],
  "packed by gzip, and no NIfTI": ["\x1f\x8b"],
  HDF5: ["\x89HDF"],
  FITS: ["SIMPLE  "],
  OpenEXR: ["\x76\x2f\x31\x01"],
  PDF: ["%PDF"],
  "SVG or another XML": ["<?xml", "<svg"],
};

/** The reason why a picture of a known kind is not read; undefined for others. */
function kindOf(buffer: Buffer): string | undefined {
  const start = buffer.toString("latin1", 0, 8);
  const [called] = Object.entries(OTHERS).find(([, begins]) => begins.some((each) => start.startsWith(each))) ?? [];
  if (called) return `it is ${called}, which is not read; save it as PNG or TIFF`;
  if (start.slice(4) !== "ftyp") return undefined;
  if (isHeic(buffer)) return "it is HEIC, which is not read; save it as JPEG or PNG, as heif-convert does";
  const brand = buffer.toString("latin1", 8, 12);
  return brand === "avis" ? "it is a sequence of AVIF, which is not read; save a picture of it as PNG" : undefined;
}

/** The page that is taken of several; a note tells of the others. */
function checkPage(
  pages: number,
  shown: string,
  { page: asked, lenient = false }: PictureOptions,
  notes: string[],
): number | undefined {
  const page = lenient && pages === 1 ? undefined : asked;
  if (typeof page === "string")
    throw new UsageError(`Expected a TIFF for --page ${page}, got ${shown}; take one of its ${pages} pages.`);
  if (page !== undefined && page >= pages) {
    throw new UsageError(`Expected --page to be from 0 to ${pages - 1} for ${shown}, got ${page}.`);
  }
  if (pages > 1 && page === undefined)
    notes.push(`${shown} has ${pages} pages; the first one is used (--page N takes another)`);
  return page;
}

/** The number of pictures of a GIF, and a note on those that are left out. */
async function pagesOf(buffer: Buffer, shown: string, options: PictureOptions) {
  const notes: string[] = [];
  const sharp = await loadSharp();
  const { pages = 1 } = await sharp(buffer, OPTIONS)
    .metadata()
    .catch((error) => {
      throw new FileError(`Could not read ${shown}: ${pictureReason((error as Error).message)}.`, { cause: error });
    });
  checkPage(pages, shown, options, notes);
  return { pages, notes };
}

/** Decodes a picture. Warnings of decoders, such as on bytes between the segments of a phone's JPEG, fail only if they are asked to. */
async function decodeBy(
  failOn: "warning" | "truncated",
  buffer: Buffer,
  shown: string,
  { alpha, matte, page: asked, lenient = false }: PictureOptions,
): Promise<Decoded> {
  const notes: string[] = [];
  const decoding = { ...OPTIONS, failOn };
  const sharp = await loadSharp();
  const metadata = await sharp(buffer, decoding).metadata();
  const { depth = "", channels: stored = 1, pages = 1, hasAlpha = false } = metadata;
  const page = checkPage(pages, shown, { page: asked, lenient }, notes);
  const options: SharpOptions = defined({ ...decoding, page: page ? page : decoding.page });
  const isGrey = stored <= 2;
  const { bitsPerSample: bits = depth === "ushort" ? 16 : 8 } = metadata;
  const type = DEPTHS[depth];
  if (!type) throw new FileError(`Expected ${shown} to have 8 or 16 bits a channel, got ${depth}; convert it.`);
  const channels = hasAlpha ? 4 : isGrey ? 1 : stored;
  const decoded = metadata.width * metadata.height * channels * ARRAYS[type].BYTES_PER_ELEMENT;
  if (decoded > mostBytes()) {
    throw tooLarge(shown, decoded, mostBytes(), `${metadata.width} x ${metadata.height} pixels, `);
  }
  const turned = sharp(buffer, options).autoOrient();
  const space = isGrey && !hasAlpha ? (type === "u16" ? "grey16" : "b-w") : type === "u16" ? "rgb16" : "srgb";
  const { data, info } = await turned
    .toColourspace(space)
    .raw({ depth: depth as "uchar" })
    .toBuffer({ resolveWithObject: true });
  // A Buffer from Node's pool may lie at an odd address.
  const bytes = data.byteOffset % 4 === 0 ? data : Buffer.from(Uint8Array.from(data).buffer);
  const array = ARRAYS[type];
  const values = new array(bytes.buffer, bytes.byteOffset, data.length / array.BYTES_PER_ELEMENT);
  unscale(values, info.channels, bits);
  if (metadata.space === "cmyk") notes.push(`${shown} holds CMYK, and is converted to red, green and blue`);
  const size = { width: info.width, height: info.height, depth: 1 };
  const raster = { data: values, ...size, channels: info.channels as number };
  const opaque = info.channels === 4 ? asWanted({ raster, isGrey }, { alpha, matte }, shown, notes) : raster;
  const { format, isPalette = false } = metadata;
  const called = bits === 1 ? "1 bit" : bits < 8 ? `${bits} bits` : `uint${bits}`;
  const about = {
    format: NAMES[format ?? ""] ?? format,
    stored: called,
    channels: stored,
    alpha: hasAlpha,
    compression: metadata.compression,
    palette: isPalette ? 2 ** bits : undefined,
  };
  return { raster: opaque, notes, pages, about };
}
