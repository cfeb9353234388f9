// Types of the platform that the public API takes and returns. If the program's libraries (lib "dom", or @webgpu/types) declare
// a type, that type is used. Otherwise a minimal type replaces it, so that the API's declarations compile without either library.

/** A GPUBuffer of WebGPU. */
export type GpuBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer T } }
  ? T
  : { readonly size: number; readonly usage: number; destroy(): void };

/** A GPUTexture of WebGPU. */
export type GpuTexture = typeof globalThis extends { GPUTexture: { prototype: infer T } }
  ? T
  : { readonly width: number; readonly height: number; readonly format: string; destroy(): void };

/** A GPU of WebGPU: `navigator.gpu`, or the result of `create()` of the package webgpu. */
export type GpuInstance = typeof globalThis extends { GPU: { prototype: infer T } }
  ? T
  : { requestAdapter(options?: object): Promise<object | null> };

/** A GPUDevice of WebGPU. */
export type GpuDevice = typeof globalThis extends { GPUDevice: { prototype: infer T } }
  ? T
  : { readonly limits: object; readonly lost: Promise<object>; destroy(): void };

/** An AbortSignal. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer T } }
  ? T
  : { readonly aborted: boolean; readonly reason: unknown; throwIfAborted(): void };
