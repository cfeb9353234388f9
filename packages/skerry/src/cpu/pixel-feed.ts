// Pixels on their way into WebAssembly memory, band by band.

import type { Call } from "../core/call.js";
import {
  type BackendImage,
  type Bits,
  type ImageOwner,
  newPixels,
  PIXEL_BYTES,
  type Pixels,
  partOf,
  rowCount,
  type Shape,
} from "../core/pixels.js";
import { readRows } from "../core/sinks.js";
import type { PixelArray } from "../types/raster.js";
import type { Rows } from "./bands.js";
import type { Pool } from "./memory/pool.js";
import type { ScratchScope } from "./memory/scratch.js";

/** Kernels read pixels 64 at a time, and may read this many past the last one. */
const SLACK_PIXELS = 64;

/** Bytes in front of pixels. Kernels that compare neighbours read the pixel before the first one, and mask it off. */
export const LEAD_BYTES = 64; // host: of every kernel

/** Bytes behind an array that kernels read where it lies: the slack of the largest pixel, four f32. */
export const SLACK_BYTES = SLACK_PIXELS * 16;

/** Memory of an image that `load` made resident. */
export interface Resident {
  readonly pointer: number;
}

/** An array that lies in the pool's memory, as a resident image; other input as it is. */
export function residentOf<T extends Pixels | Bits>(
  pool: Pool,
  owner: ImageOwner,
  input: T,
): T | (Pixels & { kind: "image" }) {
  if (input.kind !== "array") return input;
  const pointer = pool.addressOf(input.data);
  if (pointer === undefined) return input;
  return residentAt(pointer, input.shape, owner);
}

/** Pixels at an address as a resident image, whose dispose() does not free them. */
export function residentAt(pointer: number, shape: Shape, owner: ImageOwner): Pixels & { kind: "image" } {
  const image: BackendImage & Resident = { pointer, owner, dispose: () => undefined };
  return { kind: "image", shape, image };
}

/** Brings bands of pixels to where kernels can read them. */
export class PixelFeed {
  readonly rowBytes: number;
  /** Bytes of a row that is reduced to one channel. */
  readonly lumaRowBytes: number;
  #pixels: Pixels;
  #slots: number[];
  #staging: PixelArray[];
  #reading: Promise<unknown> = Promise.resolve();
  #call: Call;

  private constructor(pixels: Pixels, slots: number[], staging: PixelArray[], call: Call) {
    const { width, channels, type } = pixels.shape;
    this.rowBytes = width * channels * PIXEL_BYTES[type];
    this.lumaRowBytes = width * PIXEL_BYTES[type];
    this.#pixels = pixels;
    this.#slots = slots;
    this.#staging = staging;
    this.#call = call;
  }

  /** Prepares for bands of at most `rows` rows on `lanes` lanes. */
  static async open(scope: ScratchScope, pixels: Pixels, lanes: number, rows: number, call: Call): Promise<PixelFeed> {
    const { width, channels, type } = pixels.shape;
    const bytes = (rows * width + SLACK_PIXELS) * channels * PIXEL_BYTES[type];
    const slots = pixels.kind === "image" ? [] : await scope.lanes(lanes, bytes, LEAD_BYTES);
    const staging = pixels.kind === "source" ? slots.map(() => newPixels(type, rows * width * channels)) : [];
    return new PixelFeed(pixels, slots, staging, call);
  }

  /** Bytes of memory for all pixels of a shape, behind {@link LEAD_BYTES}. */
  static residentBytes(shape: Pixels["shape"]): number {
    const { width, channels, type } = shape;
    return (width * rowCount(shape) + SLACK_PIXELS) * channels * PIXEL_BYTES[type];
  }

  /** Bytes of one row of one channel for a kernel's scratch. */
  static scratchBytes({ width, type }: Pixels["shape"]): number {
    return (width + SLACK_PIXELS) * PIXEL_BYTES[type];
  }

  /** The address of the rows once the task that carries `input` runs. */
  async fetch(
    lane: number,
    { y0, y1 }: Rows,
  ): Promise<{ pointer: number; input?: { pointer: number; array: PixelArray } }> {
    const pixels = this.#pixels;
    if (pixels.kind === "image") {
      return { pointer: (pixels.image as unknown as Resident).pointer + y0 * this.rowBytes };
    }
    const pointer = this.#slots[lane];
    const values = pixels.shape.width * pixels.shape.channels;
    if (pixels.kind === "array") {
      return { pointer, input: { pointer, array: partOf(pixels.data, y0 * values, y1 * values) } };
    }
    const array = this.#staging[lane].subarray(0, (y1 - y0) * values) as PixelArray;
    const { signal } = this.#call;
    const turn = this.#reading.then(() => readRows(pixels, y0, y1, array, signal));
    // A rejected read must not reject the reads of other lanes: inLanes throws the first error.
    this.#reading = turn.catch(() => undefined);
    await turn;
    return { pointer, input: { pointer, array } };
  }
}
