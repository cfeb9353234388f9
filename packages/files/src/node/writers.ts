// Writes values to files: the formats of @skerry/files, and .nii.gz through Node's zlib. Endings are checked before anything is
// read.

import { createGzip } from "node:zlib";
import { FileError, UsageError } from "../errors.js";
import { writeNifti } from "../formats/nifti.js";
import type { Fill, Layout, Writer } from "../layout.js";
import type { Output } from "../output.js";
import { endingOf, endingsOf, type Wanted, WRITERS as WITHOUT_NODE, wantedBy, writerOf } from "../writers.js";
import { writeAll, writeWhole } from "./output.js";

const packedNifti: Writer = { types: ["bool", "u32", "f32"], channels: [1], depth: 2 ** 32, write: writePacked };

/** Writers by ending, in the order in which a message lists them. */
const WRITERS: Readonly<Record<string, readonly Writer[]>> = Object.fromEntries(
  Object.entries(WITHOUT_NODE).flatMap(([ending, writers]): [string, readonly Writer[]][] =>
    ending === ".nii"
      ? [
          [ending, writers],
          [".nii.gz", [packedNifti]],
        ]
      : [[ending, writers]],
  ),
);

/** Endings as a list in a sentence: .png, .npy or .tif. */
function listed(endings: readonly string[]): string {
  const shown = endings.filter((ending) => ending !== ".tiff");
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

/**
 * Checks that a path has one of the endings.
 * @throws UsageError if it has another one
 */
export function checkEnding(option: string, path: string, endings: readonly string[]): void {
  if (endings.includes(endingOf(path))) return;
  throw new UsageError(`Expected ${option} to end in ${listed(endings)}, got ${path}.`);
}

/**
 * Checks that the format of a path holds values of these types, whatever their size.
 * @throws UsageError if it does not
 */
export function checkValuesPath(option: string, path: string, ...wanted: readonly Wanted[]): void {
  const endings = Object.keys(WRITERS).filter((ending) => wanted.some((each) => writerOf(ending, each, WRITERS)));
  checkEnding(option, path, endings);
}

/** Whether the format of a path holds the wanted values. */
export function holds(path: string, wanted: Wanted): boolean {
  return writerOf(endingOf(path), wanted, WRITERS) !== undefined;
}

/**
 * The writer for a path, and the first of the wanted types that it supports with this many channels and slices.
 * @throws FileError if the format holds no such values
 */
export function writerFor(path: string, wanted: Wanted): NonNullable<ReturnType<typeof writerOf>> {
  const ending = endingOf(path);
  const found = writerOf(ending, wanted, WRITERS);
  if (found) return found;
  const endings = endingsOf(wanted, WRITERS);
  const others = endings.length > 0 ? `; write ${listed(endings)}` : "";
  if ((wanted.depth ?? 1) > 1 && writerOf(ending, { ...wanted, depth: 1 }, WRITERS)) {
    throw new FileError(`Expected an image for ${path}, got a volume${others}.`);
  }
  if ((wanted.channels ?? 1) > 1 && writerOf(ending, { ...wanted, channels: 1 }, WRITERS)) {
    throw new FileError(`Expected one channel for ${path}, got a picture in colour${others}.`);
  }
  throw new FileError(`Expected values that ${ending} holds for ${path}, got ${wanted.types[0]}${others}.`);
}

/** Writes the values that `fill` delivers in the format of the path, all of them or nothing. */
export async function writeValues(path: string, layout: Layout, fill: Fill): Promise<void> {
  const { writer } = writerFor(path, wantedBy(layout));
  await writeWhole(path, (file) => writer.write(file, layout, fill));
}

/** A NIfTI file through gzip. */
async function writePacked(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const gzip = createGzip();
  const written = writeAll(file, gzip);
  const put = (data: ArrayBufferView | string): Promise<void> =>
    new Promise((resolve, reject) => {
      // The caller reuses the memory once this promise settles.
      const bytes = typeof data === "string" ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      gzip.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  try {
    await writeNifti({ write: (data) => Promise.race([put(data), written]) }, layout, fill);
    gzip.end();
  } catch (error) {
    gzip.destroy();
    await written.catch(() => undefined);
    throw error;
  }
  await written;
}
