// The colours of objects: the same in pictures, on the page and in its shader.

import type { Runs } from "skerry";

/** How much of an object's colour covers the image. */
const OPACITY = 0.6;

/** Colours before they repeat; hues a golden angle apart keep those of near labels apart, in three brightnesses in turn. */
export const COLOURS = 4096;
const GOLDEN_ANGLE = 137.50776405003785;

/** The colours of objects, red, green and blue by turns; label L has colour L % COLOURS. */
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

/** The colour of an object. */
export function objectColour(colours: Uint8Array, label: number): [red: number, green: number, blue: number] {
  const at = (label % COLOURS) * 3;
  return [colours[at], colours[at + 1], colours[at + 2]];
}

/** Covers the pixel at `at` of red, green and blue with the colour of its object. */
export function cover(rgb: Uint8Array, at: number, colours: Uint8Array, label: number): void {
  const colour = (label % COLOURS) * 3;
  for (let c = 0; c < 3; c++) {
    rgb[at + c] = rgb[at + c] * (1 - OPACITY) + colours[colour + c] * OPACITY;
  }
}

/** Covers each object of an image with its colour; `rgb` has red, green and blue of every pixel. */
export function coverRuns(
  rgb: Uint8Array,
  { count, row, begin, end, label, width }: Pick<Runs, "count" | "row" | "begin" | "end" | "label" | "width">,
): void {
  const colours = palette();
  for (let i = 0; i < count; i++) {
    const from = row[i] * width + begin[i];
    const to = row[i] * width + end[i];
    for (let at = from; at < to; at++) cover(rgb, at * 3, colours, label[i]);
  }
}
