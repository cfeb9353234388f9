// The script of a worker thread: instantiates the kernels over the memory it is given and calls them by
// name, with copies in and out for arrays that the main thread does not copy itself. Runs in Node and in
// browsers; bundled into one string by scripts/embed.mjs.

import type { Reply, Request } from "../platform/messages.js";
import { callerOf, type KernelCaller } from "./kernel-caller.js";

interface Port {
  postMessage(message: Reply, transfer: Transferable[]): void;
  onMessage(handle: (request: Request) => void): void;
}

/** Globals that Node has and browsers lack. A bare `require` would be caught by bundlers. */
interface NodeGlobals {
  process?: { getBuiltinModule?(name: string): { parentPort: NodePort | null } };
  require?: (name: string) => { parentPort: NodePort | null };
}
interface NodePort {
  postMessage(message: unknown, transfer: readonly unknown[]): void;
  on(event: "message", handle: (data: Request) => void): void;
}

function openPort(): Port {
  const { process, require } = globalThis as NodeGlobals;
  // Node 20 before 20.16 has no getBuiltinModule; there, scripts find `require` among the globals.
  const load = process?.getBuiltinModule ?? require;
  const node = load?.("node:worker_threads").parentPort;
  if (node) {
    return {
      postMessage: (message, transfer) => node.postMessage(message, transfer),
      onMessage: (handle) => node.on("message", handle),
    };
  }
  const scope = globalThis as unknown as {
    postMessage(message: Reply, transfer: Transferable[]): void;
    addEventListener(event: "message", handle: (event: { data: Request }) => void): void;
  };
  return {
    postMessage: (message, transfer) => scope.postMessage(message, transfer),
    onMessage: (handle) => scope.addEventListener("message", (event) => handle(event.data)),
  };
}

const port = openPort();
let memory: WebAssembly.Memory;
let call: KernelCaller;

port.onMessage((request) => {
  if (request.kind === "start") {
    memory = request.memory ?? new WebAssembly.Memory({ initial: 1, maximum: 65536 });
    // V8 tells a thread of growth once it holds the memory. What grows between reading the size and taking hold is missed (1 of
    // 3 400 starts beside a thread that grows it all the time), and fills and copies beyond the former size would trap.
    memory.grow(0);
    const instance = new WebAssembly.Instance(request.module, { env: { memory } });
    call = callerOf(instance, memory, request.records, request.recordAt);
    port.postMessage({ kind: "ready" }, []);
    return;
  }
  const { id } = request;
  try {
    if (request.kind === "grow") {
      const pages = Math.ceil((request.bytes - memory.buffer.byteLength) / 65536);
      if (pages > 0) memory.grow(pages);
      port.postMessage({ kind: "done", id, result: 0 }, []);
      return;
    }
    const { kernel, values, input, output } = request;
    if (input) new Uint8Array(memory.buffer).set(input.array, input.pointer);
    // Results of type i32 are negative from 2^31 on, but no kernel returns an address.
    const result = kernel === "" ? 0 : call(kernel, values);
    if (!output) {
      port.postMessage({ kind: "done", id, result }, []);
    } else if (output.array) {
      output.array.set(new Uint8Array(memory.buffer, output.pointer, output.bytes));
      port.postMessage({ kind: "done", id, result }, []);
    } else {
      const bytes = new Uint8Array(memory.buffer).slice(output.pointer, output.pointer + output.bytes);
      port.postMessage({ kind: "done", id, result, output: bytes }, [bytes.buffer]);
    }
  } catch (error) {
    const failure = error as Error;
    port.postMessage({ kind: "failed", id, message: failure.message, memory: request.kind === "grow" }, []);
  }
});
