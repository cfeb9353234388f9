// Wand: fills from fixed seeds, prepared for every tolerance.

import type { Size } from "../core/pixels.js";
import type { WandPlan } from "../core/plans.js";
import { atLeastZero } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import type { CallOptions } from "../types/calls.js";
import { disposedError } from "../types/errors.js";
import type { Components } from "./components.js";
import type { Owned } from "./host.js";

/** Returns the components that fills from the seeds give at a tolerance. */
export type UpTo = (tolerance: number, options: CallOptions) => Promise<Components>;

/** Counts the pixels that fills from the seeds take at each tolerance of 0 to 255. */
export type CountLevels = (options: CallOptions) => Promise<Float64Array>;

/** Fills for a slider, from `engine.wand()`: any tolerance at the cost of a fill of one byte per pixel. */
export class Wand implements Disposable {
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Places [x, y] at which the fills begin. */
  readonly seeds: readonly (readonly [number, number])[];
  /** Whether pixels have to be connected to a seed. */
  readonly contiguous: boolean;
  /** Neighbours of a pixel. */
  readonly connectivity: 4 | 8;
  #upTo: UpTo | undefined;
  readonly #count: CountLevels;
  #free: () => void;
  #areas: Float64Array | undefined;

  /** @internal */
  constructor(
    { width, height }: Pick<Size, "width" | "height">,
    { seeds, connectivity, contiguous }: WandPlan,
    planes: Owned,
    upTo: UpTo,
    count: CountLevels,
    forgotten: FinalizationRegistry<Owned>,
  ) {
    this.width = width;
    this.height = height;
    this.seeds = seeds.map(([x, y]) => [x, y] as const);
    this.contiguous = contiguous;
    this.connectivity = connectivity;
    this.#upTo = upTo;
    this.#count = count;
    forgotten.register(this, planes, this);
    this.#free = () => {
      forgotten.unregister(this);
      planes.calls.free(planes.held);
    };
  }

  /**
   * Returns the same Components as `engine.fill()` with these seeds and a tolerance of 0 to 255. Costs a fill of one byte
   * per pixel from each seed, or one threshold of a byte per pixel if the wand is not contiguous.
   *
   * Rejects with InvalidArgument for a negative tolerance, and once the wand was disposed.
   *
   * @example
   * const wand = await engine.wand(photo, { seeds: [[12, 30]] });
   * for (const tolerance of [4, 8, 16]) console.log((await wand.at(tolerance)).foreground);
   */
  async at(tolerance: number, options: CallOptions = {}): Promise<Components> {
    checkOptions("at", options);
    atLeastZero("the tolerance", tolerance);
    if (!this.#upTo) throw disposedError("a wand");
    return this.#upTo(Math.min(255, Math.floor(tolerance)), options);
  }

  /**
   * Returns the number of pixels that a fill takes at each tolerance of 0 to 255. The number never decreases. Where it stays
   * nearly constant, the choice of the tolerance hardly matters.
   *
   * One flood in order of tolerance per seed, on one thread of the CPU: 30 to 70 ns per pixel and seed. Memory is about 5 bytes
   * per pixel, or 6 for several seeds. The result is computed once and kept. For a wand that is not contiguous, the areas are a
   * cumulative histogram. Rejects with InvalidArgument once the wand was disposed.
   *
   * @example
   * const areas = await wand.areas(); // areas[8] === (await wand.at(8)).foreground
   */
  async areas(options: CallOptions = {}): Promise<Float64Array> {
    checkOptions("areas", options);
    if (!this.#upTo) throw disposedError("a wand");
    this.#areas ??= await this.#count(options);
    return this.#areas.slice();
  }

  /** Frees the planes; the wand rejects from here on. Calling it again does nothing. */
  dispose(): void {
    if (this.#upTo) this.#free();
    this.#upTo = undefined;
  }

  /** Same as `dispose()`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
