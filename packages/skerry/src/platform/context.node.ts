// A value that is available to a function, also after its awaits.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Context } from "./context.js";

export function makeContext<T>(): Context<T> {
  const storage = new AsyncLocalStorage<T>();
  return { run: (value, work) => storage.run(value, work), get: () => storage.getStore() };
}
