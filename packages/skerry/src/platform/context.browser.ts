// A value that is available to a function: in browsers, which have no AsyncContext yet, only until its first await.

import type { Context } from "./context.js";

export function makeContext<T>(): Context<T> {
  let current: T | undefined;
  return {
    run(value, work) {
      const before = current;
      current = value;
      try {
        return work();
      } finally {
        current = before;
      }
    },
    get: () => current,
  };
}
