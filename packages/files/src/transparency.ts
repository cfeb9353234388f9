// Transparency of pictures: what is left of the colours where alpha is dropped, composed on a colour, or kept. A pixel of alpha 0 has
// no colour that anyone sees; where colours are compared, all such pixels are equal.

import type { PixelArray, Raster } from "skerry";
import { ARRAYS, typeOfArray } from "./bytes.js";

/** How a reader treats transparency. */
export interface TransparencyOptions {
  /** `kept`: RGBA where the file has transparency; `seen`: RGBA only if a pixel is transparent. Colours under alpha 0 are then 0. */
  readonly alpha?: "kept" | "seen" | undefined;
  /** The colour that is seen through transparent pixels, 0 to 255 per channel; alpha is then dropped. */
  readonly matte?: readonly number[] | undefined;
}

/** An RGBA raster of a file, and whether its colours are grey. */
export interface Transparent {
  readonly raster: Raster & { channels: number };
  readonly isGrey: boolean;
}

/** Alpha of an opaque pixel: the largest value of the type, 1 of floats. */
function opaqueOf(data: PixelArray): number {
  return data instanceof Float32Array ? 1 : 2 ** (8 * data.BYTES_PER_ELEMENT) - 1;
}

/** Number of pixels of RGBA values that are not opaque. O(pixels). */
export function transparentPixels(data: PixelArray): number {
  const opaque = opaqueOf(data);
  let count = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== opaque) count++;
  return count;
}

/** RGBA values whose colours under alpha 0 are 0: the same array if they are so already. */
export function seenColours<T extends PixelArray>(data: T): T {
  let seen = data;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 0 || (data[at] === 0 && data[at + 1] === 0 && data[at + 2] === 0)) continue;
    if (seen === data) seen = data.slice() as T;
    seen.fill(0, at, at + 3);
  }
  return seen;
}

/** Colours without alpha: one channel of grey ones, else three. */
export function withoutAlpha({ raster, isGrey }: Transparent): Raster & { channels: number } {
  const { data } = raster;
  const channels = isGrey ? 1 : 3;
  const colours = new ARRAYS[typeOfArray(data)]((data.length / 4) * channels);
  for (let from = 0, at = 0; from < data.length; from += 4) {
    for (let c = 0; c < channels; c++) colours[at++] = data[from + c];
  }
  return { ...raster, data: colours, channels };
}

/** Colours over a matte, of one channel if both are grey: alpha * colour + (1 - alpha) * matte, rounded to the nearest integer. */
export function composed({ raster, isGrey }: Transparent, matte: readonly number[]): Raster & { channels: number } {
  const { data } = raster;
  const opaque = opaqueOf(data);
  const grey = isGrey && matte.every((value) => value === matte[0]);
  const channels = grey ? 1 : 3;
  const below = matte.map((value) => (value / 255) * opaque);
  const isWhole = !(data instanceof Float32Array);
  const colours = new ARRAYS[typeOfArray(data)]((data.length / 4) * channels);
  for (let from = 0, at = 0; from < data.length; from += 4) {
    const part = data[from + 3] / opaque;
    for (let c = 0; c < channels; c++) {
      const value = data[from + c] * part + below[c] * (1 - part);
      colours[at++] = isWhole ? Math.round(value) : value;
    }
  }
  return { ...raster, data: colours, channels };
}

/** A note on the colours that count where alpha is left out; undefined if all pixels of RGBA values are opaque. */
export function transparencyNote(name: string, data: PixelArray): string | undefined {
  const count = transparentPixels(data);
  if (count === 0) return undefined;
  const text =
    count === 1
      ? "1 pixel is transparent, in part or wholly, and counts with the colour stored under it"
      : `${count} pixels are transparent, in part or wholly, and count with the colours stored under them`;
  return `${name}: ${text} (--matte COLOUR lays them on a colour, --channel alpha takes the transparency)`;
}

/** The pixels of a file with transparency as options ask for them; a note tells of transparency that is left out. */
export function asWanted(
  transparent: Transparent,
  { alpha, matte }: TransparencyOptions,
  name: string,
  notes: string[],
): Raster & { channels: number } {
  const { raster } = transparent;
  if (matte) return composed(transparent, matte);
  if (alpha === "kept") return { ...raster, data: seenColours(raster.data) };
  const note = transparencyNote(name, raster.data);
  if (note !== undefined && alpha === "seen") return { ...raster, data: seenColours(raster.data) };
  if (note !== undefined) notes.push(note);
  return withoutAlpha(transparent);
}
