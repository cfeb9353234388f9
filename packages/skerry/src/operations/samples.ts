// Samples of pixels, evenly spaced, from rows of an array, a Source or a resident image.

import { isGround, lumaOf, newSamples, type SampledAxis, type Samples, sampledAxes } from "../core/background.js";
import type { Call } from "../core/call.js";
import { type Bits, isInMask, type Pixels } from "../core/pixels.js";
import { hostRows } from "../core/sinks.js";
import type { Router } from "../device/router.js";
import { checkRaster, checkSource } from "../options/pixels.js";
import type { PixelArray, Raster, Source } from "../types/raster.js";

const placesOf = ({ first, step, count }: SampledAxis): number[] =>
  Array.from({ length: count }, (_, i) => first + i * step);

/** The rows of the samples one after another, each with its number across all slices. */
async function* rowsOf(
  router: Pick<Router, "rows">,
  pixels: Pixels,
  rows: readonly number[],
  call: Call,
): AsyncGenerator<readonly [row: number, data: PixelArray]> {
  const values = pixels.shape.width * pixels.shape.channels;
  const resident = pixels.kind === "image" ? await router.rows(pixels, rows, call) : undefined;
  for (const [i, row] of rows.entries()) {
    call.signal?.throwIfAborted();
    if (resident) yield [row, resident.subarray(i * values, (i + 1) * values) as PixelArray];
    else if (pixels.kind !== "image") yield [row, await hostRows(pixels, row, row + 1, call)];
  }
}

/** Samples of the luma. Those outside the mask, not finite or `nodata` do not count. */
export async function samplesOf(
  router: Pick<Router, "rows">,
  pixels: Pixels,
  within: Bits | undefined,
  call: Call,
): Promise<Samples> {
  const { channels, type } = pixels.shape;
  const luma = (row: PixelArray, at: number): number =>
    channels === 1 ? row[at] : lumaOf(type, row[at], row[at + 1], row[at + 2]);
  return (await sampled(router, pixels, within, [luma], call))[0];
}

/** Whether the pixels that are not 0 in any colour are the ground of a picture on the host: they have its frame and most of it. */
export async function isNonzeroGround(input: Raster | Source): Promise<boolean> {
  const pixels = "data" in input ? checkRaster(input) : checkSource(input);
  const { channels } = pixels.shape;
  const nonzero = (row: PixelArray, at: number): number =>
    Number(row[at] !== 0 || (channels > 1 && (row[at + 1] !== 0 || row[at + 2] !== 0)));
  const device = { rows: () => Promise.reject(new RangeError("pixels of the host need no device")) };
  const [samples] = await sampled(device, pixels, undefined, [nonzero], { timings: [] });
  return isGround(samples, (value) => value !== 0);
}

/** Samples of the one channel, or of red, green and blue. */
export function colourSamplesOf(router: Pick<Router, "rows">, pixels: Pixels, call: Call): Promise<readonly Samples[]> {
  const colours = pixels.shape.channels === 1 ? [0] : [0, 1, 2];
  const values = colours.map((c) => (row: PixelArray, at: number) => row[at + c]);
  return sampled(router, pixels, undefined, values, call);
}

/** Samples of several values of a pixel, each from its row and the place of its first channel. */
async function sampled(
  router: Pick<Router, "rows">,
  pixels: Pixels,
  within: Bits | undefined,
  values: readonly ((row: PixelArray, at: number) => number)[],
  call: Call,
): Promise<readonly Samples[]> {
  const { shape } = pixels;
  const axes = sampledAxes(shape);
  const all = values.map(() => newSamples(axes, shape.type));
  const rows = placesOf(axes.z).flatMap((z) => placesOf(axes.y).map((y) => z * shape.height + y));
  const columns = placesOf(axes.x);
  let at = 0;
  for await (const [row, data] of rowsOf(router, pixels, rows, call)) {
    for (const x of columns) {
      for (const [i, samples] of all.entries()) {
        const value = values[i](data, x * shape.channels);
        samples.values[at] = value;
        samples.inside[at] = Number(isInMask(within, x, row) && Number.isFinite(value) && value !== shape.nodata);
      }
      at++;
    }
  }
  return all;
}
