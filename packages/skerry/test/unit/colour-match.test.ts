// Bounds of a fill, against the comparison that they stand for.

import { random } from "@skerry/scenes";
import { describe, expect, test } from "vitest";
import { matchColour, matchNeighbour, wavesOf } from "../../src/core/colour-match.js";

const RANGES = { u8: [0, 255], u16: [0, 65535], i16: [-32768, 32767] } as const;

describe("matchColour", () => {
  test.each(["u8", "u16", "i16"] as const)(
    "%s: exactly the values that differ by no more than the tolerance",
    (type) => {
      const next = random(3);
      const [least, most] = RANGES[type];
      for (let i = 0; i < 400; i++) {
        const colour = least + (next() % (most - least + 1));
        const [lower, upper] = [(next() % 4000) / 7, (next() % 4000) / 7];
        const { lo, hi } = matchColour({ metric: "linf", lower: [lower], upper: [upper] }, [colour], type);
        for (const v of [lo[0] - 1, lo[0], hi[0], hi[0] + 1]) {
          if (v < least || v > most) continue;
          expect(v >= lo[0] && v <= hi[0]).toBe(colour - v <= lower && v - colour <= upper);
        }
      }
    },
  );

  test("f32: the neighbours of the bounds are outside", () => {
    const next = random(4);
    for (let i = 0; i < 300; i++) {
      const colour = Math.fround((next() % 2000) / 3 - 300);
      const tolerance = (next() % 1000) / 17;
      const { lo, hi } = matchColour({ metric: "linf", lower: [tolerance], upper: [tolerance] }, [colour], "f32");
      expect(colour - lo[0]).toBeLessThanOrEqual(tolerance);
      expect(hi[0] - colour).toBeLessThanOrEqual(tolerance);
      const step = Math.max(2 ** -20, Math.abs(colour) * 2 ** -21);
      expect(hi[0] + 2 * step - colour).toBeGreaterThan(tolerance - 4 * step);
      expect(Math.fround(hi[0])).toBe(hi[0]);
      expect(Math.fround(lo[0])).toBe(lo[0]);
    }
  });

  test("l2: the limit is the largest sum whose root is within the tolerance", () => {
    for (const tolerance of [0, 1, 2.5, 10, 100.1]) {
      const { limit } = matchColour({ metric: "l2", lower: [tolerance], upper: [tolerance] }, [7], "u8");
      expect(Math.sqrt(limit)).toBeLessThanOrEqual(tolerance);
      expect(Math.sqrt(limit + 1)).toBeGreaterThan(tolerance);
    }
  });
});

test("matchNeighbour: differences, and no more than the type has", () => {
  expect(matchNeighbour({ metric: "linf", lower: [3.7], upper: [1e9] }, "u8")).toMatchObject({ lo: [-3], hi: [255] });
});

test("wavesOf: seeds of one colour are one wave, in the order of their first", () => {
  const tolerance = { metric: "linf", lower: [1], upper: [1] } as const;
  const seeds = [0, 1, 2, 3].map((x) => [x, 0, 0] as const);
  const waves = wavesOf(tolerance, seeds, [[5], [9], [5], [5]], "u8");
  expect(waves.map((wave) => wave.seeds.map(([x]) => x))).toEqual([[0, 2, 3], [1]]);
});
