// Reads TIFF and BigTIFF, for the command line and the page: stored values of any type, row by row on demand.

import type { ChannelName, PixelArray, PixelType, Raster, Source } from "skerry";
import { defined, type Projection } from "skerry/internal";
import type { ToWorld } from "../../affine.js";
import { ARRAYS, type Bytes, bytesSource } from "../../bytes.js";
import { FileError, UsageError } from "../../errors.js";
import { fitted } from "../../fitted.js";
import type { Ids } from "../../integers.js";
import { type Match, through } from "../../match.js";
import {
  isProjection,
  type Space,
  type SpaceAxis,
  type SpaceParts,
  spaceOf,
  spaceThrough,
  type Taken,
} from "../../space.js";
import { PageRows, wordsOf } from "./chunks.js";
import { COMPRESSION, type TiffCodecs } from "./codecs.js";
import { type Directory, readDirectories } from "./directories.js";
import { metresOfPixels, readGeoreference } from "./georeference.js";
import { chunkBytes, nodataOf, type Page, PHOTOMETRIC, photometricName, pixelTypeOfPage, readPage } from "./page.js";
import { fullPages, levelsOf, type Origin, type Series, seriesOf } from "./series.js";
import { TAG } from "./tags.js";

/** A band of a file by its number or its name, or the indices of a palette. */
export type Band = ChannelName | "index";

/** A selection of a file's values. */
export interface Selection {
  /** The number of a page; all of them as slices; or one image of all, or of the slices of a stack. */
  readonly page?: number | "all" | Projection | undefined;
  readonly channel?: Band | undefined;
  readonly time?: number | undefined;
  /** The number of a smaller version, as in Cloud Optimized GeoTIFF and OME; 0 is the full size. */
  readonly level?: number | undefined;
  /** Whether to read palette indices instead of colours. */
  readonly indices?: boolean | undefined;
  /** Whether values are ids of objects, which may not be rounded. */
  readonly exact?: boolean | undefined;
  /** Whether integers beyond 32 bits are ids, of which pixels hold the numbers. */
  readonly ids?: boolean | undefined;
  /** The stored value of pixels that were not measured. */
  readonly nodata?: number | undefined;
  /** Whether a page, a time or a level is ignored in a file that has no such axis: it was chosen for another file. */
  readonly lenient?: boolean | undefined;
}

/** Options of {@link openTiff}: the image that is read, by page, channel, time and level, and its decoders. */
export interface TiffOptions extends Selection {
  /** Whether transparency is read: the channels are then red, green, blue and alpha; of grey pages only with `true`. */
  readonly withAlpha?: boolean | "colours" | undefined;
  /** The most bytes that one strip or tile may decode to. */
  readonly most: number;
  readonly codecs: TiffCodecs;
}

/** An open TIFF. */
export interface OpenedTiff {
  readonly pixels: Source & { readonly channels: number };
  /** Ids of 64 bits, of which pixels hold the numbers. */
  readonly ids?: Ids | undefined;
  /** Notes for the user; complete once all was read. */
  notes(): readonly string[];
  /** Axes, the place on a map or in the world, what was taken, and the resolution for printing. */
  readonly space: Space;
  /** Whether rows do not begin at the top left, as one of EXIF's orientations 2 to 8 tells. */
  readonly isTurned: boolean;
  /** The first page that is taken, as it is stored. */
  readonly page: Page;
  /** The stack that ImageJ or OME describes, of which pages are the planes. */
  readonly stack?: Pick<Series, "channels" | "slices" | "times" | "plane"> | undefined;
  /** Whether red, green and blue are one band. */
  readonly isGrey: boolean;
  /** Pixels of the file, such as a raster of them, and their Space with rows from the top and columns from the left. */
  upright<P extends Raster | Source>(pixels: P): { readonly pixels: P; readonly space: Space };
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
  const { directories, isCut } = await readDirectories(bytes, name);
  const pages = await fullPages(directories);
  const series = await seriesOf(pages, name);
  const notes: string[] = [];
  if (isCut) {
    const left = `its list of pages goes on beyond its end, and ${pages.length === 1 ? "1 is" : `${pages.length} are`} left`;
    if (typeof options.page === "string")
      throw new FileError(`Could not read ${name}: ${left}; it is damaged or cut off.`);
    notes.push(`${name} is damaged or cut off: ${left}`);
  }
  const planes = await planesOf(pages, series, name, options, notes);
  const chosen = await levelOf(planes.pages, directories, pages, name, options);
  const [page] = chosen.pages;
  const type = pixelTypeOfPage(page);
  for (const other of chosen.pages) {
    const same = other.width === page.width && other.height === page.height && other.samples === page.samples;
    if (same && pixelTypeOfPage(other) === type) continue;
    throw new FileError(
      `Expected the pages of ${name} to be of one size and type, got ${other.width} x ${other.height} x ${other.samples} beside ${page.width} x ${page.height} x ${page.samples}; take one by --page.`,
    );
  }
  const turned = chosen.pages.find(({ orientation }) => orientation !== page.orientation);
  if (turned) {
    throw new FileError(
      `Expected the pages of ${name} to be of one orientation, got ${turned.orientation} beside ${page.orientation}; take one by --page.`,
    );
  }
  const { bands, colours, taken } = bandsOf(
    page,
    type,
    name,
    planes.taken.channel !== undefined ? { ...options, channel: undefined } : options,
    notes,
  );
  if (colours && chosen.pages.some(({ palette }) => String(palette) !== String(page.palette))) {
    throw new FileError(
      `Expected the pages of ${name} to have one palette, got several; take one by --page, or --channel index.`,
    );
  }
  if (page.photometric === PHOTOMETRIC.whiteIsZero) notes.push(`${name}: white is 0; values are as they are stored`);
  const { codecs, most } = options;
  const rows = chosen.pages.map((each) => new PageRows(bytes, each, { name, codecs, most, exact: options.exact }));
  const channels = colours ? 3 : bands.length;
  const nodata = channels > 1 ? undefined : (options.nodata ?? nodataOf(page));
  if (options.nodata !== undefined && channels > 1) {
    throw new UsageError(`Expected --nodata with a grey input, but ${name} has colours.`);
  }
  const depth = chosen.pages.length;
  const sliceValues = page.width * page.height * channels;
  const stored: OpenedTiff["pixels"] = defined({
    width: page.width,
    height: page.height,
    depth,
    channels,
    type: colours ? "u8" : type,
    nodata,
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
  });
  const { pixels: source, ids } =
    page.bits === 64 && page.format !== "float"
      ? await integersOf(stored, wordsOf(rows, page, bands[0]), page, name, options.ids ?? false)
      : { pixels: stored };
  const rounded = (): string[] => {
    const count = rows.reduce((sum, { unlike }) => sum + unlike, 0);
    return count > 0 ? [`${name}: ${count} float64 values do not fit float32 and were rounded`] : [];
  };
  const [across, down] = [planes.pages[0].width / page.width, planes.pages[0].height / page.height];
  const { level } = options;
  const levels = chosen.levels > 1 ? level : undefined;
  const takenHere: Taken = defined({ ...planes.taken, level: levels ?? planes.taken.level });
  const channel = taken ? options.channel : takenHere.channel;
  const space = spaceOf({
    ...(await placeOf(planes.pages[0].directory, pages[0], planes, series, across, down)),
    size: { width: page.width, height: page.height, depth },
    others: [...planes.axes, ...(chosen.levels > 1 ? [{ name: "level", size: chosen.levels } as const] : [])],
    taken: defined({ ...takenHere, channel: channel ?? takenHere.channel }),
    printed: printedAs(await resolutionOf(pages[0]), across, down),
  });
  const by = storedIn(page.orientation);
  return {
    pixels: source,
    ids,
    notes: () => [...notes, ...rounded()],
    space,
    page,
    isTurned: page.orientation > 1,
    stack: series.described ? series : undefined,
    isGrey: bands[1] === undefined ? colours === undefined : bands[0] === bands[1],
    upright: (raster) =>
      page.orientation > 1
        ? { pixels: through(raster, by), space: spaceThrough(space, by) }
        : { pixels: raster, space },
  };
}

/** The pixels of 64-bit integers, of the type of 32 bits that holds them all, or with `ids` the numbers of ids. */
async function integersOf(
  { width, height, depth = 1, nodata }: Source,
  words: Bytes,
  { format }: Page,
  name: string,
  withIds: boolean,
): Promise<Pick<OpenedTiff, "pixels" | "ids">> {
  const size = { width, height, depth };
  const type = format === "int" ? "i64" : "u64";
  const encoding = await fitted(words, 0, size, { type, littleEndian: true, nodata }, name, withIds);
  return { pixels: { ...bytesSource(words, 0, size, encoding, name), channels: 1 }, ids: encoding.ids };
}

/** Sides of a pixel and the place: of ImageJ or OME, or of a map. A smaller version has larger pixels. */
async function placeOf(
  page: Directory,
  first: Directory,
  { origin }: Planes,
  { spacing, unit }: Series,
  across: number,
  down: number,
): Promise<Pick<SpaceParts, "spacing" | "unit" | "toWorld" | "crs">> {
  const map = (await readGeoreference(page, across, down)) ?? (await readGeoreference(first, across, down));
  const [x, y, z] = spacing ?? [];
  const sides = x !== undefined && y !== undefined ? [x * across, y * down, z] : undefined;
  if (map) return defined({ spacing: sides ? sides : metresOfPixels(map), unit: sides ? unit : "m", ...map });
  const [width = 1, height = 1, thick = 1] = spaceOf({ size: { width: 1, height: 1 }, spacing: sides, unit }).axes.map(
    (axis) => axis.spacing,
  );
  const steps = [width, height, origin?.down ? -thick : thick];
  const shift = [(width * (1 - 1 / across)) / 2, (height * (1 - 1 / down)) / 2, 0];
  const rows = origin?.at.map((at, i) => [0, 1, 2].map((k) => (k === i ? steps[i] : 0)).concat(at + shift[i]));
  return defined({ spacing: sides, unit, toWorld: rows ? (rows as unknown as ToWorld) : undefined });
}

function printedAs(resolution: readonly [number, number] | undefined, across: number, down: number): Space["printed"] {
  return resolution && { spacing: [resolution[0] * across, resolution[1] * down], unit: "mm" };
}

/** The same pages at the selected level, and how many levels there are. */
async function levelOf(
  pages: readonly Page[],
  directories: readonly Directory[],
  full: readonly Directory[],
  name: string,
  { level = 0, codecs, lenient = false }: TiffOptions,
): Promise<{ readonly pages: readonly Page[]; readonly levels: number }> {
  const count = (await levelsOf(pages[0].directory, directories)).length;
  if (level === 0 || (lenient && count === 1)) return { pages, levels: count };
  const smaller = await eachOf(pages, async (page) => {
    const levels = await levelsOf(page.directory, directories);
    if (level < levels.length) return readPage(levels[level], name, codecs.jpegComponents);
    throw new UsageError(
      `Expected --level to be from 0 to ${levels.length - 1} for ${name}${full.length > 1 ? " at this page" : ""}, got ${level}.`,
    );
  });
  return { pages: smaller, levels: count };
}

/** Selected pages, and what is known of them. */
interface Planes {
  readonly pages: readonly Page[];
  readonly taken: Taken;
  /** Axes along which the file holds several images. */
  readonly axes: readonly SpaceAxis[];
  readonly origin?: Origin | undefined;
}

/** The selected pages; notes report pages, channels and times that are left out. */
async function planesOf(
  directories: readonly Directory[],
  series: Series,
  name: string,
  { page, channel, time, codecs, lenient = false }: TiffOptions,
  notes: string[],
): Promise<Planes> {
  // A projection takes the slices of a stack, else all pages.
  const wanted = isProjection(page) ? (series.described ? undefined : "all") : page;
  const read = (index: number): Promise<Page> => pageAt(directories, index, name, codecs.jpegComponents);
  const { channels, slices, times, described } = series;
  const planes = described ? channels * slices * times : 1;
  const pageCount = directories.length === 1 ? planes : directories.length;
  const several = (axis: SpaceAxis["name"], size: number): SpaceAxis[] => (size > 1 ? [{ name: axis, size }] : []);
  const axes = [
    ...several("page", pageCount),
    ...(described ? [...several("channel", channels), ...several("time", times)] : []),
  ];
  if (wanted === "all") {
    const pages = await eachOf(
      directories.map((_, i) => i),
      read,
    );
    return { pages, taken: { page: "all" }, axes };
  }
  if (wanted !== undefined && !(lenient && pageCount === 1)) {
    if (time !== undefined) {
      throw new UsageError(`Expected --page or --time for ${name}, got both.`);
    }
    if (wanted < pageCount) return { pages: [await read(wanted)], taken: { page: wanted }, axes };
    throw new UsageError(`Expected --page to be from 0 to ${pageCount - 1} for ${name}, got ${wanted}.`);
  }
  if (!described) {
    if (time !== undefined && time > 0 && !lenient)
      throw new UsageError(`Expected --time 0 for ${name}, which has no time axis, got ${time}.`);
    if (directories.length > 1) {
      notes.push(
        `${name} has ${directories.length} pages; the first one is used (--page N takes another, --page all --volume takes them as slices)`,
      );
    }
    return { pages: [await read(0)], taken: {}, axes };
  }
  if ((series.images ?? 1) > 1)
    notes.push(`${name} has ${series.images} images; the first one is used (--page N takes a plane of another)`);
  const at = lenient && times === 1 ? 0 : (time ?? 0);
  if (at >= times) {
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
  const first = taken ? (channel as number) : 0;
  // The last slice first: a description may tell any number of them.
  const last = series.plane(first, slices - 1, at);
  if (last !== undefined) await read(last);
  const numbers = Array.from({ length: slices }, (_, slice) => {
    const index = series.plane(first, slice, at);
    if (index !== undefined) return index;
    throw new FileError(
      `Expected ${name} to hold slice ${slice} of channel ${first} and time ${at}, but it lies in another file.`,
    );
  });
  const origin = series.origin?.(first, at);
  if (origin?.isUneven) {
    notes.push(
      `${name} has positions along z that are not those of its voxels' size; the first position and the size are used`,
    );
  }
  return {
    pages: await eachOf(numbers, read),
    taken: defined({ channel: taken ? channel : undefined, time: times > 1 && time !== undefined ? at : undefined }),
    axes,
    origin,
  };
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
  { channel, indices = false, withAlpha = false }: TiffOptions,
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
    return { bands: withAlpha && page.alpha >= 0 ? [0, 1, 2, page.alpha] : [0, 1, 2], taken: false };
  }
  const isGrey = [PHOTOMETRIC.whiteIsZero, PHOTOMETRIC.blackIsZero, PHOTOMETRIC.mask].some(
    (each) => each === photometric,
  );
  if (!isGrey && !isColour) {
    const called = photometricName(photometric);
    notes.push(`${name} holds ${called}; its first band is used as it is (--channel N takes another)`);
    return { bands: first, taken: false };
  }
  if (page.alpha >= 0 && isGrey && (type === "u8" || type === "u16")) {
    if (withAlpha === true) return { bands: [0, 0, 0, page.alpha], taken: false };
    notes.push(
      `${name} has transparency; pixels count with the greys stored under it (--matte COLOUR lays them on a colour, --channel alpha takes the transparency)`,
    );
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

/** The sides of a pixel in mm, from the resolution in pixels per inch or centimetre. */
async function resolutionOf(first: Directory): Promise<[number, number] | undefined> {
  const [x, y] = [await first.number(TAG.xResolution, 0), await first.number(TAG.yResolution, 0)];
  const unit = await first.number(TAG.resolutionUnit, 2);
  const millimetres = unit === 2 ? 25.4 : unit === 3 ? 10 : 0;
  if (!(x > 0 && y > 0 && millimetres > 0)) return undefined;
  return [millimetres / x, millimetres / y];
}

/** How axes are stored in one of EXIF's 8 orientations: 2 to 4 mirror or rotate by 180 degrees; 5 to 8 exchange rows and columns. */
function storedIn(orientation: number): Pick<Match, "order" | "flips"> {
  const exchanged = orientation >= 5;
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  return exchanged
    ? { order: [1, 0, 2], flips: [fromBottom, fromRight, false] }
    : { order: [0, 1, 2], flips: [fromRight, fromBottom, false] };
}
