// Opens pictures and volumes from a file, a folder or stdin. The table of formats, which are detected by the first bytes, or else
// by the ending of the name.

import { open as openFile, readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { CHANNELS, nearest, PROJECTIONS } from "skerry/internal";
import { type Bytes, bufferBytes, bytesSource, STORED_BYTES } from "../bytes.js";
import { FileError, UsageError } from "../errors.js";
import { fitted } from "../fitted.js";
import { isBmp, readBmp } from "../formats/bmp.js";
import { arrayOfZip, isNpy, isNpz, openNpy } from "../formats/npy.js";
import { isPgm, openPgm } from "../formats/pgm.js";
import { unzipped } from "../formats/zip.js";
import { byNumbers } from "../order.js";
import { projected, spaceOfProjection } from "../projection.js";
import { pixelsOfSlice, spaceOfSlice } from "../slice.js";
import { axisOf, isProjection, plainSpace, type Space, sizesOf, spacingOf } from "../space.js";
import { asWanted } from "../transparency.js";
import { endingOf } from "../writers.js";
import { ANNOTATIONS } from "./annotations.js";
import { DICOM } from "./dicom.js";
import { fileBytes } from "./file-bytes.js";
import { IMAGES } from "./images.js";
import { mostBytes, projectionBytes } from "./memory-limit.js";
import { NIFTI } from "./nifti.js";
import { overBytes, roundedNote } from "./over-bytes.js";
import { type Picture, type PictureOptions, type RawLayout, rasterOf } from "./picture.js";
import type { Input, Opened, Reader, Start } from "./reader.js";
import { reasonOf } from "./reasons.js";
import { stackOf } from "./stack.js";
import { TIFF } from "./tiff.js";
import { VOLUMES } from "./volumes.js";

/** Most bytes of a file that is read as a whole: Node reads no more at once. */
const MOST_WHOLE_BYTES = 2 ** 31 - 1;

/** Bytes that suffice to detect every format. */
const START_BYTES = 4096;

const NPY: Reader = {
  name: "npy",
  endings: [".npy", ".npz"],
  sniff: (start) => start.kind === "file" && (isNpy(start.bytes) || isNpz(start.bytes)),
  open: async (input, { alpha, matte, labels, ...options }) =>
    overBytes(await arrayIn(input), async (bytes) => {
      const { shown } = input;
      const { pixels, ids, notes, stored } = await openNpy(bytes, shown, {
        ...options,
        labels,
      });
      const space = plainSpace(pixels);
      const about = { stored, channels: pixels.channels, compression: "none", alpha: pixels.channels === 4 };
      if (pixels.channels === 1) return { pixels, ids, space, about, notes: () => notes };
      // Colours are read by several calls.
      const raster = await rasterOf({ pixels, input: shown });
      const notices = [...notes];
      const isTransparent = raster.channels === 4 && !(raster.data instanceof Float32Array);
      const wanted = isTransparent ? asWanted({ raster, isGrey: false }, { alpha, matte }, shown, notices) : raster;
      return { pixels: wanted, space, about, notes: () => notices };
    }),
};

/** The bytes of an array, in a file of its own or in a ZIP. */
async function arrayIn(input: Input): Promise<Bytes> {
  const { shown } = input;
  const begin = new Uint8Array(START_BYTES);
  const bytes = await input.bytes();
  await bytes.read(begin, 0);
  if (!isNpz(begin)) return bytes;
  await bytes.close();
  const array = arrayOfZip(unzipped(await input.contents(), shown, mostBytes()), shown);
  if (array) return bufferBytes(array);
  throw new FileError(`Expected ${shown} to hold an array of NumPy, got none.`);
}

const PGM: Reader = {
  name: "PGM, PPM",
  endings: [".pgm", ".ppm", ".pnm"],
  slices: true,
  sniff: (start) => start.kind === "file" && isPgm(start.bytes),
  open: async (input, { nodata }) =>
    overBytes(await input.bytes(), async (bytes) => {
      const pixels = await openPgm(bytes, input.shown, nodata);
      const { type, channels } = pixels;
      const stored = type === "u8" ? "uint8" : "uint16";
      const about = { format: channels === 1 ? "PGM" : "PPM", stored, channels, compression: "none" };
      return { pixels: channels === 1 ? pixels : await rasterOf({ pixels, input: input.shown }), about };
    }),
};

const BMP: Reader = {
  name: "BMP",
  endings: [".bmp", ".dib"],
  slices: true,
  sniff: (start) => start.kind === "file" && isBmp(start.bytes),
  open: async (input, { alpha, matte }) => {
    const { bits, colours, compression, ...raster } = readBmp(await input.contents(), input.shown);
    const { channels } = raster;
    const notes: string[] = [];
    const pixels = channels === 4 ? asWanted({ raster, isGrey: false }, { alpha, matte }, input.shown, notes) : raster;
    const about = {
      stored: `${bits} bit`,
      channels,
      compression,
      palette: colours || undefined,
      alpha: channels === 4,
    };
    return { pixels, about, notes: () => notes };
  },
};

/** Readers of files and folders. A new format is a file beside this one, or in ../formats, and a row here. */
export const READERS: readonly Reader[] = [
  NPY,
  PGM,
  BMP,
  ...VOLUMES,
  NIFTI,
  TIFF,
  IMAGES,
  ANNOTATIONS,
  stackOf(() => SLICES),
  DICOM,
];

/** Endings of files that may be the slices of a folder. */
const SLICES: readonly string[] = READERS.filter(({ slices }) => slices).flatMap(({ endings }) => endings);

/** The name of an input without its folder and ending, for `{name}`. */
export function nameOf(input: string): string {
  if (input === "-") return "stdin";
  const ending = /(\.nii\.gz|(\.ome)?\.zarr)\/*$/i.exec(input)?.[0];
  return ending ? basename(input.slice(0, -ending.length)) : basename(input, extname(input));
}

/** A description of the values of an option, and whether a value is one. */
type Value = readonly [expected: string, is: (value: unknown) => boolean];

const isFromZero = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const fromZero: Value = ["a whole number from 0", isFromZero];
const orAll: Value = ['a whole number from 0, or "all"', (value) => value === "all" || isFromZero(value)];
const pages: Value = [
  `a whole number from 0, "all", ${PROJECTIONS.map((name) => `"${name}"`).join(" or ")}`,
  (value) => orAll[1](value) || isProjection(value),
];
const flag: Value = ["true or false", (value) => typeof value === "boolean"];
const names = [...CHANNELS, "index"];

/** The options of {@link openPicture}, with their values. */
const VALUES: Readonly<Record<keyof PictureOptions, Value>> = {
  page: pages,
  channel: [
    `a number from 0, or one of ${names.join(", ")}`,
    (value) => isFromZero(value) || names.some((name) => name === value),
  ],
  time: orAll,
  level: fromZero,
  indices: flag,
  exact: flag,
  ids: flag,
  nodata: ["a number", (value) => typeof value === "number"],
  lenient: flag,
  alpha: ['"kept" or "seen"', (value) => value === "kept" || value === "seen"],
  matte: ["[red, green, blue]", (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)],
  axes: ["a text such as yxc", (value) => typeof value === "string"],
  labels: flag,
  raw: ["{ width, height, depth, type }", (value) => typeof value === "object" && value !== null],
  stack: fromZero,
  allowGaps: flag,
  volume: flag,
  spill: flag,
  sharpPays: flag,
};
const OPTIONS = Object.keys(VALUES);

/** Refuses options with values of other kinds. */
function checkValues(options: PictureOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const [expected, is] = VALUES[name as keyof PictureOptions];
    if (value === undefined || is(value)) continue;
    const near = typeof value === "string" && name === "channel" ? nearest(value, names) : undefined;
    const hint = near === undefined ? "." : `; did you mean ${near}?`;
    throw new UsageError(`Expected ${name} of openPicture() to be ${expected}, got ${JSON.stringify(value)}${hint}`);
  }
}

/** The thing that a caller gave in place of a path. */
const nameOfGiven = (given: unknown): string =>
  ArrayBuffer.isView(given)
    ? "bytes; write them to a file, or read them with readPng() or openTiff()"
    : typeof given === "object"
      ? "an object"
      : String(given);

/**
 * Opens a picture or a volume.
 * @throws FileError if it cannot be read
 * @throws UsageError for options that its format does not have
 * @example
 * import { openPicture } from "@skerry/files/node";
 * const { pixels, space, close } = await openPicture("dem.tif");
 * console.log(pixels.width, pixels.height, space.axes[0].spacing, space.crs?.kind);
 * await close();
 */
export async function openPicture(path: string, options: PictureOptions = {}): Promise<Picture> {
  if (typeof path !== "string") throw new UsageError(`Expected the path of a picture, got ${nameOfGiven(path)}.`);
  if (typeof options !== "object" || options === null) {
    throw new UsageError(`Expected an object as the options of openPicture(), got ${String(options)}.`);
  }
  const wrong = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (wrong !== undefined) {
    const near = nearest(wrong, OPTIONS);
    throw new UsageError(
      `Expected options that openPicture() knows, got ${wrong}${near ? `; did you mean ${near}?` : `; it knows ${OPTIONS.join(", ")}.`}`,
    );
  }
  checkValues(options);
  const input = inputOf(path, options);
  const whole = options.raw ? await openRaw(input, options.raw, options) : await openKnown(input, options);
  const opened = await pageOf(whole, options, input.shown);
  const about = { format: "raw values", ...opened.about };
  const { notes = () => [], close = async () => {}, space = plainSpace(opened.pixels), ...rest } = opened;
  const spacing = spacingOf(space);
  const pixels = spacing ? { ...rest.pixels, spacing } : rest.pixels;
  return { input: path, name: nameOf(path), notes, close, space, ...rest, pixels, about };
}

/**
 * The size and the place of a picture from its header, before a pixel is decoded; undefined where only opening it tells them, and for a file
 * that is not read.
 */
export async function headerOf(path: string, options: PictureOptions = {}): Promise<Space | undefined> {
  if (path === "-" || options.raw || (await isFolder(path))) return undefined;
  const input = inputOf(path, options);
  try {
    const start = Buffer.from(await startOf(input));
    const reader = await readerFor({ kind: "file", bytes: start }, input);
    const space = await reader?.header?.(input, options, start);
    const page = space && sliceIn(space, options);
    if (space && isProjection(options.page) && sizesOf(space)[2] > 1) return spaceOfProjection(space, options.page);
    return space && page !== undefined ? spaceOfSlice(space, page, input.shown) : space;
  } catch {
    // Opening the file tells its faults.
    return undefined;
  }
}

async function openKnown(input: Input, options: PictureOptions): Promise<Opened> {
  if (input.path !== "-" && (await isFolder(input.path))) {
    const names = await namesIn(input.path);
    const folder = { ...input, names };
    const reader = await readerFor({ kind: "folder", names }, folder);
    if (reader) {
      checkGaps(reader, options, input.shown);
      checkOrder(reader, options, input.shown);
      return withFormat(reader, await reader.open(folder, options));
    }
    throw new FileError(`Expected ${input.path} to hold pictures (${SLICES.join(", ")}) or DICOM files, got neither.`);
  }
  const start = await startOf(input);
  if (start.length === 0) throw new FileError(`Could not read ${input.shown}: it is empty.`);
  const ending = endingOf(input.path);
  const reader =
    (await readerFor({ kind: "file", bytes: start }, input)) ??
    READERS.find(({ endings }) => endings.includes(ending)) ??
    IMAGES;
  checkAxes(reader, options, input.shown);
  checkGaps(reader, options, input.shown);
  checkOrder(reader, options, input.shown);
  return withFormat(reader, await reader.open(input, options));
}

/** The picture of a reader, with the name of its format. */
const withFormat = (reader: Reader, opened: Opened): Opened => ({
  ...opened,
  about: { format: reader.name, ...opened.about },
});

/** The slice that is taken as a page, of a volume whose format has no pages; undefined for none. */
function sliceIn(space: Space, { page, lenient, volume }: PictureOptions): number | undefined {
  const hasPages = axisOf(space, "page") !== undefined || space.taken.page !== undefined;
  if (typeof page !== "number" || hasPages || volume) return undefined;
  const isImage = sizesOf(space)[2] === 1;
  return isImage && (lenient || page === 0) ? undefined : page;
}

/** An opened picture, or the slice that is taken of it; one that lacks the slice is closed. */
async function pageOf(opened: Opened, options: PictureOptions, shown: string): Promise<Opened> {
  const { pixels, space = plainSpace(pixels) } = opened;
  const page = sliceIn(space, options);
  const { page: wanted } = options;
  // A file beside the input may have one slice of its own.
  const isProjected = isProjection(wanted) && !(options.lenient && sizesOf(space)[2] === 1);
  if (page === undefined && !isProjected) return opened;
  try {
    if (isProjected) return { ...opened, ...projected({ ...opened, space }, wanted, shown, projectionBytes()) };
    if (page === undefined) return opened;
    return { ...opened, space: spaceOfSlice(space, page, shown), pixels: pixelsOfSlice(pixels, page) };
  } catch (error) {
    await opened.close?.();
    throw error;
  }
}

/** The name of a reader of several formats, as that of one file. */
const one = (name: string): string => (name.includes(",") ? `one of ${name}` : name);

/** Rejects a time or a level for a format that has none. */
function checkAxes({ axes = [], name }: Reader, options: PictureOptions, shown: string): void {
  for (const axis of ["time", "level", "stack"] as const) {
    if (
      options[axis] === undefined ||
      (options[axis] === 0 && axis !== "stack") ||
      axes.includes(axis) ||
      (options.lenient && axis !== "stack")
    )
      continue;
    const others = READERS.filter((reader) => reader.axes?.includes(axis)).map((reader) => reader.name);
    if (axis === "time" || axis === "level") others.push("OME-Zarr");
    throw new UsageError(`Expected ${others.join(", ")} for --${axis}, got ${shown}, which is ${one(name)}.`);
  }
}

/** Rejects an order of axes for a format that tells its own. */
function checkOrder(reader: Reader, { axes, lenient }: PictureOptions, shown: string): void {
  if (axes !== undefined && reader !== NPY && !lenient) {
    throw new UsageError(`Expected a .npy file for --axes, got ${reader.name} in ${shown}.`);
  }
}

/** Rejects gaps between slices for a format that has none. */
function checkGaps({ axes = [], name }: Reader, { allowGaps }: PictureOptions, shown: string): void {
  if (allowGaps && !axes.includes("stack")) {
    throw new UsageError(`Expected a folder of DICOM slices for --allow-gaps, got ${shown}, which is ${one(name)}.`);
  }
}

async function readerFor(start: Start, input: Input): Promise<Reader | undefined> {
  for (const reader of READERS) if (await reader.sniff(start, input)) return reader;
  return undefined;
}

/** Opens a file that holds only values. */
async function openRaw(input: Input, raw: RawLayout, options: PictureOptions): Promise<Opened> {
  if (input.path !== "-" && (await isFolder(input.path))) {
    throw new UsageError(`Expected a file without a header for --shape, got the folder ${input.shown}.`);
  }
  const other = options.lenient ? undefined : (["axes", "allowGaps"] as const).find((name) => options[name]);
  if (other) throw new UsageError(`Expected --shape or --${other.replace("G", "-g")}, got both for ${input.shown}.`);
  return overBytes(await input.bytes(), async (bytes) => {
    const { width, height, depth, type } = raw;
    const wanted = width * height * depth * STORED_BYTES[type];
    if (bytes.size !== wanted) {
      const shape = depth > 1 ? `${width},${height},${depth}` : `${width},${height}`;
      throw new UsageError(
        `Expected ${input.shown} to hold ${wanted} bytes for --shape ${shape} of ${STORED_BYTES[type]} each, got ${bytes.size}; ${hintOf(bytes.size, raw)}.`,
      );
    }
    const size = { width, height, depth };
    const { nodata, ids = false, exact } = options;
    const plain = { type, littleEndian: true, nodata, exact };
    const encoding = await fitted(bytes, 0, size, plain, input.shown, ids);
    const pixels = bytesSource(bytes, 0, size, encoding, input.shown);
    return { pixels, ids: encoding.ids, notes: roundedNote(pixels, input.shown) };
  });
}

/** A guess at the shape that was meant for a file of some bytes. */
function hintOf(bytes: number, { width, height, depth, type }: RawLayout): string {
  const row = width * STORED_BYTES[type];
  const slice = row * height;
  if (depth > 1 && bytes % slice === 0) return `${bytes / slice} slices of ${width} x ${height} would fit`;
  if (bytes % row === 0) return `${bytes / row} rows of ${width} pixels would fit`;
  const other = Object.entries(STORED_BYTES).find(([, each]) => width * height * depth * each === bytes);
  if (other) return `a --dtype of ${other[1]} bytes would fit`;
  return "a file with a header, such as a PNG, needs no --shape";
}

function inputOf(path: string, options: PictureOptions): Input {
  const shown = path === "-" ? "stdin" : path;
  let stdin: Promise<Buffer> | undefined;
  const allBytes = async (): Promise<Buffer> => {
    try {
      const found = path === "-" ? undefined : await stat(path);
      if (found?.isCharacterDevice() || found?.isBlockDevice()) {
        throw new FileError(`Could not read ${shown}: it is a device, which has no end.`);
      }
      if (found && found.size > MOST_WHOLE_BYTES) {
        throw new FileError(
          `Could not read ${shown}: it is no PNG, JPEG or other picture of at most 2 GiB; values without a header need --shape.`,
        );
      }
      if (path !== "-") return await readFile(path);
      stdin ??= readStdin();
      return await stdin;
    } catch (error) {
      if (error instanceof FileError) throw error;
      throw new FileError(`Could not read ${shown}: ${reasonOf(error)}.`);
    }
  };
  const { alpha, matte, nodata } = options;
  return {
    path,
    shown,
    names: [],
    contents: allBytes,
    bytes: async () => (path === "-" ? bufferBytes(await allBytes()) : fileBytes(path)),
    open: (other) => openPicture(other, { alpha, matte, nodata }),
  };
}

async function readStdin(): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** The first bytes of an input. */
async function startOf(input: Input): Promise<Uint8Array> {
  if (input.path === "-") return (await input.contents()).subarray(0, START_BYTES);
  try {
    const handle = await openFile(input.path);
    try {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(START_BYTES), 0, START_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new FileError(`Could not read ${input.shown}: ${reasonOf(error)}.`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * The pictures in a folder, in the order of the numbers in their names; undefined if the path is no folder, or the folder has
 * none.
 */
export async function picturesIn(folder: string): Promise<readonly string[] | undefined> {
  if (folder === "-" || !(await isFolder(folder))) return undefined;
  const pictures = (await namesIn(folder)).filter((name) => SLICES.includes(extname(name).toLowerCase()));
  return pictures.length > 0 ? pictures.map((name) => join(folder, name)) : undefined;
}

/** The files in a folder, slice2 before slice10. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort(byNumbers);
  } catch (error) {
    throw new FileError(`Could not read ${folder}: ${reasonOf(error)}.`);
  }
}
