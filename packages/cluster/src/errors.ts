// Errors of runs, by kind.

/** Kinds of failures of a run. */
export type ClusterFailure =
  /** A plan, an object of the scratch or a job is damaged, or is that of another run. */
  | "damaged"
  /** A required object does not exist, even after waiting. */
  | "missing"
  /** The run was removed, or has ended. */
  | "cancelled"
  /** A worker must not read or write at a place, or a request is wrong. */
  | "refused"
  /** An image was written since it was planned. */
  | "changed"
  /** A step failed. */
  | "failed";

/** An error of a run. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly failure: ClusterFailure;

  constructor(failure: ClusterFailure, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.failure = failure;
  }
}
