// Signals of the distance tool: the map, and the largest circle in each object.

import { signal } from "@preact/signals";
import type { DistanceMap } from "skerry";

export const map = signal<DistanceMap | undefined>(undefined);
/** Radius, x and y of the largest circle in each object, if they are shown. */
export const circles = signal<Float64Array | undefined>(undefined);
export const showsCircles = signal(false);
