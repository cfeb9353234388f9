// Files are written beside their final name and renamed when they are complete, so that a failure leaves
// nothing behind and never spoils what was there.

import { randomBytes } from "node:crypto";
import { type Stats, unlinkSync } from "node:fs";
import { type FileHandle, open, readlink, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { FileError } from "../errors.js";
import type { Output } from "../output.js";
import { makeFolder } from "./folder.js";
import { reasonOf } from "./reasons.js";

/** Paths of unfinished files, for a run that is interrupted. */
const unfinished = new Set<string>();

/** Registers a file to be removed when a signal ends the process. The returned function unregisters it. */
export function removedOnSignals(path: string): () => void {
  unfinished.add(path);
  return () => unfinished.delete(path);
}

/**
 * Removes unfinished files on SIGINT, SIGTERM or SIGHUP, and ends the process by the signal; a process with a listener of its own ends
 * itself.
 */
export function cleanUpOnSignals(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.once(signal, () => {
      // Another listener ends its own work first.
      if (process.listenerCount(signal) > 0) return;
      removeUnfinished();
      // A thread that waits for a writer of a pipe would keep the process from leaving by itself.
      process.kill(process.pid, signal);
      process.exit(code);
    });
  }
}

/** Removes unfinished files and ends the process. */
export function endUnfinished(code: number): never {
  removeUnfinished();
  process.exit(code);
}

function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // It was not created yet, or is renamed already.
    }
  }
}

/**
 * Writes a file whole or not at all: next to its final name, under a name that cannot be guessed, and renamed when
 * complete. A link stays, and its target is replaced; permissions stay, too. A path that is no file, like /dev/stdout,
 * is written directly.
 * @throws FileError if the file cannot be written
 */
export async function writeWhole(path: string, write: (file: OutputFile) => Promise<void>): Promise<void> {
  let beside: string | undefined;
  let handle: FileHandle | undefined;
  try {
    const target = await targetOf(path);
    const before: Stats | undefined = await stat(target).catch(() => undefined);
    if (before && !before.isFile()) {
      handle = await open(target, "w");
      await write(new OutputFile(handle));
      await handle.close();
      return;
    }
    // If a part of the path is a file, open() reports it.
    await makeFolder(dirname(target)).catch(() => undefined);
    beside = `${target}.${randomBytes(9).toString("base64url")}.part`;
    unfinished.add(beside);
    handle = await open(beside, "wx", before ? 0o600 : 0o666);
    await write(new OutputFile(handle));
    if (before) await handle.chmod(before.mode & 0o7777);
    await handle.close();
    handle = undefined;
    await rename(beside, target);
  } catch (error) {
    await handle?.close().catch(() => undefined);
    if (beside) await unlink(beside).catch(() => undefined);
    if (error instanceof FileError || !(error as NodeJS.ErrnoException).code) throw error;
    throw new FileError(`Could not write ${path}: ${reasonOf(error)}.`);
  } finally {
    if (beside) unfinished.delete(beside);
  }
}

/** A file that is written piece by piece: it appears whole when it is finished, or not at all. */
export interface GrowingFile {
  readonly file: OutputFile;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Begins a file that {@link writeWhole} writes. */
export async function openWhole(path: string): Promise<GrowingFile> {
  class Discarded extends Error {}
  let end: { resolve(): void; reject(error: Error): void } | undefined;
  let written: Promise<void> | undefined;
  const file = await new Promise<OutputFile>((resolve, reject) => {
    written = writeWhole(path, (stream) => {
      resolve(stream);
      return new Promise<void>((done, fail) => {
        end = { resolve: done, reject: fail };
      });
    });
    written.catch(reject);
  });
  return {
    file,
    async finish() {
      end?.resolve();
      await written;
    },
    async discard() {
      end?.reject(new Discarded());
      await written?.catch(() => undefined);
    },
  };
}

/** The target of a path after resolving links, also of a link to a file that does not exist yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const link = await readlink(path).catch(() => undefined);
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

/** A file that grows at its end. */
export class OutputFile implements Output {
  readonly takesShared = true;
  #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(data: ArrayBufferView | string): Promise<void> {
    const bytes =
      typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at);
      at += bytesWritten;
    }
  }
}

/** Writes all chunks of a stream. */
export async function writeAll(file: Output, stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of stream) await file.write(chunk);
}
