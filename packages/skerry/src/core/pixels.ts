// Pixels and bits of requests: sizes, types, and the device that holds a loaded image.

import { changedError } from "../types/errors.js";
import type { Connectivity, PixelArray, PixelType, Source } from "../types/raster.js";

/** Bytes of one channel of a pixel. */
export const PIXEL_BYTES: Record<PixelType, number> = { u8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4 };

/** The smallest and the largest value of a pixel's channels. */
export const PIXEL_RANGE: Record<PixelType, readonly [number, number]> = {
  u8: [0, 255],
  u16: [0, 65535],
  i16: [-32768, 32767],
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  f32: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

/** Number of neighbours in earlier rows, by connectivity. Links between pixels take one bit plane for each. */
export const LINK_PLANES: Record<Connectivity, number> = { 4: 1, 8: 3, 6: 2, 18: 8, 26: 12 };

/** The number of each pixel type in kernels. */
export const TYPE_CODE: Record<PixelType, number> = { u8: 0, u16: 1, i16: 2, f32: 3, u32: 4, i32: 5 };

/** The array of each type. */
const PIXEL_ARRAY = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
} as const;

/** A typed array of `type`. */
export function newPixels(type: PixelType, length: number): PixelArray {
  return new PIXEL_ARRAY[type](length);
}

/** A typed array of `type` in a buffer. */
export function pixelsIn(type: PixelType, buffer: ArrayBufferLike, byteOffset: number, length: number): PixelArray {
  const array: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => PixelArray = PIXEL_ARRAY[type];
  return new array(buffer, byteOffset, length);
}

/** Values [from, to) of the caller's array; throws if the caller detached or shrank it during the call. */
export function partOf<T extends PixelArray>(array: T, from: number, to: number): T {
  if (array.length < to) throw changedError();
  return array.subarray(from, to) as T;
}

/** Copies values into the caller's array; throws if the caller detached or shrank it during the call. */
export function putInto(array: PixelArray, values: PixelArray, at: number): void {
  if (array.length < at + values.length) throw changedError();
  array.set(values, at);
}

/** The bytes of an array; throws if its buffer was detached, or shrank so that the array lies outside. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  try {
    // An array outside its buffer has 0 bytes like an empty one, but throws when a value is read.
    if (array.byteLength === 0 && !(array instanceof DataView)) (array as Uint8Array).at(0);
    return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  } catch (cause) {
    throw changedError(cause);
  }
}

/** Pixels per row, rows per slice, slices. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** Number of rows of all slices. Devices number rows across slices: row y of slice z is z * height + y. */
export function rowCount({ height, depth }: Pick<Size, "height" | "depth">): number {
  return height * depth;
}

/** Size and type of an input. */
export interface Shape extends Size {
  readonly channels: number;
  readonly type: PixelType;
  /** The value of pixels that were not measured, treated like NaN; only with one channel. */
  readonly nodata?: number | undefined;
}

/** The device that owns an image. */
export interface ImageOwner {
  readonly device: "cpu" | "gpu";
}

/** Pixels that a device keeps. */
export interface BackendImage {
  /** The backend that holds them. */
  readonly owner: ImageOwner;
  dispose(): void;
}

/** Input pixels. */
export type Pixels =
  | { readonly kind: "array"; readonly shape: Shape; readonly data: PixelArray }
  | { readonly kind: "image"; readonly shape: Shape; readonly image: BackendImage }
  | { readonly kind: "source"; readonly shape: Shape; readonly source: Source };

/** Bits of a mask, or bits packed by a threshold. */
export interface Bits extends Size {
  readonly kind: "mask";
  readonly bits: Uint32Array;
  /** The plane of the second polarity, if it was packed. */
  readonly second?: Uint32Array | undefined;
}

/** Whether a pixel is in a mask, or there is none. Rows are numbered across slices. */
export function isInMask(mask: Pick<Bits, "bits" | "width"> | undefined, x: number, row: number): boolean {
  return !mask || ((mask.bits[row * Math.ceil(mask.width / 32) + (x >>> 5)] >>> (x & 31)) & 1) === 1;
}

/** Whether histograms of a type have a count for each value. */
export function hasLevels(type: PixelType): boolean {
  return type === "u8" || type === "u16" || type === "i16";
}

/** Whether the GPU's kernels read pixels of a type. */
export function hasKernels(type: PixelType): boolean {
  return hasLevels(type) || type === "f32";
}

/** The size of pixels, or of bits. */
export function sizeOf(input: Pixels | Bits): Size {
  return input.kind === "mask" ? input : input.shape;
}

/** A size as text for messages: 4 x 3, or 4 x 3 x 2. */
export function sizeText({ width, height, depth }: Size): string {
  return depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
}
