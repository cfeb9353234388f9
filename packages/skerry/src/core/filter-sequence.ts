// The order of filters, once for every device: holes are filled and the result labelled, then one choice drops objects: those
// at the border, those of the wrong area, and of the rest all but the largest (filter-choose.ts). A hole is a component of the
// background that does not touch the border.

import type { Connectivity } from "../api/types.js";
import type { Call } from "./call.js";
import { complementOf, type Filter, keepsAll } from "./plans.js";

/** Which objects stay. */
export type Choice = Omit<Filter, "fillHoles">;

/** What a filter takes of a device: P are planes of bits, L their labels. */
export interface FilterSteps<P, L extends { free(): void }> {
  /** Labels planes, which belong to the labels from here on. */
  label(planes: P, connectivity: Connectivity, call: Call): Promise<L>;
  /** The planes of the objects that stay. */
  select(labelled: L, choice: Choice, call: Call): Promise<P>;
  /** The planes of a class's background. */
  background(which: 0 | 1): Promise<P>;
  /** New planes, made by `fill`, which is to be called for each of the classes. */
  filled(fill: (filled: P, which: 0 | 1) => Promise<void>, call: Call): Promise<P>;
  /** Writes a class with its holes. */
  addHoles(filled: P, holes: P, which: 0 | 1): Promise<void>;
  free(planes: P): void;
}

/** Applies a filter; `labelled` stays as it is, and the result is a new one even when nothing was dropped. */
export async function filterInOrder<P, L extends { readonly connectivity: Connectivity; free(): void }>(
  labelled: L,
  filter: Filter,
  call: Call,
  steps: FilterSteps<P, L>,
): Promise<L> {
  const { connectivity } = labelled;
  const begun = performance.now();
  const inner: Call = { signal: call.signal, onProgress: call.onProgress, timings: [] };
  const label = (planes: P): Promise<L> => steps.label(planes, connectivity, inner);
  try {
    if (!filter.fillHoles) return await label(await steps.select(labelled, filter, inner));
    const filled = await label(
      await steps.filled((planes, which) => fillHoles(planes, which, connectivity, inner, steps), inner),
    );
    if (keepsAll(filter)) return filled;
    try {
      return await label(await steps.select(filled, filter, inner));
    } finally {
      filled.free();
    }
  } finally {
    call.timings.push({ stage: "filter", milliseconds: performance.now() - begun, bytes: 0 });
  }
}

/** Fills the holes of one class: the components of its background that a filter of the border leaves. */
async function fillHoles<P, L extends { free(): void }>(
  filled: P,
  which: 0 | 1,
  connectivity: Connectivity,
  call: Call,
  steps: FilterSteps<P, L>,
): Promise<void> {
  const outside = await steps.label(await steps.background(which), complementOf(connectivity), call);
  try {
    const inside = { clearBorder: true, minArea: 0, maxArea: Number.POSITIVE_INFINITY, largest: 0 };
    const holes = await steps.select(outside, inside, call);
    try {
      await steps.addHoles(filled, holes, which);
    } finally {
      steps.free(holes);
    }
  } finally {
    outside.free();
  }
}
