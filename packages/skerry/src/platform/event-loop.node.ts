// Turns of the event loop in Node.

/** Resolves after the event loop has had a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
