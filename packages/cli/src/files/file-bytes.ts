// Bytes of a file on a disk.

import { type FileHandle, open } from "node:fs/promises";
import type { Bytes } from "@skerry/files";
import { RunError, reasonOf } from "../errors.js";

export async function fileBytes(path: string): Promise<Bytes> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    throw new RunError(`Could not read ${path}: ${reasonOf(error)}.`);
  }
  const { size } = await handle.stat();
  return {
    size,
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    close: () => handle.close(),
  };
}
