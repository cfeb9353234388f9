// NumPy's .npy: reads 2-D and 3-D arrays, row by row on demand; writes labels and pixels.

import type { PixelArray, Raster, Source } from "skerry";
import { defined } from "skerry/internal";
import {
  ARRAYS,
  type Bytes,
  bytesSource,
  checkLength,
  type Encoding,
  latin1,
  pixelTypeOf,
  type Size,
  type StoredType,
  typeOfArray,
} from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { fitted } from "../fitted.js";
import type { Ids } from "../integers.js";
import { type Fill, fillOf, type Layout } from "../layout.js";
import { type Output, sinkTo } from "../output.js";
import { isZip } from "./zip.js";

/** A type as NumPy names it: int64 for <i8. */
function nameOf(descr: string): string {
  const [, kind = "", bytes = ""] = /^[|<>=]?([a-zA-Z])(\d+)$/.exec(descr) ?? [];
  if (kind === "b") return "bool";
  const name = ({ i: "int", u: "uint", f: "float", c: "complex" } as Record<string, string>)[kind];
  return name ? `${name}${Number(bytes) * 8}` : descr;
}

const TYPES: Record<string, StoredType> = {
  u1: "u8",
  b1: "u8",
  i1: "i8",
  u2: "u16",
  i2: "i16",
  u4: "u32",
  i4: "i32",
  f2: "f16",
  f4: "f32",
  f8: "f64",
  i8: "i64",
  u8: "u64",
};
const MAGIC = "\x93NUMPY";
const [SPACE, NEWLINE] = [32, 10];

/** Whether the first bytes of a file are those of a .npy file. */
export function isNpy(start: Uint8Array): boolean {
  return latin1(start.subarray(0, MAGIC.length)) === MAGIC;
}

/** Options of {@link openNpy}. */
export interface NpyOptions {
  readonly nodata?: number | undefined;
  /** The order of three axes: a volume, or rows of pixels of channels. By default uint8 with 3 or 4 as the last is a picture, if the other two are above 4. */
  readonly axes?: "zyx" | "yxc" | undefined;
  /** Whether values are ids: then three axes are a volume, if `axes` does not say otherwise. */
  readonly labels?: boolean | undefined;
  /** Whether integers beyond 32 bits are ids, of which pixels hold the numbers. */
  readonly ids?: boolean | undefined;
  /** Whether values are ids, which may not be rounded. */
  readonly exact?: boolean | undefined;
}

/** An open array. */
export interface OpenedNpy {
  readonly pixels: (Raster & { channels: number }) | (Source & { channels: number });
  /** Ids of 64 bits, whose numbers the pixels hold. */
  readonly ids?: Ids | undefined;
  /** NumPy's name of the stored type, such as int64. */
  readonly stored: string;
  readonly notes: readonly string[];
}

/**
 * Opens an array of 2 or 3 dimensions: C order as a Source, Fortran order as a Raster, which is transposed in memory. 64-bit integers
 * become 32-bit ones, for which all values are read once.
 * @throws FileError if the file is damaged, or has a type, values or a number of dimensions that are not read
 * @throws UsageError if its axes are not those of the options
 * @example
 * import { bufferBytes, MemoryOutput, openNpy, writeNpy } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeNpy(file, new Uint8Array([1, 2, 3, 4, 5, 6]), { width: 3, height: 2, depth: 1 });
 * const { pixels } = await openNpy(bufferBytes(file.bytes()), "six.npy");
 * console.log(pixels.width, pixels.height); // 3, 2
 */
export async function openNpy(bytes: Bytes, name: string, options: NpyOptions = {}): Promise<OpenedNpy> {
  const { nodata, ids = false, exact = false } = options;
  const { descr, fortran, shape, offset } = await readHeader(bytes, name);
  const type = TYPES[descr.slice(1)];
  if (!type || !"|<>=".includes(descr.charAt(0))) {
    throw new FileError(`Expected ${name} to hold bool, integers or floats, got ${nameOf(descr)}.`);
  }
  const isPicture = isColours(shape, type, options.axes ?? (options.labels ? "zyx" : undefined), name);
  const [channels, ...sides] = isPicture ? shape.toReversed() : [1, ...shape.toReversed()];
  const [width = 0, height = 0, depth = 1] = sides;
  if (sides.length < 2 || sides.length > 3 || !width || !height || !depth) {
    throw new FileError(
      `Expected ${name} to hold a 2-D or 3-D array with pixels in it, got shape (${shape.join(", ")}).`,
    );
  }
  const plain = { type, littleEndian: !descr.startsWith(">"), nodata, exact };
  // Channels of a pixel lie beside each other, as if rows were longer.
  const size = { width: width * channels, height, depth };
  checkLength(bytes, offset, size, type, name);
  const encoding = await fitted(bytes, offset, size, plain, name, ids);
  const pixels = fortran
    ? await turned(bytes, offset, { channels, width, height, depth }, encoding, name)
    : { ...bytesSource(bytes, offset, size, encoding, name), width, channels };
  const taken = isPicture
    ? `a picture of ${channels} channels (--axes zyx takes a volume)`
    : `a volume of ${depth} slices (--axes yxc takes a picture)`;
  const isEither = options.axes === undefined && mayBeColours(shape, type);
  const notes = isEither ? [`${name} has the shape (${shape.join(", ")}), and is taken as ${taken}`] : [];
  return { pixels, ids: encoding.ids, stored: nameOf(descr), notes };
}

/**
 * The array in a ZIP of NumPy, `.npz`; undefined if there is no array in it.
 * @throws FileError if there are several
 */
export function arrayOfZip(entries: Readonly<Record<string, Uint8Array>>, name: string): Uint8Array | undefined {
  const arrays = Object.entries(entries).filter(([entry, bytes]) => entry.endsWith(".npy") && isNpy(bytes));
  if (arrays.length < 2) return arrays[0]?.[1];
  const names = arrays.map(([entry]) => entry.replace(/\.npy$/, ""));
  throw new FileError(`Expected ${name} to hold one array, got ${names.join(", ")}; unzip it, and take one.`);
}

/** Whether bytes begin like a ZIP whose first entry is an array. */
export function isNpz(start: Uint8Array): boolean {
  if (!isZip(start)) return false;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  return latin1(start.subarray(30, 30 + view.getUint16(26, true))).endsWith(".npy");
}

/** Sides above which a last axis of 3 or 4 is one of channels: smaller arrays are volumes rather than pictures. */
const LEAST_SIDE = 4;

/** Types of pixels with channels. */
const COLOURED: readonly StoredType[] = ["u8", "u16", "f32"];

/** Whether the last axis of an array may be one of channels. */
function mayBeColours(shape: readonly number[], type: StoredType): boolean {
  const [height, width, channels] = shape;
  const isThree = shape.length === 3 && (channels === 3 || channels === 4);
  return isThree && COLOURED.includes(type) && Math.min(height, width) > LEAST_SIDE;
}

/** Whether an array is a picture of three or four channels: by the order of its axes, or by its shape. */
function isColours(shape: readonly number[], type: StoredType, axes: NpyOptions["axes"], name: string): boolean {
  if (axes !== "yxc") return axes === undefined && type === "u8" && mayBeColours(shape, type);
  if (shape.length === 3 && (shape[2] === 3 || shape[2] === 4) && COLOURED.includes(type)) return true;
  throw new UsageError(
    `Expected ${name} to have three axes, the last one of 3 or 4 channels of uint8, uint16 or float32, for --axes yxc, got shape (${shape.join(", ")}).`,
  );
}

/** In Fortran order the first axis, here z, is the fastest. */
async function turned(
  bytes: Bytes,
  offset: number,
  { channels, width, height, depth }: Size & { channels: number },
  encoding: Encoding,
  name: string,
): Promise<Raster & { channels: number }> {
  const columns = width * channels;
  const stored = bytesSource(bytes, offset, { width: depth, height, depth: columns }, encoding, name);
  const array = ARRAYS[pixelTypeOf(encoding)];
  const data = new array(columns * height * depth);
  const slice = new array(depth * height);
  for (let k = 0; k < columns; k++) {
    // The channel of a picture is the slowest axis of the file, and the fastest of a raster.
    const x = (k % width) * channels + Math.floor(k / width);
    await stored.read(k, k + 1, 0, height, slice, {});
    for (let y = 0, at = 0; y < height; y++) {
      for (let z = 0; z < depth; z++, at++) data[(z * height + y) * columns + x] = slice[at];
    }
  }
  const { nodata } = encoding;
  return defined({ data, width, height, depth, channels, nodata });
}

async function readHeader(
  bytes: Bytes,
  name: string,
): Promise<{ descr: string; fortran: boolean; shape: number[]; offset: number }> {
  const start = new Uint8Array(12);
  await bytes.read(start, 0);
  if (!isNpy(start)) throw new FileError(`Expected ${name} to be a .npy file, but it does not begin like one.`);
  const view = new DataView(start.buffer);
  const long = start[6] > 1;
  const length = long ? view.getUint32(8, true) : view.getUint16(8, true);
  const begin = long ? 12 : 10;
  const text = new Uint8Array(Math.min(length, bytes.size));
  await bytes.read(text, begin);
  const header = latin1(text);
  const descr = /'descr'\s*:\s*'([^']+)'/.exec(header)?.[1];
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1];
  const shape = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (!descr || !fortran || shape === undefined) {
    throw new FileError(`Expected ${name} to have a .npy header with descr, fortran_order and shape, got none.`);
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

const DESCRIPTIONS = { u8: "|u1", u16: "<u2", i16: "<i2", u32: "<u4", i32: "<i4", f32: "<f4" };

/** Writes values of one channel. */
export async function writeNpyValues(file: Output, { type, width, height, depth }: Layout, fill: Fill): Promise<void> {
  const descr = type === "bool" ? "|b1" : DESCRIPTIONS[type];
  await writeNpyHeader(file, descr, depth > 1 ? [depth, height, width] : [height, width]);
  await fill(sinkTo(file));
}

/**
 * Writes pixels of one channel, in the type of their array.
 * @example
 * import { MemoryOutput, writeNpy } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeNpy(file, new Uint8Array([1, 2, 3, 4, 5, 6]), { width: 3, height: 2, depth: 1 });
 * console.log(file.bytes().length); // 134
 */
export async function writeNpy(file: Output, data: PixelArray, size: Size): Promise<void> {
  await writeNpyValues(file, { ...size, type: typeOfArray(data) }, fillOf(data, size));
}

/** Everything before the values: a dictionary in Python's words. */
async function writeNpyHeader(file: Output, descr: string, shape: readonly number[]): Promise<void> {
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")}), }`;
  // Magic, version and length take 10 bytes; data begins at a multiple of 64.
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64 - 10;
  const header = new Uint8Array(10 + length).fill(SPACE);
  const put = (text: string, at: number): void => {
    for (let i = 0; i < text.length; i++) header[at + i] = text.charCodeAt(i);
  };
  put(MAGIC, 0);
  header.set([1, 0, length & 255, length >> 8], 6);
  put(dictionary, 10);
  header[header.length - 1] = NEWLINE;
  await file.write(header);
}
