// The interface between the pool and a worker thread, on every platform.

import type { Reply, Request } from "./messages.js";

/** A worker, with the functions that the pool calls. */
export interface Endpoint {
  post(request: Request, transfer: readonly ArrayBuffer[]): void;
  /** Whether the worker should keep the process alive. */
  keepAlive(busy: boolean): void;
  terminate(): Promise<void>;
}

/** The pool's handlers for events of a worker. */
export interface Listener {
  reply(reply: Reply): void;
  lost(cause: unknown): void;
}
