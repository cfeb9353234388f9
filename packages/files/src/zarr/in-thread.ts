// Decodes chunks in the thread that asks, for hosts whose readers run in a worker already. The last chunks stay, so that the next slice of
// an image takes none from its store again.

import { unpackStream } from "../unpack-stream.js";
import { type ByteCodec, mostBytesOf, useCodecs } from "./codecs.js";
import { decode, forget } from "./decode.js";
import { type Done, type Job, JobError, type Jobs, type Reading, reasonOf } from "./jobs.js";
import type { Range } from "./store/store.js";

/** Jobs at a time: browsers ask a server for six values at once, or for a hundred. */
const JOBS_AT_ONCE = 16;

/** Packed chunks that stay, in bytes. */
const KEPT_BYTES = 256 * 2 ** 20;

/** A codec by the streams of the browser. */
const unpacking = (packing: "gzip" | "deflate") => (_: unknown, facts: Parameters<typeof mostBytesOf>[0]) =>
  ({
    kind: "bytes_to_bytes",
    encode: () => Promise.reject(new Error(`${packing} is not written here`)),
    decode: (bytes) => unpackStream(new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), packing, mostBytesOf(facts)),
  }) satisfies ByteCodec;

useCodecs({ gzip: unpacking("gzip"), zlib: unpacking("deflate") });

/** The numbers of arrays, by which chunks that were read are known. */
let arrays = 0;

/** Does jobs in this thread. Values that were read stay, up to some bytes. */
export class InThread implements Jobs {
  readonly #numbers = new WeakMap<object, number>();
  readonly #reading = new Map<number, Reading>();
  readonly #kept = new Map<string, Promise<Uint8Array<ArrayBuffer> | undefined>>();
  #keptBytes = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  register(read: Reading, array: object): number {
    const number = this.#numbers.get(array) ?? arrays++;
    this.#numbers.set(array, number);
    this.#reading.set(number, read);
    return number;
  }

  /** An array stays known: the next source over it takes its chunks. */
  release(): void {}

  /** Forgets everything. */
  close(): void {
    for (const number of this.#reading.keys()) forget(number);
    this.#reading.clear();
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  async run(job: Job, signal?: AbortSignal): Promise<Done> {
    if (job.kind !== "decode") throw new JobError(`${job.kind} is not done here`);
    if (this.#running >= JOBS_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    let failure: unknown;
    try {
      signal?.throwIfAborted();
      return await decode(job, (array, key, range) =>
        this.#read(array, key, range).catch((error) => {
          failure = error;
          throw error;
        }),
      );
    } catch (error) {
      // Errors of the store, and those of signals, are told as they are.
      if (failure !== undefined) throw failure;
      signal?.throwIfAborted();
      throw new JobError(reasonOf(error));
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  memory(bytes: number): ArrayBuffer {
    return new ArrayBuffer(bytes);
  }

  collect(): void {}

  #read(array: number, key: string, range?: Range): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const name = `${array} ${key} ${range ? JSON.stringify(range) : ""}`;
    const known = this.#kept.get(name);
    if (known) {
      // The one that was used last goes last.
      this.#kept.delete(name);
      this.#kept.set(name, known);
      return known.then((bytes) => bytes?.slice());
    }
    const read = this.#reading.get(array) as Reading;
    const bytes = read(key, range);
    this.#kept.set(name, bytes);
    bytes.then(
      (got) => this.#keep(got?.length ?? 0),
      () => this.#kept.delete(name),
    );
    return bytes.then((got) => got?.slice());
  }

  async #keep(bytes: number): Promise<void> {
    this.#keptBytes += bytes;
    for (const [name, oldest] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) return;
      this.#kept.delete(name);
      this.#keptBytes -= (await oldest)?.length ?? 0;
    }
  }
}
