// WebGPU in browsers.

/** A GPU to ask for adapters; undefined where the browser has none. */
export async function gpuOfPlatform(_wanted: boolean): Promise<GPU | undefined> {
  return typeof navigator === "undefined" ? undefined : navigator.gpu;
}

/** Whether software adapters may be used without being asked for. */
export function softwareAllowed(): boolean {
  return false;
}
