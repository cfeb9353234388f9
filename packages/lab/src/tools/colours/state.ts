// Signals of the colours tool: the classes, and curves over their number.

import { signal } from "@preact/signals";
import type { PickedK, Segmentation } from "skerry";

export const classes = signal<Segmentation | undefined>(undefined);
/** How well each number of classes suits the picture, and the settings that it belongs to. */
export const suited = signal<{ readonly key: string; readonly picked: PickedK } | undefined>(undefined);
/** Milliseconds that each number of classes took on this machine; 0 if it has not run. */
export const took = signal<{ readonly key: string; readonly milliseconds: Float64Array } | undefined>(undefined);
