// Sources of bytes, and the conversion of stored values to pixels: byte order, types that skerry lacks, and scaling.

import type { PixelArray, PixelType, Raster, Source, Spacing } from "skerry";
import { defined } from "skerry/internal";
import { FileError } from "./errors.js";
import { decodeIntegers, type Ids } from "./integers.js";

/** Bytes with random access: of a file, or of a buffer in memory. */
export interface Bytes {
  readonly size: number;
  /** Reads as many bytes as `into` has, or up to the end; resolves to how many were read. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Closes the file; nothing can be read afterwards. */
  close(): Promise<void>;
}

/**
 * Bytes in memory, read as a file.
 * @example
 * import { bufferBytes } from "@skerry/files";
 * const file = bufferBytes(new Uint8Array([1, 2, 3, 4]));
 * const into = new Uint8Array(2);
 * console.log(await file.read(into, 3), into); // 1, 4, 0
 */
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

/**
 * Fills an array with the bytes from a position on; `name` is the file in the message.
 * @throws FileError if the file ends before the array is full
 */
export async function readFully(bytes: Bytes, into: Uint8Array, from: number, name: string): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const count = await bytes.read(into.subarray(at), from + at);
    if (count === 0) throw new FileError(`Could not read ${name}: it ended early.`);
    at += count;
  }
}

/** Bytes as Latin 1 text: each byte becomes the character with its code. */
export function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Values of 4 bytes: labels, squared distances and indices as u32, distances as f32. */
export type Wide = Uint32Array | Float32Array;
/** The type of {@link Wide} values. */
export type WideType = "u32" | "f32";

/** Types that files store. */
export type StoredType = PixelType | "i8" | "f16" | "f64" | "i64" | "u64";

/** Bytes that a value of each type takes in a file. */
export const STORED_BYTES: Record<StoredType, number> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f16: 2,
  f32: 4,
  f64: 8,
  i64: 8,
  u64: 8,
};

/** The encoding of values in a file: value = stored * slope + intercept. */
export interface Encoding {
  readonly type: StoredType;
  readonly littleEndian: boolean;
  readonly slope?: number;
  readonly intercept?: number;
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
  /** The type that holds all 64-bit integers of the file. */
  readonly as?: "u32" | "i32" | undefined;
  /** Ids of 64 bits: pixels are their numbers. */
  readonly ids?: Ids | undefined;
  /** Whether values are ids of objects, which may not be rounded. */
  readonly exact?: boolean | undefined;
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

/** The pixel type of an encoding: i8 becomes i16; f64 and scaled values become f32; 64-bit integers the type that holds them all. */
export function pixelTypeOf(encoding: Encoding): PixelType {
  const { type } = encoding;
  if (isScaled(encoding) || type === "f16" || type === "f64") return "f32";
  if (type === "i64" || type === "u64") return encoding.as ?? "f32";
  return type === "i8" ? "i16" : type;
}

/** Refuses an id that f32 would merge with another. */
export function checkId(value: number, name: string): void {
  if (!Number.isInteger(value)) return;
  throw new FileError(
    `Expected the ids of ${name} to be at most 16777216 where they are floats, got ${value}, which float32 does not hold; save them as integers of 32 bits.`,
  );
}

/** Decodes stored bytes into pixels. Returns the number of unscaled f64 values that f32 rounds. */
function decode(bytes: Uint8Array, encoding: Encoding, into: PixelArray, name: string): number {
  if (encoding.type === "i64" || encoding.type === "u64") {
    decodeIntegers(bytes, encoding, into);
    return 0;
  }
  const { littleEndian, slope = 1, intercept = 0, nodata } = encoding;
  const { type } = encoding;
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
    f16: (at: number) => halfOf(view.getUint16(at, littleEndian)),
    f32: (at: number) => view.getFloat32(at, littleEndian),
    f64: (at: number) => view.getFloat64(at, littleEndian),
  }[type];
  const scaled = isScaled(encoding);
  let unlike = 0;
  for (let i = 0; i < into.length; i++) {
    const value = read(i * step);
    into[i] = !scaled ? value : value === missing ? Number.NaN : value * slope + intercept;
    if (type === "f64" && !scaled && into[i] !== value && !Number.isNaN(value)) {
      if (encoding.exact) checkId(value, name);
      unlike++;
    }
  }
  return unlike;
}

/** The value of 16 bits of IEEE 754: 0x3c00 is 1, 0x3e00 1.5, 0xc000 -2, 0x0001 2 ** -24. */
function halfOf(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** A number as a type stores it. */
function roundedTo(type: StoredType, n: number): number {
  if (type === "f64") return n;
  return type === "f32" || type === "f16" ? Math.fround(n) : Math.round(n);
}

/** Whether stored bytes are pixels without decoding, on this little-endian machine. */
function isPlain(encoding: Encoding): boolean {
  const { type, littleEndian } = encoding;
  return (
    type !== "i8" &&
    type !== "f16" &&
    type !== "f64" &&
    type !== "i64" &&
    type !== "u64" &&
    !isScaled(encoding) &&
    (littleEndian || STORED_BYTES[type] === 1)
  );
}

/** Pixels per row, rows per slice, slices. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** A Source over contiguous values, x fastest, from byte `offset` on. */
export function bytesSource(
  bytes: Bytes,
  offset: number,
  size: Size & { spacing?: Spacing },
  encoding: Encoding,
  name: string,
): Source & { unlike: number; ids?: Ids } {
  const { width, height } = size;
  const step = STORED_BYTES[encoding.type];
  const source: Source & { unlike: number; ids?: Ids | undefined } = defined({
    ...size,
    type: pixelTypeOf(encoding),
    // Scaling turns nodata into NaN.
    nodata: encoding.nodata === undefined || isScaled(encoding) ? undefined : encoding.nodata,
    ids: encoding.ids,
    /** Number of values read so far that f32 rounds. */
    unlike: 0,
    async read(z0: number, _z1: number, y0: number, _y1: number, into: PixelArray) {
      const from = offset + (z0 * height + y0) * width * step;
      if (isPlain(encoding)) {
        await readFully(bytes, new Uint8Array(into.buffer, into.byteOffset, into.byteLength), from, name);
        return;
      }
      const stored = new Uint8Array(into.length * step);
      await readFully(bytes, stored, from, name);
      source.unlike += decode(stored, encoding, into, name);
    },
  });
  return source;
}

/**
 * Checks that a file is long enough for the size in its header.
 * @throws FileError if the file is shorter
 */
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
