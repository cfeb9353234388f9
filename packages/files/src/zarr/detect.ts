// Detects Zarr stores on disks, without loading the code that reads them.

import { readdir } from "node:fs/promises";
import { isMarked, isNamedZarr } from "./names.js";

/** Whether an input is Zarr: by its name, or a folder that is a group or an array. */
export async function isZarr(path: string): Promise<boolean> {
  if (isNamedZarr(path)) return true;
  if (path === "-") return false;
  return isMarked(await readdir(path).catch((): string[] => []));
}
