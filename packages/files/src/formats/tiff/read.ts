// TIFF and BigTIFF in, for the command line and the page: values as they are stored, of any type, by rows as they are asked for.

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

/** A band of a file by its number or its name, or the numbers of a palette. */
export type Band = ChannelName | "index";

/** Which of a file's values are wanted. */
export interface Selection {
  /** The number of a page, or all of them as slices. */
  readonly page?: number | "all" | undefined;
  readonly channel?: Band | undefined;
  readonly time?: number | undefined;
  /** The number of a smaller version, as Cloud Optimized GeoTIFF and OME have them; 0 is the whole. */
  readonly level?: number | undefined;
  /** Numbers of a palette instead of its colours. */
  readonly indices?: boolean | undefined;
  /** Colours come with their transparency. */
  readonly alpha?: boolean | undefined;
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
}

/** Which image of a TIFF is read: page, channel, time, resolution. */
export interface TiffOptions extends Selection {
  /** The most bytes that one strip or tile may decode to. */
  readonly most: number;
  readonly codecs: TiffCodecs;
}

/** A TIFF's pixels as they are asked for. */
export interface OpenedTiff {
  readonly pixels: Source & { readonly channels: number };
  /** Notes for the user; complete once all was read. */
  notes(): readonly string[];
  /** Whether the pixels are the channel that was asked for, so that nobody has to take it. */
  readonly taken: boolean;
  /** Place on a map, and the size of a pixel as that, ImageJ or OME tell it. */
  readonly place: Place;
  /** Size of a pixel as printers understand it. */
  readonly resolution?: Calibration | undefined;
  /** EXIF's number of how rows and columns are turned; see {@link turned}. */
  readonly orientation: number;
}

/**
 * Opens a TIFF.
 * @throws FileError if it is damaged, or holds what is not read
 * @throws UsageError if it lacks the page, the channel or the time that is asked for
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

/** The same pages in a smaller version. */
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

/** Pages by what is asked for; with notes on those that are left out. */
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
      throw new UsageError(`Expected --time 0 for ${name}, which tells of no times, got ${time}.`);
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

/** A page by its number. ImageJ writes stacks of more than 4 GiB as one page, and the others behind it. */
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

/** Bands that are read, and the colours that they stand for where they are numbers of a palette. */
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
  // Old files have 8 bits in the place of 16.
  const shift = palette.some((value) => value > 255) ? 8 : 0;
  return Uint8Array.from(palette, (value) => value >> shift);
}

/** Pixels per inch or centimetre, as the size of a pixel. */
async function resolutionOf(first: Directory): Promise<Calibration | undefined> {
  const [x, y] = [await first.number(TAG.xResolution, 0), await first.number(TAG.yResolution, 0)];
  const unit = await first.number(TAG.resolutionUnit, 2);
  const millimetres = unit === 2 ? 25.4 : unit === 3 ? 10 : 0;
  if (!(x > 0 && y > 0 && millimetres > 0)) return undefined;
  return { spacing: [millimetres / x, millimetres / y], unit: "mm" };
}

/**
 * A raster with its rows from the top and its columns from the left, from one that is stored by another of EXIF's 8 orientations:
 * in 2 to 4 it is mirrored or upside down, in 5 to 8 rows are columns.
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
