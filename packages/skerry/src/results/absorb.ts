// Merges small areas into their neighbours: a heap of areas, smallest first, and the borders of each area, which are updated
// after each merge.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import type { AbsorbPlan } from "../core/plans.js";
import type { Contacts } from "../types/labels.js";

/** Areas merged between two turns of the event loop. */
const AT_ONCE = 1 << 12;

/**
 * The final label of each area: its own, or that of the area that took it. The smallest area is merged first; among equal ones
 * the lower label. With `"border"` it joins the neighbour with the most common faces. Ties, and `"largest"`, go to the larger
 * neighbour, then to the lower label. O(n log n) for n contacts.
 */
export async function absorbAreas(
  given: Uint32Array,
  { first, second, faces }: Contacts,
  { minArea, into }: AbsorbPlan,
  call: Call,
): Promise<Uint32Array> {
  const count = given.length;
  const areas = Float64Array.from(given);
  const borders: (Map<number, number> | undefined)[] = Array.from({ length: count }, () => undefined);
  const add = (a: number, b: number, n: number): void => {
    const lengths = borders[a] ?? new Map<number, number>(); // wide: neighbours of one area
    borders[a] = lengths;
    lengths.set(b, (lengths.get(b) ?? 0) + n);
  };
  for (let i = 0; i < first.length; i++) {
    add(first[i] - 1, second[i] - 1, faces[i]);
    add(second[i] - 1, first[i] - 1, faces[i]);
  }
  const owner = Uint32Array.from({ length: count }, (_, i) => i);
  const heap = new Heap((a, b) => a.area - b.area || a.label - b.label);
  for (let i = 0; i < count; i++) if (areas[i] < minArea) heap.push({ area: areas[i], label: i });
  for (let taken = 1, next = heap.pop(); next; next = heap.pop(), taken++) {
    if (taken % AT_ONCE === 0) {
      await turn();
      call.signal?.throwIfAborted();
    }
    const { label, area } = next;
    // This entry is outdated if its area grew or was merged.
    if (owner[label] !== label || areas[label] !== area) continue;
    const target = chosen(borders[label], areas, into);
    if (target === undefined) continue;
    owner[label] = target;
    areas[target] = areas[target] + area;
    for (const [other, n] of borders[label] as Map<number, number>) {
      borders[other]?.delete(label);
      if (other === target) continue;
      add(target, other, n);
      add(other, target, n);
    }
    borders[label] = undefined;
    if (areas[target] < minArea) heap.push({ area: areas[target], label: target });
  }
  return owner.map((_, i) => {
    let at = i;
    while (owner[at] !== at) at = owner[at];
    return at + 1;
  });
}

function chosen(
  border: Map<number, number> | undefined,
  areas: Float64Array,
  into: AbsorbPlan["into"],
): number | undefined {
  let best: { label: number; faces: number } | undefined;
  for (const [label, faces] of border ?? []) {
    const longer = best && into === "border" ? faces - best.faces : 0;
    const better = best && (longer || areas[label] - areas[best.label] || best.label - label);
    if (better === undefined || better > 0) best = { label, faces };
  }
  return best?.label;
}

interface Entry {
  readonly area: number;
  readonly label: number;
}

/** A binary heap (J. W. J. Williams, 1964). */
class Heap {
  readonly #entries: Entry[] = [];
  readonly #compare: (a: Entry, b: Entry) => number;

  constructor(compare: (a: Entry, b: Entry) => number) {
    this.#compare = compare;
  }

  push(entry: Entry): void {
    const entries = this.#entries;
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (this.#compare(entries[up], entry) <= 0) break;
      entries[at] = entries[up];
      at = up;
    }
    entries[at] = entry;
  }

  pop(): Entry | undefined {
    const entries = this.#entries;
    const [top] = entries;
    const last = entries.pop();
    if (!top || !last || entries.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && this.#compare(entries[child + 1], entries[child]) < 0) child++;
      if (this.#compare(entries[child], last) >= 0) break;
      entries[at] = entries[child];
      at = child;
    }
    entries[at] = last;
    return top;
  }
}
