// The only module that chooses a device. A request runs on the device that holds its pixels, or on the one that is
// expected to be faster. Requests that a device cannot serve run on the CPU, and the router carries pixels and bits
// between the two. With `auto`, a lost GPU is replaced by another one or by the CPU, and the request runs again.

import type { Call } from "../core/call.js";
import { contrastShape } from "../core/contrast.js";
import { defined } from "../core/defined.js";
import { isResident } from "../core/distance-plan.js";
import type { BackendFrames, FramesPlan } from "../core/frames-plan.js";
import type { Histogram } from "../core/histogram.js";
import {
  type BackendImage,
  type Bits,
  newPixels,
  PIXEL_BYTES,
  type Pixels,
  pixelsIn,
  rowCount,
  type Shape,
  type Size,
  sizeOf,
} from "../core/pixels.js";
import {
  isDirected,
  isLinkage,
  type Predicate,
  type RegionsPlan,
  type ValuesPlan,
  type WandPlan,
  type WatershedPlan,
} from "../core/plans.js";
import type {
  ChannelRequest,
  ClassesRequest,
  ColoursRequest,
  ComponentsRequest,
  ContrastRequest,
  DeviceRequest,
  DistanceRequest,
  FillRequest,
  FlattenRequest,
  GradientRequest,
  HistogramRequest,
  HostPixels,
  LabelledRequest,
  PaintRequest,
  RecolourRequest,
  SmoothRequest,
  StainRequest,
  WandRequest,
  WatershedRequest,
} from "../core/requests.js";
import type { RegionSums } from "../core/sums.js";
import { DeviceLost, Unsupported } from "../types/errors.js";
import type { GpuRaster, PixelArray, PixelType } from "../types/raster.js";
import {
  type Backend,
  type BackendColours,
  type BackendComponents,
  type DeviceDescription,
  type HostBackend,
  type Made,
  type Making,
  type OpenHost,
  type PlanOf,
  type ProductName,
  Refused,
  type ResultOf,
} from "./backend.js";
import { type MeasuredWork, Speeds } from "./speeds.js";

/** Opens the devices of an engine. */
export interface Devices {
  cpu(): Promise<HostBackend>;
  /** Opens a new GPU, or returns the reason why there is none. */
  gpu(host: OpenHost): Promise<Backend | Unsupported>;
}

/** The rule in requests for bits, which ignore it. */
const NOTHING: Predicate = { any: false, intervals: [] };

export class Router {
  readonly device: "auto" | "cpu" | "gpu";
  readonly #devices: Devices;
  #cpu: HostBackend | undefined;
  #opening: Promise<HostBackend> | undefined;
  #gpu: Backend | undefined;
  #notice: string | undefined;
  #closed = false;
  /** Whose devices these are, if another router's. */
  #lender: Router | undefined;
  /** The devices' speeds as far as they are known, by which `auto` chooses. */
  readonly speeds = new Speeds();

  private constructor(device: "auto" | "cpu" | "gpu", devices: Devices) {
    this.device = device;
    this.#devices = devices;
  }

  /** Opens a GPU with "auto" and "gpu"; otherwise, or if "auto" finds none, the CPU. Beside a GPU the CPU opens on first need. */
  static async open(device: "auto" | "cpu" | "gpu", devices: Devices): Promise<Router> {
    const router = new Router(device, devices);
    if (device !== "cpu") {
      const missing = await router.#openGpu();
      if (missing && device === "gpu") throw missing;
    }
    if (!router.#gpu) await router.#openCpu();
    return router;
  }

  /** A router of this one's device alone, which closes nothing; undefined if that is not open. */
  async pinned(device: "cpu" | "gpu"): Promise<Router | undefined> {
    const gpu = device === "gpu" ? await this.#aliveGpu() : undefined;
    if (device === "gpu" && !gpu) return undefined;
    const router = new Router(device, { ...this.#devices, cpu: () => this.#openCpu() });
    router.#lender = this;
    router.#gpu = gpu;
    return router;
  }

  describe(): DeviceDescription {
    const gpu = this.#gpu?.describe();
    const cpu = this.#cpu?.describe();
    return defined({
      threads: cpu?.threads ?? 0,
      shared: cpu?.shared ?? false,
      memory: {
        used: (cpu?.memory.used ?? 0) + (gpu?.memory.used ?? 0),
        reserved: (cpu?.memory.reserved ?? 0) + (gpu?.memory.reserved ?? 0),
      },
      gpu: gpu ? gpu.gpu : undefined,
      gpuFrom: gpu && this.device === "auto" ? this.speeds.measured : undefined,
      notice: this.#notice || undefined,
    });
  }

  async adopt(raster: GpuRaster): Promise<{ image: BackendImage; shape: Shape }> {
    return ((await this.#aliveGpu()) ?? (await this.#openCpu())).adopt(raster);
  }

  /** An array in the CPU's shared memory if the CPU is open, else an ordinary one. */
  allocate(type: PixelType, length: number): PixelArray {
    if (this.#closed) throw new DeviceLost("The engine was closed.");
    const lent = this.#cpu?.lend(length * PIXEL_BYTES[type]);
    return lent ? pixelsIn(type, lent.buffer, lent.pointer, length) : newPixels(type, length);
  }

  /** Frames on the CPU by a prepared plan; undefined if the general calls do it, as where a GPU is asked for. */
  async frames(plan: FramesPlan): Promise<BackendFrames | undefined> {
    return this.device === "gpu" ? undefined : (await this.#openCpu()).frames(plan);
  }

  /** Ends the loan of an array of {@link allocate}; returns a function that frees its memory, or undefined for another array. */
  takeBack(array: PixelArray): (() => void) | undefined {
    return this.#cpu?.takeBack(array);
  }

  /** Throws for arrays that were taken back; anything else passes. */
  refuseFreed(...given: readonly unknown[]): void {
    for (const array of given) if (ArrayBuffer.isView(array)) this.#cpu?.refuseFreed(array);
  }

  load(pixels: HostPixels, call: Call): Promise<BackendImage> {
    return this.#onFaster("components", pixels.shape, (device) => device.load(pixels, call));
  }

  /** The same pixels on each of the engine's devices. */
  async loadEverywhere(pixels: HostPixels, call: Call): Promise<BackendImage[]> {
    const gpu = this.device === "cpu" ? undefined : await this.#aliveGpu();
    const cpu = this.device === "gpu" && gpu ? undefined : await this.#openCpu();
    const devices = [gpu, cpu].filter((device) => device !== undefined);
    return gathered(devices, (device) => device.load(pixels, call));
  }

  /** Pixels of a resident image, on the host. */
  async read(
    pixels: Pixels & { kind: "image" },
    call: Call,
    into = newPixels(pixels.shape.type, pixels.shape.width * rowCount(pixels.shape) * pixels.shape.channels),
  ): Promise<PixelArray> {
    this.refuseFreed(into);
    return ownerOf(pixels.image).read(pixels, into, call);
  }

  /** Some rows of a resident image, numbered across slices, on the host. */
  async rows(pixels: Pixels & { kind: "image" }, rows: readonly number[], call: Call): Promise<PixelArray> {
    return ownerOf(pixels.image).rows(pixels, rows, call);
  }

  async histogram(request: HistogramRequest, call: Call): Promise<Histogram> {
    const device = await this.#holderOf(request.pixels);
    if (!device.refuses({ noun: "histogram", ...request }, call)) return device.histogram(request, call);
    const pixels = await this.#onHost(request.pixels, call);
    return (await this.#openCpu()).histogram({ ...request, pixels }, call);
  }

  /** Finds components and refines them; with "auto" does both once more if the GPU is lost meanwhile. */
  components(
    request: ComponentsRequest,
    call: Call,
    refine: (found: BackendComponents) => Promise<BackendComponents> = async (found) => found,
  ): Promise<BackendComponents> {
    return this.#onHolderOrFaster("components", request.input, async (device) =>
      refine(await this.#components(device, request, call)),
    );
  }

  async #components(device: Backend, request: ComponentsRequest, call: Call): Promise<BackendComponents> {
    const { input, rule } = request;
    if (device.refuses({ noun: "components", ...request }, call)) {
      return (await this.#openCpu()).components({ ...request, input: await this.#onHost(input, call) }, call);
    }
    return device.components(
      isLinkage(rule) ? request : { ...request, input: await this.#packed(device, input, rule, call) },
      call,
    );
  }

  /** The components of each slice of a stack, if the device labels them all at once; else undefined. */
  stack(request: ComponentsRequest, call: Call): Promise<BackendComponents[] | undefined> {
    return this.#onHolderOrFaster("components", request.input, async (device) => {
      if (!device.stack || device.refuses({ noun: "stack", ...request }, call)) return undefined;
      const input = await this.#packed(device, request.input, request.rule as Predicate, call);
      return device.stack({ ...request, input }, call);
    });
  }

  /** The CPU holds components with given labels, whatever the engine's device. */
  async labelled({ pixels, ...request }: LabelledRequest, call: Call): Promise<BackendComponents> {
    return (await this.#openCpu()).labelled({ ...request, pixels: await this.#onHostOrCpu(pixels, call) }, call);
  }

  /**
   * A loaded Image is filled on its device. With `auto` the CPU fills other input: it needs only the rows that the fill
   * reaches.
   */
  async fill(request: FillRequest, call: Call): Promise<BackendComponents> {
    const { plan } = request;
    const holder = await this.#holderOf(request.pixels);
    // Steps of this fill are one-way, so only the CPU's search can follow them.
    const away = holder.device === "gpu" && this.device === "auto" && isDirected(plan);
    const device = away ? await this.#openCpu() : holder;
    const pixels = away ? await this.#onHost(request.pixels, call) : request.pixels;
    if (!device.refuses({ noun: "fill", ...request }, call)) return device.fill({ ...request, pixels }, call);
    const cpu = await this.#openCpu();
    const filled = await cpu.fill({ plan, pixels: await this.#onHost(pixels, call) }, call);
    try {
      return await this.#componentsOf(await filled.bits(call), device, plan.connectivity, call);
    } finally {
      filled.dispose();
    }
  }

  /** For input and output on the host the GPU's transfers mostly cost more than its speed saves: see {@link Speeds}. */
  async distance(request: DistanceRequest, call: Call): Promise<void> {
    const { input, predicate, into } = request;
    const on = async (device: Backend): Promise<void> => {
      if (device.refuses({ noun: "distance", ...request }, call)) {
        return (await this.#openCpu()).distance({ ...request, input: await this.#onHost(input, call) }, call);
      }
      return device.distance({ ...request, input: await this.#packed(device, input, predicate, call) }, call);
    };
    if ("image" in input) return on(ownerOf(input.image));
    const resident = isResident(into.data) ? await this.#aliveGpu() : undefined;
    return resident ? on(resident) : this.#onFaster("distance", sizeOf(input), on);
  }

  /** Counts the colours, runs `work` with them, and disposes of them. */
  colours<T>(request: ColoursRequest, call: Call, work: (colours: BackendColours) => Promise<T>): Promise<T> {
    return this.#onHolderOrFaster("kmeans", request.pixels, async (holder) => {
      const refused = holder.refuses({ noun: "colours", ...request }, call);
      const device = refused ? await this.#openCpu() : holder;
      const pixels = refused ? await this.#onHost(request.pixels, call) : request.pixels;
      const colours = await device.colours({ ...request, pixels }, call);
      try {
        return await work(colours);
      } finally {
        colours.dispose();
      }
    });
  }

  /** Throws if there is no GPU for a result that must stay on it. */
  async refuseWithoutGpu(): Promise<void> {
    if (!(await this.#aliveGpu())) throw new Unsupported("Expected a GPU for a GPUBuffer.");
  }

  /** Classes in a new buffer on the GPU; classes of colours on the CPU are copied there. */
  async classesBufferOf(
    colours: BackendColours,
    { into, ...request }: ClassesRequest<GPUBuffer | undefined>,
    pixels: number,
    call: Call,
  ): Promise<GPUBuffer> {
    if (colours.classesBuffer) return colours.classesBuffer({ ...request, into }, call);
    const gpu = await this.#aliveGpu();
    if (!gpu) throw new DeviceLost("The GPU was lost while colours were being classified.");
    const words = new Uint32Array(Math.ceil(pixels / 4));
    await colours.classes({ ...request, into: new Uint8Array(words.buffer, 0, pixels) }, call);
    return gpu.bufferOf(words, "classes of pixels", into);
  }

  /** A channel stays on its image's device. */
  channel(request: ChannelRequest, call: Call): Promise<BackendImage> {
    const shape: Shape = { ...request.pixels.shape, channels: 1 };
    return this.#makeImage("channel", request, shape, (device, given) => device.channel(given, call), call);
  }

  smooth(request: SmoothRequest, call: Call): Promise<BackendImage> {
    return this.#makeImage(
      "smooth",
      request,
      request.pixels.shape,
      (device, given) => device.smooth(given, call),
      call,
    );
  }

  gradient(request: GradientRequest, call: Call): Promise<BackendImage> {
    return this.#makeImage(
      "gradient",
      request,
      { ...request.pixels.shape, type: "f32" },
      (device, given) => device.gradient(given, call),
      call,
    );
  }

  flatten(request: FlattenRequest, call: Call): Promise<BackendImage> {
    return this.#makeImage(
      "flatten",
      request,
      request.pixels.shape,
      (device, given) => device.flatten(given, call),
      call,
    );
  }

  stain(request: StainRequest, call: Call): Promise<BackendImage> {
    const shape: Shape = { ...request.pixels.shape, type: "f32", channels: 1 };
    return this.#makeImage("stain", request, shape, (device, given) => device.stain(given, call), call);
  }

  contrast(request: ContrastRequest, call: Call): Promise<BackendImage> {
    return this.#derived(request, contrastShape(request.pixels.shape), (cpu, near) => cpu.contrast(near, call), call);
  }

  /** The CPU recolours and paints images on the host. */
  async recolour(request: RecolourRequest, call: Call): Promise<void> {
    return (await this.#openCpu()).recolour(request, call);
  }

  async paint(request: PaintRequest, call: Call): Promise<void> {
    return (await this.#openCpu()).paint(request, call);
  }

  /** Planes for a wand, on the device of the pixels. */
  wandDifferences(request: WandRequest, call: Call): Promise<BackendImage[]> {
    return this.#onHolderOrFaster("smooth", request.pixels, async (device) => {
      if (!device.refuses({ noun: "wand", ...request }, call)) return device.wandDifferences(request, call);
      const cpu = await this.#openCpu();
      const near = { ...request, pixels: await this.#onHostOrCpu(request.pixels, call) };
      const planes = await cpu.wandDifferences(near, call);
      const shape: Shape = { ...request.pixels.shape, channels: 1 };
      try {
        return await gathered(planes, (plane) => this.#moved(plane, shape, device, call));
      } finally {
        for (const plane of planes) plane.dispose();
      }
    });
  }

  async wandAreas(planes: readonly Pixels[], plan: WandPlan, call: Call): Promise<Float64Array> {
    const near: Pixels[] = [];
    for (const plane of planes) near.push(await this.#onHostOrCpu(plane, call));
    return (await this.#openCpu()).wandAreas(near, plan, call);
  }

  /** A product of components: of their device, or if it refuses of the CPU, to which they are brought once. */
  async serve<N extends ProductName>(
    held: BackendComponents,
    name: N,
    plan: PlanOf<N>,
    call: Call,
  ): Promise<ResultOf<N>> {
    return (await this.#served(held, name, plan, call)).result;
  }

  /** New components of others, on their device. If objects may touch, which bits cannot express, they stay on the CPU. */
  async make<N extends Making>(held: BackendComponents, name: N, plan: PlanOf<N>, call: Call): Promise<Made> {
    const { by, result } = await this.#served(held, name, plan, call);
    const made = result as Made;
    const { components } = made;
    if (by === held || held.touching || components.touching || held.owner === components.owner) return made;
    try {
      const bits = await components.bits(call);
      return { ...made, components: await this.#componentsOf(bits, held.owner as Backend, held.connectivity, call) };
    } finally {
      components.dispose();
    }
  }

  /** Sums per object. If the device cannot sum values, it sums shapes, and the CPU values. */
  async regions(held: BackendComponents, plan: RegionsPlan, call: Call): Promise<RegionSums> {
    const shapes: RegionsPlan = { ...plan, intensity: undefined };
    const isOne = !plan.intensity || !held.refuses("regions", plan, call) || held.refuses("regions", shapes, call);
    if (isOne) return this.serve(held, "regions", plan, call);
    const { intensity, intensityHighs } = await this.serve(held, "regions", { ...plan, level: "area" }, call);
    return { ...(await this.serve(held, "regions", shapes, call)), intensity, intensityHighs };
  }

  /** The one place that decides who serves a product. */
  async #served<N extends ProductName>(
    held: BackendComponents,
    name: N,
    plan: PlanOf<N>,
    call: Call,
  ): Promise<{ readonly by: BackendComponents; readonly result: ResultOf<N> }> {
    // Rasters are moved only for the device that serves: limits depend on their shapes.
    if (!held.refuses(name, plan, call)) {
      const brought = await withRasters(name, plan, (pixels) => this.#bring(pixels, held, call));
      try {
        return { by: held, result: await held.serve(name, brought, call) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
    if (name === "labelsBuffer") {
      const { window, into } = plan as PlanOf<"labelsBuffer">;
      const labels = new Uint32Array(window ? window.width * window.height : held.width * rowCount(held));
      const gpu = await this.#gpuForBuffer();
      if (window) await this.serve(held, "window", { window, which: undefined, into: labels }, call);
      else await this.serve(held, "labels", { into: labels }, call);
      return { by: held, result: (await gpu.bufferOf(labels, "labels", into)) as ResultOf<N> };
    }
    if (name === "maskBuffer") {
      const { which, into } = plan as PlanOf<"maskBuffer">;
      const bits = new Uint32Array(Math.ceil(held.width / 32) * rowCount(held));
      const gpu = await this.#gpuForBuffer();
      await this.serve(held, "mask", { which, into: bits }, call);
      return { by: held, result: (await gpu.bufferOf(bits, "bits", into)) as ResultOf<N> };
    }
    const by = await held.onHost(call);
    return { by, result: await by.serve(name, await withRasters(name, plan, (p) => this.#onHostOrCpu(p, call)), call) };
  }

  /** The GPU, on which results of the CPU are copied. */
  async #gpuForBuffer(): Promise<Backend> {
    const gpu = await this.#aliveGpu();
    if (gpu) return gpu;
    throw new Unsupported('Expected components on the GPU for { as: "buffer" }, but these are on the CPU.');
  }

  async watershed({ plan, ...request }: WatershedRequest, call: Call): Promise<BackendComponents> {
    const near = await withRasters("split", plan, (pixels) => this.#onHostOrCpu(pixels, call));
    return (await this.#openCpu()).watershed({ ...request, plan: near }, call);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#lender) return;
    await Promise.all([this.#opening?.then((cpu) => cpu.close()), this.#gpu?.close()]);
  }

  /** Components of bits, on a device or, if it refuses them, on the CPU. */
  async #componentsOf(
    input: Bits,
    device: Backend,
    connectivity: ComponentsRequest["connectivity"],
    call: Call,
  ): Promise<BackendComponents> {
    const request: ComponentsRequest = { input, rule: NOTHING, connectivity };
    const refused = device.refuses({ noun: "components", ...request }, call);
    return (refused ? await this.#openCpu() : device).components(request, call);
  }

  /** The input, or its bits packed by the CPU if the device takes bits. */
  async #packed(device: Backend, input: Pixels | Bits, predicate: Predicate, call: Call): Promise<Pixels | Bits> {
    if (input.kind === "mask" || !device.refuses({ noun: "pack", pixels: input, predicate }, call)) return input;
    return (await this.#openCpu()).pack({ pixels: await this.#onHost(input, call), predicate }, call);
  }

  /** An image made of pixels on their device, or if it refuses on the CPU. */
  #makeImage<R extends { readonly pixels: Pixels }>(
    noun: "channel" | "smooth" | "gradient" | "flatten" | "stain",
    request: R,
    shape: Shape,
    make: (device: Backend, given: R) => Promise<BackendImage>,
    call: Call,
  ): Promise<BackendImage> {
    return this.#onHolderOrFaster("smooth", request.pixels, (device) =>
      device.refuses({ noun, ...request } as unknown as DeviceRequest, call)
        ? this.#derived(request, shape, make, call)
        : make(device, request),
    );
  }

  /** An image that the CPU makes of pixels, moved to the device that processes the pixels. */
  #derived<R extends { readonly pixels: Pixels }>(
    request: R,
    shape: Shape,
    make: (cpu: HostBackend, near: R) => Promise<BackendImage>,
    call: Call,
  ): Promise<BackendImage> {
    return this.#onHolderOrFaster("smooth", request.pixels, async (device) => {
      const cpu = await this.#openCpu();
      const image = await make(cpu, { ...request, pixels: await this.#onHostOrCpu(request.pixels, call) });
      return device === cpu ? image : this.#moved(image, shape, device, call);
    });
  }

  /** Moves an image from the CPU to a device; disposes of the original. */
  async #moved(image: BackendImage, shape: Shape, device: Backend, call: Call): Promise<BackendImage> {
    try {
      const data = await this.read({ kind: "image", shape, image }, call);
      return await device.load({ kind: "array", shape, data }, call);
    } finally {
      image.dispose();
    }
  }

  /** Pixels for the device of components: read to the host if they are on the other device. */
  async #bring(pixels: Pixels, held: BackendComponents, call: Call): Promise<Pixels> {
    return pixels.kind === "image" && pixels.image.owner !== held.owner ? this.#onHost(pixels, call) : pixels;
  }

  /** Pixels for the CPU: in its own memory, or on the host. */
  #onHostOrCpu(pixels: Pixels, call: Call): Promise<Pixels> | Pixels {
    return pixels.kind === "image" && ownerOf(pixels.image).device === "cpu" ? pixels : this.#onHost(pixels, call);
  }

  /** Input on the host, where an image is copied to. */
  async #onHost<T extends Pixels | Bits>(input: T, call: Call): Promise<T> {
    if (input.kind !== "image") return input;
    return { kind: "array", shape: input.shape, data: await this.read(input, call) } as HostPixels as T;
  }

  /** The device of a loaded image. For other input the engine's device, with "auto" the CPU. */
  async #holderOf(input: Pixels | Bits): Promise<Backend> {
    if (input.kind === "image") return ownerOf(input.image);
    return this.device === "gpu" ? (this.#gpu as Backend) : this.#openCpu();
  }

  #onHolderOrFaster<T>(kind: MeasuredWork, input: Pixels | Bits, work: (device: Backend) => Promise<T>): Promise<T> {
    return input.kind === "image" ? work(ownerOf(input.image)) : this.#onFaster(kind, sizeOf(input), work);
  }

  /** Runs work on the engine's device; with "auto" on the faster one for a size, once more if the GPU is lost meanwhile. */
  async #onFaster<T>(kind: MeasuredWork, size: Size, work: (device: Backend) => Promise<T>): Promise<T> {
    if (this.device !== "auto") return work((this.device === "gpu" && this.#gpu) || (await this.#openCpu()));
    const gpu = this.speeds.prefersGpu(kind, size.width * rowCount(size)) ? await this.#aliveGpu() : undefined;
    if (!gpu) return work(await this.#openCpu());
    try {
      return await work(gpu);
    } catch (error) {
      if (!(error instanceof DeviceLost) || this.#closed) throw error;
      return work((await this.#aliveGpu()) ?? (await this.#openCpu()));
    }
  }

  async #openCpu(): Promise<HostBackend> {
    this.#opening ??= this.#devices.cpu();
    this.#cpu ??= await this.#opening;
    return this.#cpu;
  }

  /** Opens a GPU, or returns the reason why there is none. */
  async #openGpu(): Promise<Unsupported | undefined> {
    const found = await this.#devices.gpu(() => this.#openCpu());
    if (!(found instanceof Error)) {
      this.#gpu = found;
      return undefined;
    }
    this.#notice = found.message;
    return found;
  }

  /** The GPU; with "auto" opened again when it was lost. */
  async #aliveGpu(): Promise<Backend | undefined> {
    const lost = this.#gpu?.lost;
    if (!lost || this.#closed || this.device === "gpu") return this.#gpu;
    this.#gpu = undefined;
    await this.#openGpu();
    this.#notice = `The GPU was lost (${lost.message}); ${this.#gpu ? "it was opened again" : "the CPU does its work"}.`;
    return this.#gpu;
  }
}

/** Makes images one after another; if one fails, disposes of the images before it. */
async function gathered<T>(items: readonly T[], make: (item: T) => Promise<BackendImage>): Promise<BackendImage[]> {
  const images: BackendImage[] = [];
  try {
    for (const item of items) images.push(await make(item));
    return images;
  } catch (error) {
    for (const image of images) image.dispose();
    throw error;
  }
}

/** A plan with its rasters moved. */
async function withRasters<N extends ProductName>(
  name: N,
  plan: PlanOf<N>,
  move: (pixels: Pixels) => Promise<Pixels> | Pixels,
): Promise<PlanOf<N>> {
  if (name === "regions") {
    const { intensity, ...others } = plan as RegionsPlan;
    const moved = intensity && { ...intensity, pixels: await move(intensity.pixels) };
    return { ...others, intensity: moved } as PlanOf<N>;
  }
  if (name === "picked") {
    const values = plan as ValuesPlan;
    return { ...values, pixels: await move(values.pixels) } as PlanOf<N>;
  }
  if (name === "split") {
    const { raster, markers, ...others } = plan as WatershedPlan;
    const moved = { raster: raster && (await move(raster)), markers: markers && (await move(markers)) };
    return { ...others, ...moved } as PlanOf<N>;
  }
  return plan;
}

/** The backend that holds an image; images are only made by backends. */
function ownerOf(image: BackendImage): Backend {
  return image.owner as Backend;
}
