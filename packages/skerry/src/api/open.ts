// Opens an engine with checked options.

import { openDevices } from "../device/open.js";
import { checkOpen } from "../options/open.js";
import type { OpenOptions } from "../types/engine.js";
import { Calls } from "./calls.js";
import { Engine } from "./engine.js";

/**
 * Opens an engine. This takes some tens of milliseconds, or 0.2 seconds with a GPU, so reuse the engine.
 * Close it when done; idle workers do not keep Node alive.
 *
 * Rejects with InvalidArgument for a wrong option, and with Unsupported for a device that is not available.
 *
 * @example
 * import { open } from "skerry";
 * const engine = await open({ threads: 2 });
 * const blobs = await engine.components({ data: new Uint8Array([0, 9, 9, 0]), width: 4, height: 1 });
 * console.log(blobs.count); // 1
 * await engine.close();
 */
export async function open(options: OpenOptions = {}): Promise<Engine> {
  const router = await openDevices(checkOpen(options));
  const calls = new Calls();
  const engine = new Engine(router, calls);
  // Only where there is a choice: the module that measures is loaded then.
  if (router.device === "auto" && router.describe().gpu) {
    const { chooseBySpeed } = await import("./speeds.js");
    chooseBySpeed(engine, { router, calls, threads: options.threads });
  }
  return engine;
}
