// The values of GPUBufferUsage, GPUMapMode and GPUShaderStage. The type library lacks them, and Node has no such
// globals.

export const BUFFER_USAGE = {
  MAP_READ: 0x1,
  MAP_WRITE: 0x2,
  COPY_SRC: 0x4,
  COPY_DST: 0x8,
  UNIFORM: 0x40,
  STORAGE: 0x80,
  QUERY_RESOLVE: 0x200,
} as const;

export const MAP_MODE = { READ: 1, WRITE: 2 } as const;

export const SHADER_STAGE = { COMPUTE: 4 } as const;
