// The colours of objects: the same in pictures, on the page and in its shader.

import type { Runs } from "skerry";

/** Opacity of an object's colour over the image. */
const OPACITY = 0.6;

/** Number of colours before they repeat. Hues are a golden angle apart, in three brightnesses in turn, so near labels differ. */
export const COLOURS = 4096;
const GOLDEN_ANGLE = 137.50776405003785;

/**
 * The colours of objects: red, green, blue, red, ... Label L has colour L % 4096.
 * @example
 * import { palette } from "@skerry/files";
 * console.log(palette().length); // 12288, of 4096 colours
 */
export function palette(): Uint8Array {
  const colours = new Uint8Array(COLOURS * 3);
  for (let i = 0; i < COLOURS; i++) {
    const hue = (i * GOLDEN_ANGLE) % 360;
    const [saturation, value] = [
      [0.95, 1],
      [0.65, 0.95],
      [1, 0.72],
    ][i % 3] as [number, number];
    for (let c = 0; c < 3; c++) {
      const k = [5, 3, 1][c] + hue / 60;
      const part = Math.max(0, Math.min(k % 6, 4 - (k % 6), 1));
      colours[i * 3 + c] = Math.round(255 * value * (1 - saturation * part));
    }
  }
  return colours;
}

/** A colour as CSS writes it, as in #0080ff. */
export const hexOf = (rgb: readonly number[]): string =>
  `#${rgb.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/**
 * The colour of an object out of a list that repeats, as that of {@link palette}: 0 to 255 per channel.
 * @example
 * import { objectColour, palette } from "@skerry/files";
 * const [red, green, blue] = objectColour(palette(), 1);
 * console.log(red, green, blue);
 */
export function objectColour(colours: Uint8Array, label: number): [red: number, green: number, blue: number] {
  const at = 3 * (label % (colours.length / 3));
  return [colours[at], colours[at + 1], colours[at + 2]];
}

/** Blends the colour of an object, out of a list that repeats, over the pixel at `rgb[at]`, with opacity 0.6. */
export function cover(rgb: Uint8Array, at: number, colours: Uint8Array, label: number): void {
  const colour = 3 * (label % (colours.length / 3));
  for (let c = 0; c < 3; c++) {
    rgb[at + c] = rgb[at + c] * (1 - OPACITY) + colours[colour + c] * OPACITY;
  }
}

/** Blends each object of an image with its colour, out of {@link palette} by default; `rgb` holds red, green and blue of every pixel. */
export function coverRuns(
  rgb: Uint8Array,
  { count, row, begin, end, label, width }: Pick<Runs, "count" | "row" | "begin" | "end" | "label" | "width">,
  colours = palette(),
): void {
  for (let i = 0; i < count; i++) {
    const from = row[i] * width + begin[i];
    const to = row[i] * width + end[i];
    for (let at = from; at < to; at++) cover(rgb, at * 3, colours, label[i]);
  }
}
