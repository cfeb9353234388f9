// OME-Zarr in a ZIP (RFC-9 of OME-NGFF, .ozx): entries are read where they lie, without unpacking the others.

import { Reader, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js/lib/zip-core-external.js";
import type { Bytes } from "../../bytes.js";
import { ZarrError } from "../errors.js";
import { type Part, PartsStore, rootOf } from "./parts.js";

/** Bytes of the header before an entry's name, and where in it the lengths of the name and of its extra field lie. */
const [HEADER_BYTES, NAME_AT, EXTRA_AT] = [30, 26, 28];
/** The method of entries that are not packed. */
const STORED = 0;

/** Bytes as zip.js reads them. */
class BytesReader extends Reader<Bytes> {
  readonly #bytes: Bytes;

  constructor(bytes: Bytes) {
    super(bytes);
    this.#bytes = bytes;
    this.size = bytes.size;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array> {
    return partOf(this.#bytes, index, length);
  }
}

async function partOf(bytes: Bytes, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(Math.max(0, Math.min(length, bytes.size - from)));
  for (let at = 0; at < part.length; ) {
    const count = await bytes.read(part.subarray(at), from + at);
    if (count === 0) return part.slice(0, at);
    at += count;
  }
  return part;
}

/**
 * The store of the Zarr in a ZIP; undefined if it holds none.
 * @throws ZarrError if the ZIP is damaged, or packed in a way that is not read
 */
export async function zipStore(bytes: Bytes, name: string): Promise<PartsStore | undefined> {
  const parts = new Map<string, Part>();
  try {
    const zip = new ZipReader(new BytesReader(bytes), { useWebWorkers: false });
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory) continue;
      const { uncompressedSize, offset, encrypted } = entry;
      if (encrypted) throw new ZarrError("unsupported", `Could not read ${name}: it is encrypted.`);
      let whole: Promise<Uint8Array> | undefined;
      parts.set(entry.filename, {
        bytes: uncompressedSize,
        async read(from, length) {
          if (entry.compressionMethod === STORED) {
            const header = new DataView((await partOf(bytes, offset, HEADER_BYTES)).buffer);
            const begin = HEADER_BYTES + header.getUint16(NAME_AT, true) + header.getUint16(EXTRA_AT, true);
            return partOf(bytes, offset + begin + from, Math.min(length, uncompressedSize - from));
          }
          // A packed entry is unpacked as a whole, and kept while parts of it are asked for at once.
          whole ??= entry.getData(new Uint8ArrayWriter(), { checkSignature: true });
          try {
            return (await whole).slice(from, from + length);
          } finally {
            whole = undefined;
          }
        },
      });
    }
  } catch (cause) {
    if (cause instanceof ZarrError) throw cause;
    throw new ZarrError("damaged", `Could not read ${name}: the ZIP is damaged or cut off.`, { cause });
  }
  const root = rootOf(parts.keys());
  return root === undefined ? undefined : new PartsStore(name, parts, root);
}
