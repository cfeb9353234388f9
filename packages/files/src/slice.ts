// One slice of a volume as an image: for files that have no pages of their own, a page is a slice.

import type { Raster, Source } from "skerry";
import { UsageError } from "./errors.js";
import { partOf, type Space, sizesOf } from "./space.js";

/** Pixels as readers give them. */
type Pixels = (Raster & { readonly channels?: number | undefined }) | Source;

/**
 * The Space of a slice of a volume, from 0.
 * @throws UsageError if the volume lacks it
 */
export function spaceOfSlice(space: Space, page: number, name: string): Space {
  const [width, height, depth] = sizesOf(space);
  if (page >= depth) throw new UsageError(`Expected --page to be from 0 to ${depth - 1} for ${name}, got ${page}.`);
  const part = partOf(space, [0, 0, page], { width, height });
  return { ...part, axes: [...part.axes, { name: "page", size: depth }], taken: { ...part.taken, page } };
}

/** The pixels of a slice. */
export function pixelsOfSlice<P extends Pixels>(pixels: P, page: number): P {
  const { spacing: _, ...flat } = pixels as P & { spacing?: unknown };
  if ("data" in pixels) {
    const values = pixels.width * pixels.height * (pixels.channels ?? 1);
    const data = pixels.data.subarray(page * values, (page + 1) * values);
    return { ...flat, depth: 1, data } as unknown as P;
  }
  const all: Source = pixels;
  const read: Source["read"] = (_z0, _z1, y0, y1, into, call) => all.read(page, page + 1, y0, y1, into, call);
  return { ...flat, depth: 1, read } as unknown as P;
}
