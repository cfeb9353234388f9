// The CPU backend: WebAssembly SIMD in worker threads over one shared memory. Operations beside components by a threshold load their
// code with the first call, so that a page which labels need not fetch it.

import type { Call } from "../core/call.js";
import type { ColourList } from "../core/colour-keys.js";
import type { BackendFrames, FramesPlan } from "../core/frames-plan.js";
import type { Histogram } from "../core/histogram.js";
import { labelledLater, labelledNow } from "../core/lazy-labels.js";
import { once } from "../core/once.js";
import { type BackendImage, type Bits, newPixels, type Pixels, partOf, rowCount, sizeOf } from "../core/pixels.js";
import { isLinkage, type WandPlan } from "../core/plans.js";
import type {
  ChannelRequest,
  ColoursRequest,
  ComponentsRequest,
  ContrastRequest,
  DistanceRequest,
  FillRequest,
  FlattenRequest,
  GradientRequest,
  HistogramRequest,
  LabelledRequest,
  PackRequest,
  PaintRequest,
  RecolourRequest,
  SmoothRequest,
  StainRequest,
  WandRequest,
  WatershedRequest,
} from "../core/requests.js";
import type {
  BackendColours,
  BackendComponents,
  DeviceDescription,
  HoldRequest,
  HostBackend,
} from "../device/backend.js";
import { tooLittleMemory, Unsupported } from "../types/errors.js";
import type { Connectivity, PixelArray } from "../types/raster.js";
import { bandsOf, inLanes, laneCount, metered, PIXEL_BAND, timed } from "./bands.js";
import { contrastPlane, planeOf, stainPlane } from "./channel.js";
import { type Labelled, labelPlanes } from "./components.js";
import { CpuComponents, type Home } from "./handle.js";
import { histogram } from "./histogram.js";
import type { CpuColours } from "./kmeans.js";
import { readBits, unpackMask } from "./mask.js";
import { packAny, packingBytes } from "./mask-pack.js";
import { Pool, type PoolOptions } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, type Resident, residentOf, SLACK_BYTES } from "./pixel-feed.js";
import { freePlanes, planesBytes } from "./planes.js";

export async function openCpu(options: PoolOptions): Promise<CpuBackend> {
  return new CpuBackend(await Pool.start(options));
}

export class CpuBackend implements HostBackend {
  readonly device = "cpu";
  /** Always undefined: a lost worker rejects calls, and there is no other CPU to fall back to. */
  readonly lost = undefined;
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

  async read({ shape, image }: Pixels & { kind: "image" }, data: PixelArray, call: Call): Promise<PixelArray> {
    const { pointer } = image as unknown as Resident;
    const values = shape.width * shape.channels;
    const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, values * data.BYTES_PER_ELEMENT, PIXEL_BAND);
    await inLanes(call, "read", bands, laneCount(this.#pool), ({ y0, y1 }) =>
      this.#pool.read(pointer + y0 * values * data.BYTES_PER_ELEMENT, partOf(data, y0 * values, y1 * values)),
    );
    return data;
  }

  async rows({ shape, image }: Pixels & { kind: "image" }, rows: readonly number[], call: Call): Promise<PixelArray> {
    const values = shape.width * shape.channels;
    const data = newPixels(shape.type, rows.length * values);
    const { pointer } = image as unknown as Resident;
    for (const [i, row] of rows.entries()) {
      call.signal?.throwIfAborted();
      const into = data.subarray(i * values, (i + 1) * values);
      await this.#pool.read(pointer + row * values * data.BYTES_PER_ELEMENT, into);
    }
    return data;
  }

  async frames(plan: FramesPlan): Promise<BackendFrames | undefined> {
    return (await import("./frames.js")).openFrames(this.#pool, plan);
  }

  /** The CPU serves every request. */
  refuses(): boolean {
    return false;
  }

  lend(bytes: number): { readonly buffer: ArrayBufferLike; readonly pointer: number } | undefined {
    return this.#pool.lend(bytes + SLACK_BYTES, LEAD_BYTES);
  }

  takeBack(array: ArrayBufferView): (() => void) | undefined {
    return this.#pool.takeBack(array);
  }

  refuseFreed(array: ArrayBufferView): void {
    this.#pool.addressOf(array);
  }

  async pack({ pixels, predicate }: PackRequest, call: Call): Promise<Bits> {
    const pool = this.#pool;
    const { planes } = await packAny(pool, this.#inPlace(pixels), predicate, call);
    try {
      return await readBits(pool, planes, planes.second !== 0, call);
    } finally {
      freePlanes(pool, planes);
    }
  }

  async load({ shape, data }: Pixels & { kind: "array" }, call: Call): Promise<BackendImage> {
    const pool = this.#pool;
    const pointer = await pool.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
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
      pool.free(pointer);
      throw error;
    }
    return this.#image(pointer);
  }

  histogram(request: HistogramRequest, call: Call): Promise<Histogram> {
    return histogram(this.#pool, { ...request, pixels: this.#inPlace(request.pixels) }, call);
  }

  components(request: ComponentsRequest, call: Call): Promise<CpuComponents> {
    return metered(this.#pool, call, async () => {
      if (call.memory !== undefined) checkLabelling(this.#pool, request.input, call.memory);
      return this.#found(request, call);
    });
  }

  async #found({ input: given, rule, connectivity }: ComponentsRequest, call: Call): Promise<CpuComponents> {
    const pool = this.#pool;
    const input = this.#inPlace(given);
    const home = this.#home(connectivity);
    if (input.kind === "mask") {
      const planes = await unpackMask(pool, input, call);
      return new CpuComponents(home, labelledNow(await labelPlanes(pool, planes, connectivity, call)));
    }
    if (!isLinkage(rule)) {
      const { planes, foreground } = await packAny(pool, input, rule, call);
      return new CpuComponents(home, labelledNow(await labelPlanes(pool, planes, connectivity, call, foreground)));
    }
    const { linkingOf, linkPixels, valuesOf } = await import("./components-linked.js");
    return withScratch(pool, async (scope) => {
      const linking = linkingOf(rule, input.shape);
      const { planes, foreground, values } = await linkPixels(pool, input, linking, connectivity, call, scope);
      const labelled = await labelPlanes(pool, planes, connectivity, call, foreground);
      try {
        return new CpuComponents(home, labelledNow(labelled), await valuesOf(pool, labelled, values, input.shape));
      } catch (error) {
        labelled.free();
        throw error;
      }
    });
  }

  async hold({ bits, connectivity, known }: HoldRequest, call: Call): Promise<CpuComponents> {
    const pool = this.#pool;
    const planes = await metered(pool, call, () => unpackMask(pool, bits, call));
    const label = (later: Call): Promise<Labelled> => labelPlanes(pool, planes, connectivity, later);
    const held = labelledLater({ planes, known }, label, () => freePlanes(pool, planes));
    return new CpuComponents(this.#home(connectivity), held);
  }

  labelled({ pixels, connectivity, values }: LabelledRequest, call: Call): Promise<CpuComponents> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const given = this.#inPlace(pixels);
      const { labelValues } = await import("./components-labelled.js");
      const found = await labelValues(pool, given, connectivity, false, call);
      const named = values === "labels" ? found.values : values;
      return new CpuComponents(this.#home(connectivity), labelledNow(found.labelled), named);
    });
  }

  /** Refused. */
  async bufferOf(): Promise<never> {
    throw new Unsupported("Expected a GPU for a GPUBuffer.");
  }

  watershed({ within, connectivity, plan }: WatershedRequest, call: Call): Promise<CpuComponents> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const { splitPlanes } = await import("./watershed.js");
      const planes = await unpackMask(pool, within, call);
      try {
        const { labelled, values } = await splitPlanes(pool, planes, connectivity, plan, undefined, this, call);
        return new CpuComponents(this.#home(connectivity), labelledNow(labelled), values);
      } finally {
        freePlanes(pool, planes);
      }
    });
  }

  fill({ pixels, plan }: FillRequest, call: Call): Promise<BackendComponents> {
    const pool = this.#pool;
    const { connectivity } = plan;
    return metered(pool, call, async () => {
      const given = this.#inPlace(pixels);
      const { fillPixels } = await import("./fill.js");
      const filled = await fillPixels(pool, given, plan, call);
      const label = (later: Call): Promise<Labelled> => labelPlanes(pool, filled.planes, connectivity, later);
      const { known } = filled;
      if (!known) return new CpuComponents(this.#home(connectivity), labelledNow(await label(call)));
      return new CpuComponents(
        this.#home(connectivity),
        labelledLater({ ...filled, known }, label, () => freePlanes(pool, filled.planes)),
      );
    });
  }

  distance({ input: given, predicate, plan, into }: DistanceRequest, call: Call): Promise<void> {
    const pool = this.#pool;
    const input = this.#inPlace(given);
    return metered(pool, call, async () => {
      const { checkMemory, measureDistances } = await import("./distance.js");
      const bits = planesBytes(sizeOf(input), input.kind === "mask" && input.second ? 2 : 1);
      checkMemory(pool, sizeOf(input), plan, into, call, bits, bits + packingBytes(pool, input));
      const planes =
        input.kind === "mask"
          ? await unpackMask(pool, input, call)
          : (await packAny(pool, input, predicate, call)).planes;
      try {
        await measureDistances(pool, planes, plan, into, call);
      } finally {
        freePlanes(pool, planes);
      }
    });
  }

  async colours({ pixels: given, plan }: ColoursRequest, call: Call): Promise<BackendColours> {
    const pool = this.#pool;
    const pixels = this.#inPlace(given);
    const { CpuColours, countColours } = await import("./kmeans.js");
    const counted = await metered(pool, call, () => countColours(pool, pixels, plan, call));
    return new CpuColours(pool, counted, plan, pixels);
  }

  async mirror(list: ColourList, { pixels, plan }: ColoursRequest, call: Call): Promise<CpuColours> {
    const { channels } = pixels.shape;
    const { CpuColours, placeColours } = await import("./kmeans.js");
    return new CpuColours(this.#pool, await placeColours(this.#pool, list, plan, channels, call), plan);
  }

  async channel({ pixels, channel }: ChannelRequest, call: Call): Promise<BackendImage> {
    const pool = this.#pool;
    return this.#image(await metered(pool, call, () => planeOf(pool, this.#inPlace(pixels), channel, call)));
  }

  async smooth({ pixels, axes }: SmoothRequest, call: Call): Promise<BackendImage> {
    const [pool, given] = [this.#pool, this.#inPlace(pixels)];
    const { smoothPixels } = await import("./smooth.js");
    return this.#image(await metered(pool, call, () => smoothPixels(pool, given, axes, call)));
  }

  async gradient({ pixels, axes }: GradientRequest, call: Call): Promise<BackendImage> {
    const [pool, given] = [this.#pool, this.#inPlace(pixels)];
    const { gradientPixels } = await import("./gradient.js");
    return this.#image(await metered(pool, call, () => gradientPixels(pool, given, axes, call)));
  }

  async flatten({ pixels, plan }: FlattenRequest, call: Call): Promise<BackendImage> {
    const [pool, given] = [this.#pool, this.#inPlace(pixels)];
    const { flattenPixels } = await import("./window-sums.js");
    return this.#image(await metered(pool, call, () => flattenPixels(pool, given, plan, call)));
  }

  async stain({ pixels, plan }: StainRequest, call: Call): Promise<BackendImage> {
    const pool = this.#pool;
    return this.#image(await metered(pool, call, () => stainPlane(pool, this.#inPlace(pixels), plan, call)));
  }

  async contrast({ pixels, plan }: ContrastRequest, call: Call): Promise<BackendImage> {
    const pool = this.#pool;
    return this.#image(await metered(pool, call, () => contrastPlane(pool, this.#inPlace(pixels), plan, call)));
  }

  recolour(request: RecolourRequest, call: Call): Promise<void> {
    return metered(this.#pool, call, async () =>
      (await import("./paint.js")).recolourPixels(this.#pool, request, call),
    );
  }

  paint(request: PaintRequest, call: Call): Promise<void> {
    return metered(this.#pool, call, async () => (await import("./paint.js")).paintPixels(this.#pool, request, call));
  }

  async wandDifferences({ pixels, plan }: WandRequest, call: Call): Promise<BackendImage[]> {
    const pool = this.#pool;
    const given = this.#inPlace(pixels);
    const { differencePlanes } = await import("./wand.js");
    const planes = await metered(pool, call, () => differencePlanes(pool, given, plan, call));
    return planes.map((plane) => this.#image(plane));
  }

  wandAreas(planes: readonly Pixels[], plan: WandPlan, call: Call): Promise<Float64Array> {
    const pool = this.#pool;
    return metered(pool, call, async () => {
      const placed = planes.map((plane) => this.#inPlace(plane));
      const { floodAreas } = await import("./wand.js");
      return floodAreas(pool, placed, plan, call);
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** An array in the pool's memory is read where it lies, as a loaded image is. */
  #inPlace<T extends Pixels | Bits>(input: T): T | (Pixels & { kind: "image" }) {
    return residentOf(this.#pool, this, input);
  }

  #home(connectivity: Connectivity): Home {
    return { pool: this.#pool, owner: this, connectivity };
  }

  /** Pixels in WebAssembly memory. */
  #image(pointer: number): BackendImage & Resident {
    return { pointer, owner: this, dispose: once(() => this.#pool.free(pointer)) };
  }
}

/** Rejects a memory limit that is too low for the bit planes and for the data in flight while they are packed. */
function checkLabelling(pool: Pool, input: Pixels | Bits, limit: number): void {
  const size = sizeOf(input);
  const bits = planesBytes(size, input.kind === "mask" && input.second ? 2 : 1);
  // The number of runs is known only after packing, so one run per row is assumed.
  const bytes = pool.memory.used + bits + Math.max(packingBytes(pool, input), rowCount(size) * 4);
  if (bytes > limit) throw tooLittleMemory(bytes, limit, "these components");
}
