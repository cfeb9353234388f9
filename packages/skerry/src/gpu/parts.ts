// Objects as an image of labels in GPU memory: parts, grown objects, and objects by value. The CPU computes what no kernel does from a copy
// of the image, which is made on first use.

import type { Call } from "../core/call.js";
import { Kept, once } from "../core/once.js";
import { type Bits, type ImageOwner, rowCount, type Size } from "../core/pixels.js";
import type { RegionsPlan } from "../core/plans.js";
import type { RegionSums } from "../core/sums.js";
import type { BackendComponents, OpenHost, PlanOf, ProductName, ResultOf, Serving } from "../device/backend.js";
import type { Connectivity, PixelArray } from "../types/raster.js";
import type { Context } from "./device/context.js";
import { fillBuffer } from "./device/memory.js";
import { readValues } from "./distance.js";
import type { Home } from "./labelled.js";
import { measureLabels, measuresLabels } from "./regions.js";
import type { LabelImage } from "./watershed.js";

/** The size of the image, and its device. */
export interface PartsOf extends Size {
  readonly home: Home;
  readonly foreground: number;
  /** The values of the objects, one per channel. */
  readonly values?: PixelArray | undefined;
}

export class GpuParts implements BackendComponents, Serving<"labels" | "labelsBuffer" | "regions"> {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  readonly polarities = 1;
  readonly touching = true;
  readonly values: PixelArray | undefined;
  readonly connectivity: Connectivity;
  readonly owner: ImageOwner;
  readonly dispose: () => void;
  readonly #context: Context;
  readonly #labels: GPUBuffer;
  readonly #open: OpenHost;
  readonly #host: Kept<BackendComponents>;

  constructor(image: Omit<LabelImage, "origins">, { home, width, height, depth, foreground, values }: PartsOf) {
    const { context } = home;
    this.width = width;
    this.height = height;
    this.depth = depth;
    this.count = image.count;
    this.runCount = image.runCount;
    this.foreground = foreground;
    this.values = values;
    this.connectivity = home.connectivity;
    this.owner = home.owner;
    this.#context = context;
    this.#labels = image.labels;
    this.#open = home.host;
    this.#host = new Kept((call) => this.#copy(call));
    this.dispose = once(() => {
      if (!context.device.lost) context.memory.free(this.#labels);
      this.#host.dispose();
    });
  }

  get #bytes(): number {
    return this.width * rowCount(this) * 4;
  }

  labels({ into }: PlanOf<"labels">, call: Call): Promise<void> {
    const twice = into instanceof Uint32Array;
    return this.#context.guard(
      () =>
        this.#context.timed(call, "labels", this.#bytes, () =>
          readValues(this.#context, this, this.#labels, into, Uint32Array, call, "labels"),
        ),
      twice,
    );
  }

  /** A copy of the labels. */
  labelsBuffer({ into }: PlanOf<"labelsBuffer">): Promise<GPUBuffer> {
    const bytes = this.#bytes;
    return this.#context.guard(() =>
      fillBuffer(this.#context, { bytes, into }, "labels", async ({ buffer }) => {
        const commands = this.#context.commands();
        commands.copy(this.#labels, 0, buffer, 0, bytes);
        await commands.submit();
      }),
    );
  }

  regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    const { width, height, depth, count } = this;
    const context = this.#context;
    const image = { labels: this.#labels, width, height, depth, count };
    return context.guard(() => context.timed(call, "regions", 0, () => measureLabels(context, image, plan)));
  }

  refuses<N extends ProductName>(name: N, plan: PlanOf<N>): boolean {
    if (name === "regions") return !measuresLabels(this.#context, this, plan as RegionsPlan);
    return name !== "labels" && !(name === "labelsBuffer" && !(plan as PlanOf<"labelsBuffer">).window);
  }

  serve<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): Promise<ResultOf<N>> {
    return (this as unknown as Serving)[name](plan, call);
  }

  onHost(call: Call): Promise<BackendComponents> {
    return this.#host.get(call);
  }

  async bits(call: Call): Promise<Bits> {
    return (await this.onHost(call)).bits(call);
  }

  async #copy(call: Call): Promise<BackendComponents> {
    const { width, height, depth, connectivity, values } = this;
    const data = new Uint32Array(this.#bytes / 4);
    await this.labels({ into: data }, call);
    const shape = { width, height, depth, channels: 1, type: "u32" as const };
    return (await this.#open()).labelled({ pixels: { kind: "array", shape, data }, connectivity, values }, call);
  }
}
