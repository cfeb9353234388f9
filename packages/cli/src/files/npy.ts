// NumPy's .npy format, version 1 and 2: read as a Source, so that a file larger than memory goes through,
// and written as a Sink. The packages on npm hold the whole array and do not notice a truncated file.

import { type FileHandle, open } from "node:fs/promises";
import type { PixelArray, PixelType, Sink, Source } from "skerry";
import { RunError, reasonOf } from "../errors.js";
import type { OutputFile } from "./output.js";

const TYPES: Record<string, PixelType> = {
  "|u1": "u8",
  "<u1": "u8",
  "|b1": "u8",
  "<u2": "u16",
  "<i2": "i16",
  "<f4": "f32",
};
const BYTES: Record<PixelType, number> = { u8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4 };
const MAGIC = "\x93NUMPY";

/** Where bytes come from: a file, or what stdin held. */
export interface Bytes {
  readonly size: number;
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export async function fileBytes(path: string): Promise<Bytes> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    throw new RunError(`Could not read ${path}: ${reasonOf(error)}.`);
  }
  const { size } = await handle.stat();
  return {
    size,
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    close: () => handle.close(),
  };
}

export function bufferBytes(buffer: Buffer): Bytes {
  return {
    size: buffer.length,
    read: async (into, position) => {
      const part = buffer.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
    close: async () => undefined,
  };
}

export function isNpy(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;
}

/** Opens a 2-D array of u8, bool, u16, i16 or f32, little-endian, in C order. */
export async function npySource(bytes: Bytes, name: string): Promise<Source> {
  const { descr, fortran, shape, offset } = await readHeader(bytes, name);
  const type = TYPES[descr];
  if (!type) {
    throw new RunError(`Expected ${name} to hold uint8, bool, uint16, int16 or float32, little-endian, got ${descr}.`);
  }
  const [height, width] = shape;
  if (shape.length !== 2 || !height || !width) {
    throw new RunError(`Expected ${name} to hold a 2-D array with pixels in it, got shape (${shape.join(", ")}).`);
  }
  if (fortran && width > 1 && height > 1) {
    throw new RunError(`Expected ${name} to be in C order, got Fortran order; np.ascontiguousarray() turns it.`);
  }
  const rowBytes = width * BYTES[type];
  if (bytes.size < offset + height * rowBytes) {
    throw new RunError(
      `Expected ${name} to hold ${height} x ${width} x ${BYTES[type]} = ${height * rowBytes} bytes of data, got ${
        bytes.size - offset
      }: the file is truncated.`,
    );
  }
  return {
    ...{ width, height, type },
    async read(_z0, _z1, y0, _y1, into: PixelArray) {
      const target = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
      let position = offset + y0 * rowBytes;
      for (let at = 0; at < target.length; ) {
        const count = await bytes.read(target.subarray(at), position);
        if (count === 0) throw new RunError(`Could not read ${name}: it ended early.`);
        at += count;
        position += count;
      }
    },
  };
}

async function readHeader(
  bytes: Bytes,
  name: string,
): Promise<{ descr: string; fortran: boolean; shape: number[]; offset: number }> {
  const start = Buffer.alloc(12);
  await bytes.read(start, 0);
  if (!isNpy(start)) throw new RunError(`Expected ${name} to be a .npy file, but it does not begin like one.`);
  const long = (start[6] as number) > 1;
  const length = long ? start.readUInt32LE(8) : start.readUInt16LE(8);
  const begin = long ? 12 : 10;
  const text = Buffer.alloc(Math.min(length, bytes.size));
  await bytes.read(text, begin);
  const header = text.toString("latin1");
  const descr = /'descr'\s*:\s*'([^']+)'/.exec(header)?.[1];
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1];
  const shape = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (!descr || !fortran || shape === undefined) {
    throw new RunError(`Expected ${name} to have a .npy header with descr, fortran_order and shape, got none.`);
  }
  return {
    descr,
    fortran: fortran === "True",
    shape: shape
      .split(",")
      .filter((part) => part.trim())
      .map(Number),
    offset: begin + length,
  };
}

/** Writes labels as uint32 of shape height x width. */
export async function npySink(file: OutputFile, width: number, height: number): Promise<Sink> {
  await writeNpyHeader(file, "<u4", [height, width]);
  return { write: (_z0, _z1, _y0, _y1, data) => file.write(data) };
}

/** Writes pixels of one channel as they are. */
export async function writeNpy(file: OutputFile, data: PixelArray, width: number, height: number): Promise<void> {
  const descr =
    data instanceof Float32Array
      ? "<f4"
      : data instanceof Int16Array
        ? "<i2"
        : data instanceof Uint16Array
          ? "<u2"
          : "|u1";
  await writeNpyHeader(file, descr, [height, width]);
  await file.write(data);
}

/** Everything before the values: a dictionary in Python's words. */
export async function writeNpyHeader(file: OutputFile, descr: string, shape: readonly number[]): Promise<void> {
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")}), }`;
  // Magic, version and length take 10 bytes; data begins at a multiple of 64.
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64 - 10;
  const header = Buffer.alloc(10 + length, " ");
  header.write(MAGIC, "latin1");
  header.writeUInt16LE(1, 6);
  header[6] = 1;
  header[7] = 0;
  header.writeUInt16LE(length, 8);
  header.write(dictionary, 10, "latin1");
  header[header.length - 1] = 10;
  await file.write(header);
}
