// LineStream: the handle to the objects of lines without an end. Its work is loaded with the first lines (api/line-loop.ts).

import { InvalidArgument } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import type { ObjectProperty } from "../types/region-properties.js";
import type { DefaultProperty } from "../types/regions.js";
import type { Lines, StreamedObject, StreamOptions } from "../types/stream.js";
import type { LineLoop } from "./line-loop.js";
import type { StreamEngine } from "./strips.js";

/**
 * The objects of lines without an end, from `engine.stream()`: `for await (const object of stream)`. Lines come from `lines.data`, or
 * by {@link push} and {@link end}. Nothing is read ahead of what the loop takes but one batch of lines.
 */
export class LineStream<P extends ObjectProperty = DefaultProperty> implements AsyncIterable<StreamedObject<P>> {
  readonly #engine: StreamEngine;
  readonly #lines: Lines;
  readonly #options: StreamOptions;
  #loop: LineLoop | undefined;
  #loading: Promise<LineLoop> | undefined;

  /** @internal */
  constructor(engine: StreamEngine, lines: Lines, options: StreamOptions) {
    if (!engine) throw new InvalidArgument("Expected a LineStream from an engine's stream(), got new LineStream().");
    this.#engine = engine;
    this.#lines = lines;
    this.#options = options;
  }

  /** The row after the last line that was labelled; 0 before the loop. */
  get row(): number {
    return this.#loop?.row ?? 0;
  }

  /** Objects that the next line may continue. */
  get open(): number {
    return this.#loop?.open ?? 0;
  }

  /**
   * Gives lines, or parts of lines, to a stream without `data`. Resolves once the stream has taken them: who waits for it keeps
   * memory bounded. Nothing is taken before the loop runs. The array must not change until then.
   *
   * Rejects with InvalidArgument for lines that have `data`, and after `end()` or the loop; with the error of a stream that failed,
   * as by an array of another type.
   *
   * @example
   * const stream = engine.stream({ width: 8, type: "u8" }, { threshold: { above: 9 } });
   * stream.push(new Uint8Array([0, 90, 90, 0, 0, 0, 0, 0]));
   * stream.end();
   * for await (const { id, area } of stream) console.log(id, area); // 1 2
   */
  async push(lines: PixelArray): Promise<void> {
    return (await this.#load()).push(lines);
  }

  /**
   * Ends a stream of pushed lines; objects that are open are finished. Calling it again does nothing, also after the loop. Throws
   * nothing.
   *
   * @example
   * const stream = engine.stream({ width: 4, type: "u8" }, { threshold: { above: 9 } });
   * stream.push(new Uint8Array([0, 90, 90, 0]));
   * stream.end();
   * for await (const { id, area } of stream) console.log(id, area); // 1 2
   */
  end(): void {
    this.#load().then((loop) => loop.end());
  }

  /** The objects, once. Ending the loop frees the memory of the stream. */
  [Symbol.asyncIterator](): AsyncIterableIterator<StreamedObject<P>, void, undefined> {
    type Iterator = Required<Pick<AsyncIterator<StreamedObject<P>, void, undefined>, "next" | "return">>;
    let inner: Iterator | undefined;
    const loaded = this.#load().then((loop) => {
      inner = loop.iterate() as Iterator;
      return inner;
    });
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => inner?.next() ?? loaded.then((iterator) => iterator.next()),
      return: () => loaded.then((iterator) => iterator.return()),
    };
  }

  #load(): Promise<LineLoop> {
    this.#loading ??= import("./line-loop.js").then(({ LineLoop }) => {
      this.#loop = new LineLoop(this.#engine, this.#lines, this.#options);
      return this.#loop;
    });
    return this.#loading;
  }
}
