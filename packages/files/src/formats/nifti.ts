// Reads NIfTI-1 and NIfTI-2: headers through nifti-reader-js, voxels by this module. Writes values with the orientation of the
// input. Callers unpack .nii.gz.

import type { NIFTI1, NIFTI2 } from "nifti-reader-js";
import type { Source } from "skerry";
import { type Bytes, bytesSource, checkLength, STORED_BYTES, type StoredType } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import type { Fill, Layout, Orientation, Place } from "../layout.js";
import { type Output, sinkTo } from "../output.js";

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
/** The names of types that are not read. */
const NAMES: Record<number, string> = {
  ...{ 1: "single bits", 32: "complex64", 128: "RGB", 1024: "int64", 1280: "uint64", 1536: "float128" },
  ...{ 1792: "complex128", 2048: "complex256", 2304: "RGBA" },
};
const UINT8 = 2;
const UINT32 = 768;
const FLOAT32 = 16;
/** The intent of label images. */
const LABELS = 1002;
/** Bytes before the voxels: of NIfTI-1, and of NIfTI-2. */
const [HEADER_1, HEADER_2] = [352, 544];
/** NIfTI-1 holds sides as i16. */
const MOST_SIDE = 32767;

/** Number of bytes at the start of a file that hold any header. */
export const NIFTI_HEADER_BYTES = HEADER_2;

/** A volume and its place. */
export interface Nifti {
  readonly source: Source & { unlike: number };
  readonly place: Place;
  /** Number of volumes in the file, of which one is opened. */
  readonly times: number;
  /** Sentences about the size of a voxel, where the header's two sources of it differ. */
  readonly notes: readonly string[];
}

/** Units of space by their codes. */
const UNITS: Readonly<Record<number, string>> = { 1: "m", 2: "mm", 3: "\u00b5m" };

/**
 * Whether the first bytes of an uncompressed file are a NIfTI header.
 * @example
 * import { fillOf, isNifti, MemoryOutput, writeNifti } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 8, height: 8, depth: 8 };
 * await writeNifti(file, { ...size, type: "f32" }, fillOf(new Float32Array(512), size));
 * console.log(isNifti(file.bytes())); // true
 */
export function isNifti(start: Uint8Array): boolean {
  if (start.length < HEADER_1) return false;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const size = [view.getInt32(0, true), view.getInt32(0, false)];
  const text = (at: number): string => String.fromCharCode(...start.subarray(at, at + 3));
  return (size.includes(348) && /^n[+i]1$/.test(text(344))) || (size.includes(540) && /^n[+i]2$/.test(text(4)));
}

/**
 * The length of a file in bytes up to its last voxel, computed from its first {@link NIFTI_HEADER_BYTES} bytes.
 * @throws FileError if the header is not one of NIfTI
 * @example
 * import { fillOf, MemoryOutput, NIFTI_HEADER_BYTES, niftiBytes, writeNifti } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 8, height: 8, depth: 8 };
 * await writeNifti(file, { ...size, type: "f32" }, fillOf(new Float32Array(512), size));
 * console.log(await niftiBytes(file.bytes().subarray(0, NIFTI_HEADER_BYTES), "map.nii")); // 2400
 */
export async function niftiBytes(start: Uint8Array, name: string): Promise<number> {
  const { dims, datatypeCode, vox_offset } = await headerOf(start, name);
  const [axes = 0, ...sides] = dims;
  if (!(vox_offset >= 0)) return HEADER_2;
  const values = sides.slice(0, axes).reduce((product, side) => product * Math.max(1, side), 1);
  return Math.max(HEADER_2, Math.ceil(vox_offset + values * STORED_BYTES[TYPES[datatypeCode] ?? "f64"]));
}

/** The header at the start of a file, without the extensions that may follow it. */
async function headerOf(bytes: Uint8Array, name: string): Promise<NIFTI1 | NIFTI2> {
  const start = Uint8Array.from(bytes.subarray(0, HEADER_2));
  // If these four bytes are not 0, the reader looks for extensions, which begin beyond the bytes passed to it.
  const view = new DataView(start.buffer);
  const two = start.length >= 4 && [view.getInt32(0, true), view.getInt32(0, false)].includes(540);
  start.fill(0, two ? 540 : 348, two ? HEADER_2 : HEADER_1);
  const { readHeader } = await import("nifti-reader-js");
  let header: NIFTI1 | NIFTI2 | null = null;
  try {
    header = readHeader(start.buffer);
  } catch {
    // The reader's error only says that it does not know the header.
  }
  if (!header) throw new FileError(`Expected ${name} to be a NIfTI-1 or NIfTI-2 file, but it does not begin like one.`);
  return header;
}

/**
 * Opens an uncompressed volume; `time` selects one of several.
 * @throws FileError if the file is damaged, or has a type or a size that is not read
 * @throws UsageError if it lacks the time
 * @example
 * import { bufferBytes, fillOf, MemoryOutput, openNifti, writeNifti } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 8, height: 8, depth: 8 };
 * await writeNifti(file, { ...size, type: "f32" }, fillOf(new Float32Array(512), size));
 * const { source } = await openNifti(bufferBytes(file.bytes()), "map.nii");
 * console.log(source.width, source.height, source.depth); // 8, 8, 8
 */
export async function openNifti(
  bytes: Bytes,
  name: string,
  { nodata, time = 0 }: { readonly nodata?: number | undefined; readonly time?: number | undefined } = {},
): Promise<Nifti> {
  const start = new Uint8Array(Math.min(HEADER_2, bytes.size));
  await bytes.read(start, 0);
  const header = await headerOf(start, name);
  const { dims, datatypeCode, littleEndian, scl_slope, scl_inter, vox_offset } = header;
  const type = TYPES[datatypeCode];
  if (!type) {
    throw new FileError(
      `Expected ${name} to hold integers of up to 32 bits, float32 or float64, got ${NAMES[datatypeCode] ?? `the datatype ${datatypeCode}`}; convert it to int32 or float32.`,
    );
  }
  const [axes = 0, width = 0, height = 1, depth = 1, fourth = 1, ...more] = dims;
  if (more.slice(0, Math.max(0, axes - 4)).some((n) => n > 1)) {
    throw new FileError(
      `Expected ${name} to hold at most four dimensions, got ${dims.slice(1, axes + 1).join(" x ")}.`,
    );
  }
  const times = axes > 3 ? Math.max(1, fourth) : 1;
  if (time >= times) throw new UsageError(`Expected --time to be from 0 to ${times - 1} for ${name}, got ${time}.`);
  const size = { width, height: axes > 1 ? height : 1, depth: axes > 2 ? depth : 1 };
  if (!Object.values(size).every((n) => Number.isInteger(n) && n > 0)) {
    throw new FileError(`Expected ${name} to have sides of at least 1, got ${dims.slice(1, 4).join(" x ")}.`);
  }
  // In a single file (n+1) the header lies before the voxels; in a pair (ni1) the voxels may begin at 0.
  if (!(Number.isFinite(vox_offset) && vox_offset >= 0)) {
    throw new FileError(`Expected the voxels of ${name} to begin at 0 or later, got the offset ${vox_offset}.`);
  }
  const from = vox_offset + time * size.width * size.height * size.depth * STORED_BYTES[type];
  checkLength(bytes, from, size, type, name);
  // A slope of 0 means that values are not scaled.
  const scaled = Number.isFinite(scl_slope) && scl_slope !== 0 && Number.isFinite(scl_inter);
  const encoding = { type, littleEndian, slope: scaled ? scl_slope : 1, intercept: scaled ? scl_inter : 0, nodata };
  const orientation = orientationOf(header);
  const notes: string[] = [];
  const sides = voxelOf(orientation, name, notes);
  const source = bytesSource(bytes, from, { ...size, spacing: sides ?? [1, 1, 1] }, encoding, name);
  const unit = UNITS[orientation.units & 7];
  const calibration = sides && { spacing: sides, unit };
  return { source, times, notes, place: { orientation, ...(calibration ? { calibration } : {}) } };
}

/** Two sizes of a voxel agree if they differ by at most this part. */
const SIZE_TOLERANCE = 0.01;
/** Axes are at right angles if the cosine between them is at most this. */
const SHEAR_TOLERANCE = 0.01;

/**
 * The size of a voxel: pixdim or, on an axis where it is 0, NaN or missing, the length of the affine transform's column (NIfTI-1, method
 * 3). Undefined if an axis has neither. Notes say where the two disagree, and where the transform shears.
 */
function voxelOf(
  { pixDims, sformCode, affine }: Orientation,
  name: string,
  notes: string[],
): [number, number, number] | undefined {
  const columns = [0, 1, 2].map((axis) => affine.map((row) => row[axis] ?? 0));
  const lengths = columns.map((column) => (sformCode > 0 ? Math.hypot(...column) : Number.NaN));
  const isSize = (n: number): boolean => Number.isFinite(n) && n > 0;
  const told = [1, 2, 3].map((axis) => Math.abs(pixDims[axis] ?? 0));
  const sides = told.map((own, axis) => (isSize(own) ? own : lengths[axis]));
  if (!sides.every(isSize)) return undefined;
  const text = (list: readonly number[]): string => list.map((n) => String(Number(n.toPrecision(6)))).join(" x ");
  if (lengths.every(isSize)) {
    const differs = told.map(
      (own, axis) => isSize(own) && Math.abs(own - lengths[axis]) > SIZE_TOLERANCE * lengths[axis],
    );
    if (differs.includes(true)) {
      notes.push(
        `${name} has voxels of ${text(sides)} by its pixdim, and of ${text(lengths)} by its affine transform; the first are used (--spacing sets others)`,
      );
    }
    const cosines = [0, 1, 2].map((axis) => {
      const [a, b] = [columns[axis], columns[(axis + 1) % 3]];
      return Math.abs(a.reduce((sum, value, i) => sum + value * b[i], 0)) / (Math.hypot(...a) * Math.hypot(...b));
    });
    if (Math.max(...cosines) > SHEAR_TOLERANCE) {
      notes.push(
        `${name} has a sheared grid: lengths and distances along its axes are not those of the space it defines`,
      );
    }
  }
  return sides as [number, number, number];
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

/** The code of a unit of space, 0 where NIfTI has none. */
function codeOf(unit: string | undefined): number {
  return Number(Object.keys(UNITS).find((code) => UNITS[Number(code)] === unit) ?? 0);
}

/** The orientation of a volume if only the size of its voxels is known. */
function plainOrientation(spacing: readonly number[], unit: string | undefined): Orientation {
  const axes = [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => (row === column ? spacing[row] : 0)));
  return {
    ...{ version: 1, pixDims: [1, ...spacing, 0, 0, 0, 0], units: codeOf(unit), qformCode: 0, sformCode: 0 },
    ...{ quaternion: [0, 0, 0], offset: [0, 0, 0], affine: axes },
  };
}

/**
 * Writes u32, f32 or bool (as uint8), in the NIfTI version of the input, or as NIfTI-2 where a side is too long for NIfTI-1.
 * @example
 * import { fillOf, MemoryOutput, writeNifti } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 8, height: 8, depth: 8 };
 * await writeNifti(file, { ...size, type: "f32" }, fillOf(new Float32Array(512), size));
 * console.log(file.bytes().length); // 2400
 */
export async function writeNifti(file: Output, layout: Layout, fill: Fill): Promise<void> {
  await file.write(niftiHeader(layout));
  await fill(sinkTo(file));
}

function niftiHeader({
  width,
  height,
  depth,
  spacing,
  type,
  unit,
  orientation,
  labels = false,
  description,
}: Layout): Uint8Array {
  const place = orientation ?? plainOrientation([...(spacing ?? []), 1, 1, 1].slice(0, 3), unit);
  const { pixDims, quaternion, offset, affine, qformCode, sformCode, units } = place;
  const two = place.version === 2 || Math.max(width, height, depth) > MOST_SIDE;
  const header = new Uint8Array(two ? HEADER_2 : HEADER_1);
  const view = new DataView(header.buffer);
  const text = (at: number, characters: string): void => {
    for (let i = 0; i < characters.length; i++) header[at + i] = characters.charCodeAt(i);
  };
  const float = (at: number, index: number, value: number): void => {
    if (two) view.setFloat64(at + 8 * index, value, true);
    else view.setFloat32(at + 4 * index, value, true);
  };
  const code = (at: number, value: number): void => {
    if (two) view.setInt32(at, value, true);
    else view.setInt16(at, value, true);
  };
  view.setInt32(0, two ? 540 : 348, true);
  if (two) text(4, "n+2\0\r\n\x1a\n");
  else text(344, "n+1\0");
  view.setInt16(two ? 12 : 70, type === "f32" ? FLOAT32 : type === "bool" ? UINT8 : UINT32, true);
  view.setInt16(two ? 14 : 72, type === "bool" ? 8 : 32, true);
  for (const [i, side] of [3, width, height, depth, 1, 1, 1, 1].entries()) {
    if (two) view.setBigInt64(16 + 8 * i, BigInt(side), true);
    else view.setInt16(40 + 2 * i, side, true);
  }
  for (let i = 0; i < 4; i++) float(two ? 104 : 76, i, pixDims[i] ?? 0);
  if (two) view.setBigInt64(168, BigInt(HEADER_2), true);
  else view.setFloat32(108, HEADER_1, true);
  float(two ? 176 : 112, 0, 1);
  code(two ? 344 : 252, qformCode);
  code(two ? 348 : 254, sformCode);
  for (let i = 0; i < 3; i++) {
    float(two ? 352 : 256, i, quaternion[i]);
    float(two ? 376 : 268, i, offset[i]);
    for (let k = 0; k < 4; k++) float(two ? 400 : 280, 4 * i + k, affine[i]?.[k] ?? 0);
  }
  if (two) {
    view.setInt32(500, units, true);
    view.setInt32(504, labels ? LABELS : 0, true);
  } else {
    view.setUint8(123, units & 0xff);
    view.setInt16(68, labels ? LABELS : 0, true);
  }
  text(two ? 240 : 148, description ?? "by skerry");
  return header;
}
