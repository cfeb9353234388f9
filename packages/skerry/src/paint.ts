// Colour onto the pixels of components, on the host, run by run.

import { turn } from "#worker";
import { PIXEL_RANGE } from "./backend.js";
import { checkRaster, number, sameSize, show, sizeText } from "./check.js";
import type { Components } from "./components.js";
import { InvalidArgument } from "./errors.js";
import { checkOptions } from "./known.js";
import type { PaintOptions, PixelArray, Raster } from "./types.js";

/** The event loop has a turn after so many values. */
const VALUES_PER_TURN = 1 << 20;

/**
 * Paints the objects: a new raster of the input's type, or `into`. `colour` has a number per channel, or three for
 * RGBA, whose alpha then stays; or it is one number for all colour channels. With an opacity p a value becomes
 * old + p (colour - old), for integers rounded, halves up, and cut to the type's range.
 *
 * O(pixels painted) after a copy of the raster; with `into` of the raster itself nothing is copied. Rejects with
 * InvalidArgument for a colour of the wrong length, an opacity outside 0 to 1, or sizes that differ.
 *
 * @example
 * import { open, paint } from "skerry";
 * const engine = await open();
 * const photo = { data: new Uint8Array([10, 12, 90, 11]), width: 4, height: 1 };
 * const patch = await engine.fill(photo, { seeds: [[0, 0]], tolerance: 5 });
 * console.log((await paint(photo, patch, 255)).data); // 255, 255, 90, 11
 */
export async function paint(
  raster: Raster,
  components: Components,
  colour: number | readonly number[],
  options: PaintOptions = {},
): Promise<Raster> {
  checkOptions("paint", options);
  const { shape, data } = checkRaster(Object(raster));
  const { width, height, depth, channels, type } = shape;
  const { opacity = 1, signal, onProgress } = options;
  // An ImageData has getters, which a spread would leave behind.
  const copied = (): Raster => {
    const spacing = raster.spacing === undefined ? {} : { spacing: raster.spacing };
    return { data: data.slice(), width, height, ...(depth > 1 ? { depth } : {}), channels, ...spacing };
  };
  const into = options.into ?? copied();
  if (!(number("opacity", opacity) >= 0 && opacity <= 1)) {
    throw new InvalidArgument(`Expected opacity to be from 0 to 1, got ${opacity}.`);
  }
  const values = typeof colour === "number" ? Array.from({ length: Math.min(3, channels) }, () => colour) : colour;
  if (!Array.isArray(values) || (values.length !== channels && !(channels === 4 && values.length === 3))) {
    const wanted = channels === 4 ? "3 or 4 numbers" : channels === 1 ? "one number" : `${channels} numbers`;
    throw new InvalidArgument(`Expected a colour of ${wanted}, got ${show(colour)}.`);
  }
  for (const value of values) number("the colour", value);
  if (!sameSize(components, shape)) {
    throw new InvalidArgument(
      `Expected components of ${sizeText(shape)} like the raster, got ${sizeText(components)}.`,
    );
  }
  const target = checkRaster(Object(into), "into");
  if (!sameSize(target.shape, shape) || target.shape.channels !== channels) {
    throw new InvalidArgument(`Expected into to be of the raster's size, ${sizeText(shape)} x ${channels}.`);
  }
  if (target.shape.type !== type) {
    throw new InvalidArgument(`Expected into to be of type ${type} like the raster, got ${target.shape.type}.`);
  }
  const { count, row, begin, end } = await components.runs({ signal, onProgress });
  if (target.data !== data && options.into) target.data.set(data);
  const blend = blender(type === "f32" ? undefined : PIXEL_RANGE[type], opacity);
  let sinceTurn = 0;
  for (let i = 0; i < count; i++) {
    const line = (row[i] as number) * width;
    paintRun(target.data, (line + (begin[i] as number)) * channels, (line + (end[i] as number)) * channels, channels);
    sinceTurn += ((end[i] as number) - (begin[i] as number)) * channels;
    if (sinceTurn < VALUES_PER_TURN) continue;
    sinceTurn = 0;
    signal?.throwIfAborted();
    await turn();
  }
  return into;

  function paintRun(data: PixelArray, from: number, to: number, step: number): void {
    for (const [c, value] of (values as number[]).entries()) {
      for (let at = from + c; at < to; at += step) data[at] = blend(data[at] as number, value);
    }
  }
}

/** Mixes an old value with a new one; integers within a range. */
function blender(
  range: readonly [number, number] | undefined,
  opacity: number,
): (old: number, value: number) => number {
  if (!range) return (old, value) => (opacity === 1 ? value : old + opacity * (value - old));
  const [least, most] = range;
  return (old, value) => Math.min(most, Math.max(least, Math.floor(old + opacity * (value - old) + 0.5)));
}
