// Jobs of workers, and their results. Workers decode chunks into bands, and pack chunks of bands. The thread that started them
// reads and writes the stores.

import type { Ids } from "../integers.js";
import type { Band, Four } from "./chunk.js";
import type { Codec } from "./codecs.js";
import type { Halving } from "./pyramid.js";
import type { Range } from "./store/store.js";

/** A chunk to be decoded into a band. */
export interface DecodeJob {
  readonly kind: "decode";
  /** Number of the array in the pool, which reads its keys. */
  readonly array: number;
  readonly version: 2 | 3;
  readonly coordinates: readonly number[];
  /** Dimensions of the array that are z, y, x and the channels; undefined for missing ones. */
  readonly dimensions: readonly (number | undefined)[];
  /** The first value of the chunk that is taken, along all of its dimensions. */
  readonly from: readonly number[];
  readonly box: Four;
  readonly band: Band;
  /** Values of the band before the first that is written. */
  readonly to: number;
  /** The list of 64-bit ids whose numbers are written. */
  readonly ids?: Ids | undefined;
  /** Whether the 64-bit ids of the chunk are listed, and nothing is written. */
  readonly lists?: boolean | undefined;
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
  /** 64-bit labels as f64, indexed by the values of the band, and written instead of these. */
  readonly wide?: SharedArrayBuffer | undefined;
}

/** A smaller version of a part of a band. */
export interface ReduceJob extends Halving {
  readonly kind: "reduce";
}

export type Job = DecodeJob | EncodeJob | ReduceJob;

/**
 * A job's result: the number of values that f32 rounds, ids, or packed bytes, undefined for a chunk that holds only the fill value.
 */
export interface Done {
  readonly unlike?: number;
  readonly merged?: number;
  readonly ids?: Set<bigint>;
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

/** The error of a job. The caller turns its reason into a message. */
export class JobError extends Error {}

/** The innermost cause of an error, which codecs throw. */
export function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  return inner instanceof Error ? inner.message : `${inner}`;
}

/** Reads bytes of an array's store. */
export type Reading = (key: string, range?: Range) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Worker threads that do the jobs of a source, or the thread that asks. */
export interface Jobs {
  /** Registers an array whose chunks are decoded, with the function that reads its keys. Returns its number, by which chunks may be kept. */
  register(read: Reading, array: object): number;
  /** Forgets a number. */
  release(array: number): void;
  /**
   * Does a job.
   * @throws JobError with the reason, or the error of a store
   */
  run(job: Job, signal?: AbortSignal): Promise<Done>;
  /** Memory for a band, to which the jobs can write. */
  memory(bytes: number): ArrayBufferLike;
  /** Frees unused memory of bands. */
  collect(): void;
}
