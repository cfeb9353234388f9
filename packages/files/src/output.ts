// Targets of writers: a file on a disk, a Blob in a page, an array in a test.

import type { PixelArray, Sink } from "skerry";

/** A file that is written from its beginning to its end. */
export interface Output {
  /** Whether chunks may be views on shared memory; see `shared` of a Sink. */
  readonly takesShared?: boolean;
  /** Appends bytes, or text as UTF-8. The caller may reuse a chunk once the promise settles. */
  write(chunk: ArrayBufferView | string): void | Promise<void>;
}

/** A Sink that appends values to a file as they come. */
export function sinkTo(file: Output): Sink<PixelArray> {
  return { shared: file.takesShared, write: (_z0, _z1, _y0, _y1, data) => file.write(data) };
}

/** An output in memory. */
export class MemoryOutput implements Output {
  readonly takesShared = true;
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];

  write(chunk: ArrayBufferView | string): void {
    const bytes =
      typeof chunk === "string"
        ? new TextEncoder().encode(chunk)
        : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#chunks.push(bytes.slice());
  }

  /** Written bytes in pieces, e.g. for a Blob. */
  get chunks(): readonly Uint8Array<ArrayBuffer>[] {
    return this.#chunks;
  }

  /** Written bytes in one piece. */
  bytes(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.#chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    return joined;
  }
}
