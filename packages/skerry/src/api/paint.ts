// Paints the pixels of components, on the calling thread, run by run.

import { turn } from "#event-loop";
import { PIXEL_RANGE } from "../core/pixels.js";
import { checkOptions } from "../options/names.js";
import { likeRaster, paintArguments, planPaint } from "../options/paint.js";
import type { PaintOptions } from "../types/fill.js";
import type { Runs } from "../types/labels.js";
import type { Raster } from "../types/raster.js";
import type { Components } from "./components.js";

/** One of several things to paint; see `paint()`. */
export interface Coat {
  /** The objects whose pixels are painted. */
  readonly components: Components;
  /** A number per channel, three for RGBA, or one for all colour channels. */
  readonly colour: number | readonly number[];
  /** 0 to 1; that of the options by default. */
  readonly opacity?: number;
}

/** Values between two turns of the event loop. */
const VALUES_PER_TURN = 1 << 20;

/**
 * Paints objects, into a new raster of the input's type or into `into`. `colour` has one number per channel, three
 * numbers for RGBA (alpha does not change), or is one number for all colour channels. With an opacity p a value becomes
 * old + p (colour - old). For integers it is rounded, halves up. Several coats are painted one over the
 * other, in order, each in its own colour.
 *
 * O(pixels painted) after a copy of the raster. If `into` is the raster itself, nothing is copied. The calling thread paints,
 * with a turn of the event loop every 2^20 values; `engine.paint()` paints in the workers. Rejects with InvalidArgument for a
 * colour of the wrong length or outside the type, an opacity outside 0 to 1, or sizes that differ.
 *
 * @example
 * import { open, paint } from "skerry";
 * const engine = await open();
 * const photo = { data: new Uint8Array([10, 12, 90, 11]), width: 4, height: 1 };
 * const patch = await engine.fill(photo, { seeds: [[0, 0]], tolerance: 5 });
 * console.log((await paint(photo, patch, 255)).data); // 255, 255, 90, 11
 *
 * @example
 * const spot = await engine.fill(photo, { seeds: [[2, 0]] });
 * const both = [{ components: patch, colour: 255 }, { components: spot, colour: 128 }];
 * console.log((await paint(photo, both)).data); // 255, 255, 128, 11
 */
export function paint(
  raster: Raster,
  components: Components,
  colour: number | readonly number[],
  options?: PaintOptions,
): Promise<Raster>;
export function paint(raster: Raster, coats: readonly Coat[], options?: PaintOptions): Promise<Raster>;
export async function paint(
  raster: Raster,
  painted: Components | readonly Coat[],
  ...given: [(number | readonly number[] | PaintOptions)?, PaintOptions?]
): Promise<Raster> {
  const { coats, options } = paintArguments(painted, given);
  checkOptions("paint", options);
  const { pixels, coats: checked, target } = planPaint(raster, coats, options);
  const { shape, data } = pixels;
  const { width, channels, type } = shape;
  const { signal, onProgress } = options;
  const tables: Runs[] = [];
  // All run tables are read before the first pixel changes, so a rejection leaves the raster unchanged.
  for (const { components } of checked) tables.push(await components.runs({ signal }));
  const out = target ?? data.slice();
  if (target && target !== data) target.set(data);
  const total = tables.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  let sinceTurn = 0;
  for (const [i, { count, row, begin, end }] of tables.entries()) {
    const { colour, opacity } = checked[i];
    const blend = blender(type === "f32" ? undefined : PIXEL_RANGE[type], opacity);
    for (let k = 0; k < count; k++, done++) {
      const line = row[k] * width;
      const [from, to] = [(line + begin[k]) * channels, (line + end[k]) * channels];
      for (const [c, value] of colour.entries()) {
        for (let at = from + c; at < to; at += channels) out[at] = blend(out[at], value);
      }
      sinceTurn += to - from;
      if (sinceTurn < VALUES_PER_TURN) continue;
      sinceTurn = 0;
      signal?.throwIfAborted();
      onProgress?.({ stage: "paint", done, total, fraction: done / total });
      await turn();
    }
  }
  return options.into ?? likeRaster(raster, shape, out);
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
