// Flood fill in an image in Zarr by its address, in Node. fill.ts fills images that are open, also where there is no Node.

import type { Engine } from "skerry";
import { fillChunks, type ZarrFilled, type ZarrFillOptions } from "./fill.js";
import { openImage } from "./open.js";
import { sharedPool } from "./pool.js";
import { openStore } from "./store/open.js";

/**
 * Fills from seeds, and reads only the chunks that the fill reaches. Runs in Node.
 *
 * The result is that of `engine.fill()` with the same options, but in images of any size. A chunk is read once for each
 * seed that reaches it. Memory: the runs of pixels that match, 16 bytes each, in chunks that were reached, and the components on their sides.
 *
 * @param engine labels the pixels of chunks
 * @param url a folder, or a URL of http, https or s3
 * @throws UsageError for a floating range with several channels, a tolerance that is not one number, or another metric than linf
 * @throws ZarrError if a chunk cannot be read
 * @example
 * const filled = await zarrFill(engine, "cells.zarr", { seeds: [[40, 30, 10]], tolerance: 12, connectivity: 26 });
 * console.log(`${filled.foreground} voxels, ${filled.chunksRead} of ${filled.chunkCount} chunks read`);
 */
export async function zarrFill(engine: Engine, url: string, options: ZarrFillOptions): Promise<ZarrFilled> {
  const image = await openImage(openStore(url, options.http), { signal: options.signal });
  return fillChunks(engine, { image, pool: sharedPool() }, options);
}
