// Inputs and outputs that are OME-Zarr images: which they are, and where results go.

import { extname, join, resolve } from "node:path";
import type { Picture } from "@skerry/files/node";
import { sizeOf } from "@skerry/files/node/internal";
import type { ZarrSink, ZarrSinkOptions, ZarrSource } from "@skerry/files/zarr";
import type { ZarrBox } from "@skerry/files/zarr/internal";
import { isRemote, isZarrName } from "@skerry/files/zarr/internal";
import type { Recipe } from "@skerry/recipe";
import type { PixelArray } from "skerry";
import { nearest } from "skerry/internal";
import { UsageError } from "../errors.js";
import { sides } from "../progress.js";

export { isRemote, isZarr, isZarrName } from "@skerry/files/zarr/internal";

/** Options of commands that write to OME-Zarr. */
export interface StoreOptions {
  overwrite?: boolean;
}

/** The Source of a picture that is OME-Zarr. */
export function storeOf({ pixels }: Picture): ZarrSource | undefined {
  return "traffic" in pixels ? (pixels as ZarrSource) : undefined;
}

/** Bytes that were read of a picture that is OME-Zarr. */
export function bytesOf(picture: Picture): (() => number) | undefined {
  const source = storeOf(picture);
  return source && (() => source.traffic.bytes);
}

/** The box of a crop. */
export function boxOf(crop: readonly number[]): ZarrBox {
  if (crop.length === 4) {
    const [x, y, width, height] = crop;
    return { x, y, width, height };
  }
  const [x, y, z, width, height, depth] = crop;
  return { x, y, z, width, height, depth };
}

/** Checks an output that may be OME-Zarr, or a file that `check` accepts; `check` names the endings of those. */
export function checkStored(path: string, check: (path: string) => void): void {
  if (isZarrName(path)) return;
  try {
    check(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const near = nearest(extname(path.replace(/\/+$/, "")), [".zarr"]) ? "; did you mean .zarr?" : ".";
    throw new UsageError(error.message.replace(/ or (\.[\w.]+), got (.*)\.$/, `, $1 or .zarr, got $2${near}`));
  }
}

/** The path of an output for checks: `labels/NAME` in it if it is OME-Zarr, also where that is a new image; else itself. */
export function writtenIn(path: string, { products = {} }: Recipe): string {
  if (!isZarrName(path)) return path;
  const inside = ["labels", products.name ?? "labels"];
  return isRemote(path) ? [path.replace(/\/+$/, ""), ...inside].join("/") : join(path, ...inside);
}

/** The table beside labels in OME-Zarr, which is written with them. */
export const TABLE_BESIDE = "tables/regions.csv";

/** Paths of folders in their plain form; URLs as they are. */
const plain = (path: string): string => (isRemote(path) ? path.replace(/\/+$/, "") : resolve(path));

/** How a result is written. */
export type SinkOptions = Pick<ZarrSinkOptions, "type" | "labels" | "overwrite">;

function sinkOptions(picture: Picture, { input = {}, products = {} }: Recipe, options: SinkOptions): ZarrSinkOptions {
  const { width, height, depth } = sizeOf(picture);
  const { x, y, z = 0 } = input.crop ? boxOf(input.crop) : { x: 0, y: 0 };
  return {
    width,
    height,
    depth,
    space: picture.space,
    level: input.level,
    time: input.time === "all" ? undefined : input.time,
    origin: [x, y, z],
    name: products.name,
    downsample: products.downsample,
    ...options,
  };
}

/** Refuses a result that cannot be written to OME-Zarr, before it is computed. Does not check other outputs. */
export async function checkSink(
  path: string | undefined,
  picture: Picture,
  recipe: Recipe,
  options: SinkOptions,
): Promise<void> {
  if (path === undefined || !isZarrName(path)) return;
  const { checkSink: check } = await import("@skerry/files/zarr/internal");
  const written = await check(path, sinkOptions(picture, recipe, options));
  if (recipe.input?.crop === undefined && plain(written) !== plain(path)) await checkSize(path, picture);
  if (plain(written) === plain(picture.input)) {
    throw new UsageError(`Expected every file to be written once, but ${path} is the input ${picture.input} itself.`);
  }
}

/** Refuses labels of another size than the image that they go into. */
async function checkSize(path: string, picture: Picture): Promise<void> {
  const { openImage, openStore } = await import("@skerry/files/zarr/internal");
  const image = await openImage(openStore(path));
  const { shape } = await image.array(Math.min(image.levels.length - 1, picture.space.taken.level ?? 0));
  const [width, height, depth] = ["x", "y", "z"].map((axis) => {
    const at = image.axes.findIndex(({ name }) => name === axis);
    return at < 0 ? 1 : shape[at];
  });
  const size = sizeOf(picture);
  if (size.width === width && size.height === height && size.depth === depth) return;
  throw new UsageError(
    `Expected ${picture.input} to have the size of ${path}, whose labels it becomes, ${sides({ width, height, depth })}, got ${sides(size)}; write a new .zarr.`,
  );
}

/** Writes a result to OME-Zarr by `fill`. If that fails, nothing is kept. */
export async function writeStored<T extends PixelArray = Uint32Array>(
  path: string,
  picture: Picture,
  recipe: Recipe,
  options: SinkOptions,
  fill: (sink: ZarrSink<T>) => Promise<{ readonly count?: number } | undefined | void>,
): Promise<void> {
  const { zarrSink } = await import("@skerry/files/zarr");
  const sink = await zarrSink<T>(path, sinkOptions(picture, recipe, options));
  try {
    await sink.finish((await fill(sink)) ?? {});
  } catch (error) {
    await sink.discard().catch(() => undefined);
    throw error;
  }
}

/** Refuses options of OME-Zarr outputs if no output is OME-Zarr. */
export function checkStores(
  { products = {} }: Recipe,
  outputs: readonly (string | undefined)[],
  { overwrite }: StoreOptions,
  isSpoken: boolean,
): void {
  if (outputs.some((path) => path !== undefined && isZarrName(path))) return;
  // Names that a recipe has are for outputs that it may be given another time.
  const { name, downsample } = isSpoken ? products : {};
  for (const [flag, value] of Object.entries({ name, downsample, overwrite })) {
    if (value) throw new UsageError(`Expected --${flag} together with an output that ends in .zarr.`);
  }
}
