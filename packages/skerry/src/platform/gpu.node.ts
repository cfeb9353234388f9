// WebGPU in Node: the optional peer `webgpu` (Dawn), loaded when it is asked for and only where a GPU can be.

import { existsSync, readdirSync } from "node:fs";

interface WebGpuPackage {
  create(options: string[]): GPU;
}

/** Dawn warns on stderr where there is no Vulkan device at all, so on Linux one is looked for first. */
function deviceInSight(): boolean {
  if (process.platform !== "linux") return true;
  if (Object.keys(process.env).some((name) => name.startsWith("VK_"))) return true;
  if (existsSync("/dev/nvidia0") || existsSync("/dev/nvidiactl") || existsSync("/dev/dxg")) return true;
  try {
    return readdirSync("/dev/dri").some((name) => name.startsWith("renderD"));
  } catch {
    return false;
  }
}

/**
 * What `create()` of Dawn returned stays for the process: collected as garbage while a device of its own is still
 * closing, it takes the process with it.
 */
let gpu: GPU | undefined;

/** A GPU to ask for adapters; undefined where the package is not installed, or nothing is in sight of auto. */
export async function gpuOfPlatform(wanted: boolean): Promise<GPU | undefined> {
  if (!wanted && !deviceInSight()) return undefined;
  const name = "webgpu";
  let found: WebGpuPackage;
  try {
    found = (await import(name)) as WebGpuPackage;
  } catch {
    return undefined;
  }
  // Vulkan's loader complains without it.
  process.env.XDG_RUNTIME_DIR ??= "/tmp";
  gpu ??= found.create([]);
  return gpu;
}

/** Whether software adapters may be used without being asked for. */
export function softwareAllowed(): boolean {
  return process.env.SKERRY_SOFTWARE_GPU === "1";
}
