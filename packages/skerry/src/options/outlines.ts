// The options of `outlines()`.

import type { OutlinesPlan } from "../core/plans.js";
import { Unsupported } from "../types/errors.js";
import type { OutlineOptions } from "../types/outlines.js";
import { atLeastZero, oneOf } from "./arguments.js";
import { checkLabelList } from "./labels.js";

/** The chosen labels, ascending and each once, and the tolerance in pixels. */
export function planOutlines(
  { labels, tolerance = 0, rings = "exact" }: OutlineOptions,
  { depth, count }: { readonly depth: number; readonly count: number },
): OutlinesPlan {
  if (depth > 1) throw new Unsupported("Expected an image for outlines, got a volume.");
  const simple = oneOf("rings", rings, ["exact", "simple"]) === "simple";
  const checked = { tolerance: atLeastZero("tolerance", tolerance), simple };
  if (labels === undefined) return { labels, ...checked };
  const chosen = [...new Set(checkLabelList(labels, count))].sort((a, b) => a - b);
  return { labels: chosen, ...checked };
}
