// Errors of the command line: one sentence on stderr and an exit code. A UsageError is a wrong call, with
// exit code 2; a RunError is a failed run, with 1. main.ts decides for other errors.

import { UsageError } from "@skerry/files";

export { UsageError } from "@skerry/files";

/** The error for a wrong value of an option: names the expected and the given value. */
export function unexpected(option: string, wanted: string, got: unknown): UsageError {
  return new UsageError(`Expected ${option} to be ${wanted}, got ${got}.`);
}

/** A failed run. */
export class RunError extends Error {
  override name = "RunError";
}

/** Text for a terminal: control characters, which may come from names of files, are written as \\x1b. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
