// OME-Zarr in a ZIP on disk. Its list of entries is read once; the file is open only while a value is read, as stores have no end.

import type { Bytes } from "../../bytes.js";
import { fileBytes } from "../../node/file-bytes.js";
import { ZarrError } from "../errors.js";
import type { PartsStore } from "./parts.js";
import { keyOf, type Range, type ReadOptions, type Store } from "./store.js";
import { zipStore } from "./zip.js";

export class ZipFileStore implements Store {
  readonly url: string;
  readonly #path: string;
  readonly #prefix: string;
  /** The entries, shared by the stores of all folders inside. */
  readonly #parts: { opened?: Promise<PartsStore> };

  constructor(path: string, prefix = "", parts: { opened?: Promise<PartsStore> } = {}) {
    this.url = prefix === "" ? path : `${path}/${prefix}`;
    this.#path = path;
    this.#prefix = prefix;
    this.#parts = parts;
  }

  async get(key: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await this.#opened()).get(keyOf(this.#prefix, key), options);
  }

  async getRange(key: string, range: Range, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await this.#opened()).getRange(keyOf(this.#prefix, key), range, options);
  }

  async inventory(): Promise<undefined> {
    return undefined;
  }

  at(prefix: string): ZipFileStore {
    return new ZipFileStore(this.#path, keyOf(this.#prefix, prefix), this.#parts);
  }

  #opened(): Promise<PartsStore> {
    this.#parts.opened ??= opened(this.#path);
    return this.#parts.opened;
  }
}

async function opened(path: string): Promise<PartsStore> {
  const store = await zipStore(await bytesOf(path), path);
  if (store) return store;
  throw new ZarrError("missing", `Expected ${path} to hold a Zarr image, got a ZIP without.`);
}

async function bytesOf(path: string): Promise<Bytes> {
  const file = await fileBytes(path);
  await file.close();
  return {
    size: file.size,
    async read(into, position) {
      const again = await fileBytes(path);
      return again.read(into, position).finally(() => again.close());
    },
    close: async () => undefined,
  };
}
