// Functions of our own beside the engine's, and at places where they are known exactly.

import { describe, expect, test } from "vitest";
import { angleOf, cubeRoot, hypotenuse } from "../../src/core/portable.js";

const next = (() => {
  let state = 5;
  return (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
})();

describe("functions that every engine rounds alike", () => {
  test("angles", () => {
    expect([angleOf(0, 1), angleOf(1, 0), angleOf(-1, 0), angleOf(0, -1)]).toEqual([
      0,
      Math.PI / 2,
      -Math.PI / 2,
      Math.PI,
    ]);
    expect(angleOf(1, 1)).toBe(Math.PI / 4);
    for (let i = 0; i < 20_000; i++) {
      const scale = 10 ** Math.floor(20 * next() - 10);
      const [y, x] = [(next() - 0.5) * scale, next() - 0.5];
      expect(Math.abs(angleOf(y, x) - Math.atan2(y, x))).toBeLessThanOrEqual(2 * 2 ** -51);
    }
  });

  test("cube roots and hypotenuses", () => {
    for (let i = 0; i < 20_000; i++) {
      const x = next() * 10 ** Math.floor(30 * next() - 10);
      expect(Math.abs(cubeRoot(x) / Math.cbrt(x) - 1)).toBeLessThan(5e-16);
      expect(Math.abs(hypotenuse(x, 1) / Math.hypot(x, 1) - 1)).toBeLessThan(5e-16);
    }
    expect([cubeRoot(0), cubeRoot(1), hypotenuse(3, 4)]).toEqual([0, 1, 5]);
  });
});
