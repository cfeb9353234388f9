// A picture or a volume that was opened, how it was asked for, and its rows: as they come, or all of them in memory.

import type { PixelArray, PixelType, Progress, Raster, Source } from "skerry";
import { ARRAYS, type Size, type StoredType } from "../bytes.js";
import type { Selection } from "../formats/tiff/read.js";
import type { Calibration } from "../formats/tiff/series.js";
import type { Place } from "../layout.js";
import { mostBytes, tooLarge } from "./memory-limit.js";

/** An input: pixels in memory, or a Source over a file. */
export interface Picture {
  /** As it was named on the command line. */
  readonly input: string;
  /** For `{name}`: the file's name without folder and ending. */
  readonly name: string;
  readonly pixels: (Raster & { channels: number }) | Source;
  /** Notes for the user on how the input was read; complete once all of it was read. */
  notes(): readonly string[];
  /** Whether the pixels are the channel that was asked for, so that nobody has to take it. */
  readonly taken?: boolean | undefined;
  /** Its place, and the size of a pixel, as the file tells. */
  readonly place: Place;
  /** Size of a pixel as printers understand it, which few mean. */
  readonly resolution?: Calibration | undefined;
  /** Closes the file. */
  close(): Promise<void>;
}

/** How values of a file without a header lie: the lower byte first, x fastest. */
export interface RawLayout extends Size {
  readonly type: StoredType;
}

/** How to read: with `alpha` pictures that have transparency come as RGBA; with `raw` the file is nothing but values. */
export interface PictureOptions extends Selection {
  readonly raw?: RawLayout | undefined;
  /** Pictures of a folder are slices of a volume. */
  readonly volume?: boolean | undefined;
  /** A packed volume is unpacked to a temporary file instead of memory. */
  readonly spill?: boolean;
  /** Many pictures are to come, so that sharp's threads are worth the time its library takes to load. */
  readonly sharpPays?: boolean;
}

/** Sides of an input, its depth 1 by default. */
export function sizeOf({ pixels: { width, height, depth = 1 } }: Pick<Picture, "pixels">): Size {
  return { width, height, depth };
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
  const rowValues = width * (pixels.channels ?? 1);
  const slices = Math.min(depth, Math.max(1, Math.floor(BAND_VALUES / (rowValues * height))));
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_VALUES / rowValues)));
  const band = whole ?? new ARRAYS[pixels.type](slices * rows * rowValues);
  for (let z = 0; z < depth; z += slices) {
    const end = Math.min(depth, z + slices);
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const from = z * height + y0;
      const to = from + (end - z) * (y1 - y0);
      const at = whole ? from * rowValues : 0;
      const part = band.subarray(at, at + (to - from) * rowValues) as PixelArray;
      await pixels.read(z, end, y0, y1, part, {});
      if (!visit(part, from, to)) return;
    }
  }
}

/** The whole picture in memory, in an array that `make` gives. */
export async function rasterOf(
  picture: Pick<Picture, "pixels"> & Partial<Pick<Picture, "input">>,
  make: (type: PixelType, length: number) => PixelArray = (type, length) => new ARRAYS[type](length),
  told?: (progress: Progress) => void,
): Promise<Raster & { channels: number }> {
  const { pixels } = picture;
  if ("data" in pixels) return pixels;
  const { type, spacing, nodata, channels = 1 } = pixels;
  const size = sizeOf(picture);
  const values = size.width * size.height * size.depth * channels;
  const decoded = values * ARRAYS[type].BYTES_PER_ELEMENT;
  if (decoded > mostBytes()) {
    const sides = `${size.width} x ${size.height}${size.depth > 1 ? ` x ${size.depth}` : ""} pixels, `;
    throw tooLarge(picture.input ?? "the picture", decoded, mostBytes(), sides);
  }
  const data = make(type, values);
  const total = size.height * size.depth;
  await eachBand(
    picture,
    (_rows, _from, done) => {
      told?.({ stage: "read", done, total, fraction: done / total });
      return true;
    },
    data,
  );
  return { data, ...size, channels, ...(spacing ? { spacing } : {}), ...(nodata === undefined ? {} : { nodata }) };
}
