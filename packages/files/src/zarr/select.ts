// Options of sources, and what they take of an image: its box, level, channel and time.

import type { PixelType } from "skerry";
import { UsageError } from "../errors.js";
import { PIXEL_TYPES } from "./chunk.js";
import { ZarrError } from "./errors.js";
import type { ImageArray, OpenedImage } from "./open.js";
import type { HttpOptions } from "./store/http-client.js";

/** A part of an image, in pixels: x, y and, of a volume, z. */
export interface ZarrBox {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
}

/** Options of {@link zarrSource}. */
export interface ZarrSourceOptions {
  /** Level of the image: 0 (default) is the full size, others are smaller. */
  readonly level?: number;
  /** Channel, from 0; `"colour"` takes the 3 or 4 channels of an image of u8 as colours. Required if there are several. */
  readonly channel?: number | "colour";
  /** Time, from 0. Required if there are several. */
  readonly time?: number;
  /** Slice of a volume, from 0, which is read as an image. */
  readonly page?: number | undefined;
  /** Whether values are ids: float64 ones that float32 merges are refused. */
  readonly exact?: boolean | undefined;
  /** Whether integers beyond 32 bits are ids, of which pixels hold the numbers. All chunks are read once more to list them. */
  readonly ids?: boolean | undefined;
  /** A part of the level, in its pixels; only its chunks are read. */
  readonly box?: ZarrBox;
  /**
   * Most bytes of decoded rows; 512 MiB by default. One row of chunks has to fit: of a volume all chunks between two z, of an
   * image those between two y. More memory is used to decode ahead.
   */
  readonly memory?: number;
  /** Options of HTTP requests. */
  readonly http?: HttpOptions;
  readonly signal?: AbortSignal;
  /** Called with the bytes of chunks that were read so far, and the fraction of chunks that were decoded, 0 to 1. */
  readonly onBytes?: (progress: { readonly read: number; readonly fraction: number }) => void;
}

/** Dimensions of an array that are z, y, x and the channels; undefined for missing ones. */
type Dimensions = readonly [z: number | undefined, y: number, x: number, c: number | undefined];

/** The values of an array that make the pixels of a picture. */
export interface Selected {
  readonly dimensions: Dimensions;
  /** Index along each dimension; undefined for dimensions that are read whole: space, and the channels of colours. */
  readonly fixed: readonly (number | undefined)[];
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly type: PixelType;
}

/**
 * Selects the values of a time, a channel and a slice in the array of a level.
 * @throws UsageError if one of several times or channels has to be chosen, or does not exist
 */
export function selectOf(
  { axes, store }: OpenedImage,
  { shape, dataType }: ImageArray,
  { channel, time, page }: Pick<ZarrSourceOptions, "channel" | "time" | "page">,
): Selected {
  const shown = store.url;
  const of = (name: string): number | undefined => {
    const at = axes.findIndex((axis) => axis.name === name);
    return at < 0 ? undefined : at;
  };
  const [all, y, x, c] = [of("z"), of("y"), of("x"), of("c")];
  const z = page === undefined ? all : undefined;
  if (y === undefined || x === undefined) {
    const names = axes.map(({ name }) => name).join(", ");
    throw new ZarrError("unsupported", `Expected axes y and x in ${shown}, got ${names}.`);
  }
  const type = PIXEL_TYPES[dataType];
  const colours = c === undefined ? 1 : shape[c];
  const isColour = channel === "colour" && c !== undefined && (colours === 3 || colours === 4) && dataType === "uint8";
  if (channel === "colour" && !isColour) {
    throw new UsageError(`Expected 3 or 4 channels of uint8 for colours in ${shown}, got ${colours} of ${dataType}.`);
  }
  const fixed = axes.map(({ name }, dimension) => {
    const count = shape[dimension];
    if ([z, y, x].includes(dimension) || (isColour && dimension === c)) return undefined;
    if (name === "z") return chosen(page, count, "page", shown);
    if (name === "t") return chosen(time, count, "time", shown);
    if (name === "c")
      return chosen(channel as number | undefined, count, "channel", shown, canBeColour(count, dataType));
    if (count === 1) return 0;
    throw new ZarrError("unsupported", `Expected axes t, c, z, y and x in ${shown}, got ${name} of ${count}.`);
  });
  if (time !== undefined && of("t") === undefined) chosen(time, 1, "time", shown);
  if (page !== undefined && all === undefined) chosen(page, 1, "page", shown);
  if (channel !== undefined && c === undefined) chosen(channel as number, 1, "channel", shown);
  return {
    dimensions: [z, y, x, isColour ? c : undefined],
    fixed,
    type,
    channels: isColour ? colours : 1,
    width: shape[x],
    height: shape[y],
    depth: z === undefined ? 1 : shape[z],
  };
}

const canBeColour = (count: number, dataType: string): boolean => (count === 3 || count === 4) && dataType === "uint8";

function chosen(
  value: number | undefined,
  count: number,
  what: "time" | "channel" | "page",
  shown: string,
  colour = false,
): number {
  if (value === undefined && count === 1) return 0;
  const others = colour ? ", or luma or another colour" : "";
  const range = count === 1 ? "0" : `0 to ${count - 1}`;
  if (value === undefined) {
    throw new UsageError(`Expected --${what} for ${shown}, which has ${count}: ${range}${others}.`);
  }
  if (Number.isInteger(value) && value >= 0 && value < count) return value;
  throw new UsageError(`Expected --${what} to be ${range}${others} for ${shown}, got ${value}.`);
}
