// The slices through the middle of a volume, across z, y and x, as pictures show them: side by side, in the proportions that
// the spacing gives them. An image is its only slice.

import type { Size } from "../bytes.js";

/** A slice: its columns and rows, and the width and height of a pixel in units of the spacing. */
export interface Panel {
  readonly columns: number;
  readonly rows: number;
  readonly across: number;
  readonly down: number;
}

/** The drawn size of a slice, in pixels of the picture. */
export interface Side {
  readonly width: number;
  readonly height: number;
}

/** The panels of a picture: three slices through the middle of a volume, across z, y and x, or the image itself. */
export function panelsOf({ width, height, depth }: Size, spacing: readonly number[]): Panel[] {
  const [x, y, z] = spacing as [number, number, number];
  const front = { columns: width, rows: height, across: x, down: y };
  if (depth === 1) return [front];
  return [
    front,
    { columns: width, rows: depth, across: x, down: z },
    { columns: height, rows: depth, across: y, down: z },
  ];
}

/**
 * Calls `put` for each pixel of a row that lies in a panel, with the number of the panel, the pixel's index there, and its x.
 * `row` counts through all slices.
 */
export function eachPlace(
  { width, height, depth }: Size,
  row: number,
  put: (panel: number, at: number, x: number) => void,
): void {
  const [y, z] = [row % height, Math.floor(row / height)];
  if (z === depth >> 1) for (let x = 0; x < width; x++) put(0, y * width + x, x);
  if (depth === 1) return;
  if (y === height >> 1) for (let x = 0; x < width; x++) put(1, z * width + x, x);
  put(2, z * height + y, width >> 1);
}

/** The size of each panel in pixels of the picture: the shortest side of a voxel is drawn as one pixel. */
export function sidesOf(panels: readonly Panel[]): Side[] {
  const unit = Math.min(...panels.flatMap(({ across, down }) => [across, down]));
  return panels.map(({ columns, rows, across, down }) => ({
    width: Math.max(1, Math.round((columns * across) / unit)),
    height: Math.max(1, Math.round((rows * down) / unit)),
  }));
}

/** The index, in a panel, of the pixel that is drawn at (x, y). With `upright` the last row is at the top. */
export function placeAt({ columns, rows }: Panel, side: Side, x: number, y: number, upright: boolean): number {
  const line = Math.min(rows - 1, Math.floor(((y + 0.5) * rows) / side.height));
  const row = upright ? rows - 1 - line : line;
  return row * columns + Math.min(columns - 1, Math.floor(((x + 0.5) * columns) / side.width));
}
