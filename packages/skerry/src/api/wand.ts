// Wand: a fill that was prepared for every tolerance at once.

import type { Size } from "../core/pixels.js";
import { atLeastZero } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import type { CallOptions } from "../types/calls.js";
import { disposedError } from "../types/errors.js";
import type { Components } from "./components.js";
import type { Owned } from "./host.js";

/** Returns the components of the pixels whose level is at most a tolerance. */
export type UpTo = (tolerance: number, options: CallOptions) => Promise<Components>;

/** How many pixels have each level. */
export type CountLevels = (options: CallOptions) => Promise<Float64Array>;

/** A fill for a slider, from `engine.wand()`: any tolerance at the cost of a threshold. */
export class Wand implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly seed: readonly [number, number];
  readonly connectivity: 4 | 8;
  #upTo: UpTo | undefined;
  readonly #count: CountLevels;
  #free: () => void;

  /** @internal */
  constructor(
    { width, height }: Pick<Size, "width" | "height">,
    seed: readonly [number, number],
    connectivity: 4 | 8,
    levels: Owned,
    upTo: UpTo,
    count: CountLevels,
    forgotten: FinalizationRegistry<Owned>,
  ) {
    this.width = width;
    this.height = height;
    this.seed = seed;
    this.connectivity = connectivity;
    this.#upTo = upTo;
    this.#count = count;
    forgotten.register(this, levels, this);
    this.#free = () => {
      forgotten.unregister(this);
      levels.calls.free(levels.held);
    };
  }

  /**
   * Returns the same Components as `engine.fill()` with this seed and a tolerance of 0 to 255. One pass over a byte per
   * pixel.
   *
   * Rejects with InvalidArgument for a negative tolerance, and once the wand was disposed.
   *
   * @example
   * const wand = await engine.wand(photo, { seed: [12, 30] });
   * for (const tolerance of [4, 8, 16]) console.log((await wand.at(tolerance)).foreground);
   */
  async at(tolerance: number, options: CallOptions = {}): Promise<Components> {
    checkOptions("at", options);
    atLeastZero("the tolerance", tolerance);
    if (!this.#upTo) throw disposedError("a wand");
    return this.#upTo(Math.min(255, Math.floor(tolerance)), options);
  }

  /**
   * Returns the number of pixels that a fill takes at each tolerance of 0 to 255. It never decreases. A flat stretch is
   * a range of tolerances that hardly matters. One pass over a byte per pixel. Rejects with InvalidArgument once the
   * wand was disposed.
   *
   * @example
   * const areas = await wand.areas(); // areas[8] === (await wand.at(8)).foreground
   */
  async areas(options: CallOptions = {}): Promise<Float64Array> {
    checkOptions("areas", options);
    if (!this.#upTo) throw disposedError("a wand");
    const areas = await this.#count(options);
    for (let i = 1; i < areas.length; i++) areas[i] = areas[i] + areas[i - 1];
    return areas;
  }

  /** Frees the levels; the wand rejects from here on. Calling it again does nothing. */
  dispose(): void {
    if (this.#upTo) this.#free();
    this.#upTo = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
