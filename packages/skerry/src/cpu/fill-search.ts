// The search from a seed: its memory, the rows of pixels that it requests, and its calls of the kernel.

import type { Call } from "../core/call.js";
import type { Match } from "../core/colour-match.js";
import { PIXEL_BYTES, type Pixels } from "../core/pixels.js";
import type { Seed } from "../core/plans.js";
import { hostRows } from "../core/sinks.js";
import { LAYOUT } from "../generated/kernels.js";
import { bandsOf, PIXEL_BAND, type Rows } from "./bands.js";
import { writeMatch } from "./fill-match.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import type { ScratchScope } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, type Resident } from "./pixel-feed.js";
import type { Planes } from "./planes.js";

const { DONE, NEEDS_ROW, NEEDS_STACK } = LAYOUT.fill;

/** Byte offsets of the fields in the kernel's block. */
const FIELD = LAYOUT.search;

/** Initial capacity of the stack, in entries of 4 bytes. */
const FIRST_WORDS = 4096;

/** Bytes of rows copied at once at first. They double each time, up to PIXEL_BAND. */
const FIRST_BAND = 1 << 16;

/** Result of a search. */
export interface Found {
  readonly area: number;
  readonly runs: number;
  readonly window: Rows;
}

/** A search over one raster. The scope frees its memory. */
export class Search {
  readonly #pool: Pool;
  readonly #scope: ScratchScope;
  readonly #pixels: Pixels;
  readonly #fence: Uint32Array | undefined;
  readonly #view = new DataView(new ArrayBuffer(FIELD.SEARCH_BYTES));
  readonly #call: Call;
  #blockAt = 0;
  #presentAt = 0;
  #pixelsAt = 0;
  #fenceAt = 0;
  #present: Uint8Array | undefined;
  #band = FIRST_BAND;
  /** Rows to be copied next, and rows that are copied but not requested yet. */
  #planned: Rows | undefined;
  #ahead: Rows[] = [];

  private constructor(pool: Pool, scope: ScratchScope, pixels: Pixels, fence: Uint32Array | undefined, call: Call) {
    this.#pool = pool;
    this.#scope = scope;
    this.#pixels = pixels;
    this.#fence = fence;
    this.#call = call;
  }

  /**
   * Reserves the memory of a search. Pixels outside WebAssembly memory take room for all of them, and a fence takes 1 bit
   * per pixel. That room is touched only where the search reaches. In either case 1 byte per row is added.
   */
  static async open(
    pool: Pool,
    scope: ScratchScope,
    pixels: Pixels,
    fence: Uint32Array | undefined,
    call: Call,
  ): Promise<Search> {
    const started = new Search(pool, scope, pixels, fence, call);
    const { width, height } = pixels.shape;
    started.#blockAt = await scope.allocate(FIELD.SEARCH_BYTES);
    if (pixels.kind === "image") started.#pixelsAt = (pixels.image as unknown as Resident).pointer;
    else started.#pixelsAt = await scope.allocate(PixelFeed.residentBytes(pixels.shape), LEAD_BYTES);
    if (fence) started.#fenceAt = await scope.allocate(Math.ceil(width / 64) * 8 * height);
    if (pixels.kind !== "image" || fence) {
      started.#presentAt = await scope.allocate(height);
      started.#present = new Uint8Array(height);
      await pool.write(started.#presentAt, started.#present);
    }
    return started;
  }

  /**
   * Fills `planes` from the seeds. Returns undefined once the cost exceeds `part` of that of labelling. With a floating
   * range, `part` limits the reached words, as a multiple of the image's words.
   */
  async run(
    planes: Planes,
    match: Match,
    seeds: readonly Seed[],
    { floating, directed, eight, part }: { floating: boolean; directed: boolean; eight: boolean; part: number },
  ): Promise<Found | undefined> {
    const view = this.#view;
    const { width, height } = planes;
    const touchedAt = await this.#scope.allocate(height);
    await this.#pool.write(touchedAt, new Uint8Array(height));
    let stackAt = await this.#scope.allocate(FIRST_WORDS * 4);
    // Per word of 64 pixels: pending bits, the set of known masks, and one mask per distinct direction.
    const cellBytes = 16 + 8 * (floating ? (eight ? 8 : 4) : 1);
    const cellsAt = await this.#scope.allocate(planes.words * height * cellBytes);
    writeMatch(view, match, this.#pixels.shape, floating);
    this.#put({
      PIXELS: this.#pixelsAt,
      WIDTH: width,
      HEIGHT: height,
      PRESENT: this.#presentAt,
      FENCE: this.#fenceAt,
      PLANE: planes.first,
      TOUCHED: touchedAt,
      STACK: stackAt,
      CAPACITY: FIRST_WORDS,
      COUNT: 0,
      EIGHT: Number(eight),
      FLOATING: floating ? (directed ? 1 : 2) : 0,
      NEED: 0,
      TOP: height,
      BOTTOM: 0,
      RUNS: 0,
      CELLS: cellsAt,
      CELL_BYTES: cellBytes,
    });
    for (const count of ["AREA", "REACHED", "TESTED", "STARTS"] as const) view.setFloat64(FIELD[count], 0, true);
    view.setFloat64(FIELD.BUDGET, part * planes.words * height, true);
    for (const [i, [x, y]] of seeds.entries()) {
      this.#put({ PENDING: 1, SEED_X: x, SEED_Y: y, LAST: Number(i === seeds.length - 1) });
      for (;;) {
        this.#call.signal?.throwIfAborted();
        const result = await (this.#planned ? this.#stepAndBring(this.#planned) : this.#step());
        if (result === DONE) break;
        if (result === NEEDS_ROW) await this.#bring(this.#get("NEED"));
        else if (result === NEEDS_STACK) stackAt = await this.#enlarge(stackAt);
        else return undefined;
      }
    }
    return {
      area: view.getFloat64(FIELD.AREA, true),
      runs: this.#get("RUNS"),
      window: { y0: this.#get("TOP"), y1: this.#get("BOTTOM") },
    };
  }

  #get(field: keyof typeof FIELD): number {
    return this.#view.getUint32(FIELD[field], true);
  }

  #put(fields: Partial<Record<keyof typeof FIELD, number>>): void {
    for (const [field, value] of Object.entries(fields)) {
      this.#view.setUint32(FIELD[field as keyof typeof FIELD], value, true);
    }
  }

  /** One call of the kernel, with its block in and out. */
  #step(): Promise<number> {
    const block = { pointer: this.#blockAt, array: this.#view };
    return runKernel(this.#pool, "search", { s: this.#blockAt }, { input: block, output: block });
  }

  /** Copies the rows around a missing one, and plans the copy of the next rows. */
  async #bring(row: number): Promise<void> {
    const present = this.#present as Uint8Array;
    const { height, width, channels, type } = this.#pixels.shape;
    const rowBytes = width * channels * PIXEL_BYTES[type];
    const rows = Math.max(1, Math.floor(this.#band / rowBytes));
    this.#band = Math.min(PIXEL_BAND, this.#band * 2);
    // Continue from the rows that are present, upwards or downwards.
    const up = row > 0 && !present[row - 1] && present[row + 1] === 1;
    let brought = this.#ahead.find(({ y0, y1 }) => row >= y0 && row < y1);
    if (brought) {
      this.#ahead = this.#ahead.filter((other) => other !== brought);
    } else {
      let [y0, y1] = up ? [Math.max(0, row + 1 - rows), row + 1] : [row, Math.min(height, row + rows)];
      while (y0 < row && present[y0]) y0++;
      const there = present.subarray(row, y1).indexOf(1);
      if (there > 0) y1 = row + there;
      brought = { y0, y1 };
      await this.#copy(brought);
    }
    const { y0, y1 } = brought;
    present.fill(1, y0, y1);
    await this.#pool.write(this.#presentAt + y0, present.subarray(y0, y1));
    const next = up ? { y0: Math.max(0, y0 - rows), y1: y0 } : { y0: y1, y1: Math.min(height, y1 + rows) };
    // Prefetch only once the search has reached the full band size: small fills should not wait for rows they may not
    // need.
    const large = this.#band === PIXEL_BAND && !this.#fence;
    const empty = next.y0 < next.y1 && present.subarray(next.y0, next.y1).every((there) => there === 0);
    this.#planned = large && empty ? next : undefined;
  }

  /** Copies planned rows while the kernel runs. They are marked as present when the kernel requests them. */
  async #stepAndBring(planned: Rows): Promise<number> {
    this.#planned = undefined;
    // A failure of either ends the search, but only after both have settled.
    const [stepped, copied] = await Promise.allSettled([this.#step(), this.#copy(planned)]);
    if (copied.status === "rejected") throw copied.reason;
    if (stepped.status === "rejected") throw stepped.reason;
    this.#ahead.push(planned);
    return stepped.value;
  }

  async #copy(rows: Rows): Promise<void> {
    const { width, channels, type } = this.#pixels.shape;
    for (const band of bandsOf(rows, width * channels * PIXEL_BYTES[type], PIXEL_BAND)) await this.#copyBand(band);
  }

  async #copyBand({ y0, y1 }: Rows): Promise<void> {
    const { width, channels, type } = this.#pixels.shape;
    const pixels = this.#pixels;
    if (pixels.kind !== "image") {
      const rows = await hostRows(pixels, y0, y1, this.#call);
      await this.#pool.write(this.#pixelsAt + y0 * width * channels * PIXEL_BYTES[type], rows);
    }
    if (!this.#fence) return;
    const words32 = Math.ceil(width / 32);
    const array = this.#fence.subarray(y0 * words32, y1 * words32);
    const pointer = await this.#scope.allocate(array.byteLength);
    const to = this.#fenceAt + y0 * Math.ceil(width / 64) * 8;
    await runKernel(
      this.#pool,
      "copyBits",
      { src: pointer, rows: y1 - y0, width, dst: to },
      { input: { pointer, array } },
    );
    this.#scope.free(pointer);
  }

  /** Moves the stack to a block of twice the size. */
  async #enlarge(stackAt: number): Promise<number> {
    const larger = this.#get("CAPACITY") * 2;
    const at = await this.#scope.allocate(larger * 4);
    await runKernel(this.#pool, "copyBytes", { dst: at, src: stackAt, bytes: this.#get("COUNT") * 4 });
    this.#scope.free(stackAt);
    this.#put({ STACK: at, CAPACITY: larger });
    return at;
  }
}
