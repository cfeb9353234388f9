// How many bytes of pixels may be held: a small file may say that it holds more than the machine has.

import { constants } from "node:buffer";
import { totalmem } from "node:os";
import { RunError } from "../errors.js";

let limit: number | undefined;

/** Sets the limit that `--memory` gives, in bytes. */
export function limitMemory(bytes: number | undefined): void {
  limit = bytes;
}

/** Bytes that may be decoded or unpacked at once: `--memory`, or half of what the machine or container has. */
export function mostBytes(): number {
  const constrained = (process as { constrainedMemory?: () => number }).constrainedMemory?.() || totalmem();
  return Math.min(limit ?? Math.min(totalmem(), constrained) / 2, constants.MAX_LENGTH);
}

/** What is said of an input that would take more. */
export function tooLarge(name: string, bytes: number, most: number, sides = ""): RunError {
  const mebibytes = (n: number): string =>
    `${n < 100 * 2 ** 20 ? (n / 2 ** 20).toFixed(1) : Math.ceil(n / 2 ** 20)} MiB`;
  return new RunError(
    `Expected ${name} to take at most ${mebibytes(Math.floor(most))} of memory, got ${sides}${mebibytes(bytes)}; see --memory.`,
  );
}
