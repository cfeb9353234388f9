// A store in a folder. Values are written beside their final name, synced to disk and renamed, so that a reader never finds an
// incomplete value. Reads of ranges detect files that end early.

import { randomBytes } from "node:crypto";
import { type FileHandle, link, lstat, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../node/folder.js";
import { reasonOf } from "../../node/reasons.js";
import { ZarrError } from "../errors.js";
import { inventoryOf } from "./inventory.js";
import {
  areEqual,
  type Growing,
  type Inventory,
  type Range,
  type ReadOptions,
  type StoreOptions,
  setGrown,
  type WritableStore,
} from "./store.js";

/** Error codes for a missing file. */
const MISSING = ["ENOENT", "ENOTDIR", "EISDIR"];

/** Error codes of a link where a disk has none. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/** Another process may write into a folder while it is removed. */
const REMOVAL = { maxRetries: 8, retryDelay: 25 } as const;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

export class FileStore implements WritableStore {
  readonly url: string;
  readonly hasFolders = true;
  /** Folders that exist, so that each is created once. */
  readonly #folders = new Set<string>();

  /** Folder of values that are being written, on the same disk; beside their final names by default. */
  readonly #parts: string | undefined;
  readonly #options: StoreOptions;

  constructor(folder: string, parts?: string, options: StoreOptions = {}) {
    this.url = folder;
    this.#parts = parts;
    this.#options = options;
  }

  async get(
    key: string,
    { most = Number.POSITIVE_INFINITY }: ReadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    let handle: FileHandle | undefined;
    try {
      if (!this.#options.onVersion && most === Number.POSITIVE_INFINITY) {
        return owned(await readFile(join(this.url, key)));
      }
      handle = await open(join(this.url, key));
      const { size } = (await this.#expected(key, handle)) ?? (await handle.stat());
      if (size > most) {
        throw new ZarrError("damaged", `Could not read ${this.#shown(key)}: it has ${size} bytes, more than ${most}.`, {
          key,
        });
      }
      return owned(await handle.readFile());
    } catch (error) {
      return this.#missing(key, error);
    } finally {
      await handle?.close();
    }
  }

  async getRange(key: string, range: Range): Promise<Uint8Array<ArrayBuffer> | undefined> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(join(this.url, key));
      const { size } = (await this.#expected(key, handle)) ?? (await handle.stat());
      const length = range.offset === undefined ? range.suffix : range.length;
      const offset = range.offset === undefined ? size - range.suffix : range.offset;
      const beyond = (): never => {
        const asked = `bytes ${Math.max(0, offset)} to ${Math.max(0, offset) + length}`;
        throw new ZarrError("damaged", `Could not read ${asked} of ${this.#shown(key)}: it has ${size}.`, { key });
      };
      // Checked before memory is taken: indices of shards may tell any number.
      if (offset < 0 || offset + length > size) beyond();
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
        if (bytesRead === 0) beyond();
        at += bytesRead;
      }
      return bytes;
    } catch (error) {
      return this.#missing(key, error);
    } finally {
      await handle?.close();
    }
  }

  set(key: string, bytes: Uint8Array): Promise<void> {
    return setGrown(this, key, bytes, (growing) => growing.finish());
  }

  async replace(key: string, bytes: Uint8Array, before: Uint8Array | undefined): Promise<boolean> {
    if (before === undefined) {
      const isOwn = await setGrown(this, key, bytes, (growing) => growing.finishOnce());
      return isOwn || areEqual(await this.get(key), bytes);
    }
    if (!areEqual(await this.get(key), before)) return false;
    await this.set(key, bytes);
    return true;
  }

  has(key: string): Promise<boolean> {
    return isThere(join(this.url, key));
  }

  async grow(key: string): Promise<Growing> {
    const target = join(this.url, key);
    const random = randomBytes(9).toString("base64url");
    const beside = this.#parts === undefined ? `${target}.${random}.part` : join(this.#parts, `${random}.part`);
    const failed = (error: unknown): never => {
      throw new ZarrError("unwritable", `Could not write ${this.#shown(key)}: ${reasonOf(error)}.`, {
        key,
        cause: error,
      });
    };
    let handle: FileHandle;
    try {
      await this.#folder(dirname(target));
      if (this.#parts !== undefined) await this.#folder(this.#parts);
      handle = await open(beside, "wx");
    } catch (error) {
      return failed(error);
    }
    let at = 0;
    const discard = async (): Promise<void> => {
      await handle.close().catch(() => undefined);
      await rm(beside, { force: true }).catch(() => undefined);
    };
    return {
      async append(bytes) {
        try {
          for (let done = 0; done < bytes.length; ) {
            const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at);
            done += bytesWritten;
            at += bytesWritten;
          }
        } catch (error) {
          await discard();
          failed(error);
        }
      },
      async finish() {
        try {
          await handle.sync();
          await handle.close();
          await rename(beside, target);
        } catch (error) {
          await discard();
          failed(error);
        }
      },
      async finishOnce() {
        try {
          await handle.sync();
          await handle.close();
          await link(beside, target);
          return true;
        } catch (error) {
          const code = codeOf(error);
          if (code === "EEXIST" || (NO_LINKS.includes(code) && (await isThere(target)))) return false;
          if (!NO_LINKS.includes(code)) return failed(error);
          await rename(beside, target).catch(failed);
          return true;
        } finally {
          await discard();
        }
      },
      discard,
    };
  }

  async remove(prefix: string): Promise<void> {
    this.#folders.clear();
    await this.#does(prefix, rm(join(this.url, prefix), { recursive: true, force: true, ...REMOVAL }));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#folders.clear();
    await this.#does(to, rename(join(this.url, from), join(this.url, to)));
  }

  async list(prefix: string): Promise<string[]> {
    try {
      return await readdir(join(this.url, prefix));
    } catch (error) {
      return this.#missing(prefix, error) ?? [];
    }
  }

  async inventory(prefix: string, options?: ReadOptions): Promise<Inventory> {
    try {
      return await inventoryOf(join(this.url, prefix), options);
    } catch (error) {
      options?.signal?.throwIfAborted();
      this.#missing(prefix, error);
      throw new ZarrError("missing", `Could not read ${this.#shown(prefix)}: it is not there, or changes.`, {
        key: prefix,
        cause: error,
      });
    }
  }

  at(prefix: string): FileStore {
    return new FileStore(join(this.url, prefix), this.#parts, this.#options);
  }

  /** Tells the version of an open file; undefined if nobody asks for it. */
  async #expected(key: string, handle: FileHandle): Promise<{ readonly size: number } | undefined> {
    if (!this.#options.onVersion) return undefined;
    const { size, mtimeMs } = await handle.stat();
    this.#options.onVersion(this.#shown(key), `${size} ${mtimeMs}`);
    return { size };
  }

  async #folder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    await makeFolder(path);
    this.#folders.add(path);
  }

  async #does(key: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      throw new ZarrError("unwritable", `Could not write ${this.#shown(key)}: ${reasonOf(error)}.`, {
        key,
        cause: error,
      });
    }
  }

  /** Returns undefined for a missing file; throws other failures. */
  #missing(key: string, error: unknown): undefined {
    if (error instanceof ZarrError) throw error;
    if (MISSING.includes(codeOf(error))) {
      this.#options.onVersion?.(this.#shown(key), "none");
      return undefined;
    }
    const refused = codeOf(error) === "EACCES" || codeOf(error) === "EPERM";
    throw new ZarrError(
      refused ? "refused" : "unreachable",
      `Could not read ${this.#shown(key)}: ${reasonOf(error)}.`,
      { key, cause: error },
    );
  }

  #shown(key: string): string {
    return join(this.url, key);
  }
}

/** Whether a path is there, as a file, a folder or a link that leads nowhere. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether there is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Bytes with a buffer of their own. */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWholeBuffer = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  if (isWholeBuffer && bytes.buffer instanceof ArrayBuffer) return new Uint8Array(bytes.buffer);
  return new Uint8Array(bytes);
}
