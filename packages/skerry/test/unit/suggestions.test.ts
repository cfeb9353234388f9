// The choice among ways to find objects.

import { expect, test } from "vitest";
import { agreements, chooseWays, halfArea, quantileOf, rounded, type Way } from "../../src/core/suggestions.js";

const way = (family: string, count: number, more: Partial<Way> = {}): Way => ({
  family,
  count,
  solidity: 0.9,
  evenness: 0.8,
  leftOut: 0,
  atBorder: 0,
  parts: 0,
  steps: 0,
  ...more,
});

test("families agree within 10 %, each once", () => {
  const ways = [way("a", 100), way("a", 101), way("b", 105), way("c", 200)];
  expect(agreements(ways)).toEqual([2 / 3, 2 / 3, 2 / 3, 1 / 3]);
});

test("the count on which most families agree comes first, and each count once", () => {
  const ways = [way("a", 24), way("b", 25), way("c", 24), way("d", 154), way("e", 12)];
  const chosen = chooseWays(ways, 4).map((at) => ways[at].count);
  expect(chosen).toHaveLength(3);
  expect([24, 25]).toContain(chosen[0]);
  expect(chooseWays(ways, 2)).toHaveLength(2);
  expect(chooseWays([], 4)).toEqual([]);
});

test("of equally good ways the simpler one stands", () => {
  const ways = [way("a", 24, { steps: 4 }), way("b", 24, { steps: 1 })];
  expect(chooseWays(ways, 4)).toEqual([1]);
});

test("objects at the border and lone objects cost", () => {
  const ways = [way("a", 24, { atBorder: 0.9 }), way("b", 40), way("c", 1)];
  expect(chooseWays(ways, 4)[0]).toBe(1);
});

test("the half of the area, parts of values, and round numbers", () => {
  expect(halfArea([1, 1, 1, 10, 10])).toBe(10);
  expect(halfArea([5])).toBe(5);
  expect(halfArea([])).toBe(0);
  expect(quantileOf([4, 1, Number.NaN, 3], 0.5)).toBe(3);
  expect([0.2, 9.6, 387, 12, 1240].map(rounded)).toEqual([1, 10, 390, 12, 1200]);
});
