// Tells pictures that look like label images. Loaded with the first panel or rule that asks.

import { idsIn } from "@skerry/recipe/internal";
import type { Opened } from "./opened.js";

/** Fewest ids of a label image: two values may be a mask. */
const LEAST_IDS = 3;

/** The number of ids of a picture whose numbers come in areas, as those of a label image do; undefined for others. */
export function idsOf({ data, width, height, channels }: Opened): number | undefined {
  const { count = 0 } = (channels === 1 && idsIn({ data, width, height })) || {};
  return count >= LEAST_IDS ? count : undefined;
}
