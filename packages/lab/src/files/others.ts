// Formats whose readers are loaded when the first file of one comes, by the readers of the command line: .npy, PGM, PPM, BMP, DICOM, and the
// volumes of other tools, NIfTI, NRRD, MetaImage and MGH; masks of annotation tools. The bytes of the last file stay, so that another slice of it takes no time.

import {
  type Bytes,
  bufferBytes,
  FileError,
  openMetaImage,
  openMgh,
  openNifti,
  openNpy,
  openNrrd,
  openPgm,
  openRuns,
  readBmp,
  type Space,
  type VolumeFile,
} from "@skerry/files";
import {
  arrayOfZip,
  dicomsOfZip,
  isAnalyze,
  isBmp,
  isDicom,
  isMetaImage,
  isMgh,
  isNifti,
  isNpy,
  isNrrd,
  isPgm,
  isProjection,
  isRuns,
  isZip,
  mghBytes,
  niftiBytes,
  pixelsOfSlice,
  plainSpace,
  projected,
  readDicom,
  spaceOfSlice,
  unpackStream,
  unzipped,
  voxelsEnd,
} from "@skerry/files/internal";
import { defined } from "skerry/internal";
import type { Taken } from "../settings/recipe.js";
import { blobBytes } from "./blob-bytes.js";
import { imagesOf, MOST_PIXELS, type Opened, Refused, type Wanted, withoutFlags } from "./opened.js";
import { ADDRESS_TYPE, FOLDER_TYPE } from "./stored.js";
import { MOST_UNPACKED_BYTES, type Pixels, valuesOf, wholeOf } from "./whole.js";

/** Bytes by which a packed file's format and length are known. */
const BEGINNING_BYTES = 4096;

/** Files in memory by their names. */
type Files = Readonly<Record<string, Uint8Array>>;

/** The files of a volume: that with the header, those beside it by their names, and what was unpacked of them. */
interface Parts {
  readonly key: number;
  readonly bytes: Promise<Bytes>;
  readonly blob: Blob;
  readonly beside: Files;
  readonly unpacked: Map<string, Promise<Bytes>>;
}

let last: Parts | undefined;

/** Opens a file of one of these formats; undefined for others. */
export async function openOther(wanted: Wanted): Promise<Opened | undefined> {
  const { blob, key, name, taken, isWhole } = wanted;
  const begin = new Uint8Array(await blob.slice(0, BEGINNING_BYTES).arrayBuffer());
  if (blob.type === FOLDER_TYPE || blob.type === ADDRESS_TYPE || isZip(begin)) {
    const { openStored } = await import("./zarr.js");
    const stored = await openStored(wanted);
    if (stored) return stored;
  }
  const kind = kindOfOther(begin);
  if (kind === "none") return undefined;
  const isNew = last?.key !== key && series?.key !== key;
  const entries =
    isZip(begin) && isNew ? unzipped(new Uint8Array(await blob.arrayBuffer()), name, MOST_UNPACKED_BYTES) : undefined;
  const array = entries && arrayOfZip(entries, name);
  if (entries && !array) takeParts(entries, key);
  if (kind === "volume" || last?.key === key) {
    const { source, space, notes } = await openVolume(blob, key, name, taken?.time);
    const whole: Opened["whole"] = defined({ time: taken?.time });
    return isWhole ? wholeOf(source, space, notes, name, whole) : plainOf(source, space, notes, name, taken);
  }
  if (kind === "dicom" && !array) {
    if (series?.key !== key) series = { key, read: seriesOf(blob, name, entries) };
    const { raster, space, notes } = await series.read;
    // Values that leave the worker whole are not there for the next call.
    if (isWhole || raster.depth === 1) series = undefined;
    return isWhole ? wholeOf(raster, space, notes, name) : plainOf(raster, space, notes, name, taken);
  }
  const file = array ?? new Uint8Array(await blob.arrayBuffer());
  const bytes = bufferBytes(file);
  const plain = async () => ({
    pixels: kind === "bmp" ? readBmp(file, name) : await openPgm(bytes, name),
    notes: [],
  });
  if (kind === "runs") {
    const page = typeof taken?.page === "number" ? taken.page : undefined;
    const { pixels, notes, images } = openRuns(new TextDecoder().decode(file), name, { page, labels: true });
    const axis = { name: "page", size: images, at: page ?? 0 } as const;
    const opened = await plainOf(pixels, plainSpace(pixels), notes, name, undefined);
    return images > 1 ? { ...opened, images: [axis] } : opened;
  }
  const { pixels, notes } = array || kind === "npy" ? await openNpy(bytes, name) : await plain();
  const space = plainSpace(pixels);
  return isWhole ? wholeOf(pixels, space, notes, name) : plainOf(pixels, space, notes, name, taken);
}

/** The series of the last file, of which other slices are shown. */
let series: { readonly key: number; readonly read: ReturnType<typeof readDicom> } | undefined;

/** The slices of a file of DICOM, or of those in a ZIP. */
async function seriesOf(blob: Blob, name: string, entries: Files | undefined): ReturnType<typeof readDicom> {
  if (entries) return readDicom(dicomsOfZip(entries, name), name);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return readDicom([{ name, contents: async () => bytes }], name);
}

/** The format of a file of these, by its first bytes. Of packed files only volumes are read. */
export function kindOfOther(begin: Uint8Array): "npy" | "pgm" | "bmp" | "dicom" | "volume" | "runs" | "none" {
  if (isNpy(begin)) return "npy";
  if (isPgm(begin)) return "pgm";
  if (isBmp(begin)) return "bmp";
  if (isDicom(begin) || isZip(begin)) return "dicom";
  const isPacked = begin[0] === 0x1f && begin[1] === 0x8b;
  if (isRuns(begin)) return "runs";
  return isPacked || [isNifti, isNrrd, isMetaImage, isMgh].some((is) => is(begin)) ? "volume" : "none";
}

/** A picture of values that are read as they are. */
async function plainOf(
  all: Pixels,
  whole: Space,
  notes: readonly string[],
  name: string,
  taken: Taken | undefined,
): Promise<Opened> {
  const { width, height, channels = 1 } = all;
  if (width * height > MOST_PIXELS) throw new Refused({ why: "large", width, height });
  const { depth = 1 } = all;
  // A volume shows one slice, by default that in the middle: the ends of scans are empty.
  const page = depth > 1 ? (taken?.page ?? depth >> 1) : undefined;
  const isOne = isProjection(page);
  const { space, pixels } =
    page === undefined
      ? { space: whole, pixels: all }
      : isOne
        ? projected({ pixels: all, space: whole }, page, name)
        : { space: spaceOfSlice(whole, page, name), pixels: pixelsOfSlice(all, page) };
  const projection = isOne ? { projection: page, at: depth >> 1 } : {};
  const named = imagesOf({ space }).map((axis) =>
    axis.name === "page" ? { ...axis, name: "slice" as const, ...projection } : axis,
  );
  const images = page === undefined ? undefined : named;
  const opened = { name, width, height, space, images, notes: withoutFlags(notes) };
  // A slice leaves the worker without the volume that it is a part of.
  const isPart = page !== undefined && "data" in pixels;
  const data = isPart ? pixels.data.slice() : await valuesOf(pixels);
  return { ...opened, data, channels: channels as Opened["channels"] };
}

/** Takes up the files of a ZIP as the last volume, if they are its header and its data. */
function takeParts(beside: Files, key: number): void {
  const is = [isNrrd, isMetaImage, isNifti, isAnalyze];
  const header = Object.values(beside).find((bytes) => is.some((each) => each(bytes)));
  if (!header) return;
  last = { key, bytes: Promise.resolve(bufferBytes(header)), blob: blobOf(header), beside, unpacked: new Map() };
}

const blobOf = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>]);

async function openVolume(blob: Blob, key: number, name: string, time: number | undefined) {
  if (last?.key !== key) last = { key, bytes: bytesOf(blob, name), blob, beside: {}, unpacked: new Map() };
  const { bytes: coming, beside, unpacked } = last;
  let bytes: Bytes;
  try {
    bytes = await coming;
  } catch (error) {
    last = undefined;
    throw error;
  }
  const start = new Uint8Array(Math.min(BEGINNING_BYTES, bytes.size));
  await bytes.read(start, 0);
  const options: { readonly time?: number } = defined({ time });
  if (isNifti(start) || isAnalyze(start)) {
    const [, part] = Object.entries(beside).find(([each]) => /\.img(\.gz)?$/i.test(each)) ?? [];
    const voxels = part && (await voxelsOf(part, start, name));
    return openNifti(bytes, name, defined({ ...options, voxels }));
  }
  const blobs = new Map<Bytes, readonly [name: string, blob: Blob]>([[bytes, ["", last.blob]]]);
  const file: VolumeFile = {
    name,
    bytes,
    async beside(other) {
      const part = beside[other.split(/[\\/]/).at(-1) ?? other];
      if (!part) throw new FileError(`Expected ${other}, the data of ${name}: choose both files together.`);
      const found = bufferBytes(part);
      blobs.set(found, [other, blobOf(part)]);
      return found;
    },
    unpacked(packed, from, packing, size) {
      const [other, of] = blobs.get(packed) as readonly [string, Blob];
      return later(size, unpacked, `${other} ${from}`, () => unpack(of.slice(from), packing, size, name));
    },
  };
  if (isNrrd(start)) return openNrrd(file, options);
  if (isMetaImage(start)) return openMetaImage(file, options);
  if (isMgh(start)) return openMgh(file, options);
  throw new FileError(`Could not read ${name}: it is packed by gzip, and no volume of NIfTI or MGH.`);
}

/** The voxels of a pair, unpacked if they are packed. */
async function voxelsOf(part: Uint8Array, header: Uint8Array, name: string): Promise<Bytes> {
  const isPacked = part[0] === 0x1f && part[1] === 0x8b;
  return isPacked ? unpack(blobOf(part), "gzip", await voxelsEnd(header, name), name) : bufferBytes(part);
}

/** Bytes that are made when the first is read, and kept under a name. */
function later(size: number, kept: Map<string, Promise<Bytes>>, name: string, make: () => Promise<Bytes>): Bytes {
  return {
    size,
    async read(into, at) {
      const bytes = kept.get(name) ?? make();
      kept.set(name, bytes);
      return (await bytes).read(into, at);
    },
    close: async () => undefined,
  };
}

/** The bytes of a file, unpacked if it is packed as a whole. */
async function bytesOf(blob: Blob, name: string): Promise<Bytes> {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return blobBytes(blob);
  const start = await unpackedPart(blob, "gzip", BEGINNING_BYTES, name);
  const size = isNifti(start) ? await niftiBytes(start, name) : isMgh(start) ? mghBytes(start) : start.length;
  return unpack(blob, "gzip", size, name);
}

async function unpack(blob: Blob, packing: "gzip" | "deflate", size: number, name: string): Promise<Bytes> {
  if (size > MOST_UNPACKED_BYTES) {
    throw new FileError(
      `Expected ${name} to unpack to at most ${MOST_UNPACKED_BYTES} bytes, got ${size}: the command line reads it.`,
    );
  }
  return bufferBytes(await unpackedPart(blob, packing, size, name));
}

/** The first bytes that packed ones unpack to, at most so many. */
async function unpackedPart(blob: Blob, packing: "gzip" | "deflate", most: number, name: string): Promise<Uint8Array> {
  try {
    return await unpackStream(blob.stream(), packing, most);
  } catch {
    throw new FileError(`Could not read ${name}: its packed data is damaged or cut off.`);
  }
}
