// Reads NIfTI volumes from files, packed or not, from pairs of files, and from stdin.

import { existsSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { type Bytes, bufferBytes } from "../bytes.js";
import { FileError } from "../errors.js";
import {
  isAnalyze,
  isNifti,
  NIFTI_HEADER_BYTES,
  niftiBytes,
  niftiTimes,
  openNifti,
  voxelsEnd,
} from "../formats/nifti.js";
import { axisOf } from "../space.js";
import { fileBytes } from "./file-bytes.js";
import { numbered, overBytes, roundedNote, severalNotes } from "./over-bytes.js";
import type { Input, Reader } from "./reader.js";
import { beginningOf, isPacked, isPackedFile, type Lengths, packedFile, packedPart, unpack } from "./unpacked.js";

/** Several times are unpacked at once, because a file may end within them. */
const LENGTHS: Lengths = {
  headerBytes: NIFTI_HEADER_BYTES,
  lengthOf: niftiBytes,
  mayEndEarly: async (start, name) => (await niftiTimes(start, name)) > 1,
};

/** The two files of a volume whose header lies beside its voxels, by the name of either. */
interface Pair {
  readonly header: string;
  readonly voxels: string;
}

/** The pair that a path names; undefined for a path of another ending. */
function pairOf(path: string): Pair | undefined {
  const [, stem] = /^(.*)\.(?:hdr|img)(?:\.gz)?$/i.exec(path) ?? [];
  if (stem === undefined) return undefined;
  const find = (...endings: readonly string[]): string | undefined =>
    endings.map((ending) => stem + ending).find((name) => existsSync(name) && statSync(name).isFile());
  const header = find(".hdr", ".hdr.gz", ".HDR");
  const voxels = find(".img", ".img.gz", ".IMG");
  if (header && voxels) return { header, voxels };
  throw new FileError(`Expected a header and its voxels, ${stem}.hdr and ${stem}.img, got one of them.`);
}

/** Volumes, packed or not; with `spill` a packed one is unpacked to a temporary file instead of memory. */
export const NIFTI: Reader = {
  name: "NIfTI",
  endings: [".nii", ".nii.gz", ".hdr", ".img", ".img.gz"],
  sniff: (start, { path }) =>
    start.kind === "file" &&
    (isPacked(start.bytes) || isNifti(start.bytes) || isAnalyze(start.bytes) || /\.img$/i.test(path)),
  axes: ["time", "channel"],
  header: async ({ path, shown }, { time, channel, lenient }) => {
    const start = await beginningOf(pairOf(path)?.header ?? path, shown);
    const read: Bytes["read"] = async (into, at) => {
      const part = start.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    };
    const bytes = { size: await niftiBytes(start, shown), read, close: async () => {} };
    // The voxels of a pair begin at 0, but have as many bytes as those of a single file.
    return (await openNifti(bytes, shown, { time, channel: numbered(channel), lenient })).space;
  },
  open: async (input, { spill = false, nodata, time, channel, lenient, ids, exact }) => {
    const { shown } = input;
    const { header, voxels = header, packed } = await bytesIn(input, spill);
    return overBytes(voxels, async () => {
      const options = { nodata, time, channel: numbered(channel), lenient, ids, exact, voxels };
      const { source, space, version, stored, notes } = await openNifti(header, shown, options);
      const rounded = roundedNote(source, shown);
      const channels = source.channels ?? axisOf(space, "channel")?.size ?? 1;
      return {
        pixels: source,
        ids: source.ids,
        space,
        about: { format: `NIfTI-${version}`, stored, channels, compression: packed ? "gzip" : "none" },
        notes: () => [...notes, ...severalNotes(space, shown), ...rounded()],
      };
    });
  },
};

/** The bytes of a header, those of voxels in a file of their own, and whether these are packed. */
interface Files {
  readonly header: Bytes;
  readonly voxels?: Bytes;
  readonly packed: boolean;
}

/** The bytes of an input, unpacked when a value is read. */
async function bytesIn(input: Input, spill: boolean): Promise<Files> {
  const { path, shown } = input;
  if (path === "-") {
    const buffer = await input.contents();
    const packed = isPacked(buffer);
    return { header: bufferBytes(packed ? await unpack(Readable.from([buffer]), shown, LENGTHS) : buffer), packed };
  }
  const pair = pairOf(path);
  const packed = await isPackedFile(pair?.voxels ?? path);
  if (!pair) return { header: packed ? await packedFile(path, shown, LENGTHS, spill) : await input.bytes(), packed };
  const start = await beginningOf(pair.header, shown);
  const part = { path: pair.voxels, from: 0, packing: "gzip", name: shown, spill } as const;
  const voxels = packed ? packedPart({ ...part, size: await voxelsEnd(start, shown) }) : await fileBytes(pair.voxels);
  return { header: bufferBytes(start), voxels, packed };
}
