// The engines that every behaviour is tested on: one, two and three threads over shared memory, one worker over
// memory of its own, as on pages that are not cross-origin isolated, and the GPU. Without an adapter the GPU is left
// out, and that is said, unless SKERRY_REQUIRE_GPU=1.

import { type OpenOptions, open } from "skerry";

export interface TestDevice extends OpenOptions {
  readonly name: string;
}

/** Whether there is a WebGPU adapter, be it in software; throws where there has to be one. */
async function findGpu(): Promise<boolean> {
  try {
    const engine = await open({ device: "gpu" });
    await engine.close();
    return true;
  } catch (error) {
    if (process.env.SKERRY_REQUIRE_GPU === "1") throw error;
    console.warn(`the tests on the GPU are skipped: ${(error as Error).message}`);
    return false;
  }
}

export const HAS_GPU = await findGpu();

/** The GPU in strips so small that most pictures take several. */
export const STRIPS: readonly TestDevice[] = HAS_GPU
  ? [{ name: "the GPU in strips", device: "gpu", threads: 1, bindingBytes: 65536 }]
  : [];

export const DEVICES: readonly TestDevice[] = [
  { name: "1 thread", device: "cpu", threads: 1 },
  { name: "2 threads", device: "cpu", threads: 2 },
  { name: "3 threads", device: "cpu", threads: 3 },
  { name: "unshared memory", device: "cpu", shared: false },
  ...(HAS_GPU ? [{ name: "the GPU", device: "gpu", threads: 1 } as const] : []),
];
