// The identity of a folder's values without their bytes: names and sizes, and times of their last change, each folded into one digest. Two
// inventories are equal only if no value was added, removed, resized or written in between.

import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Inventory, ReadOptions } from "./store.js";

/** Names of values and folders that are Zarr's although they begin with a dot; others with a dot are those of systems and programs. */
const HIDDEN = [".zarray", ".zattrs", ".zgroup"];

/** Whether a part of a key counts. */
export const isCounted = (name: string): boolean => !name.startsWith(".") || HIDDEN.includes(name);

/** Folds values into an inventory, in the order in which they are added. */
export class InventoryFold {
  readonly #names = createHash("sha256");
  readonly #times = createHash("sha256");
  #files = 0;
  #bytes = 0;

  /** @param version the time of a file, or the ETag of an object */
  add(key: string, size: number, version: string): void {
    this.#files++;
    this.#bytes += size;
    this.#names.update(`${JSON.stringify(key)} ${size}\n`);
    this.#times.update(`${version}\n`);
  }

  end(): Inventory {
    const [names, times] = [this.#names.digest("hex"), this.#times.digest("hex")];
    return { files: this.#files, bytes: this.#bytes, names, times };
  }
}

/** Files whose sizes and times are asked for at once: requests to a shared disk take long, and each waits for itself. */
const AT_ONCE = 256;

/**
 * Lists a folder with all below it. Names are sorted by their UTF-16 units, so the digests do not depend on the order of the disk.
 * Time: one request per file and folder. Memory: the names of one folder.
 */
export async function inventoryOf(folder: string, { signal }: ReadOptions = {}): Promise<Inventory> {
  const fold = new InventoryFold();
  const list = async (prefix: string): Promise<void> => {
    const entries = (await readdir(join(folder, prefix), { withFileTypes: true }))
      .filter(({ name }) => isCounted(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (let begin = 0; begin < entries.length; begin += AT_ONCE) {
      signal?.throwIfAborted();
      const some = entries.slice(begin, begin + AT_ONCE);
      const found = await Promise.all(some.map((entry) => factsOf(join(folder, prefix), entry)));
      for (const [i, facts] of found.entries()) {
        const key = prefix === "" ? some[i].name : `${prefix}/${some[i].name}`;
        if (facts === undefined) await list(key);
        else fold.add(key, facts.size, `${facts.time}`);
      }
    }
  };
  await list("");
  return fold.end();
}

/** Size and time of a file; undefined for a folder. */
async function factsOf(
  folder: string,
  entry: Dirent,
): Promise<{ readonly size: number; readonly time: number } | undefined> {
  if (entry.isDirectory()) return undefined;
  const found = await stat(join(folder, entry.name));
  return found.isDirectory() ? undefined : { size: found.size, time: found.mtimeMs };
}
