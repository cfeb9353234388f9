// Reads NIfTI-1 and NIfTI-2: headers through nifti-reader-js, voxels by this module. Writes values with the orientation of the
// input. Callers unpack .nii.gz.

import type { NIFTI1, NIFTI2 } from "nifti-reader-js";
import type { Source } from "skerry";
import { defined } from "skerry/internal";
import type { ToWorld } from "../affine.js";
import { type Bytes, bytesSource, checkLength, STORED_BYTES, type StoredType } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { fitted } from "../fitted.js";
import type { Ids } from "../integers.js";
import type { Fill, Layout, ValueType } from "../layout.js";
import { type Output, sinkTo } from "../output.js";
import { inUnit, lengthUnitOf, type PatientCrs, plainSpace, type Space, spaceOf, spacingOf } from "../space.js";
import { channelOf, gridNotes, STORED_NAMES, severalOf, timeOf, type VolumeOptions } from "./volumes/volume.js";

/** The header's datatype codes. */
const TYPES: Record<number, StoredType> = {
  2: "u8",
  4: "i16",
  8: "i32",
  16: "f32",
  64: "f64",
  128: "u8",
  256: "i8",
  512: "u16",
  768: "u32",
  1024: "i64",
  1280: "u64",
};
/** The names of types that are not read. */
const NAMES: Record<number, string> = {
  1: "single bits",
  32: "complex64",
  1536: "float128",
  1792: "complex128",
  2048: "complex256",
  2304: "RGBA",
};
/** Values of a voxel: red, green and blue lie side by side. */
const BANDS: Readonly<Record<number, 1 | 3>> = { 128: 3 };
/** Codes of the types that are written, and their bits. */
const WRITTEN: Readonly<Record<ValueType, readonly [code: number, bits: number]>> = {
  bool: [2, 8],
  u8: [2, 8],
  u16: [512, 16],
  i16: [4, 16],
  u32: [768, 32],
  i32: [8, 32],
  f32: [16, 32],
};
/** The intent of label images. */
const LABELS = 1002;
/** Bytes before the voxels: of NIfTI-1, and of NIfTI-2. */
const [HEADER_1, HEADER_2] = [352, 544];
/** NIfTI-1 holds sides as i16. */
const MOST_SIDE = 32767;

/** Number of bytes at the start of a file that hold any header. */
export const NIFTI_HEADER_BYTES = HEADER_2;

/** A volume and what is known of it. */
export interface Nifti {
  readonly source: Source & { unlike: number; ids?: Ids };
  readonly space: Space;
  /** The version of the header, and NumPy's name of the stored type. */
  readonly version: 1 | 2;
  readonly stored: string;
  /** Sentences about the size of a voxel, where the header's two sources of it differ. */
  readonly notes: readonly string[];
}

/** Options of {@link openNifti}. */
export interface NiftiOptions extends VolumeOptions {
  /** The bytes of the voxels, if they lie in a file of their own, as in a pair of .hdr and .img. */
  readonly voxels?: Bytes | undefined;
}

/** Units of space by their codes. */
const UNITS: Readonly<Record<number, string>> = { 1: "m", 2: "mm", 3: "\u00b5m" };

/** Whether the first bytes of a file are a header of Analyze 7.5, from which NIfTI-1 comes: its size, a number of axes, no sign of NIfTI. */
export function isAnalyze(start: Uint8Array): boolean {
  if (start.length < 348 || isNifti(start)) return false;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  return [true, false].some((little) => {
    const axes = view.getInt16(40, little);
    return view.getInt32(0, little) === 348 && axes >= 1 && axes <= 7;
  });
}

/** A header of Analyze as one of NIfTI-1: what has another meaning there is left out, but for the scale of SPM; lengths are millimetres. */
function asNifti(analyze: Uint8Array): Uint8Array {
  const start = new Uint8Array(analyze.subarray(0, HEADER_2));
  const view = new DataView(start.buffer);
  start.fill(0, 56, 70).fill(0, 116, 148).fill(0, 252, 348);
  view.setFloat32(76, 0);
  view.setUint8(123, 2);
  start.set([0x6e, 0x69, 0x31, 0], 344);
  return start;
}

/** Whether the first bytes of an uncompressed file are a NIfTI header. */
export function isNifti(start: Uint8Array): boolean {
  if (start.length < 348) return false;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const size = [view.getInt32(0, true), view.getInt32(0, false)];
  const text = (at: number): string => String.fromCharCode(...start.subarray(at, at + 3));
  return (size.includes(348) && /^n[+i]1$/.test(text(344))) || (size.includes(540) && /^n[+i]2$/.test(text(4)));
}

/**
 * The length of a file in bytes up to its last voxel, computed from its first {@link NIFTI_HEADER_BYTES} bytes.
 * @throws FileError if the header is not one of NIfTI
 */
export async function niftiBytes(start: Uint8Array, name: string): Promise<number> {
  return Math.max(HEADER_2, await voxelsEnd(start, name));
}

/** The length in bytes of the file that holds the voxels of a header. */
export async function voxelsEnd(start: Uint8Array, name: string): Promise<number> {
  const { dims, datatypeCode, vox_offset } = await headerOf(start, name);
  const [axes = 0, ...sides] = dims;
  if (!(vox_offset >= 0)) return 0;
  const values = sides.slice(0, axes).reduce((product, side) => product * Math.max(1, side), 1);
  const bytes = STORED_BYTES[TYPES[datatypeCode] ?? "f64"] * (BANDS[datatypeCode] ?? 1);
  return Math.ceil(vox_offset + values * bytes);
}

/** The number of times that the header at the start of a file tells. */
export async function niftiTimes(start: Uint8Array, name: string): Promise<number> {
  const { dims } = await headerOf(start, name);
  return dims.slice(4, (dims[0] ?? 0) + 1).reduce((product, side) => product * Math.max(1, side), 1);
}

/** The header at the start of a file, without the extensions that may follow it. */
async function headerOf(bytes: Uint8Array, name: string): Promise<NIFTI1 | NIFTI2> {
  // The header of a pair ends without the four bytes that tell of extensions.
  const given = isAnalyze(bytes) ? asNifti(bytes) : bytes.subarray(0, HEADER_2);
  const start = new Uint8Array(given.length >= 348 ? Math.max(HEADER_1, given.length) : given.length);
  start.set(given);
  // If these four bytes are not 0, the reader looks for extensions, which begin beyond the bytes passed to it.
  const view = new DataView(start.buffer);
  const two = start.length >= 4 && [view.getInt32(0, true), view.getInt32(0, false)].includes(540);
  start.fill(0, two ? 540 : 348, two ? HEADER_2 : HEADER_1);
  const { readHeader } = await import("nifti-reader-js");
  let header: NIFTI1 | NIFTI2 | null = null;
  try {
    header = readHeader(start.buffer, true);
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
export async function openNifti(bytes: Bytes, name: string, options: NiftiOptions = {}): Promise<Nifti> {
  const { nodata, voxels = bytes } = options;
  const first = new Uint8Array(Math.min(HEADER_2, bytes.size));
  await bytes.read(first, 0);
  const isOld = isAnalyze(first);
  const start = isOld ? asNifti(first) : first;
  const header = await headerOf(start, name);
  const { dims, datatypeCode, littleEndian, scl_slope, scl_inter, vox_offset } = header;
  const type = TYPES[datatypeCode];
  if (!type) {
    throw new FileError(
      `Expected ${name} to hold integers, float32 or float64, got ${NAMES[datatypeCode] ?? `the datatype ${datatypeCode}`}; convert it to int32 or float32.`,
    );
  }
  const [axes = 0, width = 0, height = 1, depth = 1, ...further] = dims;
  const [fourth = 1, fifth = 1, ...more] = further.slice(0, Math.max(0, axes - 3));
  if (more.some((n) => n > 1)) {
    throw new FileError(
      `Expected ${name} to hold at most five dimensions, got ${dims.slice(1, axes + 1).join(" x ")}.`,
    );
  }
  // The fifth dimension has the values of a vector, one volume after the other.
  const [times, channels] = [Math.max(1, fourth), Math.max(1, fifth)];
  const time = timeOf(options, times, name);
  const bands = BANDS[datatypeCode] ?? 1;
  if (bands > 1 && nodata !== undefined) {
    throw new UsageError(`Expected --nodata with a grey input, but ${name} has colours.`);
  }
  // A channel of colours is computed from them.
  const channel = bands > 1 ? 0 : channelOf(options, channels, name);
  const size = { width, height: axes > 1 ? height : 1, depth: axes > 2 ? depth : 1 };
  if (!Object.values(size).every((n) => Number.isInteger(n) && n > 0)) {
    throw new FileError(`Expected ${name} to have sides of at least 1, got ${dims.slice(1, 4).join(" x ")}.`);
  }
  // In a single file (n+1) the header lies before the voxels; in a pair (ni1) the voxels may begin at 0.
  if (!(Number.isFinite(vox_offset) && vox_offset >= 0)) {
    throw new FileError(`Expected the voxels of ${name} to begin at 0 or later, got the offset ${vox_offset}.`);
  }
  const stored = { ...size, width: size.width * bands };
  const volumeBytes = stored.width * size.height * size.depth * STORED_BYTES[type];
  const from = vox_offset + (channel * times + time) * volumeBytes;
  checkLength(voxels, from, stored, type, name);
  // A slope of 0 means that values are not scaled.
  const scaled = bands === 1 && Number.isFinite(scl_slope) && scl_slope !== 0 && Number.isFinite(scl_inter);
  const plain = { type, littleEndian, slope: scaled ? scl_slope : 1, intercept: scaled ? scl_inter : 0, nodata };
  const encoding = await fitted(voxels, from, stored, { ...plain, exact: options.exact }, name, options.ids === true);
  const notes = isOld ? [`${name} is of Analyze 7.5, which tells no place: left and right are unknown`] : [];
  const held = Math.floor((voxels.size - vox_offset) / volumeBytes);
  if (channels === 1 && held < times) {
    notes.push(`${name} ends within its ${times} times; ${held} of them are whole`);
  }
  const { crs, toWorld } = placeOf(header, start);
  const unit = UNITS[header.xyzt_units & 7];
  const sides = voxelOf(header.pixDims, toWorld, name, notes);
  const space = spaceOf(
    defined({
      size,
      unit,
      crs,
      spacing: sides,
      toWorld,
      ...severalOf(options, { channels, times }),
    }),
  );
  notes.push(...gridNotes(space, name));
  const source = bytesSource(voxels, from, { ...stored, spacing: sides ?? [1, 1, 1] }, encoding, name);
  if (bands > 1) Object.assign(source, { width: size.width, channels: bands });
  return { source, space, version: crs?.version ?? 1, stored: STORED_NAMES[type], notes };
}

/** Two sizes of a voxel agree if they differ by at most this part. */
const SIZE_TOLERANCE = 0.01;

/**
 * The size of a voxel: pixdim or, on an axis where it is 0, NaN or missing, the length of the affine transform's column (NIfTI-1, method
 * 3). Undefined if an axis has neither. A note says where the two disagree.
 */
function voxelOf(
  pixDims: readonly number[],
  toWorld: ToWorld | undefined,
  name: string,
  notes: string[],
): [number, number, number] | undefined {
  const lengths = [0, 1, 2].map((axis) => Math.hypot(...(toWorld ?? []).map((row) => row[axis])));
  const isSize = (n: number): boolean => Number.isFinite(n) && n > 0;
  const pixelSides = [1, 2, 3].map((axis) => Math.abs(pixDims[axis] ?? 0));
  const sides = pixelSides.map((side, axis) => (isSize(side) ? side : lengths[axis]));
  if (!sides.every(isSize)) return undefined;
  const text = (list: readonly number[]): string => list.map((n) => String(Number(n.toPrecision(6)))).join(" x ");
  const differs = pixelSides.some(
    (side, axis) =>
      isSize(side) && isSize(lengths[axis]) && Math.abs(side - lengths[axis]) > SIZE_TOLERANCE * lengths[axis],
  );
  if (differs) {
    notes.push(
      `${name} has voxels of ${text(sides)} by its pixdim, and of ${text(lengths)} by its affine transform; the first are used (--spacing sets others)`,
    );
  }
  return sides as [number, number, number];
}

/** The place of a volume: by the sform where its code is above 0, else by the qform; none where both codes are 0 (NIfTI-1, methods 1 to 3). */
function placeOf(
  header: NIFTI1 | NIFTI2,
  start: Uint8Array,
): { readonly crs?: PatientCrs; readonly toWorld?: ToWorld } {
  const { qform_code, sform_code, littleEndian, pixDims } = header;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const version = view.getInt32(0, littleEndian) === 540 ? 2 : 1;
  const number = (i: number): number =>
    version === 2 ? view.getFloat64(400 + 8 * i, littleEndian) : view.getFloat32(280 + 4 * i, littleEndian);
  const rows = [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => number(4 * row + column))) as unknown as ToWorld;
  const isPlace = (toWorld: ToWorld): boolean =>
    toWorld.every((row) => row.every(Number.isFinite)) &&
    [0, 1, 2].every((axis) => toWorld.some((row) => row[axis] !== 0));
  const quaternion = [header.quatern_b, header.quatern_c, header.quatern_d] as const;
  const offset = [header.qoffset_x, header.qoffset_y, header.qoffset_z] as const;
  const qfac = pixDims[0] < 0 ? -1 : 1;
  // Kept where its code is 0, too, so that what is written has the header that was read.
  const turned = quaternionPlace(quaternion, offset, pixDims, qfac);
  const qform = isPlace(turned) ? ({ code: qform_code, quaternion, qfac, toWorld: turned } as const) : undefined;
  const isTold = sform_code > 0 && isPlace(rows);
  const crs: PatientCrs = defined({ kind: "patient", version, sform: isTold ? sform_code : 0, qform });
  const toWorld = isTold ? rows : qform_code > 0 ? qform?.toWorld : undefined;
  return defined({ crs, toWorld });
}

/** The affine transform of a unit quaternion a + bi + cj + dk, an offset and sides (NIfTI-1, method 2). A side that is not told is 1. */
function quaternionPlace(
  quaternion: readonly [number, number, number],
  offset: readonly number[],
  pixDims: readonly number[],
  qfac: 1 | -1,
): ToWorld {
  // Half turns have a = 0, of which rounding to f32 would leave some 0.0003 (nifti1_io: nifti_quatern_to_mat44).
  const rest = 1 - quaternion.reduce((sum, n) => sum + n * n, 0);
  const isHalf = rest < 1e-7;
  const [b, c, d] = isHalf ? quaternion.map((n) => n / Math.hypot(...quaternion)) : quaternion;
  const a = isHalf ? 0 : Math.sqrt(rest);
  const rotation = [
    [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c],
  ];
  const sides = [1, 2, 3].map((axis) => (pixDims[axis] > 0 && Number.isFinite(pixDims[axis]) ? pixDims[axis] : 1));
  return rotation.map((row, i) => [
    row[0] * sides[0],
    row[1] * sides[1],
    row[2] * sides[2] * qfac,
    offset[i],
  ]) as unknown as ToWorld;
}

/** The code of a unit of space, 0 where NIfTI has none. */
function codeOf(unit: string | undefined): number {
  return Number(Object.keys(UNITS).find((code) => UNITS[Number(code)] === unit) ?? 0);
}

/** The part of a Space that a header stores: in metres, millimetres or micrometres, other lengths converted to millimetres. Maps have no place in it. */
function storedOf(given: Space) {
  const unit = lengthUnitOf(given);
  const space = unit === undefined || codeOf(unit) > 0 ? given : (inUnit(given, "mm") ?? given);
  const { crs, toWorld } = space;
  const patient = crs?.kind === "patient" ? crs : undefined;
  const world = crs?.kind === "map" ? undefined : toWorld;
  const [x = 1, y = 1, z = 1] = spacingOf(space) ?? [];
  const qform = patient?.qform;
  // A place by the qform alone stays one.
  const sform = patient && qform && qform.code > 0 && patient.sform === 0 ? 0 : world ? patient?.sform || 1 : 0;
  const plain = [x, y, z].map((side, i) => [0, 1, 2].map((k) => (k === i ? side : 0)).concat(0));
  return {
    version: patient?.version ?? 1,
    sform,
    qform,
    sides: [x, y, z],
    unit: codeOf(lengthUnitOf(space)),
    rows: (sform > 0 && world ? world : (world ?? plain)) as readonly (readonly number[])[],
  };
}

/**
 * Writes values of any type, bool as uint8, in the NIfTI version of the input, or as NIfTI-2 where a side is too long for NIfTI-1.
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

function niftiHeader({ width, height, depth, type, space, labels = false, description }: Layout): Uint8Array {
  const { version, sform, qform, sides, rows, unit } = storedOf(space ?? plainSpace({ width, height, depth }));
  const two = version === 2 || Math.max(width, height, depth) > MOST_SIDE;
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
  const [datatype, bits] = WRITTEN[type];
  view.setInt16(two ? 12 : 70, datatype, true);
  view.setInt16(two ? 14 : 72, bits, true);
  for (const [i, side] of [3, width, height, depth, 1, 1, 1, 1].entries()) {
    if (two) view.setBigInt64(16 + 8 * i, BigInt(side), true);
    else view.setInt16(40 + 2 * i, side, true);
  }
  for (const [i, side] of [qform?.qfac ?? 1, ...sides].entries()) float(two ? 104 : 76, i, side);
  if (two) view.setBigInt64(168, BigInt(HEADER_2), true);
  else view.setFloat32(108, HEADER_1, true);
  float(two ? 176 : 112, 0, 1);
  code(two ? 344 : 252, qform?.code ?? 0);
  code(two ? 348 : 254, sform);
  for (let i = 0; i < 3; i++) {
    float(two ? 352 : 256, i, qform?.quaternion[i] ?? 0);
    float(two ? 376 : 268, i, qform?.toWorld[i][3] ?? 0);
    for (let k = 0; k < 4; k++) float(two ? 400 : 280, 4 * i + k, rows[i]?.[k] ?? 0);
  }
  if (two) {
    view.setInt32(500, unit, true);
    view.setInt32(504, labels ? LABELS : 0, true);
  } else {
    view.setUint8(123, unit);
    view.setInt16(68, labels ? LABELS : 0, true);
  }
  text(two ? 240 : 148, description ?? "by skerry");
  return header;
}
