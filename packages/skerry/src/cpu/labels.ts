// Labels leave in bands, from the workers' slots into memory the caller keeps, or into a Sink in order.

import type { Call } from "../backend.js";
import type { Sink } from "../types.js";
import { bandsOf, borrowing, inLanes, laneCount, type Rows, timed } from "./bands.js";
import type { Labelled, Strip } from "./components.js";
import { planeBytes } from "./mask.js";
import type { Pool } from "./pool.js";

/** A whole vector may be written past the last label. */
const SLACK = 16;

/** Scratch of a kernel that decodes a row: 4 bytes per pixel, and a few more runs than there can be. */
export function listBytes(width: number): number {
  return width * 4 + 64;
}

/** The bands of every strip, with the strip that they lie in. */
export function stripBands(labelled: Labelled, rowBytes: number): (Rows & { strip: Strip })[] {
  return labelled.strips.flatMap((strip) => bandsOf(strip, rowBytes).map((band) => ({ ...band, strip })));
}

/** Writes 4 bytes per pixel; reads the bits, 4 bytes per run, and the map. */
export async function expandLabels(
  pool: Pool,
  labelled: Labelled,
  into: Uint32Array | Sink,
  call: Call,
): Promise<void> {
  const { planes, labelsAt, mapAt } = labelled;
  const { width, height, first, second } = planes;
  const bands = stripBands(labelled, width * 4);
  await borrowing(pool, async (loan) => {
    const lanes = Math.min(laneCount(pool), bands.length);
    const rows = bands.reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0);
    const slots = await loan.lanes(lanes, rows * width * 4 + SLACK);
    const lists = await loan.lanes(lanes, listBytes(width));
    const staging = into instanceof Uint32Array ? [] : slots.map(() => new Uint32Array(rows * width));
    const order = new InOrder();
    const bytes = width * height * 4 + planeBytes(planes) + labelled.runCount * 4;
    await timed(call, "labels", bytes, () =>
      inLanes(call, "labels", bands, lanes, async ({ y0, y1, strip }, lane, index) => {
        const pointer = slots[lane] as number;
        const rowsOfBand = [first, second, width, y0, y1, planes.offsetsAt, labelsAt, mapAt + strip.base * 4];
        const expand = (array: Uint32Array): Promise<number> =>
          pool.run("expandRows", [...rowsOfBand, pointer, lists[lane] as number], { output: { pointer, array } });
        if (into instanceof Uint32Array) {
          await expand(into.subarray(y0 * width, y1 * width));
        } else {
          const array = (staging[lane] as Uint32Array).subarray(0, (y1 - y0) * width);
          await order.take(index, expand(array), () => into.write(0, 1, y0, y1, array));
        }
      }),
    );
  });
}

/** Lets bands that finish in any order be written in theirs. */
class InOrder {
  #turns = new Map<number, () => void>();
  #next = 0;
  #failed = false;

  async take(index: number, ready: Promise<unknown>, write: () => void | Promise<void>): Promise<void> {
    try {
      await ready;
      if (index !== this.#next) await new Promise<void>((resolve) => this.#turns.set(index, resolve));
      if (!this.#failed) await write();
    } catch (error) {
      this.#failed = true;
      throw error;
    } finally {
      if (this.#failed) {
        // Nothing is written after a failure; everyone who waits goes home.
        for (const go of this.#turns.values()) go();
        this.#turns.clear();
      }
      this.#next = Math.max(this.#next, index + 1);
      const go = this.#turns.get(this.#next);
      this.#turns.delete(this.#next);
      go?.();
    }
  }
}
