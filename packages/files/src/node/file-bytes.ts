// Bytes of a file on a disk.

import { type FileHandle, open } from "node:fs/promises";
import type { Bytes } from "../bytes.js";
import { FileError } from "../errors.js";
import { reasonOf } from "./reasons.js";

export async function fileBytes(path: string): Promise<Bytes> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    throw new FileError(`Could not read ${path}: ${reasonOf(error)}.`);
  }
  const { size } = await handle.stat();
  return {
    size,
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    close: () => handle.close(),
  };
}
