// Opens an engine: chooses the device and imports its backend when it is needed.

import { show } from "./check.js";
import { Engine } from "./engine.js";
import { InvalidArgument, Unsupported } from "./errors.js";

/** Options of {@link open}. */
export interface OpenOptions {
  /** `"auto"` (default) and `"cpu"` run in WebAssembly; `"gpu"` is not there yet and rejects. */
  readonly device?: "auto" | "cpu" | "gpu";
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

/**
 * Opens an engine. Takes some tens of milliseconds, so keep it; close it when done (idle workers do not keep
 * Node alive).
 *
 * Rejects with InvalidArgument for a wrong option and Unsupported for a device that is not there.
 *
 * @example
 * import { open } from "skerry";
 * const engine = await open({ threads: 2 });
 * const blobs = await engine.components({ data: new Uint8Array([0, 9, 9, 0]), width: 4, height: 1 });
 * console.log(blobs.count); // 1
 * await engine.close();
 */
export async function open(options: OpenOptions = {}): Promise<Engine> {
  const { device = "auto", threads, worker, shared } = options;
  if (device === "gpu") {
    throw new Unsupported('Expected device to be "auto" or "cpu": the GPU backend is not part of this version.');
  }
  if (device !== "auto" && device !== "cpu") {
    throw new InvalidArgument(`Expected device to be "auto", "cpu" or "gpu", got ${show(device)}.`);
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= 64)) {
    throw new InvalidArgument(`Expected threads to be a whole number from 1 to 64, got ${show(threads)}.`);
  }
  const { openCpu } = await import("./cpu/index.js");
  return new Engine(await openCpu({ threads, worker, shared }));
}
