// The context of a step: the plan, the storage, the pixels of blocks, an engine and the label image. Steps use nothing else, so
// that a simulation can replace it.

import { createHash } from "node:crypto";
import type { Ids } from "@skerry/files";
import { ARRAYS, through } from "@skerry/files/internal";
import {
  limitThreads,
  type OpenedImage,
  openImage,
  openStore,
  sourceOf,
  type Three,
  type ZarrBlocks,
  type ZarrBox,
} from "@skerry/files/zarr/internal";
import { type Engine, open, type Raster } from "skerry";
import { defined } from "skerry/internal";
import { ClusterError } from "./errors.js";
import type { Box, Grid } from "./grid.js";
import { volumeOf } from "./grid.js";
import { checkInputs } from "./inputs.js";
import { labelsOfRun } from "./outputs.js";
import { gridOfPlan, isMeasure, type Plan, type PlannedImage, runOf } from "./plan.js";
import type { PhaseName, StepName, StepReport } from "./step.js";
import type { Storage } from "./storage.js";

/** Phases that read a block again, and the phase before. */
const READ_BEFORE: Readonly<Record<string, PhaseName | undefined>> = { label: "histogram", relabel: "label" };

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
  /** Digests of the versions of all values that the step has read of each image, by the image's number: 0 is the input. */
  readonly seen: Map<number, string>;
  /** The step that runs. */
  step: StepName | undefined;
  /** Shared memory of at least this many bytes, reused for the same name so that its pages are touched once. */
  memory(name: string, bytes: number): SharedArrayBuffer;
  /** The pixels of a box of an image, on shared memory that the next box of the image overwrites. */
  pixels(image: PlannedImage, box: Box): Promise<Raster>;
  engine(): Promise<Engine>;
  /**
   * Checks that the images are those that were planned.
   * @throws ClusterError if one was written since
   */
  checkInputs(): Promise<void>;
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
  readonly seen = new Map<number, string>();
  step: StepName | undefined;
  /** Versions of the values that were read, by their addresses. */
  readonly #versions = new Map<string, string>();
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
    const onVersion = (address: string, version: string): void => void this.#versions.set(address, version);
    const opening = this.#images.get(url) ?? openImage(openStore(url, { onVersion }), { signal: this.signal });
    this.#images.set(url, opening);
    opening.catch(() => this.#images.delete(url));
    const image = await opening;
    // Along an axis that runs the other way the box lies as far from the end.
    const [z, y, x] = from.map((begin, axis) => {
      const at = begin + this.plan.from[axis];
      return flipped?.flips[2 - axis] ? flipped.size[axis] - at - size[axis] : at;
    }) as unknown as Three;
    const [depth, height, width] = size;
    const flat = this.plan.size[0] === 1;
    // One slice of a volume is an image, but lies where it lies.
    const isVolume = image.axes.some(({ name }) => name === "z");
    const box: ZarrBox = defined({
      x,
      y,
      width,
      height,
      z: isVolume ? z : undefined,
      depth: isVolume ? depth : undefined,
    });
    await image.array(level);
    // Metadata are read once for all blocks.
    this.#versions.clear();
    const ids = planned === this.plan.input && isMeasure(this.plan);
    const source = await sourceOf(image, defined({ level, time, channel, box, ids, signal: this.signal }));
    try {
      if (source.type !== planned.type) {
        throw new ClusterError("changed", `Expected ${url} to hold ${planned.type}, as planned, got ${source.type}.`);
      }
      const make = ARRAYS[source.type];
      const memory = this.memory(`${url} ${channel} ${time}`, volumeOf(size) * make.BYTES_PER_ELEMENT);
      await source.readInto(memory);
      await this.#compare(planned);
      const data = new make(memory as never, 0, volumeOf(size));
      this.input.bytes += source.traffic.bytes;
      this.input.chunks += source.traffic.chunks;
      const raster = defined({ data, width, height, depth: flat ? undefined : depth }) as Raster;
      const upright = flipped ? through(raster, { order: [0, 1, 2], flips: flipped.flips }) : raster;
      return { ...upright, ids: source.ids };
    } finally {
      source.close();
    }
  }

  /** Compares the versions of what was read with those that an earlier phase saw in the same block. */
  async #compare(planned: PlannedImage): Promise<void> {
    const { input, intensities } = this.plan;
    const image = planned === input ? 0 : intensities.indexOf(planned) + 1;
    const lines = [...this.#versions].map((entry) => JSON.stringify(entry)).sort();
    const digest = createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32);
    this.seen.set(image, digest);
    const before = READ_BEFORE[this.step?.phase ?? ""];
    if (this.step === undefined || before === undefined) return;
    const earlier = await this.storage.reportOf<StepReport>(before, this.step.number);
    const earlierDigest = earlier?.seen?.[image];
    if (earlierDigest === undefined || earlierDigest === digest) return;
    throw new ClusterError(
      "changed",
      `${planned.url} was written between ${before} and ${this.step.phase} of block ${this.step.number}: plan it again.`,
    );
  }

  checkInputs(): Promise<void> {
    return checkInputs(this.plan, runOf(this.plan), this.storage.keys);
  }

  memory(name: string, bytes: number): SharedArrayBuffer {
    const known = this.#memory.get(name);
    if (known && known.byteLength >= bytes) return known;
    const shared = new SharedArrayBuffer(bytes);
    this.#memory.set(name, shared);
    return shared;
  }

  engine(): Promise<Engine> {
    this.#engine ??= open(defined({ device: "cpu", threads: this.#threads }));
    return this.#engine;
  }

  labels(type: "u32" | "u64"): Promise<ZarrBlocks> {
    return labelsOfRun(this.plan, type);
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
    this.#engine = undefined;
  }
}
