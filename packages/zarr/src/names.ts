// Which names are Zarr's, told without loading anything that reads it.

import { readdir } from "node:fs/promises";

/** Keys of which one lies at the top of every group and array. */
const MARKS = ["zarr.json", ".zgroup", ".zarray", ".zattrs"];

/** Whether a name is a URL of a store that is read over HTTP. */
export function isRemote(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** Whether the name of an output is that of an OME-Zarr image. */
export function isZarrName(path: string): boolean {
  return /\.zarr\/*$/i.test(path);
}

/** Whether an input is Zarr: a URL, a name that ends so, or a folder that is a group or an array. */
export async function isZarr(path: string): Promise<boolean> {
  if (isRemote(path) || isZarrName(path)) return true;
  if (path === "-") return false;
  const names = await readdir(path).catch((): string[] => []);
  return MARKS.some((mark) => names.includes(mark));
}
