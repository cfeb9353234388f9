// Components in WebAssembly memory, as the router and `Components` hold them.

import type { Call } from "../core/call.js";
import type { Corrections, EditPlan } from "../core/edits.js";
import { chooseLabels, valuesKept } from "../core/filter-sequence.js";
import { HeldComponents, type LazyLabels, labelledNow } from "../core/lazy-labels.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
import { once } from "../core/once.js";
import type { Bits, ImageOwner } from "../core/pixels.js";
import { rowCount } from "../core/pixels.js";
import type {
  ExpandPlan,
  Filter,
  HolesPlan,
  OutlinesPlan,
  RegionsPlan,
  ShapesPlan,
  ValuesPlan,
  WatershedPlan,
} from "../core/plans.js";
import type { DistanceRequest } from "../core/requests.js";
import type { RegionSums, RunTable, ShapeSums, ValueSums } from "../core/sums.js";
import type { BackendComponents, Made, PlanOf, ProductName, ResultOf, Serving, WindowInto } from "../device/backend.js";
import { tooLittleMemory } from "../types/errors.js";
import type { Outlines } from "../types/outlines.js";
import type { Connectivity, PixelArray } from "../types/raster.js";
import { metered } from "./bands.js";
import { type Labelled, labelAt, labelPlanes } from "./components.js";
import { polaritiesOf } from "./components-polarity.js";
import { filterComponents, keepLabels } from "./filter.js";
import { expandLabels } from "./labels.js";
import { readWindow } from "./labels-window.js";
import { exportMask, exportSurface, readBits } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { residentOf } from "./pixel-feed.js";
import { freePlanes, type Planes, planesBytes } from "./planes.js";
import { measureShapes } from "./region-shapes.js";
import { measureRegions } from "./regions.js";
import { runsByLabel, runsInOrder } from "./runs.js";

/** The engine's memory, the backend over it, and the connectivity of objects. */
export interface Home {
  readonly pool: Pool;
  readonly owner: ImageOwner;
  readonly connectivity: Connectivity;
}

/** The products of the CPU: all but buffers on a GPU. */
type Served = Exclude<ProductName, "labelsBuffer" | "maskBuffer">;

/** Corrections by hand, once loaded: a module that is asked for again comes a task later, behind what a browser draws. */
let editing: typeof import("./edit.js") | undefined;

export class CpuComponents extends HeldComponents<Planes, Labelled> implements BackendComponents, Serving<Served> {
  readonly owner: ImageOwner;
  readonly connectivity: Connectivity;
  readonly values: PixelArray | undefined;
  readonly dispose: () => void;
  #home: Home;
  #pool: Pool;
  /** These objects for corrections, which are kept for the next ones. */
  #corrections: Corrections | undefined;

  constructor(home: Home, held: LazyLabels<Planes, Labelled>, values?: PixelArray) {
    super(held);
    this.#home = home;
    this.#pool = home.pool;
    this.owner = home.owner;
    this.connectivity = home.connectivity;
    this.values = values;
    this.dispose = once(() => {
      this.#corrections = undefined;
      held.free();
    });
  }

  get touching(): boolean {
    return this.held.planes.touching ?? false;
  }

  get polarities(): 1 | 2 {
    const { second, touching } = this.held.planes;
    return second && !touching ? 2 : 1;
  }

  regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    const { intensity } = plan;
    const pixels = intensity && residentOf(this.#pool, this.owner, intensity.pixels);
    const inPlace: RegionsPlan = { ...plan, intensity: intensity && pixels && { ...intensity, pixels } };
    return this.#measure(call, (labelled) => measureRegions(this.#pool, labelled, inPlace, call));
  }

  async polarityOf(_: undefined, call: Call): Promise<Uint8Array> {
    return polaritiesOf(this.#pool, await this.held.labelled(call), call);
  }

  labels({ into }: PlanOf<"labels">, call: Call): Promise<void> {
    return this.#measure(call, (labelled) => expandLabels(this.#pool, labelled, into, call));
  }

  window({ window, which, into }: WindowInto, call: Call): Promise<void> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const { planes } = this.held;
      if (which === undefined) {
        const labelled = await this.held.labelled(call);
        return readWindow(pool, planes, planes, labelled, window, into, call);
      }
      // Runs of objects by value alternate between both planes, so both are read.
      const one =
        which === 0 || planes.touching ? planes : { first: which === 2 ? planes.second : planes.first, second: 0 };
      return readWindow(pool, planes, one, undefined, window, into, call);
    });
  }

  runs({ grouped }: PlanOf<"runs">, call: Call): Promise<RunTable> {
    const read = grouped ? runsByLabel : runsInOrder;
    return this.#measure(call, (labelled) => read(this.#pool, labelled, call));
  }

  mask({ which, into }: PlanOf<"mask">, call: Call): Promise<void> {
    return metered(this.#pool, call, () => exportMask(this.#pool, this.held.planes, which, into, call));
  }

  surface({ border, into }: PlanOf<"surface">, call: Call): Promise<void> {
    return metered(this.#pool, call, () => exportSurface(this.#pool, this.held.planes, border, into, call));
  }

  refuses(name: ProductName): boolean {
    return name === "labelsBuffer" || name === "maskBuffer";
  }

  serve<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): Promise<ResultOf<N>> {
    return (this as unknown as Serving)[name](plan, call);
  }

  async onHost(): Promise<BackendComponents> {
    return this;
  }

  bits(call: Call): Promise<Bits> {
    return metered(this.#pool, call, () => readBits(this.#pool, this.held.planes, this.polarities === 2, call));
  }

  distance({ plan, into }: Pick<DistanceRequest, "plan" | "into">, call: Call): Promise<void> {
    return metered(this.#pool, call, async () => {
      const { checkMemory, measureDistances } = await import("./distance.js");
      checkMemory(this.#pool, this, plan, into, call);
      await measureDistances(this.#pool, this.held.planes, plan, into, call);
    });
  }

  async filter(filter: Filter, call: Call): Promise<Made> {
    if (call.memory !== undefined) checkFiltering(this.#pool, this, filter, call.memory);
    if (this.touching) {
      const sums = await this.regions({ level: "bounds", solid: true }, { ...call, timings: [] });
      return this.keep(chooseLabels(filter, sums, this), call);
    }
    const labelled = await this.held.labelled(call);
    return this.#handle(await filterComponents(this.#pool, labelled, filter, call));
  }

  async keep(keep: Uint8Array, call: Call): Promise<Made> {
    const labelled = await this.held.labelled(call);
    const { links, touching } = labelled.planes;
    const isOfRuns = touching && !links;
    const select = isOfRuns ? (await import("./components-labelled.js")).keepRuns : keepLabels;
    const left = await select(this.#pool, labelled, keep, call);
    return this.#handle(left, this.values && valuesKept(this.values, keep));
  }

  morphology(plan: MorphologyPlan, call: Call): Promise<Made> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const { applyMorphology } = await import("./morphology.js");
      const planes = await applyMorphology(pool, this.held.planes, this.runCount, plan, call);
      return this.#handle(await labelPlanes(pool, planes, this.connectivity, call));
    });
  }

  split(plan: WatershedPlan, call: Call): Promise<Made> {
    return this.#measure(call, async (labelled) => {
      const pool = this.#pool;
      const [{ unionOf }, { splitPlanes }] = await Promise.all([import("./morphology.js"), import("./watershed.js")]);
      const union = await unionOf(pool, labelled.planes);
      try {
        const parts = await splitPlanes(pool, union, this.connectivity, plan, labelled, this.owner, call);
        return { ...this.#handle(parts.labelled), origins: parts.parents };
      } finally {
        freePlanes(pool, union);
      }
    });
  }

  merge(into: Uint32Array, call: Call): Promise<Made> {
    return this.#measure(call, async (labelled) => {
      const { mergeLabels } = await import("./components-labelled.js");
      const { labelled: merged, values } = await mergeLabels(this.#pool, labelled, into, this.owner, call);
      const labels = Uint32Array.from(values);
      const left = this.values && valuesAt(this.values, labels, this.count);
      return { ...this.#handle(merged, left), origins: labels };
    });
  }

  fillSlices(plan: HolesPlan, call: Call): Promise<Made> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      // Background joins by corners where objects join by faces alone.
      const eight = this.connectivity === 4 || this.connectivity === 6;
      const { fillSlices } = await import("./mask-slices.js");
      const planes = await fillSlices(pool, this.held.planes, plan, eight, call);
      return this.#handle(await labelPlanes(pool, planes, this.connectivity, call));
    });
  }

  expand(plan: ExpandPlan, call: Call): Promise<Made> {
    return this.#measure(call, async (labelled) => {
      const { growLabels } = await import("./expand.js");
      const grown = await growLabels(this.#pool, labelled, plan, this.owner, call);
      return this.#handle(grown.labelled, this.values);
    });
  }

  edit(plan: EditPlan, call: Call): Promise<Made> {
    return this.#measure(call, async (labelled) => {
      editing ??= await import("./edit.js");
      const { correctionsOf, editLabels } = editing;
      const pool = this.#pool;
      this.#corrections ??= await correctionsOf(pool, labelled, call);
      const edited = await editLabels(pool, labelled, this.#corrections, plan, this.values, call);
      const { origins, idle } = edited;
      return { ...this.#handle(edited.labelled, edited.values), origins, idle };
    });
  }

  shapes(plan: ShapesPlan, call: Call): Promise<ShapeSums> {
    return this.#measure(call, (labelled) => measureShapes(this.#pool, labelled, plan, call));
  }

  picked(plan: ValuesPlan, call: Call): Promise<ValueSums> {
    const pixels = residentOf(this.#pool, this.owner, plan.pixels);
    return this.#measure(call, async (labelled) => {
      const { measureValues } = await import("./region-values.js");
      return measureValues(this.#pool, labelled, { ...plan, pixels }, call);
    });
  }

  outlines({ labels, tolerance, simple }: OutlinesPlan, call: Call): Promise<Outlines> {
    return this.#measure(call, async (labelled) => {
      const through = labelled.connectivity === 8 && !simple;
      const { traceLabels } = await import("./outlines.js");
      const found = await traceLabels(this.#pool, labelled, labels, through, call);
      const traced = simple ? await (await import("../core/simple-rings.js")).cutRings(found, call) : found;
      if (tolerance === 0) return traced;
      const { simplifyOutlines } = await import("./outline-simplify.js");
      return simplifyOutlines(this.#pool, traced, this, tolerance, call);
    });
  }

  async at({ x, row }: PlanOf<"at">, call: Call): Promise<number> {
    return labelAt(this.#pool, await this.held.labelled(call), x, row);
  }

  #handle(labelled: Labelled, values?: PixelArray): Made {
    return { components: new CpuComponents(this.#home, labelledNow(labelled), values) };
  }

  #measure<T>(call: Call, work: (labelled: Labelled) => Promise<T>): Promise<T> {
    return metered(this.#pool, call, async () => work(await this.held.labelled(call)));
  }
}

/**
 * Rejects a memory limit below the peak of a filter. Without `fillHoles`: planes and labels of the kept components, and
 * sums. With it: planes of the filled objects, of the background and of the holes, and labels and sums of the background
 * too. The background has at most as many runs as the objects and the rows together.
 */
function checkFiltering(pool: Pool, found: CpuComponents, { fillHoles }: Filter, limit: number): void {
  const planes = planesBytes(found, found.polarities);
  const runs = found.runCount + rowCount(found);
  const bytes =
    pool.memory.used +
    (fillHoles ? 3 : 1) * planes +
    runs * (fillHoles ? 8 : 4) +
    found.count * 64 +
    (fillHoles ? runs * 32 : 0);
  if (bytes > limit) throw tooLittleMemory(bytes, limit, "filtering these components");
}

/** The values of the objects with these labels, in their order. */
function valuesAt(values: PixelArray, labels: Uint32Array, count: number): PixelArray {
  const channels = values.length / count || 1;
  return values.slice(0, labels.length * channels).map((_, i) => {
    return values[(labels[Math.floor(i / channels)] - 1) * channels + (i % channels)];
  }) as PixelArray;
}
