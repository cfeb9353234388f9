// OME-Zarr images as pictures, the input of commands.

import type { Source } from "skerry";
import { CHANNELS, defined, type Projection } from "skerry/internal";
import { UsageError } from "../errors.js";
import { memoryForPixels, projectionBytes } from "../node/memory-limit.js";
import type { Picture, PictureOptions } from "../node/picture.js";
import { nameOf } from "../node/readers.js";
import { projected, spaceOfProjection } from "../projection.js";
import { isProjection } from "../space.js";
import type { OpenedImage } from "./open.js";
import { openImage } from "./open.js";
import type { ZarrSource } from "./rows.js";
import type { ZarrBox, ZarrSourceOptions } from "./select.js";
import { sourceOf } from "./source.js";
import { openStore } from "./store/open.js";

/** Fraction of the memory that decoded rows may take. The rest is for the engine and for output. */
const ROWS = 1 / 6;

/** Options of {@link openZarr}. */
export interface ZarrPictureOptions
  extends Pick<PictureOptions, "page" | "time" | "level" | "channel" | "volume" | "raw" | "lenient" | "exact" | "ids"> {
  readonly box?: ZarrBox | undefined;
  /** Whether the 3 or 4 channels of an image are its colours, if no channel is selected. */
  readonly colours?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes that were read. */
  readonly onBytes?: ZarrSourceOptions["onBytes"];
}

/** A picture over OME-Zarr: its pixels are a {@link ZarrSource}, those of a projection a Source, with the Space of the whole level. */
export interface ZarrPicture extends Picture {
  readonly pixels: ZarrSource | (Source & Pick<ZarrSource, "channels" | "wholeSpace">);
}

/** Names of colours and stains, which are computed from all channels. */
const NAMED: readonly string[] = CHANNELS;

/**
 * Opens an image in OME-Zarr as a picture.
 * @throws ZarrError and UsageError as {@link zarrSource}
 * @example
 * import { openZarr } from "@skerry/files/zarr";
 * const picture = await openZarr("cells.zarr", { level: 1 });
 * console.log(picture.name, picture.pixels.width); // cells, 96 pixels wide
 * await picture.close();
 */
export async function openZarr(path: string, options: ZarrPictureOptions = {}): Promise<ZarrPicture> {
  const { volume, raw, channel, box, colours, signal, onBytes, lenient = false } = options;
  for (const [flag, value] of Object.entries({ volume, shape: raw })) {
    if (value !== undefined) throw new UsageError(`Expected no --${flag} for ${path}, which is Zarr.`);
  }
  if (channel === "index") throw new UsageError(`Expected --channel to be a number for ${path}, got index.`);
  const image = await openImage(openStore(path), { signal });
  // A choice for another file counts only if this one has such an axis.
  const level = lenient && image.levels.length === 1 ? undefined : options.level;
  const time = lenient && !image.axes.some(({ name }) => name === "t") ? undefined : options.time;
  const asColour = typeof channel === "string" ? NAMED.includes(channel) && (await isSeveral(image)) : false;
  const selected =
    asColour || (channel === undefined && colours && (await isSeveral(image))) ? "colour" : numberOf(channel);
  const left = memoryForPixels();
  // The first slice stands for all where each is taken in turn.
  const { page: wanted } = options;
  const slice = wanted === "all" ? 0 : isProjection(wanted) ? undefined : wanted;
  const page = lenient && !image.axes.some(({ name }) => name === "z") ? undefined : slice;
  const source = await sourceOf(
    image,
    defined({
      level,
      time,
      page,
      box,
      signal,
      onBytes,
      exact: options.exact,
      ids: options.ids,
      channel: selected,
      memory: left === undefined ? undefined : left * ROWS,
    }),
  );
  return {
    input: path,
    name: nameOf(path),
    ...pixelsOf(source, isProjection(wanted) && !(lenient && source.depth === 1) ? wanted : undefined, path),
    ids: source.ids,
    about: { format: "OME-Zarr" },
    notes: () => {
      const { unlike } = source.traffic;
      return [
        ...(image.count > 1 ? [`${path} has ${image.count} images; the first one is used`] : []),
        ...(unlike > 0 ? [`${path}: ${unlike} float64 values do not fit float32 and were rounded`] : []),
      ];
    },
    close: async () => source.close(),
  };
}

/** The pixels and their Space, as they are or projected. */
function pixelsOf(
  source: ZarrSource,
  how: Projection | undefined,
  path: string,
): Pick<ZarrPicture, "pixels" | "space"> {
  if (how === undefined) return { pixels: source, space: source.space };
  const { channels, wholeSpace, space, ids } = source;
  try {
    const one = projected({ pixels: source, space, ids }, how, path, projectionBytes());
    return {
      ...one,
      pixels: Object.assign(one.pixels, { channels, wholeSpace: spaceOfProjection(wholeSpace, how) }),
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Whether an image has several channels. */
async function isSeveral(image: OpenedImage): Promise<boolean> {
  const dimension = image.axes.findIndex(({ name }) => name === "c");
  return dimension >= 0 && (await image.array(0)).shape[dimension] > 1;
}

function numberOf(channel: ZarrPictureOptions["channel"]): number | undefined {
  return typeof channel === "number" ? channel : undefined;
}
