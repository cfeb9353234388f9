// The engines that every behaviour is tested on: two and three threads over shared memory, one worker over memory of its own,
// as on pages that are not cross-origin isolated, and the GPU. Without an adapter the GPU is left out, and that is said,
// unless SKERRY_REQUIRE_GPU=1. `npm run test:all` runs everything once more on the engines that `npm test` leaves out: two
// threads, of some nouns unshared memory, and of most nouns a GPU in software, which takes up to a second to compile each kernel.

import type { OpenOptions } from "skerry";

export interface TestDevice extends OpenOptions {
  readonly name: string;
}

/**
 * One device for all engines of a file: Dawn compiles a kernel once per device, and in software that takes a second.
 * What it complains about fails the run.
 */
async function findGpu(): Promise<{ device: GPUDevice; software: boolean } | undefined> {
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
    return { device, software: adapter.info.isFallbackAdapter };
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
const found = await findGpu();

/** What `npm test` left out. */
const others = process.env.SKERRY_TEST_DEVICES === "others";
if (found?.software && !others) console.warn("the GPU is one in software: most of its tests run with npm run test:all");

/** Of these nouns `npm test` tries a GPU even where it is one in software. */
const IN_TIME = ["components"];

/** Nouns whose tests are of what is computed more than of how data comes and goes: without shared memory in `test:all`. */
const COMPUTING = ["filter", "kmeans", "regions", "values", "volumes"];

interface TestDevices {
  readonly DEVICES: readonly TestDevice[];
  /** Those without a GPU in software: for tests of so many calls that it would take minutes for each. */
  readonly QUICK: readonly TestDevice[];
  /** The GPU in strips so small that most pictures take several. */
  readonly STRIPS: readonly TestDevice[];
  readonly HAS_GPU: boolean;
}

/** The engines for the tests of a noun. */
export function devicesOf(noun: string): TestDevices {
  const inTime = !found?.software || IN_TIME.includes(noun);
  const gpu = others === inTime ? undefined : found?.device;
  // Pictures of tests are small: these are to take the workers all the same, and two threads the calling one.
  const three = named("3 threads", { device: "cpu", threads: 3, mainThread: false });
  const two = named("2 threads", { device: "cpu", threads: 2 });
  const unshared = named("unshared memory", { device: "cpu", shared: false });
  const [first, later] = COMPUTING.includes(noun) ? [[three], [two, unshared]] : [[three, unshared], [two]];
  const cpu = others ? later : first;
  const onGpu = { device: "gpu", gpu, threads: 1 } as const;
  const all = gpu ? [...cpu, named("the GPU", onGpu)] : cpu;
  return {
    DEVICES: all,
    QUICK: found?.software ? cpu : all,
    STRIPS: gpu ? [named("the GPU in strips", { ...onGpu, bindingBytes: 65536 })] : [],
    HAS_GPU: gpu !== undefined,
  };
}
