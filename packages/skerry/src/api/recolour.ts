// The picture of a segmentation: every pixel in its class's colour, on the calling thread.

import { turn } from "#event-loop";
import { checkOptions } from "../options/names.js";
import { planRecolour } from "../options/paint.js";
import type { RecolourOptions, Segmentation } from "../types/kmeans.js";
import type { Raster } from "../types/raster.js";

/** Pixels between two turns of the event loop. */
const PIXELS_PER_TURN = 1 << 20;

/**
 * Paints every pixel of a segmentation in the colour of its class, as a new raster of 1 or 3 channels like the palette.
 * With `alpha` it is RGBA. If pixels have no class it is RGBA by default, and those pixels are transparent black.
 *
 * O(pixels), on the calling thread, with a turn of the event loop every 2^20 pixels; `engine.recolour()` paints in the workers.
 * Rejects with InvalidArgument for anything but a segmentation, and with the signal's reason when aborted.
 *
 * @example
 * import { open, recolour } from "skerry";
 * const engine = await open();
 * const photo = { data: new Uint8Array([9, 8, 200, 7]), width: 4, height: 1 };
 * console.log((await recolour(await engine.kmeans(photo, { k: 2 }))).data); // 8 8 200 8
 */
export async function recolour(segmentation: Segmentation, options: RecolourOptions = {}): Promise<Raster> {
  checkOptions("recolour", options);
  const { channels, colours } = planRecolour(segmentation, options);
  const { data, width, height, depth, spacing } = segmentation;
  const out = new Uint8Array(data.length * channels);
  for (let from = 0; from < data.length; from += PIXELS_PER_TURN) {
    if (from > 0) await turn();
    options.signal?.throwIfAborted();
    const end = Math.min(data.length, from + PIXELS_PER_TURN);
    for (let i = from, to = from * channels; i < end; i++) {
      const at = data[i] * 4;
      for (let c = 0; c < channels; c++) out[to++] = colours[at + c];
    }
    options.onProgress?.({ stage: "paint", done: end, total: data.length, fraction: end / data.length });
  }
  return { data: out, width, height, depth, channels, spacing };
}
