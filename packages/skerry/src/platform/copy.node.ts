// Copies of bytes in Node.

/** For fewer bytes, Buffer's fill() costs more than it saves. */
const LEAST_BYTES = 1 << 16;

/**
 * Copies `from` to `to`, which has the same length. V8 copies to shared memory word by word, because other threads may
 * read it. Buffer's fill() with a pattern of its own length is one memcpy, 1.5 to 2 times as fast.
 */
export function copyBytes(from: Uint8Array, to: Uint8Array): void {
  const intoShared = to.buffer instanceof SharedArrayBuffer && !(from.buffer instanceof SharedArrayBuffer);
  if (!intoShared || from.length !== to.length || from.length < LEAST_BYTES) to.set(from);
  else Buffer.from(to.buffer, to.byteOffset, to.length).fill(from);
}
