// One level of an image that is being written. Rows are collected in shared memory until they fill whole chunks, which workers
// pack. The rows are then downsampled into the next level.

import type { PixelArray } from "skerry";
import { STORED_BYTES } from "../bytes.js";
import type { Band, Four } from "./chunk.js";
import { valuesOf } from "./chunk.js";
import type { Codec } from "./codecs.js";
import type { Pool } from "./pool.js";
import { type Downsampling, firstOf, isWhole, type Part } from "./pyramid.js";
import type { Shards } from "./shard.js";

/** Types of values that are written. */
export type WrittenType = "u8" | "u16" | "u32" | "u64" | "f32";

/** Types of values in rows: 64-bit values are written only in blocks. */
export type RowType = Exclude<WrittenType, "u64">;

type Three = readonly [number, number, number];

/** Sizes, chunks and codec of a level, along z, y, x. */
export interface LevelPlan {
  /** The axis along which all levels are written: z (0) of volumes, y (1) of images. */
  readonly axis: 0 | 1;
  readonly size: Three;
  readonly chunks: Three;
  readonly type: RowType;
  readonly codec: Codec;
  readonly downsample: Downsampling;
  /** Writes a packed chunk, by its coordinates along z, y, x. */
  write(coordinates: Three, bytes: Uint8Array): Promise<void>;
  readonly shards?: Shards | undefined;
  /** Dimension of the array's chunks along which levels are written, and chunks of a shard along it. */
  readonly outer?: { readonly dimension: number; readonly inside: number } | undefined;
}

/** Number of jobs that downsampling is divided into. */
const PARTS = 8;

const greatest = (a: number, b: number): number => (b === 0 ? a : greatest(b, a % b));
const leastCommon = (a: number, b: number): number => (a / greatest(a, b)) * b;

/** Number of slices of a volume, or rows of an image, that are kept until chunks are whole: the slab. */
function slabOf({ axis, size, chunks }: LevelPlan, next: Three | undefined): number {
  const factor = next && isWhole(next[axis], size[axis]) ? Math.round(size[axis] / next[axis]) : 1;
  return Math.min(size[axis], leastCommon(chunks[axis], factor));
}

/** A level that is being written, and those below it. */
export class LevelWriter {
  readonly #plan: LevelPlan;
  readonly #pool: Pool;
  readonly #next: LevelWriter | undefined;
  readonly #axis: 0 | 1;
  readonly #slab: number;
  readonly #band: Band;
  /** The slices, or rows, that the slab holds. */
  #from = 0;
  #to = 0;
  /** Number of values in the slab so far. */
  #filled = 0;

  constructor(plan: LevelPlan, pool: Pool, next: LevelWriter | undefined) {
    const { size, type } = plan;
    this.#plan = plan;
    this.#pool = pool;
    this.#next = next;
    this.#axis = plan.axis;
    this.#slab = slabOf(plan, next?.size);
    const [, height, width] = size;
    this.#to = Math.min(size[this.#axis], this.#slab);
    const values = this.#slab * this.#unit;
    const buffer = new SharedArrayBuffer(values * STORED_BYTES[type]);
    this.#band = { buffer, type, offset: 0, strides: [this.#axis === 0 ? height * width : 0, width, 1, 1] };
  }

  get size(): Three {
    return this.#plan.size;
  }

  /** Values of a slice, or of a row. */
  get #unit(): number {
    const [, height, width] = this.#plan.size;
    return this.#axis === 0 ? height * width : width;
  }

  /** Appends values to those before. */
  async write(data: PixelArray): Promise<void> {
    const values = valuesOf(this.#band);
    for (let at = 0; at < data.length; ) {
      const room = (this.#to - this.#from) * this.#unit - this.#filled;
      const part = Math.min(room, data.length - at);
      values.set(data.subarray(at, at + part), this.#filled);
      at += part;
      this.#filled += part;
      if (part === room) await this.#flush();
    }
  }

  /** Whether all values were written. */
  get isWhole(): boolean {
    return this.#from >= this.#plan.size[this.#axis];
  }

  /** The slab as a part of the level's image. */
  #part(): Part {
    const { size } = this.#plan;
    const [z0, y0] = this.#axis === 0 ? [this.#from, 0] : [0, this.#from];
    return { band: this.#band, size, z0, y0 };
  }

  async #flush(): Promise<void> {
    const reduced = this.#next?.reduce(this.#part(), this.#to);
    const { shards, outer } = this.#plan;
    await Promise.all([reduced, ...this.#chunks()]);
    if (shards && outer) {
      const chunk = Math.ceil(this.#to / this.#plan.chunks[this.#axis]);
      await shards.finish(outer.dimension, Math.floor(chunk / outer.inside));
    }
    this.#from = this.#to;
    this.#to = Math.min(this.#plan.size[this.#axis], this.#from + this.#slab);
    this.#filled = 0;
  }

  /** Downsamples a part of the level above, which ends before its slice or row `end`. */
  async reduce(above: Part, end: number): Promise<void> {
    const axis = this.#axis;
    const size = this.#plan.size[axis];
    const other = above.size[axis];
    while (!this.isWhole) {
      const first = this.#from + this.#filled / this.#unit;
      let last = first;
      while (last < this.#to && (end === other || firstOf(last, size, other) < end)) last++;
      if (last === first) return;
      await this.#make(above, first, last);
      this.#filled += (last - first) * this.#unit;
      if (last === this.#to) await this.#flush();
      else return;
    }
  }

  async #make(above: Part, first: number, last: number): Promise<void> {
    const [, height] = this.#plan.size;
    const to = this.#part();
    const { downsample: how } = this.#plan;
    const extent = this.#axis === 0 ? ([0, height] as const) : ([first, last] as const);
    const [y0, y1] = extent;
    const step = Math.max(1, Math.ceil((y1 - y0) / PARTS));
    const jobs: Promise<unknown>[] = [];
    for (let y = y0; y < y1; y += step) {
      const rows = [y, Math.min(y1, y + step)] as const;
      const z = this.#axis === 0 ? ([first, last] as const) : ([0, 1] as const);
      jobs.push(this.#pool.run({ kind: "reduce", how, from: above, to, z, y: rows }));
    }
    await Promise.all(jobs);
  }

  /** Packs the chunks of the slab. */
  *#chunks(): Generator<Promise<void>> {
    const { size, chunks, codec, write } = this.#plan;
    const [z0, z1] = this.#axis === 0 ? [this.#from, this.#to] : [0, 1];
    const [y0, y1] = this.#axis === 1 ? [this.#from, this.#to] : [0, size[1]];
    const shape: Four = [...chunks, 1];
    for (let z = z0; z < z1; z += chunks[0]) {
      for (let y = y0; y < y1; y += chunks[1]) {
        for (let x = 0; x < size[2]; x += chunks[2]) {
          const box: Four = [
            Math.min(chunks[0], z1 - z),
            Math.min(chunks[1], y1 - y),
            Math.min(chunks[2], size[2] - x),
            1,
          ];
          const [slice, row] = this.#band.strides;
          const from = (z - z0) * slice + (y - y0) * row + x;
          const coordinates: Three = [z / chunks[0], y / chunks[1], x / chunks[2]];
          yield this.#pool
            .run({ kind: "encode", band: this.#band, from, box, shape, fill: 0, codec })
            .then(({ bytes }) => (bytes ? write(coordinates, bytes) : undefined));
        }
      }
    }
  }
}
