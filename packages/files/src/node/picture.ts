// An open picture or volume, the options that open it, and its rows: in bands, or all of them in memory.

import type { PixelArray, PixelType, Progress, Raster, Source } from "skerry";
import { defined } from "skerry/internal";
import { ARRAYS, type Size, type StoredType } from "../bytes.js";
import type { Annotation } from "../drawable.js";
import { UsageError } from "../errors.js";
import type { NpyOptions } from "../formats/npy.js";
import type { Selection } from "../formats/tiff/read.js";
import type { Ids } from "../integers.js";
import type { Space } from "../space.js";
import type { TransparencyOptions } from "../transparency.js";
import { mostBytes, tooLarge } from "./memory-limit.js";

/** Contents of a file, in words of its format. */
export interface About {
  /** PNG, TIFF, NIfTI-1 and others. */
  readonly format: string;
  /** The type of stored values, such as uint16 or 1 bit. */
  readonly stored?: string | undefined;
  /** Values of a pixel. */
  readonly channels?: number | undefined;
  readonly compression?: string | undefined;
  /** Colours of the palette. */
  readonly palette?: number | undefined;
  /** Whether the file has transparency. */
  readonly alpha?: boolean | undefined;
}

/** An input: pixels in memory, or a Source over a file. */
export interface Picture {
  /** Its name on the command line. */
  readonly input: string;
  /** For `{name}`: the file's name without folder and ending. */
  readonly name: string;
  readonly pixels: (Raster & { channels: number }) | Source;
  /** Contents of the file, whatever is taken of it. */
  readonly about: About;
  /** Notes for the user on how the input was read; complete once all of it was read. */
  notes(): readonly string[];
  /** Facts that its reader knows beside the pixels: sides of a pixel, their unit, the place, and what was taken of the file. */
  readonly space: Space;
  /** Ids of 64 bits in ascending order, of which the pixels hold the numbers, from 1; undefined if pixels are what the file holds. */
  readonly ids?: Ids | undefined;
  /** The file name of the picture that masks are of; undefined if their file tells none, and for pictures. */
  readonly image?: string | undefined;
  /** Names and scores of the masks of a file, by their values in a label image; undefined if the file tells none. */
  readonly annotations?: ReadonlyMap<number, Annotation> | undefined;
  /** Closes the file. */
  close(): Promise<void>;
}

/** The layout of a file without a header: little-endian values, x fastest. */
export interface RawLayout extends Size {
  readonly type: StoredType;
}

/** Options of reading. With `raw`, the file holds only values. */
export interface PictureOptions extends Selection, TransparencyOptions {
  /** The order of the axes of a .npy file; by default its shape decides. */
  readonly axes?: NpyOptions["axes"];
  /** Whether the picture is a label image, which has no colours. */
  readonly labels?: boolean | undefined;
  /** Whether integers beyond 32 bits are ids, of which pixels hold the numbers. */
  readonly ids?: boolean | undefined;
  readonly raw?: RawLayout | undefined;
  /** The stack of a folder of DICOM slices, from 0. */
  readonly stack?: number | undefined;
  /** DICOM slices whose steps differ lie at the mean step. */
  readonly allowGaps?: boolean | undefined;
  /** Pictures of a folder are slices of a volume. */
  readonly volume?: boolean | undefined;
  /** A packed volume is unpacked to a temporary file instead of memory. */
  readonly spill?: boolean;
  /** Whether many pictures follow, so that sharp's threads are worth the time that its library takes to load. */
  readonly sharpPays?: boolean;
}

/** The size of an input; the depth is 1 by default. */
export function sizeOf({ pixels: { width, height, depth = 1 } }: Pick<Picture, "pixels">): Size {
  return { width, height, depth };
}

/** Values that are read from a file at a time. */
const BAND_VALUES = 2 ** 20;

/**
 * Calls `visit` with bands of rows, counted through all slices, until it returns false. Rows of a file are read into `whole`,
 * which then holds the picture, or into an array that is reused.
 */
export async function eachBand(
  picture: Pick<Picture, "pixels">,
  visit: (rows: PixelArray, y0: number, y1: number) => boolean,
  complete?: PixelArray,
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
  const band = complete ?? new ARRAYS[pixels.type](slices * rows * rowValues);
  for (let z = 0; z < depth; z += slices) {
    const end = Math.min(depth, z + slices);
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const from = z * height + y0;
      const to = from + (end - z) * (y1 - y0);
      const at = complete ? from * rowValues : 0;
      const part = band.subarray(at, at + (to - from) * rowValues) as PixelArray;
      await pixels.read(z, end, y0, y1, part, {});
      if (!visit(part, from, to)) return;
    }
  }
}

/**
 * Reads the whole picture into an array from `make`.
 * @throws FileError if it does not fit the memory limit
 * @throws UsageError for anything but a picture
 * @example
 * import { openPicture, rasterOf } from "@skerry/files/node";
 * const picture = await openPicture("dem.tif");
 * const raster = await rasterOf(picture);
 * await picture.close();
 */
export async function rasterOf(
  picture: Pick<Picture, "pixels"> & Partial<Pick<Picture, "input">>,
  make: (type: PixelType, length: number) => PixelArray = (type, length) => new ARRAYS[type](length),
  onProgress?: (progress: Progress) => void,
): Promise<Raster & { channels: number }> {
  const { pixels } = Object(picture) as typeof picture;
  if (!pixels) throw new UsageError("Expected a picture, as openPicture() gives it, got something else.");
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
      onProgress?.({ stage: "read", done, total, fraction: done / total });
      return true;
    },
    data,
  );
  return defined({ data, ...size, channels, spacing, nodata });
}
