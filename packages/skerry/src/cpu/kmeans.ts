// K-means on the CPU: threads take ranges of colours, and what they add up is put together in integers, so that the
// order in which they are done does not matter.

import type { BackendColours, Call, ColoursPlan, Pixels } from "../backend.js";
import type { Assessment, Centres, ClusterRule, ColourStart, Iterated, KmeansPlan } from "../kmeans.js";
import type { Sink } from "../types.js";
import { borrowing, inLanes, type Loan, metered } from "./bands.js";
import { BLOCK, type Colours, eachRange, groupCount, rangesOf, write, writeClasses } from "./colours.js";
import type { Pool } from "./pool.js";

/** Bytes of one of the three parts of a list of centres, as in assembly/points.ts. */
const LIST = 1040;
const LIST_BYTES = 3 * LIST;

/** Sums of a class take this much. */
const SUM_BYTES = 32;

const COST_CODE = { l2: 0, l1: 1 } as const;

/** The colours of an image, and how they are divided among threads. */
export class CpuColours implements BackendColours {
  readonly #pool: Pool;
  readonly #colours: Colours;
  readonly #plan: ColoursPlan;
  readonly #pixels: Pixels | undefined;
  #held = true;

  /** Without pixels there is nothing to tell the classes of. */
  constructor(pool: Pool, colours: Colours, plan: ColoursPlan, pixels?: Pixels) {
    this.#pool = pool;
    this.#colours = colours;
    this.#plan = plan;
    this.#pixels = pixels;
  }

  get count(): number {
    return this.#colours.count;
  }

  async start(
    init: ColourStart,
    { k, cost, seed }: Pick<KmeansPlan, "k" | "cost" | "seed">,
    restart: number,
    call: Call,
  ): Promise<Centres> {
    const pool = this.#pool;
    if (init === "grid") return gridOf(await this.#bounds(), k);
    const { at, padded, count } = this.#colours;
    if (init === "random") {
      const chosen = differentNumbers(k, count, seed, restart);
      const centres = new Uint16Array(k * 3);
      const word = new Uint32Array(1);
      for (const [i, number] of [...chosen].entries()) {
        await pool.read(at + number * 4, word);
        centres.set([word[0] as number, (word[0] as number) >>> 16], i * 3);
        await pool.read(at + padded * 4 + number * 4, word);
        centres[i * 3 + 2] = word[0] as number;
      }
      return centres;
    }
    return borrowing(pool, async (loan) => {
      const groups = groupCount(this.#colours);
      const blocks = padded / BLOCK;
      const state = await loan.allocate(16 + (groups + blocks) * 12 + padded * 4);
      const list = await loan.allocate(LIST_BYTES);
      // As many draws as scikit-learn's.
      const trials = 2 + Math.floor(Math.log(k));
      const begin = performance.now();
      let found = 0;
      for (; found < k; found++) {
        call.signal?.throwIfAborted();
        const args = [COST_CODE[cost], at, padded, state, list, found, trials, seed, restart];
        if (!(await pool.run("plantCentre", args))) break;
        call.onProgress?.({ stage: "centres to begin with", done: found + 1, total: k });
      }
      call.timings.push({ stage: "centres to begin with", milliseconds: performance.now() - begin, bytes: 0 });
      return readList(pool, list, found);
    });
  }

  /** The least and the most of each coordinate. */
  async #bounds(): Promise<{ lo: number[]; hi: number[] }> {
    const { at, padded } = this.#colours;
    const groups = groupCount(this.#colours);
    const boxes = new Uint16Array(groups * 8);
    await this.#pool.read(at + padded * 16 + (padded / BLOCK) * 16, boxes);
    const lo = [65535, 65535, 65535];
    const hi = [0, 0, 0];
    for (let box = 0; box < boxes.length; box += 8) {
      for (let axis = 0; axis < 3; axis++) {
        lo[axis] = Math.min(lo[axis] as number, boxes[box + axis] as number);
        hi[axis] = Math.max(hi[axis] as number, boxes[box + 4 + axis] as number);
      }
    }
    return { lo, hi };
  }

  iterate(
    start: Centres,
    { cost, centre, maxIterations, limit }: ClusterRule & Pick<KmeansPlan, "maxIterations" | "limit">,
    call: Call,
  ): Promise<Iterated> {
    const pool = this.#pool;
    const { at, padded, count } = this.#colours;
    const k = start.length / 3;
    return borrowing(pool, async (loan) => {
      let [now, next] = [await writeList(pool, loan, start), await writeList(pool, loan, start)];
      let [classes, previous] = [await loan.allocate(padded), await loan.allocate(padded)];
      const assigner = await Assigner.open(pool, loan, this.#colours);
      const empty = await loan.allocate(256);
      const furthest = await loan.allocate(256 * 8);
      const update = await (centre === "mean" ? openMeans : openMedians)(
        pool,
        loan,
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
          ? await pool.run("refillCentres", [metric, k, at, padded, count, classes, now, next, empty, furthest])
          : 0;
        converged = refilled === 0 && (await pool.run("centresStay", [metric, k, now, next, limit])) !== 0;
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
   * Moves the empty classes of `next` to the colours that are furthest from the centres before, for a device that
   * iterates itself; tells how many moved.
   */
  async refill(centres: Centres, next: Centres, empty: Uint8Array, { cost }: ClusterRule, call: Call): Promise<number> {
    const pool = this.#pool;
    const { at, padded, count } = this.#colours;
    const k = centres.length / 3;
    return borrowing(pool, async (loan) => {
      const { list, classes } = await this.#assigned(loan, centres, cost, call);
      const nextList = await writeList(pool, loan, next);
      const marks = await write(pool, loan, empty);
      const furthest = await loan.allocate(256 * 8);
      const args = [COST_CODE[cost], k, at, padded, count, classes, list, nextList, marks, furthest];
      const moved = await pool.run("refillCentres", args);
      next.set(await readList(pool, nextList, k));
      return moved;
    });
  }

  async assess(centres: Centres, { cost }: ClusterRule, call: Call): Promise<Assessment> {
    const sums = await this.#sums(centres, cost, call, (classes, list, to, first, end) => [
      "assessColours",
      [COST_CODE[cost], this.#colours.at, this.#colours.padded, first, end, classes, list, to],
    ]);
    const k = centres.length / 3;
    const counts = new Array<number>(k).fill(0);
    let total = 0n;
    for (let i = 0; i < sums.length; i += 2) {
      const number = (i / 2) % 256;
      if (number >= k) continue;
      counts[number] = (counts[number] as number) + Number(sums[i]);
      total += sums[i + 1] as bigint;
    }
    return { counts, cost: total };
  }

  async silhouette(centres: Centres, { cost }: ClusterRule, call: Call): Promise<number> {
    const k = centres.length / 3;
    const { counts } = await this.assess(centres, { cost, centre: "mean" }, call);
    const sums = await this.#sums(centres, cost, call, (classes, list, to, first, end) => [
      "silhouetteColours",
      [COST_CODE[cost], k, this.#colours.at, this.#colours.padded, first, end, classes, list, to],
    ]);
    const parts = sums.reduce((sum, part) => sum + BigInt.asIntN(64, part), 0n);
    return Number(parts) / 2 ** 20 / counts.reduce((sum, n) => sum + n, 0);
  }

  /** Assigns colours, and then adds something up: 512 numbers of 64 bits for each range. */
  #sums(
    centres: Centres,
    cost: "l1" | "l2",
    call: Call,
    work: (
      classes: number,
      list: number,
      to: number,
      first: number,
      end: number,
    ) => readonly [string, readonly (number | boolean)[]],
  ): Promise<BigUint64Array> {
    const pool = this.#pool;
    return borrowing(pool, async (loan) => {
      const { list, classes } = await this.#assigned(loan, centres, cost, call);
      const ranges = rangesOf(pool, this.#colours.count);
      const sums = new BigUint64Array(512 * ranges.length);
      const sumsAt = await loan.allocate(sums.byteLength);
      await pool.write(sumsAt, sums);
      await eachRange(pool, call, ranges, (first, end, index) =>
        work(classes, list, sumsAt + index * 4096, first, end),
      );
      await pool.read(sumsAt, sums);
      return sums;
    });
  }

  /** The nearest centre of each colour. */
  async #assigned(
    loan: Loan,
    centres: Centres,
    cost: "l1" | "l2",
    call: Call,
  ): Promise<{ list: number; classes: number }> {
    const list = await writeList(this.#pool, loan, centres);
    const classes = await loan.allocate(this.#colours.padded);
    const assigner = await Assigner.open(this.#pool, loan, this.#colours);
    await assigner.assign(COST_CODE[cost], centres.length / 3, list, classes, call);
    return { list, classes };
  }

  classes(
    centres: Centres,
    { cost }: ClusterRule,
    names: Uint8Array,
    into: Uint8Array | Sink<Uint8Array>,
    call: Call,
  ): Promise<void> {
    const pool = this.#pool;
    const pixels = this.#pixels as Pixels;
    return metered(pool, call, () =>
      borrowing(pool, async (loan) => {
        const { classes } =
          centres.length > 0 ? await this.#assigned(loan, centres, cost, call) : { classes: await loan.allocate(1) };
        await writeClasses(pool, pixels, this.#plan.ignoreTransparent, this.#colours, classes, names, into, call);
      }),
    );
  }

  dispose(): void {
    if (this.#held) this.#pool.release(this.#colours.at);
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

  static async open(pool: Pool, loan: Loan, colours: Colours): Promise<Assigner> {
    const ranges = rangesOf(pool, groupCount(colours));
    return new Assigner(pool, colours, ranges, await loan.lanes(ranges.length, 2 * LIST_BYTES));
  }

  assign(metric: number, k: number, centres: number, classes: number, call: Call): Promise<void> {
    const { at, padded } = this.#colours;
    return eachRange(this.#pool, call, this.#ranges, (first, end, index) => [
      "assignColours",
      [metric, k, centres, at, padded, first, end, classes, this.#scratch[index] as number],
    ]);
  }
}

/** Writes the centres that follow from classes to a list, and tells how many classes are empty. */
type Update = (classes: number, previous: number, now: number, next: number, empty: number) => Promise<number>;

/** Each range of colours has sums of its own. */
async function openMeans(
  pool: Pool,
  loan: Loan,
  colours: Colours,
  _plan: ColoursPlan,
  k: number,
  call: Call,
): Promise<Update> {
  const { at, padded } = colours;
  const ranges = rangesOf(pool, padded, BLOCK);
  const bytes = k * SUM_BYTES;
  const sums = await loan.allocate(bytes * (ranges.length + 1));
  await pool.write(sums, new Uint8Array(bytes * (ranges.length + 1)));
  const parts = sums + bytes;
  return async (classes, previous, now, next, empty) => {
    await eachRange(pool, call, ranges, (first, end, index) => [
      "sumColours",
      [at, padded, first, end, classes, previous, parts + index * bytes],
    ]);
    return pool.run("meanCentres", [k, sums, parts, ranges.length, now, next, empty]);
  };
}

/** Each axis has histograms of its own, and is one task. */
async function openMedians(
  pool: Pool,
  loan: Loan,
  colours: Colours,
  { space }: ColoursPlan,
  k: number,
  call: Call,
): Promise<Update> {
  const { at, padded } = colours;
  const histograms = await loan.lanes(3, k * 2 ** space.bits * 4);
  return async (classes, previous, now, next, empty) => {
    let none = 0;
    await inLanes({ ...call, onProgress: undefined }, "axes", [0, 1, 2], 3, async (axis) => {
      const args = [axis, k, space.bits, space.fraction, at, padded, classes, previous, histograms[axis] as number];
      none = await pool.run("medianCentres", [...args, now, next, empty]);
    });
    return none;
  };
}

/** Centres as the kernels' list of them. */
async function writeList(pool: Pool, loan: Loan, centres: Centres): Promise<number> {
  const list = new Uint32Array(LIST_BYTES / 4);
  const k = centres.length / 3;
  for (let i = 0; i < k; i++) {
    list[i] = (centres[i * 3] as number) | ((centres[i * 3 + 1] as number) << 16);
    list[LIST / 4 + i] = centres[i * 3 + 2] as number;
    list[LIST / 2 + i] = i;
  }
  const pointer = await loan.allocate(LIST_BYTES);
  await pool.write(pointer, list);
  return pointer;
}

async function readList(pool: Pool, pointer: number, k: number): Promise<Centres> {
  const list = new Uint32Array(LIST_BYTES / 4);
  await pool.read(pointer, list);
  const centres = new Uint16Array(k * 3);
  for (let i = 0; i < k; i++) {
    const xy = list[i] as number;
    centres.set([xy & 0xffff, xy >>> 16, list[LIST / 4 + i] as number], i * 3);
  }
  return centres;
}

/** The middles of k cells of a grid of g x g x g over a box, evenly chosen; axes without extent are not cut. */
function gridOf({ lo, hi }: { lo: number[]; hi: number[] }, k: number): Centres {
  const axes = [0, 1, 2].filter((axis) => (hi[axis] as number) > (lo[axis] as number));
  let cuts = 1;
  while (cuts ** axes.length < k && axes.length > 0) cuts++;
  const cells = cuts ** axes.length;
  const centres = new Uint16Array(k * 3);
  for (let i = 0; i < k; i++) {
    let cell = Math.floor((i * cells) / k);
    centres.set(lo, i * 3);
    for (const axis of axes) {
      const extent = (hi[axis] as number) - (lo[axis] as number);
      centres[i * 3 + axis] = (lo[axis] as number) + Math.floor(((2 * (cell % cuts) + 1) * extent) / (2 * cuts));
      cell = Math.floor(cell / cuts);
    }
  }
  return centres;
}

/** k different numbers below n in random order (Floyd 1987), from the generator of the kernels (splitmix64). */
function differentNumbers(k: number, n: number, seed: number, stream: number): Set<number> {
  let state = (BigInt(stream) << 32n) | BigInt(seed);
  const mask = 0xffffffffffffffffn;
  const below = (limit: number): number => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number(((z ^ (z >> 31n)) * BigInt(limit)) >> 64n);
  };
  const chosen = new Set<number>();
  for (let last = n - k; last < n; last++) {
    const drawn = below(last + 1);
    chosen.add(chosen.has(drawn) ? last : drawn);
  }
  return chosen;
}
