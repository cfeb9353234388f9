// Both devices as one: each call goes where it is done sooner, and a GPU that went away is replaced by another
// one, or by the CPU.

import { DeviceLost, type Unsupported } from "../api/errors.js";
import type { GpuRaster, PixelArray, Sink } from "../api/types.js";
import type { Call } from "../core/call.js";
import { type DistanceInto, type DistancePlan, isResident } from "../core/distance-plan.js";
import type { Histogram } from "../core/histogram.js";
import { type BackendImage, type Bits, type Pixels, rowCount, type Shape, type Size } from "../core/pixels.js";
import { type ColoursPlan, type FillPlan, type Filter, isDirected, type RegionsPlan } from "../core/plans.js";
import type { RegionSums, RunTable } from "../core/sums.js";
import type { Backend, BackendColours, BackendComponents, DeviceDescription } from "./backend.js";

/**
 * Images of the host with fewer pixels than this stay on the CPU: a call to the GPU and back costs a millisecond,
 * about what labelling and measuring them there takes. Measured host to host; see bench/NOTES.md.
 */
export const GPU_PIXELS = 1 << 20;

/** What `auto` needs of the two devices. */
export interface Devices {
  /** Opens the CPU; the same one every time. */
  cpu(): Promise<Backend>;
  /** Opens a GPU anew, or says why there is none. */
  gpu(): Promise<(Backend & { readonly lost: Error | undefined }) | Unsupported>;
  /** Closes the CPU, if anybody opened it. */
  close(): Promise<void>;
}

type Gpu = Backend & { readonly lost: Error | undefined };

export class AutoBackend implements Backend {
  readonly device = "auto";
  readonly #devices: Devices;
  #cpu: Backend | undefined;
  #gpu: Gpu | undefined;
  #notice: string | undefined;
  #closed = false;

  private constructor(devices: Devices) {
    this.#devices = devices;
  }

  /** Looks for a GPU; without one everything runs on the CPU. */
  static async open(devices: Devices): Promise<AutoBackend> {
    const auto = new AutoBackend(devices);
    await auto.#openGpu();
    if (!auto.#gpu) await auto.#openCpu();
    return auto;
  }

  describe(): DeviceDescription {
    const cpu = this.#cpu?.describe();
    const gpu = this.#gpu?.describe();
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
    const device = (await this.#aliveGpu()) ?? (await this.#openCpu());
    const { image, shape } = await device.adopt(raster);
    return { image: new AutoImage(device, image), shape };
  }

  async load(pixels: Pixels & { kind: "array" }, call: Call): Promise<BackendImage> {
    return this.#onBest(pixels.shape, async (device) => new AutoImage(device, await device.load(pixels, call)));
  }

  read(pixels: Pixels & { kind: "image" }, call: Call): Promise<PixelArray> {
    const { device, image } = pixels.image as AutoImage;
    return device.read({ ...pixels, image }, call);
  }

  histogram(pixels: Pixels, call: Call, bins?: number): Promise<Histogram> {
    if (pixels.kind === "image") {
      const { device, image } = pixels.image as AutoImage;
      return device.histogram({ ...pixels, image }, call, bins);
    }
    return this.#openCpu().then((cpu) => cpu.histogram(pixels, call, bins));
  }

  async components(...given: Parameters<Backend["components"]>): Promise<BackendComponents> {
    const [input, ...rest] = given;
    if (input.kind === "image") {
      const { device, image } = input.image as AutoImage;
      return new AutoComponents(device, await device.components({ ...input, image }, ...rest));
    }
    return this.#onBest(sizeOf(input), async (device) => {
      return new AutoComponents(device, await device.components(input, ...rest));
    });
  }

  /** Images are filled where they are; others on the CPU, which needs to see no more of them than the fill reaches. */
  async fill(pixels: Pixels, plan: FillPlan, call: Call): Promise<BackendComponents> {
    if (pixels.kind === "image") {
      const { device, image } = pixels.image as AutoImage;
      const own: Pixels = { ...pixels, image };
      if (device.device === "cpu" || !isDirected(plan))
        return new AutoComponents(device, await device.fill(own, plan, call));
      const data = await device.read(own, call);
      return this.fill({ kind: "array", shape: pixels.shape, data }, plan, call);
    }
    const cpu = await this.#openCpu();
    return new AutoComponents(cpu, await cpu.fill(pixels, plan, call));
  }

  async distance(...given: Parameters<Backend["distance"]>): Promise<void> {
    const [input, ...rest] = given;
    if (input.kind === "image") {
      const { device, image } = input.image as AutoImage;
      return device.distance({ ...input, image }, ...rest);
    }
    const [, , into] = rest;
    if (isResident(into.data)) return ((await this.#aliveGpu()) ?? (await this.#openCpu())).distance(input, ...rest);
    // What is made on the host and goes back there takes longer to come from the card than here.
    return (await this.#openCpu()).distance(input, ...rest);
  }

  /** Where the pixels are; those of the host on the GPU where they are many, since both their ways there are then the shorter part. */
  async colours<T>(
    pixels: Pixels,
    plan: ColoursPlan,
    call: Call,
    work: (colours: BackendColours) => Promise<T>,
  ): Promise<T> {
    if (pixels.kind === "image") {
      const { device, image } = pixels.image as AutoImage;
      return device.colours({ ...pixels, image }, plan, call, work);
    }
    return this.#onBest(pixels.shape, (device) => device.colours(pixels, plan, call, work));
  }

  /** A channel stays where its image is. */
  async channel(...given: Parameters<Backend["channel"]>): Promise<BackendImage> {
    const [pixels, ...rest] = given;
    if (pixels.kind === "image") {
      const { device, image } = pixels.image as AutoImage;
      return new AutoImage(device, await device.channel({ ...pixels, image }, ...rest));
    }
    return this.#onBest(pixels.shape, async (device) => new AutoImage(device, await device.channel(pixels, ...rest)));
  }

  async levels(...given: Parameters<Backend["levels"]>): Promise<BackendImage> {
    const [pixels, ...rest] = given;
    if (pixels.kind === "image") {
      const { device, image } = pixels.image as AutoImage;
      return new AutoImage(device, await device.levels({ ...pixels, image }, ...rest));
    }
    const cpu = await this.#openCpu();
    return new AutoImage(cpu, await cpu.levels(pixels, ...rest));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#devices.close(), this.#gpu?.close()]);
  }

  /** Runs work on the device that the rule chooses; when the GPU is lost on the way, once more on what is left. */
  async #onBest<T>(size: Size, work: (device: Backend) => Promise<T>): Promise<T> {
    const gpu = size.width * rowCount(size) >= GPU_PIXELS ? await this.#aliveGpu() : undefined;
    if (!gpu) return work(await this.#openCpu());
    try {
      return await work(gpu);
    } catch (error) {
      if (!(error instanceof DeviceLost) || this.#closed) throw error;
      return work((await this.#aliveGpu()) ?? (await this.#openCpu()));
    }
  }

  async #openCpu(): Promise<Backend> {
    this.#cpu ??= await this.#devices.cpu();
    return this.#cpu;
  }

  async #openGpu(): Promise<void> {
    const found = await this.#devices.gpu();
    if (found instanceof Error) this.#notice = found.message;
    else this.#gpu = found;
  }

  /** The GPU, opened again when it was lost. */
  async #aliveGpu(): Promise<Gpu | undefined> {
    const lost = this.#gpu?.lost;
    if (!lost || this.#closed) return this.#gpu;
    this.#gpu = undefined;
    await this.#openGpu();
    this.#notice = `The GPU was lost (${lost.message}); ${this.#gpu ? "it was opened again" : "the CPU does its work"}.`;
    return this.#gpu;
  }
}

function sizeOf(input: Exclude<Pixels, { kind: "image" }> | Bits): Size {
  return input.kind === "mask" ? input : input.shape;
}

class AutoImage implements BackendImage {
  readonly device: Backend;
  readonly image: BackendImage;

  constructor(device: Backend, image: BackendImage) {
    this.device = device;
    this.image = image;
  }

  get where(): "cpu" | "gpu" {
    return this.image.where;
  }

  dispose(): void {
    this.image.dispose();
  }
}

/** Components where they were made; pixels that are elsewhere come to them. */
class AutoComponents implements BackendComponents {
  readonly #device: Backend;
  readonly #held: BackendComponents;

  constructor(device: Backend, held: BackendComponents) {
    this.#device = device;
    this.#held = held;
  }

  get width(): number {
    return this.#held.width;
  }

  get height(): number {
    return this.#held.height;
  }

  get depth(): number {
    return this.#held.depth;
  }

  get values(): PixelArray | undefined {
    return this.#held.values;
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
    return this.#held.classes;
  }

  get device(): "cpu" | "gpu" {
    return this.#held.device;
  }

  async regions(plan: RegionsPlan, call: Call): Promise<RegionSums> {
    const { intensity } = plan;
    if (intensity?.pixels.kind !== "image") return this.#held.regions(plan, call);
    const { device, image } = intensity.pixels.image as AutoImage;
    const { shape } = intensity.pixels;
    const pixels: Pixels =
      device === this.#device
        ? { kind: "image", shape, image }
        : { kind: "array", shape, data: await device.read({ kind: "image", shape, image }, call) };
    return this.#held.regions({ ...plan, intensity: { ...intensity, pixels } }, call);
  }

  classOf(call: Call): Promise<Uint8Array> {
    return this.#held.classOf(call);
  }

  labels(into: Uint32Array | Sink, call: Call): Promise<void> {
    return this.#held.labels(into, call);
  }

  windowed(...given: Parameters<BackendComponents["windowed"]>): Promise<void> {
    return this.#held.windowed(...given);
  }

  labelsBuffer(...given: Parameters<BackendComponents["labelsBuffer"]>): Promise<GPUBuffer> {
    return this.#held.labelsBuffer(...given);
  }

  runs(grouped: boolean, call: Call): Promise<RunTable> {
    return this.#held.runs(grouped, call);
  }

  mask(which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void> {
    return this.#held.mask(which, into, call);
  }

  maskBuffer(which: 0 | 1 | 2, call: Call): Promise<GPUBuffer> {
    return this.#held.maskBuffer(which, call);
  }

  async filter(filter: Filter, call: Call): Promise<BackendComponents> {
    return new AutoComponents(this.#device, await this.#held.filter(filter, call));
  }

  async keep(keep: Uint8Array, call: Call): Promise<BackendComponents> {
    return new AutoComponents(this.#device, await this.#held.keep(keep, call));
  }

  surface(border: boolean, into: Uint32Array, call: Call): Promise<void> {
    return this.#held.surface(border, into, call);
  }

  distance(plan: DistancePlan, into: DistanceInto, call: Call): Promise<void> {
    return this.#held.distance(plan, into, call);
  }

  at(x: number, row: number, call: Call): Promise<number> {
    return this.#held.at(x, row, call);
  }

  dispose(): void {
    this.#held.dispose();
  }
}
