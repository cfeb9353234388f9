// Comparing large typed arrays: vitest's toEqual takes a tenth of a second for each.

import { expect } from "vitest";

/** Expects two arrays of the same type to hold the same values, and says where they first differ. */
export function expectSame(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length);
  let at = 0;
  while (at < found.length && Object.is(found[at], expected[at])) at++;
  if (at < found.length) expect({ at, value: found[at] }).toEqual({ at, value: expected[at] });
}
