// A worker thread as the pool sees it, whatever the platform.

import type { Reply, Request } from "./messages.js";

/** The interface of a worker for the pool, on every platform. */
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
