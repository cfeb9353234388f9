// Names of Zarr stores and of what lies in them, without the code that reads them.

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

/** Whether a name alone says that it is Zarr: a URL, one that ends in .zarr, or a ZIP of one. */
export function isNamedZarr(path: string): boolean {
  return isRemote(path) || isZarrName(path) || isZippedZarr(path);
}

/** Whether a folder with these names is a group or an array. */
export const isMarked = (names: readonly string[]): boolean => MARKS.some((mark) => names.includes(mark));

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folders of the outermost groups and arrays among paths of files, "" for their own root. O(paths times their depth). */
export function rootsOf(paths: Iterable<string>): readonly string[] {
  const marked = new Set<string>();
  for (const path of paths) if (isMarked([path.slice(path.lastIndexOf("/") + 1)])) marked.add(folderOf(path));
  return [...marked].filter((folder) => {
    for (let above = folder; above !== ""; ) {
      above = folderOf(above);
      if (marked.has(above)) return false;
    }
    return true;
  });
}
