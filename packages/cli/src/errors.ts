// Errors of the command line: one sentence on stderr and an exit code. A UsageError is a wrong call, with
// exit code 2; every other error a failed run, with 1.

import { UsageError } from "@skerry/files";

export { UsageError } from "@skerry/files";

/** An option whose value is not what the command takes, with both in one sentence. */
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
