// Sinks into Zarr: label images inside an image or separate ones, distances, classes. Rows are written in order, and wait in
// memory until chunks are whole.

import type { PixelArray, Sink } from "skerry";
import { UsageError } from "../errors.js";
import { type Band, type Four, valuesOf } from "./chunk.js";
import { ZarrError } from "./errors.js";
import type { FilledChunk, ZarrFilled } from "./fill.js";
import {
  alongSpace,
  bytesOf,
  checkClaim,
  checkName,
  type Plan,
  planOf,
  spaceOf,
  type Three,
  type ZarrSinkOptions,
} from "./layout.js";
import { LevelWriter, type RowType } from "./levels.js";
import { sharedPool } from "./pool.js";
import { isWhole } from "./pyramid.js";
import type { WritableStore } from "./store/store.js";
import { Unfinished } from "./unfinished.js";

/** A Sink into Zarr. The image appears when it is finished. */
export interface ZarrSink<T extends PixelArray = Uint32Array> extends Sink<T> {
  readonly shared: true;
  /** Path of the finished image. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Values beside the arrays, such as tables, which appear with the image. */
  readonly beside: WritableStore;
  /** Bytes of chunks that were written. */
  readonly bytes: number;
  /**
   * Writes the metadata, and gives the image its final name.
   * @param facts the number of labels: for up to 1000, the colours of overlays are written
   * @throws ZarrError if rows are missing, or if the disk is full
   */
  finish(facts?: { readonly count?: number }): Promise<void>;
  /** Writes a fill instead of rows: 1 in its pixels. Only chunks that it reaches are written. */
  paint(filled: Pick<ZarrFilled, "chunks">): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}
/**
 * Begins an image in Zarr: a label image inside the image at `url`, or a separate image if `url` is free. Runs in Node.
 *
 * A label image has the axes, the levels and the version of its image. Chunks of zeros are not written. Chunks are packed in
 * worker threads. Rows wait in memory until their chunks are whole: at most 170 MiB for chunks of the default size.
 *
 * @throws ZarrError if the store cannot be written
 * @throws UsageError for a version that is not written, sizes that do not match, or a name that exists, without `overwrite`
 * @example
 * const source = await zarrSource("cells.zarr");
 * const cells = await engine.components(source, { threshold: { above: 110 }, connectivity: 26 });
 * const sink = await zarrSink("cells.zarr", { name: "cells" });
 * await cells.labels({ into: sink });
 * await sink.finish({ count: cells.count });
 */
export async function zarrSink<T extends PixelArray = Uint32Array>(
  url: string,
  options: ZarrSinkOptions = {},
): Promise<ZarrSink<T>> {
  const plan = await planOf(url, options);
  await checkClaim(plan);
  await checkName(plan, options.overwrite ?? false);
  return (await Writer.begin(plan, options)) as unknown as ZarrSink<T>;
}

/**
 * Checks that {@link zarrSink} accepts these options, before anything is computed. Returns the folder or URL that would be written.
 * @throws UsageError, ZarrError
 */
export async function checkSink(url: string, options: ZarrSinkOptions): Promise<string> {
  const plan = await planOf(url, options);
  await checkClaim(plan);
  await checkName(plan, options.overwrite ?? false);
  return plan.parent.at(plan.name).url;
}

/** Type of rows. */
function rowType({ type = "u32" }: ZarrSinkOptions): RowType {
  if (type !== "u64") return type;
  throw new UsageError("Expected rows of 32-bit labels, got u64: those are written in blocks, by many machines.");
}

class Writer implements ZarrSink<PixelArray> {
  readonly shared = true;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly beside: WritableStore;

  readonly #plan: Plan;
  readonly #options: ZarrSinkOptions;
  readonly #unfinished: Unfinished;
  readonly #writers: LevelWriter[] = [];
  #isPainted = false;

  static async begin(plan: Plan, options: ZarrSinkOptions): Promise<Writer> {
    const unfinished = new Unfinished(plan, options);
    await unfinished.beginAlone();
    return new Writer(plan, options, unfinished);
  }

  constructor(plan: Plan, options: ZarrSinkOptions, unfinished: Unfinished) {
    this.#plan = plan;
    this.#options = options;
    this.#unfinished = unfinished;
    this.url = unfinished.url;
    this.beside = unfinished.beside;
    const space = spaceOf(plan.axes);
    const three = (numbers: readonly number[]): Three => alongSpace(space, numbers);
    [this.depth, this.height, this.width] = three(plan.levels[0].shape);
    const { codec = { name: "zstd" }, downsample = "nearest" } = options;
    const type = rowType(options);
    const pool = sharedPool();
    const axis: 0 | 1 = this.depth > 1 ? 0 : 1;
    const dimension = space[axis] as number;
    // The smallest level comes first, because each level needs the next smaller one.
    for (let level = plan.levels.length - 1; level >= 0; level--) {
      const { shape, chunks, shards } = plan.levels[level];
      const outer = shards && { dimension, inside: shards[dimension] / chunks[dimension] };
      const write = (at: Three, bytes: Uint8Array): Promise<void> => unfinished.put(level, at, bytes);
      const plans = {
        axis,
        size: three(shape),
        chunks: three(chunks),
        type,
        codec,
        downsample,
        write,
        shards: unfinished.shards[level],
        outer,
      };
      this.#writers.unshift(new LevelWriter(plans, pool, this.#writers[0]));
    }
  }

  get bytes(): number {
    return this.#unfinished.bytes;
  }

  async write(z0: number, z1: number, y0: number, y1: number, data: PixelArray): Promise<void> {
    const { depth, height, width, url } = this;
    if (z1 > depth || y1 > height || data.length !== (z1 - z0) * (y1 - y0) * width) {
      const rows = `${y1 - y0} rows of ${Math.round(data.length / Math.max(1, (z1 - z0) * (y1 - y0)))} pixels`;
      throw new UsageError(
        `Expected pixels of ${width} x ${height}${depth > 1 ? ` x ${depth}` : ""} for ${url}, got ${rows} from row ${y0} of slice ${z0} on.`,
      );
    }
    await this.#writers[0].write(data);
  }

  /**
   * Writes 1 in the pixels of a fill, and only the chunks that it reaches. A pixel of a smaller version is 1 if the first pixel
   * that it stands for is filled.
   */
  async paint({ chunks: filled }: Pick<ZarrFilled, "chunks">): Promise<void> {
    const { levels, axes } = this.#plan;
    const space = spaceOf(axes);
    const { codec = { name: "zstd" } } = this.#options;
    const type = rowType(this.#options);
    const three = (numbers: readonly number[]): Three => alongSpace(space, numbers);
    const wholeSize = three(levels[0].shape);
    for (const [level, { shape, chunks }] of levels.entries()) {
      const size = three(shape);
      const sides = three(chunks);
      const factors = size.map((side, i) => Math.round(wholeSize[i] / side));
      if (size.some((side, i) => !isWhole(side, wholeSize[i]))) {
        throw new UsageError(`Expected levels of whole factors for a fill in ${this.url}, got ${size.join(" x ")}.`);
      }
      for (const [at, pieces] of groupedBy(filled, size, sides, factors)) {
        const buffer = new SharedArrayBuffer(sides[0] * sides[1] * sides[2] * bytesOf(type));
        const band: Band = { buffer, type, offset: 0, strides: [sides[1] * sides[2], sides[2], 1, 1] };
        const box: Four = [
          Math.min(sides[0], size[0] - at[0] * sides[0]),
          Math.min(sides[1], size[1] - at[1] * sides[1]),
          Math.min(sides[2], size[2] - at[2] * sides[2]),
          1,
        ];
        for (const chunk of pieces) paintRuns(chunk, valuesOf(band), { at, sides, box, factors });
        const job = { kind: "encode", band, from: 0, box, shape: [...sides, 1], fill: 0, codec } as const;
        const { bytes: packed } = await sharedPool().run(job);
        if (packed) await this.#unfinished.put(level, at, packed);
      }
    }
    this.#isPainted = true;
  }

  async finish({ count }: { count?: number } = {}): Promise<void> {
    if (this.#unfinished.isEnded) return;
    for (const writer of this.#writers) {
      if (!writer.isWhole && !this.#isPainted)
        throw new ZarrError(
          "unwritable",
          `Could not write ${this.url}: it was opened for ${this.width} x ${this.height}${this.depth > 1 ? ` x ${this.depth}` : ""} pixels, of which rows are missing.`,
        );
    }
    await this.#unfinished.finish(count);
  }

  discard(): Promise<void> {
    return this.#unfinished.discard();
  }
}

/** Chunks of a fill, grouped by the chunks of a level that they overlap. */
function groupedBy(
  filled: readonly FilledChunk[],
  size: Three,
  sides: Three,
  factors: readonly number[],
): [Three, FilledChunk[]][] {
  const groups = new Map<string, [Three, FilledChunk[]]>();
  for (const chunk of filled) {
    const first = [chunk.z, chunk.y, chunk.x].map((at, i) => Math.floor(at / factors[i] / sides[i]));
    const last = [chunk.z + chunk.depth, chunk.y + chunk.height, chunk.x + chunk.width].map((end, i) =>
      Math.floor(Math.min(size[i] - 1, (end - 1) / factors[i]) / sides[i]),
    );
    for (let kz = first[0]; kz <= last[0]; kz++) {
      for (let ky = first[1]; ky <= last[1]; ky++) {
        for (let kx = first[2]; kx <= last[2]; kx++) {
          const key = `${kz}/${ky}/${kx}`;
          const group = groups.get(key) ?? [[kz, ky, kx], []];
          group[1].push(chunk);
          groups.set(key, group);
        }
      }
    }
  }
  return [...groups.values()];
}

/** Writes the runs of a fill's chunk into a chunk of a level. */
function paintRuns(
  { x, y, z, height, runs }: FilledChunk,
  values: PixelArray,
  { at, sides, box, factors }: { at: Three; sides: Three; box: Four; factors: readonly number[] },
): void {
  for (const { row, begin, end } of runs) {
    const [slice, line] = [z + Math.floor(row / height), y + (row % height)];
    if (slice % factors[0] !== 0 || line % factors[1] !== 0) continue;
    const k = slice / factors[0] - at[0] * sides[0];
    const j = line / factors[1] - at[1] * sides[1];
    if (k < 0 || k >= box[0] || j < 0 || j >= box[1]) continue;
    const from = Math.max(0, Math.ceil((x + begin) / factors[2]) - at[2] * sides[2]);
    const to = Math.min(box[2], Math.ceil((x + end) / factors[2]) - at[2] * sides[2]);
    const first = (k * sides[1] + j) * sides[2];
    if (to > from) values.fill(1, first + from, first + to);
  }
}
