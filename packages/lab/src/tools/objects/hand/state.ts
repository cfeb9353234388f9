// Which correction by hand is chosen, and how wide its brush is.

import { signal } from "@preact/signals";
import type { Spot } from "../../../settings/spots.js";
import type { HandName } from "../../../words/hand.js";

export const hand = signal<HandName>("select");
/** Radius of the brush in pixels. */
export const radius = signal(4);
/** Greatest radius of the brush. */
export const MOST_BRUSH = 100;
/** Places that were clicked of a line that is not finished yet. */
export const begun = signal<readonly Spot[]>([]);
