// The context of a step: the plan, the storage, the pixels of blocks, an engine and the label image. Steps use nothing else, so
// that a simulation can replace it.

import { ARRAYS, type Ids, through } from "@skerry/files";
import {
  limitThreads,
  type OpenedImage,
  openImage,
  openStore,
  sourceOf,
  type Three,
  type ZarrBlocks,
  type ZarrBox,
  zarrBlocks,
} from "@skerry/zarr";
import { type Engine, open, type Raster } from "skerry";
import type { Box, Grid } from "./grid.js";
import { volumeOf } from "./grid.js";
import { gridOfPlan, isMeasure, labelOptions, type Plan, type PlannedImage, runOf } from "./plan.js";
import type { Storage } from "./storage.js";

/** Bytes and chunks of the input that were read. */
export interface InputTraffic {
  bytes: number;
  chunks: number;
}

/** The context of a step. */
export interface Context {
  readonly plan: Plan;
  readonly grid: Grid;
  readonly storage: Storage;
  readonly signal?: AbortSignal | undefined;
  readonly input: InputTraffic;
  /** Shared memory of at least this many bytes, reused for the same name so that its pages are touched once. */
  memory(name: string, bytes: number): SharedArrayBuffer;
  /** The pixels of a box of an image, on shared memory that the next box of the image overwrites. */
  pixels(image: PlannedImage, box: Box): Promise<Raster>;
  engine(): Promise<Engine>;
  /** The label image that blocks are written to. */
  labels(type: "u32" | "u64"): Promise<ZarrBlocks>;
}

/** The context of a process. Open images and the engine are kept for the next step. */
export class ProcessContext implements Context {
  readonly plan: Plan;
  readonly grid: Grid;
  readonly storage: Storage;
  readonly signal: AbortSignal | undefined;
  readonly input: InputTraffic = { bytes: 0, chunks: 0 };
  readonly #images = new Map<string, Promise<OpenedImage>>();
  readonly #threads: number | undefined;
  readonly #memory = new Map<string, SharedArrayBuffer>();
  #engine: Promise<Engine> | undefined;

  constructor(
    plan: Plan,
    storage: Storage,
    { signal, threads }: { signal?: AbortSignal | undefined; threads?: number | undefined } = {},
  ) {
    this.plan = plan;
    this.grid = gridOfPlan(plan);
    this.storage = storage;
    this.signal = signal;
    this.#threads = threads;
    // Chunks are decoded and packed before and after the engine works, on as many threads.
    if (threads !== undefined) limitThreads(threads);
  }

  /** The pixels of a block of an image; those of a label image with ids of 64 bits are their numbers. */
  async pixels(planned: PlannedImage, { from, size }: Box): Promise<Raster & { readonly ids?: Ids | undefined }> {
    const { url, level, channel, time, flipped } = planned;
    const opening = this.#images.get(url) ?? openImage(openStore(url), { signal: this.signal });
    this.#images.set(url, opening);
    opening.catch(() => this.#images.delete(url));
    const image = await opening;
    // Along an axis that runs the other way the box lies as far from the end.
    const [z, y, x] = from.map((own, axis) => {
      const at = own + this.plan.from[axis];
      return flipped?.flips[2 - axis] ? flipped.whole[axis] - at - size[axis] : at;
    }) as unknown as Three;
    const [depth, height, width] = size;
    const flat = this.plan.size[0] === 1;
    // One slice of a volume is an image, but lies where it lies.
    const isVolume = image.axes.some(({ name }) => name === "z");
    const box: ZarrBox = { x, y, width, height, ...(isVolume ? { z, depth } : {}) };
    const chosen = { level, ...(time === undefined ? {} : { time }), ...(channel === undefined ? {} : { channel }) };
    const ids = planned === this.plan.input && isMeasure(this.plan);
    const source = await sourceOf(image, { ...chosen, box, ids, ...(this.signal ? { signal: this.signal } : {}) });
    try {
      const make = ARRAYS[source.type];
      const memory = this.memory(`${url} ${channel} ${time}`, volumeOf(size) * make.BYTES_PER_ELEMENT);
      await source.readInto(memory);
      const data = new make(memory as never, 0, volumeOf(size));
      this.input.bytes += source.traffic.bytes;
      this.input.chunks += source.traffic.chunks;
      const raster = { data, width, height, ...(flat ? {} : { depth }) } as Raster;
      const upright = flipped ? through(raster, { order: [0, 1, 2], flips: flipped.flips }) : raster;
      return { ...upright, ids: source.ids };
    } finally {
      source.close();
    }
  }

  memory(name: string, bytes: number): SharedArrayBuffer {
    const known = this.#memory.get(name);
    if (known && known.byteLength >= bytes) return known;
    const made = new SharedArrayBuffer(bytes);
    this.#memory.set(name, made);
    return made;
  }

  engine(): Promise<Engine> {
    this.#engine ??= open({ device: "cpu", ...(this.#threads === undefined ? {} : { threads: this.#threads }) });
    return this.#engine;
  }

  labels(type: "u32" | "u64"): Promise<ZarrBlocks> {
    const { labels } = this.plan;
    if (!labels) throw new TypeError("Expected a plan with labels.");
    return zarrBlocks(labels.url, { ...labelOptions(this.plan, type), run: runOf(this.plan) });
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
    this.#engine = undefined;
  }
}
