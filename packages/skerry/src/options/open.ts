// The options of `open()`.

import type { OpenOptions, RequestDeviceOptions } from "../types/engine.js";
import { InvalidArgument } from "../types/errors.js";
import { flag, unexpected, wholeNumber } from "./arguments.js";
import { checkOptions } from "./names.js";

const LEAST_BINDING = 1 << 16;

/** Checks the options of `requestDevice()`. */
export function checkRequest({ gpu, software }: RequestDeviceOptions): void {
  if (software !== undefined) flag("software", software);
  if (gpu !== undefined && !(gpu as { requestAdapter?: unknown } | null)?.requestAdapter) {
    throw unexpected("gpu", "a GPU", gpu);
  }
}

export function checkOpen(options: OpenOptions): OpenOptions {
  checkOptions("open", options);
  const { device = "auto", threads, bindingBytes, gpu, mainThread, worker, profile } = options;
  if (device !== "auto" && device !== "cpu" && device !== "gpu") {
    throw unexpected("device", '"auto", "cpu" or "gpu"', device);
  }
  if (worker !== undefined && typeof worker !== "function")
    throw unexpected("worker", "a function that makes a Worker", worker);
  if (mainThread !== undefined) flag("mainThread", mainThread);
  if (profile !== undefined) flag("profile", profile);
  if (threads !== undefined) wholeNumber("threads", threads, 1, 64);
  if (bindingBytes !== undefined && !(Number.isInteger(bindingBytes) && bindingBytes >= LEAST_BINDING)) {
    throw unexpected("bindingBytes", `a whole number of at least ${LEAST_BINDING}`, bindingBytes);
  }
  const given = gpu as { queue?: unknown; requestAdapter?: unknown } | undefined;
  if (given !== undefined && !given?.queue && !given?.requestAdapter) {
    throw unexpected("gpu", "a GPU or a GPUDevice", gpu);
  }
  if (gpu && device === "cpu")
    throw new InvalidArgument('Expected no gpu with device "cpu", got one.', { argument: "gpu" });
  return options;
}
