// A value that follows a piece of work across its awaits.

import { AsyncLocalStorage } from "node:async_hooks";

export interface Context<T> {
  /** Runs `work` with the value. */
  run<R>(value: T, work: () => R): R;
  get(): T | undefined;
}

export function makeContext<T>(): Context<T> {
  const storage = new AsyncLocalStorage<T>();
  return { run: (value, work) => storage.run(value, work), get: () => storage.getStore() };
}
