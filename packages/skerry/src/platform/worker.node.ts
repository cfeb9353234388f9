// Starts a worker in Node from the embedded script. Idle workers do not keep the process alive.

import { Worker } from "node:worker_threads";
import type { Reply, Request } from "../cpu/worker.js";

/** What the pool needs of a worker, whatever the platform. */
export interface Endpoint {
  post(request: Request, transfer: readonly ArrayBuffer[]): void;
  /** Whether the worker should keep the process alive. */
  hold(busy: boolean): void;
  terminate(): Promise<void>;
}

/** What the pool wants to hear. */
export interface Listener {
  reply(reply: Reply): void;
  lost(cause: unknown): void;
}

/** Starts a worker from `script`, or wraps one that the caller made from `skerry/worker`. */
export function startWorker(script: string, make: (() => unknown) | undefined, listener: Listener): Endpoint {
  // The script is a script whatever the parent was started with, e.g. --input-type=module.
  const worker = (make?.() ?? new Worker(script, { eval: true, execArgv: [], name: "skerry" })) as Worker;
  worker.on("message", (reply: Reply) => listener.reply(reply));
  worker.on("error", (cause) => listener.lost(cause));
  worker.on("exit", (code) => listener.lost(new Error(`the worker exited with code ${code}`)));
  worker.unref();
  return {
    post: (request, transfer) => worker.postMessage(request, transfer),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}

/** Cores this process may use. */
export { availableParallelism as cores } from "node:os";

/** Resolves after the event loop has had a turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
