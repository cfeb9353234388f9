// 32-bit greyscale TIFFs, uncompressed, in strips, a page for each slice; BigTIFF where 4 GiB do not hold them. Nothing
// on npm writes one that Pillow, scikit-image, sharp and geotiff all read.

import type { Size } from "../bytes.js";
import type { Fill, Layout } from "../layout.js";
import { type Output, sinkTo } from "../output.js";

const STRIP_BYTES = 1 << 20;

// Field types of TIFF 6.0 and BigTIFF.
const SHORT = 3;
const LONG = 4;
const LONG8 = 16;

// Sample formats.
const UNSIGNED = 1;
const FLOATS = 3;

/** Writes samples of 32 bits: unsigned, or floats. */
export async function writeTiff(file: Output, layout: Layout, fill: Fill): Promise<void> {
  await file.write(tiffHeader(layout, layout.type === "f32" ? FLOATS : UNSIGNED));
  await fill(sinkTo(file));
}

/** Everything before the pixels: header, a directory per page, and where each strip lies; then the pages follow. */
function tiffHeader({ width, height, depth }: Size, format: number): Uint8Array {
  const rows = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / (width * 4))));
  const strips = Math.ceil(height / rows);
  const pageBytes = width * height * 4;
  const big = (pageBytes + strips * 16 + 1024) * depth > 2 ** 32 - 1;
  const word = big ? 8 : 4;
  const tags: [number, number, number][] = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, 32],
    [259, SHORT, 1],
    [262, SHORT, 1],
    [273, big ? LONG8 : LONG, 0],
    [277, SHORT, 1],
    [278, LONG, rows],
    [279, LONG, 0],
    [339, SHORT, format],
  ];
  const round = (n: number): number => Math.ceil(n / 16) * 16;
  const directoryBytes = big ? 8 + tags.length * 20 + 8 : 2 + tags.length * 12 + 4;
  const offsetsAt = round(directoryBytes);
  const countsAt = offsetsAt + strips * word;
  const pageHeader = round(countsAt + strips * 4);
  const dataAt = 16 + depth * pageHeader;
  const buffer = new Uint8Array(dataAt);
  const view = new DataView(buffer.buffer);
  const put = (at: number, value: number): void => {
    if (big) view.setBigUint64(at, BigInt(value), true);
    else view.setUint32(at, value, true);
  };
  const bytesOf = (strip: number): number => Math.min(rows, height - strip * rows) * width * 4;
  buffer.set([0x49, 0x49], 0);
  view.setUint16(2, big ? 43 : 42, true);
  if (big) view.setUint16(4, 8, true);
  put(big ? 8 : 4, 16);
  for (let page = 0; page < depth; page++) {
    const directory = 16 + page * pageHeader;
    const first = dataAt + page * pageBytes;
    if (big) put(directory, tags.length);
    else view.setUint16(directory, tags.length, true);
    tags.forEach(([tag, type, value], i) => {
      const at = directory + (big ? 8 + i * 20 : 2 + i * 12);
      const list = tag === 273 || tag === 279;
      view.setUint16(at, tag, true);
      view.setUint16(at + 2, type, true);
      put(at + 4, list ? strips : 1);
      if (list && strips > (tag === 279 && big ? 2 : 1)) {
        put(at + 4 + word, directory + (tag === 273 ? offsetsAt : countsAt));
      } else if (!list) {
        put(at + 4 + word, value);
      } else if (tag === 273) {
        put(at + 4 + word, first);
      } else {
        // A list this short lies in the entry itself.
        for (let strip = 0; strip < strips; strip++) view.setUint32(at + 4 + word + strip * 4, bytesOf(strip), true);
      }
    });
    const next = page + 1 < depth ? directory + pageHeader : 0;
    put(directory + (big ? 8 + tags.length * 20 : 2 + tags.length * 12), next);
    for (let strip = 0; strip < strips; strip++) {
      put(directory + offsetsAt + strip * word, first + strip * rows * width * 4);
      view.setUint32(directory + countsAt + strip * 4, bytesOf(strip), true);
    }
  }
  return buffer;
}
