// What the panels of the fill tool read.

import { signal } from "@preact/signals";

/** Pixels at each tolerance from the last press, and the press that they belong to. */
export const areas = signal<{ readonly key: string; readonly counts: Float64Array | undefined } | undefined>(undefined);
