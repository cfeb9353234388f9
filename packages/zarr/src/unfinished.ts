// An image that is being written: in a hidden folder, its metadata last. When it is complete, the folder gets its final name, so
// that readers never find an incomplete image.

import { randomBytes } from "node:crypto";
import { objectColour, palette } from "@skerry/files";
import { codecsOf, compressorOf } from "./codecs.js";
import { ZarrError } from "./errors.js";
import { bytesOf, type Plan, type PlannedLevel, spaceOf, type Three, type ZarrSinkOptions } from "./layout.js";
import { attributesOf, labelsAttributes, labelsOf, type OmeVersion } from "./ome.js";
import { readJson } from "./open.js";
import { Shards, shardingOf } from "./shard.js";
import { FileStore } from "./store/file.js";
import { isOfRun, RUN_KEY, renameOnce } from "./store/once.js";
import { keyOf, type WritableStore } from "./store/store.js";

/** Most labels whose colours are written. With more, viewers use their own colours. */
const MOST_COLOURS = 1000;

const DATA_TYPES = { u8: "uint8", u16: "uint16", u32: "uint32", u64: "uint64", f32: "float32" } as const;
const DTYPES = { u8: "|u1", u16: "<u2", u32: "<u4", u64: "<u8", f32: "<f4" } as const;

/** The folder of an image until it is complete. */
export class Unfinished {
  /** Path of the finished image. */
  readonly url: string;
  readonly store: WritableStore & { readonly url: string };
  /** Shards that are being written, of each level; undefined where there are none. */
  readonly shards: readonly (Shards | undefined)[];
  /** Bytes of chunks that were written. */
  bytes = 0;

  readonly #plan: Plan;
  readonly #options: ZarrSinkOptions;
  readonly #name: string;
  readonly #parts: string | undefined;
  readonly #writing = new Set<Promise<void>>();
  #ended = false;

  /**
   * @param name name of the folder, beside that of the finished image
   * @param parts name of a folder for values that are being written, so that leftovers of a killed process are not in the image
   */
  constructor(plan: Plan, options: ZarrSinkOptions, name: string, parts?: string) {
    this.#plan = plan;
    this.#options = options;
    this.#name = name;
    this.#parts = parts;
    this.store = new FileStore(plan.parent.at(name).url, parts === undefined ? undefined : plan.parent.at(parts).url);
    this.url = plan.parent.at(plan.name).url;
    this.shards = plan.levels.map(({ path, chunks, shards }) => {
      const inside = shards?.map((side, i) => side / chunks[i]);
      return inside && new Shards(this.store, path, inside);
    });
  }

  /** Writes a packed chunk of a level, by its coordinates along z, y and x. */
  async put(level: number, at: Three, bytes: Uint8Array): Promise<void> {
    if (this.#ended) return;
    const writing = this.#put(level, at, bytes);
    this.#writing.add(writing);
    await writing.finally(() => this.#writing.delete(writing));
  }

  #put(level: number, at: Three, bytes: Uint8Array): Promise<void> {
    const { axes, version, levels } = this.#plan;
    const space = spaceOf(axes);
    const coordinates = axes.map((_, i) => (space.includes(i) ? at[space.indexOf(i)] : 0));
    this.bytes += bytes.length;
    const own = this.shards[level];
    if (own) return own.append(coordinates, bytes);
    const { path } = levels[level];
    const prefix = version === "0.4" ? path : keyOf(path, "c");
    return this.store.set(keyOf(prefix, coordinates.join("/")), bytes);
  }

  /** Ends all shards. */
  async finishShards(): Promise<void> {
    for (const shards of this.shards) await shards?.finish();
  }

  /** Writes the metadata of the group and of its arrays. */
  async writeMetadata(count: number | undefined): Promise<void> {
    await this.finishShards();
    const { title, version, axes, levels, isLabels, isInside, place } = this.#plan;
    const store = this.store;
    for (const level of levels) await this.#writeArray(level);
    const colours = palette();
    const colors =
      isLabels && count !== undefined && count <= MOST_COLOURS
        ? Array.from({ length: count }, (_, i) => [i + 1, [...objectColour(colours, i + 1), 255]] as const)
        : undefined;
    const labels = isLabels ? { colors, source: isInside ? "../../" : undefined } : undefined;
    const downsampling = levels.length > 1 ? (this.#options.downsample ?? "nearest") : undefined;
    await writeGroup(store, version, attributesOf(version, { name: title, axes, levels, labels, downsampling, place }));
  }

  /** Writes the metadata, and gives the image its final name. */
  async finish(count: number | undefined): Promise<void> {
    if (this.#ended) return;
    await this.writeMetadata(count);
    const { parent, name } = this.#plan;
    // The old image exists until the new one takes its name.
    const replaced = `.${name}.${randomBytes(6).toString("base64url")}.replaced`;
    const isThere = (await parent.list(name)).length > 0;
    if (isThere) await parent.rename(name, replaced);
    await parent.rename(this.#name, name);
    if (isThere) await parent.remove(replaced);
    await this.#list();
  }

  /** Whether the image in a folder is that of a run. */
  isOwn(run: string, folder = this.#plan.name): Promise<boolean> {
    return isOfRun(this.#plan.parent, folder, run);
  }

  /**
   * Begins an image that several processes write, and stores the run's name in its folder. A folder that a late process creates
   * again lacks that name, and thereby is recognised as incomplete.
   */
  async begin(run: string): Promise<void> {
    if (!(await this.isOwn(run))) await this.store.set(RUN_KEY, new TextEncoder().encode(run));
  }

  /**
   * The same for an image that several processes may finish, at once or repeatedly: an image of the run that has its final name
   * stays.
   * @param run the name of the run, which identifies the image
   */
  async finishOnce(count: number, run: string): Promise<void> {
    const { parent, name } = this.#plan;
    const isOwn = (folder: string): Promise<boolean> => this.isOwn(run, folder);
    if (await isOwn(this.#name)) {
      await this.writeMetadata(count);
      await renameOnce(parent, this.#name, name, isOwn);
    }
    if (!(await isOwn(name))) {
      throw new ZarrError("unwritable", `Could not finish ${this.url}: another image has its name.`);
    }
    await this.#list();
    await this.removeLate(run);
  }

  /** Removes what a process that stopped on its way wrote once the image had its final name. */
  async removeLate(run: string): Promise<void> {
    if (!(await this.isOwn(run))) return;
    await this.#plan.parent.remove(this.#name);
    if (this.#parts !== undefined) await this.#plan.parent.remove(this.#parts);
  }

  /** Adds a label image to those that its image lists. */
  async #list(): Promise<void> {
    const { parent, version, name, isInside } = this.#plan;
    if (isInside) await listLabels(parent, version, name);
    this.#ended = true;
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    // Wait for chunks that are being written: they would recreate the folder after its removal.
    await Promise.allSettled(this.#writing);
    for (const shards of this.shards) await shards?.discard();
    await this.#plan.parent.remove(this.#name);
    if (this.#parts !== undefined) await this.#plan.parent.remove(this.#parts);
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  async #writeArray({ path, shape, chunks, shards }: PlannedLevel): Promise<void> {
    const { version, axes } = this.#plan;
    const { type = "u32", codec = { name: "zstd" } } = this.#options;
    if (version === "0.4") {
      const compressor = compressorOf(codec);
      await writeJson(this.store, keyOf(path, ".zarray"), {
        ...{ zarr_format: 2, shape, chunks, dtype: DTYPES[type], compressor, fill_value: 0, order: "C", filters: null },
        dimension_separator: "/",
      });
      return;
    }
    const codecs = codecsOf(codec, bytesOf(type));
    await writeJson(this.store, keyOf(path, "zarr.json"), {
      ...{ zarr_format: 3, node_type: "array", shape, data_type: DATA_TYPES[type] },
      chunk_grid: { name: "regular", configuration: { chunk_shape: shards ?? chunks } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      fill_value: 0,
      codecs: shards ? [shardingOf(chunks, codecs)] : codecs,
      attributes: {},
      dimension_names: axes.map(({ name }) => name),
    });
  }
}

async function writeJson(store: WritableStore, key: string, value: object): Promise<void> {
  await store.set(key, new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`));
}

/** Writes a group. For Zarr 2 the attributes come first, because .zgroup makes the folder a group. */
async function writeGroup(store: WritableStore, version: OmeVersion, attributes: object): Promise<void> {
  if (version === "0.4") {
    await writeJson(store, ".zattrs", attributes);
    await writeJson(store, ".zgroup", { zarr_format: 2 });
    return;
  }
  await writeJson(store, "zarr.json", { zarr_format: 3, node_type: "group", attributes });
}

/** Adds a name to the label images that an image lists. */
async function listLabels(parent: FileStore, version: OmeVersion, name: string): Promise<void> {
  const key = version === "0.4" ? ".zattrs" : "zarr.json";
  const json = (await readJson(parent, key)) ?? {};
  const before = (version === "0.4" ? json : (json.attributes ?? {})) as Record<string, unknown>;
  const names = labelsOf(before);
  if (names.includes(name)) return;
  await writeGroup(parent, version, labelsAttributes(version, before, [...names, name]));
}
