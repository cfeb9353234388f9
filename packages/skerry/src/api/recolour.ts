// The picture of a segmentation: every pixel in its class's colour, on the host.

import { turn } from "#event-loop";
import { sizeText } from "../core/pixels.js";
import { show } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import { InvalidArgument } from "../types/errors.js";
import type { RecolourOptions, Segmentation } from "../types/kmeans.js";
import type { Raster } from "../types/raster.js";

/** The event loop has a turn after so many pixels. */
const PIXELS_PER_TURN = 1 << 20;

/**
 * Paints every pixel of a segmentation in the colour of its class, as a new raster of 1 or 3 channels like the palette.
 * With `alpha` it is RGBA. If pixels have no class it is RGBA by default, and those pixels are transparent black.
 *
 * O(pixels). Rejects with InvalidArgument for anything but a segmentation.
 *
 * @example
 * import { open, recolour } from "skerry";
 * const engine = await open();
 * const photo = { data: new Uint8Array([9, 8, 200, 7]), width: 4, height: 1 };
 * console.log((await recolour(await engine.kmeans(photo, { k: 2 }))).data); // 8 8 200 8
 */
export async function recolour(segmentation: Segmentation, options: RecolourOptions = {}): Promise<Raster> {
  const { data, palette, k, transparent, width, height, depth = 1, spacing } = Object(segmentation) as Segmentation;
  if (!(data instanceof Uint8Array) || !(palette instanceof Uint8Array) || data.length !== width * height * depth) {
    const size =
      data instanceof Uint8Array ? ` of ${sizeText({ width, height, depth })} with ${data.length} pixels` : "";
    throw new InvalidArgument(`Expected a segmentation that kmeans made, got something else${size}.`, {
      argument: "segmentation",
    });
  }
  checkOptions("recolour", options);
  const shown = k > 0 ? palette.length / k : 3;
  if (!Number.isInteger(k) || k < 0 || k > 256 || (shown !== 1 && shown !== 3)) {
    throw new InvalidArgument(
      `Expected a segmentation of 0 to 256 classes with a colour each, got k ${show(k)} and ${palette.length} bytes of palette.`,
      { argument: "segmentation" },
    );
  }
  const channels = (options.alpha ?? transparent > 0) ? 4 : shown;
  const colours = new Uint8Array(256 * channels);
  for (let i = 0; i < k; i++) {
    const colour = palette.subarray(i * shown, (i + 1) * shown);
    if (channels === 4) colours.set(shown === 1 ? [0, 0, 0].fill(colour[0]) : colour, i * 4);
    else colours.set(colour, i * channels);
    if (channels === 4) colours[i * 4 + 3] = 255;
  }
  const out = new Uint8Array(data.length * channels);
  for (let from = 0; from < data.length; from += PIXELS_PER_TURN) {
    if (from > 0) await turn();
    const end = Math.min(data.length, from + PIXELS_PER_TURN);
    for (let i = from, to = from * channels; i < end; i++) {
      const at = data[i] * channels;
      for (let c = 0; c < channels; c++) out[to++] = colours[at + c];
    }
  }
  return { data: out, width, height, depth, channels, spacing };
}
