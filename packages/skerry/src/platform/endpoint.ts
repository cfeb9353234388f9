// A worker thread as the pool sees it, whatever the platform.

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
