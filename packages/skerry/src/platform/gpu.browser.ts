// WebGPU in browsers.

/** A GPU to ask for adapters, or why there is none. */
export async function gpuOfPlatform(_wanted: boolean): Promise<GPU | string> {
  const gpu = typeof navigator === "undefined" ? undefined : (navigator.gpu as GPU | undefined);
  return gpu ?? "This browser, or this page, which may not be a secure context, has no WebGPU.";
}

/** Whether software adapters may be used without being asked for. */
export function softwareAllowed(): boolean {
  return false;
}
