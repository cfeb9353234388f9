// Errors of runs, by what went wrong.

/** Kinds of failures of a run. */
export type ClusterFailure =
  /** A plan, an object of the scratch or a job is not what it says. */
  | "damaged"
  /** An object that has to be there is not, even after waiting. */
  | "missing"
  /** The run was removed, or has ended. */
  | "cancelled"
  /** A worker may not read or write there. */
  | "refused"
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
