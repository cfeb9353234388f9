// NIfTI volumes of the command line: from files, packed or not, and from stdin. Packed ones are unpacked no further than their
// header promises, into memory or a temporary file.

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Bytes, bufferBytes } from "../bytes.js";
import { FileError } from "../errors.js";
import {
  isNifti as isPlainNifti,
  NIFTI_HEADER_BYTES,
  niftiBytes,
  openNifti as openPlain,
  type Nifti as Volume,
} from "../formats/nifti.js";
import { fileBytes } from "./file-bytes.js";
import { mostBytes, tooLarge } from "./limit.js";
import { OutputFile, removedOnSignals } from "./output.js";
import { reasonOf } from "./reasons.js";

export function isNiftiPath(path: string): boolean {
  return /\.nii(\.gz)?$/i.test(path);
}

/** An opened volume. */
export interface Nifti extends Volume {
  close(): Promise<void>;
}

/** Opens a volume; with `spill` one that is packed is unpacked to a temporary file instead of memory. */
export async function openNifti(
  path: string,
  { spill = false, nodata }: { readonly spill?: boolean; readonly nodata?: number | undefined } = {},
): Promise<Nifti> {
  const packed = path.toLowerCase().endsWith(".gz");
  const stream = (): Readable => createReadStream(path);
  if (!packed) return opened(await fileBytes(path), path, nodata);
  return opened(spill ? await unpackToFile(stream(), path) : bufferBytes(await unpack(stream(), path)), path, nodata);
}

/** Whether a buffer is a NIfTI file, or a packed one. */
export function isNifti(buffer: Uint8Array): boolean {
  return isPacked(buffer) || isPlainNifti(buffer);
}

/** gzip. */
function isPacked(buffer: Uint8Array): boolean {
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

/** Opens a volume that is in memory, e.g. from stdin. */
export async function openNiftiBuffer(buffer: Uint8Array, name: string, nodata?: number): Promise<Nifti> {
  const unpacked = isPacked(buffer) ? await unpack(Readable.from([buffer]), name) : buffer;
  return opened(bufferBytes(unpacked), name, nodata);
}

async function opened(bytes: Bytes, name: string, nodata: number | undefined): Promise<Nifti> {
  try {
    return { ...(await openPlain(bytes, name, nodata)), close: () => bytes.close() };
  } catch (error) {
    await bytes.close();
    throw error;
  }
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

/** Unpacks no more than the header promises, and tells each time how much that is. */
async function eachChunk(
  stream: Readable,
  name: string,
  use: (chunk: Uint8Array, promised: number) => Promise<void>,
): Promise<void> {
  const gunzip = createGunzip();
  try {
    stream.on("error", (error) => gunzip.destroy(error));
    let start = Buffer.alloc(0);
    let promised: number | undefined;
    let done = 0;
    for await (const piece of stream.pipe(gunzip)) {
      let chunk = piece as Buffer;
      if (promised === undefined) {
        start = Buffer.concat([start, chunk]);
        if (start.length < NIFTI_HEADER_BYTES) continue;
        promised = await niftiBytes(start, name);
        chunk = start;
      }
      const rest = promised - done;
      await use(chunk.subarray(0, rest), promised);
      done += Math.min(rest, chunk.length);
      if (done === promised) break;
    }
    if (promised === undefined) await use(start, start.length);
  } catch (error) {
    if (error instanceof FileError || error instanceof FileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = code?.startsWith("Z_") ? "it is no complete gzip file" : reasonOf(error);
    throw new FileError(`Could not read ${name}: ${reason}.`);
  } finally {
    stream.destroy();
    gunzip.destroy();
  }
}
