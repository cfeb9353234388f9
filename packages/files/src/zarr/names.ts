// Detects names of Zarr stores, without loading the code that reads them.

import { readdir } from "node:fs/promises";

/** Keys one of which lies at the root of every group and array. */
const MARKS = ["zarr.json", ".zgroup", ".zarray", ".zattrs"];

/** Whether a name is an http, https or s3 URL. */
export function isRemote(url: string): boolean {
  return /^(https?|s3):\/\//i.test(url);
}

/** Whether a name is a bucket of S3, or lies in one. */
export function isBucket(url: string): boolean {
  return /^s3:\/\//i.test(url);
}

/** Whether a name ends in .zarr. */
export function isZarrName(path: string): boolean {
  return /\.zarr\/*$/i.test(path);
}

/** Whether a name is that of Zarr in a ZIP. */
export function isZippedZarr(path: string): boolean {
  return /\.(ozx|zarr\.zip)$/i.test(path);
}

/** Whether an input is Zarr: an http, https or s3 URL, a name that ends in .zarr, a ZIP of one, or a folder that is a group or an array. */
export async function isZarr(path: string): Promise<boolean> {
  if (isRemote(path) || isZarrName(path) || isZippedZarr(path)) return true;
  if (path === "-") return false;
  const names = await readdir(path).catch((): string[] => []);
  return MARKS.some((mark) => names.includes(mark));
}
