// Finds the directories of a TIFF that are the planes of a stack: consecutive pages, or channels, slices and times as ImageJ and
// OME describe them. Overviews, masks and thumbnails are not pages.

import { defined } from "skerry/internal";
import type { Triple } from "../../affine.js";
import { FileError } from "../../errors.js";
import { unitFactor, unitSymbol } from "../../units.js";
import type { Directory } from "./directories.js";
import { TAG } from "./tags.js";

/** The place of a stack. */
export interface Origin {
  /** Place of the first pixel of the first slice, in the unit of x. */
  readonly at: Triple;
  /** Whether slices lie one below the other, rather than above. */
  readonly down: boolean;
  /** Whether steps between slices differ from the size of a voxel. */
  readonly isUneven: boolean;
}

/** Steps between slices differ from the size of a voxel by at most this part of it. */
const STEP_TOLERANCE = 0.01;

/** Planes of a stack. */
export interface Series {
  readonly channels: number;
  readonly slices: number;
  readonly times: number;
  /** Sides of a pixel along x, y and z, and their units. */
  readonly spacing?: readonly (number | undefined)[] | undefined;
  readonly unit?: readonly (string | undefined)[] | undefined;
  /** Images that OME describes, of which the planes are those of the first. */
  readonly images?: number | undefined;
  /** Whether ImageJ or OME describes the planes; else they are plain pages. */
  readonly described: boolean;
  /** The number of a plane's directory; undefined where the file has none. */
  plane(channel: number, slice: number, time: number): number | undefined;
  /** The place of a channel's stack at a time; undefined if the file does not tell it. */
  origin?(channel: number, time: number): Origin | undefined;
}

/** The lowest bits of NewSubfileType: a smaller version of another page, and a mask. */
const [REDUCED, MASK] = [1, 4];
const OLD_REDUCED = 2;

/** Directories that are neither reduced versions nor masks; all directories if there are none. */
export async function fullPages(directories: readonly Directory[]): Promise<readonly Directory[]> {
  const full: Directory[] = [];
  for (const directory of directories) {
    const kind = await directory.number(TAG.newSubfileType, 0);
    const old = await directory.number(TAG.subfileType, 0);
    if ((kind & (REDUCED | MASK)) === 0 && old !== OLD_REDUCED) full.push(directory);
  }
  return full.length > 0 ? full : directories;
}

/** A page and its smaller versions: its subdirectories, or else the reduced pages that follow it in the chain. */
export async function levelsOf(page: Directory, directories: readonly Directory[]): Promise<readonly Directory[]> {
  const below = await page.children();
  if (below.length > 0) return [page, ...below];
  const levels = [page];
  for (const directory of directories.slice(directories.indexOf(page) + 1)) {
    const kind = await directory.number(TAG.newSubfileType, 0);
    if ((kind & REDUCED) === 0) break;
    if ((kind & MASK) === 0) levels.push(directory);
  }
  return levels;
}

/** The series of a file's pages. */
export async function seriesOf(pages: readonly Directory[], name: string): Promise<Series> {
  const [first] = pages;
  const description = await first.text(TAG.description);
  if (description.startsWith("ImageJ=")) return imageJ(description, first, pages.length);
  if (/<(?:\w+:)?OME\b/.test(description)) return ome(description, name, await mostPlanes(pages));
  return {
    channels: 1,
    slices: pages.length,
    times: 1,
    described: false,
    plane: (_channel, slice) => slice,
  };
}

async function imageJ(description: string, first: Directory, pages: number): Promise<Series> {
  const text = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, "m").exec(description)?.[1]?.trim();
  const number = (key: string, otherwise: number): number => {
    const value = Number(text(key));
    return value > 0 ? value : otherwise;
  };
  const [channels, times] = [number("channels", 1), number("frames", 1)];
  const images = number("images", pages);
  const slices = number("slices", Math.max(1, Math.floor(images / channels / times)));
  const unit = unitSymbol(text("unit"));
  const [x, y] = [await first.number(TAG.xResolution, 0), await first.number(TAG.yResolution, 0)];
  const isSized = unit !== undefined && x > 0 && y > 0;
  const sides = [1 / x, 1 / y, slices > 1 ? Math.abs(Number(text("spacing") ?? 1)) || 1 : undefined] as const;
  // Origins are in pixels: the coordinate of pixel p is (p - origin) times its side.
  const origins = ["xorigin", "yorigin", "zorigin"].map((key) => Number(text(key) ?? Number.NaN));
  const isPlaced = origins.some(Number.isFinite);
  const at = origins.map((pixels, axis) =>
    Number.isFinite(pixels) ? -pixels * (isSized ? (sides[axis] ?? 1) : 1) : 0,
  );
  return defined({
    channels,
    slices,
    times,
    described: true,
    plane: (channel, slice, time) => channel + channels * (slice + slices * time),
    spacing: isSized ? sides : undefined,
    unit: isSized ? [unit, unit, unitSymbol(text("zunit")) ?? unit] : undefined,
    origin: isPlaced ? () => ({ at: at as unknown as Triple, down: false, isUneven: false }) : undefined,
  });
}

/** The number of planes that a file may hold: its pages, or so many as fit behind each other into one page. */
async function mostPlanes([first, ...others]: readonly Directory[]): Promise<number> {
  if (others.length > 0) return others.length + 1;
  const bits = (await first.number(TAG.imageWidth, 1)) * (await first.number(TAG.imageLength, 1));
  return Math.max(1, Math.floor((first.fileSize * 8) / Math.max(1, bits)));
}

function ome(description: string, name: string, most: number): Series {
  const [pixels = ""] = /<(?:\w+:)?Pixels\b[^>]*>/.exec(description) ?? [];
  const [body = ""] = /<(?:\w+:)?Pixels\b[^>]*>[\s\S]*?(?:<\/(?:\w+:)?Pixels>|$)/.exec(description) ?? [];
  const text = (key: string, from = pixels): string | undefined => new RegExp(`\\b${key}="([^"]*)"`).exec(from)?.[1];
  const number = (key: string, otherwise: number, from = pixels): number => {
    const value = Number(text(key, from) ?? Number.NaN);
    return Number.isFinite(value) ? value : otherwise;
  };
  // OME counts samples of a pixel as channels, although they share one plane.
  const together = number("SamplesPerPixel", 1, /<(?:\w+:)?Channel\b[^>]*>/.exec(body)?.[0] ?? "");
  const sizes = {
    C: Math.max(1, Math.floor(number("SizeC", 1) / Math.max(1, together))),
    Z: Math.max(1, number("SizeZ", 1)),
    T: Math.max(1, number("SizeT", 1)),
  };
  const order = (text("DimensionOrder") ?? "XYCZT").slice(2).split("") as ("C" | "Z" | "T")[];
  if (order.length !== 3 || !order.every((axis) => axis in sizes)) {
    throw new FileError(
      `Expected the planes of ${name} in an order of OME such as XYCZT, got ${text("DimensionOrder")}.`,
    );
  }
  const numberOf = (place: Record<"C" | "Z" | "T", number>): number =>
    place[order[0]] + sizes[order[0]] * (place[order[1]] + sizes[order[1]] * place[order[2]]);
  const total = sizes.C * sizes.Z * sizes.T;
  // Planes by their number in that order.
  const found = new Map<number, number>();
  const parts = body.match(/<(?:\w+:)?TiffData\b[^>]*?(?:\/>|>[\s\S]*?<\/(?:\w+:)?TiffData>)/g) ?? [];
  const inOneFile = new Set(parts.map((part) => text("FileName", part))).size <= 1;
  for (const part of parts) {
    // Planes in other files have no directory here.
    if (!inOneFile && text("FileName", part) !== undefined && !name.endsWith(text("FileName", part) as string))
      continue;
    const begin = numberOf({
      C: number("FirstC", 0, part),
      Z: number("FirstZ", 0, part),
      T: number("FirstT", 0, part),
    });
    const ifd = number("IFD", 0, part);
    const count = number("PlaneCount", text("IFD", part) === undefined ? total : 1, part);
    for (let i = 0; i < count && begin + i < total && ifd + i < most; i++) found.set(begin + i, ifd + i);
  }
  if (parts.length === 0) for (let i = 0; i < Math.min(total, most); i++) found.set(i, i);
  const units = ["X", "Y", "Z"].map((axis) => unitSymbol(text(`PhysicalSize${axis}Unit`) ?? "\u00b5m"));
  const sides = ["X", "Y", "Z"].map((axis) => number(`PhysicalSize${axis}`, 0));
  const isSized = sides[0] > 0 && sides[1] > 0 && units[0] !== undefined;
  const planes = body.match(/<(?:\w+:)?Plane\b[^>]*>/g) ?? [];
  const positionOf = (channel: number, slice: number, time: number): Triple | undefined => {
    const isOwn = (part: string, key: string, index: number): boolean => number(key, 0, part) === index;
    const plane = planes.find(
      (part) => isOwn(part, "TheC", channel) && isOwn(part, "TheZ", slice) && isOwn(part, "TheT", time),
    );
    if (plane === undefined || !/\bPosition[XYZ]="/.test(plane)) return undefined;
    // Positions in the frame of a stage have no unit of length: they count as lengths in that of x.
    const at = ["X", "Y", "Z"].map((axis) => {
      const factor = unitFactor(text(`Position${axis}Unit`, plane), isSized ? units[0] : undefined) ?? 1;
      return number(`Position${axis}`, 0, plane) * factor;
    });
    return at as unknown as Triple;
  };
  const origin: Series["origin"] = (channel, time) => {
    const at = positionOf(channel, 0, time);
    const heights = Array.from({ length: sizes.Z }, (_, slice) => positionOf(channel, slice, time)?.[2]);
    return at && { at, ...stepOf(heights) };
  };
  /** The step between slices by their positions: its sign, and whether it is even and that of the size of a voxel. */
  const stepOf = (heights: readonly (number | undefined)[]): { readonly down: boolean; readonly isUneven: boolean } => {
    const steps = heights.slice(1).map((height, i) => (height ?? Number.NaN) - (heights[i] ?? Number.NaN));
    // Many writers give all planes of a stack the position of the stage, or some of them none.
    if (steps.length === 0 || steps.every((step) => step === 0) || steps.some(Number.isNaN)) {
      return { down: false, isUneven: false };
    }
    const factor = unitFactor(units[2], units[0]) ?? 1;
    const side = sides[2] > 0 ? sides[2] * factor : Math.abs(steps[0]);
    const down = steps[0] < 0;
    return { down, isUneven: steps.some((step) => Math.abs(step * (down ? -1 : 1) - side) > STEP_TOLERANCE * side) };
  };
  return defined({
    channels: sizes.C,
    slices: sizes.Z,
    times: sizes.T,
    described: true,
    origin,
    images: description.match(/<(?:\w+:)?Image\b/g)?.length,
    plane: (channel, slice, time) => found.get(numberOf({ C: channel, Z: slice, T: time })),
    spacing: isSized ? (sizes.Z > 1 ? sides : sides.slice(0, 2)) : undefined,
    unit: isSized ? units : undefined,
  });
}
