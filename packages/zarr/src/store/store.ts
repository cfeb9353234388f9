// Stores: keys and their bytes, in a folder or over HTTP. A new kind of store, such as S3, is a file beside this one and a row in
// openStore().

/** A part of a value: `length` bytes from `offset` on, or its last `suffix` bytes. */
export type Range =
  | { readonly offset: number; readonly length: number }
  | { readonly offset?: undefined; readonly suffix: number };

/** Options of reads. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Keys and their bytes. A key is a path with `/`, without one at its beginning. */
export interface Store {
  /** The folder or the URL, for messages. */
  readonly url: string;
  /** All bytes of a key; undefined if there is no such key. Their buffer holds no other bytes, so that it can be transferred. */
  get(key: string, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * A range of bytes of a key; undefined if there is no such key.
   * @throws ZarrError if the value is shorter
   */
  getRange(key: string, range: Range, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The store of what lies below a key. */
  at(prefix: string): Store;
}

/** A writable store. */
export interface WritableStore extends Store {
  /** Writes a value whole or not at all. */
  set(key: string, bytes: Uint8Array): Promise<void>;
  /** Begins a value that grows at its end, and appears whole when it is finished. */
  grow(key: string): Promise<Growing>;
  /** Removes all keys that begin with a folder's name. */
  remove(prefix: string): Promise<void>;
  /** Gives a folder of keys another name. */
  rename(from: string, to: string): Promise<void>;
  /** Names in a folder, without order; none if it is not there. */
  list(prefix: string): Promise<string[]>;
  at(prefix: string): WritableStore;
}

/** A value that grows at its end. */
export interface Growing {
  /** Adds bytes at the end. */
  append(bytes: Uint8Array): Promise<void>;
  /** Makes the value appear under its key. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** A key below another. */
export function keyOf(prefix: string, key: string): string {
  return prefix === "" ? key : `${prefix}/${key}`;
}
