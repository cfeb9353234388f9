// Reads TIFFs with the reader of the command line, but decodes Deflate and JPEG with the browser.

import { type Bytes, inflateByStream, openTiff, type Space, type TiffCodecs } from "@skerry/files";
import { ARRAYS, partOf } from "@skerry/files/internal";
import lercWasm from "lerc/lerc-wasm.wasm?url";
import type { PixelArray, Raster } from "skerry";
import { withoutFlags } from "./opened.js";

/** Bytes that one strip or tile may decode to. */
const MOST_CHUNK_BYTES = 2 ** 30;

/** Colours of a JPEG as the browser decodes it. */
type ReadJpeg = (file: Uint8Array) => Promise<{ width: number; height: number; rgba: Uint8Array }>;

/** The first page, or the first slice of a stack; `check` refuses sizes before anything is decoded. */
export async function openPage(
  blob: Blob,
  name: string,
  readJpeg: ReadJpeg,
  check: (size: { width: number; height: number }) => void,
): Promise<{
  raster: Raster & { readonly channels: number };
  notes: readonly string[];
  space: Space;
  /** Numbers of a palette. */
  indices: Uint8Array | undefined;
  slices: number | undefined;
}> {
  const codecs: TiffCodecs = {
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
  };
  const opened = await openTiff(bytesOf(blob), name, { withAlpha: true, most: MOST_CHUNK_BYTES, codecs });
  const { pixels } = opened;
  const { width, height, depth = 1, channels } = pixels;
  check(pixels);
  const data: PixelArray = new ARRAYS[pixels.type](width * height * channels);
  await pixels.read(0, 1, 0, height, data, {});
  const slices = depth > 1 ? [`${name} has ${depth} slices; the first one is shown`] : [];
  const notes = withoutFlags(opened.notes());
  const made = opened.upright({ data, width, height, channels });
  const options = { most: MOST_CHUNK_BYTES, codecs, indices: true };
  const numbers = opened.page.palette ? (await openTiff(bytesOf(blob), name, options)).pixels : undefined;
  const own = numbers?.type === "u8" ? new Uint8Array(width * height) : undefined;
  if (numbers && own) await numbers.read(0, 1, 0, height, own, {});
  const indices = own && (opened.upright({ data: own, width, height, channels: 1 }).pixels.data as Uint8Array);
  return {
    indices,
    slices: depth > 1 ? depth : undefined,
    raster: made.pixels,
    space: partOf(made.space, [0, 0, 0], made.pixels),
    notes: [...slices, ...notes],
  };
}

function bytesOf(blob: Blob): Bytes {
  return {
    size: blob.size,
    async read(into, position) {
      const part = new Uint8Array(await blob.slice(position, position + into.length).arrayBuffer());
      into.set(part);
      return part.length;
    },
    close: async () => undefined,
  };
}

/** Components of a JPEG, from the segment that begins its frame. */
function componentsOf(file: Uint8Array): number {
  for (let at = 2; at + 10 < file.length; at += 2 + ((file[at + 2] << 8) | file[at + 3])) {
    if ([0xc0, 0xc1, 0xc2].includes(file[at + 1])) return file[at + 9];
  }
  return 0;
}
