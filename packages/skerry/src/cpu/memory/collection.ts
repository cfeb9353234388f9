// Garbage collection of WebAssembly memories that were replaced: an idle process does not start it by itself.

/** Maximum attempts to trigger garbage collection for one memory, and the pause between them. */
const COLLECTIONS = 60;
const COLLECTION_MILLISECONDS = 50;
const PRESSURE_BYTES = 64 << 20;

/**
 * Waits until a memory is garbage-collected. JavaScript engines collect when arrays outside their heap have grown. So
 * this allocates arrays that are never touched, which costs only address space.
 */
export async function collected(memory: WeakRef<WebAssembly.Memory>): Promise<void> {
  let gone = 0;
  for (let i = 0; i < COLLECTIONS; i++) {
    // deref() keeps the memory alive for the rest of this turn, so the allocations happen in a turn of their own.
    await pause();
    try {
      for (let k = 0; k < 4; k++) new ArrayBuffer(PRESSURE_BYTES);
    } catch {
      // A system without room for them has collected by now.
    }
    await pause();
    if (memory.deref()) continue;
    // Buffers made before the memory grew are objects of their own, which may have outlived it.
    if (gone++ === 2) return;
  }
}

/** Waits for a short time, without keeping the process alive. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, COLLECTION_MILLISECONDS);
    (timer as { unref?: () => void }).unref?.();
  });
}
