// DICOM slices as one volume: those of a folder, or the frames of a file, in the order of their positions. dicom-frames.ts unpacks them.

import type { DataSet } from "dicom-parser";
import type { Raster } from "skerry";
import { defined } from "skerry/internal";
import type { ToWorld } from "../../affine.js";
import { ARRAYS, bufferBytes, bytesSource, type Encoding, pixelTypeOf, type StoredType } from "../../bytes.js";
import { FileError, UsageError } from "../../errors.js";
import { byNumbers } from "../../order.js";
import { isSheared, type Space, spaceOf } from "../../space.js";
import { framesOf, SYNTAXES, type Syntax } from "./dicom-frames.js";

/** Largest deviation of a step between slices from the median step, as a fraction of it. */
const STEP_TOLERANCE = 0.01;

/** Directions that differ by less than this in every cosine are one. */
const DIRECTION_STEP = 1e-4;

/** The element of a series' number. */
const SERIES = "x0020000e";

/** Whether bytes begin like DICOM: 128 bytes of anything, then "DICM". */
export const isDicom = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(128, 132)) === "DICM";

/** The number of the series of a file, of which the beginning is enough; empty for one that tells none. */
export async function seriesOfDicom(bytes: Uint8Array): Promise<string> {
  const { default: parser } = await import("dicom-parser");
  try {
    return parser.parseDicom(bytes, { untilTag: SERIES }).string(SERIES) ?? "";
  } catch {
    // A file that is damaged is refused when it is read.
    return "";
  }
}

/**
 * The files of DICOM of a ZIP, in the order of their names.
 * @throws FileError if it holds none
 */
export function dicomsOfZip(entries: Readonly<Record<string, Uint8Array>>, name: string): readonly DicomFile[] {
  const slices = Object.entries(entries).filter(([, bytes]) => isDicom(bytes));
  if (slices.length === 0) throw new FileError(`Expected ${name} to hold files of DICOM, got none.`);
  return slices
    .toSorted(([a], [b]) => byNumbers(a, b))
    .map(([entry, bytes]) => ({ name: entry, contents: async () => bytes }));
}

/** A file of a series: its name, and its bytes, which are read when its turn comes. */
export interface DicomFile {
  readonly name: string;
  readonly contents: () => Promise<Uint8Array>;
}

/** Options of series. */
export interface DicomOptions {
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
  /** The stack that is taken of several. */
  readonly stack?: number | undefined;
  /** Whether uneven steps between slices are taken as even ones. */
  readonly allowGaps?: boolean | undefined;
}

/** The last part of a path. */
const basename = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

interface Slice {
  readonly file: string;
  /** The elements of the file, or of one of its frames. */
  readonly data: DataSet;
  readonly series: string;
  readonly columns: number;
  readonly rows: number;
  /** Size of a pixel along x and y. */
  readonly spacing: readonly [number, number];
  /** Along the normal of the slice; undefined if the file has no position. */
  readonly position: number | undefined;
  readonly number: number;
  readonly encoding: Encoding;
  /** Bits of a word, those of them that are stored, the place of the highest stored one, and whether that is a sign. */
  readonly bits: {
    readonly allocated: number;
    readonly stored: number;
    readonly high: number;
    readonly signed: boolean;
  };
  readonly syntax: Syntax;
  /** Stored values, unpacked. */
  readonly bytes: Uint8Array;
}

/** Slices that form one volume: of one series, direction, size of a pixel and size. */
function stacksOf(slices: readonly Slice[]): readonly (readonly Slice[])[] {
  const stacks = new Map<string, Slice[]>();
  for (const slice of slices) {
    const { series, columns, rows, spacing, data } = slice;
    const way = [0, 1, 2, 3, 4, 5].map((i) => Math.round((numberAt(data, "x00200037", i) ?? 0) / DIRECTION_STEP));
    const key = JSON.stringify([series, columns, rows, spacing, way]);
    stacks.set(key, [...(stacks.get(key) ?? []), slice]);
  }
  return [...stacks.values()];
}

/** The stack that is asked for, or the only one. */
function chosenStack(stacks: readonly (readonly Slice[])[], folder: string, stack: number | undefined): Slice[] {
  if (stack !== undefined && stack >= stacks.length) {
    throw new UsageError(`Expected --stack to be from 0 to ${stacks.length - 1} for ${folder}, got ${stack}.`);
  }
  if (stack === undefined && stacks.length > 1) {
    const kinds = stacks.map((stack, i) => {
      const [{ file, columns, rows, spacing }] = stack;
      const count = `${stack.length} ${stack.length === 1 ? "slice" : "slices"}`;
      return `${i}: ${count} of ${columns} x ${rows} pixels of ${spacing.join(" x ")}, from ${basename(file)}`;
    });
    const shown = kinds.length > MOST_STACKS ? [...kinds.slice(0, MOST_STACKS), "..."] : kinds;
    throw new FileError(
      `Expected the slices of ${folder} to form one stack, got ${stacks.length} of other series, directions or sizes; take one with --stack N (${shown.join("; ")}).`,
    );
  }
  return [...stacks[stack ?? 0]];
}

/** Stacks that a message lists. */
const MOST_STACKS = 8;

/**
 * Reads a stack of slices. `folder` is the name of all of them in messages.
 * @throws FileError if the files are damaged, compressed, or form no stack
 */
export async function readDicom(
  files: readonly DicomFile[],
  folder: string,
  { nodata, stack, allowGaps = false }: DicomOptions = {},
): Promise<{ raster: Raster & { channels: 1 }; notes: string[]; space: Space; compression: string }> {
  const { default: parser } = await import("dicom-parser");
  const all: Slice[] = [];
  for (const { name, contents } of files) all.push(...(await parseSlices(parser, await contents(), name, nodata)));
  const stacks = stacksOf(all);
  const slices = chosenStack(stacks, folder, stack);
  const [first] = slices as [Slice];
  const placed = slices.every(({ position }) => position !== undefined);
  slices.sort((a, b) => (placed ? (a.position as number) - (b.position as number) : a.number - b.number));
  const notes: string[] = [];
  if (!placed) notes.push(`${folder} has slices without a position; they are in the order of their instance numbers`);
  const [between, ...others] = slices.map(({ data }) => numberAt(data, "x00180088", 0));
  const isEven =
    between !== undefined &&
    others.every((spacing) => spacing !== undefined && Math.abs(spacing - between) <= STEP_TOLERANCE * between);
  const step =
    placed && slices.length > 1
      ? stepOf(slices, folder, allowGaps, notes)
      : isEven && between > 0
        ? between
        : undefined;
  // If all slices are stored alike, the volume has their type; otherwise it is f32.
  const alike = slices.every(({ encoding }) => JSON.stringify(encoding) === JSON.stringify(first.encoding));
  const type = alike ? pixelTypeOf(first.encoding) : "f32";
  const { columns: width, rows: height } = first;
  const data = new ARRAYS[type](width * height * slices.length);
  for (const [z, slice] of slices.entries()) {
    const { encoding, file } = slice;
    const bytes = bufferBytes(storedValues(slice, width * height) ?? slice.bytes);
    const source = bytesSource(bytes, 0, { width, height, depth: 1 }, encoding, file);
    const plane = new ARRAYS[source.type](width * height);
    await source.read(0, 1, 0, height, plane, {});
    data.set(plane, z * width * height);
    // An unscaled slice among scaled ones: scaled slices have NaN for nodata, so this one gets NaN, too.
    if (source.nodata === undefined || alike) continue;
    for (let i = 0; i < plane.length; i++) if (plane[i] === source.nodata) data[z * width * height + i] = Number.NaN;
  }
  const [across, down] = first.spacing;
  const spacing = [across, down, step ?? 1] as const;
  const plain = alike && type !== "f32" && nodata !== undefined ? { nodata } : {};
  const raster = { data, width, height, depth: slices.length, channels: 1 as const, ...plain };
  const isSized = first.data.string("x00280030")?.trim() !== "" && first.data.string("x00280030") !== undefined;
  const space = spaceOf(
    defined({
      size: raster,
      spacing: isSized ? [across, down, step] : undefined,
      unit: isSized ? "mm" : undefined,
      toWorld: placed ? placeOf(slices, spacing) : undefined,
      crs: placed ? { kind: "patient", version: 1, sform: 1 } : undefined,
      others: stacks.length > 1 ? [{ name: "stack", size: stacks.length }] : [],
      taken: stack === undefined ? {} : { stack },
    }),
  );
  if (isSheared(space)) {
    notes.push(
      `${folder} has slices that lie askew: lengths and distances along its axes are not those of the space it defines`,
    );
  }
  const compression = first.syntax.name;
  return { raster, notes: [...notes, ...valueNotes(first, folder, nodata)], space, compression };
}

/** Notes on stored values that mean something else than their number: inverted greys, and padding. */
function valueNotes({ data, encoding, bits, syntax }: Slice, folder: string, nodata: number | undefined): string[] {
  const isInverted = data.string("x00280004")?.trim() === "MONOCHROME1";
  const padding = bits.signed ? data.int16("x00280120") : data.uint16("x00280120");
  const ratio = data.string("x00280034")?.split("\\").map(Number) ?? [1, 1];
  const isOblong = (data.string("x00280030")?.trim() ?? "") === "" && ratio[0] !== ratio[1];
  const isLossy = syntax.isLossy || data.string("x00282110")?.trim() === "01";
  const isPadded = padding !== undefined && nodata === undefined && encoding.nodata === undefined;
  return [
    ...(isOblong
      ? [
          `${folder} tells a ratio of its pixels' sides, ${ratio.join(" to ")}, and no size; they count as squares (--spacing X,Y,Z sets one)`,
        ]
      : []),
    ...(isLossy ? [`${folder} was compressed with loss: values are near those that were measured`] : []),
    ...(isInverted
      ? [`${folder} is MONOCHROME1, whose least values are shown white; values are as they are stored`]
      : []),
    ...(isPadded
      ? [
          `${folder} pads with the stored value ${padding}, which counts as measured (--nodata ${padding} leaves it out)`,
        ]
      : []),
  ];
}

/**
 * The values of a slice whose words have unused bits, which may hold anything (PS3.5, 8.1.1): only the stored bits below and at the high bit
 * count, with the sign that the highest of them has. Undefined if all bits are stored. Example of 12 stored bits, signed, in words of 16:
 * 0x1f9c has the bits 0xf9c, which are -100.
 */
function storedValues({ bytes, bits, encoding }: Slice, count: number): Uint8Array | undefined {
  const { allocated, stored, high, signed } = bits;
  if (stored === allocated) return undefined;
  const size = allocated / 8;
  const from = new DataView(bytes.buffer, bytes.byteOffset, count * size);
  const unpacked = new Uint8Array(count * size);
  const to = new DataView(unpacked.buffer);
  const { littleEndian } = encoding;
  // Words of 32 bits are shifted without their sign; a shift left of 0 keeps 32 stored bits, which do not come here.
  const spare = 32 - stored;
  for (let i = 0; i < count; i++) {
    const at = i * size;
    const word =
      size === 1 ? from.getUint8(at) : size === 2 ? from.getUint16(at, littleEndian) : from.getUint32(at, littleEndian);
    const sample = (word >>> (high + 1 - stored)) << spare;
    const value = signed ? sample >> spare : sample >>> spare;
    if (size === 1) to.setUint8(at, value);
    else if (size === 2) to.setUint16(at, value, littleEndian);
    else to.setUint32(at, value, littleEndian);
  }
  return unpacked;
}

/**
 * Position of the volume in the patient, as NIfTI has it: DICOM's x and y point to the left and the back of the patient, NIfTI's to
 * the right and the front.
 */
function placeOf(slices: readonly Slice[], [dx, dy, dz]: readonly [number, number, number]): ToWorld {
  const [first] = slices;
  const last = slices[slices.length - 1];
  const vector = (data: DataSet, tag: string, from: number): number[] =>
    [0, 1, 2].map((i) => numberAt(data, tag, from + i) ?? 0);
  const across = vector(first.data, "x00200037", 0);
  const down = vector(first.data, "x00200037", 3);
  const begin = vector(first.data, "x00200032", 0);
  const end = vector(last.data, "x00200032", 0);
  const normal = [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return across[j] * down[k] - across[k] * down[j];
  });
  const through =
    slices.length > 1 ? end.map((value, i) => (value - begin[i]) / (slices.length - 1)) : normal.map((n) => n * dz);
  return [0, 1, 2].map((i) => {
    const sign = i < 2 ? -1 : 1;
    return [across[i] * dx, down[i] * dy, through[i], begin[i]].map((value) => sign * value);
  }) as unknown as ToWorld;
}

/**
 * The distance of neighbouring slices. Two slices at one place are rejected, and so are steps that differ; with `allowGaps` the step is
 * their mean, (last - first) / (n - 1).
 */
function stepOf(slices: readonly Slice[], folder: string, allowGaps: boolean, notes: string[]): number {
  const steps = slices.slice(1).map(({ position }, i) => (position as number) - (slices[i]?.position as number));
  if (steps.length === 0) return 1;
  const namesAt = (i: number): string => [slices[i], slices[i + 1]].map(({ file }) => basename(file)).join(" and ");
  const same = steps.findIndex((step) => step <= 0);
  if (same >= 0) {
    throw new FileError(
      `Expected the slices of ${folder} to have different positions, got ${namesAt(same)} at the same one.`,
    );
  }
  const middle = [...steps].sort((a, b) => a - b)[(steps.length - 1) >> 1];
  const uneven = steps.flatMap((step, i) => (Math.abs(step - middle) > STEP_TOLERANCE * middle ? [i] : []));
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  if (uneven.length === 0) return mean;
  const digits = (n: number): string => String(Number(n.toPrecision(6)));
  if (!allowGaps) {
    const gaps = uneven.map((i) => `${namesAt(i)} ${digits(steps[i])}`);
    const shown = gaps.length > MOST_STACKS ? [...gaps.slice(0, MOST_STACKS), "..."] : gaps;
    throw new FileError(
      `Expected even steps between the slices of ${folder}, got ${uneven.length} of ${steps.length} that differ from ${digits(middle)} by more than 1 %: ${shown.join(", ")}; --allow-gaps takes the mean step, ${digits(mean)}.`,
    );
  }
  notes.push(
    `${folder} has steps of ${digits(Math.min(...steps))} to ${digits(Math.max(...steps))} between its slices; the mean, ${digits(mean)}, is used`,
  );
  return mean;
}

/** A file whose data set is deflated. */
class Compressed extends Error {}

/**
 * A frame of a file of several: what its functional groups tell of it (PS3.3, C.7.6.16), then those that all frames share, then the file.
 */
function frameOf(data: DataSet, index: number): DataSet {
  const { x52009230: own, x52009229: shared } = data.elements;
  const groups = [own?.items?.[index]?.dataSet, shared?.items?.[0]?.dataSet];
  const inner = groups.flatMap((group) =>
    Object.values(group?.elements ?? {}).flatMap(({ items }) => items?.[0]?.dataSet ?? []),
  );
  const string: DataSet["string"] = (tag, at) => (inner.find(({ elements }) => elements[tag]) ?? data).string(tag, at);
  return Object.assign(Object.create(data) as DataSet, { string });
}

/**
 * The file with (7FE0,0001) and (7FE0,0002), tables of where frames begin and how long they are, as unknown elements: the parser does not know
 * their kind, 64-bit integers (OV), and would take their length from the wrong bytes.
 */
function withKnownKinds(buffer: Uint8Array): Uint8Array {
  let known = buffer;
  for (let at = buffer.indexOf(0xe0); at >= 0; at = buffer.indexOf(0xe0, at + 1)) {
    const isTable = buffer[at + 1] === 0x7f && (buffer[at + 2] === 1 || buffer[at + 2] === 2) && buffer[at + 3] === 0;
    if (!isTable || String.fromCharCode(...buffer.subarray(at + 4, at + 8)) !== "OV\0\0") continue;
    if (known === buffer) known = buffer.slice();
    // "UN"
    known.set([0x55, 0x4e], at + 4);
  }
  return known;
}

async function parseSlices(
  parser: typeof import("dicom-parser"),
  buffer: Uint8Array,
  file: string,
  nodata: number | undefined,
): Promise<Slice[]> {
  let data: DataSet;
  try {
    // Deflated files are refused like other compressed ones, before they are unpacked to whatever size.
    data = parser.parseDicom(withKnownKinds(buffer), {
      inflater: () => {
        throw new Compressed();
      },
    });
  } catch (error) {
    const packed = error instanceof Compressed;
    const reason = packed ? "it is deflated, which is not read" : "it is damaged or cut off";
    throw new FileError(`Could not read ${file}: ${reason}.`, { cause: error });
  }
  const syntax = data.string("x00020010") ?? "1.2.840.10008.1.2";
  const known = SYNTAXES[syntax];
  if (!known) {
    throw new FileError(
      `Expected ${file} to be DICOM without compression, of run lengths, JPEG, JPEG-LS or JPEG 2000, got the transfer syntax ${syntax}; unpack it, for example with gdcmconv --raw.`,
    );
  }
  const { littleEndian } = known;
  const [rows, columns] = [data.uint16("x00280010"), data.uint16("x00280011")];
  const pixels = data.elements.x7fe00010;
  const samples = data.uint16("x00280002") ?? 1;
  const frames = Number(data.string("x00280008") ?? 1);
  if (!rows || !columns || !pixels) throw new FileError(`Expected ${file} to hold an image, got none.`);
  if (samples !== 1 || !(frames >= 1)) {
    throw new FileError(`Expected ${file} to hold grey frames, got ${frames} of ${samples} samples.`);
  }
  const colours = data.string("x00280004")?.trim() ?? "MONOCHROME2";
  if (!colours.startsWith("MONOCHROME")) {
    throw new FileError(
      `Expected ${file} to hold grey values, MONOCHROME1 or MONOCHROME2, got ${colours.slice(0, 30)}.`,
    );
  }
  if (data.elements.x00283000 && !data.elements.x00281053) {
    throw new FileError(
      `Expected ${file} to tell its values by rescale slope and intercept, got a modality table; convert it.`,
    );
  }
  const bits = data.uint16("x00280100") ?? 16;
  const signed = data.uint16("x00280103") === 1;
  const type = ({ 8: "8", 16: "16", 32: "32" } as Record<number, string>)[bits];
  if (!type) throw new FileError(`Expected ${file} to have 8, 16 or 32 bits a pixel, got ${bits}.`);
  const stored = data.uint16("x00280101") ?? bits;
  const high = data.uint16("x00280102") ?? stored - 1;
  if (stored < 1 || stored > bits || high < stored - 1 || high >= bits) {
    throw new FileError(
      `Expected ${file} to store 1 to ${bits} bits below its high bit, got ${stored} stored bits and the high bit ${high} of ${bits}.`,
    );
  }
  const found = await framesOf(parser, data, known, file, frames, { columns, rows, size: bits / 8 });
  return found.map((bytes, i) => {
    const frame = frames > 1 ? frameOf(data, i) : data;
    const slope = numberAt(frame, "x00281053", 0) ?? 1;
    const intercept = numberAt(frame, "x00281052", 0) ?? 0;
    if (!Number.isFinite(slope) || !Number.isFinite(intercept)) {
      throw new FileError(
        `Expected ${file} to have numbers as rescale slope and intercept, got ${slope} and ${intercept}.`,
      );
    }
    return {
      file,
      data: frame,
      rows,
      columns,
      series: data.string(SERIES) ?? "no series",
      spacing: spacingOf(frame, file),
      // One place for all frames is that of none.
      position: frames > 1 && !data.elements.x52009230 ? undefined : positionOf(frame),
      number: frames > 1 ? i : (numberAt(data, "x00200013", 0) ?? 0),
      bits: { allocated: bits, stored, high, signed },
      encoding: { type: `${signed ? "i" : "u"}${type}` as StoredType, littleEndian, slope, intercept, nodata },
      syntax: known,
      bytes,
    };
  });
}

/** The size of a pixel along x and y; the header stores the distance between rows first. */
function spacingOf(data: DataSet, file: string): [number, number] {
  const text = data.string("x00280030");
  if (text === undefined || text.trim() === "") return [1, 1];
  const parts = text.split("\\").map(Number);
  const [down, across] = parts;
  if (parts.length !== 2 || !parts.every((n) => Number.isFinite(n) && n > 0)) {
    throw new FileError(`Expected PixelSpacing of ${file} to be two numbers above 0, got ${text.slice(0, 40)}.`);
  }
  return [across, down];
}

/** A number of a list; undefined beyond its end, where the parser would throw. */
function numberAt(data: DataSet, tag: string, index: number): number | undefined {
  const text = data.string(tag)?.split("\\")[index];
  return text === undefined || text.trim() === "" ? undefined : Number(text);
}

/** The slice's position along its normal, which is the cross product of the two directions in its plane. */
function positionOf(data: DataSet): number | undefined {
  const at = [0, 1, 2].map((i) => numberAt(data, "x00200032", i));
  const way = [0, 1, 2, 3, 4, 5].map((i) => numberAt(data, "x00200037", i));
  if (![...at, ...way].every((n) => n !== undefined && Number.isFinite(n))) return undefined;
  const [x, y, z] = at as [number, number, number];
  const [a, b, c, d, e, f] = way as [number, number, number, number, number, number];
  return x * (b * f - c * e) + y * (c * d - a * f) + z * (a * e - b * d);
}
