// The engines that every behaviour is tested on: one, two and three threads over shared memory, one worker over
// memory of its own, as on pages that are not cross-origin isolated, and the GPU. Without an adapter the GPU is left
// out, and that is said, unless SKERRY_REQUIRE_GPU=1.

import type { OpenOptions } from "skerry";

export interface TestDevice extends OpenOptions {
  readonly name: string;
}

/**
 * One device for all engines of a file: Dawn compiles a kernel once per device, and in software that takes a second.
 * What it complains about fails the run.
 */
async function findGpu(): Promise<GPUDevice | undefined> {
  try {
    const { create } = (await import("webgpu")) as { create(options: string[]): GPU };
    const gpu = create([]);
    const adapter = await gpu.requestAdapter();
    if (!adapter) throw new Error("WebGPU found no adapter");
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
    device.addEventListener("uncapturederror", (event) => {
      throw new Error(event.error.message);
    });
    // Dawn's own object must stay as long as the device.
    kept.push(gpu);
    return device;
  } catch (error) {
    if (process.env.SKERRY_REQUIRE_GPU === "1") throw error;
    console.warn(`the tests on the GPU are skipped: ${(error as Error).message}`);
    return undefined;
  }
}

/** Options with a name to show, which is none of them. */
function named(name: string, options: OpenOptions): TestDevice {
  return Object.defineProperty({ ...options }, "name", { value: name }) as TestDevice;
}

const kept: GPU[] = [];
const gpu = await findGpu();

export const HAS_GPU = gpu !== undefined;

/** The GPU in strips so small that most pictures take several. */
export const STRIPS: readonly TestDevice[] = gpu
  ? [named("the GPU in strips", { device: "gpu", gpu, threads: 1, bindingBytes: 65536 })]
  : [];

export const DEVICES: readonly TestDevice[] = [
  named("2 threads", { device: "cpu", threads: 2 }),
  named("3 threads", { device: "cpu", threads: 3 }),
  named("unshared memory", { device: "cpu", shared: false }),
  ...(gpu ? [named("the GPU", { device: "gpu", gpu, threads: 1 })] : []),
];
