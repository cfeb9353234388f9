// Lines and strokes on the pixel grid, for corrections by hand: the pixels of a line, and the intervals of rows that a stroke of a
// radius covers. Integers throughout, so that every partition and every page draws the same pixels.

import type { Place } from "../types/raster.js";

/**
 * The pixels of a line through places, x and y one after another. Each step goes one pixel along x or along y, whichever side of the next
 * pixel the exact line crosses first, and along y if it meets the corner. Eight-connected objects cannot pass between its pixels.
 *
 * From (0, 0) to (3, 1) it crosses x = 0.5, then y and x = 1.5 in one corner, then x = 2.5: 0,0  1,0  1,1  2,1  3,1.
 */
export function linePixels(places: readonly Place[]): Int32Array {
  let steps = 1;
  for (let i = 1; i < places.length; i++) {
    steps += Math.abs(places[i][0] - places[i - 1][0]) + Math.abs(places[i][1] - places[i - 1][1]);
  }
  const pixels = new Int32Array(steps * 2);
  let [x, y] = places[0];
  pixels[0] = x;
  pixels[1] = y;
  let at = 2;
  for (let i = 1; i < places.length; i++) {
    const [dx, dy] = [Math.abs(places[i][0] - x), Math.abs(places[i][1] - y)];
    const [sx, sy] = [Math.sign(places[i][0] - x), Math.sign(places[i][1] - y)];
    for (let ix = 0, iy = 0; ix < dx || iy < dy; ) {
      // The sides are crossed at (ix + 1/2) / dx and (iy + 1/2) / dy of the way.
      if ((1 + 2 * ix) * dy < (1 + 2 * iy) * dx) {
        x += sx;
        ix++;
      } else {
        y += sy;
        iy++;
      }
      pixels[at++] = x;
      pixels[at++] = y;
    }
  }
  return pixels;
}

/** Intervals of one row: begin, end, begin, end ..., ascending, that neither overlap nor touch. */
export interface StrokeRow {
  readonly y: number;
  readonly spans: readonly number[];
}

/** The rows of all pixels inside an image that are at most `radius` from a pixel of a line, from the top. */
export function strokeRows(line: Int32Array, radius: number, width: number, height: number): StrokeRow[] {
  const reach = Math.floor(radius);
  // Half the width of the disc, by the distance of the row from its middle.
  const halves = Array.from({ length: reach + 1 }, (_, dy) => Math.floor(Math.sqrt(radius * radius - dy * dy)));
  // wide: at most MOST_ROWS
  const rows = new Map<number, number[]>();
  for (let i = 0; i < line.length; i += 2) {
    const [x, y] = [line[i], line[i + 1]];
    for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++) {
      const half = halves[Math.abs(row - y)];
      const [begin, end] = [Math.max(0, x - half), Math.min(width, x + half + 1)];
      const spans = rows.get(row);
      if (!spans) rows.set(row, [begin, end]);
      // The line moves by one pixel, so a span mostly overlaps the one before it.
      else if (begin <= spans[spans.length - 1] && end >= spans[spans.length - 2]) {
        spans[spans.length - 2] = Math.min(begin, spans[spans.length - 2]);
        spans[spans.length - 1] = Math.max(end, spans[spans.length - 1]);
      } else spans.push(begin, end);
    }
  }
  return [...rows].sort(([a], [b]) => a - b).map(([y, spans]) => ({ y, spans: united(spans) }));
}

/** Intervals in ascending order, with those that overlap or touch united. */
function united(spans: readonly number[]): number[] {
  if (spans.length === 2) return [...spans];
  const pairs = Array.from({ length: spans.length / 2 }, (_, i) => [spans[2 * i], spans[2 * i + 1]]);
  pairs.sort(([a], [b]) => a - b);
  const out: number[] = [];
  for (const [begin, end] of pairs) {
    if (out.length > 0 && begin <= out[out.length - 1]) out[out.length - 1] = Math.max(end, out[out.length - 1]);
    else out.push(begin, end);
  }
  return out;
}
