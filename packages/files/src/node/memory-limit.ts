// The memory limit of the process. `--memory` limits the resident memory of the whole process: Node, the kernels and the decoding
// libraries take a fixed part of it, pixels and the engine's memory the rest.

import { constants } from "node:buffer";
import { totalmem } from "node:os";
import { FileError, UsageError } from "../errors.js";
import { endUnfinished } from "./output.js";

/** Resident memory without any pixels: Node 20 with kernels on two threads, and with sharp, takes 60 to 105 MiB. */
const BASE_BYTES = 120 * 2 ** 20;
/** The least that is left for pixels. */
const LEAST_BYTES = 16 * 2 ** 20;
/** Time between two checks of the resident memory. */
const WATCH_MILLISECONDS = 50;

let limit: number | undefined;

const mebibytes = (n: number): string => `${n < 100 * 2 ** 20 ? (n / 2 ** 20).toFixed(1) : Math.ceil(n / 2 ** 20)} MiB`;

/**
 * Sets the limit of `--memory`, in bytes, for the resident memory of the process.
 * @throws UsageError if the limit is lower than what Node and the kernels take
 */
export function limitMemory(bytes: number): void {
  if (bytes < BASE_BYTES + LEAST_BYTES) {
    throw new UsageError(
      `Expected --memory to be at least ${mebibytes(BASE_BYTES + LEAST_BYTES)}, of which Node and the kernels take ${mebibytes(BASE_BYTES)}, got ${bytes < 2 ** 20 ? `${bytes} bytes; units are K, M and G` : mebibytes(bytes)}.`,
    );
  }
  limit = bytes;
}

/**
 * Ends the process when it takes more memory than the limit. Work is planned to fit the limit, but some of it takes more than
 * planned.
 */
export function enforceLimit(): void {
  const watch = setInterval(() => {
    const taken = process.memoryUsage.rss();
    if (limit === undefined || taken <= limit) return;
    process.stderr.write(
      `skerry: Expected the run to fit --memory ${mebibytes(limit)}, but it takes ${mebibytes(taken)} before its end; give it more.\n`,
    );
    endUnfinished(1);
  }, WATCH_MILLISECONDS);
  watch.unref();
}

/** Bytes that `--memory` leaves for pixels and the engine; undefined without it. */
export function memoryForPixels(): number | undefined {
  return limit === undefined ? undefined : limit - BASE_BYTES;
}

/** Bytes in which a projection may be computed at once, if the process has a limit. */
export function projectionBytes(): number | undefined {
  const left = memoryForPixels();
  return left === undefined ? undefined : left / 3;
}

/** The error for a limit that is `missing` bytes too low for `what`. It names a limit that suffices. */
export function tooLittle(what: string, missing: number): UsageError {
  const least = Math.ceil(((limit ?? 0) + missing) / 2 ** 20);
  return new UsageError(`Expected --memory to be at least ${least}M for ${what}, got ${mebibytes(limit ?? 0)}.`);
}

/** Most bytes that may be decoded or unpacked at once: what `--memory` leaves, or half the memory of the machine or container. */
export function mostBytes(): number {
  const constrained = (process as { constrainedMemory?: () => number }).constrainedMemory?.() || totalmem();
  return Math.min(memoryForPixels() ?? Math.min(totalmem(), constrained) / 2, constants.MAX_LENGTH);
}

/** The error for an input that takes more memory than allowed. */
export function tooLarge(name: string, bytes: number, most: number, sides = ""): FileError {
  return new FileError(
    `Expected ${name} to take at most ${mebibytes(Math.floor(most))} of memory, got ${sides}${mebibytes(bytes)}; see --memory.`,
  );
}
