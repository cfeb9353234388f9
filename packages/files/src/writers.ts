// Every format that values are written to, by the ending of the file's name. A new format is a file in formats/ and a row here.

import { writeNifti } from "./formats/nifti.js";
import { writeNpyValues } from "./formats/npy.js";
import { writePgm } from "./formats/pgm.js";
import { writePngValues } from "./formats/png.js";
import { writeTiff } from "./formats/tiff/write.js";
import { writeMetaImage } from "./formats/volumes/meta-image.js";
import { writeNrrd } from "./formats/volumes/nrrd.js";
import type { Layout, ValueType, Writer } from "./layout.js";

const ANY_DEPTH = 2 ** 32;
const NUMBERS = ["u8", "u16", "i16", "u32", "i32", "f32"] as const;

const tiff: Writer = { types: ["bool", ...NUMBERS], channels: [1], depth: ANY_DEPTH, write: writeTiff };
const colourTiff: Writer = { types: ["u8", "u16"], channels: [3, 4], depth: 1, write: writeTiff };

/** Writers by ending, in the order in which a message lists them. */
export const WRITERS: Readonly<Record<string, readonly Writer[]>> = {
  ".png": [{ types: ["bool", "u8", "u16"], channels: [1, 3, 4], depth: 1, write: writePngValues }],
  ".pgm": [{ types: ["bool", "u8", "u16"], channels: [1], depth: 1, write: writePgm }],
  ".npy": [{ types: ["bool", ...NUMBERS], channels: [1], depth: ANY_DEPTH, write: writeNpyValues }],
  ".tif": [tiff, colourTiff],
  ".tiff": [tiff, colourTiff],
  ".nii": [{ types: ["bool", "u32", "f32"], channels: [1], depth: ANY_DEPTH, write: writeNifti }],
  ".nrrd": [{ types: ["bool", ...NUMBERS], channels: [1], depth: ANY_DEPTH, write: writeNrrd }],
  ".mha": [{ types: ["bool", ...NUMBERS], channels: [1], depth: ANY_DEPTH, write: writeMetaImage }],
};

/** Values to be written: acceptable types, the first choice first, and numbers of channels and slices, 1 by default. */
export interface Wanted {
  readonly types: readonly ValueType[];
  readonly channels?: number;
  readonly depth?: number;
}

/** The ending of a file name in lower case, such as .png or .nii.gz; "" without one. */
export function endingOf(path: string): string {
  return /(\.nii\.gz|\.[^./\\]*)$/i.exec(path)?.[0].toLowerCase() ?? "";
}

/** The writer of an ending that supports the wanted values, and the first of the wanted types that it supports. */
export function writerOf(
  ending: string,
  { types, channels = 1, depth = 1 }: Wanted,
  writers = WRITERS,
): { readonly writer: Writer; readonly type: ValueType } | undefined {
  const fitting = (writers[ending] ?? []).filter((each) => each.channels.includes(channels) && depth <= each.depth);
  for (const type of types) {
    const writer = fitting.find((each) => each.types.includes(type));
    if (writer) return { writer, type };
  }
  return undefined;
}

/** The endings whose formats hold the wanted values. */
export function endingsOf(wanted: Wanted, writers = WRITERS): string[] {
  return Object.keys(writers).filter((ending) => writerOf(ending, wanted, writers));
}

/** The types, channels and slices that a writer of this layout has to support. */
export function wantedBy({ type, channels, depth }: Layout): Wanted {
  return { types: [type], channels: channels ?? 1, depth };
}
