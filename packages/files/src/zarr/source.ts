// Opens sources over images in Zarr. rows.ts reads their chunks.

import { UsageError } from "../errors.js";
import { type OpenedImage, openImage } from "./open.js";
import { type Bounds, Rows, type ZarrSource } from "./rows.js";
import { type Selected, selectOf, type ZarrBox, type ZarrSourceOptions } from "./select.js";
import { openStore } from "./store/open.js";

/**
 * Opens an image in Zarr as a Source for every call that takes one. Runs in Node.
 *
 * Chunks are decoded in worker threads, ahead of the rows that are read. Each chunk is read once if rows are read in order, as
 * calls do; automatic thresholds read the image once more. Memory: one row of chunks, and up to `memory` to decode ahead.
 *
 * @param url a folder, or a URL of http, https or s3: an image of OME-Zarr (0.1 to 0.6), a label image in one, or an array of Zarr 2 or 3
 * @throws ZarrError if there is no image, if it is damaged or refused, or has a type, codec or axis that is not supported
 * @throws UsageError if it has several channels or times and none is chosen, or if a row of chunks does not fit `memory`
 * @example
 * const source = await zarrSource("cells.zarr", { channel: 0 });
 * const engine = await open();
 * const cells = await engine.components(source, { threshold: { above: 120 }, connectivity: 26 });
 * console.log(`${cells.count} cells in ${source.width} x ${source.height} x ${source.depth}`);
 */
export async function zarrSource(url: string, options: ZarrSourceOptions = {}): Promise<ZarrSource> {
  const image = await openImage(openStore(url, options.http), { signal: options.signal });
  return sourceOf(image, options);
}

/**
 * A Source over an image that is open already.
 * @throws UsageError, ZarrError as {@link zarrSource}
 */
export async function sourceOf(image: OpenedImage, options: ZarrSourceOptions = {}): Promise<ZarrSource> {
  const { level = 0, box } = options;
  const array = await image.array(level, { signal: options.signal });
  const selected = selectOf(image, array, options);
  const bounds = boundsOf(selected, box, image.store.url);
  const source = new Rows(image, array, level, selected, bounds, options);
  source.checkMemory();
  const isBig = array.dataType === "uint64" || array.dataType === "int64";
  if (options.ids && isBig) await source.listIds();
  return source;
}

function boundsOf({ width, height, depth }: Selected, box: ZarrBox | undefined, shown: string): Bounds {
  if (!box) return { from: [0, 0, 0], to: [depth, height, width] };
  const { x, y, z = 0, depth: slices = depth === 1 ? 1 : depth - z } = box;
  const from = [z, y, x] as const;
  const to = [z + slices, y + box.height, x + box.width] as const;
  const size = [depth, height, width];
  const holds = from.every(
    (at, i) => Number.isInteger(at) && at >= 0 && Number.isInteger(to[i]) && to[i] > at && to[i] <= size[i],
  );
  if (holds) return { from, to };
  const sides = depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
  throw new UsageError(
    `Expected a box inside ${shown}, which has ${sides} pixels, got ${[x, y, z, box.width, box.height, slices].join(",")}.`,
  );
}
