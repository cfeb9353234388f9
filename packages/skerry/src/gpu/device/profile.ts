// Times each stage on the device, by timestamps around its passes, if the adapter supports them.

import type { Timing } from "../../types/calls.js";
import type { Device } from "./device.js";
import { BUFFER_USAGE, MAP_MODE } from "./flags.js";

/** Passes that are timed between two read-backs; a query set holds at most 4096 times. */
const PASSES = 2048;

/** Times passes. One profile serves a whole engine, because its calls run one after another. */
export class Profile {
  readonly #device: Device;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  #passes: { stage: string; bytes: number }[] = [];

  private constructor(device: Device) {
    this.#device = device;
    const { gpu } = device;
    const size = PASSES * 16;
    this.#queries = gpu.createQuerySet({ label: "times", type: "timestamp", count: PASSES * 2 });
    this.#resolved = gpu.createBuffer({
      label: "times",
      size,
      usage: BUFFER_USAGE.QUERY_RESOLVE | BUFFER_USAGE.COPY_SRC,
    });
    this.#staging = gpu.createBuffer({
      label: "times read back",
      size,
      usage: BUFFER_USAGE.MAP_READ | BUFFER_USAGE.COPY_DST,
    });
  }

  static of(device: Device): Profile | undefined {
    return device.gpu.features.has("timestamp-query") ? new Profile(device) : undefined;
  }

  /** Returns the descriptor of a timed pass. Past the limit, passes are not timed until `collect()`. */
  pass(stage: string, bytes: number): GPUComputePassDescriptor {
    const index = this.#passes.length * 2;
    if (index === PASSES * 2) return { label: stage };
    this.#passes.push({ stage, bytes });
    return {
      label: stage,
      timestampWrites: { querySet: this.#queries, beginningOfPassWriteIndex: index, endOfPassWriteIndex: index + 1 },
    };
  }

  /** Whether `collect()` should run before more passes are recorded. */
  get full(): boolean {
    return this.#passes.length > PASSES - 64;
  }

  /** Discards the times of a failed call. */
  reset(): void {
    this.#passes = [];
  }

  /** Returns the total time of each stage since the last `collect()`, and the time from the first begin to the last end. */
  async collect(): Promise<Timing[]> {
    const passes = this.#passes;
    this.#passes = [];
    if (passes.length === 0) return [];
    const { gpu } = this.#device;
    const encoder = gpu.createCommandEncoder({ label: "times" });
    encoder.resolveQuerySet(this.#queries, 0, passes.length * 2, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, passes.length * 16);
    gpu.queue.submit([encoder.finish()]);
    await this.#device.orLost(this.#staging.mapAsync(MAP_MODE.READ, 0, passes.length * 16));
    const times = new BigUint64Array(this.#staging.getMappedRange(0, passes.length * 16).slice(0));
    this.#staging.unmap();
    const stages = new Map<string, { milliseconds: number; bytes: number }>();
    passes.forEach(({ stage, bytes }, i) => {
      const nanoseconds = Number(times[2 * i + 1] - times[2 * i]);
      const known = stages.get(stage) ?? { milliseconds: 0, bytes: 0 };
      stages.set(stage, { milliseconds: known.milliseconds + nanoseconds / 1e6, bytes: known.bytes + bytes });
    });
    const span = Number(times[2 * passes.length - 1] - times[0]) / 1e6;
    return [
      ...[...stages].map(([stage, sums]): Timing => ({ stage, ...sums, clock: "device" })),
      { stage: "on the device", milliseconds: span, bytes: 0, clock: "device" },
    ];
  }

  close(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }
}
