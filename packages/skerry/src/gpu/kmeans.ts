// K-means on the device. Iterations are recorded in batches, each of which ends with one small read-back. Kernels
// detect convergence and turn later dispatches into no-ops. Initial centres of a grid or at random, silhouettes and the colours of
// empty classes are computed on the CPU, on a copy of the colours made on first use.

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
import type { ClassesRequest, ColoursRequest } from "../core/requests.js";
import type { BackendColours, Mirror, OpenHost } from "../device/backend.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { Sink } from "../types/raster.js";
import { groupsOf, type Resident } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { fillBuffer } from "./device/memory.js";
import { type Colours, type ResidentClasses, readColours, writeClasses } from "./kmeans-colours.js";
import { plantCentres } from "./kmeans-init.js";

/** Iterations of the first batch, and of the largest. The number doubles from batch to batch. */
const FIRST_BATCH = 32;
const BATCH = 64;
/** Most distances per batch: batches are shorter if iterations take long. */
const BATCH_DISTANCES = 2 ** 33;

/** Colours per thread of kmeans-sum.wgsl and kmeans-cost.wgsl. */
const SUMMED = 8;

/** The state, 256 centres, and these centres before their last move: 16 bytes each. */
const CENTRES_BYTES = 513 * 16;

/** Sums of 256 classes. */
const SUMS_BYTES = 256 * 32;

/** The first word of the state if a class is empty. */
const EMPTY = 2;

export class GpuColours implements BackendColours {
  readonly #context: Context;
  readonly #host: OpenHost;
  readonly #colours: Colours;
  readonly #plan: ColoursPlan;
  readonly #pixels: Pixels;
  #mirror: Mirror | undefined;
  #held = true;

  constructor(context: Context, colours: Colours, { pixels, plan }: ColoursRequest, host: OpenHost) {
    this.#context = context;
    this.#host = host;
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
    const list = await readColours(this.#context, this.#colours);
    this.#mirror = await (await this.#host()).mirror(list, { pixels: this.#pixels, plan: this.#plan }, call);
    return this.#mirror;
  }

  start(init: ColourStart, plan: StartPlan, restart: number, call: Call): Promise<Centres> {
    const { fraction } = this.#plan.space;
    return this.#context.guard(async () =>
      init === "kmeans++"
        ? plantCentres(this.#context, this.#colours, plan, fraction, restart, call)
        : (await this.#onCpu(call)).start(init, plan, restart, call),
    );
  }

  silhouette(centres: Centres, rule: ClusterRule, call: Call): Promise<number> {
    return this.#context.guard(async () => (await this.#onCpu(call)).silhouette(centres, rule, call));
  }

  iterate(start: Centres, plan: IterationPlan, call: Call): Promise<Iterated> {
    const context = this.#context;
    const k = start.length / 3;
    const most = Math.max(1, Math.min(BATCH, Math.floor(BATCH_DISTANCES / (this.#colours.count * k))));
    return context.guard(() =>
      context.timed(call, "iterations", 0, () =>
        withScratch(context, async (scope): Promise<Iterated> => {
          const buffers = await this.#buffers(scope, start, plan);
          const batches = new Batches(context, buffers, k, plan.maxIterations, most, (commands) =>
            this.#record(commands, buffers, k, plan),
          );
          for (;;) {
            call.signal?.throwIfAborted();
            const { state, iterations, stays, words } = await batches.next();
            const centres = centresOf(words, 1, k);
            call.onProgress?.({ stage: "iterations", done: iterations, total: plan.maxIterations });
            if (context.profile?.full) call.timings.push(...(await context.profile.collect()));
            if (state !== EMPTY) {
              if (state === 0 && iterations < plan.maxIterations) continue;
              return { centres, iterations, converged: state !== 0 };
            }
            const empty = Uint8Array.from({ length: k }, (_, i) => words[(i + 1) * 4 + 3]);
            const mirror = await this.#onCpu(call);
            const moved = await mirror.refill(centresOf(words, 257, k), centres, empty, plan, call);
            const converged = moved === 0 && stays;
            if (converged || iterations === plan.maxIterations) return { centres, iterations, converged };
            await batches.resume(centres, iterations);
          }
        }),
      ),
    );
  }

  async assess(centres: Centres, rule: ClusterRule, call: Call): Promise<Assessment> {
    const context = this.#context;
    const k = centres.length / 3;
    const { count, points, weights } = this.#colours;
    return context.guard(() =>
      context.timed(call, "assess", 0, () =>
        withScratch(context, async (scope) => {
          const buffers = await this.#buffers(scope, centres, { ...rule, centre: "mean" });
          const total = await scope.allocate(16, "cost");
          const commands = context.commands();
          commands.clear(total, 0, 16);
          this.#recordAssignment(commands, buffers, k, rule);
          commands.stage("assess", count * 12);
          this.#recordSums(commands, buffers, k);
          const uniforms = { colours: count, fraction: this.#plan.space.fraction };
          const bindings = { centres: buffers.centres, points, weights, classes: buffers.classes, total };
          const groups = groupsOf(Math.ceil(count / SUMMED));
          commands.dispatch("kmeans-cost", groups, bindings, uniforms, { L1: rule.cost === "l1" });
          commands.copy(total, 0, buffers.sums, SUMS_BYTES, 16);
          const sums = await context.numbers(commands, buffers.sums, SUMS_BYTES / 4 + 4);
          const [low, high] = sums.subarray(SUMS_BYTES / 4);
          const counts = Array.from({ length: k }, (_, i) => sums[i * 8]);
          return { counts, cost: (BigInt(high) << 32n) | BigInt(low) };
        }),
      ),
    );
  }

  classes({ into, ...given }: ClassesRequest<Uint8Array | Sink<Uint8Array>>, call: Call): Promise<void> {
    return this.#classes(given, into, call);
  }

  async classesBuffer({ into, ...given }: ClassesRequest<GPUBuffer | undefined>, call: Call): Promise<GPUBuffer> {
    const { width, height, depth } = this.#pixels.shape;
    const bytes = width * height * depth;
    const { bindingBytes } = this.#context.device;
    if (bytes > bindingBytes) {
      throw new Unsupported(`Expected classes of at most ${bindingBytes} pixels for a buffer, got ${bytes}.`);
    }
    const { parts = [] } = (this.#pixels.kind === "image" ? this.#pixels.image : {}) as unknown as Partial<Resident>;
    if (parts.some(({ buffer }) => buffer === into)) {
      throw new InvalidArgument("Expected into to be another GPUBuffer than that of the pixels, got the same.", {
        argument: "into",
      });
    }
    return fillBuffer(this.#context, { bytes, into }, "classes of pixels", ({ buffer }) =>
      this.#classes(given, { buffer }, call),
    );
  }

  #classes(
    { centres, rule, names }: Omit<ClassesRequest<never>, "into">,
    into: Uint8Array | Sink<Uint8Array> | ResidentClasses,
    call: Call,
  ): Promise<void> {
    const context = this.#context;
    const { shape } = this.#pixels;
    const bytes = shape.width * shape.height * shape.depth;
    // A Sink has already received data if memory runs out, so the call must not run again.
    const twice = into instanceof Uint8Array || "buffer" in into;
    const work = (): Promise<void> =>
      withScratch(context, async (scope) => {
        const buffers = await this.#buffers(scope, centres, { ...rule, centre: "mean" });
        const commands = context.commands();
        this.#recordAssignment(commands, buffers, centres.length / 3, rule);
        const skip = this.#plan.ignoreTransparent;
        const { classes } = buffers;
        await writeClasses(context, this.#pixels, skip, this.#colours, classes, names, into, commands, call);
      });
    return context.guard(() => context.timed(call, "classes", bytes, work), twice);
  }

  async #buffers(scope: ScratchScope, start: Centres, { centre }: ClusterRule): Promise<Buffers> {
    const context = this.#context;
    const k = start.length / 3;
    const levels = 2 ** this.#plan.space.bits;
    const centres = await scope.allocate(CENTRES_BYTES, "centres");
    const classes = await scope.allocate(Math.max(1, this.#colours.count) * 4, "classes of colours");
    const sums = await scope.allocate(SUMS_BYTES + 16, "sums");
    const histograms = centre === "median" ? await scope.allocate(3 * k * levels * 4, "histograms") : undefined;
    const commands = context.commands();
    commands.clear(sums, 0, SUMS_BYTES + 16);
    if (histograms) commands.clear(histograms, 0, 3 * k * levels * 4);
    await commands.submit();
    writeCentres(context, centres, start);
    return { centres, classes, sums, histograms };
  }

  /** One iteration. */
  #record(commands: Commands, buffers: Buffers, k: number, plan: IterationPlan): void {
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
    const uniforms = { k, fraction, limit: plan.limit };
    const kind = { MEDIAN: plan.centre === "median", L1: plan.cost === "l1" };
    commands.dispatch("kmeans-centres", 1, { centres, sums }, uniforms, kind);
  }

  #recordAssignment(commands: Commands, { centres, classes }: Buffers, k: number, { cost }: ClusterRule): void {
    const { count, boxes, points } = this.#colours;
    const uniforms = { k, colours: count, fraction: this.#plan.space.fraction };
    commands.stage("assign", count * 8);
    const bindings = { centres, boxes, points, classes };
    commands.dispatch("kmeans-assign", Math.ceil(count / 64), bindings, uniforms, { L1: cost === "l1" });
  }

  #recordSums(commands: Commands, { centres, classes, sums }: Buffers, k: number): void {
    const { count, points, weights } = this.#colours;
    const groups = groupsOf(Math.ceil(count / SUMMED));
    commands.dispatch("kmeans-sum", groups, { centres, points, weights, classes, sums }, { k, colours: count });
  }

  dispose(): void {
    if (this.#held) this.#colours.free();
    this.#held = false;
    this.#mirror?.dispose();
    this.#mirror = undefined;
  }
}

/** Batches of iterations. While the host waits for the result of one batch, the next one is already submitted. */
class Batches {
  readonly #context: Context;
  readonly #buffers: Buffers;
  readonly #k: number;
  readonly #total: number;
  readonly #most: number;
  readonly #record: (commands: Commands) => void;
  readonly #pending: Promise<Uint32Array>[] = [];
  #recorded = 0;
  #size = FIRST_BATCH;

  constructor(
    context: Context,
    buffers: Buffers,
    k: number,
    total: number,
    most: number,
    record: (commands: Commands) => void,
  ) {
    this.#context = context;
    this.#buffers = buffers;
    this.#k = k;
    this.#total = total;
    this.#most = most;
    this.#record = record;
  }

  /** Result of the next batch: the state, the centres, and the centres before their last move. */
  async next(): Promise<{ state: number; iterations: number; stays: boolean; words: Uint32Array }> {
    while (this.#pending.length === 0 || (this.#pending.length < 2 && this.#recorded < this.#total)) {
      await this.#submit();
    }
    const words = await (this.#pending.shift() as Promise<Uint32Array>);
    const [state, iterations, stays] = words as unknown as [number, number, number];
    return { state, iterations, stays: stays === 1, words };
  }

  async #submit(): Promise<void> {
    const commands = this.#context.commands();
    const end = Math.min(this.#total, this.#recorded + Math.min(this.#most, this.#size));
    this.#size *= 2;
    for (; this.#recorded < end; this.#recorded++) this.#record(commands);
    const bytes = (257 + this.#k) * 16;
    const words = new Uint32Array(bytes / 4);
    const { done } = await this.#context.fetch(commands, this.#buffers.centres, 0, bytes, (piece) =>
      words.set(new Uint32Array(piece, 0, bytes / 4)),
    );
    const read = done.then(() => words);
    // Callers that await the read get the error. If nothing awaits the read any more, the error is ignored.
    read.catch(() => undefined);
    this.#pending.push(read);
  }

  /** Continues with other centres. Dispatches that were recorded after the iterations stopped had no effect. */
  async resume(centres: Centres, iterations: number): Promise<void> {
    await Promise.all(this.#pending.splice(0));
    this.#recorded = iterations;
    writeCentres(this.#context, this.#buffers.centres, centres, iterations);
  }
}

interface Buffers {
  readonly centres: GPUBuffer;
  readonly classes: GPUBuffer;
  readonly sums: GPUBuffer;
  /** Only for medians. */
  readonly histograms: GPUBuffer | undefined;
}

/** Writes centres, and the state of running iterations of which `iterations` are over. */
function writeCentres(context: Context, buffer: GPUBuffer, centres: Centres, iterations = 0): void {
  const words = new Uint32Array(4 + (centres.length / 3) * 4);
  words[1] = iterations;
  for (let i = 0; i < centres.length / 3; i++) words.set(centres.subarray(i * 3, i * 3 + 3), (i + 1) * 4);
  context.write(buffer, words);
}

/** Reads k centres of 16 bytes each, from entry `first` on. */
function centresOf(words: Uint32Array, first: number, k: number): Centres {
  const centres = new Uint16Array(k * 3);
  for (let i = 0; i < k; i++) centres.set(words.subarray((first + i) * 4, (first + i) * 4 + 3), i * 3);
  return centres;
}
