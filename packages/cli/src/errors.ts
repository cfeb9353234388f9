// What the command line says when something is wrong: one sentence on stderr and an exit code.

/** A wrong call: an option, a value or a combination. Exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** An option whose value is not what the command takes, with both in one sentence. */
export function unexpected(option: string, wanted: string, got: unknown): UsageError {
  return new UsageError(`Expected ${option} to be ${wanted}, got ${got}.`);
}

/** A failed run: a file, a disk, a picture that cannot be read. Exit code 1. */
export class RunError extends Error {
  override name = "RunError";
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would pass the size limit of this process",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  EADDRINUSE: "another program uses it",
};

/** What the system said about a file, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && REASONS[code]) || firstLine(message ?? String(error));
}

/** Text for a terminal: control characters, which may come from names of files, are written as \\x1b. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The first line of a message, without the full stop that our sentences add. */
export function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").trim().replace(/\.$/, "");
}
