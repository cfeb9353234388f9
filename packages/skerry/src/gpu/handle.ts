import type { Sink } from "../api/types.js";
import type { Call } from "../core/call.js";
import type { DistanceInto, DistancePlan } from "../core/distance-plan.js";
import { type Held, held } from "../core/lazy-labels.js";
import type { Bits } from "../core/pixels.js";
import type { Filter, RegionsPlan, WindowPlan } from "../core/plans.js";
import type { RegionSums, RunTable } from "../core/sums.js";
import type { BackendComponents } from "../device/backend.js";
import { type Helper, hasKernels, NOTHING, once, onHost } from "./backend.js";
import { type Labelled, labelPlanes } from "./components.js";
import { classesOf } from "./components-polarity.js";
import type { Context } from "./context.js";
import { fitsDistances, readDistances, writesAgain } from "./distance.js";
import { filterComponents, keepComponents } from "./filter.js";
import { expandLabels, labelAt, labelsBuffer } from "./labels.js";
import { readWindow, windowBuffer } from "./labels-window.js";
import { exportMask, exportSurface, maskBuffer, type Planes } from "./mask.js";
import { fitsSolids, measureRegions } from "./regions.js";
import { runsByLabel, runsInOrder } from "./runs.js";

export class GpuComponents implements BackendComponents {
  readonly device = "gpu";
  readonly values = undefined;
  readonly dispose: () => void;
  readonly #context: Context;
  readonly #helper: Helper;
  readonly #held: Held<Planes, Labelled>;

  constructor(context: Context, helper: Helper, held: Held<Planes, Labelled>) {
    this.#context = context;
    this.#helper = helper;
    this.#held = held;
    this.dispose = once(context, () => held.release());
  }

  get #planes(): Planes {
    return this.#held.planes;
  }

  get width(): number {
    return this.#planes.width;
  }

  get height(): number {
    return this.#planes.height;
  }

  get depth(): number {
    return this.#planes.depth;
  }

  get count(): number {
    return this.#held.count;
  }

  get foreground(): number {
    return this.#held.foreground;
  }

  get runCount(): number {
    return this.#held.runCount;
  }

  get classes(): 1 | 2 {
    return this.#planes.strips[0]?.bits.length === 2 ? 2 : 1;
  }

  regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    return this.#labelled(call, async (labelled) => {
      const { intensity, solid } = plan;
      const { type, nodata } = intensity?.pixels.shape ?? {};
      const summed = !type || (type !== "f32" && nodata === undefined && hasKernels(type) && !solid);
      const shaped = !solid || (plan.level !== "shape" && fitsSolids(this));
      if (summed && shaped) return measureRegions(this.#context, labelled, plan, call);
      // The rest is added up on the CPU: 64-bit floats, rasters with nodata, and shapes and intensities with a third axis.
      const pixels = intensity && (await onHost(this.#context, intensity.pixels));
      const left = { ...plan, intensity: intensity && pixels && { ...intensity, pixels } };
      const bits = await this.#bits();
      const rest = await this.#helper.regions(
        bits,
        labelled.connectivity,
        solid ? left : { ...left, level: "area" },
        call,
      );
      if (solid) return rest;
      const sums = await measureRegions(this.#context, labelled, { level: plan.level, solid: false }, call);
      return { ...sums, intensity: rest.intensity };
    });
  }

  classOf(call: Call): Promise<Uint8Array> {
    return this.#labelled(call, (labelled) => classesOf(this.#context, labelled));
  }

  labels(into: Uint32Array | Sink, call: Call): Promise<void> {
    // A Sink has seen what was written before memory ran out.
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

  distance(plan: DistancePlan, into: DistanceInto, call: Call): Promise<void> {
    const context = this.#context;
    return context.guard(async () => {
      if (this.#planes.strips.length > 1 || !fitsDistances(context, this, plan)) {
        return this.#helper.distance(await this.#bits(), NOTHING, plan, into, call);
      }
      return context.timed(call, "distance", 0, () => readDistances(context, this.#planes, plan, into, call));
    }, writesAgain(into));
  }

  filter(filter: Filter, call: Call): Promise<BackendComponents> {
    return this.#labelled(call, async (labelled) => {
      const left = await filterComponents(this.#context, labelled, filter, call);
      return new GpuComponents(this.#context, this.#helper, held(left));
    });
  }

  keep(keep: Uint8Array, call: Call): Promise<BackendComponents> {
    return this.#labelled(call, async (labelled) => {
      const planes = await keepComponents(this.#context, labelled, keep);
      const left = await labelPlanes(this.#context, this.#context.commands(), planes, labelled.connectivity, call);
      return new GpuComponents(this.#context, this.#helper, held(left));
    });
  }

  surface(border: boolean, into: Uint32Array, call: Call): Promise<void> {
    return this.#context.guard(() =>
      this.#context.timed(call, "surface", into.byteLength, () =>
        exportSurface(this.#context, this.#planes, border, into),
      ),
    );
  }

  #labelled<T>(call: Call, work: (labelled: Labelled) => Promise<T>, twice = true): Promise<T> {
    return this.#context.guard(async () => work(await this.#held.labelled(call)), twice);
  }

  async #bits(): Promise<Bits> {
    const { width, height, depth, rows, words } = this.#planes;
    const read = async (which: 1 | 2): Promise<Uint32Array> => {
      const bits = new Uint32Array(words * rows);
      await exportMask(this.#context, this.#planes, which, bits);
      return bits;
    };
    const second = this.classes === 2 ? await read(2) : undefined;
    return { kind: "mask", width, height, depth, bits: await read(1), second };
  }
}
