// Several small files in one ZIP, written as they come.

import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
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
