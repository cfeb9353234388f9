// What is said of a file that cannot be read or written: one sentence.

export class FileError extends Error {
  override name = "FileError";
}
