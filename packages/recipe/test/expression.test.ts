// Conditions on properties: precedence, brackets, NaN, and sentences for what is wrong.

import { expect, test } from "vitest";
import { parseCondition } from "../src/expression.js";

const KNOWN = ["area", "mean", "eccentricity"];
const object = { area: 60, mean: 2.5, eccentricity: Number.NaN };

test.each([
  ["area > 50", true],
  ["area>50&&mean<2", false],
  ["area > 50 || mean < 2 && mean > 9", true],
  ["(area > 50 || mean < 2) && mean > 9", false],
  ["!(area == 60) || area != 61", true],
  ["area - 10 * 2 + 1 >= 41", true],
  ["(area - 10) * 2 / 4 <= 25", true],
  ["((area)) > ((1.5e1))", true],
  ["-mean < -2", true],
  ["- -.5 < mean", true],
  ["!!(mean == 2.5)", true],
  ["eccentricity < 1", false],
  ["eccentricity >= 0", false],
  ["eccentricity == eccentricity", false],
  ["eccentricity != 3", false],
  ["!(eccentricity < 1)", true],
  ["area / 0 > 1e9", true],
])("%s", (text, expected) => {
  expect(parseCondition("--select", text, KNOWN).condition(object)).toBe(expected);
});

test("the names that are looked at", () => {
  expect(parseCondition("--select", "(mean > 1) && area*mean < 3", KNOWN).names.toSorted()).toEqual(["area", "mean"]);
});

test.each([
  ["", "Expected a number or a property at letter 1 in --select, got the end."],
  ["area", "Expected a comparison at letter 5 in --select, got the end."],
  ["area > ", "Expected a number or a property at letter 7 in --select, got the end."],
  ["area > 5 mean", "Expected &&, || or the end at letter 10 in --select, got mean."],
  ["aera > 5", "Expected properties out of area, mean, eccentricity in --select, got aera; did you mean area?"],
  ["(aera > 5)", "Expected properties out of area, mean, eccentricity in --select, got aera; did you mean area?"],
  ["area > 5 & mean > 3", "Expected &&, which means and, at letter 10 in --select, got &."],
  ["area = 5", "Expected ==, which compares, at letter 6 in --select, got =."],
  ["1 < area < 9", "Expected &&, || or the end at letter 10 in --select, got <."],
  ["process.exit()", "Expected letter 8 to begin a number, a property or a sign in --select, got .."],
])("%s is refused", (text, message) => {
  expect(() => parseCondition("--select", text, KNOWN)).toThrow(message);
});
