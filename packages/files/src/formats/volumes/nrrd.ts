// NRRD, the format of Slicer and teem (https://teem.sourceforge.net/nrrd/format.html): headers of lines `field: text`, with the data behind
// them or in a file of its own, raw, as text, or packed by gzip. Reads volumes and images, one of several times and channels; writes values.

import { defined } from "skerry/internal";
import type { ToWorld } from "../../affine.js";
import { type Bytes, bufferBytes, latin1, STORED_BYTES, type StoredType } from "../../bytes.js";
import { FileError } from "../../errors.js";
import type { Fill, Layout } from "../../layout.js";
import { type Output, sinkTo } from "../../output.js";
import { lengthUnitOf, plainSpace, type Space, spaceOf, spacingOf } from "../../space.js";
import { unitFactor } from "../../units.js";
import {
  beginning,
  bytesOf,
  checkPlace,
  checkSides,
  type OpenedVolume,
  type Packing,
  placeOf,
  STORED_NAMES,
  turned,
  type VolumeFile,
  type VolumeOptions,
  volumeOf,
} from "./volume.js";

/** Types by the names that the format gives them. */
const TYPES: Readonly<Record<string, StoredType>> = Object.fromEntries(
  (
    [
      ["i8", "signed char", "int8", "int8_t"],
      ["u8", "uchar", "unsigned char", "uint8", "uint8_t"],
      ["i16", "short", "short int", "signed short", "signed short int", "int16", "int16_t"],
      ["u16", "ushort", "unsigned short", "unsigned short int", "uint16", "uint16_t"],
      ["i32", "int", "signed int", "int32", "int32_t"],
      ["u32", "uint", "unsigned int", "uint32", "uint32_t"],
      ["i64", "longlong", "long long", "long long int", "signed long long", "signed long long int", "int64", "int64_t"],
      ["u64", "ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t"],
      ["f32", "float"],
      ["f64", "double"],
    ] as const
  ).flatMap(([type, ...names]) => names.map((name) => [name, type])),
);

/** Names of fields without spaces, which the format takes, too. */
const ALIASES: Readonly<Record<string, string>> = {
  datafile: "data file",
  byteskip: "byte skip",
  lineskip: "line skip",
  axismins: "axis mins",
  axismaxs: "axis maxs",
  centers: "centerings",
  sampleunits: "sample units",
};

/** Spaces of patients, and the signs that bring their x and y to the patient's right and front. */
const SPACES: Readonly<Record<string, readonly [x: 1 | -1, y: 1 | -1]>> = {
  "right-anterior-superior": [1, 1],
  ras: [1, 1],
  "left-anterior-superior": [-1, 1],
  las: [-1, 1],
  "left-posterior-superior": [-1, -1],
  lps: [-1, -1],
};

/** Kinds of axes along which voxels lie; all others count images or values. */
const SPATIAL = ["domain", "space"];

/** Bytes in which a header ends, at most. */
const MOST_HEADER_BYTES = 2 ** 20;

/** Whether the first bytes of a file are those of a NRRD. */
export const isNrrd = (start: Uint8Array): boolean => /^NRRD000[1-5]\r?\n/.test(latin1(start.subarray(0, 10)));

interface Header {
  /** The text of a field; undefined if it is not there. */
  readonly field: (name: string) => string | undefined;
  /** Bytes of the header, up to the data. */
  readonly length: number;
}

async function headerOf(bytes: Bytes, name: string): Promise<Header> {
  const text = latin1(await beginning(bytes, MOST_HEADER_BYTES, name));
  const end = /\r?\n\r?\n/.exec(text);
  // A header in a file of its own may end without an empty line.
  const isWhole = end !== null || bytes.size < MOST_HEADER_BYTES;
  if (!isWhole)
    throw new FileError(`Could not read ${name}: its header does not end within ${MOST_HEADER_BYTES} bytes.`);
  const lines = text.slice(0, end?.index ?? text.length).split(/\r?\n/);
  const fields = new Map<string, string>();
  for (const line of lines.slice(1)) {
    // "key:=value" is a note of whoever wrote the file.
    const [, key, value] = /^([^:#][^:]*): (.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    const known = key.trim().toLowerCase();
    fields.set(ALIASES[known] ?? known, value.trim());
  }
  return { field: (key) => fields.get(key), length: end ? end.index + end[0].length : text.length };
}

const words = (text: string | undefined): string[] | undefined => text?.split(/\s+/).filter((word) => word !== "");

/** Vectors as in "(1,0,0) none (0,0,1)"; none for axes that are none of space. */
function vectorsOf(text: string | undefined, name: string): (readonly number[] | undefined)[] | undefined {
  if (text === undefined) return undefined;
  return [...text.matchAll(/none|\(([^)]*)\)/g)].map(([, inner]) => {
    if (inner === undefined) return undefined;
    const numbers = inner.split(",").map(Number);
    if (numbers.every(Number.isFinite)) return numbers;
    throw new FileError(`Expected numbers in the space directions and the origin of ${name}, got (${inner}).`);
  });
}

/** The axes of a header: those of voxels, and one of several values before them or of several images behind them. */
function axesOf({ field }: Header, name: string) {
  const sizes = words(field("sizes"))?.map(Number) ?? [];
  const dimension = Number(field("dimension"));
  checkSides(sizes, name);
  if (dimension !== sizes.length) {
    throw new FileError(`Expected ${name} to have as many sizes as its dimension ${dimension}, got ${sizes.length}.`);
  }
  const directions = vectorsOf(field("space directions"), name);
  if (directions && directions.length !== sizes.length) {
    throw new FileError(
      `Expected ${name} to have a space direction for each of its ${sizes.length} axes, got ${directions.length}.`,
    );
  }
  const kinds = words(field("kinds"));
  const isSpatial = sizes.map((_, i) => {
    if (directions) return directions[i] !== undefined;
    const kind = kinds?.[i]?.toLowerCase();
    return kind === undefined || kind === "???" || kind === "none" ? sizes.length < 4 || i < 3 : SPATIAL.includes(kind);
  });
  // A fourth axis of space, as ITK writes it, is one of times.
  const spatial = sizes.flatMap((_, i) => (isSpatial[i] ? [i] : [])).slice(0, 3);
  const [first = 0, last = -1] = [spatial[0], spatial.at(-1)];
  const inside = sizes.slice(first, last + 1);
  const before = sizes.slice(0, first).reduce((product, side) => product * side, 1);
  const behind = sizes.slice(last + 1).reduce((product, side) => product * side, 1);
  if (spatial.length < 1 || spatial.length > 3 || inside.length !== spatial.length || first > 1) {
    throw new FileError(
      `Expected ${name} to hold one value or one list of values for each voxel of one to three axes, got the sizes ${sizes.join(" x ")} of the kinds ${kinds?.join(", ") ?? "that it does not tell"}; unu permute brings axes into another order.`,
    );
  }
  const [width = 1, height = 1, depth = 1] = inside;
  return { sizes, spatial, directions, channels: before, times: behind, size: { width, height, depth } };
}

/** The direction at right angles to two others, along which an image has one pixel. */
function normalOf(a: readonly number[], b: readonly number[]): readonly number[] {
  const cross = [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
  const length = Math.hypot(...cross);
  return length > 0 ? cross.map((n) => n / length) : [0, 0, 1];
}

/** The place and the sides of voxels. */
function spaceIn({ field }: Header, axes: ReturnType<typeof axesOf>, name: string): Space {
  const { spatial, directions, size, sizes } = axes;
  const system = field("space")
    ?.toLowerCase()
    .replace(/-?time$/, "")
    .replace(/^(ras|las|lps)t$/, "$1");
  const signs = system === undefined ? undefined : SPACES[system];
  const isFour = sizes.length === 4 && directions?.every((vector) => vector?.length === 4);
  const quoted = (text: string | undefined): string[] =>
    [...(text ?? "").matchAll(/"([^"]*)"/g)].map(([, unit]) => unit);
  const worldUnits = quoted(field("space units"));
  // Units of the world differ by axis in few files: all are brought to that of x.
  const factors = [0, 1, 2].map((row) => unitFactor(worldUnits[row], worldUnits[0]) ?? 1);
  const scaled = (vector: readonly number[]): number[] => vector.map((n, row) => n * factors[row]);
  const steps =
    directions && spatial.map((axis) => scaled((directions[axis] as readonly number[]).slice(0, isFour ? 3 : 4)));
  const spacings = words(field("spacings"))?.map(Number);
  if (spacings && spacings.length !== sizes.length) {
    throw new FileError(
      `Expected ${name} to have a spacing for each of its ${sizes.length} axes, got ${spacings.length}.`,
    );
  }
  const sides = steps
    ? steps.map((step) => Math.hypot(...step))
    : spacings && spatial.map((axis) => (Number.isFinite(spacings[axis]) ? Math.abs(spacings[axis]) : undefined));
  const unit = steps
    ? worldUnits[0] || (signs ? "mm" : undefined)
    : spatial.map((axis) => quoted(field("units"))[axis]);
  const [origin = steps?.[0].map(() => 0)] = vectorsOf(field("space origin"), name) ?? [];
  let toWorld: ToWorld | undefined;
  const axesOfWorld = steps?.[0].length ?? 0;
  if (steps && origin && (axesOfWorld === 2 || axesOfWorld === 3)) {
    const isSame = [...steps, isFour ? origin.slice(0, 3) : origin].every((vector) => vector.length === axesOfWorld);
    if (!isSame)
      throw new FileError(`Expected the directions and the origin of ${name} to have ${axesOfWorld} numbers each.`);
    const deep = (vector: readonly number[]): readonly number[] => (axesOfWorld === 2 ? [...vector, 0] : vector);
    const [across, down = [0, 1, 0], through = normalOf(across, down)] = steps.map(deep);
    const place = placeOf([across, down, through], deep(scaled(origin)));
    toWorld = place.map((row, i) => (signs?.[i] === -1 ? row.map((n) => 0 - n) : row)) as unknown as ToWorld;
    checkPlace(toWorld, name);
  }
  return spaceOf(
    defined({
      size,
      spacing: sides,
      unit,
      toWorld,
      crs: toWorld && signs ? ({ kind: "patient", version: 1, sform: 1 } as const) : undefined,
    }),
  );
}

/** The data of a header: its bytes, and where they begin. */
async function dataOf(
  { field, length }: Header,
  file: VolumeFile,
  wanted: number,
): Promise<{ readonly bytes: Bytes; readonly from: number; readonly compression: Packing | "none" }> {
  const { name } = file;
  const encoding = (field("encoding") ?? "raw").toLowerCase();
  const other = field("data file");
  if (other !== undefined && (/^list\b/i.test(other) || /%\d*d/.test(other))) {
    throw new FileError(`Expected the data of ${name} in one file, got ${other}; unu save joins them.`);
  }
  const bytes = other === undefined ? file.bytes : await file.beside(other);
  let from = other === undefined ? length : 0;
  const [lines, skip] = [Number(field("line skip") ?? 0), Number(field("byte skip") ?? 0)];
  if (!(Number.isInteger(lines) && lines >= 0 && Number.isInteger(skip) && skip >= -1)) {
    throw new FileError(
      `Expected whole numbers as line skip and byte skip of ${name}, got ${field("line skip") ?? 0} and ${field("byte skip") ?? 0}.`,
    );
  }
  if (lines > 0) from += await skipped(bytes, from, lines, name);
  if (encoding === "raw") {
    const compression = "none" as const;
    return { bytes, from: skip === -1 ? bytes.size - wanted : from + skip, compression };
  }
  if (encoding === "gz" || encoding === "gzip") {
    if (skip === -1)
      throw new FileError(
        `Expected a byte skip of at least 0 for the packed data of ${name}, got -1; unu save writes it without.`,
      );
    return { bytes: file.unpacked(bytes, from, "gzip", wanted + skip), from: skip, compression: "gzip" };
  }
  throw new FileError(
    `Expected the data of ${name} raw, as text or packed by gzip, got the encoding ${encoding}; unu save -e gzip writes another.`,
  );
}

/** Bytes of some lines. */
async function skipped(bytes: Bytes, from: number, lines: number, name: string): Promise<number> {
  const part = new Uint8Array(Math.min(MOST_HEADER_BYTES, bytes.size - from));
  await bytes.read(part, from);
  let at = 0;
  for (let i = 0; i < lines; i++) {
    const end = part.indexOf(10, at);
    if (end < 0) throw new FileError(`Could not read ${name}: it has not the ${lines} lines before its data.`);
    at = end + 1;
  }
  return at;
}

/** The least and the largest value of integers. */
const RANGES: Partial<Record<StoredType, readonly [number, number]>> = {
  u8: [0, 255],
  i8: [-128, 127],
  u16: [0, 65535],
  i16: [-32768, 32767],
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
};

/** Values that are stored as text, in the bytes of their type. */
async function textValues(
  { field, length }: Header,
  file: VolumeFile,
  type: StoredType,
  count: number,
): Promise<Bytes> {
  const { name } = file;
  const other = field("data file");
  const bytes = other === undefined ? file.bytes : await file.beside(other);
  const from = other === undefined ? length : 0;
  const text = new Uint8Array(bytes.size - from);
  await bytes.read(text, from);
  const values = words(latin1(text).replaceAll(",", " ")) ?? [];
  if (values.length !== count) {
    const why = values.length < count ? ": the file is truncated" : "";
    throw new FileError(`Expected ${name} to hold ${count} values, got ${values.length}${why}.`);
  }
  const isFloat = type === "f32" || type === "f64";
  const [low, high] = RANGES[type] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const numberOf = (text: string): number => {
    const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
    const number = word
      ? /^n/i.test(word)
        ? Number.NaN
        : (sign === "-" ? -1 : 1) * Number.POSITIVE_INFINITY
      : Number(text);
    const isHeld = isFloat
      ? word !== undefined || !Number.isNaN(number)
      : Number.isInteger(number) && number >= low && number <= high;
    if (isHeld) return number;
    throw new FileError(`Expected ${name} to hold values of ${STORED_NAMES[type]}, got ${text.slice(0, 40)}.`);
  };
  const out = new Uint8Array(count * STORED_BYTES[type]);
  const view = new DataView(out.buffer);
  for (let i = 0; i < count; i++) {
    const at = i * STORED_BYTES[type];
    if (type === "i64" || type === "u64")
      view.setBigInt64(at, /^[+-]?\d+$/.test(values[i]) ? BigInt(values[i]) : BigInt(numberOf(values[i])), true);
    else if (type === "f64") view.setFloat64(at, numberOf(values[i]), true);
    else if (type === "f32") view.setFloat32(at, numberOf(values[i]), true);
    else if (STORED_BYTES[type] === 1) view.setInt8(at, numberOf(values[i]));
    else if (STORED_BYTES[type] === 2) view.setInt16(at, numberOf(values[i]), true);
    else view.setInt32(at, numberOf(values[i]), true);
  }
  return bufferBytes(out);
}

/**
 * Opens a NRRD; `time` selects one of several images, `channel` one of several values of each voxel.
 * @throws FileError if the file is damaged, or has a type, axes or an encoding that are not read
 * @throws UsageError if it lacks the time or the channel
 */
export async function openNrrd(file: VolumeFile, options: VolumeOptions = {}): Promise<OpenedVolume> {
  const { name, bytes: all } = file;
  const header = await headerOf(all, name);
  const { field } = header;
  const type = TYPES[(field("type") ?? "").toLowerCase()];
  if (!type) {
    throw new FileError(`Expected ${name} to hold integers, float or double, got the type ${field("type") ?? "none"}.`);
  }
  const axes = axesOf(header, name);
  const { size, channels, times } = axes;
  const wanted = bytesOf(size, type, channels) * times;
  const isText = ["ascii", "txt", "text"].includes((field("encoding") ?? "").toLowerCase());
  const { bytes, from, compression } = isText
    ? {
        bytes: await textValues(header, file, type, wanted / STORED_BYTES[type]),
        from: 0,
        compression: "none" as const,
      }
    : await dataOf(header, file, wanted);
  const littleEndian = isText || (field("endian") ?? "little").toLowerCase() !== "big";
  const space = spaceIn(header, axes, name);
  return volumeOf({ bytes, from, size, type, littleEndian, channels, times, compression }, space, options, name);
}

const WRITTEN = { u8: "uint8", u16: "uint16", i16: "int16", u32: "uint32", i32: "int32", f32: "float", bool: "uint8" };

/**
 * Writes values of one channel, raw, with the place in the world of DICOM.
 * @example
 * import { fillOf, MemoryOutput, writeNrrd } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 8, height: 8, depth: 8 };
 * await writeNrrd(file, { ...size, type: "u8" }, fillOf(new Uint8Array(512), size));
 * console.log(new TextDecoder().decode(file.bytes().subarray(0, 8))); // NRRD0005
 */
export async function writeNrrd(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const {
    type,
    width,
    height,
    depth,
    space = plainSpace({ width, height, depth }),
    description = "by skerry",
  } = layout;
  const { toWorld, crs } = space;
  const axes = depth > 1 || (toWorld && crs?.kind !== "map") ? 3 : 2;
  const list = (values: readonly (number | string)[]): string => values.slice(0, axes).join(" ");
  const unit = lengthUnitOf(space);
  const vector = (numbers: readonly number[]): string => `(${numbers.join(",")})`;
  const world = crs?.kind === "map" ? undefined : toWorld;
  const place = world && crs?.kind === "patient" ? turned(world) : world;
  const sides = spacingOf(space);
  const lines = [
    "NRRD0005",
    `# ${description}`,
    `type: ${WRITTEN[type]}`,
    `dimension: ${axes}`,
    ...(place ? [crs ? "space: left-posterior-superior" : "space dimension: 3"] : []),
    `sizes: ${list([width, height, depth])}`,
    ...(place ? [`space directions: ${[0, 1, 2].map((axis) => vector(place.map((row) => row[axis]))).join(" ")}`] : []),
    ...(!place && sides ? [`spacings: ${list([...sides, 1])}`] : []),
    `kinds: ${list(["domain", "domain", "domain"])}`,
    ...(!place && sides && unit ? [`units: ${list([`"${unit}"`, `"${unit}"`, `"${unit}"`])}`] : []),
    "endian: little",
    "encoding: raw",
    ...(place && unit ? [`space units: ${list([`"${unit}"`, `"${unit}"`, `"${unit}"`])}`] : []),
    ...(place ? [`space origin: ${vector(place.map((row) => row[3]))}`] : []),
  ];
  await file.write(`${lines.join("\n")}\n\n`);
  await fill(sinkTo(file));
}
