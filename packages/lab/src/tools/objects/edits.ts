// Edits of selected objects, and steps to the next one.

import type { Edit } from "skerry";
import type { Recipe } from "../../settings/recipe.js";
import { session } from "../../state/engine.js";
import { change, recipe, selection } from "../../state/lab.js";
import { sidesOf } from "../../state/scale.js";
import { spotsOf } from "./run.js";
import { fresh, measured, wantedProperties } from "./state.js";

/** Adds corrections by hand, as one step of undo. */
export function addEdits(added: readonly Edit[], gesture?: string): void {
  const { edits } = recipe.value.objects;
  const next = { objects: { ...recipe.value.objects, edits: [...edits, ...added] } };
  change(next, `edit ${edits.length}`, gesture ? { gesture } : {});
}

/** Deletes the selected objects. */
export function removeSelected(): void {
  const { runs } = measured.value ?? {};
  if (!runs || !fresh.value || selection.value.size === 0) return;
  addEdits(spotsOf(runs, selection.value).map((drop) => ({ drop })));
}

/** Selects the objects whose centroids, in pixels, pass a test, and those before. */
export function selectWhere(
  isTaken: (centroid: readonly [number, number]) => boolean,
  before: ReadonlySet<number> = new Set(),
): void {
  const { centroid, count } = measured.value?.regions ?? {};
  if (!fresh.value || !centroid || !count) return;
  const next = new Set(before);
  const [width, height] = recipe.value.scale ? sidesOf(recipe.value.scale) : [1, 1];
  for (let i = 0; i < count; i++) {
    if (isTaken([centroid[2 * i] / width, centroid[2 * i + 1] / height])) next.add(i + 1);
  }
  selection.value = next;
}

/** Selects every object. */
export function selectAll(): void {
  const { count } = measured.value?.regions ?? { count: 0 };
  if (fresh.value) selection.value = new Set(Array.from({ length: count }, (_, i) => i + 1));
}

/** Selects the object after, or before, the one that is selected. */
export function stepSelected(by: 1 | -1): void {
  const { count } = measured.value?.regions ?? { count: 0 };
  if (count === 0 || !fresh.value) return;
  const [first] = selection.value;
  const next = first === undefined ? (by > 0 ? 1 : count) : ((first - 1 + by + count) % count) + 1;
  selection.value = new Set([next]);
}

/** Selects an object; with `add`, adds it to the selection or removes it from there. */
export function choose(label: number, add: boolean): void {
  const next = new Set(add ? selection.value : []);
  if (!label) {
    if (!add) selection.value = next;
    return;
  }
  if (add && next.has(label)) next.delete(label);
  else next.add(label);
  selection.value = next;
}

/** Settings in which the selected objects are the fence of every tool. */
export function fenceOf({ objects, within }: Recipe): Partial<Recipe> | undefined {
  const { runs } = measured.value ?? {};
  if (!runs || !fresh.value || selection.value.size === 0 || objects.rule === "labels") return undefined;
  return { within: { tool: "objects", objects, spots: spotsOf(runs, selection.value), within } };
}

/** Measures again if a wanted property is not measured yet. */
export function measureAnew(): void {
  const { regions } = measured.value ?? {};
  if (!regions || [...wantedProperties.value].every((name) => regions[name])) return;
  session.follower?.again();
}
