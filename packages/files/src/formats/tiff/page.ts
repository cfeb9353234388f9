// One page of a TIFF: its size, the type and meaning of its samples, and the positions of its strips or tiles. Everything is
// checked here, so that decoders need not.

import type { PixelType } from "skerry";
import { ARRAYS } from "../../bytes.js";
import { FileError } from "../../errors.js";
import { COMPRESSION, compressionRefusal } from "./codecs.js";
import type { Directory } from "./directories.js";
import { TAG } from "./tags.js";

/** Photometric interpretations: the meanings of samples. */
export const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, mask: 4, cmyk: 5, ycbcr: 6 } as const;
const PHOTOMETRIC_NAMES: Readonly<Record<number, string>> = {
  5: "CMYK",
  6: "YCbCr",
  8: "CIE L*a*b*",
  9: "ICC L*a*b*",
  10: "ITU L*a*b*",
  32844: "LogL",
  32845: "LogLuv",
};

/** The name of a photometric interpretation. */
export function photometricName(photometric: number): string {
  return PHOTOMETRIC_NAMES[photometric] ?? `colours of number ${photometric}`;
}

export type SampleFormat = "uint" | "int" | "float";

/** Extra samples that are transparency: associated with the colours, or not. */
const ALPHAS = [1, 2];

/** The fields of a page that its pixels depend on. */
export interface Page {
  readonly directory: Directory;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly bits: number;
  readonly format: SampleFormat;
  readonly photometric: number;
  /** The number of the band that is transparency; -1 without one. */
  readonly alpha: number;
  /** Bands that are neither grey nor colours nor transparency. */
  readonly extra: number;
  /** Each band lies in chunks of its own. */
  readonly planar: boolean;
  readonly little: boolean;
  readonly compression: number;
  readonly predictor: number;
  /** Bytes have their bits in reverse. */
  readonly reversed: boolean;
  readonly tiled: boolean;
  /** Columns and rows of a chunk; strips are as wide as the page. */
  readonly chunkWidth: number;
  readonly chunkHeight: number;
  /** Chunks side by side, and one below the other. */
  readonly across: number;
  readonly down: number;
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
  readonly jpegTables?: Uint8Array | undefined;
  readonly lerc?: readonly number[] | undefined;
  /** Reds, greens and blues of a palette, 16 bits each. */
  readonly palette?: readonly number[] | undefined;
  /** Orientation of the page as in EXIF, 1 to 8. */
  readonly orientation: number;
  readonly nodata?: number | undefined;
}

/** The pixel type of a page: the smallest that holds its samples, but f32 for all floats and 32 bits for 64-bit integers. */
export function pixelTypeOfPage({ bits, format }: Pick<Page, "bits" | "format">): PixelType {
  if (format === "float") return "f32";
  if (format === "int") return bits <= 16 ? "i16" : "i32";
  return bits <= 8 ? "u8" : bits <= 16 ? "u16" : "u32";
}

/** The value of pixels that were not measured, if the page's type can hold it. */
export function nodataOf(page: Page): number | undefined {
  const { nodata } = page;
  const type = pixelTypeOfPage(page);
  if (nodata === undefined || type === "f32") return nodata;
  return new ARRAYS[type]([nodata])[0] === nodata ? nodata : undefined;
}

/** Bytes of the rows of one chunk. */
export function chunkBytes(page: Page, rows: number): number {
  return Math.ceil((page.chunkWidth * (page.planar ? 1 : page.samples) * page.bits) / 8) * rows;
}

/**
 * Reads the page that a directory describes.
 * @throws FileError if it cannot be read as it is: one sentence, with a way out
 */
export async function readPage(directory: Directory, name: string, jpegComponents: readonly number[]): Promise<Page> {
  const number = (tag: number, otherwise: number): Promise<number> => directory.number(tag, otherwise);
  const refuse = (expected: string, got: string): FileError =>
    new FileError(`Expected ${name} to ${expected}, got ${got}.`);
  const width = await number(TAG.imageWidth, 0);
  const height = await number(TAG.imageLength, 0);
  if (!(width > 0 && height > 0)) throw refuse("have pixels in it", `${width} x ${height}`);
  const samples = await number(TAG.samplesPerPixel, 1);
  if (!(samples > 0)) throw refuse("have at least one band", `${samples}`);
  const allBits = (await directory.numbers(TAG.bitsPerSample)) ?? [1];
  const [bits] = allBits;
  if (allBits.slice(0, samples).some((each) => each !== bits)) {
    throw refuse("have as many bits in every band; convert it", allBits.slice(0, samples).join(", "));
  }
  const format = formatOf(await directory.numbers(TAG.sampleFormat), bits, name);
  const compression = await number(TAG.compression, 1);
  const refusal = compressionRefusal(compression, name);
  if (refusal) throw new FileError(refusal);
  const photometric = await number(TAG.photometric, samples >= 3 ? PHOTOMETRIC.rgb : PHOTOMETRIC.blackIsZero);
  const planar = (await number(TAG.planarConfiguration, 1)) === 2 && samples > 1;
  if (photometric === PHOTOMETRIC.ycbcr && compression !== COMPRESSION.jpeg) {
    throw refuse("have no YCbCr colours but those of a JPEG; convert it, for example by tiff2rgba", "packed YCbCr");
  }
  if (compression === COMPRESSION.jpeg) {
    const together = planar ? 1 : samples;
    if (bits !== 8) throw refuse("have 8 bits in its JPEG strips; convert it", `${bits}`);
    if (!jpegComponents.includes(together)) {
      throw refuse(`have ${jpegComponents.join(" or ")} bands in its JPEG strips; convert it`, `${together}`);
    }
  }
  const predictor = await number(TAG.predictor, 1);
  checkPredictor(predictor, bits, format, name);
  const kinds = (await directory.numbers(TAG.extraSamples)) ?? [];
  const main =
    photometric === PHOTOMETRIC.rgb || photometric === PHOTOMETRIC.ycbcr ? 3 : photometric === PHOTOMETRIC.cmyk ? 4 : 1;
  const alphaAt = kinds.findIndex((kind) => ALPHAS.includes(kind));
  // Bands that ExtraSamples does not list are no transparency, except the fourth band of old RGBA files.
  const alpha =
    alphaAt >= 0 ? samples - kinds.length + alphaAt : kinds.length === 0 && main === 3 && samples === 4 ? 3 : -1;
  const nodataText = (await directory.text(TAG.gdalNodata)).trim();
  const nodata = nodataText === "" ? Number.NaN : Number(nodataText);
  return {
    directory,
    width,
    height,
    samples,
    bits,
    format,
    photometric,
    alpha,
    planar,
    compression,
    predictor,
    extra: Math.max(0, samples - main - (alpha >= 0 ? 1 : 0)),
    little: directory.little,
    reversed: (await number(TAG.fillOrder, 1)) === 2,
    ...(await chunksOf(directory, { width, height, samples, bits, planar, compression }, directory.fileSize, name)),
    jpegTables: compression === COMPRESSION.jpeg ? await directory.bytes(TAG.jpegTables) : undefined,
    lerc: await directory.numbers(TAG.lercParameters),
    palette: photometric === PHOTOMETRIC.palette ? await directory.numbers(TAG.colorMap) : undefined,
    orientation: await number(TAG.orientation, 1),
    nodata: Number.isFinite(nodata) ? nodata : undefined,
  };
}

function formatOf(formats: readonly number[] | undefined, bits: number, name: string): SampleFormat {
  const [code = 1] = formats ?? [];
  const convert = "convert it to 32-bit floats or integers";
  if (code === 5 || code === 6)
    throw new FileError(`Expected ${name} to hold real numbers, got complex ones; ${convert}.`);
  if (code === 3) {
    if ([16, 32, 64].includes(bits)) return "float";
    throw new FileError(`Expected ${name} to hold floats of 16, 32 or 64 bits, got ${bits}; ${convert}.`);
  }
  if (!(bits >= 1 && (bits <= 32 || bits === 64))) {
    throw new FileError(`Expected ${name} to hold samples of 1 to 32 or 64 bits, got ${bits ?? "none"}; ${convert}.`);
  }
  return code === 2 ? "int" : "uint";
}

function checkPredictor(predictor: number, bits: number, format: SampleFormat, name: string): void {
  if (predictor === 1) return;
  if (predictor === 2 && [8, 16, 32, 64].includes(bits)) return;
  if (predictor === 3 && format === "float") return;
  throw new FileError(
    `Expected ${name} to have a predictor that fits its samples, got ${predictor} for ${bits} bits; convert it, for example by gdal_translate -co PREDICTOR=1.`,
  );
}

type Chunks = Pick<Page, "tiled" | "chunkWidth" | "chunkHeight" | "across" | "down" | "offsets" | "counts">;

/** The places of the strips or tiles. */
async function chunksOf(
  directory: Directory,
  page: Pick<Page, "width" | "height" | "samples" | "bits" | "planar" | "compression">,
  fileSize: number,
  name: string,
): Promise<Chunks> {
  const { width, height, samples, bits, planar, compression } = page;
  // Some files store tiles under the tags of strips.
  const tiled = directory.has(TAG.tileWidth);
  if (!tiled && (directory.has(TAG.tileLength) || directory.has(TAG.tileOffsets))) {
    throw new FileError(`Expected ${name} to tell the width of its tiles, but it does not: it is damaged.`);
  }
  const rowsPerStrip = await directory.number(TAG.rowsPerStrip, height);
  const chunkWidth = tiled ? await directory.number(TAG.tileWidth, 0) : width;
  const chunkHeight = tiled ? await directory.number(TAG.tileLength, 0) : Math.min(height, rowsPerStrip || height);
  if (!(chunkWidth > 0 && chunkHeight > 0)) {
    throw new FileError(`Expected ${name} to have tiles with pixels in them, got ${chunkWidth} x ${chunkHeight}.`);
  }
  const [across, down] = [Math.ceil(width / chunkWidth), Math.ceil(height / chunkHeight)];
  const wanted = across * down * (planar ? samples : 1);
  const offsets = (await directory.numbers(TAG.tileOffsets)) ?? (await directory.numbers(TAG.stripOffsets)) ?? [];
  let counts = (await directory.numbers(TAG.tileByteCounts)) ?? (await directory.numbers(TAG.stripByteCounts)) ?? [];
  if (offsets.length < wanted) {
    throw new FileError(
      `Expected ${name} to have ${wanted} ${tiled ? "tiles" : "strips"}, got ${offsets.length}: it is damaged or cut off.`,
    );
  }
  if (counts.length > 0 && counts.length < wanted) {
    throw new FileError(
      `Expected ${name} to tell the lengths of ${wanted} ${tiled ? "tiles" : "strips"}, got ${counts.length}: it is damaged or cut off.`,
    );
  }
  if (counts.length === 0 || (compression === COMPRESSION.none && counts.every((count) => count === 0))) {
    // Old writers leave the lengths out.
    const rowBytes = Math.ceil((chunkWidth * (planar ? 1 : samples) * bits) / 8);
    counts = offsets.map((offset, i) => {
      const row = i % (across * down);
      const rows = tiled ? chunkHeight : Math.min(chunkHeight, height - row * chunkHeight);
      return offset === 0
        ? 0
        : Math.min(compression === COMPRESSION.none ? rowBytes * rows : fileSize, fileSize - offset);
    });
  }
  return { tiled, chunkWidth, chunkHeight, across, down, offsets, counts };
}
