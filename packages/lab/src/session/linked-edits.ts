// Corrections by hand as a link holds them: the name, the radius, the first place, then differences, which deflate well.

import type { Edit } from "skerry";
import { defined } from "skerry/internal";

type Row = readonly [name: string, radius: number, ...places: number[]];

/** No radius. */
const NONE = -1;

/** A correction as a row: `["cut", -1, 10, 20, 3, 0]` is a cut from 10, 20 to 13, 20. */
function rowOf(edit: Edit): Row {
  const { radius = NONE, ...others } = edit as { readonly radius?: number };
  const [[name, given]] = Object.entries(others) as [string, readonly number[] | readonly (readonly number[])[]][];
  const places =
    typeof given[0] === "number" ? [given as readonly number[]] : (given as readonly (readonly number[])[]);
  return [
    name,
    radius,
    ...places.flatMap(([x, y], i) => [x - (places[i - 1]?.[0] ?? 0), y - (places[i - 1]?.[1] ?? 0)]),
  ];
}

/** The correction of a row; it is checked with the rest of the recipe. */
function editOf([name, radius, ...steps]: Row): unknown {
  const places: [number, number][] = [];
  for (let i = 0, x = 0, y = 0; i + 1 < steps.length; i += 2) {
    x += steps[i];
    y += steps[i + 1];
    places.push([x, y]);
  }
  const isOne = name === "drop" || name === "fill";
  return defined({ [name]: isOne ? places[0] : places, radius: radius === NONE ? undefined : radius });
}

interface Holder {
  readonly options?: { readonly edits?: readonly unknown[] };
}

/** A recipe whose corrections are rows. */
export function withRows<T extends Holder>(recipe: T): object {
  const { options } = recipe;
  if (!options?.edits) return recipe;
  return { ...recipe, options: { ...options, edits: (options.edits as readonly Edit[]).map(rowOf) } };
}

/** A recipe whose corrections were rows. */
export function withoutRows(recipe: Holder): object {
  const { options } = recipe;
  if (!options?.edits) return recipe;
  const edits = options.edits.map((row) => (Array.isArray(row) ? editOf(row as never) : row));
  return { ...recipe, options: { ...options, edits } };
}
