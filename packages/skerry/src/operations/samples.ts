// Samples of pixels, evenly spaced, from rows of an array, a Source or a resident image.

import { lumaOf, newSamples, type SampledAxis, type Samples, sampledAxes } from "../core/background.js";
import type { Call } from "../core/call.js";
import { type Bits, isInMask, type Pixels, type Shape } from "../core/pixels.js";
import { hostRows } from "../core/sinks.js";
import type { Router } from "../device/router.js";
import type { PixelArray } from "../types/raster.js";

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
  const { shape } = pixels;
  const axes = sampledAxes(shape);
  const samples = newSamples(axes, shape.type);
  const rows = placesOf(axes.z).flatMap((z) => placesOf(axes.y).map((y) => z * shape.height + y));
  const columns = placesOf(axes.x);
  let at = 0;
  for await (const [row, data] of rowsOf(router, pixels, rows, call)) {
    for (const x of columns) {
      const value = valueAt(data, x, shape);
      samples.values[at] = value;
      samples.inside[at++] = Number(isInMask(within, x, row) && Number.isFinite(value) && value !== shape.nodata);
    }
  }
  return samples;
}

function valueAt(row: PixelArray, x: number, { channels, type }: Shape): number {
  const at = x * channels;
  return channels === 1 ? row[at] : lumaOf(type, row[at], row[at + 1], row[at + 2]);
}
