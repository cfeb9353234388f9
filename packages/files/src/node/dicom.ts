// The reader of DICOM: a file, or the slices of one series in a folder.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DicomFile, dicomsOfZip, isDicom, readDicom } from "../formats/volumes/dicom.js";
import { isZip, unzipped } from "../formats/zip.js";
import { fileBytes } from "./file-bytes.js";
import { mostBytes } from "./memory-limit.js";
import type { Input, Reader } from "./reader.js";

/** A folder with the slices of one series, of which other files are ignored, a ZIP of them, or a file of one or several frames. */
export const DICOM: Reader = {
  name: "DICOM",
  endings: [".dcm"],
  axes: ["stack"],
  sniff: async (start, input) =>
    start.kind === "folder" ? (await slicesIn(input)).length > 0 : isDicom(start.bytes) || isZip(start.bytes),
  open: async (input, options) => {
    const { path, shown, names } = input;
    const isFolder = names.length > 0;
    const files = isFolder
      ? (await slicesIn(input)).map((name) => ({ name, contents: () => readFile(name) }))
      : await filesIn(input);
    const { raster, notes, space, compression } = await readDicom(files, isFolder ? path : shown, options);
    return { pixels: raster, space, about: { format: "DICOM", channels: 1, compression }, notes: () => notes };
  },
};

/** The file itself, or those of a ZIP. */
async function filesIn(input: Input): Promise<readonly DicomFile[]> {
  const name = input.path === "-" ? input.shown : input.path;
  const bytes = await input.contents();
  return isZip(bytes) ? dicomsOfZip(unzipped(bytes, name, mostBytes()), name) : [{ name, contents: async () => bytes }];
}

/** The files of a folder that begin like DICOM. */
async function slicesIn({ path, names }: Input): Promise<string[]> {
  const slices: string[] = [];
  for (const name of names) {
    const bytes = await fileBytes(join(path, name));
    const start = Buffer.alloc(132);
    const read = await bytes.read(start, 0).finally(() => bytes.close());
    if (read === 132 && isDicom(start)) slices.push(join(path, name));
  }
  return slices;
}
