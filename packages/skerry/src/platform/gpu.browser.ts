// WebGPU in browsers.

/** The GPU that provides adapters, or the reason why there is none. */
export async function gpuOfPlatform(_wanted: boolean): Promise<GPU | string> {
  const gpu = typeof navigator === "undefined" ? undefined : (navigator.gpu as GPU | undefined);
  return gpu ?? "No WebGPU in this page. The browser may lack it, or the page may not be a secure context.";
}

/** Whether software adapters may be used without an explicit request. */
export function softwareAllowed(): boolean {
  return false;
}
