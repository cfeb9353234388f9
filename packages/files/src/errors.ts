// Errors about a file, or about a call, in one sentence.

/** A file that cannot be read or written as it is. */
export class FileError extends Error {
  override name = "FileError";
}

/** A wrong call: an option, a value or a file's name that does not fit, whatever the files hold. */
export class UsageError extends Error {
  override name = "UsageError";
}
