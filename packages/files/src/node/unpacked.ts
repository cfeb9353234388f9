// Packed volumes: unpacked no further than their header promises, into memory or a temporary file, when a value is first read.

import { randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { constants, createGunzip, createInflate, gunzipSync } from "node:zlib";
import { type Bytes, bufferBytes } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { fileBytes } from "./file-bytes.js";
import { mostBytes, tooLarge } from "./memory-limit.js";
import { OutputFile, removedOnSignals } from "./output.js";
import { reasonOf } from "./reasons.js";

/** Whether bytes begin like a gzip file. */
export function isPacked(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** Whether a file is packed, by its name or its first bytes. */
export async function isPackedFile(path: string): Promise<boolean> {
  if (path.toLowerCase().endsWith(".gz")) return true;
  const bytes = await fileBytes(path);
  const start = new Uint8Array(2);
  await bytes.read(start, 0);
  await bytes.close();
  return isPacked(start);
}

/** Names of packed data in messages. */
const KINDS = { gzip: "gzip file", deflate: "zlib data" };

/** Bytes of a header and of what follows it, with which a packed volume is opened. */
const BEGINNING_BYTES = 4096;

/** How a format tells the length of its files in bytes, from their first ones, and whether a file may end within its last volumes. */
export interface Lengths {
  readonly headerBytes: number;
  lengthOf(start: Uint8Array, name: string): number | Promise<number>;
  mayEndEarly?(start: Uint8Array, name: string): Promise<boolean>;
}

/**
 * A file that is packed as a whole. Its header is unpacked at once, the rest when a value is read, so that what the header rules out is told
 * before.
 */
export async function packedFile(path: string, name: string, lengths: Lengths, spill: boolean): Promise<Bytes> {
  const decompressed = async (): Promise<Bytes> => {
    const stream = createReadStream(path);
    return spill ? unpackToFile(stream, name, lengths) : bufferBytes(await unpack(stream, name, lengths));
  };
  const start = await beginningOf(path, name);
  if (start.length < BEGINNING_BYTES || (await lengths.mayEndEarly?.(start, name))) return decompressed();
  const size = await lengths.lengthOf(start, name);
  return unpackedLater({ path, from: 0, packing: "gzip", size, name, spill }, decompressed, start);
}

/** Packed data of a file, from a position on, and the bytes that it unpacks to. */
interface Part {
  readonly path: string;
  readonly from: number;
  readonly packing: "gzip" | "deflate";
  readonly size: number;
  /** The file's name in messages. */
  readonly name: string;
  /** Whether it is unpacked to a temporary file. */
  readonly spill: boolean;
}

/** Packed data of a file. It is unpacked when a value is first read. */
export function packedPart(part: Part): Bytes {
  const { path, from, packing, size, name, spill } = part;
  const lengths = { headerBytes: 0, lengthOf: () => size };
  return unpackedLater(part, async () => {
    const stream = createReadStream(path, { start: from });
    return spill
      ? unpackToFile(stream, name, lengths, packing)
      : bufferBytes(await unpack(stream, name, lengths, packing));
  });
}

/** Unpacked bytes, and the pictures that read them. */
interface Unpacked {
  readonly bytes: Promise<Bytes>;
  users: number;
}

/** Unpacked bytes that are in use, by the file and the part of it. Pictures of one file, such as its slices, share them until the last is closed. */
const shared = new Map<string, Unpacked>();

/** Forgets bytes, unless others have taken their place. */
function forget(key: string, bytes: Unpacked): void {
  if (shared.get(key) === bytes) shared.delete(key);
}

/** Bytes that are unpacked when the first is read beyond those at the start. */
function unpackedLater(
  { path, from, packing, size, name, spill }: Part,
  unpacked: () => Promise<Bytes>,
  start: Uint8Array = new Uint8Array(),
): Bytes {
  const most = mostBytes();
  if (!spill && size > most) throw tooLarge(name, size, most);
  const key = JSON.stringify([path, from, packing, size, statSync(path).mtimeMs]);
  const all = async (): Promise<Bytes> => {
    const bytes = await unpacked();
    if (bytes.size >= size) return bytes;
    await bytes.close();
    throw new FileError(
      `Expected ${name} to unpack to ${size} bytes, as its header says, got ${bytes.size}: the file is truncated.`,
    );
  };
  let used: Unpacked | undefined;
  return {
    size,
    async read(into, at) {
      if (at + into.length <= start.length) {
        into.set(start.subarray(at, at + into.length));
        return into.length;
      }
      if (!used) {
        used = shared.get(key) ?? { bytes: all(), users: 0 };
        used.users++;
        shared.set(key, used);
        // Another picture of the file tells its own error.
        const mine = used;
        used.bytes.catch(() => forget(key, mine));
      }
      return (await used.bytes).read(into, at);
    },
    async close() {
      const mine = used;
      used = undefined;
      if (!mine || --mine.users > 0) return;
      forget(key, mine);
      await (await mine.bytes.catch(() => undefined))?.close();
    },
  };
}

/** The first bytes of packed ones, as far as they unpack. */
export function unpackedStart(start: Uint8Array): Uint8Array {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array();
  }
}

/** The first bytes of a file, or all of a short one, unpacked. */
export async function beginningOf(path: string, name: string): Promise<Uint8Array> {
  if (!(await isPackedFile(path))) {
    const bytes = await fileBytes(path);
    const start = new Uint8Array(BEGINNING_BYTES);
    const held = await bytes.read(start, 0);
    await bytes.close();
    return start.subarray(0, held);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await eachPiece(createReadStream(path), name, async (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    return bytes < BEGINNING_BYTES;
  });
  return Buffer.concat(chunks).subarray(0, BEGINNING_BYTES);
}

/** All bytes of a packed stream that its header promises. */
export async function unpack(
  stream: Readable,
  name: string,
  lengths: Lengths,
  packing?: "gzip" | "deflate",
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const take = async (chunk: Buffer, promised: number): Promise<void> => {
    const most = mostBytes();
    if (promised > most) throw tooLarge(name, promised, most);
    chunks.push(chunk);
  };
  await eachChunk(stream, name, lengths, take, packing);
  return Buffer.concat(chunks);
}

/**
 * Unpacks to a temporary file that only this user can read. If open files can be removed, it disappears with the
 * process.
 */
async function unpackToFile(
  stream: Readable,
  name: string,
  lengths: Lengths,
  packing?: "gzip" | "deflate",
): Promise<Bytes> {
  const temporary = join(tmpdir(), `skerry-${randomUUID()}.raw`);
  const handle = await open(temporary, "wx+", 0o600);
  const remove = (): Promise<void> => unlink(temporary).catch(() => undefined);
  const forget = removedOnSignals(temporary);
  const close = async (): Promise<void> => {
    await handle.close();
    await remove();
    forget();
  };
  try {
    await remove();
    const file = new OutputFile(handle);
    let size = 0;
    const append = async (chunk: Buffer): Promise<void> => {
      await file.write(chunk);
      size += chunk.length;
    };
    await eachChunk(stream, name, lengths, append, packing);
    const read: Bytes["read"] = async (into, at) => (await handle.read(into, 0, into.length, at)).bytesRead;
    return { size, read, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Unpacks no more bytes than the header promises. Passes their number to each call of `use`. */
async function eachChunk(
  stream: Readable,
  name: string,
  { headerBytes, lengthOf }: Lengths,
  use: (chunk: Buffer, promised: number) => Promise<void>,
  packing: "gzip" | "deflate" = "gzip",
): Promise<void> {
  let start = Buffer.alloc(0);
  let promised: number | undefined;
  let done = 0;
  const take = async (piece: Buffer): Promise<boolean> => {
    let chunk = piece;
    if (promised === undefined) {
      start = Buffer.concat([start, chunk]);
      if (start.length < headerBytes) return true;
      promised = await lengthOf(start, name);
      chunk = start;
    }
    const rest = promised - done;
    await use(chunk.subarray(0, rest), promised);
    done += Math.min(rest, chunk.length);
    return done < promised;
  };
  await eachPiece(stream, name, take, packing);
  if (promised === undefined) await use(start, start.length);
}

/** Unpacks a stream piece by piece, until `use` wants no more. */
async function eachPiece(
  stream: Readable,
  name: string,
  use: (piece: Buffer) => Promise<boolean>,
  packing: "gzip" | "deflate" = "gzip",
): Promise<void> {
  const gunzip = packing === "gzip" ? createGunzip() : createInflate();
  try {
    stream.on("error", (error) => gunzip.destroy(error));
    for await (const piece of stream.pipe(gunzip)) {
      if (!(await use(piece as Buffer))) break;
    }
  } catch (error) {
    if (error instanceof FileError || error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isPlain = (error as Error).message === "incorrect header check";
    const whole =
      isPlain && /\.gz$/i.test(name) ? "it ends in .gz, but is no gzip file" : `it is no complete ${KINDS[packing]}`;
    const reason = code?.startsWith("Z_") ? whole : reasonOf(error);
    throw new FileError(`Could not read ${name}: ${reason}.`);
  } finally {
    stream.destroy();
    gunzip.destroy();
  }
}
