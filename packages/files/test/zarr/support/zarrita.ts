// Arrays of a folder as zarrita alone reads them, over a store of a few lines: the judge of what is written.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { get, open } from "zarrita";

/** Shape and values of an array. */
export async function readArray(path: string): Promise<{ shape: readonly number[]; data: ArrayLike<number> }> {
  const bytesOf = (key: string): Uint8Array | undefined => {
    const file = join(path, key);
    return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined;
  };
  const store = {
    get: async (key: string) => bytesOf(key),
    async getRange(key: string, range: { offset: number; length: number } | { suffixLength: number }) {
      const all = bytesOf(key);
      if (!all) return undefined;
      const from = "suffixLength" in range ? all.length - range.suffixLength : range.offset;
      return all.slice(from, "suffixLength" in range ? undefined : from + range.length);
    },
  };
  const array = await open(store, { kind: "array" });
  const { data } = (await get(array)) as { data: ArrayLike<number> };
  return { shape: array.shape, data };
}
