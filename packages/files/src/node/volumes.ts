// Reads the volumes of other tools, from files and from stdin: NRRD of Slicer, MetaImage of ITK, MGH of FreeSurfer. Their headers may name a
// file of the data, which lies beside them.

import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { Readable } from "node:stream";
import { type Bytes, bufferBytes } from "../bytes.js";
import { FileError } from "../errors.js";
import { isMetaImage, openMetaImage } from "../formats/volumes/meta-image.js";
import { isMgh, MGH_HEADER_BYTES, mghBytes, openMgh } from "../formats/volumes/mgh.js";
import { isNrrd, openNrrd } from "../formats/volumes/nrrd.js";
import type { OpenedVolume, VolumeFile, VolumeOptions } from "../formats/volumes/volume.js";
import { fileBytes } from "./file-bytes.js";
import { numbered, roundedNote, severalNotes } from "./over-bytes.js";
import type { PictureOptions } from "./picture.js";
import type { Input, Opened, Reader } from "./reader.js";
import { isPacked, isPackedFile, type Lengths, packedFile, packedPart, unpack, unpackedStart } from "./unpacked.js";

type Open = (file: VolumeFile, options: VolumeOptions) => Promise<OpenedVolume>;

const MGH_LENGTHS: Lengths = { headerBytes: MGH_HEADER_BYTES, lengthOf: mghBytes };

/** Options of a volume in those of a picture. */
const optionsOf = ({ nodata, time, channel, ids, exact, lenient }: PictureOptions): VolumeOptions => ({
  nodata,
  time,
  channel: numbered(channel),
  ids,
  exact,
  lenient,
});

/** Opens a volume, and closes all of its files with it. */
async function openVolume(
  open: Open,
  { path, shown }: Input,
  options: PictureOptions,
  bytes: Bytes,
): Promise<Opened & { readonly space: OpenedVolume["space"] }> {
  const opened = [bytes];
  const paths = new Map<Bytes, string>([[bytes, path]]);
  const close = async (): Promise<void> => {
    for (const each of opened) await each.close();
  };
  const file: VolumeFile = {
    name: shown,
    bytes,
    async beside(name) {
      if (path === "-")
        throw new FileError(`Expected the data of ${shown} behind its header, got the name of the file ${name}.`);
      const other = isAbsolute(name) ? name : join(dirname(path), name);
      const what = await stat(other).catch(() => undefined);
      if (what && !what.isFile()) throw new FileError(`Expected the data of ${shown} in a file, got ${other}.`);
      const found = await fileBytes(other);
      opened.push(found);
      paths.set(found, other);
      return found;
    },
    unpacked(packed, from, packing, size) {
      const where = paths.get(packed) as string;
      const unpacked =
        where === "-"
          ? streamed(packed, from, packing, size, shown)
          : packedPart({ path: where, from, size, name: shown, spill: options.spill ?? false, packing });
      opened.push(unpacked);
      return unpacked;
    },
  };
  try {
    const volume = await open(file, optionsOf(options));
    const { source, space, stored, compression, channels, notes } = volume;
    const rounded = roundedNote(source, shown);
    return {
      pixels: source,
      ids: source.ids,
      space,
      about: { stored, channels, compression: compression === "deflate" ? "zlib" : compression },
      notes: () => [...notes, ...severalNotes(space, shown), ...rounded()],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Packed bytes of stdin, which is in memory. */
function streamed(packed: Bytes, from: number, packing: "gzip" | "deflate", size: number, name: string): Bytes {
  let unpacking: Promise<Uint8Array> | undefined;
  const all = async (): Promise<Uint8Array> => {
    const rest = Buffer.alloc(packed.size - from);
    await packed.read(rest, from);
    return unpack(Readable.from([rest]), name, { headerBytes: 0, lengthOf: () => size }, packing);
  };
  return {
    size,
    async read(into, at) {
      unpacking ??= all();
      return bufferBytes(await unpacking).read(into, at);
    },
    close: async () => undefined,
  };
}

/** A reader of a format whose headers are not packed. */
const readerOf = (
  name: string,
  endings: readonly string[],
  is: (start: Uint8Array) => boolean,
  open: Open,
): Reader => ({
  name,
  endings,
  axes: ["time", "channel"],
  sniff: (start) => start.kind === "file" && is(start.bytes),
  header: async (input, options) => headerIn(open, input, options, await input.bytes()),
  open: async (input, options) => openVolume(open, input, options, await input.bytes()),
});

/** The space that a header tells, without a value. */
async function headerIn(open: Open, input: Input, options: PictureOptions, bytes: Bytes) {
  const { space, close } = await openVolume(open, input, options, bytes);
  await close?.();
  return space;
}

const NRRD = readerOf("NRRD", [".nrrd", ".nhdr"], isNrrd, openNrrd);
const META_IMAGE = readerOf("MetaImage", [".mha", ".mhd"], isMetaImage, openMetaImage);

const MGH: Reader = {
  name: "MGH",
  endings: [".mgh", ".mgz"],
  axes: ["time"],
  sniff: (start) =>
    start.kind === "file" && (isMgh(start.bytes) || (isPacked(start.bytes) && isMgh(unpackedStart(start.bytes)))),
  header: async (input, options) => headerIn(openMgh, input, options, (await mghOf(input, options)).bytes),
  open: async (input, options) => {
    const { bytes, packed } = await mghOf(input, options);
    const opened = await openVolume(openMgh, input, options, bytes);
    return { ...opened, about: { ...opened.about, compression: packed ? "gzip" : "none" } };
  },
};

/** A file of MGH, unpacked if it is packed. */
async function mghOf(
  input: Input,
  { spill = false }: PictureOptions,
): Promise<{ readonly bytes: Bytes; readonly packed: boolean }> {
  const { path, shown } = input;
  if (path === "-") {
    const buffer = await input.contents();
    const packed = isPacked(buffer);
    return { bytes: bufferBytes(packed ? await unpack(Readable.from([buffer]), shown, MGH_LENGTHS) : buffer), packed };
  }
  const packed = path.toLowerCase().endsWith(".mgz") || (await isPackedFile(path));
  return { bytes: packed ? await packedFile(path, shown, MGH_LENGTHS, spill) : await input.bytes(), packed };
}

/** Readers of volumes of other tools. */
export const VOLUMES: readonly Reader[] = [NRRD, META_IMAGE, MGH];
