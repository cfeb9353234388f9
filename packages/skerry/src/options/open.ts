// The options of `open()`.

import { InvalidArgument } from "../api/errors.js";
import type { OpenOptions } from "../api/types.js";
import { show, whole } from "./arguments.js";
import { checkOptions } from "./names.js";

const LEAST_BINDING = 1 << 16;

export function checkOpen(options: OpenOptions): OpenOptions {
  checkOptions("open", options);
  const { device = "auto", threads, bindingBytes, gpu } = options;
  if (device !== "auto" && device !== "cpu" && device !== "gpu") {
    throw new InvalidArgument(`Expected device to be "auto", "cpu" or "gpu", got ${show(device)}.`);
  }
  if (threads !== undefined) whole("threads", threads, 1, 64);
  if (bindingBytes !== undefined && !(Number.isInteger(bindingBytes) && bindingBytes >= LEAST_BINDING)) {
    throw new InvalidArgument(
      `Expected bindingBytes to be a whole number of at least ${LEAST_BINDING}, got ${show(bindingBytes)}.`,
    );
  }
  const given = gpu as { queue?: unknown; requestAdapter?: unknown } | undefined;
  if (given !== undefined && !given?.queue && !given?.requestAdapter) {
    throw new InvalidArgument(`Expected gpu to be a GPU or a GPUDevice, got ${show(gpu)}.`);
  }
  if (gpu && device === "cpu") throw new InvalidArgument('Expected no gpu with device "cpu", got one.');
  return options;
}
