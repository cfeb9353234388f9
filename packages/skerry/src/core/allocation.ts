// The check of sizes that every allocator makes, on both devices.

import { SkerryError } from "../types/errors.js";

/** Refuses NaN, fractions and negative sizes: one of them would damage an allocator and every later call with it. */
export function checkBytes(bytes: number): void {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return;
  throw new SkerryError(`Expected a whole number of bytes to allocate, got ${bytes}.`);
}
