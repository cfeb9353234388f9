// K-means on the CPU. Threads process ranges of colours. Their sums are merged as integers, so the order in which
// ranges finish does not matter.

import type { Call } from "../core/call.js";
import type {
  Assessment,
  Centres,
  ClusterRule,
  ColourStart,
  Iterated,
  IterationPlan,
  StartPlan,
} from "../core/clusters.js";
import type { Pixels } from "../core/pixels.js";
import type { ColoursPlan } from "../core/plans.js";
import type { ClassesRequest } from "../core/requests.js";
import type { BackendColours } from "../device/backend.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Sink } from "../types/raster.js";
import { metered } from "./bands.js";
import { type Arguments, type KernelCall, kernelCall, runKernel } from "./kernels.js";
import { COST_CODE, LIST_BYTES, openMeans, openMedians, readList, writeList } from "./kmeans-centres.js";
import { type Colours, colourRanges, eachRange, groupCount, rangesOf, writeClasses } from "./kmeans-colours.js";
import { startCentres } from "./kmeans-init.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";

// The backend loads them with what they are for.
export { countColours, placeColours } from "./kmeans-colours.js";

const { MOST_CLASSES } = LAYOUT.kmeans;

/** The colours of an image, and how they are divided among threads. */
export class CpuColours implements BackendColours {
  readonly #pool: Pool;
  readonly #colours: Colours;
  readonly #plan: ColoursPlan;
  readonly #pixels: Pixels | undefined;
  #held = true;

  /** Without pixels, `classes` must not be called. */
  constructor(pool: Pool, colours: Colours, plan: ColoursPlan, pixels?: Pixels) {
    this.#pool = pool;
    this.#colours = colours;
    this.#plan = plan;
    this.#pixels = pixels;
  }

  get count(): number {
    return this.#colours.count;
  }

  start(init: ColourStart, plan: StartPlan, restart: number, call: Call): Promise<Centres> {
    return startCentres(this.#pool, this.#colours, init, plan, restart, call);
  }

  iterate(start: Centres, { cost, centre, maxIterations, limit }: IterationPlan, call: Call): Promise<Iterated> {
    const pool = this.#pool;
    const { at, padded, count } = this.#colours;
    const k = start.length / 3;
    return withScratch(pool, async (scope) => {
      let [now, next] = [await writeList(scope, start), await writeList(scope, start)];
      let [classes, previous] = [await scope.allocate(padded), await scope.allocate(padded)];
      const assigner = await Assigner.open(pool, scope, this.#colours);
      const empty = await scope.allocate(MOST_CLASSES);
      const furthest = await scope.allocate(MOST_CLASSES * 8);
      const update = await (centre === "mean" ? openMeans : openMedians)(
        pool,
        scope,
        this.#colours,
        this.#plan,
        k,
        call,
      );
      let [assigning, updating] = [0, 0];
      let iterations = 0;
      let converged = false;
      const metric = COST_CODE[cost];
      while (iterations < maxIterations && !converged) {
        const begin = performance.now();
        await assigner.assign(metric, k, now, classes, call);
        const middle = performance.now();
        const none = await update(classes, iterations > 0 ? previous : 0, now, next, empty);
        const refilled = none
          ? await runKernel(pool, "refillCentres", {
              metric,
              k,
              colours: at,
              padded,
              count,
              classes,
              centres: now,
              next,
              empty,
              scratch: furthest,
            })
          : 0;
        converged =
          refilled === 0 && (await runKernel(pool, "centresStay", { metric, k, centres: now, next, limit })) !== 0;
        assigning += middle - begin;
        updating += performance.now() - middle;
        [now, next] = [next, now];
        [classes, previous] = [previous, classes];
        iterations++;
        call.onProgress?.({ stage: "iterations", done: iterations, total: maxIterations });
      }
      call.timings.push({ stage: "assign", milliseconds: assigning, bytes: iterations * padded * 9 });
      call.timings.push({ stage: "update", milliseconds: updating, bytes: iterations * padded * 2 });
      return { centres: await readList(pool, now, k), iterations, converged };
    });
  }

  /**
   * Moves the empty classes of `next` to the colours that are furthest from the previous centres, for a device that
   * iterates itself. Resolves to the number of moved classes.
   */
  async refill(centres: Centres, next: Centres, empty: Uint8Array, { cost }: ClusterRule, call: Call): Promise<number> {
    const pool = this.#pool;
    const { at, padded, count } = this.#colours;
    const k = centres.length / 3;
    return withScratch(pool, async (scope) => {
      const { list, classes } = await this.#assigned(scope, centres, cost, call);
      const nextList = await writeList(scope, next);
      const marks = await scope.copyIn(empty);
      const furthest = await scope.allocate(MOST_CLASSES * 8);
      const lists = { centres: list, next: nextList, empty: marks, scratch: furthest };
      const args = { metric: COST_CODE[cost], k, colours: at, padded, count, classes, ...lists };
      const moved = await runKernel(pool, "refillCentres", args);
      next.set(await readList(pool, nextList, k));
      return moved;
    });
  }

  async assess(centres: Centres, { cost }: ClusterRule, call: Call): Promise<Assessment> {
    const sums = await this.#sums(centres, cost, call, (given, to) =>
      kernelCall("assessColours", { ...given, sums: to }),
    );
    const k = centres.length / 3;
    const counts = new Array<number>(k).fill(0);
    let total = 0n;
    for (let i = 0; i < sums.length; i += 2) {
      const number = (i / 2) % 256;
      if (number >= k) continue;
      counts[number] = counts[number] + Number(sums[i]);
      total += sums[i + 1];
    }
    return { counts, cost: total };
  }

  async silhouette(centres: Centres, { cost }: ClusterRule, call: Call): Promise<number> {
    const k = centres.length / 3;
    const sums = await this.#sums(centres, cost, call, (given, to) =>
      kernelCall("silhouetteColours", { ...given, k, sum: to }),
    );
    return Number(sums.reduce((sum, part) => sum + BigInt.asIntN(64, part), 0n)) / 2 ** 20;
  }

  /** Assigns colours, and then runs `work`, which sums up 512 numbers of 64 bits for each range. */
  #sums(
    centres: Centres,
    cost: "l1" | "l2",
    call: Call,
    work: (given: Omit<Arguments<"assessColours">, "sums">, to: number) => KernelCall,
  ): Promise<BigUint64Array> {
    const pool = this.#pool;
    return withScratch(pool, async (scope) => {
      const { list, classes } = await this.#assigned(scope, centres, cost, call);
      const ranges = colourRanges(pool, this.#colours.count);
      const sums = new BigUint64Array(512 * ranges.length);
      const sumsAt = await scope.copyIn(sums);
      const { at, padded } = this.#colours;
      const given = { metric: COST_CODE[cost], colours: at, padded, classes, centres: list };
      await eachRange(pool, call, ranges, (first, end, index) => work({ ...given, first, end }, sumsAt + index * 4096));
      await pool.read(sumsAt, sums);
      return sums;
    });
  }

  /** The nearest centre of each colour. */
  async #assigned(
    scope: ScratchScope,
    centres: Centres,
    cost: "l1" | "l2",
    call: Call,
  ): Promise<{ list: number; classes: number }> {
    const list = await writeList(scope, centres);
    const classes = await scope.allocate(this.#colours.padded);
    const assigner = await Assigner.open(this.#pool, scope, this.#colours);
    await assigner.assign(COST_CODE[cost], centres.length / 3, list, classes, call);
    return { list, classes };
  }

  classes(
    { centres, rule: { cost }, names, into }: ClassesRequest<Uint8Array | Sink<Uint8Array>>,
    call: Call,
  ): Promise<void> {
    const pool = this.#pool;
    const pixels = this.#pixels as Pixels;
    return metered(pool, call, () =>
      withScratch(pool, async (scope) => {
        const { classes } =
          centres.length > 0 ? await this.#assigned(scope, centres, cost, call) : { classes: await scope.allocate(1) };
        await writeClasses(pool, pixels, this.#plan, this.#colours, classes, names, into, call);
      }),
    );
  }

  dispose(): void {
    if (this.#held) this.#pool.free(this.#colours.at);
    this.#held = false;
  }
}

/** Assigns colours, with memory for each range of groups. */
class Assigner {
  readonly #pool: Pool;
  readonly #colours: Colours;
  readonly #ranges: ReturnType<typeof rangesOf>;
  readonly #scratch: readonly number[];

  private constructor(pool: Pool, colours: Colours, ranges: ReturnType<typeof rangesOf>, scratch: readonly number[]) {
    this.#pool = pool;
    this.#colours = colours;
    this.#ranges = ranges;
    this.#scratch = scratch;
  }

  static async open(pool: Pool, scope: ScratchScope, colours: Colours): Promise<Assigner> {
    const ranges = rangesOf(pool, groupCount(colours));
    return new Assigner(pool, colours, ranges, await scope.lanes(ranges.length, 2 * LIST_BYTES));
  }

  assign(metric: number, k: number, centres: number, classes: number, call: Call): Promise<void> {
    const { at, padded } = this.#colours;
    return eachRange(this.#pool, call, this.#ranges, (first, end, index) =>
      kernelCall("assignColours", {
        metric,
        k,
        centres,
        colours: at,
        padded,
        first,
        end,
        classes,
        scratch: this.#scratch[index],
      }),
    );
  }
}
