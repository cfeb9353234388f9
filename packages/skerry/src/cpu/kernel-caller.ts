// Calls kernels by name on the current thread: in workers, and for little data on the calling thread. The arguments of
// some kernels are written into a record, which the kernel reads.

import type { Records } from "../platform/messages.js";

/** Calls a kernel with its arguments in order. */
export type KernelCaller = (kernel: string, values: readonly number[]) => number;

/** A caller of an instance's kernels over a memory, with room for one record at an address. */
export function callerOf(
  instance: WebAssembly.Instance,
  memory: WebAssembly.Memory,
  records: Records,
  recordAt: number,
): KernelCaller {
  const kernels = instance.exports as Record<string, ((...values: number[]) => number | undefined) | undefined>;
  let view = new DataView(memory.buffer, recordAt);
  return (kernel, values) => {
    const work = kernels[kernel];
    if (!work) throw new Error(`there is no kernel ${kernel}`);
    const record = records[kernel];
    if (!record) return work(...values) ?? 0;
    // Memory that grew has another buffer.
    if (view.buffer !== memory.buffer) view = new DataView(memory.buffer, recordAt);
    for (let i = 0; i < record.length; i++) {
      const [letter, at] = record[i];
      const value = values[i];
      if (letter === "f") view.setFloat64(at, value, true);
      else if (letter === "b") view.setUint8(at, value);
      // The bits of a negative i32 are those of its value modulo 2^32.
      else view.setUint32(at, value, true);
    }
    return work(recordAt) ?? 0;
  };
}
