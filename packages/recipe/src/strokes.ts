// Strokes of a fill. In a module of its own, so that a page need not load the table of fields.

import type { Stroke } from "./fields/own.js";

/** The strokes from the last one of mode "new" on; earlier ones have no effect. */
export function strokesThatCount<S extends Pick<Stroke, "mode">>(strokes: readonly S[]): readonly S[] {
  const last = strokes.findLastIndex(({ mode }) => mode === "new");
  return strokes.slice(Math.max(0, last));
}
