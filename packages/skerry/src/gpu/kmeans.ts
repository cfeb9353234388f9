// K-means on the device: iterations are recorded in batches, each of which ends with one small read-back. The kernels themselves
// see when nothing changes any more and do nothing from there on. What is drawn by chance, silhouettes, and the
// colours that empty classes take are the CPU's, which gets a copy of the colours once it is asked for one of them.

import type { BackendColours, Call, ColoursPlan, Pixels } from "../backend.js";
import type { ColourList } from "../colours.js";
import type { Assessment, Centres, ClusterRule, ColourStart, Iterated, KmeansPlan, Mirror } from "../kmeans.js";
import type { Sink } from "../types.js";
import { groupsOf } from "./bands.js";
import { type Colours, readColours, writeClasses } from "./colours.js";
import { borrowing, type Context, type Loan } from "./context.js";
import type { Commands } from "./kernel.js";

/** Iterations of a batch, fewer where they take long: so many distances at most. */
const BATCH = 32;
const BATCH_DISTANCES = 2 ** 33;

/** Colours of a thread of kmeans-sum.wgsl and kmeans-cost.wgsl. */
const SUMMED = 8;

/** The state, 256 centres, and as many as they were before, of 16 bytes each. */
const CENTRES_BYTES = 513 * 16;

/** Sums of 256 classes. */
const SUMS_BYTES = 256 * 32;

/** What the kernels say in the first word of the state. */
const EMPTY = 2;

/** What the GPU leaves to the CPU; see Helper. */
interface Lister {
  listed(list: ColourList, plan: ColoursPlan, channels: number, call: Call): Promise<Mirror>;
}

export class GpuColours implements BackendColours {
  readonly #context: Context;
  readonly #helper: Lister;
  readonly #colours: Colours;
  readonly #plan: ColoursPlan;
  readonly #pixels: Pixels;
  #mirror: Mirror | undefined;
  #held = true;

  constructor(context: Context, helper: Lister, colours: Colours, plan: ColoursPlan, pixels: Pixels) {
    this.#context = context;
    this.#helper = helper;
    this.#colours = colours;
    this.#plan = plan;
    this.#pixels = pixels;
  }

  get count(): number {
    return this.#colours.count;
  }

  /** The colours on the CPU. */
  async #onCpu(call: Call): Promise<Mirror> {
    if (this.#mirror) return this.#mirror;
    const list = await this.#context.guard(() => readColours(this.#context, this.#colours));
    this.#mirror = await this.#helper.listed(list, this.#plan, this.#pixels.shape.channels, call);
    return this.#mirror;
  }

  async start(
    init: ColourStart,
    plan: Pick<KmeansPlan, "k" | "cost" | "seed">,
    restart: number,
    call: Call,
  ): Promise<Centres> {
    return (await this.#onCpu(call)).start(init, plan, restart, call);
  }

  async silhouette(centres: Centres, rule: ClusterRule, call: Call): Promise<number> {
    return (await this.#onCpu(call)).silhouette(centres, rule, call);
  }

  iterate(
    start: Centres,
    plan: ClusterRule & Pick<KmeansPlan, "maxIterations" | "limit">,
    call: Call,
  ): Promise<Iterated> {
    const context = this.#context;
    const k = start.length / 3;
    const { count } = this.#colours;
    return context.guard(() =>
      context.timed(call, "iterations", 0, () =>
        borrowing(context, async (loan) => {
          const buffers = await this.#buffers(loan, start, plan);
          const most = Math.max(1, Math.min(BATCH, Math.floor(BATCH_DISTANCES / (count * k))));
          let found: Iterated = { centres: start, iterations: 0, converged: false };
          while (found.iterations < plan.maxIterations && !found.converged) {
            call.signal?.throwIfAborted();
            const commands = context.commands();
            const batch = Math.min(most, plan.maxIterations - found.iterations);
            for (let i = 0; i < batch; i++) this.#record(commands, buffers, k, plan);
            found = await this.#after(commands, buffers, found.iterations, k, plan, call);
            call.onProgress?.({ stage: "iterations", done: found.iterations, total: plan.maxIterations });
            if (context.profile?.full) call.timings.push(...(await context.profile.collect()));
          }
          return found;
        }),
      ),
    );
  }

  /** Reads what a batch came to; where classes are empty, it ended early, and they are filled here. */
  async #after(
    commands: Commands,
    buffers: Buffers,
    before: number,
    k: number,
    plan: ClusterRule,
    call: Call,
  ): Promise<Iterated> {
    const context = this.#context;
    const words = await context.numbers(commands, buffers.centres, CENTRES_BYTES / 4);
    const [state, done, stay] = words as unknown as [number, number, number];
    const centres = centresOf(words, 1, k);
    const iterations = before + done;
    if (state !== EMPTY) {
      if (!state) context.write(buffers.centres, Uint32Array.of(0, 0, 0, 0));
      return { centres, iterations, converged: state === 1 };
    }
    const empty = Uint8Array.from({ length: k }, (_, i) => words[(i + 1) * 4 + 3] as number);
    const mirror = await this.#onCpu(call);
    const moved = await mirror.refill(centresOf(words, 257, k), centres, empty, plan, call);
    writeCentres(context, buffers.centres, centres);
    return { centres, iterations, converged: moved === 0 && stay === 1 };
  }

  async assess(centres: Centres, rule: ClusterRule, call: Call): Promise<Assessment> {
    const context = this.#context;
    const k = centres.length / 3;
    const { count, points, weights } = this.#colours;
    return context.guard(() =>
      context.timed(call, "assess", 0, () =>
        borrowing(context, async (loan) => {
          const buffers = await this.#buffers(loan, centres, { ...rule, centre: "mean" });
          const total = await loan.take(16, "cost");
          const commands = context.commands();
          commands.clear(total, 0, 16);
          this.#recordAssignment(commands, buffers, k, rule);
          commands.stage("assess", count * 12);
          this.#recordSums(commands, buffers, k);
          const own = { colours: count, fraction: this.#plan.space.fraction };
          const bindings = { centres: buffers.centres, points, weights, classes: buffers.classes, total };
          const groups = groupsOf(Math.ceil(count / SUMMED));
          commands.dispatch("kmeans-cost", groups, bindings, own, { L1: rule.cost === "l1" });
          commands.copy(total, 0, buffers.sums, SUMS_BYTES, 16);
          const sums = await context.numbers(commands, buffers.sums, SUMS_BYTES / 4 + 4);
          const [low, high] = sums.subarray(SUMS_BYTES / 4);
          const counts = Array.from({ length: k }, (_, i) => sums[i * 8] as number);
          return { counts, cost: (BigInt(high as number) << 32n) | BigInt(low as number) };
        }),
      ),
    );
  }

  classes(
    centres: Centres,
    rule: ClusterRule,
    names: Uint8Array,
    into: Uint8Array | Sink<Uint8Array>,
    call: Call,
  ): Promise<void> {
    const context = this.#context;
    const { shape } = this.#pixels;
    const bytes = shape.width * shape.height * shape.depth;
    // A Sink has seen what was written before memory ran out.
    const twice = into instanceof Uint8Array;
    const work = (): Promise<void> =>
      borrowing(context, async (loan) => {
        const buffers = await this.#buffers(loan, centres, { ...rule, centre: "mean" });
        const commands = context.commands();
        this.#recordAssignment(commands, buffers, centres.length / 3, rule);
        const skip = this.#plan.ignoreTransparent;
        const { classes } = buffers;
        await writeClasses(context, this.#pixels, skip, this.#colours, classes, names, into, commands, call);
      });
    return context.guard(() => context.timed(call, "classes", bytes, work), twice);
  }

  async #buffers(loan: Loan, start: Centres, { centre }: ClusterRule): Promise<Buffers> {
    const context = this.#context;
    const k = start.length / 3;
    const levels = 2 ** this.#plan.space.bits;
    const centres = await loan.take(CENTRES_BYTES, "centres");
    const classes = await loan.take(Math.max(1, this.#colours.count) * 4, "classes of colours");
    const sums = await loan.take(SUMS_BYTES + 16, "sums");
    const histograms = centre === "median" ? await loan.take(3 * k * levels * 4, "histograms") : undefined;
    const commands = context.commands();
    commands.clear(sums, 0, SUMS_BYTES + 16);
    if (histograms) commands.clear(histograms, 0, 3 * k * levels * 4);
    await commands.submit();
    writeCentres(context, centres, start);
    return { centres, classes, sums, histograms };
  }

  /** One iteration. */
  #record(commands: Commands, buffers: Buffers, k: number, plan: ClusterRule & Pick<KmeansPlan, "limit">): void {
    const { count, points, weights } = this.#colours;
    const { centres, classes, sums, histograms } = buffers;
    const { bits, fraction } = this.#plan.space;
    this.#recordAssignment(commands, buffers, k, plan);
    commands.stage("update", count * 12);
    if (histograms) {
      const levels = 2 ** bits;
      const bindings = { centres, points, weights, classes, histograms };
      commands.dispatch("kmeans-tally", groupsOf(count), bindings, { k, colours: count, levels });
      commands.dispatch("kmeans-median", 3 * k, { centres, histograms, sums }, { k, levels });
    } else {
      this.#recordSums(commands, buffers, k);
    }
    const own = { k, fraction, limit: plan.limit };
    const kind = { MEDIAN: plan.centre === "median", L1: plan.cost === "l1" };
    commands.dispatch("kmeans-centres", 1, { centres, sums }, own, kind);
  }

  #recordAssignment(commands: Commands, { centres, classes }: Buffers, k: number, { cost }: ClusterRule): void {
    const { count, boxes, points } = this.#colours;
    const own = { k, colours: count, fraction: this.#plan.space.fraction };
    commands.stage("assign", count * 8);
    const bindings = { centres, boxes, points, classes };
    commands.dispatch("kmeans-assign", Math.ceil(count / 64), bindings, own, { L1: cost === "l1" });
  }

  #recordSums(commands: Commands, { centres, classes, sums }: Buffers, k: number): void {
    const { count, points, weights } = this.#colours;
    const groups = groupsOf(Math.ceil(count / SUMMED));
    commands.dispatch("kmeans-sum", groups, { centres, points, weights, classes, sums }, { k, colours: count });
  }

  dispose(): void {
    if (this.#held) this.#colours.release();
    this.#held = false;
    this.#mirror?.dispose();
    this.#mirror = undefined;
  }
}

interface Buffers {
  readonly centres: GPUBuffer;
  readonly classes: GPUBuffer;
  readonly sums: GPUBuffer;
  /** For medians. */
  readonly histograms: GPUBuffer | undefined;
}

/** Centres behind a state that says: go on. */
function writeCentres(context: Context, buffer: GPUBuffer, centres: Centres): void {
  const words = new Uint32Array(4 + (centres.length / 3) * 4);
  for (let i = 0; i < centres.length / 3; i++) words.set(centres.subarray(i * 3, i * 3 + 3), (i + 1) * 4);
  context.write(buffer, words);
}

/** k centres from number `first` of 16 bytes on. */
function centresOf(words: Uint32Array, first: number, k: number): Centres {
  const centres = new Uint16Array(k * 3);
  for (let i = 0; i < k; i++) centres.set(words.subarray((first + i) * 4, (first + i) * 4 + 3), i * 3);
  return centres;
}
