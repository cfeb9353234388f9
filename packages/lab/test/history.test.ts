// Steps back and forth: gestures are one step, quick changes of one control too, and a gesture that was taken back is none.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownRecipe, type Recipe } from "../src/settings/recipe.js";
import { canRedo, canUndo, clear, keep, redone, reverted, undone } from "../src/state/history.js";

const own = ownRecipe("a.png", "objects");
const at = (threshold: number): Recipe => ({ ...own, objects: { ...own.objects, threshold } });

beforeEach(() => {
  clear();
  vi.useFakeTimers();
});
// Files of tests share a process.
afterEach(() => {
  vi.useRealTimers();
});

test("steps go back and forth", () => {
  keep(at(1), "objects threshold");
  vi.advanceTimersByTime(1000);
  keep(at(2), "objects threshold");
  expect(undone(at(3))).toEqual(at(2));
  expect(undone(at(2))).toEqual(at(1));
  expect(canUndo.value).toBe(false);
  expect(redone(at(1))).toEqual(at(2));
  expect(redone(at(2))).toEqual(at(3));
  expect(canRedo.value).toBe(false);
});

test("a drag is one step however long it takes, and a new change ends what could be redone", () => {
  keep(at(1), "press 1", true);
  vi.advanceTimersByTime(5000);
  keep(at(2), "press 1", true);
  keep(at(3), "press 2", true);
  expect(undone(at(4))).toEqual(at(3));
  keep(at(3), "other");
  expect(canRedo.value).toBe(false);
  expect(undone(at(9))).toEqual(at(3));
  expect(undone(at(3))).toEqual(at(1));
});

test("a gesture that was taken back leaves no step; one that changed nothing takes nothing back", () => {
  keep(at(1), "press 1", true);
  expect(reverted("press 2")).toBe(undefined);
  expect(reverted("press 1")).toEqual(at(1));
  expect(canUndo.value).toBe(false);
  expect(reverted("press 1")).toBe(undefined);
});

test("200 steps are kept", () => {
  for (let i = 0; i < 250; i++) keep(at(i), `change ${i}`);
  let steps = 0;
  while (undone(at(0))) steps++;
  expect(steps).toBe(200);
});
