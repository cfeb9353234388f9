// A GPUDevice for programs that share one with an engine: with every feature and limit that its kernels can use.

import { checkOptions } from "../options/names.js";
import { checkRequest } from "../options/open.js";
import type { RequestDeviceOptions } from "../types/engine.js";
import { Unsupported } from "../types/errors.js";
import type { GpuDevice } from "../types/platform.js";

/**
 * Requests a GPUDevice with every feature and limit that an engine can use, for `open({ gpu: device })` and for the caller's own
 * pipelines: a device of the default limits holds at most 128 MiB in a binding, so that larger images go in strips. The device is the
 * caller's to destroy, after the engines that use it were closed. In Node the package `webgpu` must be installed.
 *
 * Rejects with Unsupported where there is no adapter, or only one that runs on the CPU, unless `software` allows it; and with
 * InvalidArgument for a wrong option.
 *
 * @example
 * import { open, requestDevice } from "skerry";
 * const device = await requestDevice({ software: true });
 * const engine = await open({ gpu: device });
 * await engine.close();
 * device.destroy();
 */
export async function requestDevice(options: RequestDeviceOptions = {}): Promise<GpuDevice> {
  checkOptions("requestDevice", options);
  checkRequest(options);
  const { gpu, software = false } = options;
  const { makeDevice } = await import("../gpu/device/device.js");
  const made = await makeDevice({ gpu, software });
  if (made instanceof Unsupported) throw made;
  return made.device;
}
