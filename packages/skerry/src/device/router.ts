// The only module that chooses a device. A request runs on the device that holds its pixels, or on the one that is
// expected to be faster. Requests that a device cannot serve run on the CPU, and the router carries pixels and bits
// between the two. With `auto`, a lost GPU is replaced by another one or by the CPU, and the request runs again.

import type { Call } from "../core/call.js";
import { contrastShape } from "../core/contrast.js";
import { type DistanceInto, type DistancePlan, isResident } from "../core/distance-plan.js";
import type { Histogram } from "../core/histogram.js";
import type { MorphologyPlan } from "../core/morphology-plan.js";
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
  type ExpandPlan,
  type HolesPlan,
  isDirected,
  isLinkage,
  type OutlinesPlan,
  type Predicate,
  type RegionsPlan,
  type ShapesPlan,
  type ValuesPlan,
  type WandPlan,
  type WatershedPlan,
  type WindowPlan,
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
import type { RegionSums, ShapeSums, ValueSums } from "../core/sums.js";
import { DeviceLost, Unsupported } from "../types/errors.js";
import type { Outlines } from "../types/outlines.js";
import type { GpuRaster, PixelArray, PixelType } from "../types/raster.js";
import type {
  Backend,
  BackendColours,
  BackendComponents,
  DeviceDescription,
  HostBackend,
  HostComponents,
  Split,
} from "./backend.js";

/**
 * `auto` keeps host images with fewer pixels than this on the CPU. A call to the GPU and back takes a millisecond,
 * about the time that the CPU takes to label and measure them. Measured host to host; see bench/NOTES.md.
 */
export const GPU_PIXELS = 1 << 20;

/** Opens the devices of an engine. */
export interface Devices {
  cpu(): Promise<HostBackend>;
  /** Opens a new GPU, or returns the reason why there is none. */
  gpu(): Promise<Backend | Unsupported>;
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

  describe(): DeviceDescription {
    const gpu = this.#gpu?.describe();
    const cpu = this.#cpu?.describe();
    return {
      threads: cpu?.threads ?? 0,
      shared: cpu?.shared ?? false,
      memory: {
        used: (cpu?.memory.used ?? 0) + (gpu?.memory.used ?? 0),
        reserved: (cpu?.memory.reserved ?? 0) + (gpu?.memory.reserved ?? 0),
      },
      ...(gpu ? { gpu: gpu.gpu } : {}),
      ...(this.#notice ? { notice: this.#notice } : {}),
    };
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

  /** Ends the loan of an array of {@link allocate}; returns a function that frees its memory, or undefined for another array. */
  takeBack(array: PixelArray): (() => void) | undefined {
    return this.#cpu?.takeBack(array);
  }

  /** Throws for arrays that were taken back; anything else passes. */
  refuseFreed(...given: readonly unknown[]): void {
    for (const array of given) if (ArrayBuffer.isView(array)) this.#cpu?.refuseFreed(array);
  }

  load(pixels: HostPixels, call: Call): Promise<BackendImage> {
    return this.#onFaster(pixels.shape, (device) => device.load(pixels, call));
  }

  /** The same pixels on each of the engine's devices. */
  async loadEverywhere(pixels: HostPixels, call: Call): Promise<BackendImage[]> {
    const gpu = this.device === "cpu" ? undefined : await this.#aliveGpu();
    const cpu = this.device === "gpu" && gpu ? undefined : await this.#openCpu();
    const devices = [gpu, cpu].filter((device) => device !== undefined);
    return gathered(devices, (device) => device.load(pixels, call));
  }

  /** Pixels of a resident image, on the host. */
  async read(pixels: Pixels & { kind: "image" }, call: Call): Promise<PixelArray> {
    return ownerOf(pixels.image).read(pixels, call);
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
    return this.#onHolderOrFaster(request.input, async (device) =>
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

  /** For input and output on the host the GPU's transfers cost more than its speed saves. */
  async distance(request: DistanceRequest, call: Call): Promise<void> {
    const { input, predicate, into } = request;
    const resident = isResident(into.data) ? await this.#aliveGpu() : undefined;
    const device = "image" in input ? ownerOf(input.image) : (resident ?? (await this.#holderOf(input)));
    if (device.refuses({ noun: "distance", ...request }, call)) {
      return (await this.#openCpu()).distance({ ...request, input: await this.#onHost(input, call) }, call);
    }
    return device.distance({ ...request, input: await this.#packed(device, input, predicate, call) }, call);
  }

  /** Counts the colours, runs `work` with them, and disposes of them. */
  colours<T>(request: ColoursRequest, call: Call, work: (colours: BackendColours) => Promise<T>): Promise<T> {
    return this.#onHolderOrFaster(request.pixels, async (holder) => {
      const refused = holder.refuses({ noun: "colours", ...request }, call);
      const device = refused ? await this.#openCpu() : holder;
      const pixels = refused ? await this.#onHost(request.pixels, call) : request.pixels;
      const colours = await device.colours({ ...request, pixels }, call, async (...given) =>
        (await this.#openCpu()).mirror(...given),
      );
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
    request: Omit<ClassesRequest<never>, "into">,
    pixels: number,
    call: Call,
  ): Promise<GPUBuffer> {
    if (colours.classesBuffer) return colours.classesBuffer(request, call);
    const gpu = await this.#aliveGpu();
    if (!gpu) throw new DeviceLost("The GPU was lost while colours were being classified.");
    const words = new Uint32Array(Math.ceil(pixels / 4));
    await colours.classes({ ...request, into: new Uint8Array(words.buffer, 0, pixels) }, call);
    return gpu.bufferOf(words, "classes of pixels");
  }

  /** A channel stays on its image's device. */
  channel(request: ChannelRequest, call: Call): Promise<BackendImage> {
    const shape: Shape = { ...request.pixels.shape, channels: 1 };
    return this.#made("channel", request, shape, (device, own) => device.channel(own, call), call);
  }

  smooth(request: SmoothRequest, call: Call): Promise<BackendImage> {
    return this.#made("smooth", request, request.pixels.shape, (device, own) => device.smooth(own, call), call);
  }

  flatten(request: FlattenRequest, call: Call): Promise<BackendImage> {
    return this.#made("flatten", request, request.pixels.shape, (device, own) => device.flatten(own, call), call);
  }

  stain(request: StainRequest, call: Call): Promise<BackendImage> {
    const shape: Shape = { ...request.pixels.shape, type: "f32", channels: 1 };
    return this.#made("stain", request, shape, (device, own) => device.stain(own, call), call);
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
    return this.#onHolderOrFaster(request.pixels, async (device) => {
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

  /** Sums per object of components. */
  async regionsOf(components: BackendComponents, plan: RegionsPlan, call: Call): Promise<RegionSums> {
    const held = await served(components, call);
    const given = plan.intensity;
    const near = given && (await this.#bring(given.pixels, held, call));
    const own: RegionsPlan = { ...plan, intensity: given && near && { ...given, pixels: near } };
    if (!held.refuses({ noun: "regions", ...own }, call)) return held.regions(own, call);
    const far = given && (await this.#onHost(given.pixels, call));
    const rest: RegionsPlan = { ...plan, intensity: given && far && { ...given, pixels: far } };
    const shapes: RegionsPlan = { ...plan, intensity: undefined };
    return this.#onCpu(held, call, async (found) => {
      if (!given || held.refuses({ noun: "regions", ...shapes }, call)) return found.regions(rest, call);
      const { intensity, intensityHighs } = await found.regions({ ...rest, level: "area" }, call);
      return { ...(await held.regions(shapes, call)), intensity, intensityHighs };
    });
  }

  /** Labels in a new buffer on the GPU; labels of components on the CPU are copied there. */
  async labelsBufferOf(held: BackendComponents, window: WindowPlan | undefined, call: Call): Promise<GPUBuffer> {
    const gpu = await this.#gpuBeside(held);
    if (!gpu) return held.labelsBuffer(call, window);
    const labels = new Uint32Array(window ? window.width * window.height : held.width * rowCount(held));
    if (window) await held.windowed(window, undefined, labels, call);
    else await held.labels(labels, call);
    return gpu.bufferOf(labels, "labels");
  }

  /** Bits in a new buffer on the GPU; bits of components on the CPU are copied there. */
  async maskBufferOf(held: BackendComponents, which: 0 | 1 | 2, call: Call): Promise<GPUBuffer> {
    const gpu = await this.#gpuBeside(held);
    if (!gpu) return held.maskBuffer(which, call);
    const bits = new Uint32Array(Math.ceil(held.width / 32) * rowCount(held));
    await held.mask(which, bits, call);
    return gpu.bufferOf(bits, "bits");
  }

  /** The GPU if the CPU holds the components; undefined if their own device is the GPU, or there is none. */
  async #gpuBeside(held: BackendComponents): Promise<Backend | undefined> {
    return held.owner === this.#cpu ? this.#aliveGpu() : undefined;
  }

  /** Distances to components. */
  async distanceOf(components: BackendComponents, plan: DistancePlan, into: DistanceInto, call: Call): Promise<void> {
    const held = await served(components, call);
    if (!held.refuses({ noun: "distance", plan }, call)) return held.distance({ plan, into }, call);
    const input = await held.bits(call);
    return (await this.#openCpu()).distance({ input, predicate: NOTHING, plan, into }, call);
  }

  /** The components of the pixels that morphology makes of objects, on the objects' device. */
  async morphologyOf(components: BackendComponents, plan: MorphologyPlan, call: Call): Promise<BackendComponents> {
    const held = await served(components, call);
    if (!held.refuses({ noun: "morphology", plan }, call)) return held.morphology(plan, call);
    return this.#byCpu(held, call, (near) => near.morphology(plan, call));
  }

  /** The parts of objects. */
  async splitOf(held: BackendComponents, plan: WatershedPlan, call: Call): Promise<Split> {
    // Components on the CPU refuse nothing, but their raster may be on the GPU.
    if (held.owner !== this.#cpu && !held.refuses({ noun: "split", plan }, call)) {
      const split = await held.split(plan, call, async (request, later) =>
        (await this.#openCpu()).labelled(request, later),
      );
      if (split) return split;
    }
    const near = await this.#nearPlan(plan, call);
    let parents = new Uint32Array();
    const made = await this.#byCpu(held, call, async (host) => {
      const parts = await host.split(near, call);
      parents = parts.parents as typeof parents;
      return parts.made;
    });
    return { made, parents };
  }

  async watershed({ plan, ...request }: WatershedRequest, call: Call): Promise<BackendComponents> {
    return (await this.#openCpu()).watershed({ ...request, plan: await this.#nearPlan(plan, call) }, call);
  }

  /** Objects merged into others, and for each result the label of the object that took the others. */
  async mergeOf(
    held: BackendComponents,
    into: Uint32Array,
    call: Call,
  ): Promise<{ made: BackendComponents; labels: Uint32Array }> {
    let labels = new Uint32Array();
    const made = await this.#byCpu(held, call, async (host) => {
      const merged = await host.merge(into, call);
      labels = merged.labels as typeof labels;
      return merged.made;
    });
    return { made, labels };
  }

  /** A plan whose rasters the CPU can read. */
  async #nearPlan(plan: WatershedPlan, call: Call): Promise<WatershedPlan> {
    const { raster, markers } = plan;
    return {
      ...plan,
      raster: raster && (await this.#onHostOrCpu(raster, call)),
      markers: markers && (await this.#onHostOrCpu(markers, call)),
    };
  }

  /** The components of objects with the holes of their slices filled, on their device. */
  fillSlicesOf(held: BackendComponents, plan: HolesPlan, call: Call): Promise<BackendComponents> {
    return this.#byCpu(held, call, (near) => near.fillSlices(plan, call));
  }

  /** Outlines of objects, which the CPU traces. */
  async outlinesOf(held: BackendComponents, plan: OutlinesPlan, call: Call): Promise<Outlines> {
    return this.#onCpu(held, call, (near) => near.outlines(plan, call));
  }

  /** Shapes that the CPU measures from the runs of each object. */
  async shapesOf(held: BackendComponents, plan: ShapesPlan, call: Call): Promise<ShapeSums> {
    return this.#onCpu(held, call, (near) => near.shapes(plan, call));
  }

  /** Quantiles and histograms of the values under each object, which the CPU computes. */
  async pickedOf(held: BackendComponents, plan: ValuesPlan, call: Call): Promise<ValueSums> {
    const pixels = await this.#onHostOrCpu(plan.pixels, call);
    return this.#onCpu(held, call, (near) => near.picked({ ...plan, pixels }, call));
  }

  /** Objects with the pixels near them; these may touch. */
  async expandOf(held: BackendComponents, plan: ExpandPlan, call: Call): Promise<BackendComponents> {
    // Components on the CPU refuse nothing.
    if (held.owner !== this.#cpu && !held.refuses({ noun: "expand", plan }, call)) {
      return held.expand(plan, call, async (request, later) => (await this.#openCpu()).labelled(request, later));
    }
    return this.#byCpu(held, call, (near) => near.expand(plan, call));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#opening?.then((cpu) => cpu.close()), this.#gpu?.close()]);
  }

  /** Runs `work` with components on the CPU: the given ones, or temporary ones of the same bits. */
  async #onCpu<T>(held: BackendComponents, call: Call, work: (near: HostComponents) => Promise<T>): Promise<T> {
    const cpu = await this.#openCpu();
    const own = await served(held, call);
    if (own.owner === cpu) return work(own as HostComponents);
    const { connectivity } = own;
    const near = await cpu.components({ input: await own.bits(call), rule: NOTHING, connectivity }, call);
    return work(near).finally(() => near.dispose());
  }

  /** Components that the CPU makes of others. If their objects may touch, which bits cannot express, they stay on the CPU. */
  async #byCpu(
    held: BackendComponents,
    call: Call,
    work: (near: HostComponents) => Promise<HostComponents>,
  ): Promise<BackendComponents> {
    const own = await served(held, call);
    const made = await this.#onCpu(own, call, work);
    if (made.touching || own.owner === made.owner) return made;
    try {
      return await this.#componentsOf(await made.bits(call), own.owner as Backend, own.connectivity, call);
    } finally {
      made.dispose();
    }
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
    if (input.kind === "mask" || !device.takesBits(input, predicate)) return input;
    return (await this.#openCpu()).pack({ pixels: await this.#onHost(input, call), predicate }, call);
  }

  /** An image made of pixels on their device, or if it refuses on the CPU. */
  #made<R extends { readonly pixels: Pixels }>(
    noun: "channel" | "smooth" | "flatten" | "stain",
    request: R,
    shape: Shape,
    make: (device: Backend, own: R) => Promise<BackendImage>,
    call: Call,
  ): Promise<BackendImage> {
    return this.#onHolderOrFaster(request.pixels, (device) =>
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
    return this.#onHolderOrFaster(request.pixels, async (device) => {
      const cpu = await this.#openCpu();
      const image = await make(cpu, { ...request, pixels: await this.#onHostOrCpu(request.pixels, call) });
      return device === cpu ? image : this.#moved(image, shape, device, call);
    });
  }

  /** Moves an image from the CPU to a device; disposes of the original. */
  async #moved(image: BackendImage, shape: Shape, device: Backend, call: Call): Promise<BackendImage> {
    try {
      const data = await ownerOf(image).read({ kind: "image", shape, image }, call);
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

  #onHolderOrFaster<T>(input: Pixels | Bits, work: (device: Backend) => Promise<T>): Promise<T> {
    return input.kind === "image" ? work(ownerOf(input.image)) : this.#onFaster(sizeOf(input), work);
  }

  /** Runs work on the engine's device; with "auto" on the faster one for a size, once more if the GPU is lost meanwhile. */
  async #onFaster<T>(size: Size, work: (device: Backend) => Promise<T>): Promise<T> {
    if (this.device !== "auto") return work((this.device === "gpu" && this.#gpu) || (await this.#openCpu()));
    const gpu = size.width * rowCount(size) >= GPU_PIXELS ? await this.#aliveGpu() : undefined;
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
    const found = await this.#devices.gpu();
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

/** Components that serve requests: on the CPU where their device only labels them. */
function served(held: BackendComponents, call: Call): Promise<BackendComponents> | BackendComponents {
  return held.onHost ? held.onHost(call) : held;
}

/** The backend that holds an image; images are only made by backends. */
function ownerOf(image: BackendImage): Backend {
  return image.owner as Backend;
}
