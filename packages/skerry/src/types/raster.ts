/// <reference lib="esnext.disposable" preserve="true" />

// Inputs and outputs of the API: rasters, images, sources, sinks, masks, points. Coordinates are in pixels: x to the right, y
// down, z from slice to slice. The centre of the first pixel is (0, 0, 0). Boxes and runs are half-open.

import type { CallOptions } from "./calls.js";
import type { GpuBuffer, GpuTexture, Signal } from "./platform.js";

/** The array of each pixel type. */
export interface PixelArrays {
  /** 0 to 255. */
  u8: Uint8Array;
  /** 0 to 65 535. */
  u16: Uint16Array;
  /** -32 768 to 32 767. */
  i16: Int16Array;
  /** 0 to 2^32 - 1. */
  u32: Uint32Array;
  /** -2^31 to 2^31 - 1. */
  i32: Int32Array;
  /** 32-bit floats. */
  f32: Float32Array;
}

/** Pixel data. */
export type PixelArray =
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array;

/** The type of a pixel's channels; u32 and i32, e.g. of label images, have one channel. */
export type PixelType = "u8" | "u16" | "i16" | "u32" | "i32" | "f32";

/** The size of a pixel in physical units, along x and y, and z where there is one. */
export type Spacing = readonly [number, number] | readonly [number, number, number];

/**
 * An image or a volume in memory: `width * height * depth * channels` values, slice after slice, rows from the top,
 * channels interleaved. An `ImageData` is a valid Raster.
 */
export interface Raster {
  /** The values. */
  readonly data: PixelArray;
  /** Pixels per row, at least 1. */
  readonly width: number;
  /** Rows per slice, at least 1. */
  readonly height: number;
  /**
   * Number of slices, 1 by default. A raster of several slices is a volume; its connectivity is 6, 18 or 26. A raster with
   * an explicit `depth: 1` accepts these, too: in its one slice 6 neighbours are 4, and 18 or 26 are 8.
   */
  readonly depth?: number;
  /** 1, 3 (RGB) or 4 (RGBA, alpha is ignored); inferred from the data's length when left out. */
  readonly channels?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
  /**
   * The value of pixels that were not measured, rounded to the type. Only rasters of one channel can have it. Such a
   * pixel is treated like NaN: the pixel is background, matches nothing in fills, and does not count in thresholds and
   * intensities.
   */
  readonly nodata?: number;
}

/** A raster in device memory, from `engine.load()`. Many calls can use it without another copy. */
export interface Image extends Disposable {
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices. */
  readonly depth: number;
  /** Channels of a pixel: 1, 3 or 4. */
  readonly channels: number;
  /** The type of the values. */
  readonly type: PixelType;
  /** The size of a pixel along x, y and z. */
  readonly spacing: readonly [number, number, number];
  /** See {@link Raster.nodata}; rounded to the type. */
  readonly nodata?: number | undefined;
  /**
   * Copies the pixels to the host, as after `smooth()`, `flatten()`, `unmix()` or `channel()`: to a new array, or to `into`, of the same
   * type and length. Rejects with InvalidArgument after dispose(), and for another `into`. O(n).
   *
   * @example
   * const image = { data: new Uint8Array([0, 0, 200, 0, 0]), width: 5, height: 1 };
   * const soft = await engine.smooth(image, { sigma: 1 });
   * console.log((await soft.toRaster()).data); // 12, 48, 80, 48, 12
   */
  toRaster(options?: CallOptions & { into?: PixelArray }): Promise<Raster>;
  /** Frees the device memory. Calling it again does nothing. */
  dispose(): void;
}

/** Pixels that are already on the GPU, on the device with which the engine was opened (`open({ gpu: device })`). */
export type GpuRaster =
  | {
      /**
       * A buffer of usage STORAGE. Rows are tightly packed from byte `offset` on, a multiple of 4. It must not change
       * while in use.
       */
      readonly buffer: GpuBuffer;
      readonly offset?: number;
      readonly width: number;
      readonly height: number;
      /** Slices; 1 by default. */
      readonly depth?: number;
      readonly type: PixelType;
      /** 1 by default. */
      readonly channels?: number;
      /** The size of a pixel, 1 along each axis by default. */
      readonly spacing?: Spacing;
      /** See {@link Raster.nodata}. */
      readonly nodata?: number;
    }
  | {
      /**
       * A 2-D texture of usage COPY_SRC, which is copied. Its format is r8unorm, r8uint, rgba8unorm(-srgb), rgba8uint,
       * r16uint, r16sint or r32float.
       */
      readonly texture: GpuTexture;
    };

/** A raster that does not fit in memory. The engine reads rows when it needs them, in any order. */
export interface Source {
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices; 1 by default. */
  readonly depth?: number;
  /** 1 by default. */
  readonly channels?: number;
  /** The type of the values. */
  readonly type: PixelType;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
  /** See {@link Raster.nodata}. */
  readonly nodata?: number;
  /**
   * Reads rows [y0, y1) of slices [z0, z1) into `into`: whole slices, or rows of one slice. The engine makes one read
   * at a time. A rejected read rejects the call.
   */
  read(
    z0: number,
    z1: number,
    y0: number,
    y1: number,
    into: PixelArray,
    options: { signal?: Signal },
  ): void | Promise<void>;
}

/**
 * Receives a result in bands, one write at a time, in order from the top of the first slice. A band is rows [y0, y1) of
 * slices [z0, z1): whole slices, or rows of one slice. `data` is reused after the write settles. Labels are a
 * Uint32Array.
 */
export interface Sink<T extends PixelArray = Uint32Array> {
  /**
   * True: `data` may be a view on shared memory, which saves a copy of labels. Files take such views; `Blob`, WebGL and
   * `TextDecoder` refuse them. False by default.
   */
  readonly shared?: boolean | undefined;
  /** Takes rows [y0, y1) of slices [z0, z1). A rejected write rejects the call. */
  write(z0: number, z1: number, y0: number, y1: number, data: T): void | Promise<void>;
}

/**
 * One bit per pixel, rows padded to whole 32-bit words, slice after slice: pixel x is bit `x & 31` of word `x >> 5` of
 * its row.
 */
export interface Mask {
  /** The bits, in 32-bit words. */
  readonly bits: Uint32Array;
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices; 1 by default. */
  readonly depth?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
}

/** Numbers of neighbours, the default first. */
export const CONNECTIVITIES = { image: [4, 8], volume: [6, 18, 26] } as const;

/**
 * Number of neighbours of a pixel: 4 or 8 in images; 6, 18 or 26 in volumes. The neighbours in a volume share a face
 * (6), a face or an edge (18), or also a corner (26).
 */
export type Connectivity = (typeof CONNECTIVITIES)["image" | "volume"][number];

export const COLOUR_CHANNELS = ["red", "green", "blue", "alpha"] as const;
/** Names of the stains of "hed", in their order. */
export const STAIN_NAMES = ["hematoxylin", "eosin", "dab"] as const;
/** Every name of a channel. */
export const CHANNELS = ["luma", "contrast", ...COLOUR_CHANNELS, ...STAIN_NAMES] as const;

/** Ways in which readers make one image of slices or pages: the largest value along them, or the mean. */
export const PROJECTIONS = ["largest", "mean"] as const;
export type Projection = (typeof PROJECTIONS)[number];

/**
 * A channel of a raster, by name or by number from 0. `"luma"` is Rec. 601, (77 r + 150 g + 29 b + 128) >> 8. The stains
 * `"hematoxylin"`, `"eosin"` and `"dab"` are amounts as in `engine.unmix()`.
 *
 * `"contrast"` is the distance from the median colour of the picture's frame, for objects that differ from their ground in
 * colour more than in brightness. The frame is the outer 1/32 of the samples that the polarity `"auto"` takes. Of colours it is the
 * Euclidean distance in Oklab (Ottosson 2020) as u8, where 255 is the distance from black to white; it is within 1 of the
 * exact distance. Of one channel it is the absolute difference, in the raster's type. For u8 and u16, without `nodata`.
 */
export type ChannelName = (typeof CHANNELS)[number] | number;

/** Coordinates of a pixel: x, y, and z in a volume. */
export type Place = readonly [number, number] | readonly [number, number, number];

/** A list of pixels by their coordinates, and the size of their image or volume. */
export interface Points {
  /** Integer coordinates [x, y], or [x, y, z]. */
  readonly points: readonly Place[];
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** 1 by default. */
  readonly depth?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
}
