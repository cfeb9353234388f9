// Writes TIFFs of any type, uncompressed, in strips, with a page for each slice; BigTIFF if 4 GiB do not suffice. No npm package
// writes a TIFF that Pillow, scikit-image, sharp and geotiff all read. Slices, their spacing and its unit are written as ImageJ
// does, so that readers do not take them for pages. A place on a map is written as the GeoTIFF entries of the input.

import type { PixelArray } from "skerry";
import type { Fill, Layout, ValueType } from "../../layout.js";
import { type Output, sinkTo } from "../../output.js";
import { lengthUnitOf, losesPlace, originOf, spacingOf } from "../../space.js";
import { PHOTOMETRIC } from "./page.js";
import { TAG } from "./tags.js";

const STRIP_BYTES = 1 << 20;
const UNASSOCIATED_ALPHA = 2;

/** Field types of TIFF 6.0 and BigTIFF. */
const [ASCII, SHORT, LONG, RATIONAL, DOUBLE, LONG8] = [2, 3, 4, 5, 12, 16];
const FIELD_BYTES: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4, 5: 8, 12: 8, 16: 8 };

/** Bytes of a sample, and its format: 1 unsigned, 2 signed, 3 floats. */
const SAMPLES: Readonly<Record<ValueType, readonly [number, number]>> = {
  bool: [1, 1],
  u8: [1, 1],
  u16: [2, 1],
  i16: [2, 2],
  u32: [4, 1],
  i32: [4, 2],
  f32: [4, 3],
};

/** Values of a directory's entry. */
interface Field {
  readonly tag: number;
  readonly type: number;
  readonly values: readonly number[] | string;
}

/**
 * Writes samples as they come; bool as 0 and 255.
 * @example
 * import { fillOf, MemoryOutput, writeTiff } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 3, height: 2, depth: 1 };
 * await writeTiff(file, { ...size, type: "u16", spacing: [0.5, 0.5], unit: "\u00b5m" }, fillOf(new Uint16Array(6), size));
 */
export async function writeTiff(file: Output, layout: Layout, fill: Fill): Promise<void> {
  await file.write(tiffHeader(layout));
  if (layout.type !== "bool") return void (await fill(shortened(file, layout)));
  await fill({ write: (_z0, _z1, _y0, _y1, data) => file.write(bytesOf(data).map((value) => (value ? 255 : 0))) });
}

/** Bools as bytes. */
const bytesOf = (data: PixelArray): Uint8Array => (data instanceof Uint8Array ? data : new Uint8Array(data));

/** A sink of values that may arrive in a wider type than the file's: 16-bit labels arrive as u32. */
function shortened(file: Output, { type }: Layout): ReturnType<typeof sinkTo> {
  if (type !== "u16") return sinkTo(file);
  const asShort = (data: PixelArray): PixelArray => (data.BYTES_PER_ELEMENT === 2 ? data : new Uint16Array(data));
  return { write: (_z0, _z1, _y0, _y1, data) => file.write(asShort(data)) };
}

/** Slices, sides of a pixel, unit, origin and the shown range as an ImageJ description. */
function describe({ depth, space, range, description }: Layout): string | undefined {
  const unit = space && lengthUnitOf(space);
  const [x = 1, y = 1, z = 1] = (space && spacingOf(space)) ?? [];
  const origin = space && !losesPlace(".tif", space) ? originOf(space) : undefined;
  const isPlaced = origin?.some((at) => at !== 0) ?? false;
  if (depth === 1 && unit === undefined && !isPlaced && range === undefined) return description;
  const lines = [
    "ImageJ=1.54f",
    ...(depth > 1 ? [`images=${depth}`, `slices=${depth}`] : []),
    ...(unit === undefined ? [] : [`unit=${unit === "\u00b5m" ? "micron" : unit}`]),
    ...(depth > 1 && space && spacingOf(space) ? [`spacing=${z}`] : []),
    // An origin is in pixels: the coordinate of pixel p is (p - origin) times its side.
    ...(isPlaced && origin
      ? ["x", "y", "z"].map((name, i) => `${name}origin=${-origin[i] / (unit === undefined ? 1 : [x, y, z][i])}`)
      : []),
    ...(range === undefined ? [] : [`min=${range[0]}`, `max=${range[1]}`]),
  ];
  return `${lines.join("\n")}\n`;
}

const MOST_U32 = 2 ** 32 - 1;

/**
 * Pixels per unit as a fraction of two 32-bit words, from the side of a pixel. Of a fraction with a round numerator, which is
 * exact for sides of few decimals (0.325 is 1000000000 / 325000000), and one with a round denominator the nearer one is taken.
 */
function resolutionOf(side: number): [number, number] {
  const round = (unit: number): number => [1e9, 1e6, 1e3, 1].find((each) => unit * each <= MOST_U32) ?? 1;
  const [above, below] = [round(side), round(1 / side)];
  const clamped = (value: number): number => Math.min(MOST_U32, Math.max(1, Math.round(value)));
  const fractions: [number, number][] = [
    [above, clamped(side * above)],
    [clamped(below / side), below],
  ];
  const [first, second] = fractions.map(([pixels, units]) => Math.abs((pixels / units) * side - 1));
  return fractions[first <= second ? 0 : 1];
}

/** Entries of every page. */
function fieldsOf(
  layout: Layout,
  rows: number,
  offsets: readonly number[],
  counts: readonly number[],
  big: boolean,
): Field[] {
  const { width, height, type, channels = 1, space, nodata } = layout;
  const unit = space && lengthUnitOf(space);
  const crs = space?.crs?.kind === "map" ? space.crs : undefined;
  const [bytes, format] = SAMPLES[type];
  const text = describe(layout);
  const [across, down] = (space && spacingOf(space)) ?? [];
  const sized = unit !== undefined && across !== undefined && down !== undefined && across > 0 && down > 0;
  const each = (value: number): number[] => Array.from({ length: channels }, () => value);
  const entries: Field[] = [
    { tag: TAG.imageWidth, type: LONG, values: [width] },
    { tag: TAG.imageLength, type: LONG, values: [height] },
    { tag: TAG.bitsPerSample, type: SHORT, values: each(bytes * 8) },
    { tag: TAG.compression, type: SHORT, values: [1] },
    { tag: TAG.photometric, type: SHORT, values: [channels === 1 ? PHOTOMETRIC.blackIsZero : PHOTOMETRIC.rgb] },
    ...(text === undefined ? [] : [{ tag: TAG.description, type: ASCII, values: text }]),
    { tag: TAG.stripOffsets, type: big ? LONG8 : LONG, values: offsets },
    { tag: TAG.samplesPerPixel, type: SHORT, values: [channels] },
    { tag: TAG.rowsPerStrip, type: LONG, values: [rows] },
    { tag: TAG.stripByteCounts, type: LONG, values: counts },
    ...(sized
      ? [
          { tag: TAG.xResolution, type: RATIONAL, values: resolutionOf(across) },
          { tag: TAG.yResolution, type: RATIONAL, values: resolutionOf(down) },
          { tag: TAG.resolutionUnit, type: SHORT, values: [1] },
        ]
      : []),
    ...(channels === 4 ? [{ tag: TAG.extraSamples, type: SHORT, values: [UNASSOCIATED_ALPHA] }] : []),
    { tag: TAG.sampleFormat, type: SHORT, values: each(format) },
    ...(crs?.entries ?? []).map(({ tag, values }) => ({
      tag,
      values,
      type: typeof values === "string" ? ASCII : tag === TAG.geoKeys ? SHORT : DOUBLE,
    })),
    ...(nodata === undefined ? [] : [{ tag: TAG.gdalNodata, type: ASCII, values: `${nodata}` }]),
  ];
  return entries.sort((a, b) => a.tag - b.tag);
}

function lengthOf({ values, type }: Field): number {
  if (typeof values === "string") return new TextEncoder().encode(values).length + 1;
  return type === RATIONAL ? values.length / 2 : values.length;
}

/** Everything before the pixels: header, a directory per page, and the values of its entries; then the pages follow. */
function tiffHeader(layout: Layout): Uint8Array {
  const { width, height, depth, type, channels = 1 } = layout;
  const [bytes] = SAMPLES[type];
  const rowBytes = width * channels * bytes;
  const rows = Math.min(height, Math.max(1, Math.floor(STRIP_BYTES / rowBytes)));
  const strips = Math.ceil(height / rows);
  const pageBytes = rowBytes * height;
  const counts = Array.from({ length: strips }, (_, strip) => Math.min(rows, height - strip * rows) * rowBytes);
  const big = (pageBytes + strips * 16 + 4096) * depth > 2 ** 32 - 1;
  const word = big ? 8 : 4;
  const round = (n: number): number => Math.ceil(n / 16) * 16;
  const none = Array.from({ length: strips }, () => 0);
  const fields = fieldsOf(layout, rows, none, counts, big);
  const directoryBytes = round(big ? 8 + fields.length * 20 + 8 : 2 + fields.length * 12 + 4);
  const pageHeader = fields.reduce((sum, field) => {
    const size = lengthOf(field) * FIELD_BYTES[field.type];
    return sum + (size > word ? round(size) : 0);
  }, directoryBytes);
  const dataAt = 16 + depth * pageHeader;
  const buffer = new Uint8Array(dataAt);
  const view = new DataView(buffer.buffer);
  const put = (at: number, value: number): void => {
    if (big) view.setBigUint64(at, BigInt(value), true);
    else view.setUint32(at, value, true);
  };
  buffer.set([0x49, 0x49], 0);
  view.setUint16(2, big ? 43 : 42, true);
  if (big) view.setUint16(4, 8, true);
  put(big ? 8 : 4, 16);
  for (let page = 0; page < depth; page++) {
    const directory = 16 + page * pageHeader;
    const first = dataAt + page * pageBytes;
    const offsets = none.map((_, strip) => first + strip * rows * rowBytes);
    let free = directory + directoryBytes;
    if (big) put(directory, fields.length);
    else view.setUint16(directory, fields.length, true);
    for (const [i, field] of fieldsOf(layout, rows, offsets, counts, big).entries()) {
      const at = directory + (big ? 8 + i * 20 : 2 + i * 12);
      const length = lengthOf(field);
      const size = length * FIELD_BYTES[field.type];
      view.setUint16(at, field.tag, true);
      view.setUint16(at + 2, field.type, true);
      put(at + 4, length);
      if (size <= word) store(view, at + 4 + word, field);
      else {
        put(at + 4 + word, free);
        store(view, free, field);
        free += round(size);
      }
    }
    const next = page + 1 < depth ? directory + pageHeader : 0;
    put(directory + (big ? 8 + fields.length * 20 : 2 + fields.length * 12), next);
  }
  return buffer;
}

/** Stores the values of an entry. */
function store(view: DataView, at: number, { type, values }: Field): void {
  if (typeof values === "string") {
    new Uint8Array(view.buffer).set(new TextEncoder().encode(values), at);
    return;
  }
  for (const [i, value] of values.entries()) {
    if (type === SHORT) view.setUint16(at + 2 * i, value, true);
    else if (type === DOUBLE) view.setFloat64(at + 8 * i, value, true);
    else if (type === LONG8) view.setBigUint64(at + 8 * i, BigInt(value), true);
    else view.setUint32(at + 4 * i, value, true);
  }
}
