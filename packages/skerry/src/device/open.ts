// Opens an engine: chooses the device and imports its backend when it is needed.

import { softwareAllowed } from "#gpu";
import { Engine } from "../api/engine.js";
import { InvalidArgument, Unsupported } from "../api/errors.js";
import type { OpenOptions } from "../api/open.js";
import type { Call } from "../core/call.js";
import { type BackendImage, type Pixels, rowCount, type Shape } from "../core/pixels.js";
import type { CpuBackend } from "../cpu/backend.js";
import type { GpuBackend, Helper } from "../gpu/backend.js";
import { show, whole } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import { AutoBackend } from "./router.js";

const LEAST_BINDING = 1 << 16;

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
  const { device = "auto", gpu, bindingBytes, profile } = checkOpen(options);
  const cpu = new Cpu(options);
  if (device === "cpu") return new Engine(await cpu.open());
  const openGpu = async (): Promise<GpuBackend | Unsupported> => {
    // A device of the caller's, and a GPU asked for by name, may be one in software.
    const software = device === "gpu" || (gpu !== undefined && "queue" in gpu) || softwareAllowed();
    const { openGpu } = await import("../gpu/backend.js");
    return openGpu({ gpu, software, bindingBytes, profile }, cpu);
  };
  if (device === "auto") {
    return new Engine(await AutoBackend.open({ cpu: () => cpu.open(), gpu: openGpu, close: () => cpu.close() }));
  }
  const found = await openGpu();
  if (found instanceof Unsupported) throw found;
  return new Engine(found);
}

function checkOpen(options: OpenOptions): OpenOptions {
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

/** The CPU, started when it is first needed, and what it does for a GPU. */
class Cpu implements Helper {
  readonly #options: OpenOptions;
  #backend: Promise<CpuBackend> | undefined;

  constructor(options: OpenOptions) {
    this.#options = options;
  }

  open(): Promise<CpuBackend> {
    const { threads, worker, shared } = this.#options;
    this.#backend ??= import("../cpu/backend.js").then(({ openCpu }) => openCpu({ threads, worker, shared }));
    return this.#backend;
  }

  async close(): Promise<void> {
    await (await this.#backend)?.close();
  }

  pack: Helper["pack"] = async (pixels, predicate, call) => (await this.open()).pack(pixels, predicate, call);

  histogram: Helper["histogram"] = async (...given) => (await this.open()).histogram(...given);

  components: Helper["components"] = async (...given) => (await this.open()).components(...given);

  regions: Helper["regions"] = async (bits, connectivity, plan, call) => {
    const nothing = { any: false, classes: [] };
    const found = await this.components(bits, nothing, connectivity, undefined, call);
    try {
      return await found.regions(plan, call);
    } finally {
      found.dispose();
    }
  };

  fill: Helper["fill"] = async (pixels, plan, call) => {
    const { width, height, depth } = pixels.shape;
    const bits = new Uint32Array(Math.ceil(width / 32) * rowCount(pixels.shape));
    const found = await (await this.open()).fill(pixels, plan, call);
    try {
      await found.mask(0, bits, call);
    } finally {
      found.dispose();
    }
    return { kind: "mask", width, height, depth, bits };
  };

  distance: Helper["distance"] = async (...given) => (await this.open()).distance(...given);

  colours: Helper["colours"] = async (pixels, plan, call, work) =>
    (await this.open()).colours(pixels, plan, call, work);

  listed: Helper["listed"] = async (...given) => (await this.open()).listed(...given);

  channel: Helper["channel"] = async (pixels, channel, call) => {
    const cpu = await this.open();
    return planeRead(cpu, pixels.shape, await cpu.channel(pixels, channel, call), call);
  };

  levels: Helper["levels"] = async (pixels, seed, connectivity, call) => {
    const cpu = await this.open();
    return planeRead(cpu, pixels.shape, await cpu.levels(pixels, seed, connectivity, call), call);
  };
}

/** Pixels of an image of one channel, which goes away. */
async function planeRead(
  cpu: CpuBackend,
  of: Shape,
  image: BackendImage,
  call: Call,
): Promise<Pixels & { kind: "array" }> {
  try {
    const shape = { ...of, channels: 1 };
    return { kind: "array", shape, data: await cpu.read({ kind: "image", shape, image }, call) };
  } finally {
    image.dispose();
  }
}
