// The GPU backend: WebGPU kernels over bits and components that stay on the device.

import { Unsupported } from "../api/errors.js";
import type { Connectivity, GpuRaster, PixelArray, PixelType } from "../api/types.js";
import type { Call } from "../core/call.js";
import { BINS, type Histogram } from "../core/histogram.js";
import { held, heldFill } from "../core/lazy-labels.js";
import { type BackendImage, type Bits, hasLevels, type Pixels, type Shape, type Size } from "../core/pixels.js";
import {
  type ColoursPlan,
  type FillPlan,
  isDirected,
  isLinkage,
  type Predicate,
  type RegionsPlan,
} from "../core/plans.js";
import type { RegionSums } from "../core/sums.js";
import {
  type Backend,
  type BackendColours,
  type BackendComponents,
  type DeviceDescription,
  usingColours,
} from "../device/backend.js";
import type { Resident } from "./bands.js";
import type { Commands } from "./commands.js";
import { type Labelled, labelPlanes } from "./components.js";
import { Context } from "./context.js";
import { Device, type DeviceOptions } from "./device.js";
import { fitsDistances, readDistances, writesAgain } from "./distance.js";
import { fillPixels, fillsExactly } from "./fill.js";
import { filterComponents } from "./filter.js";
import { GpuComponents } from "./handle.js";
import { histogram } from "./histogram.js";
import { download, loadArray, loadResident, shapeOfTexture } from "./image.js";
import { GpuColours, type Lister } from "./kmeans.js";
import { countColours, fitsColours } from "./kmeans-colours.js";
import { fitsSlices, makePlanes, type Planes, packPixels, releasePlanes, uploadMask } from "./mask.js";

/** What the GPU leaves to the CPU, because it is done sooner there or needs 64-bit floats. */
export interface Helper extends Lister {
  /** Ends the CPU's workers, if any were started. */
  close(): Promise<void>;
  /** Packs pixels of the host to bits. */
  pack(pixels: Pixels, predicate: Predicate, call: Call): Promise<Bits>;
  /** Levels of types that no kernel knows. */
  histogram(pixels: Pixels, call: Call, bins?: number): Promise<Histogram>;
  /** Components on the CPU. */
  components(...given: Parameters<Backend["components"]>): Promise<BackendComponents>;
  /** What seeds fill. */
  fill(pixels: Pixels, plan: FillPlan, call: Call): Promise<Bits>;
  /** Distances. */
  distance(...given: Parameters<Backend["distance"]>): Promise<void>;
  /** Colours on the CPU. */
  colours: Backend["colours"];
  /** One channel, as a raster. */
  channel(...given: Parameters<Backend["channel"]>): Promise<Pixels & { kind: "array" }>;
  /** The levels of a wand, as a raster. */
  levels(...given: Parameters<Backend["levels"]>): Promise<Pixels & { kind: "array" }>;
  /** The sums of the components of bits. */
  regions(bits: Bits, connectivity: Connectivity, plan: RegionsPlan, call: Call): Promise<RegionSums>;
}

/** Opens a device; returns the reason instead where there is none. */
export async function openGpu(options: DeviceOptions, helper: Helper): Promise<GpuBackend | Unsupported> {
  const device = await Device.open(options);
  return device instanceof Unsupported ? device : new GpuBackend(new Context(device, options.profile), helper);
}

/** For bits that come ready. */
export const NOTHING: Predicate = { any: false, classes: [] };

export class GpuBackend implements Backend {
  readonly device = "gpu";
  readonly #context: Context;
  readonly #helper: Helper;

  constructor(context: Context, helper: Helper) {
    this.#context = context;
    this.#helper = helper;
  }

  /** Set once the device is lost. */
  get lost(): Error | undefined {
    return this.#context.device.lost;
  }

  get software(): boolean {
    return this.#context.device.adapter.software;
  }

  describe(): DeviceDescription {
    const { gpu, adapter, bindingBytes } = this.#context.device;
    const features = [...gpu.features].sort();
    const { usage } = this.#context.memory;
    const described = { ...adapter, features, bindingBytes, bufferBytes: gpu.limits.maxBufferSize };
    return { threads: 0, shared: false, memory: usage, gpu: described };
  }

  async load(pixels: Pixels & { kind: "array" }, call: Call): Promise<BackendImage> {
    return this.#context.guard(async () => this.#held(await loadArray(this.#context, pixels, call)));
  }

  adopt(raster: GpuRaster): Promise<{ image: BackendImage; shape: Shape }> {
    return this.#context.guard(async () => {
      const shape = "texture" in raster ? shapeOfTexture(raster.texture) : shapeOfBuffer(raster);
      return { image: this.#held(await loadResident(this.#context, raster, shape)), shape };
    });
  }

  /** An image that is given back once, and not to a device that is gone. */
  #held(image: Resident): BackendImage {
    const dispose = once(this.#context, () => image.dispose());
    return { ...image, where: "gpu", dispose };
  }

  read(pixels: Pixels & { kind: "image" }): Promise<PixelArray> {
    return this.#context.guard(() => download(this.#context, pixels));
  }

  histogram(pixels: Pixels, call: Call, bins = BINS): Promise<Histogram> {
    return this.#context.guard(async () => {
      // The kernel has counters for 256 bins.
      if (hasKernels(pixels.shape.type) && bins === BINS) return histogram(this.#context, pixels, call);
      return this.#helper.histogram(await onHost(this.#context, pixels), call, bins);
    });
  }

  components(...given: Parameters<Backend["components"]>): Promise<BackendComponents> {
    return this.#context.guard(() => this.#components(...given));
  }

  async #components(...given: Parameters<Backend["components"]>): Promise<BackendComponents> {
    const [input, rule, connectivity, filter, call] = given;
    const context = this.#context;
    const classes = input.kind === "mask" && input.second ? 2 : 1;
    if (isLinkage(rule) || !fitsSlices(context, sizeOf(input), Math.max(classes, rule.classes.length))) {
      const pixels = input.kind === "mask" ? input : await onHost(context, input);
      return this.#helper.components(pixels, rule, connectivity, filter, call);
    }
    const packed = await this.#packed(input, rule, call);
    const labelled = await this.#label(packed ?? input, rule, connectivity, call);
    const made = (result: Labelled): BackendComponents => new GpuComponents(context, this.#helper, held(result));
    if (!filter) return made(labelled);
    try {
      return made(await filterComponents(context, labelled, filter, call));
    } finally {
      labelled.release();
    }
  }

  /** Pixels of the host as bits where sending them as they are was found slower than threads pack them. */
  async #packed(input: Pixels | Bits, predicate: Predicate, call: Call): Promise<Bits | undefined> {
    if (input.kind === "mask") return input;
    // The fence is the CPU's: what it lets through comes as bits.
    if (predicate.within) return this.#helper.pack(await onHost(this.#context, input), predicate, call);
    if (!hasKernels(input.shape.type)) {
      return this.#helper.pack(await onHost(this.#context, input), predicate, call);
    }
    if (input.kind === "image" || !this.#context.sendsSlowly) return undefined;
    return this.#helper.pack(input, predicate, call);
  }

  /** Bits or pixels to components. */
  #label(input: Pixels | Bits, predicate: Predicate, connectivity: Connectivity, call: Call): Promise<Labelled> {
    const context = this.#context;
    return context.timed(call, "components", bytesOf(input), async () => {
      const commands = context.commands();
      const planes = await this.#makePlanes(commands, input, predicate, call);
      return labelPlanes(context, commands, planes, connectivity, call);
    });
  }

  /** Records bits or pixels as planes; NaN is background. */
  #makePlanes(commands: Commands, input: Pixels | Bits, predicate: Predicate, call: Call): Promise<Planes> {
    const context = this.#context;
    const classes = input.kind === "mask" ? (input.second ? 2 : 1) : predicate.classes.length;
    return makePlanes(context, sizeOf(input), classes, (made) =>
      input.kind === "mask"
        ? uploadMask(context, commands, input, made)
        : packPixels(context, commands, input, predicate, made, call),
    );
  }

  fill(pixels: Pixels, plan: FillPlan, call: Call): Promise<BackendComponents> {
    const context = this.#context;
    return context.guard(async () => {
      if (isDirected(plan)) {
        throw new Unsupported(
          'Expected the same tolerance on both sides for a floating range on the GPU, which joins pixels both ways; open the engine with device "auto" or "cpu" for different sides.',
        );
      }
      const { connectivity } = plan;
      const fits = fitsSlices(context, pixels.shape, 1);
      if (!fits || !fillsExactly(context, pixels, plan)) {
        const bits = await this.#helper.fill(await onHost(context, pixels), plan, call);
        if (!fits) return this.#helper.components(bits, NOTHING, connectivity, undefined, call);
        return new GpuComponents(context, this.#helper, held(await this.#label(bits, NOTHING, connectivity, call)));
      }
      const filled = await context.timed(call, "fill", bytesOf(pixels), () => fillPixels(context, pixels, plan, call));
      const label = (later: Call): Promise<Labelled> =>
        labelPlanes(context, context.commands(), filled.planes, connectivity, later);
      const { known } = filled;
      if (!known) return new GpuComponents(context, this.#helper, held(await label(call)));
      const release = (): void => releasePlanes(context, filled.planes);
      return new GpuComponents(context, this.#helper, heldFill({ ...filled, known }, label, release));
    });
  }

  distance(...[input, predicate, plan, into, call]: Parameters<Backend["distance"]>): Promise<void> {
    const context = this.#context;
    return context.guard(async () => {
      const size = sizeOf(input);
      if (!fitsDistances(context, size, plan)) {
        const pixels = input.kind === "mask" ? input : await onHost(context, input);
        return this.#helper.distance(pixels, predicate, plan, into, call);
      }
      const packed = (await this.#packed(input, predicate, call)) ?? input;
      return context.timed(call, "distance", bytesOf(packed), async () => {
        const planes = await this.#planes(packed, predicate, call);
        try {
          await readDistances(context, planes, plan, into, call);
        } finally {
          releasePlanes(context, planes);
        }
      });
    }, writesAgain(into));
  }

  /** Bits of their own on the device. */
  async #planes(input: Pixels | Bits, predicate: Predicate, call: Call): Promise<Planes> {
    const context = this.#context;
    const commands = context.commands();
    const planes = await this.#makePlanes(commands, input, predicate, call);
    try {
      await commands.submit();
      return planes;
    } catch (error) {
      releasePlanes(context, planes);
      throw error;
    }
  }

  async colours<T>(
    pixels: Pixels,
    plan: ColoursPlan,
    call: Call,
    work: (colours: BackendColours) => Promise<T>,
  ): Promise<T> {
    const context = this.#context;
    const found = await context.guard(async () =>
      fitsColours(context) ? countColours(context, pixels, plan, call) : undefined,
    );
    if (found) return usingColours(new GpuColours(context, this.#helper, found, plan, pixels), work);
    const host = await context.guard(() => onHost(context, pixels));
    return this.#helper.colours(host, plan, call, work);
  }

  /** Made by the CPU, from a copy of the pixels. */
  channel(pixels: Pixels, channel: number | undefined, call: Call): Promise<BackendImage> {
    return this.#context.guard(async () => {
      const plane = await this.#helper.channel(await onHost(this.#context, pixels), channel, call);
      return this.#held(await loadArray(this.#context, plane, call));
    });
  }

  levels(...[pixels, ...rest]: Parameters<Backend["levels"]>): Promise<BackendImage> {
    const [, , call] = rest;
    return this.#context.guard(async () => {
      const levels = await this.#helper.levels(await onHost(this.#context, pixels), ...rest);
      return this.#held(await loadArray(this.#context, levels, call));
    });
  }

  async close(): Promise<void> {
    this.#context.close();
    await this.#helper.close();
  }
}

/** Pixels where the CPU can read them. */
export async function onHost(context: Context, pixels: Pixels): Promise<Pixels> {
  if (pixels.kind !== "image") return pixels;
  return { kind: "array", shape: pixels.shape, data: await download(context, pixels) };
}

function shapeOfBuffer(raster: Extract<GpuRaster, { buffer: GPUBuffer }>): Shape {
  const { width, height, depth = 1, type, channels = 1, nodata } = raster;
  return { width, height, depth, type, channels, nodata };
}

/** Whether kernels read pixels of a type. */
export function hasKernels(type: PixelType): boolean {
  return hasLevels(type) || type === "f32";
}

function sizeOf(input: Pixels | Bits): Size {
  return input.kind === "mask" ? input : input.shape;
}

/** Bytes that have to be read for an input. */
function bytesOf(input: Pixels | Bits): number {
  if (input.kind === "mask") return input.bits.byteLength;
  return input.kind === "array" ? input.data.byteLength : 0;
}

export function once({ device }: Context, work: () => void): () => void {
  let done = false;
  return () => {
    if (!done && !device.lost) work();
    done = true;
  };
}
