// Files that values are written to: the formats of @skerry/files, and those that take Node: .nii.gz through zlib, and TIFFs of
// 8 and 16 bits through sharp. Checks of endings come before anything is read.

import { createGzip } from "node:zlib";
import {
  endingOf,
  endingsOf,
  type Fill,
  type Layout,
  type Output,
  type Wanted,
  WRITERS as WITHOUT_NODE,
  type Writer,
  wantedBy,
  writeNifti,
  writerOf,
} from "@skerry/files";
import type { PixelArray } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { type OutputFile, writeWhole } from "./output.js";
import { loadSharp } from "./sharp.js";

const packedNifti: Writer = { types: ["u32", "f32"], channels: [1], depth: 2 ** 32, write: writePacked };
const tiff: Writer = { types: ["u8", "u16"], channels: [1, 3, 4], depth: 1, write: writeSmallTiff };

/** Writers by ending, in the order in which a message lists them. */
const WRITERS: Readonly<Record<string, readonly Writer[]>> = {
  ...WITHOUT_NODE,
  ".tif": [...(WITHOUT_NODE[".tif"] ?? []), tiff],
  ".tiff": [...(WITHOUT_NODE[".tiff"] ?? []), tiff],
  ".nii.gz": [packedNifti],
};

/** Endings as a sentence has them: .png, .npy or .tif. */
function listed(endings: readonly string[]): string {
  const shown = endings.filter((ending) => ending !== ".tiff");
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

/** Rejects a name that none of the endings fits. */
export function checkEnding(option: string, path: string, endings: readonly string[]): void {
  if (endings.includes(endingOf(path))) return;
  throw new UsageError(`Expected ${option} to end in ${listed(endings)}, got ${path}.`);
}

/** Rejects a name whose format holds no values of these types, whatever their size. */
export function checkValuesPath(option: string, path: string, ...wanted: readonly Wanted[]): void {
  const endings = Object.keys(WRITERS).filter((ending) => wanted.some((each) => writerOf(ending, each, WRITERS)));
  checkEnding(option, path, endings);
}

/** The first of some types that the format of a file holds, with the channels and slices there are. */
export function typeFor(path: string, wanted: Wanted): Layout["type"] {
  const found = writerOf(endingOf(path), wanted, WRITERS);
  if (found) return found.type;
  const others = listed(endingsOf(wanted, WRITERS));
  if ((wanted.depth ?? 1) > 1 && writerOf(endingOf(path), { ...wanted, depth: 1 }, WRITERS)) {
    throw new RunError(`Expected an image for ${path}, got a volume; write ${others}.`);
  }
  if ((wanted.channels ?? 1) > 1 && writerOf(endingOf(path), { ...wanted, channels: 1 }, WRITERS)) {
    throw new RunError(`Expected one channel for ${path}, got a picture in colour; write ${others}.`);
  }
  throw new RunError(
    `Expected values that ${endingOf(path)} holds for ${path}, got ${wanted.types[0]}; write ${others}.`,
  );
}

/** Lets `fill` write values in the format of the name, all of them or nothing. */
export async function writeValues(path: string, layout: Layout, fill: Fill): Promise<void> {
  const found = writerOf(endingOf(path), wantedBy(layout), WRITERS);
  if (!found) {
    typeFor(path, wantedBy(layout));
    return;
  }
  await writeWhole(path, (file) => found.writer.write(file, layout, fill));
}

/** A NIfTI file through gzip. */
async function writePacked(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const gzip = createGzip();
  const written = (file as OutputFile).writeAll(gzip);
  const put = (data: ArrayBufferView | string): Promise<void> =>
    new Promise((resolve, reject) => {
      // The writer's memory is used again as soon as this has it.
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

/** An image of 8 or 16 bits, packed. */
async function writeSmallTiff(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const { width, height, channels = 1, type } = layout;
  const values = width * height * channels;
  const data: PixelArray = type === "u16" ? new Uint16Array(values) : new Uint8Array(values);
  await fill({ write: (_z0, _z1, y0, _y1, part) => data.set(part, y0 * width * channels) });
  const sharp = await loadSharp();
  const image = sharp(data as Uint8Array, { raw: { width, height, channels }, limitInputPixels: false });
  const deep = type === "u16";
  const space = channels === 1 ? (deep ? "grey16" : "b-w") : deep ? "rgb16" : "srgb";
  await (file as OutputFile).writeAll(
    image.toColourspace(space).tiff({ compression: deep || channels === 1 ? "lzw" : "deflate" }),
  );
}
