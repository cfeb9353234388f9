// The options of `paint()` and `recolour()`, checked against their rasters.

import { defined } from "../core/defined.js";
import { PIXEL_RANGE, type Pixels, type Shape, type Size, sizeText } from "../core/pixels.js";
import { InvalidArgument } from "../types/errors.js";
import type { PaintOptions } from "../types/fill.js";
import type { RecolourOptions, Segmentation } from "../types/kmeans.js";
import type { PixelArray, Raster } from "../types/raster.js";
import { checkFields, flag, number, show, unexpected } from "./arguments.js";
import { checkRaster, sameSize } from "./pixels.js";

/** A coat before its check; `C` is the type of the painted pixels. */
interface GivenCoat<C> {
  readonly components: C;
  readonly colour: number | readonly number[];
  readonly opacity?: number | undefined;
}

/** A coat with a number for each painted channel. */
export interface CheckedCoat<C> {
  readonly components: C;
  readonly colour: readonly number[];
  readonly opacity: number;
}

/** Pixels to paint, the coats, and the target. */
export interface PaintPlan<C> {
  readonly pixels: Pixels & { kind: "array" };
  readonly coats: readonly CheckedCoat<C>[];
  /** The array of `into`; if undefined, the call allocates one when it runs. */
  readonly target: PixelArray | undefined;
}

/** The arguments of both forms of paint(): components and a colour, or a list of coats. */
export function paintArguments<C>(
  painted: C | readonly GivenCoat<C>[],
  given: readonly [(number | readonly number[] | PaintOptions)?, PaintOptions?],
): { readonly coats: readonly GivenCoat<C>[]; readonly options: PaintOptions } {
  if (Array.isArray(painted)) return { coats: painted, options: (given[0] ?? {}) as PaintOptions };
  const [colour, options = {}] = given;
  return { coats: [{ components: painted as C, colour: colour as number | readonly number[] }], options };
}

/** Checks coats and options against the raster. */
export function planPaint<C extends Size>(
  raster: Raster,
  coats: readonly GivenCoat<C>[],
  { into, opacity }: PaintOptions,
): PaintPlan<C> {
  const pixels = checkRaster(Object(raster));
  const { shape } = pixels;
  const checked = coats.map((coat) => checkCoat(coat, shape, opacity));
  const target = into === undefined ? undefined : checkRaster(Object(into), "into");
  if (target && (!sameSize(target.shape, shape) || target.shape.channels !== shape.channels)) {
    throw new InvalidArgument(`Expected into to be of the raster's size, ${sizeText(shape)} x ${shape.channels}.`, {
      argument: "into",
    });
  }
  if (target && target.shape.type !== shape.type) {
    throw new InvalidArgument(`Expected into to be of type ${shape.type} like the raster, got ${target.shape.type}.`, {
      argument: "into",
    });
  }
  return { pixels, coats: checked, target: target?.data };
}

/** A raster like another, with other values. The getters of an ImageData would be lost in a spread. */
export function likeRaster({ spacing }: Raster, { width, height, depth, channels }: Shape, data: PixelArray): Raster {
  return defined({ data, width, height, depth: depth > 1 ? depth : undefined, channels, spacing });
}

function checkCoat<C extends Size>(coat: GivenCoat<C>, shape: Shape, usual = 1): CheckedCoat<C> {
  checkFields("a coat", Object(coat), ["components", "colour", "opacity"]);
  const { components, colour, opacity: ownOpacity } = Object(coat) as GivenCoat<C>;
  const { channels } = shape;
  const opacity = ownOpacity ?? usual;
  if (!(number("opacity", opacity) >= 0 && opacity <= 1)) {
    throw new InvalidArgument(`Expected opacity to be from 0 to 1, got ${opacity}.`, { argument: "opacity" });
  }
  const values = typeof colour === "number" ? Array.from({ length: Math.min(3, channels) }, () => colour) : colour;
  if (!Array.isArray(values) || (values.length !== channels && !(channels === 4 && values.length === 3))) {
    const wanted = channels === 4 ? "3 or 4 numbers" : channels === 1 ? "one number" : `${channels} numbers`;
    throw new InvalidArgument(`Expected a colour of ${wanted}, got ${show(colour)}.`, { argument: "colour" });
  }
  const range = shape.type === "f32" ? undefined : PIXEL_RANGE[shape.type];
  for (const value of values) {
    number("the colour", value);
    if (!range || (value >= range[0] && value <= range[1])) continue;
    throw new InvalidArgument(
      `Expected a colour of values from ${range[0]} to ${range[1]}, as ${shape.type} holds, got ${value}.`,
      { argument: "colour" },
    );
  }
  if (typeof Object(components).runs !== "function") throw unexpected("what is painted", "Components", components);
  if (!sameSize(components, shape)) {
    throw new InvalidArgument(
      `Expected components of ${sizeText(shape)} like the raster, got ${sizeText(components)}.`,
      { argument: "components" },
    );
  }
  return { components, colour: values, opacity };
}

/** The colours of a segmentation's classes: 4 bytes for each of 256, of which the first `channels` are used. */
export interface RecolourPlan {
  readonly channels: 1 | 3 | 4;
  readonly colours: Uint8Array;
}

/** Checks a segmentation, and makes the table of its colours. Pixels without a class are transparent black. */
export function planRecolour(segmentation: Segmentation, options: RecolourOptions): RecolourPlan {
  if (options.alpha !== undefined) flag("alpha", options.alpha);
  const { data, palette, k, transparent, width, height, depth = 1 } = Object(segmentation) as Segmentation;
  if (!(data instanceof Uint8Array) || !(palette instanceof Uint8Array) || data.length !== width * height * depth) {
    const size =
      data instanceof Uint8Array ? ` of ${sizeText({ width, height, depth })} with ${data.length} pixels` : "";
    throw new InvalidArgument(
      `Expected a segmentation that kmeans made, got ${size === "" ? show(segmentation) : `something else${size}`}.`,
      {
        argument: "segmentation",
      },
    );
  }
  const shown = k > 0 ? palette.length / k : 3;
  if (!Number.isInteger(k) || k < 0 || k > 256 || (shown !== 1 && shown !== 3)) {
    throw new InvalidArgument(
      `Expected a segmentation of 0 to 256 classes with a colour each, got k ${show(k)} and ${palette.length} bytes of palette.`,
      { argument: "segmentation" },
    );
  }
  const channels = (options.alpha ?? transparent > 0) ? 4 : shown;
  const colours = new Uint8Array(1024);
  for (let i = 0; i < k; i++) {
    const colour = palette.subarray(i * shown, (i + 1) * shown);
    colours.set(channels === 4 && shown === 1 ? [0, 0, 0].fill(colour[0]) : colour, i * 4);
    if (channels === 4) colours[i * 4 + 3] = 255;
  }
  return { channels, colours };
}
