// The layout of the values for a writer, and the function that delivers them: the same for every format.

import type { PixelArray, PixelType, Sink } from "skerry";
import type { Size } from "./bytes.js";
import type { Output } from "./output.js";
import type { Space } from "./space.js";

/** Types of values; bool comes as bytes of 0 and 1. */
export type ValueType = PixelType | "bool";

/** Size, type and metadata of the values of a file. */
export interface Layout extends Size {
  readonly type: ValueType;
  /** 1 by default. */
  readonly channels?: 1 | 3 | 4 | undefined;
  /** Sides of a pixel, their unit, and the place, for formats that store them. */
  readonly space?: Space | undefined;
  /** The value that means that a pixel was not measured. */
  readonly nodata?: number | undefined;
  /** Whether values are labels, for formats that store it. */
  readonly labels?: boolean | undefined;
  /** The values that are shown as black and as white, for formats that store them. */
  readonly range?: readonly [number, number] | undefined;
  /** A few words, for formats that have room for them. */
  readonly description?: string | undefined;
  /** Colours that values of one u8 channel stand for. */
  readonly palette?: readonly (readonly [number, number, number])[] | undefined;
}

/** Writes all values into a sink, in order. */
export type Fill = (sink: Sink<PixelArray>) => Promise<unknown>;

/** One way to write values: a row of {@link WRITERS}. */
export interface Writer {
  readonly types: readonly ValueType[];
  readonly channels: readonly number[];
  /** The most slices that a file holds. */
  readonly depth: number;
  /** Writes values of a layout, which `fill` delivers. */
  write(file: Output, layout: Layout, fill: Fill): Promise<void>;
}

/** All values of an image of 8 or 16 bits in one array, for formats that are compressed as a whole. */
export async function collected(
  { type, width, height, channels = 1 }: Layout,
  fill: Fill,
): Promise<Uint8Array | Uint16Array> {
  const values = width * height * channels;
  const data = type === "u16" ? new Uint16Array(values) : new Uint8Array(values);
  await fill({ write: (_z0, _z1, y0, _y1, part) => data.set(part, y0 * width * channels) });
  return data;
}

/** A {@link Fill} of values in memory. */
export function fillOf(data: PixelArray, { height, depth }: Size): Fill {
  return async (sink) => sink.write(0, depth, 0, height, data);
}
