import { open } from "../device/open.js";

/** Options of {@link open}. */
export interface OpenOptions {
  /**
   * - `"auto"` (default): a hardware GPU for what is done sooner there, the CPU for the rest. Images of the host
   *   go to the GPU from 1 Mpx on; what is resident is worked on where it is.
   * - `"gpu"`: the GPU, even one in software; rejects with Unsupported where there is none. In Node the package
   *   `webgpu` must be installed.
   * - `"cpu"`: WebAssembly.
   */
  readonly device?: "auto" | "cpu" | "gpu";
  /**
   * A GPU to ask for an adapter, or a device to work on, e.g. the one a page draws with; `engine.load()` then takes its
   * buffers and textures. A device stays the caller's: `close()` leaves it alone.
   */
  readonly gpu?: GPU | GPUDevice;
  /** The largest piece of GPU memory bound at once, in bytes, at least 64 KiB; the device's limit by default. */
  readonly bindingBytes?: number;
  /** Times every stage on the GPU, too, for `engine.timings`; costs a read-back per call. False by default. */
  readonly profile?: boolean;
  /** Worker threads, 1 to 64; the cores the process may use, at most 8, by default. */
  readonly threads?: number;
  /**
   * Starts a worker from `skerry/worker`, for sites whose content security policy forbids Blob URLs:
   * `() => new Worker(new URL("skerry/worker", import.meta.url))`.
   */
  readonly worker?: () => unknown;
  /**
   * `false` runs one worker over memory of its own, as happens anyway where there is no SharedArrayBuffer
   * (pages that are not cross-origin isolated).
   */
  readonly shared?: boolean;
}
