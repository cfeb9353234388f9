// Files are written beside their final name and renamed when they are complete, so that a failure leaves
// nothing behind and never spoils what was there.

import { unlinkSync } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { RunError, reasonOf } from "../errors.js";

/** What is being written now, for a run that is interrupted. */
const unfinished = new Set<string>();

/** Removes what is not finished and ends the process, as the signal would have. */
export function cleanUpOnSignals(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.once(signal, () => {
      for (const path of unfinished) {
        try {
          unlinkSync(path);
        } catch {
          // It was not created yet, or is renamed already.
        }
      }
      process.exit(code);
    });
  }
}

/** Writes a file whole or not at all. */
export async function writeWhole(path: string, write: (file: OutputFile) => Promise<void>): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  let handle: FileHandle | undefined;
  unfinished.add(beside);
  try {
    handle = await open(beside, "w");
    await write(new OutputFile(handle));
    await handle.close();
    handle = undefined;
    await rename(beside, path);
  } catch (error) {
    await handle?.close().catch(() => undefined);
    await unlink(beside).catch(() => undefined);
    if (error instanceof RunError || !(error as NodeJS.ErrnoException).code) throw error;
    throw new RunError(`Could not write ${path}: ${reasonOf(error)}.`);
  } finally {
    unfinished.delete(beside);
  }
}

/** A file that grows at its end. */
export class OutputFile {
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

  /** Writes what a stream gives. */
  async writeAll(stream: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of stream) await this.write(chunk);
  }
}
