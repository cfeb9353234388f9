// An image that is being written, with its metadata last, so that readers never find an incomplete image. On a disk it lies in a hidden
// folder that gets its final name when it is complete. In a bucket nothing can be renamed: its arrays lie below its final name under a name
// of their own, and are an image once the metadata name them. A writer that is late writes where nobody reads.

import { randomBytes } from "node:crypto";
import { objectColour, palette } from "../drawing/colours.js";
import { codecsOf, compressorOf } from "./codecs.js";
import { ZarrError } from "./errors.js";
import { bytesOf, type Plan, type PlannedLevel, spaceOf, type Three, type ZarrSinkOptions } from "./layout.js";
import { NamedImage } from "./named-image.js";
import { attributesOf, labelsAttributes, labelsOf, type OmeVersion } from "./ome.js";
import { readJson } from "./open.js";
import { Shards, shardingOf } from "./shard.js";
import { FileStore } from "./store/file.js";
import { isOfRun, RUN_KEY, renameOnce } from "./store/once.js";
import { areEqual, keyOf, type WritableStore } from "./store/store.js";

/** Most labels whose colours are written. With more, viewers use their own colours. */
const MOST_COLOURS = 1000;

const DATA_TYPES = { u8: "uint8", u16: "uint16", u32: "uint32", u64: "uint64", f32: "float32" } as const;
const DTYPES = { u8: "|u1", u16: "<u2", u32: "<u4", u64: "<u8", f32: "<f4" } as const;

/** An image until it is complete. */
export class Unfinished {
  /** Path of the finished image. */
  readonly url: string;
  /** Arrays and metadata, by their keys. */
  readonly store: WritableStore;
  /** Values beside the arrays, such as tables, which appear with the image. */
  readonly beside: WritableStore;
  /** Shards that are being written, of each level; undefined where there are none. */
  readonly shards: readonly (Shards | undefined)[];
  /** Bytes of chunks that were written. */
  bytes = 0;

  readonly #plan: Plan;
  readonly #options: ZarrSinkOptions;
  /** The hidden folder, and one of values that are being written; undefined in a bucket. */
  readonly #folders: { readonly name: string; readonly parts: string | undefined } | undefined;
  /** The name of the arrays in a bucket; empty in a folder. */
  readonly #arrays: string;
  readonly #writing = new Set<Promise<void>>();
  #ended = false;

  /**
   * @param suffix the name of what writes it: the run, whose processes write one image
   */
  constructor(plan: Plan, options: ZarrSinkOptions, suffix?: string) {
    const { parent, name } = plan;
    this.#options = options;
    this.url = parent.at(name).url;
    if (parent.hasFolders) {
      const begin = suffix === undefined ? `.${name}` : `.${name}.${suffix}`;
      // Values that a killed process was writing are not in the image.
      this.#folders = { name: `${begin}.unfinished`, parts: suffix === undefined ? undefined : `${begin}.parts` };
      const { parts } = this.#folders;
      this.store = new FileStore(parent.at(this.#folders.name).url, parts && parent.at(parts).url);
      this.#arrays = "";
      this.#plan = plan;
    } else {
      this.store = parent.at(name);
      this.#arrays = suffix ?? randomBytes(8).toString("hex");
      const levels = plan.levels.map((level) => ({ ...level, path: keyOf(this.#arrays, level.path) }));
      this.#plan = { ...plan, levels };
    }
    this.beside = this.#arrays === "" ? this.store : this.store.at(this.#arrays);
    this.shards = this.#plan.levels.map(({ path, chunks, shards }) => {
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
    const shard = this.shards[level];
    if (shard) return shard.append(coordinates, bytes);
    const { path } = levels[level];
    const prefix = version === "0.4" ? path : keyOf(path, "c");
    return this.store.set(keyOf(prefix, coordinates.join("/")), bytes);
  }

  /** Ends all shards. */
  async finishShards(): Promise<void> {
    for (const shards of this.shards) await shards?.finish();
  }

  /** Writes the metadata of the arrays, and returns those of the group. */
  async #writeMetadata(count: number | undefined): Promise<readonly Entry[]> {
    await this.finishShards();
    const { title, version, axes, levels, isLabels, isInside, place } = this.#plan;
    for (const level of levels) await this.#writeArray(level);
    if (this.#arrays !== "") {
      for (const [key, bytes] of groupOf(version, {})) await this.beside.set(key, bytes);
    }
    const colours = palette();
    const colors =
      isLabels && count !== undefined && count <= MOST_COLOURS
        ? Array.from({ length: count }, (_, i) => [i + 1, [...objectColour(colours, i + 1), 255]] as const)
        : undefined;
    const labels = isLabels ? { colors, source: isInside ? "../../" : undefined } : undefined;
    const downsampling = levels.length > 1 ? (this.#options.downsample ?? "nearest") : undefined;
    return groupOf(version, attributesOf(version, { name: title, axes, levels, labels, downsampling, place }));
  }

  /** Begins an image of one process: what an interrupted one left on the disk goes. */
  async beginAlone(): Promise<void> {
    if (this.#folders) await this.#plan.parent.remove(this.#folders.name);
  }

  /** Writes the metadata, and gives the image its final name. */
  async finish(count: number | undefined): Promise<void> {
    if (this.#ended) return;
    const group = await this.#writeMetadata(count);
    const { parent, name } = this.#plan;
    if (this.#folders) {
      for (const [key, bytes] of group) await this.store.set(key, bytes);
      // The old image exists until the new one takes its name.
      const replaced = `.${name}.${randomBytes(6).toString("base64url")}.replaced`;
      const isThere = (await parent.list(name)).length > 0;
      if (isThere) await parent.rename(name, replaced);
      await parent.rename(this.#folders.name, name);
      if (isThere) await parent.remove(replaced);
    } else {
      const image = new NamedImage(parent, name);
      const before = this.#options.overwrite ? await this.#replace(group, image) : [];
      if (!this.#options.overwrite) await this.#publish(group);
      // Arrays that the metadata did not name may be another process's, which writes them now.
      await image.removeArrays(before);
    }
    await this.#list();
  }

  /** Writes the metadata of the group, which make its arrays an image, unless another one is there. */
  async #publish(group: readonly Entry[]): Promise<void> {
    for (const [key, bytes] of group) {
      if (!(await this.store.replace(key, bytes, undefined))) throw this.#taken();
    }
  }

  /** Puts the metadata in the place of those that are there, and returns the names of the arrays that these had. */
  async #replace(group: readonly Entry[], image: NamedImage): Promise<readonly string[]> {
    const [[first, piece], ...others] = group;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const found = await this.store.get(first);
      const arrays = await image.arrays();
      // Another process may replace them between the two.
      if (!areEqual(found, await this.store.get(first))) continue;
      if (!(await this.store.replace(first, piece, found))) continue;
      for (const [key, bytes] of others) await this.store.set(key, bytes);
      await image.removeMetadata(group.map(([key]) => key));
      return arrays;
    }
    throw this.#taken();
  }

  #taken(): ZarrError {
    return new ZarrError("unwritable", `Could not finish ${this.url}: another image has its name.`);
  }

  /** Whether the image that has the final name is that of a run. */
  isOwn(run: string): Promise<boolean> {
    const { parent, name } = this.#plan;
    return new NamedImage(parent, name).isOf(run);
  }

  /**
   * Begins an image that several processes write, and stores the run's name in its folder. A folder that a late process creates
   * again lacks that name, and thereby is recognised as incomplete.
   */
  async begin(run: string): Promise<void> {
    if (this.#folders && !(await this.isOwn(run))) await this.store.set(RUN_KEY, new TextEncoder().encode(run));
  }

  /**
   * The same for an image that several processes may finish, at once or repeatedly: an image of the run that has its final name
   * stays.
   * @param run the name of the run, which identifies the image
   */
  async finishOnce(count: number, run: string): Promise<void> {
    const { parent, name } = this.#plan;
    if (!this.#folders) {
      if (!(await this.isOwn(run))) await this.#publish(await this.#writeMetadata(count));
    } else if (await isOfRun(parent, this.#folders.name, run)) {
      for (const [key, bytes] of await this.#writeMetadata(count)) await this.store.set(key, bytes);
      await renameOnce(parent, this.#folders.name, name, (folder) => isOfRun(parent, folder, run));
    }
    if (!(await this.isOwn(run))) throw this.#taken();
    await this.#list();
    await this.removeLate(run);
  }

  /** Takes the name from an image of a run that was removed while it finished. */
  async withdraw(run: string): Promise<void> {
    const { parent, name } = this.#plan;
    if (!this.#folders && (await this.isOwn(run))) await new NamedImage(parent, name).removeMetadata();
  }

  /** Removes what a process that stopped on its way wrote once the image had its final name. */
  async removeLate(run: string): Promise<void> {
    if (!this.#folders || !(await this.isOwn(run))) return;
    await this.#removeFolders();
  }

  async #removeFolders(): Promise<void> {
    const { parent } = this.#plan;
    const { name, parts } = this.#folders ?? {};
    if (name !== undefined) await parent.remove(name);
    if (parts !== undefined) await parent.remove(parts);
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
    if (this.#folders) await this.#removeFolders();
    else await this.store.remove(this.#arrays);
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
        zarr_format: 2,
        shape,
        chunks,
        dtype: DTYPES[type],
        compressor,
        fill_value: 0,
        order: "C",
        filters: null,
        dimension_separator: "/",
      });
      return;
    }
    const codecs = codecsOf(codec, bytesOf(type));
    await writeJson(this.store, keyOf(path, "zarr.json"), {
      zarr_format: 3,
      node_type: "array",
      shape,
      data_type: DATA_TYPES[type],
      chunk_grid: { name: "regular", configuration: { chunk_shape: shards ?? chunks } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      fill_value: 0,
      codecs: shards ? [shardingOf(chunks, codecs)] : codecs,
      attributes: {},
      dimension_names: axes.map(({ name }) => name),
    });
  }
}

/** A key and its value. */
type Entry = readonly [key: string, bytes: Uint8Array];

const jsonOf = (value: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);

async function writeJson(store: WritableStore, key: string, value: object): Promise<void> {
  await store.set(key, jsonOf(value));
}

/** The metadata of a group. For Zarr 2 the attributes come first, because .zgroup makes the folder a group. */
function groupOf(version: OmeVersion, attributes: object): readonly Entry[] {
  if (version === "0.5") return [["zarr.json", jsonOf({ zarr_format: 3, node_type: "group", attributes })]];
  return [
    [".zattrs", jsonOf(attributes)],
    [".zgroup", jsonOf({ zarr_format: 2 })],
  ];
}

/** Times that a list is read again because another writer was first. */
const MOST_TRIES = 20;

/** Adds a name to the label images that an image lists. */
async function listLabels(parent: WritableStore, version: OmeVersion, name: string): Promise<void> {
  const key = version === "0.4" ? ".zattrs" : "zarr.json";
  for (let tries = 0; ; tries++) {
    const found = await parent.get(key);
    const json = (await readJson(parent, key)) ?? {};
    const before = (version === "0.4" ? json : (json.attributes ?? {})) as Record<string, unknown>;
    const names = labelsOf(before);
    if (names.includes(name)) {
      // A process that was stopped, or another tool, may have left the attributes alone.
      if (version === "0.4" && (await parent.get(".zgroup")) === undefined) {
        for (const [other, bytes] of groupOf(version, before)) if (other !== key) await parent.set(other, bytes);
      }
      return;
    }
    const entries = groupOf(version, labelsAttributes(version, before, [...names, name]));
    const [, entry] = entries.find(([each]) => each === key) as Entry;
    if (await parent.replace(key, entry, found)) {
      for (const [other, bytes] of entries) if (other !== key) await parent.set(other, bytes);
      return;
    }
    if (tries === MOST_TRIES) {
      throw new ZarrError("unwritable", `Could not list ${name} in ${parent.url}: other processes write there.`, {
        key,
      });
    }
  }
}
