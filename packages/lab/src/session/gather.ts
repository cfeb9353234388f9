// Files that were chosen or dropped together: folders are opened, and the slices of a DICOM series become one file, which holds them all.

import { MemoryOutput } from "@skerry/files";
import { byNumbers, isDicom, writeZip } from "@skerry/files/internal";

/** Bytes by which DICOM is known. */
const BEGINNING_BYTES = 132;
/** The name of a series whose files were not in a folder. */
const SERIES = "slices";

/** A file, and the folder in which it was found; empty for none. */
interface Found {
  readonly file: File;
  readonly folder: string;
}

async function filesOfEntry(entry: FileSystemEntry, folder: string): Promise<readonly Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, folder }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: FileSystemEntry[] = [];
  // A reader gives some entries at a time, and none at its end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  all.sort((a, b) => byNumbers(a.name, b.name));
  return (await Promise.all(all.map((each) => filesOfEntry(each, entry.name)))).flat();
}

/**
 * The files, or those in dropped entries to the last level of their folders. Those of DICOM in a folder are one, under the name of the
 * folder, by which the command line takes them.
 */
export async function gathered(files: readonly File[], entries: readonly FileSystemEntry[]): Promise<readonly File[]> {
  const found: readonly Found[] =
    entries.length > 0
      ? (await Promise.all(entries.map((entry) => filesOfEntry(entry, "")))).flat()
      : files.map((file) => ({ file, folder: "" }));
  const isSlice = await Promise.all(
    found.map(async ({ file }) => isDicom(new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer()))),
  );
  const series = new Map<string, File[]>();
  for (const [i, { file, folder }] of found.entries()) {
    if (isSlice[i]) series.set(folder, [...(series.get(folder) ?? []), file]);
  }
  const all: File[] = [];
  for (const [i, { file, folder }] of found.entries()) {
    const slices = isSlice[i] ? series.get(folder) : undefined;
    if (!slices || slices.length === 1) all.push(file);
    else if (slices[0] === file) all.push(await asOne(slices, folder || SERIES));
  }
  return all;
}

async function asOne(slices: readonly File[], name: string): Promise<File> {
  const zip = new MemoryOutput();
  async function* entries() {
    for (const slice of slices) {
      yield { name: slice.name, bytes: new Uint8Array(await slice.arrayBuffer()), isPacked: true };
    }
  }
  await writeZip(zip, entries());
  return new File(zip.chunks.slice() as BlobPart[], name);
}
