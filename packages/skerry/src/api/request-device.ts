// A GPUDevice for programs that share one with an engine: with every feature and limit that its kernels can use.

import { checkOptions } from "../options/names.js";
import { checkRequest } from "../options/open.js";
import type { RequestDeviceOptions } from "../types/engine.js";
import { Unsupported } from "../types/errors.js";
import type { GpuDevice } from "../types/platform.js";

/**
 * Requests a GPUDevice with every feature and limit that an engine can use, for `open({ gpu: device })` and for the caller's own
 * pipelines. With the default limits a binding holds at most 128 MiB, so larger images would be processed in strips. The caller
 * destroys the device, after closing the engines that use it. In Node the package `webgpu` must be installed.
 *
 * Rejects with Unsupported if there is no adapter, or if the only adapter runs on the CPU and `software` does not allow it.
 * Rejects with InvalidArgument for a wrong option.
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
  const device = await makeDevice({ gpu, software });
  if (device instanceof Unsupported) throw device;
  return device.device;
}
