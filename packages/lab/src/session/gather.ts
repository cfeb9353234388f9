// Files that were chosen or dropped together: folders are opened, and the slices of a DICOM series, or the header and the data
// of a volume, become one file, which holds them all.

import { MemoryOutput } from "@skerry/files";
import { byNumbers, isDicom, rootsOf, seriesOfDicom, writeZip } from "@skerry/files/internal";
import { folderFile } from "../files/folder.js";

/** Bytes by which DICOM is known, and in which the number of a series is sought. */
const [BEGINNING_BYTES, MOST_HEADER_BYTES] = [132, 1 << 20];
/** The name of a series whose files were not in a folder. */
const SERIES = "slices";

/** Headers of volumes whose data may be files beside them. */
const HEADERS = /\.(mhd|nhdr|hdr)$/i;
/** Bytes of a header in which the names of files are sought. */
const NAMES_BYTES = 1 << 16;

/** A file, and the path of the folder in which it was found; empty for none. */
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
  return (await Promise.all(all.map((each) => filesOfEntry(each, `${folder}/${entry.name}`)))).flat();
}

/**
 * The files, or those in dropped entries to the last level of their folders. The slices of a series of DICOM are one, under the name of
 * their folder, by which the command line takes them.
 */
export async function gathered(files: readonly File[], entries: readonly FileSystemEntry[]): Promise<readonly File[]> {
  const all: readonly Found[] =
    entries.length > 0
      ? (await Promise.all(entries.map((entry) => filesOfEntry(entry, "")))).flat()
      : files.map((file) => ({ file, folder: folderOf(file) }));
  const stores = rootsOf(all.flatMap((each) => (each.folder ? [pathOf(each)] : [])));
  const found = all.filter(({ folder }) => !stores.some((store) => isBelow(folder, store)));
  const groups = new Map<string, Found[]>();
  const parts = await partsOf(found);
  for (const [i, each] of found.entries()) {
    const part = parts.get(each);
    const series = part ? undefined : await seriesOf(each.file);
    const key = part ? `${found.indexOf(part)}` : series === undefined ? `${i}` : `${each.folder} ${series}`;
    const group = groups.get(key) ?? [];
    group.push(each);
    groups.set(key, group);
  }
  const names = new Set<string>();
  const gathered: File[] = stores.map((store) => {
    const inside = all.filter(({ folder }) => isBelow(folder, store));
    const paths = inside.map(({ file, folder }) => [pathOf({ file, folder }).slice(store.length + 1), file] as const);
    return folderFile(paths, nameBeside(names, store.split("/").at(-1) ?? ""));
  });
  for (const group of groups.values()) {
    const [{ file, folder }] = group;
    const header = group.find((each) => parts.get(each) === each);
    if (group.length === 1) gathered.push(file);
    else if (header) gathered.push(await asOne(group, header.file.name));
    else gathered.push(await asOne(group, nameBeside(names, folder.split("/").at(-1) || SERIES)));
  }
  return gathered;
}

/** The folder in which a file was chosen with all of it; empty for files that were chosen alone. */
const folderOf = ({ webkitRelativePath: path }: File): string =>
  path.includes("/") ? `/${path.slice(0, path.lastIndexOf("/"))}` : "";

const pathOf = ({ file, folder }: Found): string => `${folder}/${file.name}`;

const isBelow = (folder: string, root: string): boolean => folder === root || folder.startsWith(`${root}/`);

/** The header of each file that is part of a volume in several: its own, or that which names it, in the same folder. */
async function partsOf(found: readonly Found[]): Promise<ReadonlyMap<Found, Found>> {
  const parts = new Map<Found, Found>();
  for (const header of found.filter(({ file }) => HEADERS.test(file.name))) {
    const stem = header.file.name.replace(HEADERS, "");
    const text = new TextDecoder().decode(await beginningOf(header.file, NAMES_BYTES));
    // Names stand behind a sign or a folder, and end the line.
    const named = new Set(
      text.split(/[\r\n]+/).map((line) =>
        line
          .split(/[=:/\\]/)
          .at(-1)
          ?.trim(),
      ),
    );
    const pair = new Set([`${stem}.img`, `${stem}.img.gz`]);
    const isPart = ({ file: { name }, folder }: Found): boolean =>
      folder === header.folder && (named.has(name) || (/\.hdr$/i.test(header.file.name) && pair.has(name)));
    const others = found.filter((each) => each !== header && isPart(each));
    if (others.length > 0) for (const each of [header, ...others]) parts.set(each, header);
  }
  return parts;
}

/** The number of a file's series; undefined for files that are none of DICOM. */
async function seriesOf(file: File): Promise<string | undefined> {
  return isDicom(await beginningOf(file, BEGINNING_BYTES))
    ? seriesOfDicom(await beginningOf(file, MOST_HEADER_BYTES))
    : undefined;
}

const beginningOf = async (file: File, bytes: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, bytes).arrayBuffer());

/** A name that is none of the others, which gets to be one of them. */
function nameBeside(names: Set<string>, name: string): string {
  let free = name;
  for (let i = 2; names.has(free); i++) free = `${name} ${i}`;
  names.add(free);
  return free;
}

async function asOne(slices: readonly Found[], name: string): Promise<File> {
  const zip = new MemoryOutput();
  async function* entries() {
    for (const { file } of slices) {
      yield { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), isPacked: true };
    }
  }
  await writeZip(zip, entries());
  return new File(zip.chunks.slice() as BlobPart[], name);
}
