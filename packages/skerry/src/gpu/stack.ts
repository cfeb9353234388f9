// The slices of a stack, each labelled as an image of its own, all at once. A slice's regions come from the table of the whole stack. For any
// other product its bits are copied and labelled again, alone.

import type { Call } from "../core/call.js";
import { labelledLater } from "../core/lazy-labels.js";
import { Kept, once } from "../core/once.js";
import type { Bits, ImageOwner } from "../core/pixels.js";
import type { RegionsPlan } from "../core/plans.js";
import type { RegionSums } from "../core/sums.js";
import type { BackendComponents, PlanOf, ProductName, ResultOf } from "../device/backend.js";
import type { Connectivity } from "../types/raster.js";
import { labelPlanes, type RecordMore } from "./components.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { GpuComponents } from "./handle.js";
import type { Home, Labelled } from "./labelled.js";
import { copyRows, fillHalos, freePlanes, makePlanes, type Planes } from "./mask.js";
import { fitsSolids, measureRegions } from "./regions.js";
import { servesProduct } from "./serves.js";

/** u32 per slice, as in components-slices.wgsl. */
const TOLD = 3;

/** The numbers of a slice: its components, those of slices before it, its foreground pixels and its runs. */
interface Counts {
  readonly before: number;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
}

/** A labelled stack that its slices share; the last one that is disposed of frees it. */
class Stack {
  readonly home: Home;
  readonly labelled: Labelled;
  readonly #regions: Kept<{ readonly sums: RegionSums; dispose(): void }>;
  #users: number;

  constructor(home: Home, labelled: Labelled) {
    this.home = home;
    this.labelled = labelled;
    this.#users = labelled.planes.depth;
    const plan: RegionsPlan = { level: "centroid", solid: true };
    this.#regions = new Kept(async (call) => {
      // An aborted call must not abort the table that later calls use.
      const sums = await measureRegions(home.context, labelled, plan, { ...call, signal: undefined });
      return { sums, dispose: () => undefined };
    });
  }

  /** Areas, boxes and centroids of all slices, measured once. */
  async regions(call: Call): Promise<RegionSums> {
    return (await this.#regions.get(call)).sums;
  }

  release(): void {
    this.#users--;
    if (this.#users === 0 && !this.home.context.device.lost) this.labelled.free();
  }
}

/** Labels each slice of planes of one strip, which the result owns. `commands` holds recorded work that the bits still need. */
export async function labelStack(
  home: Home,
  commands: Commands,
  planes: Planes,
  call: Call,
): Promise<BackendComponents[]> {
  const { context, connectivity } = home;
  const { depth, height, words } = planes;
  return withScratch(context, async (scope) => {
    const slices = await scope.allocate(depth * TOLD * 4, "counts of slices");
    const more: RecordMore = (recorded, { bits }, { marks, ranks, blocks }) => {
      recorded.stage("slices", height * depth * words * 4 * bits.length);
      for (const [index, plane] of bits.entries()) {
        const given = { bits: plane, marks, ranks, blocks, slices };
        const size = { words, slice: height * words, depth };
        recorded.dispatch("components-slices", depth, given, size, { SECOND: index === 1 });
      }
    };
    const labelled = await labelPlanes(context, commands, planes, connectivity, call, more);
    try {
      const told = await context.numbers(context.commands(), slices, depth * TOLD);
      const stack = new Stack(home, labelled);
      return Array.from({ length: depth }, (_, z) => {
        const [before, foreground, runCount] = told.subarray(z * TOLD);
        const after = z + 1 < depth ? told[(z + 1) * TOLD] : labelled.count;
        return new GpuSlice(stack, z, { before, count: after - before, foreground, runCount });
      });
    } catch (error) {
      labelled.free();
      throw error;
    }
  });
}

/** One slice of a stack, as an image. */
class GpuSlice implements BackendComponents {
  readonly width: number;
  readonly height: number;
  readonly depth = 1;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  readonly polarities: 1 | 2;
  readonly touching = false;
  readonly values = undefined;
  readonly connectivity: Connectivity;
  readonly owner: ImageOwner;
  readonly dispose: () => void;
  readonly #stack: Stack;
  readonly #context: Context;
  readonly #before: number;
  readonly #alone: Kept<GpuComponents>;

  constructor(stack: Stack, z: number, { before, count, foreground, runCount }: Counts) {
    const { home, labelled } = stack;
    const { planes } = labelled;
    this.width = planes.width;
    this.height = planes.height;
    this.count = count;
    this.foreground = foreground;
    this.runCount = runCount;
    this.polarities = planes.strips[0]?.bits.length === 2 ? 2 : 1;
    this.connectivity = home.connectivity;
    this.owner = home.owner;
    this.#stack = stack;
    this.#context = home.context;
    this.#before = before;
    this.#alone = new Kept((call) => sliceAlone(stack, z, this, call));
    this.dispose = once(() => {
      this.#alone.dispose();
      stack.release();
    });
  }

  refuses<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): boolean {
    const { width, height, depth } = this;
    return !servesProduct(this.#context, { width, height, depth, isWhole: true }, name, plan, call);
  }

  async serve<N extends ProductName>(name: N, plan: PlanOf<N>, call: Call): Promise<ResultOf<N>> {
    if (name === "regions" && this.#isInTable(plan as RegionsPlan)) {
      return (await this.#regions(plan as RegionsPlan, call)) as ResultOf<N>;
    }
    return (await this.#alone.get(call)).serve(name, plan, call);
  }

  #isInTable({ level, solid, intensity }: RegionsPlan): boolean {
    return level !== "shape" && !solid && !intensity && fitsSolids(this.#stack.labelled.planes);
  }

  /** The slice's part of the stack's table, without z. */
  async #regions({ level }: RegionsPlan, call: Call): Promise<RegionSums> {
    const context = this.#context;
    const { area, bounds, centroid } = await context.guard(() =>
      context.timed(call, "regions", 0, () => this.#stack.regions(call)),
    );
    const [from, count] = [this.#before, this.count];
    const flat = { area: area.slice(from, from + count) };
    if (level === "area" || !bounds || !centroid) return flat;
    const boxes = new Uint32Array(4 * count);
    const centres = new Float64Array(2 * count);
    for (let i = 0; i < count; i++) {
      for (let axis = 0; axis < 2; axis++) {
        boxes[4 * i + axis] = bounds[6 * (from + i) + axis];
        boxes[4 * i + 2 + axis] = bounds[6 * (from + i) + 3 + axis];
        centres[2 * i + axis] = centroid[3 * (from + i) + axis];
      }
    }
    return level === "bounds" ? { ...flat, bounds: boxes } : { ...flat, bounds: boxes, centroid: centres };
  }

  async onHost(call: Call): Promise<BackendComponents> {
    return (await this.#alone.get(call)).onHost(call);
  }

  async bits(call: Call): Promise<Bits> {
    return (await this.#alone.get(call)).bits();
  }
}

/** A slice with bits of its own, whose labels are computed on first use. */
function sliceAlone(
  { home, labelled }: Stack,
  z: number,
  known: Omit<Counts, "before">,
  call: Call,
): Promise<GpuComponents> {
  const { context, connectivity } = home;
  const { width, height, strips } = labelled.planes;
  const classes = strips[0]?.bits.length ?? 1;
  return context.guard(async () => {
    call.signal?.throwIfAborted();
    const planes = await makePlanes(context, { width, height, depth: 1 }, classes, async (own) => {
      const commands = context.commands();
      for (const { y0, y1, bits } of own.strips) {
        for (const [index, buffer] of bits.entries()) {
          const rows = { y0: z * height + y0, y1: z * height + y1 };
          copyRows(commands, labelled.planes, index, rows, buffer, own.words);
        }
      }
      fillHalos(commands, own);
      await commands.submit();
    });
    const label = (later: Call): Promise<Labelled> =>
      labelPlanes(context, context.commands(), planes, connectivity, later);
    const free = (): void => freePlanes(context, planes);
    const { count, foreground, runCount } = known;
    return new GpuComponents(home, labelledLater({ planes, known: { count, foreground, runCount } }, label, free));
  });
}
