// Copies of bytes in browsers.

/** Copies `from` to `to`, which is as long. */
export function copyBytes(from: Uint8Array, to: Uint8Array): void {
  to.set(from);
}
