// Errors about a store, an array or a chunk, in one sentence that names the key.

import { FileError } from "../errors.js";

/** Kinds of failures, for code that depends on them. */
export type ZarrFailure =
  | "missing"
  | "refused"
  | "damaged"
  | "unsupported"
  | "unreachable"
  | "unwritable"
  | "unfit"
  /** A value is not what the writer said that it was. */
  | "conflict";

/** A store, an array or a chunk that cannot be read or written. */
export class ZarrError extends FileError {
  override name = "ZarrError";
  readonly failure: ZarrFailure;
  /** The key in its store, such as `0/c/1/0/2`; undefined if the failure is not of one key. */
  readonly key: string | undefined;

  constructor(failure: ZarrFailure, message: string, { key, cause }: { key?: string; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.key = key;
  }
}
