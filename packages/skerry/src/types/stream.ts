// Lines without an end, as a line camera gives them, and the objects that are found in them.

import type { CallOptions } from "./calls.js";
import type { ComponentsOptions } from "./components.js";
import type { FilterOptions, ObjectKind, ObjectProperties } from "./filter.js";
import type { Mask, PixelArray, PixelType, Raster } from "./raster.js";
import type { ObjectProperty } from "./region-properties.js";
import type { DefaultProperty } from "./regions.js";
import type { Polarity } from "./threshold.js";

/** An image without a height: lines come one after another, and nobody knows how many. */
export interface Lines {
  /** Pixels per line, at least 1. */
  readonly width: number;
  /** The type of the values. */
  readonly type: PixelType;
  /** Values per pixel: 1 (default), 3 or 4. */
  readonly channels?: number;
  /** See {@link Raster.nodata}. */
  readonly nodata?: number;
  /**
   * Arrays of any number of values, which make up lines. The stream takes the next one when it has room for it. Without `data`
   * lines come by {@link LineStream.push}.
   */
  readonly data?: AsyncIterable<PixelArray> | Iterable<PixelArray>;
}

/** Options of `engine.stream()`. */
export interface StreamOptions<P extends ObjectProperty = ObjectProperty>
  extends CallOptions,
    Pick<ComponentsOptions, "by" | "background" | "connectivity">,
    Pick<FilterOptions, "minArea" | "maxArea" | "maxHoleArea"> {
  /**
   * As in {@link ComponentsOptions}, without the automatic ones, which need the whole image. `{ local }` needs `radius` lines
   * more before a line is labelled.
   */
  readonly threshold?: ComponentsOptions["threshold"];
  /** With `{ local }`: `"bright"` (default) or `"dark"`. */
  readonly polarity?: Polarity;
  /**
   * Fill holes once an object is finished. An object that an open one may enclose waits for it, and so do those behind it in the
   * order; it is not reported if it lies in a hole. Holes that a part does not enclose stay open.
   */
  readonly fillHoles?: boolean;
  /** Pixels of a line outside this mask, one line high and of the lines' width, are background. */
  readonly within?: Mask;
  /** Only columns [x0, x1) of the lines are kept. Results are in coordinates of the whole line. */
  readonly crop?: readonly [x0: number, x1: number];
  /**
   * One value per value of a line, such as a line of clean material. Thresholds and tolerances apply to the pixels minus this
   * line; measured values and thumbnails stay those of the pixels. The calling thread subtracts. Not for u32 and i32.
   */
  readonly reference?: ArrayLike<number>;
  /** Properties to report, as `regions()` measures them; those of values are of the lines themselves. By default area, bounds and centroid. Objects that limits of area drop are no background for `contrast`. */
  readonly properties?: readonly P[];
  /** Report the outline of each object. False by default. */
  readonly contour?: boolean;
  /** Report the pixels in each object's bounds: at most this many columns and lines around their middle. */
  readonly thumbnail?: number;
  /**
   * The most lines of an object, 4096 by default. A longer one is reported in parts of so many lines. Memory is bounded by this
   * number of lines, and those of one batch.
   */
  readonly maxLength?: number;
  /**
   * The most objects that are open at once; as many as a line has pixels by default. Beyond it the oldest are reported in parts
   * where a batch of lines ends.
   */
  readonly maxOpen?: number;
  /**
   * The most lines that are labelled at once, by default as many as hold 8 388 608 pixels. Fewer come sooner where lines never
   * pause, and cost more per line. The objects do not depend on it, unless `maxOpen` is reached.
   */
  readonly batch?: number;
  /** The number of the first line, 0 by default, up to 2^53 - 2^32. */
  readonly firstRow?: number;
}

/** Facts that a stream tells of every object. */
export interface StreamedFacts extends ObjectKind {
  /** Counts the objects of the stream from 1. */
  readonly id: number;
  /** True for a part that goes on in the next line, of an object longer than `maxLength`, or beyond `maxOpen`. */
  readonly goesOn?: true;
  /** The ids of the parts that this object touches and continues, ascending. Parts are told whatever their area. */
  readonly continues?: readonly number[];
  /** Closed polygons on pixel corners, x and y in turn; see `components.outlines()`. Those of holes have a negative area. */
  readonly contour?: readonly Float64Array[];
  /** The pixels around the middle of the bounds; `thumbnailAt` is the place of their first one. */
  readonly thumbnail?: Raster;
  /** The column and the line of the first pixel of `thumbnail`. */
  readonly thumbnailAt?: readonly [number, number];
}

/** An object of a stream. Rows are counted from `firstRow`, as doubles. */
export type StreamedObject<P extends ObjectProperty = DefaultProperty> = StreamedFacts & ObjectProperties<P>;
