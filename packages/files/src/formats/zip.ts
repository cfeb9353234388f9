// Several small files in one ZIP: written as they come, and read all at once. Large ones are read where they lie (zarr/store/zip.ts).

import { type Unzipped, unzipSync, Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { FileError } from "../errors.js";
import type { Output } from "../output.js";

/** A file in a ZIP. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the bytes are compressed already, as pictures are: they are stored unchanged. */
  readonly isPacked?: boolean;
  /** Compression level: 6 (default), or 1 in a fifth of the time. */
  readonly level?: 1 | 6;
}

/** Writes files into one ZIP. Equal files give equal bytes: entries have a fixed date. */
export async function writeZip(file: Output, entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): Promise<void> {
  let written: Promise<void> | undefined;
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else written = (written ?? Promise.resolve()).then(() => file.write(chunk));
  });
  for await (const { name, bytes, isPacked = false, level = 6 } of entries) {
    const entry = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name, { level });
    entry.mtime = "1980-01-02";
    zip.add(entry);
    entry.push(bytes, true);
    await written;
    if (failure) throw failure;
  }
  zip.end();
  await written;
  if (failure) throw failure;
}

/** Whether bytes begin like a ZIP with entries. */
export const isZip = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(0, 4)) === "PK\x03\x04";

/**
 * The files in a ZIP by their names.
 * @throws FileError if it is damaged, or if they have more than `most` bytes
 */
export function unzipped(zip: Uint8Array, name: string, most: number): Unzipped {
  let size = 0;
  try {
    return unzipSync(zip, {
      filter: ({ originalSize }) => {
        size += originalSize;
        if (size > most) throw new FileError(`Expected ${name} to unpack to at most ${most} bytes, got more.`);
        return originalSize > 0;
      },
    });
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`Could not read ${name}: the ZIP is damaged or cut off.`, { cause: error });
  }
}
