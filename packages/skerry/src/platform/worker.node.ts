// Starts a worker in Node from the embedded script. Idle workers do not keep the process alive.

import { Worker } from "node:worker_threads";
import type { Endpoint, Listener } from "./endpoint.js";
import type { Reply } from "./messages.js";

/** Starts a worker from `script`, or wraps one that the caller made from `skerry/worker`. */
export function startWorker(script: string, make: (() => unknown) | undefined, listener: Listener): Endpoint {
  // The worker's script is not a module, so it does not inherit flags such as --input-type=module.
  const worker = (make?.() ?? new Worker(script, { eval: true, execArgv: [], name: "skerry" })) as Worker;
  worker.on("message", (reply: Reply) => listener.reply(reply));
  worker.on("error", (cause) => listener.lost(cause));
  worker.on("exit", (code) => listener.lost(new Error(`the worker exited with code ${code}`)));
  worker.unref();
  return {
    post: (request, transfer) => worker.postMessage(request, transfer),
    keepAlive: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}

/** Whether workers may start on first use: yes, because a start takes tens of milliseconds and hardly ever fails. */
export const STARTS_LATE = true;

/** Cores this process may use. */
export { availableParallelism as cores } from "node:os";
