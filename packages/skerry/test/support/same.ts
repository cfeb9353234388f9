// Comparing large typed arrays: vitest's toEqual takes a tenth of a second for each.

import type { Regions } from "skerry";
import { expect } from "vitest";

/**
 * Expects two arrays of the same type to hold the same values, floats up to a relative error of `within`, and says where they
 * first differ.
 */
export function expectSame(found: ArrayLike<number | bigint>, expected: ArrayLike<number | bigint>, within = 0): void {
  expect(found.length).toBe(expected.length);
  const floats = found instanceof Float32Array || found instanceof Float64Array;
  const near = (a: unknown, b: unknown): boolean =>
    floats && within > 0 && Math.abs((a as number) - (b as number)) <= within * Math.abs(b as number);
  let at = 0;
  while (at < found.length && (Object.is(found[at], expected[at]) || near(found[at], expected[at]))) at++;
  if (at < found.length) expect({ at, value: found[at] }).toEqual({ at, value: expected[at] });
}

/** Expects two Regions to hold the same properties with the same values. */
export function expectSameRegions(found: Regions, expected: Regions): void {
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  expect(found.count).toBe(expected.count);
  const values = expected as unknown as Record<string, ArrayLike<number | bigint>>;
  for (const [name, own] of Object.entries(found)) {
    if (name !== "count") expectSame(own as ArrayLike<number | bigint>, values[name]);
  }
}
