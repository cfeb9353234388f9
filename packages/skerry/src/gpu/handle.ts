// The handle of components in GPU memory, for the router and `Components`.

import type { Call } from "../core/call.js";
import { HeldComponents, type LazyLabels, labelledNow } from "../core/lazy-labels.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
import { once } from "../core/once.js";
import { type Bits, hasKernels, type ImageOwner } from "../core/pixels.js";
import type { ExpandPlan, Filter, RegionsPlan, WatershedPlan, WindowPlan } from "../core/plans.js";
import type { ComponentsProduct, DistanceRequest } from "../core/requests.js";
import type { RegionSums, RunTable } from "../core/sums.js";
import type { BackendComponents, MakeHost, Split } from "../device/backend.js";
import type { Connectivity, Sink } from "../types/raster.js";
import { labelPlanes } from "./components.js";
import { polaritiesOf } from "./components-polarity.js";
import type { Context } from "./device/context.js";
import { fitsDistances, readDistances, writesAgain } from "./distance.js";
import { expandObjects, expandsHere } from "./expand.js";
import { filterComponents, keepComponents } from "./filter.js";
import type { Home, Labelled } from "./labelled.js";
import { expandLabels, labelAt, labelsBuffer } from "./labels.js";
import { readWindow, windowBuffer } from "./labels-window.js";
import { exportMask, exportSurface, maskBuffer, type Planes } from "./mask.js";
import { applyMorphology, refusesMorphology } from "./morphology.js";
import { GpuParts } from "./parts.js";
import { fitsSolids, measureRegions } from "./regions.js";
import { runsByLabel, runsInOrder } from "./runs.js";
import { refusesSplit, splitObjects } from "./watershed.js";

export class GpuComponents extends HeldComponents<Planes, Labelled> implements BackendComponents {
  readonly owner: ImageOwner;
  readonly connectivity: Connectivity;
  readonly values = undefined;
  readonly touching = false;
  readonly dispose: () => void;
  readonly #context: Context;
  readonly #home: Home;

  constructor(home: Home, held: LazyLabels<Planes, Labelled>) {
    super(held);
    const { context } = home;
    this.#home = home;
    this.#context = context;
    this.owner = home.owner;
    this.connectivity = home.connectivity;
    this.dispose = once(() => {
      if (!context.device.lost) held.free();
    });
  }

  get #planes(): Planes {
    return this.held.planes;
  }

  get polarities(): 1 | 2 {
    return this.#planes.strips[0]?.bits.length === 2 ? 2 : 1;
  }

  refuses(product: ComponentsProduct, call: Call): string | undefined {
    if (product.noun === "distance") {
      const fits = this.#planes.strips.length === 1 && fitsDistances(this.#context, this, product.plan, call);
      return fits ? undefined : "the map does not fit one binding, or is coarse, or its memory is bounded";
    }
    if (product.noun === "morphology") {
      return this.#planes.strips.length > 1
        ? "kernels take planes of one strip"
        : refusesMorphology(this.#context, this, product.plan);
    }
    if (product.noun === "split") {
      return this.#planes.strips.length > 1
        ? "kernels split objects of one strip"
        : refusesSplit(this.#context, this, product.plan, call);
    }
    if (product.noun === "expand") {
      const isWhole = this.#planes.strips.length === 1;
      const grows = isWhole && expandsHere(this.#context, this, product.plan, call);
      return grows
        ? undefined
        : "kernels grow planes of one strip by whole costs, where a map fits one binding and memory is not bounded";
    }
    const { intensity, solid, level } = product;
    const { type, nodata } = intensity?.pixels.shape ?? {};
    if (type && (type === "f32" || nodata !== undefined || !hasKernels(type)))
      return "kernels sum intensities of u8, u16 and i16 without nodata";
    if (solid && (intensity || level === "shape")) return "no kernel sums shapes and intensities along z";
    return solid && !fitsSolids(this) ? "kernels sum coordinates of at most 65 535 rows and slices" : undefined;
  }

  regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    return this.#labelled(call, (labelled) => measureRegions(this.#context, labelled, plan, call));
  }

  polarityOf(call: Call): Promise<Uint8Array> {
    return this.#labelled(call, (labelled) => polaritiesOf(this.#context, labelled));
  }

  labels(into: Uint32Array | Sink, call: Call): Promise<void> {
    // A Sink has already received data if memory runs out, so the call must not run again.
    const twice = into instanceof Uint32Array;
    return this.#labelled(call, (labelled) => expandLabels(this.#context, labelled, into, call), twice);
  }

  windowed(window: WindowPlan, which: 0 | 1 | 2 | undefined, into: Uint32Array, call: Call): Promise<void> {
    return this.#labelled(call, (labelled) => readWindow(this.#context, labelled, window, which, into, call));
  }

  labelsBuffer(call: Call, window?: WindowPlan): Promise<GPUBuffer> {
    return this.#labelled(call, (labelled) =>
      window ? windowBuffer(this.#context, labelled, window, call) : labelsBuffer(this.#context, labelled, call),
    );
  }

  runs(grouped: boolean, call: Call): Promise<RunTable> {
    const read = grouped ? runsByLabel : runsInOrder;
    return this.#labelled(call, (labelled) => read(this.#context, labelled, call));
  }

  mask(which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void> {
    return this.#context.guard(() =>
      this.#context.timed(call, "mask", into.byteLength, () => exportMask(this.#context, this.#planes, which, into)),
    );
  }

  maskBuffer(which: 0 | 1 | 2): Promise<GPUBuffer> {
    return this.#context.guard(() => maskBuffer(this.#context, this.#planes, which));
  }

  at(x: number, y: number, call: Call): Promise<number> {
    return this.#labelled(call, (labelled) => labelAt(this.#context, labelled, x, y));
  }

  distance({ plan, into }: Pick<DistanceRequest, "plan" | "into">, call: Call): Promise<void> {
    const context = this.#context;
    return context.guard(
      () => context.timed(call, "distance", 0, () => readDistances(context, this.#planes, plan, into, call)),
      writesAgain(into),
    );
  }

  filter(filter: Filter, call: Call): Promise<BackendComponents> {
    return this.#labelled(call, async (labelled) => {
      const left = await filterComponents(this.#context, labelled, filter, call);
      return new GpuComponents(this.#home, labelledNow(left));
    });
  }

  keep(keep: Uint8Array, call: Call): Promise<BackendComponents> {
    return this.#labelled(call, async (labelled) => {
      const planes = await keepComponents(this.#context, labelled, keep);
      const left = await labelPlanes(this.#context, this.#context.commands(), planes, labelled.connectivity, call);
      return new GpuComponents(this.#home, labelledNow(left));
    });
  }

  morphology(plan: MorphologyPlan, call: Call): Promise<BackendComponents> {
    const context = this.#context;
    return context.guard(() =>
      context.timed(call, plan.operation, 0, async () => {
        const planes = await applyMorphology(context, this.#planes, plan);
        const labelled = await labelPlanes(context, context.commands(), planes, this.connectivity, call);
        return new GpuComponents(this.#home, labelledNow(labelled));
      }),
    );
  }

  async split(plan: WatershedPlan, call: Call, makeHost: MakeHost): Promise<Split | undefined> {
    const { width, height, depth, foreground } = this;
    const context = this.#context;
    const found = await this.#labelled(call, (labelled) =>
      context.timed(call, "split", 0, () => splitObjects(context, labelled, plan, call)),
    );
    if (!found) return undefined;
    const given = { home: this.#home, width, height, depth, foreground, makeHost };
    return { made: new GpuParts(found, given), parents: found.origins };
  }

  async expand(plan: ExpandPlan, call: Call, makeHost: MakeHost): Promise<BackendComponents> {
    const { width, height, depth } = this;
    const context = this.#context;
    const found = await this.#labelled(call, (labelled) =>
      context.timed(call, "expand", 0, () => expandObjects(context, labelled, plan)),
    );
    const { foreground } = found;
    return new GpuParts(found, { home: this.#home, width, height, depth, foreground, makeHost });
  }

  surface(border: boolean, into: Uint32Array, call: Call): Promise<void> {
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
