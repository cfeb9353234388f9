// Undo and redo over the last recipes; no pixels are stored.

import { computed, signal } from "@preact/signals";
import type { Recipe } from "../settings/recipe.js";

const MOST = 200;
/** Changes of one control within this time are one step: a drag, a held key. */
const PAUSE_MILLISECONDS = 400;

const past = signal<readonly Recipe[]>([]);
const future = signal<readonly Recipe[]>([]);
let last = { what: "", at: Number.NEGATIVE_INFINITY };

export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/**
 * Keeps the recipe before a change. Changes of the same `what` in quick succession are one step, and so are those of a
 * gesture.
 */
export function keep(before: Recipe, what: string, gesture = false): void {
  const now = performance.now();
  const same = what === last.what && (gesture || now - last.at <= PAUSE_MILLISECONDS);
  if (!same) past.value = [...past.value, before].slice(-MOST);
  last = { what, at: now };
  future.value = [];
}

/** Removes the step of a gesture, and returns the recipe before it; undefined if the gesture changed nothing. */
export function reverted(gesture: string): Recipe | undefined {
  if (last.what !== gesture) return undefined;
  const before = past.value.at(-1);
  past.value = past.value.slice(0, -1);
  last = { what: "", at: Number.NEGATIVE_INFINITY };
  return before;
}

/** The previous recipe, if there is one; `redone()` returns `current` again. */
export function undone(current: Recipe): Recipe | undefined {
  const before = past.value.at(-1);
  if (!before) return undefined;
  past.value = past.value.slice(0, -1);
  future.value = [...future.value, current];
  last = { what: "", at: Number.NEGATIVE_INFINITY };
  return before;
}

export function redone(current: Recipe): Recipe | undefined {
  const next = future.value.at(-1);
  if (!next) return undefined;
  future.value = future.value.slice(0, -1);
  past.value = [...past.value, current];
  last = { what: "", at: Number.NEGATIVE_INFINITY };
  return next;
}

/** The steps that can be undone and redone. */
export interface History {
  readonly past: readonly Recipe[];
  readonly future: readonly Recipe[];
}

export const historyNow = (): History => ({ past: past.value, future: future.value });

/** Goes on with the steps of another picture. */
export function takeUp(history: History): void {
  past.value = history.past;
  future.value = history.future;
  last = { what: "", at: Number.NEGATIVE_INFINITY };
}

/** Clears the history, for another picture. */
export const clear = (): void => takeUp({ past: [], future: [] });
