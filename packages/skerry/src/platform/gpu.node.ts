// WebGPU in Node: the optional peer `webgpu` (Dawn), loaded when it is asked for and only where a GPU can be.

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

interface WebGpuPackage {
  create(options: string[]): GPU;
}

/**
 * Whether a GPU may be present. Dawn warns on stderr if no Vulkan device is suitable, so on Linux this looks for one
 * first.
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

const NO_ADAPTER = "WebGPU found no adapter in this process.";

/** Asks for an adapter in a process of its own, whose stderr is not ours; resolves to whether there is one. */
function adapterElsewhere(): Promise<boolean> {
  const script = `
    const { create } = await import(${JSON.stringify(import.meta.resolve("webgpu"))});
    const gpu = create([]);
    process.exit((await gpu.requestAdapter()) ? 0 : 1);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "ignore" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** A GPU to ask for adapters, or why there is none: the package is not installed, or no adapter is in sight. */
export async function gpuOfPlatform(wanted: boolean): Promise<GPU | string> {
  const inSight = deviceInSight();
  if (!wanted && !inSight) return NO_ADAPTER;
  const name = "webgpu";
  let found: WebGpuPackage;
  try {
    found = (await import(name)) as WebGpuPackage;
  } catch {
    return "No WebGPU in this process. In Node, install the optional package: npm install webgpu.";
  }
  // Vulkan's loader complains without it.
  process.env.XDG_RUNTIME_DIR ??= "/tmp";
  if (!gpu && !inSight && !(await adapterElsewhere())) return NO_ADAPTER;
  gpu ??= found.create([]);
  return gpu;
}

/** Whether software adapters may be used without being asked for. */
export function softwareAllowed(): boolean {
  return process.env.SKERRY_SOFTWARE_GPU === "1";
}
