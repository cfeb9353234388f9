// The GPU backend: WebGPU kernels over bits and components that stay on the device.

import type { Call } from "../core/call.js";
import { BINS, type Histogram } from "../core/histogram.js";
import { labelledLater, labelledNow } from "../core/lazy-labels.js";
import { once } from "../core/once.js";
import { type BackendImage, type Bits, hasKernels, type Pixels, rowCount, type Shape, sizeOf } from "../core/pixels.js";
import { isDirected, isLinkage, type Predicate } from "../core/plans.js";
import type {
  ChannelRequest,
  ColoursRequest,
  ComponentsRequest,
  DeviceRequest,
  DistanceRequest,
  FillRequest,
  FlattenRequest,
  HistogramRequest,
  SmoothRequest,
  StainRequest,
  WandRequest,
} from "../core/requests.js";
import type { Backend, BackendColours, BackendComponents, DeviceDescription, MakeMirror } from "../device/backend.js";
import { Unsupported } from "../types/errors.js";
import type { Connectivity, GpuRaster, PixelArray } from "../types/raster.js";
import type { Resident } from "./bands.js";
import { channelPixels, separates, stainPixels, unmixes } from "./channel.js";
import { labelPlanes } from "./components.js";
import type { Commands } from "./device/commands.js";
import { Context } from "./device/context.js";
import { Device, type DeviceOptions } from "./device/device.js";
import { fitsDistances, readDistances, writesAgain } from "./distance.js";
import { fillPixels, fillsExactly } from "./fill.js";
import { GpuComponents } from "./handle.js";
import { histogram } from "./histogram.js";
import { download, downloadRows, loadArray, loadResident, shapeOfTexture } from "./image.js";
import { GpuColours } from "./kmeans.js";
import { countColours, fitsColours } from "./kmeans-colours.js";
import type { Home, Labelled } from "./labelled.js";
import { fitsSlices, freePlanes, makePlanes, type Planes, packPixels, uploadMask } from "./mask.js";
import { smoothPixels, smoothsExactly } from "./smooth.js";
import { differenceImages } from "./wand.js";
import { flattenPixels, flattensExactly, packLocal, packsLocally } from "./window.js";

/** Opens a device, or returns why there is none. */
export async function openGpu(options: DeviceOptions): Promise<GpuBackend | Unsupported> {
  const device = await Device.open(options);
  return device instanceof Unsupported ? device : new GpuBackend(new Context(device, options.profile));
}

export class GpuBackend implements Backend {
  readonly device = "gpu";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Set once the device is lost. */
  get lost(): Error | undefined {
    return this.#context.device.lost;
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

  /** Wraps an image so that it is freed only once, and not after its device is lost. */
  #held(image: Resident): BackendImage {
    const dispose = once(() => {
      if (!this.lost) image.dispose();
    });
    return { ...image, owner: this, dispose };
  }

  read(pixels: Pixels & { kind: "image" }): Promise<PixelArray> {
    return this.#context.guard(() => download(this.#context, pixels));
  }

  rows(pixels: Pixels & { kind: "image" }, rows: readonly number[]): Promise<PixelArray> {
    return this.#context.guard(() => downloadRows(this.#context, pixels, rows));
  }

  refuses(request: DeviceRequest, call: Call): string | undefined {
    const context = this.#context;
    switch (request.noun) {
      case "components": {
        const { input, rule } = request;
        if (isLinkage(rule)) return "no kernel joins neighbours by their values";
        const classes = input.kind === "mask" && input.second ? 2 : 1;
        const fits = fitsSlices(context, sizeOf(input), Math.max(classes, rule.intervals.length));
        return fits ? undefined : "a slice of the volume does not fit one binding";
      }
      case "fill": {
        // fill() refuses directed fills, with an error of its own.
        if (isDirected(request.plan)) return undefined;
        if (!fitsSlices(context, request.pixels.shape, 1)) return "a slice of the volume does not fit one binding";
        return fillsExactly(context, request.pixels, request.plan)
          ? undefined
          : "no kernel compares such pixels exactly";
      }
      case "distance":
        return fitsDistances(context, sizeOf(request.input), request.plan, call)
          ? undefined
          : "the map does not fit one binding, or is coarse, or its memory is bounded";
      case "histogram":
        // The kernel's counters have 32 bits.
        if (rowCount(request.pixels.shape) * request.pixels.shape.width >= 2 ** 32) {
          return "the kernel counts fewer than 2^32 pixels";
        }
        return hasKernels(request.pixels.shape.type) && (request.bins ?? BINS) === BINS && !request.within
          ? undefined
          : "the kernel counts 256 bins of all pixels of u8, u16, i16 and f32";
      case "smooth":
        return smoothsExactly(context, request.pixels)
          ? undefined
          : "the kernels smooth u8, u16 and i16 that fit one binding; sums of floats differ between devices";
      case "channel":
        return separates(context, request.pixels, request.channel)
          ? undefined
          : "the pixels do not fit one binding, or no kernel makes the luma of their type";
      case "stain":
        return unmixes(context, request.pixels) ? undefined : "the pixels do not fit one binding";
      case "flatten":
        return flattensExactly(context, request.pixels, request.plan)
          ? undefined
          : "the kernels subtract the mean from u8 images, of at most 128 pixels to either side, where they fit one binding";
      case "wand": {
        const { width, height } = request.pixels.shape;
        return width * height <= context.device.bindingBytes ? undefined : "the differences do not fit one binding";
      }
      case "colours":
        if (request.plan.within) return "no kernel counts colours within a mask";
        return fitsColours(context) ? undefined : "a table of colours does not fit one binding";
      default:
        return "there is no kernel for it";
    }
  }

  /**
   * Whether the CPU packs pixels to bits first: for types that no kernel reads, within a mask, for local thresholds that
   * no kernel applies, and for host pixels if the bus was measured slower than packing.
   */
  takesBits(pixels: Pixels, { within, local }: Predicate): boolean {
    const { kind, shape } = pixels;
    return (
      within !== undefined ||
      (local !== undefined && !packsLocally(this.#context, pixels, local)) ||
      !hasKernels(shape.type) ||
      (kind !== "image" && this.#context.sendsSlowly)
    );
  }

  histogram({ pixels }: HistogramRequest, call: Call): Promise<Histogram> {
    return this.#context.guard(() => histogram(this.#context, pixels, call));
  }

  components({ input, rule, connectivity }: ComponentsRequest, call: Call): Promise<BackendComponents> {
    return this.#context.guard(async () => {
      const labelled = await this.#label(input, rule as Predicate, connectivity, call);
      return new GpuComponents(this.#home(connectivity), labelledNow(labelled));
    });
  }

  /** Labels bits or pixels. */
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
    const classes = input.kind === "mask" ? (input.second ? 2 : 1) : predicate.intervals.length;
    return makePlanes(context, sizeOf(input), classes, (made) => {
      if (input.kind === "mask") return uploadMask(context, commands, input, made);
      const { local } = predicate;
      return local
        ? packLocal(context, input, local, made, call)
        : packPixels(context, commands, input, predicate, made, call);
    });
  }

  fill({ pixels, plan }: FillRequest, call: Call): Promise<BackendComponents> {
    const context = this.#context;
    return context.guard(async () => {
      if (isDirected(plan)) {
        throw new Unsupported(
          'Expected the same tolerance on both sides for a floating range on the GPU, which joins pixels both ways; open the engine with device "auto" or "cpu" for different sides.',
        );
      }
      const { connectivity } = plan;
      const filled = await context.timed(call, "fill", bytesOf(pixels), () => fillPixels(context, pixels, plan, call));
      const label = (later: Call): Promise<Labelled> =>
        labelPlanes(context, context.commands(), filled.planes, connectivity, later);
      const { known } = filled;
      if (!known) return new GpuComponents(this.#home(connectivity), labelledNow(await label(call)));
      const free = (): void => freePlanes(context, filled.planes);
      return new GpuComponents(this.#home(connectivity), labelledLater({ ...filled, known }, label, free));
    });
  }

  distance({ input, predicate, plan, into }: DistanceRequest, call: Call): Promise<void> {
    const context = this.#context;
    return context.guard(
      () =>
        context.timed(call, "distance", bytesOf(input), async () => {
          const planes = await this.#planes(input, predicate, call);
          try {
            await readDistances(context, planes, plan, into, call);
          } finally {
            freePlanes(context, planes);
          }
        }),
      writesAgain(into),
    );
  }

  /** Makes planes of bits or pixels, and submits them. The caller frees the planes. */
  async #planes(input: Pixels | Bits, predicate: Predicate, call: Call): Promise<Planes> {
    const context = this.#context;
    const commands = context.commands();
    const planes = await this.#makePlanes(commands, input, predicate, call);
    try {
      await commands.submit();
      return planes;
    } catch (error) {
      freePlanes(context, planes);
      throw error;
    }
  }

  async smooth({ pixels, axes }: SmoothRequest, call: Call): Promise<BackendImage> {
    const context = this.#context;
    return this.#held(await context.guard(() => smoothPixels(context, pixels, axes, call)));
  }

  async flatten({ pixels, plan }: FlattenRequest, call: Call): Promise<BackendImage> {
    const context = this.#context;
    return this.#held(await context.guard(() => flattenPixels(context, pixels, plan, call)));
  }

  async wandDifferences({ pixels, plan }: WandRequest, call: Call): Promise<BackendImage[]> {
    const context = this.#context;
    const planes = await context.guard(() => differenceImages(context, pixels, plan, call));
    return planes.map((plane) => this.#held(plane));
  }

  async colours(request: ColoursRequest, call: Call, mirror: MakeMirror): Promise<BackendColours> {
    const context = this.#context;
    const { pixels, plan } = request;
    const found = await context.guard(() => countColours(context, pixels, plan, call));
    return new GpuColours(context, found, request, mirror);
  }

  bufferOf(data: Uint32Array, label: string): Promise<GPUBuffer> {
    return this.#context.guard(async () => this.#context.bufferOf(data, label));
  }

  async channel({ pixels, channel }: ChannelRequest, call: Call): Promise<BackendImage> {
    const context = this.#context;
    return this.#held(await context.guard(() => channelPixels(context, pixels, channel, call)));
  }

  async stain({ pixels, plan }: StainRequest, call: Call): Promise<BackendImage> {
    const context = this.#context;
    return this.#held(await context.guard(() => stainPixels(context, pixels, plan, call)));
  }

  async close(): Promise<void> {
    this.#context.close();
  }

  #home(connectivity: Connectivity): Home {
    return { context: this.#context, owner: this, connectivity };
  }
}

function shapeOfBuffer(raster: Extract<GpuRaster, { buffer: GPUBuffer }>): Shape {
  const { width, height, depth = 1, type, channels = 1, nodata } = raster;
  return { width, height, depth, type, channels, nodata };
}

/** Bytes of an input on the host; 0 for Sources and resident images. */
function bytesOf(input: Pixels | Bits): number {
  if (input.kind === "mask") return input.bits.byteLength;
  return input.kind === "array" ? input.data.byteLength : 0;
}
