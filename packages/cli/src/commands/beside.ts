// Files beside an input: values that are measured under its objects, masks, fences. Each is brought into the grid of the input by their places,
// or refused.

import { type Match, matched, type Triple } from "@skerry/files";
import { axisOf, exchangeBytes, hasAxis, indexThrough, isExchanged, sizesOf, through } from "@skerry/files/internal";
import { openPicture, type Picture, type PictureOptions, rasterOf } from "@skerry/files/node";
import { mostBytes } from "@skerry/files/node/internal";
import type { ZarrSource } from "@skerry/files/zarr";
import { cropped, maskOf, type NamedPixels, type Pixels, type Recipe } from "@skerry/recipe";
import { type BesideFile, boundsOf, fenceOf, rgbOf } from "@skerry/recipe/internal";
import type { Engine, Mask, Raster, Source } from "skerry";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";
import { fileOf } from "./headers.js";
import { CHOSEN, checkServed, type OpenedInput, openStored } from "./input.js";
import { selectedIn } from "./notes.js";
import { isZarr } from "./stores.js";

/** A file beside the input, in its grid. */
interface Beside {
  readonly pixels: Exclude<Pixels, { readonly buffer: unknown }>;
  readonly picture: Picture;
}

/** An image that is measured beside the input, with the name of its columns. */
export interface Intensity extends NamedPixels {
  readonly picture: Picture;
}

/** Opens a file in the grid of an input. `option` is the flag that names it. */
async function openBeside(
  file: BesideFile,
  option: string,
  { input = {} }: Recipe,
  first: OpenedInput,
): Promise<Beside> {
  const { path } = file;
  const { crop, volume, stack, allowGaps, ignorePlace, matte } = input;
  const pageOf = input.page === "all" && !volume ? undefined : input.page;
  const chosen: PictureOptions = defined({
    page: file.page ?? pageOf,
    time: file.time ?? (input.time === "all" ? undefined : input.time),
    level: file.level ?? input.level,
    channel: file.channel,
    volume,
    stack,
    allowGaps,
    lenient: true,
    matte: matte === undefined ? undefined : rgbOf(matte),
  });
  const inStore = await isZarr(path);
  const open = (box?: readonly number[]): Promise<Picture> =>
    inStore ? openStored(path, defined({ ...chosen, crop: box })) : openPicture(path, chosen);
  const picture = await open();
  try {
    for (const axis of CHOSEN) {
      if (hasAxis(picture.space, axis)) first.unserved.delete(axis);
      const inFile = axis === "stack" ? undefined : file[axis];
      if (inFile !== undefined && inFile !== 0 && !hasAxis(picture.space, axis)) {
        throw new UsageError(`Expected a file with several ${axis}s for ${option} ${path}:${axis}=${inFile}, got one.`);
      }
    }
    const names = [first.input, `${option} ${path}`] as const;
    const found = matched(first.wholeSpace, picture.space, { names, ignorePlace }, (text) => new UsageError(text));
    const notes = [...found.notes, ...exchangeNotes(picture, found, path, inStore)];
    if (inStore) {
      const box = crop && boxThrough(crop, first, picture, found);
      const part = box ? await open(box) : picture;
      if (box) await picture.close();
      const pixels = isExchanged(found)
        ? exchangedStored(part.pixels as ZarrSource, found, box ?? wholeBox(picture), open)
        : through(part.pixels, found);
      return { pixels, picture: withNotes(part, notes) };
    }
    const raster = isExchanged(found) && !("data" in picture.pixels) ? await rasterOf(picture) : picture.pixels;
    const turned = through(raster, found);
    return { pixels: crop ? cropped(turned, crop) : turned, picture: withNotes(picture, notes) };
  } catch (error) {
    await picture.close();
    throw error;
  }
}

const withNotes = (picture: Picture, notes: readonly string[]): Picture => ({
  ...picture,
  notes: () => [...picture.notes(), ...notes],
});

/** States the memory that exchanged axes take, and refuses what does not fit. */
function exchangeNotes({ pixels }: Picture, by: Match, path: string, inStore: boolean): string[] {
  if (!isExchanged(by)) return [];
  if (inStore) return [`${path} has its axes in another order; they are exchanged by chunks`];
  const bytes = exchangeBytes(pixels);
  const mebibytes = Math.ceil(bytes / 2 ** 20);
  if (bytes > mostBytes()) {
    throw new UsageError(
      `Expected ${mebibytes} MiB for the exchanged axes of ${path}, got ${Math.floor(mostBytes() / 2 ** 20)} MiB; give more --memory.`,
    );
  }
  return [`${path} has its axes in another order; they are exchanged in memory, ${mebibytes} MiB`];
}

/** The box of a crop in the pixels of a file whose axes run otherwise, as x, y, z and three sides. */
function boxThrough(crop: readonly number[], first: OpenedInput, { space }: Picture, by: Match): readonly number[] {
  const sizes = sizesOf(first.wholeSpace);
  const box = boundsOf(crop, { width: sizes[0], height: sizes[1], depth: sizes[2] });
  const begin: Triple = [box.x, box.y, box.z];
  const end: Triple = [box.x + box.width - 1, box.y + box.height - 1, box.z + box.depth - 1];
  return boxBetween(by, begin, end, sizes, { isVolume: space.axes[2].size > 1 });
}

/** The box of a file's pixels between two pixels of the first image, both within it, from `begin` on: of an image x, y and two sides. */
function boxBetween(
  by: Match,
  first: Triple,
  last: Triple,
  sizes: Triple,
  { isVolume, begin = [0, 0, 0] }: { readonly isVolume: boolean; readonly begin?: readonly number[] },
): readonly number[] {
  const corners = [first, last].map((corner) => indexThrough(by, corner, sizes));
  const from = [0, 1, 2].map((axis) => Math.min(...corners.map((corner) => corner[axis])) + begin[axis]);
  const sides = [0, 1, 2].map((axis) => Math.abs(corners[0][axis] - corners[1][axis]) + 1);
  return isVolume ? [...from, ...sides] : [from[0], from[1], sides[0], sides[1]];
}

const wholeBox = ({ space }: Picture): readonly number[] => [0, 0, 0, ...sizesOf(space)];

/**
 * Rows of an OME-Zarr image whose axes are exchanged, a slab of chunks at a time: those that lie between two z of the first image, or of an image
 * between two y.
 */
function exchangedStored(
  source: ZarrSource,
  by: Match,
  box: readonly number[],
  open: (box: readonly number[]) => Promise<Picture>,
): Source {
  const isVolume = (source.depth ?? 1) > 1;
  const [begin, sides] =
    box.length === 6
      ? [box.slice(0, 3), box.slice(3)]
      : [
          [box[0], box[1], 0],
          [box[2], box[3], 1],
        ];
  const size = by.order.map((axis) => sides[axis]) as unknown as Triple;
  const [width, height, depth] = size;
  const channels = source.channels ?? 1;
  // Slabs along z of the first image, or y.
  const along = depth > 1 ? 2 : 1;
  const { array, image } = source;
  const chunk = array.chunks[image.axes.findIndex(({ name }) => name === "xyz"[by.order[along]])] ?? 1;
  const thick = Math.max(1, chunk);
  let slab: { readonly from: number; readonly data: Raster["data"] } | undefined;
  const load = async (from: number): Promise<Raster["data"]> => {
    const [first, last] = [[0, 0, 0], size.map((side) => side - 1)];
    first[along] = from;
    last[along] = Math.min(size[along], from + thick) - 1;
    const ends = [first, last] as unknown as [Triple, Triple];
    const part = await open(boxBetween(by, ...ends, size, { isVolume, begin }));
    try {
      return through(await rasterOf(part), by).data;
    } finally {
      await part.close();
    }
  };
  return defined({
    width,
    height,
    depth,
    channels,
    type: source.type,
    nodata: source.nodata,
    async read(z0, z1, y0, y1, into) {
      const row = width * channels;
      for (let z = z0, to = 0; z < z1; z++) {
        for (let y = y0; y < y1; y++, to += row) {
          const at = along === 2 ? z : y;
          const from = at - (at % thick);
          if (slab?.from !== from) slab = { from, data: await load(from) };
          const line = along === 2 ? (z - from) * height + y : y - from;
          into.set(slab.data.subarray(line * row, (line + 1) * row), to);
        }
      }
    },
  });
}

/** The channel that a selection names, where the reader has not taken it already. */
async function channelOf(engine: Engine, { channel }: BesideFile, { pixels, picture }: Beside): Promise<Pixels> {
  const isTaken = picture.space.taken.channel !== undefined;
  const isFirst = channel === 0 && (pixels.channels ?? 1) === 1;
  return channel === undefined || isTaken || isFirst ? pixels : engine.channel(pixels as Raster, channel);
}

/** Options whose masks limit what is taken. */
const LIMITING: readonly string[] = ["--within", "--intersection"];

/** A mask of the nonzero pixels of a file beside an input. Notes go to those of the input. */
export async function readMask(
  engine: Engine,
  text: string,
  option: string,
  recipe: Recipe,
  first: OpenedInput,
): Promise<Mask> {
  const file = fileOf(text);
  const beside = await openBeside(file, option, recipe, first);
  const { picture } = beside;
  try {
    const mask = await maskOf(engine, await channelOf(engine, file, beside));
    first.notices.push(...picture.notes());
    if (LIMITING.includes(option) && selectedIn(mask) === mask.width * mask.height * (mask.depth ?? 1)) {
      first.notices.push(`${text} has no pixel of 0; ${option} takes every pixel`);
    }
    return mask;
  } finally {
    await picture.close();
  }
}

/** Opens the images whose values are measured under the objects of a picture. */
export async function openIntensities(engine: Engine, recipe: Recipe, first: OpenedInput): Promise<Intensity[]> {
  const opened: Intensity[] = [];
  try {
    for (const text of recipe.input?.intensity ?? []) {
      const file = fileOf(text);
      const { name } = file;
      const beside = await openBeside(file, "--intensity", recipe, first);
      // Listed before its channel is taken, so that it is closed if that fails.
      opened.push({ name, ...beside });
      opened[opened.length - 1] = { name, picture: beside.picture, pixels: await channelOf(engine, file, beside) };
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

export async function closeAll(opened: readonly Intensity[]): Promise<void> {
  for (const { picture } of opened) await picture.close();
}

/** How many images the files beside an input have along an axis. */
export async function countsBeside({ input = {} }: Recipe, axis: "time" | "page"): Promise<readonly number[]> {
  const { within, intensity = [] } = input;
  const counts: number[] = [];
  for (const text of [...intensity, ...(typeof within === "string" ? [within] : [])]) {
    const { path, channel, level } = fileOf(text);
    const one = { [axis]: 0, channel, level, lenient: true };
    const picture = (await isZarr(path)) ? await openStored(path, one) : await openPicture(path, one);
    counts.push(axisOf(picture.space, axis)?.size ?? 1);
    await picture.close();
  }
  return counts;
}

/** The fence of a recipe as the option `within`; no option if the recipe has no fence. The last file that an option may be for. */
export async function withinOf(
  engine: Engine,
  recipe: Recipe,
  first: OpenedInput,
): Promise<{ readonly within?: Mask }> {
  const fence = await fenceOf(
    engine,
    recipe,
    first.pixels,
    (path) => readMask(engine, path, "--within", recipe, first),
    {},
  );
  checkServed(recipe, first);
  return fence;
}
