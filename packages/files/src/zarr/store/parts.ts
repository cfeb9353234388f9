// A read-only store over values that lie somewhere else, each of which can be read in part: the entries of a ZIP, the files of a folder
// that a user chose.

import { ZarrError } from "../errors.js";
import { rootsOf } from "../names.js";
import { keyOf, type Range, type ReadOptions, type Store } from "./store.js";

/** A value, from which parts are read. */
export interface Part {
  readonly bytes: number;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

export class PartsStore implements Store {
  readonly url: string;
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #prefix: string;

  constructor(url: string, parts: ReadonlyMap<string, Part>, prefix = "") {
    this.url = url;
    this.#parts = parts;
    this.#prefix = prefix;
  }

  async get(key: string, { most, signal }: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer> | undefined> {
    signal?.throwIfAborted();
    const part = this.#parts.get(keyOf(this.#prefix, key));
    if (!part) return undefined;
    if (most === undefined || part.bytes <= most) return this.#read(part, key, 0, part.bytes);
    throw new ZarrError("damaged", `Could not read ${this.url}/${key}: it has more than ${most} bytes.`, { key });
  }

  async getRange(
    key: string,
    range: Range,
    { signal }: ReadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    signal?.throwIfAborted();
    const part = this.#parts.get(keyOf(this.#prefix, key));
    if (!part) return undefined;
    if (range.offset !== undefined) return this.#read(part, key, range.offset, range.length);
    return this.#read(part, key, Math.max(0, part.bytes - range.suffix), Math.min(part.bytes, range.suffix));
  }

  /** Parts stay as they are while they are read. */
  async inventory(): Promise<undefined> {
    return undefined;
  }

  at(prefix: string): PartsStore {
    return new PartsStore(`${this.url}/${prefix}`, this.#parts, keyOf(this.#prefix, prefix));
  }

  async #read(part: Part, key: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await part.read(offset, length);
    if (bytes.length === length) return bytes;
    throw new ZarrError(
      "damaged",
      `Could not read ${this.url}/${key}: expected ${length} bytes, got ${bytes.length}.`,
      {
        key,
      },
    );
  }
}

/** The folder of the outermost group or array among paths, "" for their own root; undefined if there is none. */
export const rootOf = (paths: Iterable<string>): string | undefined =>
  rootsOf(paths).toSorted((a, b) => depthOf(a) - depthOf(b))[0];

const depthOf = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
