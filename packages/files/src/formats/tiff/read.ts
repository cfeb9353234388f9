// Reads TIFF and BigTIFF, for the command line and the page: stored values of any type, row by row on demand.

import type { ChannelName, PixelArray, PixelType, Raster, Source } from "skerry";
import { ARRAYS, type Bytes } from "../../bytes.js";
import { FileError, UsageError } from "../../errors.js";
import type { Place } from "../../layout.js";
import { PageRows } from "./chunks.js";
import { COMPRESSION, type TiffCodecs } from "./codecs.js";
import { type Directory, readDirectories, TAG } from "./directories.js";
import { calibrationOf, georeferenceOfLevel, readGeoreference } from "./georeference.js";
import { chunkBytes, nodataOf, type Page, PHOTOMETRIC, photometricName, pixelTypeOfPage, readPage } from "./page.js";
import { type Calibration, fullPages, levelsOf, type Series, seriesOf } from "./series.js";

/** A band of a file by its number or its name, or the indices of a palette. */
export type Band = ChannelName | "index";

/** A selection of a file's values. */
export interface Selection {
  /** The number of a page, or all of them as slices. */
  readonly page?: number | "all" | undefined;
  readonly channel?: Band | undefined;
  readonly time?: number | undefined;
  /** The number of a smaller version, as in Cloud Optimized GeoTIFF and OME; 0 is the full size. */
  readonly level?: number | undefined;
  /** Whether to read palette indices instead of colours. */
  readonly indices?: boolean | undefined;
  /** Whether to read transparency with the colours. */
  readonly alpha?: boolean | undefined;
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
}

/** Options of {@link openTiff}: the image that is read, by page, channel, time and level, and its decoders. */
export interface TiffOptions extends Selection {
  /** The most bytes that one strip or tile may decode to. */
  readonly most: number;
  readonly codecs: TiffCodecs;
}

/** An open TIFF. */
export interface OpenedTiff {
  readonly pixels: Source & { readonly channels: number };
  /** Notes for the user; complete once all was read. */
  notes(): readonly string[];
  /** Whether the pixels are the selected channel already, so that the caller need not extract it. */
  readonly taken: boolean;
  /** Place on a map, and the size of a pixel according to ImageJ, OME or the map. */
  readonly place: Place;
  /** Size of a pixel according to the printing resolution. */
  readonly resolution?: Calibration | undefined;
  /** Orientation of rows and columns as in EXIF, 1 to 8; see {@link turned}. */
  readonly orientation: number;
}

/**
 * Opens a TIFF.
 * @throws FileError if it is damaged, or holds values that are not read
 * @throws UsageError if it lacks the selected page, channel, time or level
 * @example
 * import { bufferBytes, inflateByStream, openTiff } from "@skerry/files";
 * import { readFileSync } from "node:fs";
 * const jpeg = async () => Promise.reject(new Error("no JPEG here"));
 * const codecs = { inflate: inflateByStream, jpeg, jpegComponents: [] };
 * const { pixels } = await openTiff(bufferBytes(readFileSync("dem.tif")), "dem.tif", { most: 2 ** 28, codecs });
 * const heights = new Float32Array(pixels.width * pixels.height);
 * await pixels.read(0, 1, 0, pixels.height, heights, {});
 */
export async function openTiff(bytes: Bytes, name: string, options: TiffOptions): Promise<OpenedTiff> {
  const directories = await readDirectories(bytes, name);
  const pages = await fullPages(directories);
  const series = await seriesOf(pages, name);
  const notes: string[] = [];
  const whole = await planesOf(pages, series, name, options, notes);
  const chosen = { ...whole, pages: await levelOf(whole.pages, directories, pages, name, options) };
  const [page] = chosen.pages;
  const type = pixelTypeOfPage(page);
  for (const other of chosen.pages) {
    const same = other.width === page.width && other.height === page.height && other.samples === page.samples;
    if (same && pixelTypeOfPage(other) === type) continue;
    throw new FileError(
      `Expected the pages of ${name} to be of one size and type, got ${other.width} x ${other.height} x ${other.samples} beside ${page.width} x ${page.height} x ${page.samples}; take one by --page.`,
    );
  }
  const { bands, colours, taken } = bandsOf(
    page,
    type,
    name,
    chosen.taken ? { ...options, channel: undefined } : options,
    notes,
  );
  if (page.photometric === PHOTOMETRIC.whiteIsZero) notes.push(`${name}: white is 0; values are as they are stored`);
  const { codecs, most } = options;
  const rows = chosen.pages.map((each) => new PageRows(bytes, each, { name, codecs, most }));
  const channels = colours ? 3 : bands.length;
  const nodata = channels > 1 ? undefined : (options.nodata ?? nodataOf(page));
  if (options.nodata !== undefined && channels > 1) {
    throw new UsageError(`Expected --nodata with a grey input, but ${name} has colours.`);
  }
  const depth = chosen.pages.length;
  const sliceValues = page.width * page.height * channels;
  const source: OpenedTiff["pixels"] = {
    ...{ width: page.width, height: page.height, depth, channels, type: colours ? "u8" : type },
    ...(nodata === undefined ? {} : { nodata }),
    async read(z0, z1, y0, y1, into) {
      for (let z = z0; z < z1; z++) {
        const from = (z - z0) * (z1 - z0 > 1 ? sliceValues : 0);
        const part = into.subarray(from, from + (y1 - y0) * page.width * channels) as PixelArray;
        if (!colours) {
          await rows[z].read(y0, y1, bands, part);
          continue;
        }
        const indices = new ARRAYS[type]((y1 - y0) * page.width);
        await rows[z].read(y0, y1, bands, indices);
        for (let i = 0; i < indices.length; i++) {
          for (let c = 0; c < 3; c++) part[3 * i + c] = colours[c * (colours.length / 3) + indices[i]];
        }
      }
    },
  };
  const rounded = (): string[] => {
    const count = rows.reduce((sum, { unlike }) => sum + unlike, 0);
    return count > 0 ? [`${name}: ${count} float64 values do not fit float32 and were rounded`] : [];
  };
  const [across, down] = [whole.pages[0].width / page.width, whole.pages[0].height / page.height];
  const placedAt = await readGeoreference(pages[0]);
  const georeference = placedAt && georeferenceOfLevel(placedAt, across, down);
  const sized = (told: Calibration | undefined): Calibration | undefined =>
    told && { ...told, spacing: [told.spacing[0] * across, told.spacing[1] * down, ...told.spacing.slice(2)] as never };
  return {
    ...{ pixels: source, notes: () => [...notes, ...rounded()], taken: taken || chosen.taken },
    place: { georeference, calibration: sized(series.calibration) ?? (georeference && calibrationOf(georeference)) },
    resolution: sized(await resolutionOf(pages[0])),
    orientation: page.orientation,
  };
}

/** The same pages at the selected level. */
async function levelOf(
  pages: readonly Page[],
  directories: readonly Directory[],
  full: readonly Directory[],
  name: string,
  { level = 0, codecs }: TiffOptions,
): Promise<readonly Page[]> {
  if (level === 0) return pages;
  return eachOf(pages, async (page) => {
    const levels = await levelsOf(page.directory, directories);
    if (level < levels.length) return readPage(levels[level], name, codecs.jpegComponents);
    throw new UsageError(
      `Expected --level to be from 0 to ${levels.length - 1} for ${name}${full.length > 1 ? " at this page" : ""}, got ${level}.`,
    );
  });
}

/** The selected pages; notes report pages, channels and times that are left out. */
async function planesOf(
  directories: readonly Directory[],
  series: Series,
  name: string,
  { page: wanted, channel, time, codecs }: TiffOptions,
  notes: string[],
): Promise<{ readonly pages: readonly Page[]; readonly taken: boolean }> {
  const read = (index: number): Promise<Page> => pageAt(directories, index, name, codecs.jpegComponents);
  if (wanted === "all")
    return {
      pages: await eachOf(
        directories.map((_, i) => i),
        read,
      ),
      taken: false,
    };
  if (wanted !== undefined) {
    const planes = series.described ? series.channels * series.slices * series.times : 1;
    const count = directories.length === 1 ? planes : directories.length;
    if (wanted < count) return { pages: [await read(wanted)], taken: false };
    throw new UsageError(`Expected --page to be from 0 to ${count - 1} for ${name}, got ${wanted}.`);
  }
  if (!series.described) {
    if (time !== undefined && time > 0)
      throw new UsageError(`Expected --time 0 for ${name}, which has no time axis, got ${time}.`);
    if (directories.length > 1) {
      notes.push(
        `${name} has ${directories.length} pages; the first one is used (--page N takes another, --page all takes them as slices)`,
      );
    }
    return { pages: [await read(0)], taken: false };
  }
  const { channels, slices, times } = series;
  if (time !== undefined && time >= times) {
    throw new UsageError(`Expected --time to be from 0 to ${times - 1} for ${name}, got ${time}.`);
  }
  const taken = channels > 1 && channel !== undefined;
  if (taken && !(typeof channel === "number" && channel < channels)) {
    throw new UsageError(`Expected --channel to be from 0 to ${channels - 1} for ${name}, got ${channel}.`);
  }
  if (channels > 1 && channel === undefined)
    notes.push(`${name} has ${channels} channels; the first one is used (--channel N takes another)`);
  if (times > 1 && time === undefined)
    notes.push(`${name} has ${times} times; the first one is used (--time N takes another)`);
  const numbers = Array.from({ length: slices }, (_, slice) => {
    const index = series.plane(taken ? (channel as number) : 0, slice, time ?? 0);
    if (index !== undefined) return index;
    throw new FileError(
      `Expected ${name} to hold slice ${slice} of channel ${taken ? channel : 0} and time ${time ?? 0}, but it lies in another file.`,
    );
  });
  return { pages: await eachOf(numbers, read), taken };
}

async function eachOf<T>(items: readonly T[], read: (item: T) => Promise<Page>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const item of items) pages.push(await read(item));
  return pages;
}

/** A page by its number. ImageJ writes stacks of more than 4 GiB as one page, followed by the pixels of the others. */
async function pageAt(
  directories: readonly Directory[],
  index: number,
  name: string,
  jpeg: readonly number[],
): Promise<Page> {
  const directory = directories[index];
  if (directory) return readPage(directory, name, jpeg);
  const first = await readPage(directories[0], name, jpeg);
  const bytes = chunkBytes(first, 1) * first.height;
  const inOne = directories.length === 1 && first.compression === COMPRESSION.none && !first.tiled && !first.planar;
  const end = (first.offsets[0] ?? 0) + (index + 1) * bytes;
  if (!inOne || end > directories[0].fileSize) {
    throw new FileError(
      `Expected ${name} to have ${index + 1} pages, got ${directories.length}: it is damaged or cut off.`,
    );
  }
  return {
    ...first,
    chunkHeight: first.height,
    down: 1,
    offsets: [first.offsets[0] + index * bytes],
    counts: [bytes],
  };
}

/** The bands that are read; for palette indices also the colours of the palette. */
function bandsOf(
  page: Page,
  type: PixelType,
  name: string,
  { channel, indices = false, alpha = false }: TiffOptions,
  notes: string[],
): { readonly bands: readonly number[]; readonly colours?: Uint8Array | undefined; readonly taken: boolean } {
  const { samples, photometric } = page;
  const first = [0];
  if (photometric === PHOTOMETRIC.palette) {
    if (channel === "index" || channel === 0 || indices) return { bands: first, taken: channel !== undefined };
    return { bands: first, colours: coloursOf(page, name), taken: false };
  }
  if (channel === "index")
    throw new UsageError(`Expected --channel index for a file with a palette, but ${name} has none.`);
  const isColour = (photometric === PHOTOMETRIC.rgb || photometric === PHOTOMETRIC.ycbcr) && samples >= 3;
  const isWhole = isColour && (type === "u8" || type === "u16");
  if (typeof channel === "number") {
    if (channel < samples) return { bands: [channel], taken: true };
    throw new UsageError(`Expected --channel to be from 0 to ${samples - 1} for ${name}, got ${channel}.`);
  }
  if (channel === "alpha") {
    if (page.alpha >= 0) return { bands: [page.alpha], taken: true };
    throw new UsageError(
      `Expected ${name} to have transparency for --channel alpha, but none of its ${samples} bands says so.`,
    );
  }
  const colour = ["red", "green", "blue"].indexOf(channel as string);
  if (colour >= 0 && isColour) return { bands: [colour], taken: true };
  if (isWhole) {
    if (page.extra > 0)
      notes.push(`${name} has ${samples} bands; red, green and blue are used (--channel N takes one)`);
    return { bands: alpha && page.alpha >= 0 ? [0, 1, 2, page.alpha] : [0, 1, 2], taken: false };
  }
  const isGrey = [PHOTOMETRIC.whiteIsZero, PHOTOMETRIC.blackIsZero, PHOTOMETRIC.mask].some(
    (each) => each === photometric,
  );
  if (!isGrey && !isColour) {
    const called = photometricName(photometric);
    notes.push(`${name} holds ${called}; its first band is used as it is (--channel N takes another)`);
    return { bands: first, taken: false };
  }
  if (samples > (page.alpha >= 0 ? 2 : 1)) {
    notes.push(`${name} has ${samples} bands; the first one is used (--channel N takes another)`);
  }
  return { bands: first, taken: false };
}

/** Reds, greens and blues of 8 bits. */
function coloursOf({ palette, bits }: Page, name: string): Uint8Array {
  const length = 3 * 2 ** bits;
  if (!palette || palette.length < length) {
    throw new FileError(
      `Expected the palette of ${name} to have ${length / 3} colours, got ${Math.floor((palette?.length ?? 0) / 3)}; take its numbers by --channel index.`,
    );
  }
  // Old files store 8-bit colours in 16-bit fields.
  const shift = palette.some((value) => value > 255) ? 8 : 0;
  return Uint8Array.from(palette, (value) => value >> shift);
}

/** The size of a pixel in mm, from the resolution in pixels per inch or centimetre. */
async function resolutionOf(first: Directory): Promise<Calibration | undefined> {
  const [x, y] = [await first.number(TAG.xResolution, 0), await first.number(TAG.yResolution, 0)];
  const unit = await first.number(TAG.resolutionUnit, 2);
  const millimetres = unit === 2 ? 25.4 : unit === 3 ? 10 : 0;
  if (!(x > 0 && y > 0 && millimetres > 0)) return undefined;
  return { spacing: [millimetres / x, millimetres / y], unit: "mm" };
}

/**
 * Returns a raster with rows from the top and columns from the left, from one that is stored in one of EXIF's 8 orientations.
 * Orientations 2 to 4 mirror or rotate by 180 degrees; 5 to 8 swap rows and columns.
 * @example
 * import { turned } from "@skerry/files";
 * const stored = { data: new Uint8Array([1, 2]), width: 2, height: 1, channels: 1 };
 * const upright = turned(stored, 6);
 * console.log(upright.width, upright.height); // 1, 2
 */
export function turned<R extends Raster & { readonly channels: number }>(raster: R, orientation: number): R {
  if (!(orientation >= 2 && orientation <= 8)) return raster;
  const { width, height, depth = 1, channels, data } = raster;
  const swapped = orientation >= 5;
  const [columns, rows] = swapped ? [height, width] : [width, height];
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  const out = data.slice() as PixelArray;
  for (let z = 0; z < depth; z++) {
    const slice = z * width * height;
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const [u, v] = swapped ? [y, x] : [x, y];
        const sourceX = fromRight ? width - 1 - u : u;
        const sourceY = fromBottom ? height - 1 - v : v;
        const from = (slice + sourceY * width + sourceX) * channels;
        const to = (slice + y * columns + x) * channels;
        for (let c = 0; c < channels; c++) out[to + c] = data[from + c];
      }
    }
  }
  return { ...raster, width: columns, height: rows, data: out };
}
