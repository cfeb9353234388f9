// Shards of Zarr 3: consecutive chunks in one value, and an index of their positions (codec sharding_indexed, index at the end
// with a checksum). Chunks are appended as they arrive, so that a shard is never in memory as a whole.

import { withChecksum } from "./crc32c.js";
import { type Growing, keyOf, type WritableStore } from "./store/store.js";

/** Offset and length of a missing chunk in the index. */
const NONE = 2n ** 64n - 1n;

/** The sharding codec for an array's metadata: shape and codecs of the inner chunks. */
export function shardingOf(chunks: readonly number[], codecs: readonly object[]): object {
  const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];
  return {
    name: "sharding_indexed",
    configuration: { chunk_shape: chunks, codecs, index_codecs, index_location: "end" },
  };
}

/** A shard that is being written. */
interface Open {
  readonly index: BigUint64Array;
  readonly growing: Promise<Growing>;
  /** Settles once all bytes so far are appended. */
  appended: Promise<void>;
  bytes: bigint;
}

/** Shards of an array that are being written. */
export class Shards {
  readonly #store: WritableStore;
  readonly #path: string;
  /** Chunks of a shard along each dimension. */
  readonly #inside: readonly number[];
  readonly #open = new Map<string, Open>();

  constructor(store: WritableStore, path: string, inside: readonly number[]) {
    this.#store = store;
    this.#path = path;
    this.#inside = inside;
  }

  /** Appends a chunk, by its coordinates among all chunks. */
  async append(coordinates: readonly number[], bytes: Uint8Array): Promise<void> {
    const inside = this.#inside;
    const key = coordinates.map((at, i) => Math.floor(at / inside[i])).join("/");
    let shard = this.#open.get(key);
    if (!shard) {
      const index = new BigUint64Array(2 * inside.reduce((product, side) => product * side, 1)).fill(NONE);
      const growing = this.#store.grow(keyOf(this.#path, `c/${key}`));
      shard = { index, growing, appended: Promise.resolve(), bytes: 0n };
      this.#open.set(key, shard);
    }
    // The place in the index, C order: chunk (1, 0, 2) of 4 x 4 x 4 is number 1 * 16 + 0 * 4 + 2 = 18.
    const place = coordinates.reduce((sum, at, i) => sum * inside[i] + (at % inside[i]), 0);
    shard.index[2 * place] = shard.bytes;
    shard.index[2 * place + 1] = BigInt(bytes.length);
    shard.bytes += BigInt(bytes.length);
    const { growing, appended } = shard;
    shard.appended = appended.then(async () => (await growing).append(bytes));
    await shard.appended;
  }

  /** Ends the shards whose coordinate along a dimension is below `before`, or all. */
  async finish(dimension = 0, before = Number.POSITIVE_INFINITY): Promise<void> {
    const done = [...this.#open].filter(([key]) => Number(key.split("/")[dimension]) < before);
    await Promise.all(
      done.map(async ([key, { index, growing, appended }]) => {
        await appended;
        const shard = await growing;
        await shard.append(withChecksum(new Uint8Array(index.buffer)));
        await shard.finish();
        this.#open.delete(key);
      }),
    );
  }

  async discard(): Promise<void> {
    for (const { growing, appended } of this.#open.values()) {
      await appended.catch(() => undefined);
      await growing.then((shard) => shard.discard()).catch(() => undefined);
    }
    this.#open.clear();
  }
}
