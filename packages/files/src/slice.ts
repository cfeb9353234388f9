// One slice of a volume as an image: for files that have no pages of their own, a page is a slice.

import type { Raster, Source } from "skerry";
import { defined } from "skerry/internal";
import { UsageError } from "./errors.js";
import { partOf, type Space } from "./space.js";

/** Pixels as readers give them. */
type Pixels = (Raster & { readonly channels?: number | undefined }) | Source;

/**
 * A slice of a volume, from 0. Its place is that of the slice.
 * @throws UsageError if the volume lacks it
 */
export function sliceOf<P extends Pixels>(
  pixels: P,
  space: Space,
  page: number,
  name: string,
): { pixels: P; space: Space } {
  const { width, height, depth = 1 } = pixels;
  if (page >= depth) throw new UsageError(`Expected --page to be from 0 to ${depth - 1} for ${name}, got ${page}.`);
  const part = partOf(space, [0, 0, page], { width, height });
  const taken = defined({ ...part.taken, page });
  const of = { ...part, axes: [...part.axes, { name: "page", size: depth }], taken } as Space;
  const { spacing: _, ...flat } = pixels as P & { spacing?: unknown };
  if ("data" in pixels) {
    const values = width * height * (pixels.channels ?? 1);
    const data = pixels.data.subarray(page * values, (page + 1) * values);
    return { pixels: { ...flat, depth: 1, data } as unknown as P, space: of };
  }
  const all: Source = pixels;
  const read: Source["read"] = (_z0, _z1, y0, y1, into, call) => all.read(page, page + 1, y0, y1, into, call);
  return { pixels: { ...flat, depth: 1, read } as unknown as P, space: of };
}
