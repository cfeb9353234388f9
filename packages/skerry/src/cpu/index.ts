// The CPU backend: WebAssembly SIMD in worker threads over one shared memory.

import {
  type Backend,
  type BackendColours,
  type BackendComponents,
  type BackendImage,
  type Bits,
  type Call,
  type ColoursPlan,
  type DeviceDescription,
  type FillPlan,
  type Filter,
  type Histogram,
  isLinkage,
  newPixels,
  type Pixels,
  type Predicate,
  partOf,
  type RegionSums,
  type RegionsPlan,
  type RunTable,
  rowCount,
  usingColours,
  type WindowPlan,
} from "../backend.js";
import type { ColourList } from "../colours.js";
import type { DistanceInto, DistancePlan } from "../distance.js";
import { tooLittleMemory, Unsupported } from "../errors.js";
import { type Held, held, heldFill } from "../held.js";
import { chooseLabels, valuesKept } from "../keep.js";
import type { PixelArray, Sink } from "../types.js";
import {
  bandsOf,
  borrowing,
  inLanes,
  laneCount,
  metered,
  PIXEL_BAND,
  PixelFeed,
  type Resident,
  timed,
} from "./bands.js";
import { planeOf } from "./channel.js";
import { classesOf } from "./classes.js";
import { countColours, placeColours } from "./colours.js";
import { type Labelled, labelAt, labelPlanes } from "./components.js";
import { measureDistances } from "./distance.js";
import { fillPixels } from "./fill.js";
import { filterComponents, keepLabels } from "./filter.js";
import { histogram } from "./histogram.js";
import { CpuColours } from "./kmeans.js";
import { expandLabels } from "./labels.js";
import { floodLevels } from "./levels.js";
import { linkingOf, linkPixels, valuesOf } from "./links.js";
import {
  exportMask,
  exportSurface,
  type Planes,
  packingBytes,
  packPixels,
  planesBytes,
  releasePlanes,
  unpackMask,
} from "./mask.js";
import { Pool, type PoolOptions } from "./pool.js";
import { measureRegions } from "./regions.js";
import { checkMemory } from "./ring.js";
import { runsByLabel, runsInOrder } from "./runs.js";
import { readWindow } from "./window.js";

export async function openCpu(options: PoolOptions): Promise<CpuBackend> {
  return new CpuBackend(await Pool.start(options));
}

export class CpuBackend implements Backend {
  readonly device = "cpu";
  #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  describe(): DeviceDescription {
    const { threads, shared, memory } = this.#pool;
    return { threads, shared, memory };
  }

  async adopt(): Promise<never> {
    throw new Unsupported(
      "Expected an engine on the GPU for pixels of a GPU buffer or texture, but this one is on the CPU.",
    );
  }

  async read({ shape, image }: Pixels & { kind: "image" }, call: Call): Promise<PixelArray> {
    const data = newPixels(shape.type, shape.width * rowCount(shape) * shape.channels);
    const { pointer } = image as unknown as Resident;
    const values = shape.width * shape.channels;
    const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, values * data.BYTES_PER_ELEMENT, PIXEL_BAND);
    await inLanes(call, "read", bands, laneCount(this.#pool), ({ y0, y1 }) =>
      this.#pool.read(pointer + y0 * values * data.BYTES_PER_ELEMENT, data.subarray(y0 * values, y1 * values)),
    );
    return data;
  }

  /** Pixels as bits, for another device to work on. */
  async pack(pixels: Pixels, predicate: Predicate, call: Call): Promise<Bits> {
    const pool = this.#pool;
    const { width, height, depth } = pixels.shape;
    const { planes } = await packPixels(pool, pixels, predicate, call);
    try {
      const words = Math.ceil(width / 32) * planes.rows;
      const bits = new Uint32Array(words);
      await exportMask(pool, planes, 1, bits, call);
      if (!planes.second) return { kind: "mask", width, height, depth, bits };
      const second = new Uint32Array(words);
      await exportMask(pool, planes, 2, second, call);
      return { kind: "mask", width, height, depth, bits, second };
    } finally {
      releasePlanes(pool, planes);
    }
  }

  async load({ shape, data }: Pixels & { kind: "array" }, call: Call): Promise<BackendImage> {
    const pool = this.#pool;
    const pointer = await pool.allocate(PixelFeed.residentBytes(shape));
    const values = shape.width * shape.channels;
    const rowBytes = values * data.BYTES_PER_ELEMENT;
    try {
      const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, rowBytes, PIXEL_BAND);
      await timed(call, "load", data.byteLength * 2, () =>
        inLanes(call, "load", bands, laneCount(pool), ({ y0, y1 }) =>
          pool.write(pointer + y0 * rowBytes, partOf(data, y0 * values, y1 * values)),
        ),
      );
    } catch (error) {
      pool.release(pointer);
      throw error;
    }
    return residentAt(pool, pointer);
  }

  histogram(pixels: Pixels, call: Call, bins?: number): Promise<Histogram> {
    return histogram(this.#pool, pixels, call, bins);
  }

  components(...given: Parameters<Backend["components"]>): Promise<BackendComponents> {
    return metered(this.#pool, given[4], () => this.#components(...given));
  }

  async #components(
    ...[input, rule, connectivity, filter, call]: Parameters<Backend["components"]>
  ): Promise<BackendComponents> {
    if (call.memory !== undefined) checkLabelling(this.#pool, input, call.memory);
    const found = await this.#found(input, rule, connectivity, undefined, call);
    if (!filter) return found;
    try {
      if (call.memory !== undefined) checkFiltering(this.#pool, found, filter, call.memory);
      return await found.filter(filter, call);
    } finally {
      found.dispose();
    }
  }

  async #found(...[input, rule, connectivity, , call]: Parameters<Backend["components"]>): Promise<CpuComponents> {
    const pool = this.#pool;
    if (isLinkage(rule)) {
      if (input.kind === "mask") throw new RangeError("a mask has no values to join by");
      return borrowing(pool, async (loan) => {
        const linking = linkingOf(rule, input.shape);
        const { planes, foreground, values } = await linkPixels(pool, input, linking, connectivity, call, loan);
        const labelled = await labelPlanes(pool, planes, connectivity, call, foreground);
        try {
          return new CpuComponents(pool, held(labelled), await valuesOf(pool, labelled, values, input.shape));
        } catch (error) {
          labelled.release();
          throw error;
        }
      });
    }
    const { planes, foreground } =
      input.kind === "mask"
        ? { planes: await unpackMask(pool, input, call), foreground: undefined }
        : await packPixels(pool, input, rule, call);
    return new CpuComponents(pool, held(await labelPlanes(pool, planes, connectivity, call, foreground)));
  }

  fill(pixels: Pixels, plan: FillPlan, call: Call): Promise<BackendComponents> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const filled = await fillPixels(pool, pixels, plan, call);
      const label = (later: Call): Promise<Labelled> => labelPlanes(pool, filled.planes, plan.connectivity, later);
      const { known } = filled;
      if (!known) return new CpuComponents(pool, held(await label(call)));
      return new CpuComponents(
        pool,
        heldFill({ ...filled, known }, label, () => releasePlanes(pool, filled.planes)),
      );
    });
  }

  distance(...[input, predicate, plan, into, call]: Parameters<Backend["distance"]>): Promise<void> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const size = input.kind === "mask" ? input : input.shape;
      const bits = planesBytes(size, input.kind === "mask" && input.second ? 2 : 1);
      checkMemory(pool, size, plan, into, bits, bits + packingBytes(pool, input));
      const planes =
        input.kind === "mask"
          ? await unpackMask(pool, input, call)
          : (await packPixels(pool, input, predicate, call)).planes;
      try {
        await measureDistances(pool, planes, plan, into, call);
      } finally {
        releasePlanes(pool, planes);
      }
    });
  }

  async colours<T>(
    pixels: Pixels,
    plan: ColoursPlan,
    call: Call,
    work: (colours: BackendColours) => Promise<T>,
  ): Promise<T> {
    const pool = this.#pool;
    const counted = await metered(pool, call, () => countColours(pool, pixels, plan, call));
    return usingColours(new CpuColours(pool, counted, plan, pixels), work);
  }

  /** Colours of another device's pixels, which it keeps itself. */
  async listed(list: ColourList, plan: ColoursPlan, channels: number, call: Call): Promise<CpuColours> {
    return new CpuColours(this.#pool, await placeColours(this.#pool, list, plan, channels, call), plan);
  }

  async channel(pixels: Pixels, channel: number | undefined, call: Call): Promise<BackendImage> {
    const pool = this.#pool;
    return residentAt(pool, await metered(pool, call, () => planeOf(pool, pixels, channel, call)));
  }

  async levels(
    pixels: Pixels,
    seed: readonly [number, number],
    connectivity: 4 | 8,
    call: Call,
  ): Promise<BackendImage> {
    const pool = this.#pool;
    const pointer = await metered(pool, call, () => floodLevels(pool, pixels, seed, connectivity === 8, call));
    return residentAt(pool, pointer);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Rejects a limit that does not hold the bits and what is on its way to them. */
function checkLabelling(pool: Pool, input: Pixels | Bits, limit: number): void {
  const size = input.kind === "mask" ? input : input.shape;
  const bits = planesBytes(size, input.kind === "mask" && input.second ? 2 : 1);
  // Runs are counted only then; a row has one as a rule.
  const bytes = pool.memory.used + bits + Math.max(packingBytes(pool, input), rowCount(size) * 4);
  if (bytes > limit) throw tooLittleMemory(bytes, limit, "these components");
}

/**
 * Rejects a limit that does not hold what a filter takes at most: planes and labels of what is kept, and for holes planes of
 * the background, of the holes and of the whole, labels and sums of the background, whose runs are at most as many as
 * those of the objects and the rows together.
 */
function checkFiltering(pool: Pool, found: CpuComponents, { fillHoles }: Filter, limit: number): void {
  const planes = planesBytes(found, found.classes);
  const runs = found.runCount + rowCount(found);
  const bytes =
    pool.memory.used +
    (fillHoles ? 3 : 1) * planes +
    runs * (fillHoles ? 8 : 4) +
    found.count * 64 +
    (fillHoles ? runs * 32 : 0);
  if (bytes > limit) throw tooLittleMemory(bytes, limit, "filtering these components");
}

class CpuComponents implements BackendComponents {
  readonly device = "cpu";
  readonly values: PixelArray | undefined;
  readonly dispose: () => void;
  #pool: Pool;
  #held: Held<Planes, Labelled>;

  constructor(pool: Pool, held: Held<Planes, Labelled>, values?: PixelArray) {
    this.#pool = pool;
    this.#held = held;
    this.values = values;
    this.dispose = once(() => held.release());
  }

  get width(): number {
    return this.#held.planes.width;
  }

  get height(): number {
    return this.#held.planes.height;
  }

  get depth(): number {
    return this.#held.planes.depth;
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
    const { second, links } = this.#held.planes;
    return second && !links ? 2 : 1;
  }

  regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    return this.#measure(call, (labelled) => measureRegions(this.#pool, labelled, plan, call));
  }

  async classOf(call: Call): Promise<Uint8Array> {
    return classesOf(this.#pool, await this.#held.labelled(call), call);
  }

  labels(into: Uint32Array | Sink, call: Call): Promise<void> {
    return this.#measure(call, (labelled) => expandLabels(this.#pool, labelled, into, call));
  }

  windowed(window: WindowPlan, which: 0 | 1 | 2 | undefined, into: Uint32Array, call: Call): Promise<void> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const { planes } = this.#held;
      if (which === undefined) {
        const labelled = await this.#held.labelled(call);
        return readWindow(pool, planes, planes, labelled, window, into, call);
      }
      // Objects by value lie in both planes, whatever their class.
      const one =
        which === 0 || planes.links ? planes : { first: which === 2 ? planes.second : planes.first, second: 0 };
      return readWindow(pool, planes, one, undefined, window, into, call);
    });
  }

  runs(grouped: boolean, call: Call): Promise<RunTable> {
    const read = grouped ? runsByLabel : runsInOrder;
    return this.#measure(call, (labelled) => read(this.#pool, labelled, call));
  }

  mask(which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void> {
    return metered(this.#pool, call, () => exportMask(this.#pool, this.#held.planes, which, into, call));
  }

  async labelsBuffer(): Promise<never> {
    throw noBuffer();
  }

  async maskBuffer(): Promise<never> {
    throw noBuffer();
  }

  surface(border: boolean, into: Uint32Array, call: Call): Promise<void> {
    return metered(this.#pool, call, () => exportSurface(this.#pool, this.#held.planes, border, into, call));
  }

  distance(plan: DistancePlan, into: DistanceInto, call: Call): Promise<void> {
    return metered(this.#pool, call, async () => {
      checkMemory(this.#pool, this, plan, into);
      await measureDistances(this.#pool, this.#held.planes, plan, into, call);
    });
  }

  async filter(filter: Filter, call: Call): Promise<CpuComponents> {
    if (this.values) {
      const sums = await this.regions({ level: "bounds", solid: true }, { ...call, timings: [] });
      return this.keep(chooseLabels(filter, sums, this), call);
    }
    const labelled = await this.#held.labelled(call);
    return new CpuComponents(this.#pool, held(await filterComponents(this.#pool, labelled, filter, call)));
  }

  async keep(keep: Uint8Array, call: Call): Promise<CpuComponents> {
    const labelled = await this.#held.labelled(call);
    const left = await keepLabels(this.#pool, labelled, keep, call);
    return new CpuComponents(this.#pool, held(left), this.values && valuesKept(this.values, keep));
  }

  async at(x: number, y: number, call: Call): Promise<number> {
    return labelAt(this.#pool, await this.#held.labelled(call), x, y);
  }

  #measure<T>(call: Call, work: (labelled: Labelled) => Promise<T>): Promise<T> {
    return metered(this.#pool, call, async () => work(await this.#held.labelled(call)));
  }
}

/** Pixels in WebAssembly memory. */
function residentAt(pool: Pool, pointer: number): BackendImage & Resident {
  return { pointer, where: "cpu", dispose: once(() => pool.release(pointer)) };
}

function noBuffer(): Unsupported {
  return new Unsupported('Expected components on the GPU for { as: "buffer" }, but these are on the CPU.');
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
