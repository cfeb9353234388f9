// The directories of a TIFF or BigTIFF: entries of a tag, a type and values, read on demand. No npm package is used:
// @cogeotiff/core 9.5 loops for ever on a cyclic chain and stops at entries of unknown type; geotiff 3.0 stops at these, too.
// Files of cameras and microscopes have such entries.

import { type Bytes, latin1, readFully } from "../../bytes.js";
import { FileError } from "../../errors.js";
import { TAG } from "./tags.js";

/** Bytes of a value by its type. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  17: 8,
  18: 8,
};

/** Readers of a value by its type. */
const VALUES: Readonly<Record<number, (view: DataView, at: number, little: boolean) => number>> = {
  1: (v, at) => v.getUint8(at),
  6: (v, at) => v.getInt8(at),
  7: (v, at) => v.getUint8(at),
  3: (v, at, le) => v.getUint16(at, le),
  8: (v, at, le) => v.getInt16(at, le),
  4: (v, at, le) => v.getUint32(at, le),
  9: (v, at, le) => v.getInt32(at, le),
  5: (v, at, le) => v.getUint32(at, le) / v.getUint32(at + 4, le),
  10: (v, at, le) => v.getInt32(at, le) / v.getInt32(at + 4, le),
  11: (v, at, le) => v.getFloat32(at, le),
  12: (v, at, le) => v.getFloat64(at, le),
  13: (v, at, le) => v.getUint32(at, le),
  16: (v, at, le) => Number(v.getBigUint64(at, le)),
  17: (v, at, le) => Number(v.getBigInt64(at, le)),
  18: (v, at, le) => Number(v.getBigUint64(at, le)),
};

/** Most directories of a file; further ones are ignored. */
const MOST_DIRECTORIES = 1 << 20;
/** Bytes that are read at a time: entries lie together. */
const BLOCK_BYTES = 1 << 14;

/** Whether the first bytes of a file are a TIFF or BigTIFF header. */
export function isTiff(start: Uint8Array): boolean {
  return ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(latin1(start.subarray(0, 4)));
}

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Position of the values. */
  readonly at: number;
}

/** One directory: the metadata of a page. */
export class Directory {
  readonly little: boolean;
  readonly #entries: ReadonlyMap<number, Entry>;
  readonly #file: Blocks;
  readonly #form: Form;

  constructor(entries: ReadonlyMap<number, Entry>, file: Blocks, form: Form) {
    this.#entries = entries;
    this.#file = file;
    this.#form = form;
    this.little = form.little;
  }

  /** Directories below this one, such as the smaller versions of a page of OME. */
  async children(): Promise<readonly Directory[]> {
    const positions = (await this.numbers(TAG.subDirectories)) ?? [];
    const found: Directory[] = [];
    for (const at of positions) found.push((await directoryAt(this.#file, this.#form, at)).directory);
    return found;
  }

  has(tag: number): boolean {
    return this.#entries.has(tag);
  }

  /**
   * The values of an entry; undefined if the entry is missing or not numeric.
   * @throws FileError if they lie beyond the end of the file
   */
  async numbers(tag: number): Promise<readonly number[] | undefined> {
    const entry = this.#entries.get(tag);
    const read = entry && VALUES[entry.type];
    if (!entry || !read) return undefined;
    const step = VALUE_BYTES[entry.type];
    const bytes = await this.#file.read(entry.at, entry.count * step);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: entry.count }, (_, i) => read(view, i * step, this.little));
  }

  /** Bytes of the whole file. */
  get fileSize(): number {
    return this.#file.size;
  }

  /** The first value of an entry. */
  async number(tag: number, otherwise: number): Promise<number> {
    return (await this.numbers(tag))?.[0] ?? otherwise;
  }

  /** The bytes of an entry as they are. */
  async bytes(tag: number): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(tag);
    return entry && this.#file.read(entry.at, entry.count * (VALUE_BYTES[entry.type] ?? 1));
  }

  /** A text up to its first NUL: UTF-8 if it is valid, else Latin 1; empty if it is missing or lies beyond the file. */
  async text(tag: number): Promise<string> {
    const bytes = await this.bytes(tag).catch(() => undefined);
    if (!bytes) return "";
    const end = bytes.indexOf(0);
    const text = end < 0 ? bytes : bytes.subarray(0, end);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(text);
    } catch {
      return new TextDecoder("latin1").decode(text);
    }
  }
}

/** Buffered reads of a file: the last piece that was read is kept. */
class Blocks {
  readonly #bytes: Bytes;
  readonly #name: string;
  #block = new Uint8Array(0);
  #from = 0;

  constructor(bytes: Bytes, name: string) {
    this.#bytes = bytes;
    this.#name = name;
  }

  get size(): number {
    return this.#bytes.size;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    if (!(at + length <= this.#bytes.size)) {
      throw new FileError(`Could not read ${this.#name}: its directory lies beyond its end; it is damaged or cut off.`);
    }
    if (at < this.#from || at + length > this.#from + this.#block.length) {
      const block = new Uint8Array(Math.min(this.#bytes.size - at, Math.max(length, BLOCK_BYTES)));
      await readFully(this.#bytes, block, at, this.#name);
      this.#block = block;
      this.#from = at;
    }
    return this.#block.subarray(at - this.#from, at - this.#from + length);
  }
}

/**
 * Every directory of the chain, up to the first that was read before, or that lies beyond the file, which is then cut.
 * @throws FileError if there is none
 */
export async function readDirectories(
  bytes: Bytes,
  name: string,
): Promise<{ readonly directories: readonly Directory[]; readonly isCut: boolean }> {
  const file = new Blocks(bytes, name);
  const header = await file.read(0, Math.min(16, bytes.size));
  if (!isTiff(header)) throw new FileError(`Could not read ${name}: it is no TIFF; its first bytes are others.`);
  const little = header[0] === 0x49;
  const form: Form = { little, big: header.length > 3 && viewOf(header).getUint16(2, little) === 43 };
  const word = form.big ? 8 : 4;
  const found: Directory[] = [];
  const seen = new Set<number>();
  let isCut = false;
  try {
    for (
      let at = long(form, await file.read(word, word), 0);
      at > 0 && !seen.has(at) && found.length < MOST_DIRECTORIES;
    ) {
      seen.add(at);
      const { directory, next } = await directoryAt(file, form, at);
      found.push(directory);
      at = next;
    }
  } catch (error) {
    if (!(error instanceof FileError) || found.length === 0) throw error;
    isCut = true;
  }
  if (found.length === 0) throw new FileError(`Expected ${name} to have a page, but it has no directory.`);
  return { directories: found, isCut };
}

/** Byte order, and whether positions have 64 bits. */
interface Form {
  readonly little: boolean;
  readonly big: boolean;
}

const viewOf = (part: Uint8Array): DataView => new DataView(part.buffer, part.byteOffset, part.byteLength);

/** A position or a count. */
function long({ little, big }: Form, part: Uint8Array, at: number): number {
  return big ? Number(viewOf(part).getBigUint64(at, little)) : viewOf(part).getUint32(at, little);
}

/** The directory at a position, and the position of the next one; 0 where the chain ends or is cut off. */
async function directoryAt(file: Blocks, form: Form, at: number): Promise<{ directory: Directory; next: number }> {
  const { little, big } = form;
  const word = big ? 8 : 4;
  const [countBytes, entryBytes] = big ? [8, 20] : [2, 12];
  const start = await file.read(at, countBytes);
  const count = big ? long(form, start, 0) : viewOf(start).getUint16(0, little);
  const end = at + countBytes + count * entryBytes;
  const part = await file.read(at + countBytes, count * entryBytes);
  const entries = new Map<number, Entry>();
  for (let i = 0; i < count; i++) {
    const from = i * entryBytes;
    const [tag, type] = [viewOf(part).getUint16(from, little), viewOf(part).getUint16(from + 2, little)];
    const values = long(form, part, from + 4);
    const valueAt = at + countBytes + from + 4 + word;
    const inside = values * (VALUE_BYTES[type] ?? 0) <= word;
    const entry = { type, count: values, at: inside ? valueAt : long(form, part, from + 4 + word) };
    if (!entries.has(tag)) entries.set(tag, entry);
  }
  const next = end + word <= file.size ? long(form, await file.read(end, word), 0) : 0;
  return { directory: new Directory(entries, file, form), next };
}
