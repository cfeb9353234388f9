// Reads TIFFs with the reader of the command line, but decodes Deflate and JPEG with the browser.

import { inflateByStream, openTiff, type Space, type TiffCodecs } from "@skerry/files";
import { ARRAYS, partOf } from "@skerry/files/internal";
import lercWasm from "lerc/lerc-wasm.wasm?url";
import type { PixelArray, Raster } from "skerry";
import { defined } from "skerry/internal";
import type { Taken } from "../settings/recipe.js";
import { blobBytes } from "./blob-bytes.js";
import { type Opened, withoutFlags } from "./opened.js";

/** Bytes that one strip or tile may decode to. */
const MOST_CHUNK_BYTES = 2 ** 30;

/** Colours of a JPEG as the browser decodes it. */
type ReadJpeg = (file: Uint8Array) => Promise<{ width: number; height: number; rgba: Uint8Array }>;

const codecsOf = (readJpeg: ReadJpeg): TiffCodecs => ({
  inflate: inflateByStream,
  async jpeg(file) {
    const { width, height, rgba } = await readJpeg(file);
    const channels = componentsOf(file);
    const data = new Uint8Array(width * height * channels);
    for (let i = 0; i < width * height; i++) {
      for (let c = 0; c < channels; c++) data[i * channels + c] = rgba[4 * i + c];
    }
    return { width, height, channels, data };
  },
  jpegComponents: [1, 3],
  lercWasm,
});

/** A page, by default the first, or the first slice of a stack; `check` refuses sizes before anything is decoded. */
export async function openPage(
  blob: Blob,
  name: string,
  { page, time }: Taken = {},
  readJpeg: ReadJpeg,
  check: (size: { width: number; height: number }) => void,
): Promise<{
  raster: Raster & { readonly channels: number };
  notes: readonly string[];
  space: Space;
  /** Numbers of a palette. */
  indices: Uint8Array | undefined;
}> {
  const codecs = codecsOf(readJpeg);
  const of: Taken = defined({ page, time });
  const opened = await openTiff(blobBytes(blob), name, { ...of, withAlpha: true, most: MOST_CHUNK_BYTES, codecs });
  const { pixels } = opened;
  const { width, height, channels } = pixels;
  check(pixels);
  const data: PixelArray = new ARRAYS[pixels.type](width * height * channels);
  await pixels.read(0, 1, 0, height, data, {});
  const notes = withoutFlags(opened.notes());
  const raster = opened.upright({ data, width, height, channels });
  const options = { ...of, most: MOST_CHUNK_BYTES, codecs, indices: true };
  const numbers = opened.page.palette ? (await openTiff(blobBytes(blob), name, options)).pixels : undefined;
  const grey = numbers?.type === "u8" ? new Uint8Array(width * height) : undefined;
  if (numbers && grey) await numbers.read(0, 1, 0, height, grey, {});
  const indices = grey && (opened.upright({ data: grey, width, height, channels: 1 }).pixels.data as Uint8Array);
  return {
    indices,
    raster: raster.pixels,
    space: partOf(raster.space, [0, 0, 0], raster.pixels),
    notes,
  };
}

/** The slices of a stack of ImageJ's, or the pages of a file as the slices of a volume. */
export async function openStack(blob: Blob, name: string, { time }: Taken = {}, readJpeg: ReadJpeg): Promise<Opened> {
  const of: Taken = defined({ time });
  const opened = await openTiff(blobBytes(blob), name, { ...of, most: MOST_CHUNK_BYTES, codecs: codecsOf(readJpeg) });
  const { pixels, space } = opened.upright(opened.pixels);
  const { wholeOf } = await import("./others.js");
  return wholeOf(pixels, space, opened.notes(), name);
}

/** Components of a JPEG, from the segment that begins its frame. */
function componentsOf(file: Uint8Array): number {
  for (let at = 2; at + 10 < file.length; at += 2 + ((file[at + 2] << 8) | file[at + 3])) {
    if ([0xc0, 0xc1, 0xc2].includes(file[at + 1])) return file[at + 9];
  }
  return 0;
}
