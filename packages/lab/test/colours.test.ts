// Colours of objects while settings change.

import { expect, test } from "vitest";
import { inherited } from "../src/view/colours.js";

const of = (...labels: number[]): Uint32Array => Uint32Array.from(labels);

test("an object has the colour of the one that it covers most; others have their own", () => {
  // Before: 1 1 1 . 2; after: 5 5 6 . 7.
  const colours = inherited({ data: of(1, 1, 1, 0, 2), colours: undefined }, of(5, 5, 6, 0, 7), 7);
  expect(colours?.[5]).toBe(1);
  expect(colours?.[7]).toBe(2);
  expect(colours?.[6]).toBe(6);
});

test("colours are handed on, and an object that joins two has that of the larger part", () => {
  const first = inherited({ data: of(1, 1, 0, 2), colours: undefined }, of(3, 3, 0, 4), 4) as Uint16Array;
  const second = inherited({ data: of(3, 3, 0, 4), colours: first }, of(9, 9, 9, 9), 9);
  expect(second?.[9]).toBe(1);
});

test("windows of other sizes, and very many objects, have their own colours", () => {
  expect(inherited({ data: of(1, 1), colours: undefined }, of(1, 1, 1), 1)).toBe(undefined);
  expect(inherited({ data: of(1), colours: undefined }, of(1), 2 ** 22 + 1)).toBe(undefined);
});
