// Sources of bytes, and how stored values become pixels: byte orders, types that skerry has not, and scaling.

import type { PixelArray, PixelType, Raster, Source, Spacing } from "skerry";
import { FileError } from "./errors.js";

/** Bytes to be read from any position: a file's, or what was read or unpacked into memory. */
export interface Bytes {
  readonly size: number;
  /** Reads as many bytes as `into` has, or up to the end; resolves to how many were read. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Closes the file; nothing can be read afterwards. */
  close(): Promise<void>;
}

/** Bytes in memory, as those of a file. */
export function bufferBytes(buffer: Uint8Array): Bytes {
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

/** Fills an array from a position on. */
export async function readFully(bytes: Bytes, into: Uint8Array, from: number, name: string): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const count = await bytes.read(into.subarray(at), from + at);
    if (count === 0) throw new FileError(`Could not read ${name}: it ended early.`);
    at += count;
  }
}

/** Bytes as the characters of their numbers. */
export function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Values that are written 4 bytes each: labels, squared distances, indices; distances. */
export type Wide = Uint32Array | Float32Array;
/** Types of 4 bytes and more: labels, distances, numbers. */
export type WideType = "u32" | "f32";

/** Types that files store. */
export type StoredType = PixelType | "i8" | "f64";

/** Bytes that a value of each type takes in a file. */
export const STORED_BYTES: Record<StoredType, number> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  f64: 8,
};

/** How values lie in a file, and what they mean: stored * slope + intercept. */
export interface Encoding {
  readonly type: StoredType;
  readonly littleEndian: boolean;
  readonly slope?: number;
  readonly intercept?: number;
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
}

/** The typed array of each type. */
export const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
};

/** The type of an array's values. */
export function typeOfArray(data: Raster["data"]): PixelType {
  return (Object.keys(ARRAYS) as PixelType[]).find((type) => data instanceof ARRAYS[type]) ?? "u8";
}

function isScaled({ slope = 1, intercept = 0 }: Encoding): boolean {
  return slope !== 1 || intercept !== 0;
}

/** The type that an encoding's values have in skerry: i8 become i16, f64 and what is scaled f32. */
export function pixelTypeOf(encoding: Encoding): PixelType {
  const { type } = encoding;
  if (isScaled(encoding) || type === "f64") return "f32";
  return type === "i8" ? "i16" : type;
}

/** Turns stored bytes into pixels; returns how many values f32 does not hold as they are. */
function decode(bytes: Uint8Array, encoding: Encoding, into: PixelArray): number {
  const { type, littleEndian, slope = 1, intercept = 0, nodata } = encoding;
  const missing = nodata === undefined ? undefined : roundedTo(type, nodata);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const step = STORED_BYTES[type];
  const read = {
    u8: (at: number) => view.getUint8(at),
    i8: (at: number) => view.getInt8(at),
    u16: (at: number) => view.getUint16(at, littleEndian),
    i16: (at: number) => view.getInt16(at, littleEndian),
    u32: (at: number) => view.getUint32(at, littleEndian),
    i32: (at: number) => view.getInt32(at, littleEndian),
    f32: (at: number) => view.getFloat32(at, littleEndian),
    f64: (at: number) => view.getFloat64(at, littleEndian),
  }[type];
  const scaled = isScaled(encoding);
  let unlike = 0;
  for (let i = 0; i < into.length; i++) {
    const value = read(i * step);
    into[i] = !scaled ? value : value === missing ? Number.NaN : value * slope + intercept;
    if (type === "f64" && !scaled && into[i] !== value && !Number.isNaN(value)) unlike++;
  }
  return unlike;
}

/** A number as a type stores it. */
function roundedTo(type: StoredType, n: number): number {
  if (type === "f64") return n;
  return type === "f32" ? Math.fround(n) : Math.round(n);
}

/** Whether stored bytes are pixels as they stand, on this little-endian machine. */
function isPlain(encoding: Encoding): boolean {
  const { type, littleEndian } = encoding;
  return type !== "i8" && type !== "f64" && !isScaled(encoding) && (littleEndian || STORED_BYTES[type] === 1);
}

/** Pixels per row, rows per slice, slices. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** A Source over values that lie in one piece, x fastest, from `offset` on. */
export function bytesSource(
  bytes: Bytes,
  offset: number,
  size: Size & { spacing?: Spacing },
  encoding: Encoding,
  name: string,
): Source & { unlike: number } {
  const { width, height } = size;
  const step = STORED_BYTES[encoding.type];
  const source = {
    ...size,
    type: pixelTypeOf(encoding),
    // Scaled values are NaN where they have none.
    ...(encoding.nodata === undefined || isScaled(encoding) ? {} : { nodata: encoding.nodata }),
    /** Values that f32 does not hold, of those that were read. */
    unlike: 0,
    async read(z0: number, _z1: number, y0: number, _y1: number, into: PixelArray) {
      const from = offset + (z0 * height + y0) * width * step;
      if (isPlain(encoding)) {
        await readFully(bytes, new Uint8Array(into.buffer, into.byteOffset, into.byteLength), from, name);
        return;
      }
      const stored = new Uint8Array(into.length * step);
      await readFully(bytes, stored, from, name);
      source.unlike += decode(stored, encoding, into);
    },
  };
  return source;
}

/** Refuses a file that is too short for what it says it holds. */
export function checkLength(
  bytes: Bytes,
  offset: number,
  { width, height, depth }: Size,
  type: StoredType,
  name: string,
): void {
  const step = STORED_BYTES[type];
  const wanted = width * height * depth * step;
  if (bytes.size - offset >= wanted) return;
  const sides = depth > 1 ? `${depth} x ${height} x ${width}` : `${height} x ${width}`;
  throw new FileError(
    `Expected ${name} to hold ${sides} x ${step} = ${wanted} bytes of data, got ${Math.max(0, bytes.size - offset)}: the file is truncated.`,
  );
}
