// Messages between the pool and its workers.

/** Fields of kernels' records in the order of the arguments: a letter (b: 1 byte, w: 32 bits, f: 64-bit float) and an offset. */
export type Records = Readonly<Record<string, readonly (readonly [string, number])[] | undefined>>;

/** Main thread to worker. */
export type Request =
  | {
      kind: "start";
      module: WebAssembly.Module;
      memory: WebAssembly.Memory | undefined;
      /** Letter and offset of each field, for kernels that take a record. */
      records: Records;
      /** Address of this worker's record. */
      recordAt: number;
    }
  | { kind: "grow"; id: number; bytes: number }
  | ({ kind: "task"; id: number } & Task);

/** A kernel call, or only copies: `input` is copied in first, `output` out afterwards. */
export interface Task {
  /** A kernel's name, or "" for none. */
  kernel: string;
  /** Its arguments in order; for some kernels the worker puts them into a record. */
  values: readonly number[];
  input?: { pointer: number; array: Uint8Array } | undefined;
  /** With an array on shared memory the worker writes there, else it sends the bytes back. */
  output?: { pointer: number; bytes: number; array?: Uint8Array | undefined } | undefined;
}

/** Worker to main thread. */
export type Reply =
  | { kind: "ready" }
  | { kind: "done"; id: number; result: number; output?: Uint8Array }
  | { kind: "failed"; id: number; message: string; memory: boolean };
