// All pixels in WebAssembly memory, for operations that look far around a pixel: a copy at once, or as far as it is asked for.

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, type Pixels, rowCount } from "../core/pixels.js";
import { hostRows } from "../core/sinks.js";
import { PIXEL_BAND, timed } from "./bands.js";
import type { Pool } from "./memory/pool.js";
import type { ScratchScope } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, type Resident } from "./pixel-feed.js";

/** The address of all pixels: where a loaded image lies, or of a copy that lasts as long as `scope`. */
export async function placePixels(pool: Pool, scope: ScratchScope, pixels: Pixels, call: Call): Promise<number> {
  const arriving = await ArrivingPixels.open(pool, scope, pixels, call);
  if (pixels.kind !== "image") {
    const rows = rowCount(pixels.shape);
    await timed(call, "read pixels", rows * arriving.rowBytes * 2, () => arriving.until(rows));
  }
  return arriving.at;
}

/** All pixels in memory. What is not there yet comes in order, as far as was asked for, so that kernels work on the first rows meanwhile. */
export class ArrivingPixels {
  readonly at: number;
  readonly rowBytes: number;
  readonly #pool: Pool;
  readonly #pixels: Pixels;
  readonly #call: Call;
  /** Rows that came, or that `#coming` brings. */
  #asked = 0;
  #coming: Promise<void> = Promise.resolve();

  private constructor(pool: Pool, at: number, pixels: Pixels, call: Call) {
    const { width, channels, type } = pixels.shape;
    this.at = at;
    this.rowBytes = width * channels * PIXEL_BYTES[type];
    this.#pool = pool;
    this.#pixels = pixels;
    this.#call = call;
  }

  /** A loaded image stays where it is; memory for others lasts as long as `scope`. */
  static async open(pool: Pool, scope: ScratchScope, pixels: Pixels, call: Call): Promise<ArrivingPixels> {
    const at =
      pixels.kind === "image"
        ? (pixels.image as unknown as Resident).pointer
        : await scope.allocate(PixelFeed.residentBytes(pixels.shape), LEAD_BYTES);
    return new ArrivingPixels(pool, at, pixels, call);
  }

  /** Resolves once rows [0, end) are there. */
  until(end: number): Promise<void> {
    const pixels = this.#pixels;
    if (pixels.kind === "image") return this.#coming;
    const rows = Math.max(1, Math.floor(PIXEL_BAND / this.rowBytes));
    const all = rowCount(pixels.shape);
    while (this.#asked < end) {
      const y0 = this.#asked;
      const y1 = Math.min(all, y0 + rows);
      this.#asked = y1;
      this.#coming = this.#coming.then(() => this.#bring(pixels, y0, y1));
    }
    return this.#coming;
  }

  async #bring(pixels: Exclude<Pixels, { kind: "image" }>, y0: number, y1: number): Promise<void> {
    const { signal, onProgress } = this.#call;
    signal?.throwIfAborted();
    await this.#pool.write(this.at + y0 * this.rowBytes, await hostRows(pixels, y0, y1, this.#call));
    onProgress?.({ stage: "read pixels", done: y1, total: rowCount(pixels.shape) });
  }
}
