// A value that is available to a function and to the functions that it calls.

export interface Context<T> {
  /** Runs `work` with the value. */
  run<R>(value: T, work: () => R): R;
  get(): T | undefined;
}
