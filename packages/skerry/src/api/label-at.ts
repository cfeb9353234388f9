// The label of a pixel from the run table alone, e.g. for pointer events, which cannot wait for the engine.

import { show, unexpected } from "../options/arguments.js";
import { InvalidArgument } from "../types/errors.js";
import type { Runs } from "../types/labels.js";

/**
 * Returns the label of a pixel, in O(log runs of the row) and without the engine. Background and pixels outside are 0; places
 * between pixels, as pointers have them, are in the pixel around them. In a volume `z` is the slice.
 *
 * @throws InvalidArgument for a table that is grouped by label, and for places that are no numbers
 *
 * @example
 * const runs = await blobs.runs();
 * canvas.onpointermove = ({ offsetX, offsetY }) => show(labelAt(runs, offsetX, offsetY));
 */
export function labelAt(runs: Runs, x: number, y: number, z = 0): number {
  const { rows, begin, end, label, width, height, depth } = Object(runs) as Runs;
  if (!rows)
    throw new InvalidArgument(
      `Expected runs in raster order, as runs() gives them, got ${show(runs)}${Object.hasOwn(Object(runs), "offsets") ? " grouped by label" : ""}.`,
      { argument: "runs" },
    );
  for (const [name, value] of Object.entries({ x, y, z })) {
    if (typeof value !== "number" || Number.isNaN(value)) throw unexpected(name, "a number", value);
  }
  if (!(x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth)) return 0;
  const row = Math.floor(z) * height + Math.floor(y);
  let low = rows[row];
  let high = rows[row + 1];
  // The last run that begins at x or before it.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (begin[middle] <= x) low = middle + 1;
    else high = middle;
  }
  const found = low - 1;
  return found >= rows[row] && x < end[found] ? label[found] : 0;
}
