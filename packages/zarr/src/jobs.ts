// Jobs of workers, and their answers. They decode chunks into bands, and pack chunks of bands; bytes of stores come and go
// through the thread that started them, which has the stores.

import type { Band, Four } from "./chunk.js";
import type { Codec } from "./codecs.js";
import type { Halving } from "./pyramid.js";
import type { Range } from "./store/store.js";

/** A chunk to be decoded into a band. */
export interface DecodeJob {
  readonly kind: "decode";
  /** Number of the array, whose keys its store knows. */
  readonly array: number;
  readonly version: 2 | 3;
  readonly coordinates: readonly number[];
  /** Dimensions of the array that are z, y, x and the channels; undefined for those that it has not. */
  readonly dimensions: readonly (number | undefined)[];
  /** The first value of the chunk that is taken, along all of its dimensions. */
  readonly from: readonly number[];
  readonly box: Four;
  readonly band: Band;
  /** Values of the band before the first that is written. */
  readonly to: number;
}

/** A chunk of a band to be packed. */
export interface EncodeJob {
  readonly kind: "encode";
  readonly band: Band;
  readonly from: number;
  readonly box: Four;
  readonly shape: Four;
  readonly fill: number;
  readonly codec: Codec;
  /** Labels of 64 bits as f64, by the values of the band, which are written instead of them. */
  readonly wide?: SharedArrayBuffer | undefined;
}

/** A smaller version of a part of a band. */
export interface ReduceJob extends Halving {
  readonly kind: "reduce";
}

export type Job = DecodeJob | EncodeJob | ReduceJob;

/** A job's result: values that f32 rounds; bytes, which a chunk of nothing but the fill value has not. */
export interface Done {
  readonly unlike?: number;
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
}

/** Messages to a worker. */
export type ToWorker =
  | { readonly kind: "collect" }
  | { readonly kind: "forget"; readonly array: number }
  | { readonly kind: "job"; readonly id: number; readonly job: Job }
  | { readonly kind: "bytes"; readonly call: number; readonly bytes: Uint8Array<ArrayBuffer> | undefined }
  | { readonly kind: "no bytes"; readonly call: number; readonly reason: string };

/** Messages of a worker. */
export type FromWorker =
  | { readonly kind: "done"; readonly id: number; readonly result: Done }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string }
  | {
      readonly kind: "read";
      readonly call: number;
      readonly id: number;
      readonly array: number;
      readonly key: string;
      readonly range: Range | undefined;
    };
