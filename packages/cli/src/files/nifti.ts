// NIfTI-1 and NIfTI-2: headers in through nifti-reader-js, voxels in by ourselves, from the file as they are asked for or
// unpacked into memory; labels out with the orientation that the input had.

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import {
  type Bytes,
  bufferBytes,
  bytesSource,
  checkLength,
  type Size,
  STORED_BYTES,
  type StoredType,
  type Wide,
  type WideType,
} from "@skerry/files";
import type { NIFTI1, NIFTI2 } from "nifti-reader-js";
import type { Sink, Source } from "skerry";
import { RunError, reasonOf } from "../errors.js";
import { fileBytes } from "./file.js";
import { mostBytes, tooLarge } from "./limit.js";
import { OutputFile, removedOnSignals } from "./output.js";

/** The header's datatype codes. */
const TYPES: Record<number, StoredType> = {
  2: "u8",
  4: "i16",
  8: "i32",
  16: "f32",
  64: "f64",
  256: "i8",
  512: "u16",
  768: "u32",
};
const UINT32 = 768;
const FLOAT32 = 16;
/** The intent of label images. */
const LABELS = 1002;
const HEADER_BYTES = 544;
/** NIfTI-1 holds sides as i16. */
const MOST_SIDE = 32767;

/** Where voxels lie in the patient, as the header says it; passed on to what is written. */
export interface Orientation {
  readonly version: 1 | 2;
  /** Of the dimensions, from qfac on. */
  readonly pixDims: readonly number[];
  readonly units: number;
  readonly qformCode: number;
  readonly sformCode: number;
  readonly quaternion: readonly [number, number, number];
  readonly offset: readonly [number, number, number];
  /** Rows of x, y and z. */
  readonly affine: readonly (readonly number[])[];
}

export function isNiftiPath(path: string): boolean {
  return /\.nii(\.gz)?$/i.test(path);
}

/** An opened volume. */
export interface Nifti {
  readonly source: Source & { unlike: number };
  readonly orientation: Orientation;
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
  if (isPacked(buffer)) return true;
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  if (buffer.length < 352) return false;
  const size = [view.getInt32(0, true), view.getInt32(0, false)];
  const text = (at: number): string => Buffer.from(buffer.subarray(at, at + 3)).toString("latin1");
  return (size.includes(348) && /^n[+i]1$/.test(text(344))) || (size.includes(540) && /^n[+i]2$/.test(text(4)));
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
    return { ...(await parse(bytes, name, nodata)), close: () => bytes.close() };
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

/** Nobody else reads the file, and it goes with the process where a file that is open can be removed. */
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
        if (start.length < HEADER_BYTES) continue;
        promised = promisedBytes(await headerOf(start, name));
        chunk = start;
      }
      const rest = promised - done;
      await use(chunk.subarray(0, rest), promised);
      done += Math.min(rest, chunk.length);
      if (done === promised) break;
    }
    if (promised === undefined) await use(start, start.length);
  } catch (error) {
    if (error instanceof RunError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const reason = code?.startsWith("Z_") ? "it is no complete gzip file" : reasonOf(error);
    throw new RunError(`Could not read ${name}: ${reason}.`);
  } finally {
    stream.destroy();
    gunzip.destroy();
  }
}

/** The bytes of a file up to its last voxel. */
function promisedBytes({ dims, datatypeCode, vox_offset }: NIFTI1 | NIFTI2): number {
  const [axes = 0, ...sides] = dims;
  const values = sides.slice(0, axes).reduce((product, side) => product * Math.max(1, side), 1);
  return Math.max(HEADER_BYTES, Math.ceil(vox_offset + values * STORED_BYTES[TYPES[datatypeCode] ?? "f64"]));
}

/** The header at the start of a file, without the extensions that may follow it. */
async function headerOf(bytes: Uint8Array, name: string): Promise<NIFTI1 | NIFTI2> {
  const start = Uint8Array.from(bytes.subarray(0, HEADER_BYTES));
  // The reader looks for extensions, which begin past what it is given, where these four bytes are not 0.
  const view = new DataView(start.buffer);
  const two = start.length >= 4 && [view.getInt32(0, true), view.getInt32(0, false)].includes(540);
  start.fill(0, two ? 540 : 348, two ? 544 : 352);
  const { readHeader } = await import("nifti-reader-js");
  let header: NIFTI1 | NIFTI2 | null = null;
  try {
    header = readHeader(start.buffer);
  } catch {
    // It says no more than that it does not know the header.
  }
  if (!header) throw new RunError(`Expected ${name} to be a NIfTI-1 or NIfTI-2 file, but it does not begin like one.`);
  return header;
}

async function parse(bytes: Bytes, name: string, nodata: number | undefined): Promise<Omit<Nifti, "close">> {
  const start = new Uint8Array(Math.min(HEADER_BYTES, bytes.size));
  await bytes.read(start, 0);
  const header = await headerOf(start, name);
  const { dims, pixDims, datatypeCode, littleEndian, scl_slope, scl_inter, vox_offset } = header;
  const type = TYPES[datatypeCode];
  if (!type) {
    throw new RunError(
      `Expected ${name} to hold integers of up to 32 bits, float32 or float64, got the NIfTI datatype ${datatypeCode}.`,
    );
  }
  const [axes = 0, width = 0, height = 1, depth = 1, ...more] = dims;
  if (more.slice(0, Math.max(0, axes - 3)).some((n) => n > 1)) {
    throw new RunError(`Expected ${name} to hold one volume, got ${dims.slice(1, axes + 1).join(" x ")}.`);
  }
  const size = { width, height: axes > 1 ? height : 1, depth: axes > 2 ? depth : 1 };
  if (!Object.values(size).every((n) => Number.isInteger(n) && n > 0)) {
    throw new RunError(`Expected ${name} to have sides of at least 1, got ${dims.slice(1, 4).join(" x ")}.`);
  }
  checkLength(bytes, vox_offset, size, type, name);
  // A slope of 0 says that values are not scaled.
  const scaled = Number.isFinite(scl_slope) && scl_slope !== 0 && Number.isFinite(scl_inter);
  const encoding = { type, littleEndian, slope: scaled ? scl_slope : 1, intercept: scaled ? scl_inter : 0, nodata };
  const [x, y, z] = [1, 2, 3].map((axis) => Math.abs(pixDims[axis] ?? 0) || 1) as [number, number, number];
  const source = bytesSource(bytes, vox_offset, { ...size, spacing: [x, y, z] }, encoding, name);
  return { source, orientation: orientationOf(header) };
}

function orientationOf(header: NIFTI1 | NIFTI2): Orientation {
  const { pixDims, xyzt_units, qform_code, sform_code, affine } = header;
  return {
    version: "isNIFTI2" in header || header.constructor.name === "NIFTI2" ? 2 : 1,
    pixDims: [...pixDims],
    units: xyzt_units,
    qformCode: qform_code,
    sformCode: sform_code,
    quaternion: [header.quatern_b, header.quatern_c, header.quatern_d],
    offset: [header.qoffset_x, header.qoffset_y, header.qoffset_z],
    affine: affine.slice(0, 3).map((row) => [...row]),
  };
}

/** The orientation of a volume of which no more is known than the size of its voxels, in what units whatever. */
function plainOrientation(spacing: readonly number[]): Orientation {
  const axes = [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => (row === column ? (spacing[row] as number) : 0)));
  return {
    ...{ version: 1, pixDims: [1, ...spacing, 0, 0, 0, 0], units: 0, qformCode: 0, sformCode: 0 },
    ...{ quaternion: [0, 0, 0], offset: [0, 0, 0], affine: axes },
  };
}

/** What is written. */
export interface NiftiValues {
  readonly type: WideType;
  /** Whether values are labels. */
  readonly labels: boolean;
  readonly description: string;
}

const LABEL_VALUES: NiftiValues = { type: "u32", labels: true, description: "labels by skerry" };

/** Writes 4-byte values, in the version of the input, or NIfTI-2 where a side is too long for NIfTI-1. */
export async function writeNifti(
  file: OutputFile,
  path: string,
  size: Size & { spacing: readonly number[] },
  orientation: Orientation | undefined,
  labels: (sink: Sink<Wide>) => Promise<unknown>,
  values = LABEL_VALUES,
): Promise<void> {
  const header = niftiHeader(size, orientation ?? plainOrientation(size.spacing), values);
  if (!path.toLowerCase().endsWith(".gz")) {
    await file.write(header);
    await labels({ write: (_z0, _z1, _y0, _y1, data) => file.write(data) });
    return;
  }
  const gzip = createGzip();
  const written = file.writeAll(gzip);
  const put = (data: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      gzip.write(data, (error) => (error ? reject(error) : resolve()));
    });
  try {
    await put(header);
    // The sink's memory is used again as soon as it has it.
    await labels({
      write: (_z0, _z1, _y0, _y1, data) =>
        Promise.race([put(Buffer.from(data.buffer, data.byteOffset, data.byteLength)), written.then(() => undefined)]),
    });
    gzip.end();
  } catch (error) {
    gzip.destroy();
    await written.catch(() => undefined);
    throw error;
  }
  await written;
}

function niftiHeader({ width, height, depth }: Size, orientation: Orientation, values: NiftiValues): Buffer {
  const two = orientation.version === 2 || Math.max(width, height, depth) > MOST_SIDE;
  const { pixDims, quaternion, offset, affine, qformCode, sformCode, units } = orientation;
  const dims = [3, width, height, depth, 1, 1, 1, 1];
  const buffer = Buffer.alloc(two ? HEADER_BYTES : 352);
  const float = (at: number, index: number, value: number): void => {
    if (two) buffer.writeDoubleLE(value, at + 8 * index);
    else buffer.writeFloatLE(value, at + 4 * index);
  };
  const code = (at: number, value: number): void => {
    if (two) buffer.writeInt32LE(value, at);
    else buffer.writeInt16LE(value, at);
  };
  buffer.writeInt32LE(two ? 540 : 348, 0);
  if (two) buffer.write("n+2\0\r\n\x1a\n", 4, "latin1");
  else buffer.write("n+1\0", 344, "latin1");
  buffer.writeInt16LE(values.type === "f32" ? FLOAT32 : UINT32, two ? 12 : 70);
  buffer.writeInt16LE(32, two ? 14 : 72);
  for (const [i, side] of dims.entries()) {
    if (two) buffer.writeBigInt64LE(BigInt(side), 16 + 8 * i);
    else buffer.writeInt16LE(side, 40 + 2 * i);
  }
  for (let i = 0; i < 4; i++) float(two ? 104 : 76, i, pixDims[i] ?? 0);
  if (two) buffer.writeBigInt64LE(BigInt(HEADER_BYTES), 168);
  else buffer.writeFloatLE(352, 108);
  float(two ? 176 : 112, 0, 1);
  code(two ? 344 : 252, qformCode);
  code(two ? 348 : 254, sformCode);
  for (let i = 0; i < 3; i++) {
    float(two ? 352 : 256, i, quaternion[i] as number);
    float(two ? 376 : 268, i, offset[i] as number);
    for (let k = 0; k < 4; k++) float(two ? 400 : 280, 4 * i + k, affine[i]?.[k] ?? 0);
  }
  if (two) {
    buffer.writeInt32LE(units, 500);
    buffer.writeInt32LE(values.labels ? LABELS : 0, 504);
  } else {
    buffer.writeUInt8(units & 0xff, 123);
    buffer.writeInt16LE(values.labels ? LABELS : 0, 68);
  }
  buffer.write(values.description, two ? 240 : 148, "latin1");
  return buffer;
}
