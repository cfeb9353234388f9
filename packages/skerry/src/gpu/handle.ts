// The handle of components in GPU memory, for the router and `Components`.

import type { Call } from "../core/call.js";
import { HeldComponents, type LazyLabels, labelledNow } from "../core/lazy-labels.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
import { Kept, once } from "../core/once.js";
import type { Bits, ImageOwner } from "../core/pixels.js";
import type { ExpandPlan, Filter, RegionsPlan, WatershedPlan } from "../core/plans.js";
import type { DistanceRequest } from "../core/requests.js";
import type { RegionSums, RunTable } from "../core/sums.js";
import {
  type BackendComponents,
  type Made,
  type PlanOf,
  type ProductName,
  Refused,
  type ResultOf,
  type Serving,
  type WindowInto,
} from "../device/backend.js";
import type { Connectivity } from "../types/raster.js";
import { labelPlanes } from "./components.js";
import { polaritiesOf } from "./components-polarity.js";
import type { Context } from "./device/context.js";
import { readDistances, writesAgain } from "./distance.js";
import { expandObjects } from "./expand.js";
import { filterComponents, keepComponents } from "./filter.js";
import type { Home, Labelled } from "./labelled.js";
import { expandLabels, labelAt, labelsBuffer } from "./labels.js";
import { readWindow, windowBuffer } from "./labels-window.js";
import { exportMask, exportSurface, maskBuffer, type Planes } from "./mask.js";
import { applyMorphology } from "./morphology.js";
import { GpuParts, type PartsOf } from "./parts.js";
import { measureRegions } from "./regions.js";
import { runsByLabel, runsInOrder } from "./runs.js";
import { servesProduct } from "./serves.js";
import { splitObjects } from "./watershed.js";

/** The products that have kernels. */
type Served = Exclude<ProductName, "shapes" | "picked" | "outlines" | "fillSlices" | "merge" | "edit">;

export class GpuComponents extends HeldComponents<Planes, Labelled> implements BackendComponents, Serving<Served> {
  readonly owner: ImageOwner;
  readonly connectivity: Connectivity;
  readonly values = undefined;
  readonly touching = false;
  readonly dispose: () => void;
  readonly #context: Context;
  readonly #home: Home;
  readonly #host: Kept<BackendComponents>;

  constructor(home: Home, held: LazyLabels<Planes, Labelled>) {
    super(held);
    const { context } = home;
    this.#home = home;
    this.#context = context;
    this.owner = home.owner;
    this.connectivity = home.connectivity;
    const { count, foreground, runCount } = held;
    this.#host = new Kept(async (call) => {
      const bits = await this.bits();
      const known = { count, foreground, runCount };
      return (await home.host()).hold({ bits, connectivity: home.connectivity, known }, call);
    });
    this.dispose = once(() => {
      if (!context.device.lost) held.free();
      this.#host.dispose();
    });
  }

  get #planes(): Planes {
    return this.held.planes;
  }

  get polarities(): 1 | 2 {
    return this.#planes.strips[0]?.bits.length === 2 ? 2 : 1;
  }

  refuses<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): boolean {
    const { width, height, depth } = this;
    const held = { width, height, depth, isWhole: this.#planes.strips.length === 1 };
    return !servesProduct(this.#context, held, name, plan, call);
  }

  serve<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): Promise<ResultOf<N>> {
    return (this as unknown as Serving)[name](plan, call);
  }

  onHost(call: Call): Promise<BackendComponents> {
    return this.#host.get(call);
  }

  regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    return this.#labelled(call, (labelled) => measureRegions(this.#context, labelled, plan, call));
  }

  polarityOf(_: undefined, call: Call): Promise<Uint8Array> {
    return this.#labelled(call, (labelled) => polaritiesOf(this.#context, labelled));
  }

  labels({ into }: PlanOf<"labels">, call: Call): Promise<void> {
    // A Sink has already received data if memory runs out, so the call must not run again.
    const twice = into instanceof Uint32Array;
    return this.#labelled(call, (labelled) => expandLabels(this.#context, labelled, into, call), twice);
  }

  window({ window, which, into }: WindowInto, call: Call): Promise<void> {
    return this.#labelled(call, (labelled) => readWindow(this.#context, labelled, window, which, into, call));
  }

  labelsBuffer({ window, into }: PlanOf<"labelsBuffer">, call: Call): Promise<GPUBuffer> {
    return this.#labelled(call, (labelled) =>
      window
        ? windowBuffer(this.#context, labelled, window, into, call)
        : labelsBuffer(this.#context, labelled, into, call),
    );
  }

  runs({ grouped }: PlanOf<"runs">, call: Call): Promise<RunTable> {
    const read = grouped ? runsByLabel : runsInOrder;
    return this.#labelled(call, (labelled) => read(this.#context, labelled, call));
  }

  mask({ which, into }: PlanOf<"mask">, call: Call): Promise<void> {
    return this.#context.guard(() =>
      this.#context.timed(call, "mask", into.byteLength, () => exportMask(this.#context, this.#planes, which, into)),
    );
  }

  maskBuffer({ which, into }: PlanOf<"maskBuffer">): Promise<GPUBuffer> {
    return this.#context.guard(() => maskBuffer(this.#context, this.#planes, which, into));
  }

  at({ x, row }: PlanOf<"at">, call: Call): Promise<number> {
    return this.#labelled(call, (labelled) => labelAt(this.#context, labelled, x, row));
  }

  distance({ plan, into }: Pick<DistanceRequest, "plan" | "into">, call: Call): Promise<void> {
    const context = this.#context;
    return context.guard(
      () => context.timed(call, "distance", 0, () => readDistances(context, this.#planes, plan, into, call)),
      writesAgain(into),
    );
  }

  filter(filter: Filter, call: Call): Promise<Made> {
    return this.#labelled(call, async (labelled) => {
      return this.#handle(await filterComponents(this.#context, labelled, filter, call));
    });
  }

  keep(keep: Uint8Array, call: Call): Promise<Made> {
    return this.#labelled(call, async (labelled) => {
      const planes = await keepComponents(this.#context, labelled, keep);
      return this.#handle(
        await labelPlanes(this.#context, this.#context.commands(), planes, labelled.connectivity, call),
      );
    });
  }

  morphology(plan: MorphologyPlan, call: Call): Promise<Made> {
    const context = this.#context;
    return context.guard(() =>
      context.timed(call, plan.operation, 0, async () => {
        const planes = await applyMorphology(context, this.#planes, plan);
        return this.#handle(await labelPlanes(context, context.commands(), planes, this.connectivity, call));
      }),
    );
  }

  async split(plan: WatershedPlan, call: Call): Promise<Made> {
    const context = this.#context;
    const found = await this.#labelled(call, (labelled) =>
      context.timed(call, "split", 0, () => splitObjects(context, labelled, plan, call)),
    );
    if (!found) throw new Refused("the parts do not fit one binding, or merge in too many rounds");
    return { components: new GpuParts(found, { ...this.#parts, foreground: this.foreground }), origins: found.origins };
  }

  async expand(plan: ExpandPlan, call: Call): Promise<Made> {
    const context = this.#context;
    const found = await this.#labelled(call, (labelled) =>
      context.timed(call, "expand", 0, () => expandObjects(context, labelled, plan)),
    );
    return { components: new GpuParts(found, { ...this.#parts, foreground: found.foreground }) };
  }

  get #parts(): Omit<PartsOf, "foreground"> {
    const { width, height, depth } = this;
    return { home: this.#home, width, height, depth };
  }

  #handle(labelled: Labelled): Made {
    return { components: new GpuComponents(this.#home, labelledNow(labelled)) };
  }

  surface({ border, into }: PlanOf<"surface">, call: Call): Promise<void> {
    return this.#context.guard(() =>
      this.#context.timed(call, "surface", into.byteLength, () =>
        exportSurface(this.#context, this.#planes, border, into),
      ),
    );
  }

  #labelled<T>(call: Call, work: (labelled: Labelled) => Promise<T>, twice = true): Promise<T> {
    return this.#context.guard(async () => work(await this.held.labelled(call)), twice);
  }

  bits(): Promise<Bits> {
    return this.#context.guard(async () => {
      const { width, height, depth, rows, words } = this.#planes;
      const read = async (which: 1 | 2): Promise<Uint32Array> => {
        const bits = new Uint32Array(words * rows);
        await exportMask(this.#context, this.#planes, which, bits);
        return bits;
      };
      const second = this.polarities === 2 ? await read(2) : undefined;
      return { kind: "mask", width, height, depth, bits: await read(1), second };
    });
  }
}
