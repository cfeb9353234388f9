// How much memory the process may take. `--memory` is the most resident memory of the whole process: Node, the kernels and the
// libraries that decode take a fixed part of it, pixels and the engine's memory the rest.

import { constants } from "node:buffer";
import { totalmem } from "node:os";
import { FileError, UsageError } from "../errors.js";
import { endUnfinished } from "./output.js";

/** Resident memory without any pixels: Node 20 with kernels on two threads, and with sharp, takes 60 to 105 MiB. */
const BASE_BYTES = 120 * 2 ** 20;
/** The least that is left for pixels. */
const LEAST_BYTES = 16 * 2 ** 20;
/** Between two looks at the resident memory. */
const WATCH_MILLISECONDS = 50;

let limit: number | undefined;

const mebibytes = (n: number): string => `${n < 100 * 2 ** 20 ? (n / 2 ** 20).toFixed(1) : Math.ceil(n / 2 ** 20)} MiB`;

/** Sets the limit that `--memory` gives, in bytes, for the resident memory of the process. */
export function limitMemory(bytes: number): void {
  if (bytes < BASE_BYTES + LEAST_BYTES) {
    throw new UsageError(
      `Expected --memory to be at least ${mebibytes(BASE_BYTES + LEAST_BYTES)}, of which Node and the kernels take ${mebibytes(BASE_BYTES)}, got ${mebibytes(bytes)}.`,
    );
  }
  limit = bytes;
}

/** Ends the process when it takes more than the limit: plans keep to it, but some take more than they state. */
export function enforceLimit(): void {
  const watch = setInterval(() => {
    const taken = process.memoryUsage.rss();
    if (limit === undefined || taken <= limit) return;
    process.stderr.write(
      `skerry: Expected the run to fit --memory ${mebibytes(limit)}, but it takes ${mebibytes(taken)}; give it more.\n`,
    );
    endUnfinished(1);
  }, WATCH_MILLISECONDS);
  watch.unref();
}

/** Bytes for pixels and the engine under `--memory`; undefined without it. */
export function memoryForPixels(): number | undefined {
  return limit === undefined ? undefined : limit - BASE_BYTES;
}

/** The error of a limit that is too low for something by so many bytes: it names one that suffices. */
export function tooLittle(what: string, missing: number): UsageError {
  const least = Math.ceil(((limit ?? 0) + missing) / 2 ** 20);
  return new UsageError(`Expected --memory to be at least ${least}M for ${what}, got ${mebibytes(limit ?? 0)}.`);
}

/** Bytes that may be decoded or unpacked at once: what `--memory` leaves, or half of what the machine or container has. */
export function mostBytes(): number {
  const constrained = (process as { constrainedMemory?: () => number }).constrainedMemory?.() || totalmem();
  return Math.min(memoryForPixels() ?? Math.min(totalmem(), constrained) / 2, constants.MAX_LENGTH);
}

/** Error for an input that would take more. */
export function tooLarge(name: string, bytes: number, most: number, sides = ""): FileError {
  return new FileError(
    `Expected ${name} to take at most ${mebibytes(Math.floor(most))} of memory, got ${sides}${mebibytes(bytes)}; see --memory.`,
  );
}
