// The options of `outlines()`.

import { Unsupported } from "../api/errors.js";
import type { OutlineOptions } from "../api/types.js";
import { atLeastZero, unexpected } from "./arguments.js";

/** The chosen labels, ascending and each once, and the tolerance in pixels. */
export function planOutlines(
  { labels, tolerance = 0 }: OutlineOptions,
  { depth, count }: { readonly depth: number; readonly count: number },
): { labels: readonly number[] | undefined; tolerance: number } {
  if (depth > 1) throw new Unsupported("Expected an image for outlines, got a volume.");
  const checked = atLeastZero("tolerance", tolerance);
  if (labels === undefined) return { labels, tolerance: checked };
  if (typeof Object(labels)[Symbol.iterator] !== "function") throw unexpected("labels", "a list of labels", labels);
  const chosen = [...new Set(labels)].sort((a, b) => a - b);
  const wrong = chosen.find((label) => !Number.isInteger(label) || label < 1 || label > count);
  if (wrong !== undefined) throw unexpected("labels", `whole numbers from 1 to ${count}`, wrong);
  return { labels: chosen, tolerance: checked };
}
