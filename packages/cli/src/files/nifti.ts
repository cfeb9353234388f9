// NIfTI-1 and NIfTI-2: headers in through nifti-reader-js, voxels in by ourselves, from the file as they are asked for or
// unpacked into memory; labels out with the orientation that the input had.

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGunzip, createGzip } from "node:zlib";
import type { NIFTI1, NIFTI2 } from "nifti-reader-js";
import type { Sink, Source } from "skerry";
import { RunError, reasonOf } from "../errors.js";
import {
  type Bytes,
  bufferBytes,
  bytesSource,
  checkLength,
  fileBytes,
  type Size,
  type StoredType,
  type Wide,
  type WideType,
} from "./bytes.js";
import { type OutputFile, writeWhole } from "./output.js";

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
export async function openNifti(path: string, spill = false): Promise<Nifti> {
  const packed = path.toLowerCase().endsWith(".gz");
  const bytes = !packed ? await fileBytes(path) : spill ? await unpackToFile(path) : bufferBytes(await unpack(path));
  try {
    return { ...(await parse(bytes, path)), close: () => bytes.close() };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

async function unpack(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await eachChunk(path, async (chunk) => {
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

async function unpackToFile(path: string): Promise<Bytes> {
  const temporary = join(tmpdir(), `skerry-${randomUUID()}.nii`);
  try {
    await writeWhole(temporary, (file) => eachChunk(path, (chunk) => file.write(chunk)));
    const bytes = await fileBytes(temporary);
    const remove = (): Promise<void> => unlink(temporary).catch(() => undefined);
    // Where a file that is open cannot be removed, it goes when it is closed.
    await remove();
    return { ...bytes, close: () => bytes.close().then(remove) };
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function eachChunk(path: string, use: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  try {
    const stream = createReadStream(path);
    const gunzip = createGunzip();
    stream.on("error", (error) => gunzip.destroy(error));
    for await (const chunk of stream.pipe(gunzip)) await use(chunk as Uint8Array);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code?.startsWith("Z_") ? "it is no complete gzip file" : reasonOf(error);
    throw new RunError(`Could not read ${path}: ${reason}.`);
  }
}

async function parse(bytes: Bytes, name: string): Promise<Omit<Nifti, "close">> {
  const start = new Uint8Array(Math.min(HEADER_BYTES, bytes.size));
  await bytes.read(start, 0);
  let header: NIFTI1 | NIFTI2 | null = null;
  const { readHeader } = await import("nifti-reader-js");
  try {
    header = readHeader(start.buffer);
  } catch {
    // It says no more than that it does not know the header.
  }
  if (!header) throw new RunError(`Expected ${name} to be a NIfTI-1 or NIfTI-2 file, but it does not begin like one.`);
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
  const encoding = { type, littleEndian, slope: scaled ? scl_slope : 1, intercept: scaled ? scl_inter : 0 };
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
