// Label images that several processes write block by block. Each block holds whole chunks and shards of the levels that it
// writes, so no two writers share a file. A block's pixels at the first smaller level that blocks do not write are returned, for
// the process that finishes the image.

import { UsageError } from "../errors.js";
import type { Band, Four } from "./chunk.js";
import {
  alongSpace,
  checkName,
  type Plan,
  type PlannedLevel,
  planOf,
  spaceOf,
  type Three,
  type ZarrSinkOptions,
} from "./layout.js";
import { sharedPool } from "./pool.js";
import type { Part } from "./pyramid.js";
import type { WritableStore } from "./store/store.js";
import { Unfinished } from "./unfinished.js";

/** Options of {@link zarrBlocks}. */
export interface ZarrBlocksOptions extends Omit<ZarrSinkOptions, "type"> {
  readonly type?: "u32" | "u64";
  /** Sides of a block along z, y and x. */
  readonly block: Three;
  /** Name of the run, a part of the name of the folder that holds the image until it is finished. */
  readonly run: string;
}

/** Labels of a box of a level. With 64-bit labels, `data` holds indices into `labels`. */
export interface LabelBox {
  /** First pixel and sides along z, y and x. */
  readonly from: Three;
  readonly size: Three;
  /** On shared memory, in C order. */
  readonly data: Uint32Array<SharedArrayBuffer>;
  readonly labels?: Float64Array<SharedArrayBuffer> | undefined;
}

/** A label image that is written in blocks. */
export interface ZarrBlocks {
  /** Path of the finished image. */
  readonly url: string;
  /** Values beside the arrays, such as tables, which appear with the image. */
  readonly beside: WritableStore;
  /** The first level that no block writes; undefined if blocks write all. */
  readonly rest: number | undefined;
  /** Begins the image, before a block is written. */
  begin(): Promise<void>;
  /**
   * Writes a block of level 0, and of the smaller levels whose whole chunks it holds.
   * @returns the block at level {@link rest}, if there is one
   */
  write(block: LabelBox): Promise<LabelBox | undefined>;
  /** Writes level {@link rest} and the smaller ones, from the boxes that {@link write} returned. */
  writeRest(boxes: AsyncIterable<LabelBox> | Iterable<LabelBox>): Promise<void>;
  /** Whether the image has its final name already. */
  isFinished(): Promise<boolean>;
  /** Writes the metadata, and gives the image its final name. A second call does nothing. */
  finish(count: number): Promise<void>;
  /** Takes the name away again, in a bucket, if the run was removed while it finished. */
  withdraw(): Promise<void>;
}

/**
 * Opens a label image that several processes write, each its own blocks. Writing a block again writes the same bytes.
 * @throws UsageError if two blocks would share a chunk or a shard, or if the size of a level is not that of the level above
 * divided by whole factors
 */
export async function zarrBlocks(url: string, options: ZarrBlocksOptions): Promise<ZarrBlocks> {
  const plan = fitted(await planOf(url, options), options.block);
  return new Blocks(plan, options);
}

/**
 * Checks that {@link zarrBlocks} accepts these options, and that the name is free, unless `overwrite` is set.
 * @throws UsageError, ZarrError
 */
export async function checkBlocks(url: string, options: ZarrBlocksOptions): Promise<void> {
  const plan = await planOf(url, options);
  await checkName(plan, options.overwrite ?? false);
  new Blocks(fitted(plan, options.block), options);
}

const three = (each: (axis: 0 | 1 | 2) => number): Three => [each(0), each(1), each(2)];

/** The plan with shards of smaller levels that are no larger than a block at that level. */
function fitted(plan: Plan, block: Three): Plan {
  const space = spaceOf(plan.axes);
  const factors = factorsOf(plan.levels.map(({ shape }) => alongSpace(space, shape)));
  const levels = plan.levels.map((level, number): PlannedLevel => {
    if (!level.shards) return level;
    const shards = level.shards.map((side, dimension) => {
      const axis = space.indexOf(dimension);
      if (axis < 0) return side;
      const factor = block[axis] / factors[number].factors[axis];
      return factor < side && factor >= level.chunks[dimension] && factor % level.chunks[dimension] === 0
        ? factor
        : side;
    });
    return { ...level, shards };
  });
  return { ...plan, levels };
}

/** For each level the number of pixels of level 0, and of the level above, that one pixel stands for. */
function factorsOf(sizes: readonly Three[]): { readonly factors: Three; readonly steps: Three }[] {
  let factors: Three = [1, 1, 1];
  return sizes.map((size, level) => {
    const above = sizes[Math.max(0, level - 1)];
    const steps = three((axis) => Math.max(1, Math.round(above[axis] / size[axis])));
    const before = factors;
    factors = three((axis) => before[axis] * steps[axis]);
    return { factors, steps };
  });
}

interface LevelFacts {
  readonly size: Three;
  readonly chunks: Three;
  /** Pixels of level 0 that one pixel stands for, and pixels of the level above. */
  readonly factors: Three;
  readonly steps: Three;
}

class Blocks implements ZarrBlocks {
  readonly url: string;
  readonly beside: WritableStore;
  readonly rest: number | undefined;
  readonly #levels: readonly LevelFacts[];
  readonly #options: ZarrBlocksOptions;
  readonly #plan: Plan;
  readonly #unfinished: Unfinished;

  constructor(plan: Plan, options: ZarrBlocksOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#unfinished = new Unfinished(plan, options, options.run);
    this.url = this.#unfinished.url;
    this.beside = this.#unfinished.beside;
    const space = spaceOf(plan.axes);
    const sizes = plan.levels.map(({ shape }) => alongSpace(space, shape));
    const all = factorsOf(sizes);
    this.#levels = plan.levels.map(({ chunks }, level) => {
      const { factors, steps } = all[level];
      const size = sizes[level];
      const above = sizes[Math.max(0, level - 1)];
      const isWhole = size.every(
        (side, axis) => side === Math.floor(above[axis] / steps[axis]) || side === Math.ceil(above[axis] / steps[axis]),
      );
      if (!isWhole) {
        throw new UsageError(
          `Expected levels of whole factors for labels in ${this.url}, got ${[...size].reverse().join(" x ")}.`,
        );
      }
      return { size, chunks: alongSpace(space, chunks), factors, steps };
    });
    const rest = plan.levels.findIndex((_, level) => !this.#isHeld(level));
    this.rest = rest < 0 ? undefined : rest;
    if (this.rest === 0) {
      const sides = alongSpace(space, plan.levels[0].shards ?? plan.levels[0].chunks);
      throw new UsageError(
        `Expected a block of whole ${plan.levels[0].shards ? "shards" : "chunks"} of ${[...sides].reverse().join(" x ")} for ${this.url}, got ${[...options.block].reverse().join(" x ")}.`,
      );
    }
    if (options.downsample === "mode" && this.rest !== undefined && !this.#divides(this.#levels[this.rest].factors)) {
      throw new UsageError(
        `Expected a block that the factors of level ${this.rest} divide for --downsample mode, ${[...this.#levels[this.rest].factors].reverse().join(" x ")}, for labels in ${this.url}, got ${[...options.block].reverse().join(" x ")}.`,
      );
    }
  }

  /** Whether every border between blocks lies between two pixels of the level with these factors. */
  #divides(factors: Three): boolean {
    const { block } = this.#options;
    return factors.every((factor, axis) => block[axis] >= this.#levels[0].size[axis] || block[axis] % factor === 0);
  }

  /** Whether blocks hold whole chunks, or shards, of a level. */
  #isHeld(level: number): boolean {
    const { factors } = this.#levels[level];
    if (!this.#divides(factors)) return false;
    const { chunks, shards } = this.#plan.levels[level];
    const sides = alongSpace(spaceOf(this.#plan.axes), shards ?? chunks);
    const { block } = this.#options;
    return sides.every(
      (side, axis) => block[axis] >= this.#levels[0].size[axis] || (block[axis] / factors[axis]) % side === 0,
    );
  }

  begin(): Promise<void> {
    return this.#unfinished.begin(this.#options.run);
  }

  async write(block: LabelBox): Promise<LabelBox | undefined> {
    let box = block;
    for (const level of this.#levels.keys()) {
      if (level > 0) box = await this.#reduced(box, level);
      if (level === this.rest) break;
      await this.#writeBox(box, level);
    }
    await this.#unfinished.finishShards();
    await this.#unfinished.removeLate(this.#options.run);
    return this.rest === undefined ? undefined : box;
  }

  async writeRest(boxes: AsyncIterable<LabelBox> | Iterable<LabelBox>): Promise<void> {
    if (this.rest === undefined) return;
    const { size } = this.#levels[this.rest];
    const wide = this.#options.type === "u64";
    const data = new Uint32Array(new SharedArrayBuffer(size[0] * size[1] * size[2] * 4));
    const table = [0];
    for await (const box of boxes) {
      const base = table.length - 1;
      if (wide && box.labels) for (const label of box.labels.subarray(1)) table.push(label);
      const [depth, height, width] = box.size;
      for (let z = 0; z < depth; z++) {
        for (let y = 0; y < height; y++) {
          const to = ((z + box.from[0]) * size[1] + y + box.from[1]) * size[2] + box.from[2];
          const row = box.data.subarray((z * height + y) * width, (z * height + y + 1) * width);
          data.set(wide ? row.map((value) => value && value + base) : row, to);
        }
      }
    }
    const labels = wide ? shared(table) : undefined;
    let reduced: LabelBox = { from: [0, 0, 0], size, data, labels };
    for (let level = this.rest; level < this.#levels.length; level++) {
      if (level > this.rest) reduced = await this.#reduced(reduced, level);
      await this.#writeBox(reduced, level);
    }
  }

  async finish(count: number): Promise<void> {
    await this.#unfinished.finishOnce(count, this.#options.run);
  }

  withdraw(): Promise<void> {
    return this.#unfinished.withdraw(this.#options.run);
  }

  isFinished(): Promise<boolean> {
    return this.#unfinished.isOwn(this.#options.run);
  }

  /** Downsamples a box of the level above to a level. */
  async #reduced(box: LabelBox, level: number): Promise<LabelBox> {
    const { size: levelSize, steps } = this.#levels[level];
    // Pixels whose first pixel above lies in the box.
    const from = three((axis) => Math.ceil(box.from[axis] / steps[axis]));
    const size = three((axis) =>
      Math.max(0, Math.min(Math.ceil((box.from[axis] + box.size[axis]) / steps[axis]), levelSize[axis]) - from[axis]),
    );
    const data = new Uint32Array(new SharedArrayBuffer(size[0] * size[1] * size[2] * 4));
    const reducedBox = { from, size, data, labels: box.labels };
    if (data.length === 0) return reducedBox;
    if (this.#options.downsample === "mode") {
      await sharedPool().run({
        kind: "reduce",
        how: "mode",
        from: partOf(box),
        to: partOf(reducedBox),
        factors: steps,
        z: [0, size[0]],
        y: [0, size[1]],
      });
    } else takeFirst(box, reducedBox, steps);
    return reducedBox;
  }

  async #writeBox(box: LabelBox, level: number): Promise<void> {
    const { codec = { name: "zstd" } } = this.#options;
    const { chunks } = this.#levels[level];
    const { band } = partOf(box);
    const [depth, height, width] = box.size;
    const shape: Four = [...chunks, 1];
    const wide = this.#options.type === "u64" ? (box.labels ?? range(box.data)).buffer : undefined;
    const writing: { readonly at: Three; readonly bytes: Promise<Uint8Array | undefined> }[] = [];
    for (let z = 0; z < depth; z += chunks[0]) {
      for (let y = 0; y < height; y += chunks[1]) {
        for (let x = 0; x < width; x += chunks[2]) {
          const sides: Four = [
            Math.min(chunks[0], depth - z),
            Math.min(chunks[1], height - y),
            Math.min(chunks[2], width - x),
            1,
          ];
          const from = (z * height + y) * width + x;
          const at = three((axis) => (box.from[axis] + [z, y, x][axis]) / chunks[axis]);
          const job = { kind: "encode", band, from, box: sides, shape, fill: 0, codec, wide } as const;
          const bytes = sharedPool()
            .run(job)
            .then((done) => done.bytes);
          bytes.catch(() => undefined);
          writing.push({ at, bytes });
        }
      }
    }
    // Chunks are put in order, so that the bytes of a shard do not depend on the order in which they were packed.
    for (const { at, bytes } of writing) {
      const packed = await bytes;
      if (packed) await this.#unfinished.put(level, at, packed);
    }
  }
}

/** Fills a box with the first of the pixels above that each of its pixels stands for. */
function takeFirst(above: LabelBox, { from, size, data }: LabelBox, steps: Three): void {
  const [, height, width] = above.size;
  const [z0, y0, x0] = three((axis) => from[axis] * steps[axis] - above.from[axis]);
  let at = 0;
  for (let z = 0; z < size[0]; z++) {
    for (let y = 0; y < size[1]; y++) {
      let from = ((z0 + z * steps[0]) * height + y0 + y * steps[1]) * width + x0;
      for (let x = 0; x < size[2]; x++, from += steps[2]) data[at++] = above.data[from];
    }
  }
}

/** Numbers as f64 on shared memory. */
function shared(numbers: readonly number[]): Float64Array<SharedArrayBuffer> {
  const shared = new Float64Array(new SharedArrayBuffer(numbers.length * 8));
  shared.set(numbers);
  return shared;
}

/** The table of labels that stand for themselves. */
function range(data: Uint32Array): Float64Array<SharedArrayBuffer> {
  const most = data.reduce((a, b) => Math.max(a, b), 0);
  return shared(Array.from({ length: most + 1 }, (_, i) => i));
}

/** A box as an image of its own. */
function partOf({ size, data }: LabelBox): Part {
  const [, height, width] = size;
  const band: Band = { buffer: data.buffer, type: "u32", offset: 0, strides: [height * width, width, 1, 1] };
  return { band, size, z0: 0, y0: 0 };
}
