// Repeats calls after transient failures. Pauses double and are partly random, so that many clients do not return at the same
// time.

/** Number of tries; the first is made at once. */
const TRIES = 6;
const FIRST_PAUSE_MILLISECONDS = 200;
const LONGEST_PAUSE_MILLISECONDS = 10_000;

/** A transient failure, and the least time to wait after it. */
export class Transient extends Error {
  readonly afterMilliseconds: number;

  constructor(message: string, afterMilliseconds = 0, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.afterMilliseconds = afterMilliseconds;
  }
}

/**
 * Calls `work` until it succeeds or throws an error other than {@link Transient}, at most six times.
 * @throws the last error
 */
export async function retrying<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Transient) || tried === TRIES) throw error;
      const most = Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** (tried - 1));
      const pause = Math.min(
        LONGEST_PAUSE_MILLISECONDS,
        Math.max(error.afterMilliseconds, most * (0.5 + Math.random() / 2)),
      );
      await passed(pause, signal);
    }
  }
}

function passed(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
}
