// The options that open an engine, and the description of its devices.

import type { GpuDevice, GpuInstance } from "./platform.js";

/** A GPU in use. */
export interface GpuDescription {
  /** The maker of the adapter, e.g. `"nvidia"`. */
  readonly vendor: string;
  /** The family of the adapter, e.g. `"hopper"`. */
  readonly architecture: string;
  /** The name of the adapter, as its driver gives it. */
  readonly description: string;
  /** Runs on the CPU, e.g. SwiftShader. */
  readonly software: boolean;
  /** Features of the device, sorted. */
  readonly features: readonly string[];
  /** The largest binding in use, in bytes. Larger data is processed in strips and bands. */
  readonly bindingBytes: number;
  /** The largest buffer, in bytes. */
  readonly bufferBytes: number;
}

/** Result of `engine.describe()`. */
export interface Description {
  /** `"auto"` chooses for each call. */
  readonly device: "cpu" | "gpu" | "auto";
  /** Worker threads of the CPU, started or not; 0 while the CPU is not in use. */
  readonly threads: number;
  /** Whether the threads share one memory. Without SharedArrayBuffer there is one thread, with memory of its own. */
  readonly shared: boolean;
  /** Memory in use, and reserved, in bytes; of the devices that are open. */
  readonly memory: { readonly used: number; readonly reserved: number };
  /** Present if a GPU is open. */
  readonly gpu?: GpuDescription | undefined;
  /**
   * With `"auto"` and a GPU: pixels of an array from which the GPU does each kind of work, as it was measured on this machine;
   * Infinity if the CPU is faster at any size. What is not listed was not measured yet.
   */
  readonly gpuFrom?: Readonly<Record<string, number>> | undefined;
  /** The reason why there is no GPU. After a GPU was lost: whether it was opened again or the CPU replaces it. */
  readonly notice?: string | undefined;
}

/** Options of `requestDevice()`. */
export interface RequestDeviceOptions {
  /** The GPU from which the adapter is requested; the platform's by default. */
  readonly gpu?: GpuInstance;
  /** Accepts an adapter that runs on the CPU; false by default. */
  readonly software?: boolean;
}

/** Options of `open()`. */
export interface OpenOptions {
  /**
   * - `"auto"` (default): a hardware GPU for operations that are faster there, the CPU for the rest. Which is faster is measured
   *   once per machine and kind of work, in some 100 ms while the engine is idle, and kept (in Node in the user's folder for
   *   caches, in browsers in the site's storage); until then host images of 2^20 pixels or more go to the GPU, and distance maps
   *   to the CPU. A loaded Image is processed on the device that holds it.
   * - `"gpu"`: the GPU, even a software adapter. Rejects with Unsupported if there is none. In Node the package
   *   `webgpu` must be installed.
   * - `"cpu"`: WebAssembly.
   */
  readonly device?: "auto" | "cpu" | "gpu";
  /**
   * A GPU to request an adapter from, or a GPUDevice to run on, e.g. the one that a page draws with. `engine.load()`
   * accepts buffers and textures of that device. `close()` does not destroy it.
   */
  readonly gpu?: GpuInstance | GpuDevice;
  /** The largest piece of GPU memory bound at once, in bytes, at least 64 KiB; the device's limit by default. */
  readonly bindingBytes?: number;
  /**
   * Also measures every stage with the GPU's own clock, for `engine.timings`. It costs one read-back per call. False by
   * default.
   */
  readonly profile?: boolean;
  /** Worker threads, 1 to 64; the cores the process may use, at most 8, by default. */
  readonly threads?: number;
  /**
   * Starts a worker from `skerry/worker`, for sites whose content security policy forbids Blob URLs:
   * `() => new Worker(new URL("skerry/worker", import.meta.url))`.
   */
  readonly worker?: () => unknown;
  /**
   * `false` runs one worker with memory of its own. This is always so without SharedArrayBuffer, i.e. in pages that are
   * not cross-origin isolated.
   */
  readonly shared?: boolean;
  /**
   * `true` (default): the CPU computes small images on the calling thread, because messages to workers would take
   * longer. This blocks the thread for a few milliseconds at most. `false`: workers compute everything, as always
   * without SharedArrayBuffer.
   */
  readonly mainThread?: boolean;
}
