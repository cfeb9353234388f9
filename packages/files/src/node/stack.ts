// A folder as a volume: pictures of one size in the order of their names, or the slices of a DICOM series.

import { open, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import type { PixelArray, Raster } from "skerry";
import { FileError } from "../errors.js";
import { isDicom, readDicom } from "./dicom.js";
import { reasonOf } from "./reasons.js";

const PICTURES = [".png", ".tif", ".tiff", ".jpg", ".jpeg", ".webp", ".pgm", ".bmp"];

type Decode = (path: string) => Promise<Raster & { channels: number }>;

export async function readFolder(
  folder: string,
  decode: Decode,
  nodata: number | undefined,
): Promise<{ raster: Raster & { channels: number }; notes: string[] }> {
  let names: string[];
  try {
    names = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ name }) => name);
  } catch (error) {
    throw new FileError(`Could not read ${folder}: ${reasonOf(error)}.`);
  }
  // Numbers in names count as numbers: slice2 comes before slice10.
  names.sort(new Intl.Collator("en", { numeric: true }).compare);
  const pictures = names.filter((name) => PICTURES.includes(extname(name).toLowerCase()));
  if (pictures.length > 0) {
    const notes =
      pictures.length < names.length ? [`${folder}: ${names.length - pictures.length} other files are left out`] : [];
    return {
      raster: await stack(
        pictures.map((name) => join(folder, name)),
        decode,
      ),
      notes,
    };
  }
  const slices: string[] = [];
  for (const name of names) if (await beginsLikeDicom(join(folder, name))) slices.push(join(folder, name));
  if (slices.length === 0) {
    throw new FileError(`Expected ${folder} to hold pictures (${PICTURES.join(", ")}) or DICOM files, got neither.`);
  }
  return readDicom(slices, folder, nodata);
}

async function beginsLikeDicom(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const start = new Uint8Array(132);
    const { bytesRead } = await handle.read(start, 0, 132, 0);
    return bytesRead === 132 && isDicom(start);
  } finally {
    await handle.close();
  }
}

/** Pictures of one size and kind on top of each other. */
async function stack(paths: readonly string[], decode: Decode): Promise<Raster & { channels: number }> {
  let first: (Raster & { channels: number }) | undefined;
  let data: PixelArray | undefined;
  for (const [z, path] of paths.entries()) {
    const slice = await decode(path);
    first ??= slice;
    const same =
      slice.width === first.width &&
      slice.height === first.height &&
      slice.channels === first.channels &&
      slice.data.constructor === first.data.constructor;
    if (!same || (slice.depth ?? 1) > 1) {
      throw new FileError(
        `Expected the slices of a stack to be of one size and type, got ${slice.width} x ${slice.height} x ${slice.channels} in ${path} beside ${first.width} x ${first.height} x ${first.channels}.`,
      );
    }
    const length = slice.data.length;
    data ??= new (slice.data.constructor as new (length: number) => PixelArray)(length * paths.length);
    data.set(slice.data, z * length);
  }
  // The first one's nodata is that of all.
  return { ...(first as Raster & { channels: number }), data: data as PixelArray, depth: paths.length };
}
