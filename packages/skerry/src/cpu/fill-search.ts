// The search from a seed: its memory, the rows of pixels that it asks for, and the conversation with the kernel.

import type { Call } from "../core/call.js";
import type { Match } from "../core/colour-match.js";
import { PIXEL_BYTES, type Pixels } from "../core/pixels.js";
import type { Seed } from "../core/plans.js";
import { hostRows } from "../core/sinks.js";
import { bandsOf, PIXEL_BAND, type Rows } from "./bands.js";
import { MATCH_BYTES, writeMatch } from "./fill-match.js";
import type { Planes } from "./mask.js";
import { PixelFeed, type Resident } from "./pixel-feed.js";
import type { Pool } from "./pool.js";
import type { Loan } from "./scratch.js";

// Results of the kernel, as in assembly/fill.ts.
const DONE = 0;
const NEEDS_ROW = 1;
const NEEDS_STACK = 2;

// The kernel's block, as in assembly/enter.ts.
const AREA = MATCH_BYTES + 88;
const COUNTS = [AREA, MATCH_BYTES + 96, MATCH_BYTES + 104, MATCH_BYTES + 112] as const;
const BUDGET = MATCH_BYTES + 120;
const BLOCK_BYTES = MATCH_BYTES + 128;

/** Words on the stack at first. */
const FIRST_WORDS = 4096;

/** Rows are brought in pieces of this many bytes at first, doubled each time. */
const FIRST_BAND = 1 << 16;

/** What a search found. */
export interface Found {
  readonly area: number;
  readonly runs: number;
  readonly window: Rows;
}

/** A search over one raster; its memory is on loan. */
export class Search {
  readonly #pool: Pool;
  readonly #loan: Loan;
  readonly #pixels: Pixels;
  readonly #fence: Uint32Array | undefined;
  readonly #view = new DataView(new ArrayBuffer(BLOCK_BYTES));
  readonly #call: Call;
  #blockAt = 0;
  #presentAt = 0;
  #pixelsAt = 0;
  #fenceAt = 0;
  #present: Uint8Array | undefined;
  #band = FIRST_BAND;
  /** Rows to be copied next, and rows that are copied but not asked for yet. */
  #planned: Rows | undefined;
  #ahead: Rows[] = [];

  private constructor(pool: Pool, loan: Loan, pixels: Pixels, fence: Uint32Array | undefined, call: Call) {
    this.#pool = pool;
    this.#loan = loan;
    this.#pixels = pixels;
    this.#fence = fence;
    this.#call = call;
  }

  /**
   * Reserves what searching takes: 1 byte per row, and where the pixels are not in WebAssembly memory already, room
   * for all of them, which is touched only where the search gets to.
   */
  static async open(
    pool: Pool,
    loan: Loan,
    pixels: Pixels,
    fence: Uint32Array | undefined,
    call: Call,
  ): Promise<Search> {
    const made = new Search(pool, loan, pixels, fence, call);
    const { width, height } = pixels.shape;
    made.#blockAt = await loan.allocate(BLOCK_BYTES);
    if (pixels.kind === "image") made.#pixelsAt = (pixels.image as unknown as Resident).pointer;
    else made.#pixelsAt = await loan.allocate(PixelFeed.residentBytes(pixels.shape));
    if (fence) made.#fenceAt = await loan.allocate(Math.ceil(width / 64) * 8 * height);
    if (pixels.kind !== "image" || fence) {
      made.#presentAt = await loan.allocate(height);
      made.#present = new Uint8Array(height);
      await pool.write(made.#presentAt, made.#present);
    }
    return made;
  }

  /** Fills `planes` from the seeds; undefined when that takes longer than a `part` of labelling. */
  async run(
    planes: Planes,
    match: Match,
    seeds: readonly Seed[],
    { floating, directed, eight, part }: { floating: boolean; directed: boolean; eight: boolean; part: number },
  ): Promise<Found | undefined> {
    const view = this.#view;
    const { width, height } = planes;
    const touchedAt = await this.#loan.allocate(height);
    await this.#pool.write(touchedAt, new Uint8Array(height));
    let stackAt = await this.#loan.allocate(FIRST_WORDS * 4);
    // What is waiting and what is known of every word of 64 pixels, and a mask per direction that differs.
    const cellBytes = 16 + 8 * (floating ? (eight ? 8 : 4) : 1);
    const cellsAt = await this.#loan.allocate(planes.words * height * cellBytes);
    writeMatch(view, match, this.#pixels.shape, floating);
    const fields = [
      ...[this.#pixelsAt, width, height, this.#presentAt, this.#fenceAt, planes.first, touchedAt],
      ...[stackAt, FIRST_WORDS, 0, Number(eight), floating ? (directed ? 1 : 2) : 0, 0, 0, 0, 0, height, 0, 0, 0],
      ...[cellsAt, cellBytes],
    ];
    for (const [i, value] of fields.entries()) view.setUint32(MATCH_BYTES + 4 * i, value, true);
    for (const count of COUNTS) view.setFloat64(count, 0, true);
    view.setFloat64(BUDGET, part * planes.words * height, true);
    for (const [i, [x, y]] of seeds.entries()) {
      for (const [at, value] of [1, x, y].entries()) view.setUint32(MATCH_BYTES + 48 + 4 * at, value, true);
      view.setUint32(MATCH_BYTES + 72, Number(i === seeds.length - 1), true);
      for (;;) {
        this.#call.signal?.throwIfAborted();
        const result = await (this.#planned ? this.#stepAndBring(this.#planned) : this.#step());
        if (result === DONE) break;
        if (result === NEEDS_ROW) await this.#bring(view.getUint32(MATCH_BYTES + 60, true));
        else if (result === NEEDS_STACK) stackAt = await this.#enlarge(stackAt);
        else return undefined;
      }
    }
    const at = (field: number): number => view.getUint32(MATCH_BYTES + field, true);
    return {
      area: view.getFloat64(AREA, true),
      runs: at(76),
      window: { y0: at(64), y1: at(68) },
    };
  }

  /** One call of the kernel, with its block in and out. */
  #step(): Promise<number> {
    const block = { pointer: this.#blockAt, array: this.#view };
    return this.#pool.run("search", [this.#blockAt], { input: block, output: block });
  }

  /** Brings the rows around one that is not there, and plans for those that follow. */
  async #bring(row: number): Promise<void> {
    const present = this.#present as Uint8Array;
    const { height, width, channels, type } = this.#pixels.shape;
    const rowBytes = width * channels * PIXEL_BYTES[type];
    const rows = Math.max(1, Math.floor(this.#band / rowBytes));
    this.#band = Math.min(PIXEL_BAND, this.#band * 2);
    // On from the rows that are there, whichever way the search goes.
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
    // A search that was given this much goes on; a small one is not made to wait for more than it needs.
    const large = this.#band === PIXEL_BAND && !this.#fence;
    const empty = next.y0 < next.y1 && present.subarray(next.y0, next.y1).every((there) => there === 0);
    this.#planned = large && empty ? next : undefined;
  }

  /** Copies planned rows while the kernel works; it is told of them when it asks. */
  async #stepAndBring(planned: Rows): Promise<number> {
    this.#planned = undefined;
    // A failure of either ends the search, but not before both have come to rest.
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
    const pointer = await this.#loan.allocate(array.byteLength);
    const to = this.#fenceAt + y0 * Math.ceil(width / 64) * 8;
    await this.#pool.run("copyBits", [pointer, y1 - y0, width, to], { input: { pointer, array } });
    this.#loan.give(pointer);
  }

  /** A stack of twice the size, with what was on it. */
  async #enlarge(stackAt: number): Promise<number> {
    const view = this.#view;
    const capacity = view.getUint32(MATCH_BYTES + 32, true);
    const larger = capacity * 2;
    const at = await this.#loan.allocate(larger * 4);
    await this.#pool.run("copyBytes", [at, stackAt, view.getUint32(MATCH_BYTES + 36, true) * 4]);
    this.#loan.give(stackAt);
    view.setUint32(MATCH_BYTES + 28, at, true);
    view.setUint32(MATCH_BYTES + 32, larger, true);
    return at;
  }
}
