// Parts of objects, as an image of labels in GPU memory. The CPU computes everything else from a copy of the image, which
// is made on first use.

import type { Call } from "../core/call.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
import { once } from "../core/once.js";
import { type Bits, type ImageOwner, rowCount, type Size } from "../core/pixels.js";
import type { ExpandPlan, Filter, RegionsPlan, WatershedPlan, WindowPlan } from "../core/plans.js";
import type { DistanceRequest } from "../core/requests.js";
import type { RegionSums, RunTable } from "../core/sums.js";
import type { BackendComponents, HostComponents, MakeHost, Split } from "../device/backend.js";
import type { Connectivity, Sink } from "../types/raster.js";
import type { Context } from "./device/context.js";
import { ownedBuffer } from "./device/memory.js";
import { readValues } from "./distance.js";
import type { Home } from "./labelled.js";
import type { LabelImage } from "./watershed.js";

/** Origin of the parts, and the function that makes CPU components of them. */
export interface PartsOf extends Size {
  readonly home: Home;
  readonly foreground: number;
  readonly makeHost: MakeHost;
}

export class GpuParts implements BackendComponents {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  readonly polarities = 1;
  readonly touching = true;
  readonly values = undefined;
  readonly connectivity: Connectivity;
  readonly owner: ImageOwner;
  readonly dispose: () => void;
  readonly #context: Context;
  readonly #labels: GPUBuffer;
  readonly #makeHost: MakeHost;
  #host: Promise<HostComponents> | undefined;

  constructor(image: Omit<LabelImage, "origins">, { home, width, height, depth, foreground, makeHost }: PartsOf) {
    const { context } = home;
    this.width = width;
    this.height = height;
    this.depth = depth;
    this.count = image.count;
    this.runCount = image.runCount;
    this.foreground = foreground;
    this.connectivity = home.connectivity;
    this.owner = home.owner;
    this.#context = context;
    this.#labels = image.labels;
    this.#makeHost = makeHost;
    this.dispose = once(() => {
      if (!context.device.lost) context.memory.free(this.#labels);
      this.#host?.then((host) => host.dispose()).catch(() => undefined);
    });
  }

  get #bytes(): number {
    return this.width * rowCount(this) * 4;
  }

  labels(into: Uint32Array | Sink, call: Call): Promise<void> {
    const twice = into instanceof Uint32Array;
    return this.#context.guard(
      () =>
        this.#context.timed(call, "labels", this.#bytes, () =>
          readValues(this.#context, this, this.#labels, into, Uint32Array, call, "labels"),
        ),
      twice,
    );
  }

  /** Returns a copy of the labels. A window of labels is computed on the CPU. */
  async labelsBuffer(call: Call, window?: WindowPlan): Promise<GPUBuffer> {
    if (!window) {
      return this.#context.guard(async () => {
        const buffer = ownedBuffer(this.#context, this.#bytes, "labels");
        const commands = this.#context.commands();
        commands.copy(this.#labels, 0, buffer, 0, this.#bytes);
        await commands.submit();
        return buffer;
      });
    }
    const labels = new Uint32Array(window.width * window.height);
    await this.windowed(window, undefined, labels, call);
    return this.#context.guard(async () => this.#context.bufferOf(labels, "labels"));
  }

  async maskBuffer(which: 0 | 1 | 2, call: Call): Promise<GPUBuffer> {
    const words = new Uint32Array(Math.ceil(this.width / 32) * rowCount(this));
    await this.mask(which, words, call);
    return this.#context.guard(async () => this.#context.bufferOf(words, "bits"));
  }

  /** Returns the parts on the CPU. If the copy fails, the next call copies again. */
  onHost(call: Call): Promise<HostComponents> {
    this.#host ??= this.#copy(call).catch((error) => {
      this.#host = undefined;
      throw error;
    });
    return this.#host;
  }

  async #copy(call: Call): Promise<HostComponents> {
    const { width, height, depth } = this;
    const data = new Uint32Array(this.#bytes / 4);
    await this.labels(data, call);
    const shape = { width, height, depth, channels: 1, type: "u32" as const };
    return this.#makeHost(
      { pixels: { kind: "array", shape, data }, connectivity: this.connectivity, named: false },
      call,
    );
  }

  /** Refuses nothing: the CPU serves every product of parts. */
  refuses(): undefined {
    return undefined;
  }

  async regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    return (await this.onHost(call)).regions(plan, call);
  }

  async polarityOf(call: Call): Promise<Uint8Array> {
    return (await this.onHost(call)).polarityOf(call);
  }

  async windowed(window: WindowPlan, which: 0 | 1 | 2 | undefined, into: Uint32Array, call: Call): Promise<void> {
    return (await this.onHost(call)).windowed(window, which, into, call);
  }

  async runs(grouped: boolean, call: Call): Promise<RunTable> {
    return (await this.onHost(call)).runs(grouped, call);
  }

  async mask(which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void> {
    return (await this.onHost(call)).mask(which, into, call);
  }

  async filter(filter: Filter, call: Call): Promise<BackendComponents> {
    return (await this.onHost(call)).filter(filter, call);
  }

  async keep(keep: Uint8Array, call: Call): Promise<BackendComponents> {
    return (await this.onHost(call)).keep(keep, call);
  }

  async morphology(plan: MorphologyPlan, call: Call): Promise<BackendComponents> {
    return (await this.onHost(call)).morphology(plan, call);
  }

  async split(plan: WatershedPlan, call: Call): Promise<Split> {
    return (await this.onHost(call)).split(plan, call);
  }

  async expand(plan: ExpandPlan, call: Call): Promise<BackendComponents> {
    return (await this.onHost(call)).expand(plan, call);
  }

  async surface(border: boolean, into: Uint32Array, call: Call): Promise<void> {
    return (await this.onHost(call)).surface(border, into, call);
  }

  async distance(request: Pick<DistanceRequest, "plan" | "into">, call: Call): Promise<void> {
    return (await this.onHost(call)).distance(request, call);
  }

  async bits(call: Call): Promise<Bits> {
    return (await this.onHost(call)).bits(call);
  }

  async at(x: number, row: number, call: Call): Promise<number> {
    return (await this.onHost(call)).at(x, row, call);
  }
}
