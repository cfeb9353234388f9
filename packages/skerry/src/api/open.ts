// How an engine is opened: its options, checked.

import { openDevices } from "../device/open.js";
import { checkOpen } from "../options/open.js";
import { Engine } from "./engine.js";
import type { OpenOptions } from "./types.js";

/**
 * Opens an engine. Takes some tens of milliseconds, two tenths of a second with a GPU, so keep it; close it when done
 * (idle workers do not keep Node alive).
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
  return new Engine(await openDevices(checkOpen(options)));
}
