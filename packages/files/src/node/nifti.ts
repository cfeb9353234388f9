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
import type { Reader } from "./reader.js";
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

/** The bytes of a pair: those of its header, and those of its voxels, which are unpacked when they are read. */
async function pairBytes({ header, voxels }: Pair, name: string, spill: boolean): Promise<[Bytes, Bytes]> {
  const start = await beginningOf(header, name);
  const size = await voxelsEnd(start, name);
  return [
    bufferBytes(start),
    (await isPackedFile(voxels))
      ? packedPart({ path: voxels, from: 0, packing: "gzip", size, name, spill })
      : await fileBytes(voxels),
  ];
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
    const { path, shown } = input;
    let packed = false;
    const pair = path === "-" ? undefined : pairOf(path);
    const [header, voxels] = pair ? await pairBytes(pair, shown, spill) : [await unpacked(), undefined];
    return overBytes(voxels ?? header, async () => {
      const bytes = header;
      const { source, space, version, stored, notes } = await openNifti(bytes, shown, {
        nodata,
        time,
        channel: numbered(channel),
        lenient,
        ids,
        exact,
        voxels,
      });
      const rounded = roundedNote(source, shown);
      const channels = axisOf(space, "channel")?.size ?? 1;
      return {
        pixels: source,
        ids: source.ids,
        space,
        about: { format: `NIfTI-${version}`, stored, channels, compression: packed ? "gzip" : "none" },
        notes: () => [...notes, ...severalNotes(space, shown), ...rounded()],
      };
    });

    async function unpacked(): Promise<Bytes> {
      if (path === "-") {
        const buffer = await input.contents();
        packed = isPacked(buffer);
        return bufferBytes(packed ? await unpack(Readable.from([buffer]), shown, LENGTHS) : buffer);
      }
      if (!(await isPackedFile(path))) return input.bytes();
      packed = true;
      return packedFile(path, shown, LENGTHS, spill);
    }
  },
};
