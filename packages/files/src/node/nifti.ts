// Reads NIfTI volumes from files, packed or not, and from stdin. Packed volumes are unpacked no further than their
// header promises, into memory or a temporary file.

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Bytes, bufferBytes } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { isNifti, NIFTI_HEADER_BYTES, niftiBytes, niftiTimes, openNifti } from "../formats/nifti.js";
import { axisOf } from "../space.js";
import { fileBytes } from "./file-bytes.js";
import { mostBytes, tooLarge } from "./memory-limit.js";
import { OutputFile, removedOnSignals } from "./output.js";
import { overBytes, roundedNote } from "./over-bytes.js";
import type { Reader } from "./reader.js";
import { reasonOf } from "./reasons.js";

/** Volumes, packed or not; with `spill` a packed one is unpacked to a temporary file instead of memory. */
export const NIFTI: Reader = {
  name: "NIfTI",
  endings: [".nii", ".nii.gz"],
  sniff: (start) => start.kind === "file" && (isPacked(start.bytes) || isNifti(start.bytes)),
  axes: ["time"],
  header: async ({ path, shown }, { time, lenient }) => {
    const start = await beginningOf(path, shown);
    const read: Bytes["read"] = async (into, at) => {
      const part = start.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    };
    const bytes = { size: await niftiBytes(start, shown), read, close: async () => {} };
    return (await openNifti(bytes, shown, { time, lenient })).space;
  },
  open: async (input, { spill = false, nodata, time, lenient, ids, exact }) => {
    const { path, shown } = input;
    let packed = false;
    return overBytes(await unpacked(), async (bytes) => {
      const { source, space, version, stored, notes } = await openNifti(bytes, shown, {
        nodata,
        time,
        lenient,
        ids,
        exact,
      });
      const times = axisOf(space, "time")?.size ?? 1;
      const rounded = roundedNote(source, shown);
      const note = `${shown} has ${times} times; the first one is used (--time N takes another)`;
      return {
        pixels: source,
        ids: source.ids,
        space,
        about: { format: `NIfTI-${version}`, stored, channels: 1, compression: packed ? "gzip" : "none" },
        notes: () => [...notes, ...(times > 1 && time === undefined ? [note] : []), ...rounded()],
      };
    });

    async function unpacked(): Promise<Bytes> {
      if (path === "-") {
        const buffer = await input.whole();
        packed = isPacked(buffer);
        return bufferBytes(packed ? await unpack(Readable.from([buffer]), shown) : buffer);
      }
      if (!(await isPackedFile(path))) return input.bytes();
      packed = true;
      return packedBytes(path, shown, spill);
    }
  },
};

/** Whether bytes begin like a gzip file. */
function isPacked(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** Whether a file is packed, by its name or its first bytes. */
async function isPackedFile(path: string): Promise<boolean> {
  if (path.toLowerCase().endsWith(".gz")) return true;
  const bytes = await fileBytes(path);
  const start = new Uint8Array(2);
  await bytes.read(start, 0);
  await bytes.close();
  return isPacked(start);
}

/** Bytes of a header and of what follows it, with which a packed volume is opened. */
const BEGINNING_BYTES = 4096;

/**
 * A packed volume. Its header is unpacked at once, the rest when a value is read, so that what the header rules out is told before. Several
 * times are unpacked at once, because a file may end within them.
 */
async function packedBytes(path: string, name: string, spill: boolean): Promise<Bytes> {
  const whole = async (): Promise<Bytes> => {
    const stream = createReadStream(path);
    return spill ? unpackToFile(stream, name) : bufferBytes(await unpack(stream, name));
  };
  const start = await beginningOf(path, name);
  if (start.length < BEGINNING_BYTES || (await niftiTimes(start, name)) > 1) return whole();
  const size = await niftiBytes(start, name);
  const most = mostBytes();
  if (!spill && size > most) throw tooLarge(name, size, most);
  let unpacking: Promise<Bytes> | undefined;
  const all = async (): Promise<Bytes> => {
    const bytes = await whole();
    if (bytes.size >= size) return bytes;
    await bytes.close();
    throw new FileError(
      `Expected ${name} to unpack to ${size} bytes, as its header says, got ${bytes.size}: the file is truncated.`,
    );
  };
  return {
    size,
    async read(into, at) {
      if (at + into.length <= start.length) {
        into.set(start.subarray(at, at + into.length));
        return into.length;
      }
      unpacking ??= all();
      return (await unpacking).read(into, at);
    },
    async close() {
      await (await unpacking?.catch(() => undefined))?.close();
    },
  };
}

/** The first bytes of a file, or all of a short one, unpacked. */
async function beginningOf(path: string, name: string): Promise<Uint8Array> {
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

async function unpack(stream: Readable, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await eachChunk(stream, name, async (chunk, promised) => {
    const most = mostBytes();
    if (promised > most) throw tooLarge(name, promised, most);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/**
 * Unpacks to a temporary file that only this user can read. If open files can be removed, it disappears with the
 * process.
 */
async function unpackToFile(stream: Readable, name: string): Promise<Bytes> {
  const temporary = join(tmpdir(), `skerry-${randomUUID()}.nii`);
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
    await eachChunk(stream, name, async (chunk) => {
      await file.write(chunk);
      size += chunk.length;
    });
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
  use: (chunk: Uint8Array, promised: number) => Promise<void>,
): Promise<void> {
  let start = Buffer.alloc(0);
  let promised: number | undefined;
  let done = 0;
  await eachPiece(stream, name, async (piece) => {
    let chunk = piece;
    if (promised === undefined) {
      start = Buffer.concat([start, chunk]);
      if (start.length < NIFTI_HEADER_BYTES) return true;
      promised = await niftiBytes(start, name);
      chunk = start;
    }
    const rest = promised - done;
    await use(chunk.subarray(0, rest), promised);
    done += Math.min(rest, chunk.length);
    return done < promised;
  });
  if (promised === undefined) await use(start, start.length);
}

/** Unpacks a stream piece by piece, until `use` wants no more. */
async function eachPiece(stream: Readable, name: string, use: (piece: Buffer) => Promise<boolean>): Promise<void> {
  const gunzip = createGunzip();
  try {
    stream.on("error", (error) => gunzip.destroy(error));
    for await (const piece of stream.pipe(gunzip)) {
      if (!(await use(piece as Buffer))) break;
    }
  } catch (error) {
    if (error instanceof FileError || error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isPlain = (error as Error).message === "incorrect header check";
    const gzip = isPlain ? "it ends in .gz, but is no gzip file" : "it is no complete gzip file";
    const reason = code?.startsWith("Z_") ? gzip : reasonOf(error);
    throw new FileError(`Could not read ${name}: ${reason}.`);
  } finally {
    stream.destroy();
    gunzip.destroy();
  }
}
