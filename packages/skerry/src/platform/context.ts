// A value that follows a piece of work.

export interface Context<T> {
  /** Runs `work` with the value. */
  run<R>(value: T, work: () => R): R;
  get(): T | undefined;
}
