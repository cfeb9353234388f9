// Starts a worker in a browser: from a Blob of the embedded script, or one that the caller made.

import type { Endpoint, Listener } from "./endpoint.js";
import type { Reply } from "./messages.js";

/** Starts a worker from `script`, or wraps one that the caller made from `skerry/worker`. */
export function startWorker(script: string, make: (() => unknown) | undefined, listener: Listener): Endpoint {
  let url: string | undefined;
  let worker = make?.() as Worker | undefined;
  if (!worker) {
    url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    worker = new Worker(url, { name: "skerry" });
  }
  const started = worker;
  started.addEventListener("message", (event: MessageEvent<Reply>) => {
    if (event.data.kind === "ready" && url) URL.revokeObjectURL(url);
    listener.reply(event.data);
  });
  started.addEventListener("error", (event) => listener.lost(event.error ?? new Error(event.message)));
  return {
    post: (request, transfer) => started.postMessage(request, [...transfer]),
    keepAlive: () => undefined,
    terminate: async () => started.terminate(),
  };
}

/** Whether workers start on first use: no, because a security policy may forbid them, and opening the CPU must report that. */
export const STARTS_LATE = false;

/** Cores this page may use. */
export function cores(): number {
  return navigator.hardwareConcurrency ?? 1;
}
