// The device: the caller's own, or one that is requested from the caller's GPU or the platform's. A requested device has the
// adapter's limits for buffers. The loss of a device is reported as an error.

import { gpuOfPlatform } from "#gpu";
import { DeviceLost, InvalidArgument, Unsupported } from "../../types/errors.js";

/** Options that `open()` passes on. */
export interface DeviceOptions {
  /** A GPU that provides an adapter, or an open device. The default is the platform's GPU. */
  readonly gpu?: GPU | GPUDevice | undefined;
  /** Whether an adapter that runs on the CPU is accepted. */
  readonly software: boolean;
  /** The largest binding in bytes, if below the device's limit. */
  readonly bindingBytes?: number | undefined;
  /** Whether stages are timed on the device. */
  readonly profile?: boolean | undefined;
}

/** Features that are used if the adapter has them. */
const WANTED = ["timestamp-query"] as const;

/** Limits that are requested at the adapter's maximum. */
const LIMITS = ["maxBufferSize", "maxStorageBufferBindingSize"] as const;

/** Adapter of a device. */
export interface Adapter {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** Whether the adapter runs on the CPU. */
  readonly software: boolean;
}

/**
 * The GPU objects of opened devices, kept for good. With Dawn, a GPU object that is garbage-collected while one of its
 * devices lives or is still closing crashes the process.
 */
const roots = new Set<GPU>();

/** An open device and its limits. */
export class Device {
  readonly gpu: GPUDevice;
  readonly adapter: Adapter;
  #bindingBytes: number;
  #owned: boolean;
  #lost: DeviceLost | undefined;
  #whenLost: Promise<never>;
  #failure: Error | undefined;
  #watched: Promise<GPUError | null>[] = [];

  private constructor(gpu: GPUDevice, adapter: Adapter, root: GPU | undefined, bindingBytes?: number) {
    this.gpu = gpu;
    this.adapter = adapter;
    if (root) roots.add(root);
    // A requested device is ours. A device without a root is the caller's.
    this.#owned = root !== undefined;
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize, bindingBytes ?? Number.POSITIVE_INFINITY);
    this.#bindingBytes = most - (most % 256);
    this.#whenLost = gpu.lost.then(({ message, reason }) => {
      this.#lost ??= new DeviceLost(
        `The GPU device was ${reason === "destroyed" ? "closed" : "lost"}${message ? `: ${message}` : "."}`,
      );
      throw this.#lost;
    });
    this.#whenLost.catch(() => undefined);
    // Errors of the caller's device may come from other code, so they are ignored.
    if (!this.#owned) return;
    gpu.addEventListener("uncapturederror", (event) => {
      this.#failure ??= new Error(`WebGPU refused a command: ${event.error.message}`);
    });
  }

  /** Records and submits commands. If WebGPU refuses them, `checked()` tells it: a caller's buffer may be destroyed or mapped. */
  watch(work: () => void): void {
    this.gpu.pushErrorScope("validation");
    try {
      work();
    } catch (error) {
      throw error instanceof TypeError ? refusal(error.message) : error;
    } finally {
      this.#watched.push(this.gpu.popErrorScope());
    }
  }

  /** Throws the first error that the device reported since the last check, because results since then may be wrong. */
  async checked(): Promise<void> {
    const [refused] = (await this.orLost(Promise.all(this.#watched.splice(0)))).filter((error) => error !== null);
    const failure = this.#failure;
    this.#failure = undefined;
    if (refused) throw refusal(refused.message);
    if (failure) throw failure;
  }

  /** Opens a device, or returns why there is none. */
  static async open({ gpu, software, bindingBytes }: DeviceOptions): Promise<Device | Unsupported> {
    if (gpu && "queue" in gpu) {
      if (await isLost(gpu)) return new Unsupported("Expected an open GPUDevice, got one that is lost.");
      const info = "adapterInfo" in gpu ? describeAdapter(gpu.adapterInfo) : describeAdapter(undefined);
      return new Device(gpu, info, undefined, bindingBytes);
    }
    const device = await makeDevice({ gpu, software });
    return device instanceof Unsupported ? device : new Device(device.device, device.info, device.root, bindingBytes);
  }

  /** The error of every call once the device is lost or closed. */
  get lost(): DeviceLost | undefined {
    return this.#lost;
  }

  /** The largest binding in use, in bytes: a multiple of 256. */
  get bindingBytes(): number {
    return this.#bindingBytes;
  }

  /** Runs work with an eighth of the binding size, so that strips and bands become smaller. */
  async withSmallerBindings<T>(work: () => Promise<T>): Promise<T> {
    const usual = this.#bindingBytes;
    const smaller = Math.max(65536, usual / 8);
    this.#bindingBytes = Math.min(usual, smaller - (smaller % 256));
    try {
      return await work();
    } finally {
      this.#bindingBytes = usual;
    }
  }

  /** Settles like `work`, or rejects as soon as the device is lost. */
  async orLost<T>(work: Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost;
    try {
      return await Promise.race([work, this.#whenLost]);
    } catch (error) {
      // Work on a device that is being lost fails in many ways, and the loss may be reported a turn later. So wait a
      // turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
      throw this.#lost ?? error;
    }
  }

  /** Destroys our own device. The caller's device stays open. */
  close(): void {
    this.#lost ??= new DeviceLost("The engine was closed.");
    if (this.#owned) this.gpu.destroy();
  }
}

/** Requests a device with every feature and limit that kernels can use, or returns why there is none. */
export async function makeDevice({
  gpu,
  software,
}: {
  readonly gpu?: GPU | undefined;
  readonly software: boolean;
}): Promise<{ device: GPUDevice; info: ReturnType<typeof describeAdapter>; root: GPU } | Unsupported> {
  const root = gpu ?? (await gpuOfPlatform(software));
  if (typeof root === "string") return new Unsupported(root);
  const adapter = await root.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) return new Unsupported("WebGPU found no adapter in this process.");
  const info = describeAdapter(adapter.info);
  if (info.software && !software) {
    return new Unsupported(
      `Expected a hardware GPU, but WebGPU found only ${info.description}, which runs on the CPU.`,
    );
  }
  const requiredFeatures = WANTED.filter((feature) => adapter.features.has(feature));
  const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));
  const device = await adapter.requestDevice({ label: "skerry", requiredFeatures, requiredLimits });
  return { device, info, root };
}

/** The error for a command that WebGPU refuses. */
const refusal = (message: string): InvalidArgument =>
  new InvalidArgument(
    `Expected GPUBuffers and GPUTextures of the engine's device that are neither destroyed nor mapped, but WebGPU refuses a command: ${message}`,
  );

/** Whether a device is lost already: its promise then settles before a timer does. */
function isLost({ lost }: GPUDevice): Promise<boolean> {
  return Promise.race([
    lost.then(() => true),
    new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), 0);
    }),
  ]);
}

function describeAdapter(info: GPUAdapterInfo | undefined): Adapter {
  const { vendor = "", architecture = "", device = "", description = "" } = info ?? {};
  return {
    vendor,
    architecture,
    description: description || device || [vendor, architecture].filter(Boolean).join(" ") || "an unnamed adapter",
    software: info?.isFallbackAdapter ?? false,
  };
}
