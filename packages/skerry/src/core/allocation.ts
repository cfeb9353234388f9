// The check of sizes that every allocator makes, on both devices.

import { SkerryError } from "../types/errors.js";

/** Rejects NaN, fractions and negative sizes, which would corrupt an allocator and break every later call. */
export function checkBytes(bytes: number): void {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return;
  throw new SkerryError(`Expected a whole number of bytes to allocate, got ${bytes}.`);
}

/** Bytes of the GPUBuffer of a result of `bytes` bytes. */
export function bytesOfBuffer(bytes: number): number {
  return Math.max(16, Math.ceil(bytes / 16) * 16);
}
