// The files of a folder as one file, by reference.

import { FOLDER_TYPE } from "./stored.js";

/** Paths below the folder, and the bytes of each file. */
type FolderIndex = readonly (readonly [path: string, bytes: number])[];

/** Bytes that tell the length of the index. */
const LENGTH_BYTES = 4;

/** A folder as one file, which holds no copy of the others. */
export function folderFile(files: readonly (readonly [path: string, file: Blob])[], name: string): File {
  const index: FolderIndex = files.map(([path, { size }]) => [path, size]);
  const json = new TextEncoder().encode(JSON.stringify(index));
  const length = new Uint32Array([json.length]);
  return new File([length, json, ...files.map(([, file]) => file)], name, { type: FOLDER_TYPE });
}

/** The files of a folder, by their paths. */
export async function filesOf(folder: Blob): Promise<ReadonlyMap<string, Blob>> {
  const [length] = new Uint32Array(await folder.slice(0, LENGTH_BYTES).arrayBuffer());
  const index: FolderIndex = JSON.parse(await folder.slice(LENGTH_BYTES, LENGTH_BYTES + length).text());
  let at = LENGTH_BYTES + length;
  return new Map(
    index.map(([path, bytes]) => {
      const file = folder.slice(at, at + bytes);
      at += bytes;
      return [path, file];
    }),
  );
}
