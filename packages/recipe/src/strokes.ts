// Presses of a fill. Apart from the table of fields, so that a page need not load it.

import type { Stroke } from "./fields/own.js";

/** Strokes from the last that begins anew on: the others have no effect. */
export function strokesThatCount<S extends Pick<Stroke, "mode">>(strokes: readonly S[]): readonly S[] {
  const last = strokes.findLastIndex(({ mode }) => mode === "new");
  return strokes.slice(Math.max(0, last));
}
