// Colour onto the pixels of components, on the host, run by run.

import { turn } from "#event-loop";
import { PIXEL_RANGE, type Shape, sizeText } from "../core/pixels.js";
import { number, show } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import { checkRaster, sameSize } from "../options/pixels.js";
import { InvalidArgument } from "../types/errors.js";
import type { PaintOptions } from "../types/fill.js";
import type { Runs } from "../types/labels.js";
import type { Raster } from "../types/raster.js";
import type { Components } from "./components.js";

/** One of several things to paint; see `paint()`. */
export interface Coat {
  readonly components: Components;
  /** A number per channel, three for RGBA, or one for all colour channels. */
  readonly colour: number | readonly number[];
  /** 0 to 1; that of the options by default. */
  readonly opacity?: number;
}

/** The event loop has a turn after so many values. */
const VALUES_PER_TURN = 1 << 20;

/**
 * Paints objects, into a new raster of the input's type or into `into`. `colour` has one number per channel, three
 * numbers for RGBA (alpha does not change), or is one number for all colour channels. With an opacity p a value becomes
 * old + p (colour - old). For integers it is rounded, halves up, and clipped to the type's range. Several coats are
 * painted one over the other, in order, each in its own colour.
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
  const several = Array.isArray(painted);
  const [options = {}] = (several ? given : given.slice(1)) as [PaintOptions?];
  const coats: readonly Coat[] = several
    ? painted
    : [{ components: painted as Components, colour: given[0] as number | readonly number[] }];
  checkOptions("paint", options);
  const { shape, data } = checkRaster(Object(raster));
  const { width, height, depth, channels, type } = shape;
  const { signal, onProgress } = options;
  // An ImageData has getters, which a spread would leave behind.
  const copied = (): Raster => {
    const spacing = raster.spacing === undefined ? {} : { spacing: raster.spacing };
    return { data: data.slice(), width, height, ...(depth > 1 ? { depth } : {}), channels, ...spacing };
  };
  const into = options.into ?? copied();
  const checked = coats.map((coat) => checkCoat(coat, shape, options.opacity));
  const target = checkRaster(Object(into), "into");
  if (!sameSize(target.shape, shape) || target.shape.channels !== channels) {
    throw new InvalidArgument(`Expected into to be of the raster's size, ${sizeText(shape)} x ${channels}.`, {
      argument: "into",
    });
  }
  if (target.shape.type !== type) {
    throw new InvalidArgument(`Expected into to be of type ${type} like the raster, got ${target.shape.type}.`, {
      argument: "into",
    });
  }
  const tables: Runs[] = [];
  // All run tables are read before the first pixel changes, so a rejection leaves the raster unchanged.
  for (const { components } of checked) tables.push(await components.runs({ signal }));
  if (target.data !== data && options.into) target.data.set(data);
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
        for (let at = from + c; at < to; at += channels) target.data[at] = blend(target.data[at], value);
      }
      sinceTurn += to - from;
      if (sinceTurn < VALUES_PER_TURN) continue;
      sinceTurn = 0;
      signal?.throwIfAborted();
      onProgress?.({ stage: "paint", done, total, fraction: done / total });
      await turn();
    }
  }
  return into;
}

interface CheckedCoat {
  readonly components: Components;
  readonly colour: readonly number[];
  readonly opacity: number;
}

function checkCoat({ components, colour, opacity: own }: Coat, shape: Shape, usual = 1): CheckedCoat {
  const { channels } = shape;
  const opacity = own ?? usual;
  if (!(number("opacity", opacity) >= 0 && opacity <= 1)) {
    throw new InvalidArgument(`Expected opacity to be from 0 to 1, got ${opacity}.`, { argument: "opacity" });
  }
  const values = typeof colour === "number" ? Array.from({ length: Math.min(3, channels) }, () => colour) : colour;
  if (!Array.isArray(values) || (values.length !== channels && !(channels === 4 && values.length === 3))) {
    const wanted = channels === 4 ? "3 or 4 numbers" : channels === 1 ? "one number" : `${channels} numbers`;
    throw new InvalidArgument(`Expected a colour of ${wanted}, got ${show(colour)}.`, { argument: "colour" });
  }
  for (const value of values) number("the colour", value);
  if (!sameSize(components, shape)) {
    throw new InvalidArgument(
      `Expected components of ${sizeText(shape)} like the raster, got ${sizeText(components)}.`,
      { argument: "components" },
    );
  }
  return { components, colour: values, opacity };
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
