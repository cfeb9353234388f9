// Stores: keys and their bytes, in a folder or over HTTP. A new kind of store, such as S3, is a file beside this one and a row in
// openStore().

/** A part of a value: `length` bytes from `offset` on, or its last `suffix` bytes. */
export type Range =
  | { readonly offset: number; readonly length: number }
  | { readonly offset?: undefined; readonly suffix: number };

/** Options of reads. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of a value, by which a body without an end is refused. */
  readonly most?: number | undefined;
}

/** Options of stores. */
export interface StoreOptions {
  /**
   * Called with the address of each value that is read and its version, which differs once the value was written again: size and time
   * of a file, the ETag of a server. A missing value has the version "none".
   */
  readonly onVersion?: ((address: string, version: string) => void) | undefined;
}

/** The values of a folder, folded. */
export interface Inventory {
  /** Number of values, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of names and sizes, in the order of the names, in hexadecimal digits. */
  readonly names: string;
  /** SHA-256 of the times of the last changes, in the same order. A copy of a folder has other times. */
  readonly times: string;
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
  /**
   * The identity of what lies below a key, without its bytes; undefined where a store cannot list.
   * @throws ZarrError if the folder cannot be read
   */
  inventory(prefix: string, options?: ReadOptions): Promise<Inventory | undefined>;
  /** The store of what lies below a key. */
  at(prefix: string): Store;
}

/** A writable store. */
export interface WritableStore extends Store {
  /** Whether folders can be renamed as a whole, as on disks; buckets have none. */
  readonly hasFolders: boolean;
  /** Writes a value whole or not at all. */
  set(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes a value if it still is what it was: `before`, or not there. Buckets compare and write at once; in folders that holds only for
   * values that were not there.
   * @returns whether the key has the bytes now; false if it has others, which stay
   */
  replace(key: string, bytes: Uint8Array, before: Uint8Array | undefined): Promise<boolean>;
  /** Whether a value or a folder has this name. */
  has(key: string): Promise<boolean>;
  /** Begins a value that grows at its end, and appears whole when it is finished. */
  grow(key: string): Promise<Growing>;
  /** Removes all keys that begin with a folder's name. */
  remove(prefix: string): Promise<void>;
  /** Gives a value, or where there are folders a folder, another name. */
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
  /** The same if nothing is there. Returns false, and keeps nothing, if something is. */
  finishOnce(): Promise<boolean>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** A key below another. */
export function keyOf(prefix: string, key: string): string {
  return prefix === "" ? key : `${prefix}/${key}`;
}

/** Writes a value through one that grows; nothing of it stays if that fails. */
export async function setGrown<T>(
  store: Pick<WritableStore, "grow">,
  key: string,
  bytes: Uint8Array,
  finish: (growing: Growing) => Promise<T>,
): Promise<T> {
  const growing = await store.grow(key);
  try {
    await growing.append(bytes);
    return await finish(growing);
  } catch (error) {
    await growing.discard();
    throw error;
  }
}

/** Whether two values are the same bytes. */
export function areEqual(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** Pieces of so many bytes as one value. */
export function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
