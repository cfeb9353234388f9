// Images in a store: their levels, axes and arrays.

import { defined } from "skerry/internal";
import { type DataType as AnyType, isZarritaError, open, type Readable, type Array as ZarrArray } from "zarrita";
import { UsageError } from "../errors.js";
import { type DataType, PIXEL_TYPES } from "./chunk.js";
import { hasCodec, mostBytesOf } from "./codecs.js";
import { readableOf } from "./decode.js";
import { ZarrError } from "./errors.js";
import { fillOf, layoutOf } from "./metadata.js";
import {
  type Axis,
  type Level,
  labelsOf,
  type Multiscales,
  omeOf,
  parseMultiscales,
  type ShownChannel,
  type StoredPlace,
} from "./ome.js";
import type { ReadOptions, Store } from "./store/store.js";

/** An array of an image. */
export interface ImageArray {
  /** Its key, relative to the image; empty for the image itself. */
  readonly path: string;
  readonly version: 2 | 3;
  readonly shape: readonly number[];
  /** Size of the decoded chunks: with shards that of the inner chunks. */
  readonly chunks: readonly number[];
  /** Size of a shard; undefined where there are none. */
  readonly shards: readonly number[] | undefined;
  readonly dataType: DataType;
  /** Names of its codecs. */
  readonly codecs: readonly string[];
  /** Whether the index of a shard lies at its beginning. */
  readonly indexFirst: boolean;
  readonly fill: number;
  /** Most bytes of a chunk as it is stored. */
  readonly mostChunkBytes: number;
  /** Bytes of its metadata, by key, so that they are read once. */
  readonly metadata: ReadonlyMap<string, Uint8Array<ArrayBuffer> | undefined>;
}

/** An image, or a label image, at one scale or several. */
export interface OpenedImage {
  readonly store: Store;
  readonly zarr: 2 | 3;
  /** Version of OME-Zarr; undefined for an array alone. */
  readonly ome: string | undefined;
  readonly name: string | undefined;
  readonly axes: readonly Axis[];
  readonly levels: readonly Level[];
  readonly isLabels: boolean;
  /** The place of the first level's pixels, where scale and translation cannot tell it; see {@link StoredPlace}. */
  readonly place?: StoredPlace | undefined;
  /** Images that the group describes, of which this is the first. */
  readonly count: number;
  /** Names, colours and windows of the channels, as far as the image has them. */
  readonly channels: readonly ShownChannel[];
  /** Names of the label images inside. */
  labels(): Promise<string[]>;
  /** Opens the array of a level. */
  array(level: number, options?: ReadOptions): Promise<ImageArray>;
}

/** The value of a key of metadata, as JSON. */
export async function readJson(
  store: Store,
  key: string,
  options?: ReadOptions,
): Promise<Record<string, unknown> | undefined> {
  const bytes = await store.get(key, options);
  return bytes && parsed(bytes, store, key);
}

function parsed(bytes: Uint8Array, store: Store, key: string): Record<string, unknown> {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new Error("it is no record");
  } catch (cause) {
    throw new ZarrError("damaged", `Could not read ${store.url}/${key}: it is no JSON of Zarr.`, { key, cause });
  }
}

/** A node of a store: a group with attributes, or an array. */
interface Node {
  readonly zarr: 2 | 3;
  readonly kind: "group" | "array";
  readonly attributes: Record<string, unknown>;
}

/** The node at the root of a store; undefined if there is none. */
export async function readNode(store: Store, options?: ReadOptions): Promise<Node | undefined> {
  const three = await readJson(store, "zarr.json", options);
  if (three) {
    const attributes = (three.attributes ?? {}) as Record<string, unknown>;
    return { zarr: 3, kind: three.node_type === "array" ? "array" : "group", attributes };
  }
  const attributes = (await readJson(store, ".zattrs", options)) ?? {};
  if (await store.get(".zgroup", options)) return { zarr: 2, kind: "group", attributes };
  if (await store.get(".zarray", options)) return { zarr: 2, kind: "array", attributes };
  return undefined;
}

/** Names of axes by their number, for an array without names: in the order of Bio-Formats. */
const AXES = ["", "x", "yx", "zyx", "czyx", "tczyx"];

/**
 * Opens the image at the root of a store: OME-Zarr, or a plain array.
 * @throws ZarrError if there is no image, or if its metadata are wrong
 */
export async function openImage(store: Store, options: ReadOptions = {}): Promise<OpenedImage> {
  const node = await readNode(store, options);
  if (!node) {
    throw new ZarrError(
      "missing",
      `Expected ${store.url} to hold a Zarr image: there is neither a zarr.json nor a .zgroup nor a .zarray, or no such folder.`,
    );
  }
  const cache = new Map<number, Promise<ImageArray>>();
  const opened = (
    levels: readonly Level[],
    axes: readonly Axis[],
    described: Pick<Multiscales, "name" | "isLabels" | "place"> &
      Partial<Pick<Multiscales, "channels" | "count">> & { version: string | undefined },
  ): OpenedImage =>
    defined({
      store,
      zarr: node.zarr,
      ome: described.version,
      name: described.name,
      axes,
      levels,
      isLabels: described.isLabels,
      place: described.place,
      count: described.count ?? 1,
      channels: described.channels ?? [],
      labels: async () => labelsOf((await readNode(store.at("labels"), options))?.attributes ?? {}),
      array(level, wanted = options) {
        const { path } = levelOf(levels, level, store.url);
        const known = cache.get(level) ?? openArray(store, path, node.zarr, axes.length, wanted);
        cache.set(level, known);
        known.catch(() => cache.delete(level));
        return known;
      },
    });
  if (node.kind === "array") {
    const array = await openArray(store, "", node.zarr, undefined, options);
    cache.set(0, Promise.resolve(array));
    const axes = axesOfArray(array, node.attributes, await readJson(store, "zarr.json", options), store.url);
    const ones = axes.map(() => 1);
    const level = { path: "", scale: ones, translation: axes.map(() => 0) };
    return opened([level], axes, { name: undefined, version: undefined, isLabels: false });
  }
  const multiscales = parseMultiscales(node.attributes, store.url);
  if (multiscales) return opened(multiscales.levels, multiscales.axes, multiscales);
  throw new ZarrError("missing", await whatInstead(store, node, options));
}

/** The message for a group that is no image, with the place of its images. */
async function whatInstead(store: Store, { attributes }: Node, options: ReadOptions): Promise<string> {
  const ome = omeOf(attributes);
  const begin = `Expected ${store.url} to be an image`;
  if (attributes["bioformats2raw.layout"] !== undefined || ome["bioformats2raw.layout"] !== undefined) {
    return `${begin}, got a collection of Bio-Formats; give ${store.url}/0 for its first image.`;
  }
  if (ome.plate !== undefined) return `${begin}, got a plate; give one of its images, such as ${store.url}/A/1/0.`;
  if (ome.well !== undefined) return `${begin}, got a well; give one of its images, such as ${store.url}/0.`;
  const names = labelsOf(attributes);
  if (names.length > 0) {
    return `${begin}, got a group of label images; give one: ${names.map((name) => `${store.url}/${name}`).join(", ")}.`;
  }
  const inside = (await readNode(store.at("0"), options)) ? `; ${store.url}/0 is there` : "";
  return `${begin}, got a group without multiscales${inside}.`;
}

function levelOf(levels: readonly Level[], level: number, url: string): Level {
  const found = levels[level];
  if (found) return found;
  const known = levels.length === 1 ? "level 0 alone" : `levels 0 to ${levels.length - 1}`;
  throw new UsageError(`Expected a level of ${url}, which has ${known}, got ${level}.`);
}

function axesOfArray(
  { shape }: ImageArray,
  attributes: Record<string, unknown>,
  metadata: Record<string, unknown> | undefined,
  url: string,
): Axis[] {
  const names = metadata?.dimension_names ?? attributes._ARRAY_DIMENSIONS;
  const dimensions =
    Array.isArray(names) && names.length === shape.length && names.every((name) => typeof name === "string" && name)
      ? (names as string[])
      : [...(AXES[shape.length] ?? "")];
  if (dimensions.length === shape.length && dimensions.length >= 2)
    return dimensions.map((name) => ({ name: name.toLowerCase() }));
  throw new ZarrError(
    "unsupported",
    `Expected an array of 2 to 5 dimensions in ${url}, or names of its dimensions, got ${shape.length} without names.`,
  );
}

/** Opens an array, and checks that its type and codecs are supported. */
async function openArray(
  store: Store,
  path: string,
  version: 2 | 3,
  dimensions: number | undefined,
  { signal }: ReadOptions,
): Promise<ImageArray> {
  const folder = path === "" ? store : store.at(path);
  const metadata = new Map<string, Uint8Array<ArrayBuffer> | undefined>();
  const keys = version === 2 ? [".zarray", ".zattrs"] : ["zarr.json"];
  for (const key of keys) metadata.set(key, await folder.get(key, { signal }));
  const bytes = metadata.get(keys[0]);
  const shown = folder.url;
  if (!bytes) {
    throw new ZarrError("missing", `Expected an array at ${shown}, but there is no ${keys[0]}.`, { key: path });
  }
  const json = parsed(bytes, folder, keys[0]);
  const { shape, chunks, shards, codecs, indexFirst } = layoutOf(json, version, shown);
  const fillOfStore = fillOf(json, version, shown);
  if (fillOfStore !== json.fill_value)
    metadata.set(keys[0], new TextEncoder().encode(JSON.stringify({ ...json, fill_value: fillOfStore })));
  for (const name of codecs) {
    if (hasCodec(name)) continue;
    throw new ZarrError("unsupported", `Could not read ${shown}: its codec ${name} is not known.`, { key: path });
  }
  const array = await zarritaArray(version, metadata, shown);
  const dataType = array.dtype as string;
  if (!Object.hasOwn(PIXEL_TYPES, dataType)) {
    throw new ZarrError("unsupported", `Could not read ${shown}: values of type ${dataType} are not pixels.`, {
      key: path,
    });
  }
  if (dimensions !== undefined && shape.length !== dimensions) {
    throw new ZarrError(
      "damaged",
      `Expected ${shown} to have the ${dimensions} dimensions of its image's axes, got ${shape.length}.`,
      { key: path },
    );
  }
  const fill = Number(array.fillValue ?? 0);
  const mostChunkBytes = mostBytesOf({ dataType, shape: chunks });
  return {
    path,
    version,
    shape,
    chunks,
    shards,
    dataType: dataType as DataType,
    codecs,
    indexFirst,
    fill,
    metadata,
    mostChunkBytes,
  };
}

/** zarrita's array over metadata that were read before. */
async function zarritaArray(
  version: 2 | 3,
  metadata: ImageArray["metadata"],
  shown: string,
): Promise<ZarrArray<AnyType, Readable>> {
  try {
    const readable = readableOf(async (key) => metadata.get(key)?.slice());
    return await (version === 2 ? open.v2 : open.v3)(readable, { kind: "array" });
  } catch (cause) {
    const message = isZarritaError(cause) || cause instanceof Error ? (cause as Error).message : `${cause}`;
    throw new ZarrError("damaged", `Could not read the metadata of ${shown}: ${message}.`, { cause });
  }
}
