// Conditions on properties: precedence, brackets, NaN, and sentences for what is wrong.

import { describe, expect, test } from "vitest";
import { objectCondition, totalCondition } from "../src/conditions.js";
import { parseCondition } from "../src/expression.js";

const KNOWN = { area: {}, mean: {}, eccentricity: {} };
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

describe("conditions on objects", () => {
  const image = { area: 60, bounds: [3, 4, 10, 20], polarity: "dark", value: 7 };
  const volume = { area: 60, bounds: [3, 4, 5, 10, 20, 30] };
  const totals = { count: 12, foreground: 600, coverage: 0.25 };

  test.each([
    ["x0 == 3 && y0 == 4 && x1 == 10 && y1 == 20", image, true],
    ["x0 == 3 && y0 == 4 && z0 == 5 && x1 == 10 && y1 == 20 && z1 == 30", volume, true],
    ["x1 - x0 > 6 && area > 50", image, true],
    ["polarity == dark", image, true],
    ["polarity == bright || value == 8", image, false],
    ["polarity != bright && value == 7", image, true],
  ] as const)("%s of %j", (text, object, expected) => {
    const { holds, properties, code, variables } = objectCondition("--select", text);
    expect(holds(object)).toBe(expected);
    // The printed code is the same condition.
    const values = variables.map((name) => (object as Record<string, unknown>)[name]);
    expect(new Function(...variables, `return ${code}`)(...values)).toBe(expected);
    expect(properties.every((name) => name === "area" || name === "bounds")).toBe(true);
  });

  test("kinds that objects lack are refused when they are met", () => {
    expect(() => objectCondition("--select", "polarity == dark").holds({ area: 1 })).toThrow("polarity in a condition");
    expect(() => objectCondition("--select", "value > 1").holds({ value: [1, 2, 3] })).toThrow("value in a condition");
    expect(() => objectCondition("--select", "z0 < 1").holds(image)).toThrow("only for volumes");
    expect(() => objectCondition("--select", "count > 1")).toThrow("properties out of");
  });

  test("totals, alone and beside objects", () => {
    const alone = totalCondition("--fail-if", "count > 10 && coverage < 0.3");
    expect([alone.ofObjects, alone.properties, alone.holds({}, totals)]).toEqual([false, [], true]);
    const both = totalCondition("--fail-if", "area > foreground / count");
    expect([both.ofObjects, both.properties, both.holds(image, totals)]).toEqual([true, ["area"], true]);
  });
});
