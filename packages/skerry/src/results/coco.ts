// COCO's mask format: run lengths down the columns, background first, as plain numbers or as the packed string of
// pycocotools.

import { turn } from "#event-loop";
import type { Runs } from "../types/labels.js";

/** COCO's uncompressed run lengths. */
export interface CocoRle {
  /** [height, width] */
  readonly size: readonly [number, number];
  /** Lengths of runs, background and foreground in turn. */
  readonly counts: readonly number[];
}

/** COCO's compressed run lengths. */
export interface CocoString {
  /** [height, width] */
  readonly size: readonly [number, number];
  /** The packed lengths of runs, background and foreground in turn. */
  readonly counts: string;
}

/** Work between two turns of the event loop, in steps of some nanoseconds. */
const STEPS = 1 << 20;

/** Column-major run lengths of one label from runs grouped by label. O(area) time; one bit of memory per pixel of its box. */
export async function cocoRle(runs: Runs, label: number, width: number, height: number): Promise<CocoRle> {
  const { row, begin, end, offsets } = runs;
  const from = offsets?.[label - 1] ?? 0;
  const to = offsets?.[label] ?? 0;
  let x0 = width;
  let x1 = 0;
  for (let i = from; i < to; i++) {
    x0 = Math.min(x0, begin[i]);
    x1 = Math.max(x1, end[i]);
  }
  const y0 = row[from];
  const rows = row[to - 1] - y0 + 1;
  // The object's box, turned: one bit per pixel, each column in whole words.
  const words = Math.ceil(rows / 32);
  const columns = new Uint32Array(words * (x1 - x0));
  let steps = 0;
  for (let i = from; i < to; i++) {
    const y = row[i] - y0;
    const bit = 1 << (y & 31);
    for (let x = begin[i]; x < end[i]; x++) {
      const at = (x - x0) * words + (y >> 5);
      columns[at] = columns[at] | bit;
    }
    steps += end[i] - begin[i];
    if (steps > STEPS) {
      steps = 0;
      await turn();
    }
  }
  const counts: number[] = [];
  let last = 0;
  for (let x = x0; x < x1; x++) {
    let inside = 0;
    for (let word = 0; word < words; word++) {
      const bits = columns[(x - x0) * words + word];
      // A pixel unlike the one before it in its column starts or ends a run.
      let toggles = (bits ^ ((bits << 1) | inside)) >>> 0;
      inside = bits >>> 31;
      while (toggles) {
        const y = word * 32 + 31 - Math.clz32(toggles & -toggles);
        toggles &= toggles - 1;
        last = push(counts, x * height + y0 + y, last);
      }
    }
    if (inside) last = push(counts, x * height + y0 + rows, last);
    steps += words;
    if (steps > STEPS) {
      steps = 0;
      await turn();
    }
  }
  if (last < width * height || counts.length === 0) counts.push(width * height - last);
  return { size: [height, width], counts };
}

/** Ends the current run at `position`; a run that continues from one column into the next stays one run. */
function push(counts: number[], position: number, last: number): number {
  if (position === last && counts.length > 0) return last - (counts.pop() as number);
  counts.push(position - last);
  return position;
}

/** pycocotools' packing: from the fourth count on differences to the count two before, 5 bits per character, from "0" on. */
export function cocoString({ size, counts }: CocoRle): CocoString {
  let packed = "";
  counts.forEach((count, i) => {
    let value = i > 2 ? count - counts[i - 2] : count;
    for (let more = true; more; ) {
      let code = ((value % 32) + 32) % 32;
      value = Math.floor(value / 32);
      // The last character's sign bit must match the remaining bits: all zeros or all ones.
      more = code & 16 ? value !== -1 : value !== 0;
      if (more) code |= 32;
      packed += String.fromCharCode(code + 48);
    }
  });
  return { size, counts: packed };
}
