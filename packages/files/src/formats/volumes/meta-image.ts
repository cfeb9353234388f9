// MetaImage, the format of ITK (https://itk.org/Wiki/MetaIO/Documentation): headers of lines `key = value`, with the data behind them or in a
// file of its own, raw or packed by zlib. Reads volumes and images, one of several times and channels; writes values.

import { defined } from "skerry/internal";
import type { ToWorld } from "../../affine.js";
import { type Bytes, latin1, type Size, type StoredType } from "../../bytes.js";
import { FileError } from "../../errors.js";
import type { Fill, Layout } from "../../layout.js";
import { type Output, sinkTo } from "../../output.js";
import { inUnit, lengthUnitOf, plainSpace, type Space, spaceOf, spacingOf } from "../../space.js";
import {
  beginning,
  bytesOf,
  checkPlace,
  checkSides,
  type OpenedVolume,
  placeOf,
  turned,
  type VolumeFile,
  type VolumeOptions,
  volumeOf,
} from "./volume.js";

const TYPES: Readonly<Record<string, StoredType>> = {
  MET_CHAR: "i8",
  MET_ASCII_CHAR: "i8",
  MET_UCHAR: "u8",
  MET_SHORT: "i16",
  MET_USHORT: "u16",
  MET_INT: "i32",
  MET_UINT: "u32",
  // Four bytes in ITK's files, whatever the machine.
  MET_LONG: "i32",
  MET_ULONG: "u32",
  MET_LONG_LONG: "i64",
  MET_ULONG_LONG: "u64",
  MET_FLOAT: "f32",
  MET_DOUBLE: "f64",
};

/** Bytes in which a header ends, at most. */
const MOST_HEADER_BYTES = 2 ** 16;

/** Whether the first bytes of a file are those of a MetaImage. */
export function isMetaImage(start: Uint8Array): boolean {
  const text = latin1(start.subarray(0, 512));
  return /^\s*(ObjectType|NDims|Comment|ObjectSubType) *[=:]/.test(text) && /^ *NDims *[=:] *\d/m.test(text);
}

interface Header {
  /** The value of the first key that is there. */
  readonly value: (...keys: string[]) => string | undefined;
  readonly numbers: (...keys: string[]) => number[] | undefined;
  /** Bytes up to the data. */
  readonly length: number;
}

async function headerOf(bytes: Bytes, name: string): Promise<Header> {
  const text = latin1(await beginning(bytes, MOST_HEADER_BYTES, name));
  const values = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    const [, key, value] = /^\s*([A-Za-z_]\w*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined) continue;
    values.set(key, value);
    // The file of the data is the last line of a header.
    if (key === "ElementDataFile") break;
  }
  const value = (...keys: string[]): string | undefined => {
    const found = keys.find((key) => values.has(key));
    return found && values.get(found);
  };
  if (value("ElementDataFile") === undefined) {
    throw new FileError(`Expected the header of ${name} to end with ElementDataFile, got none.`);
  }
  return {
    value,
    numbers: (...keys) =>
      value(...keys)
        ?.split(/\s+/)
        .map(Number),
    length: at,
  };
}

const isTrue = (text: string | undefined): boolean => /^(true|1)$/i.test(text ?? "");

/** Units by the names of DistanceUnits; millimetres where a header has none. */
function unitOf(text: string | undefined): string | undefined {
  if (text === undefined) return "mm";
  return ["mm", "cm", "um"].find((unit) => unit === text.toLowerCase());
}

function spaceIn(header: Header, size: Size, axes: number, name: string): Space {
  const { value, numbers } = header;
  // ITK's order: the spacing of the grid, or else the size of its elements.
  const sides = numbers("ElementSpacing", "ElementSize");
  const origin = numbers("Offset", "Position", "Origin");
  const matrix = numbers("TransformMatrix", "Rotation", "Orientation");
  const n = Number(value("NDims"));
  for (const [key, list, count] of [
    ["ElementSpacing", sides, n],
    ["Offset", origin, n],
    ["TransformMatrix", matrix, n * n],
  ] as const) {
    if (list && !(list.length === count && list.every(Number.isFinite)))
      throw new FileError(`Expected ${count} numbers as ${key} of ${name}, got ${list.join(" ")}.`);
  }
  let toWorld: ToWorld | undefined;
  if (origin || matrix) {
    // Each row of the matrix is the direction of an axis.
    const steps = [0, 1, 2].map((axis) =>
      [0, 1, 2].map((row) => {
        const cosine = axis < n && row < n ? (matrix?.[axis * n + row] ?? Number(axis === row)) : Number(axis === row);
        return cosine * (axis < axes ? (sides?.[axis] ?? 1) : 1);
      }),
    );
    const place = placeOf(steps, [origin?.[0] ?? 0, origin?.[1] ?? 0, axes > 2 ? (origin?.[2] ?? 0) : 0]);
    toWorld = axes > 2 ? turned(place) : place;
    checkPlace(toWorld, name);
  }
  return spaceOf(
    defined({
      size,
      spacing: sides?.slice(0, axes).map(Math.abs),
      unit: unitOf(value("DistanceUnits")),
      toWorld,
      crs: toWorld && axes > 2 ? ({ kind: "patient", version: 1, sform: 1 } as const) : undefined,
    }),
  );
}

/**
 * Opens a MetaImage; `time` selects one of several volumes, `channel` one of several values of each voxel.
 * @throws FileError if the file is damaged, or has a type or a number of axes that are not read
 * @throws UsageError if it lacks the time or the channel
 */
export async function openMetaImage(file: VolumeFile, options: VolumeOptions = {}): Promise<OpenedVolume> {
  const { name } = file;
  const header = await headerOf(file.bytes, name);
  const { value, numbers } = header;
  const type = TYPES[(value("ElementType") ?? "").replace(/_ARRAY$/, "")];
  if (!type) {
    throw new FileError(
      `Expected ${name} to hold integers, float or double, got ${value("ElementType") ?? "no type"}.`,
    );
  }
  const sides = numbers("DimSize") ?? [];
  checkSides(sides, name);
  const dimension = Number(value("NDims"));
  if (dimension !== sides.length || sides.length > 4) {
    throw new FileError(
      `Expected ${name} to have one to four sides, as many as its NDims ${dimension}, got ${sides.length}.`,
    );
  }
  const [width = 1, height = 1, depth = 1, times = 1] = sides;
  const size = { width, height, depth };
  const channels = Number(value("ElementNumberOfChannels") ?? 1);
  if (!(Number.isInteger(channels) && channels >= 1)) {
    throw new FileError(`Expected ${name} to hold at least one value for each voxel, got ${channels}.`);
  }
  const wanted = bytesOf(size, type, channels) * times;
  const where = value("ElementDataFile") as string;
  if (/^LIST/i.test(where) || /%\d*d/.test(where)) {
    throw new FileError(`Expected the data of ${name} in one file, got ${where}; ITK writes it as one.`);
  }
  const isHere = /^LOCAL$/i.test(where);
  const stored = isHere ? file.bytes : await file.beside(where);
  const begin = isHere ? header.length : 0;
  const isPacked = isTrue(value("CompressedData"));
  if (value("BinaryData") !== undefined && !isTrue(value("BinaryData"))) {
    throw new FileError(`Expected the data of ${name} in binary, got text; ITK writes it in binary.`);
  }
  const skip = Number(value("HeaderSize") ?? 0);
  const from = isPacked ? 0 : skip === -1 ? stored.size - wanted : begin + skip;
  const bytes = isPacked ? file.unpacked(stored, begin, "deflate", wanted) : stored;
  const littleEndian = !isTrue(value("BinaryDataByteOrderMSB", "ElementByteOrderMSB"));
  const space = spaceIn(header, size, Math.min(3, sides.length), name);
  const compression = isPacked ? "deflate" : "none";
  return volumeOf({ bytes, from, size, type, littleEndian, channels, times, compression }, space, options, name);
}

const WRITTEN = {
  u8: "MET_UCHAR",
  u16: "MET_USHORT",
  i16: "MET_SHORT",
  u32: "MET_UINT",
  i32: "MET_INT",
  f32: "MET_FLOAT",
  bool: "MET_UCHAR",
};

/**
 * Writes values of one channel, raw, with the place in the world of ITK. Sides of voxels are in millimetres, if they have a unit of length.
 * @example
 * import { fillOf, MemoryOutput, writeMetaImage } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 8, height: 8, depth: 8 };
 * await writeMetaImage(file, { ...size, type: "u8" }, fillOf(new Uint8Array(512), size));
 * console.log(new TextDecoder().decode(file.bytes().subarray(0, 18))); // ObjectType = Image
 */
export async function writeMetaImage(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const { type, width, height, depth, description = "by skerry" } = layout;
  const given = layout.space ?? plainSpace({ width, height, depth });
  const space = inUnit(given, "mm") ?? given;
  const world = space.crs?.kind === "map" ? undefined : space.toWorld;
  const axes = depth > 1 || (world && space.crs) ? 3 : 2;
  const sides = [...(spacingOf(space) ?? []), 1, 1, 1].slice(0, axes);
  // A world of no patient is written as it is.
  const place = world && space.crs?.kind === "patient" ? turned(world) : world;
  const unit = lengthUnitOf(space) === "mm" ? "mm" : "?";
  const matrix =
    place &&
    [0, 1, 2].slice(0, axes).flatMap((axis) => {
      const step = [0, 1, 2].slice(0, axes).map((row) => place[row][axis]);
      const length = Math.hypot(...step) || 1;
      return step.map((n) => n / length);
    });
  const lines = [
    "ObjectType = Image",
    `NDims = ${axes}`,
    `Comment = ${description}`,
    "BinaryData = True",
    "BinaryDataByteOrderMSB = False",
    "CompressedData = False",
    ...(matrix && place
      ? [
          `TransformMatrix = ${matrix.join(" ")}`,
          `Offset = ${place
            .slice(0, axes)
            .map((row) => row[3])
            .join(" ")}`,
        ]
      : []),
    ...(unit === "?" ? ["DistanceUnits = ?"] : []),
    `ElementSpacing = ${sides.join(" ")}`,
    `DimSize = ${[width, height, depth].slice(0, axes).join(" ")}`,
    `ElementType = ${WRITTEN[type]}`,
    "ElementDataFile = LOCAL",
  ];
  await file.write(`${lines.join("\n")}\n`);
  await fill(sinkTo(file));
}
