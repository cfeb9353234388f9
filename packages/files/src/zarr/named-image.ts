// An image by its name: whether it is there, how it loses its name and gets it back, and how it lets go what is not its own. On a disk the
// folder is renamed. In a bucket the metadata of the group are the name: whoever moves them away leaves arrays that nobody finds.

import { parseMultiscales } from "./ome.js";
import { readNode } from "./open.js";
import { isOfRun } from "./store/once.js";
import type { WritableStore } from "./store/store.js";

/** Keys that make a folder an image; the one that readers look for first goes first. */
const METADATA = ["zarr.json", ".zgroup", ".zattrs"] as const;

/** An image in a store that is written. */
export class NamedImage {
  readonly #parent: WritableStore;
  readonly #name: string;

  constructor(parent: WritableStore, name: string) {
    this.#parent = parent;
    this.#name = name;
  }

  /** Whether something has the name on a disk, or an image in a bucket. */
  async isThere(): Promise<boolean> {
    if (this.#parent.hasFolders) return this.#parent.has(this.#name);
    const found = await Promise.all(METADATA.map((key) => this.#parent.get(`${this.#name}/${key}`)));
    return found.some((value) => value !== undefined);
  }

  /** Gives the image another name. In a bucket its arrays stay where they are. */
  async rename(to: string): Promise<void> {
    if (this.#parent.hasFolders) return this.#parent.rename(this.#name, to);
    for (const key of METADATA) {
      const from = `${this.#name}/${key}`;
      if ((await this.#parent.get(from)) !== undefined) await this.#parent.rename(from, `${to}/${key}`);
    }
  }

  /** Whether the image is that of a run: by a file in its folder, or in a bucket by the name of its arrays. */
  async isOf(run: string): Promise<boolean> {
    if (this.#parent.hasFolders) return isOfRun(this.#parent, this.#name, run);
    return (await this.arrays()).includes(run);
  }

  /** First parts of the paths of the levels, by which a bucket tells the arrays of one image from those of another. */
  async arrays(): Promise<readonly string[]> {
    const store = this.#parent.at(this.#name);
    const node = await readNode(store);
    const levels = (node && parseMultiscales(node.attributes, store.url)?.levels) ?? [];
    return [...new Set(levels.map(({ path }) => path.split("/")[0]))];
  }

  /** Removes the metadata, but for those of some keys. */
  async removeMetadata(kept: readonly string[] = []): Promise<void> {
    for (const key of METADATA) if (!kept.includes(key)) await this.#parent.remove(`${this.#name}/${key}`);
  }

  /** Removes arrays that another image of this name had, as its metadata named them, but for those of the image that has it now. */
  async removeArrays(before: readonly string[]): Promise<void> {
    const now = await this.arrays();
    for (const name of before) if (!now.includes(name)) await this.#parent.remove(`${this.#name}/${name}`);
  }
}
