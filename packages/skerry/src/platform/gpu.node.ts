// WebGPU in Node: the optional peer `webgpu` (Dawn), loaded on request, and only if a GPU may be present or is wanted. SKERRY_WEBGPU is
// the URL of one that lies elsewhere than beside the library, as for Python's package.

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

interface WebGpuPackage {
  create(options: string[]): GPU;
}

/**
 * Whether a GPU may be present. Dawn warns on stderr if no Vulkan device is suitable, so on Linux this checks for device files
 * and Vulkan variables first.
 */
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
 * Dawn's GPU object, kept for the life of the process. If it is garbage-collected while one of its devices is still
 * closing, the process crashes.
 */
let gpu: GPU | undefined;

const packageName = (): string => process.env.SKERRY_WEBGPU ?? "webgpu";

const NO_ADAPTER = "WebGPU found no adapter in this process.";

/** Requests an adapter in a child process, whose stderr is discarded; resolves to whether there is one. */
function adapterElsewhere(): Promise<boolean> {
  const script = `
    const { create } = await import(${JSON.stringify(import.meta.resolve(packageName()))});
    const gpu = create([]);
    process.exit((await gpu.requestAdapter()) ? 0 : 1);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "ignore" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** The GPU that provides adapters, or the reason why there is none: no package `webgpu`, or no adapter. */
export async function gpuOfPlatform(wanted: boolean): Promise<GPU | string> {
  const inSight = deviceInSight();
  if (!wanted && !inSight) return NO_ADAPTER;
  let found: WebGpuPackage;
  try {
    found = (await import(packageName())) as WebGpuPackage;
  } catch {
    return "No WebGPU in this process. In Node, install the optional package: npm install webgpu.";
  }
  // Without this variable Vulkan's loader prints a warning.
  process.env.XDG_RUNTIME_DIR ??= "/tmp";
  if (!gpu && !inSight && !(await adapterElsewhere())) return NO_ADAPTER;
  gpu ??= found.create([]);
  return gpu;
}

/** Whether software adapters may be used without an explicit request. */
export function softwareAllowed(): boolean {
  return process.env.SKERRY_SOFTWARE_GPU === "1";
}
