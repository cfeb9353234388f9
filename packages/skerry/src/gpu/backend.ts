// The GPU backend: WebGPU kernels over bits and components that stay on the device.

import type { Call } from "../core/call.js";
import type { Histogram } from "../core/histogram.js";
import { labelledLater, labelledNow } from "../core/lazy-labels.js";
import { once } from "../core/once.js";
import { type BackendImage, type Bits, type Pixels, type Shape, sizeOf } from "../core/pixels.js";
import { isDirected, isLinkage, type Linkage, type Predicate } from "../core/plans.js";
import type {
  ChannelRequest,
  ColoursRequest,
  ComponentsRequest,
  DeviceRequest,
  DistanceRequest,
  FillRequest,
  FlattenRequest,
  GradientRequest,
  HistogramRequest,
  SmoothRequest,
  StainRequest,
  WandRequest,
} from "../core/requests.js";
import type { Backend, BackendColours, BackendComponents, DeviceDescription, OpenHost } from "../device/backend.js";
import { Unsupported } from "../types/errors.js";
import type { Connectivity, GpuRaster, PixelArray } from "../types/raster.js";
import type { Resident } from "./bands.js";
import { channelPixels, stainPixels } from "./channel.js";
import { labelPlanes } from "./components.js";
import type { Commands } from "./device/commands.js";
import { Context } from "./device/context.js";
import { Device, type DeviceOptions } from "./device/device.js";
import { readDistances, writesAgain } from "./distance.js";
import { fillPixels } from "./fill.js";
import { gradientPixels } from "./gradient.js";
import { GpuComponents } from "./handle.js";
import { histogram } from "./histogram.js";
import { download, downloadRows, loadArray, loadResident, shapeOfTexture } from "./image.js";
import { GpuColours } from "./kmeans.js";
import { countColours } from "./kmeans-colours.js";
import type { Home, Labelled } from "./labelled.js";
import { labelLinked } from "./links.js";
import { freePlanes, makePlanes, type Planes, packPixels, uploadMask } from "./mask.js";
import { GpuParts } from "./parts.js";
import { servesRequest } from "./serves.js";
import { smoothPixels } from "./smooth.js";
import { labelStack } from "./stack.js";
import { differenceImages } from "./wand.js";
import { flattenPixels, packLocal } from "./window.js";

/** Opens a device, or returns why there is none. */
export async function openGpu(options: DeviceOptions, host: OpenHost): Promise<GpuBackend | Unsupported> {
  const device = await Device.open(options);
  return device instanceof Unsupported ? device : new GpuBackend(new Context(device, options.profile), host);
}

export class GpuBackend implements Backend {
  readonly device = "gpu";
  readonly #context: Context;
  readonly #host: OpenHost;

  constructor(context: Context, host: OpenHost) {
    this.#context = context;
    this.#host = host;
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

  read(pixels: Pixels & { kind: "image" }, into: PixelArray): Promise<PixelArray> {
    return this.#context.guard(() => download(this.#context, pixels, into));
  }

  rows(pixels: Pixels & { kind: "image" }, rows: readonly number[]): Promise<PixelArray> {
    return this.#context.guard(() => downloadRows(this.#context, pixels, rows));
  }

  refuses(request: DeviceRequest, call: Call): boolean {
    return !servesRequest(this.#context, request, call);
  }

  histogram({ pixels }: HistogramRequest, call: Call): Promise<Histogram> {
    return this.#context.guard(() => histogram(this.#context, pixels, call));
  }

  components({ input, rule, connectivity }: ComponentsRequest, call: Call): Promise<BackendComponents> {
    return this.#context.guard(async () => {
      if (isLinkage(rule)) return this.#linked(input as Pixels, rule, connectivity, call);
      const labelled = await this.#label(input, rule, connectivity, call);
      return new GpuComponents(this.#home(connectivity), labelledNow(labelled));
    });
  }

  /** Labels the slices of a stack, each as an image of its own; undefined if bindings became too small for the whole stack. */
  stack({ input, rule, connectivity }: ComponentsRequest, call: Call): Promise<BackendComponents[] | undefined> {
    const context = this.#context;
    return context.guard(() =>
      context.timed(call, "components", bytesOf(input), async () => {
        const commands = context.commands();
        const planes = await this.#makePlanes(commands, input, rule as Predicate, call);
        if (planes.strips.length > 1) {
          freePlanes(context, planes);
          return undefined;
        }
        return labelStack(this.#home(connectivity), commands, planes, call);
      }),
    );
  }

  /** Labels pixels by value or tolerance. */
  async #linked(pixels: Pixels, rule: Linkage, connectivity: Connectivity, call: Call): Promise<GpuParts> {
    const context = this.#context;
    const image = await context.timed(call, "components", 0, () =>
      labelLinked(context, pixels, rule, connectivity, call),
    );
    const { foreground, values } = image;
    return new GpuParts(image, { home: this.#home(connectivity), ...sizeOf(pixels), foreground, values });
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
    return makePlanes(context, sizeOf(input), classes, (planes) => {
      if (input.kind === "mask") return uploadMask(context, commands, input, planes);
      const { local } = predicate;
      return local
        ? packLocal(context, input, local, planes, call)
        : packPixels(context, commands, input, predicate, planes, call);
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

  async gradient({ pixels, axes }: GradientRequest, call: Call): Promise<BackendImage> {
    const context = this.#context;
    return this.#held(await context.guard(() => gradientPixels(context, pixels, axes, call)));
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

  async colours(request: ColoursRequest, call: Call): Promise<BackendColours> {
    const context = this.#context;
    const { pixels, plan } = request;
    const found = await context.guard(() => countColours(context, pixels, plan, call));
    return new GpuColours(context, found, request, this.#host);
  }

  bufferOf(data: Uint32Array, label: string, into: GPUBuffer | undefined): Promise<GPUBuffer> {
    return this.#context.guard(() => this.#context.bufferOf(data, label, into));
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
    return { context: this.#context, owner: this, host: this.#host, connectivity };
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
