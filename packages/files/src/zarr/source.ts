// Opens sources over images in Zarr. rows.ts reads their chunks.

import { type OpenedImage, openImage } from "./open.js";
import { sharedPool } from "./pool.js";
import type { ZarrSource } from "./rows.js";
import type { ZarrSourceOptions } from "./select.js";
import { sourceWith } from "./source-with.js";
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
export const sourceOf = (image: OpenedImage, options: ZarrSourceOptions = {}): Promise<ZarrSource> =>
  sourceWith(image, options, sharedPool());
