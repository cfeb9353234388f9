// Strips that were labelled one by one, joined on plain records, against labelling the whole picture.

import { random } from "@skerry/scenes";
import { expect, test } from "vitest";
import { joinStrips } from "../../src/gpu/components-join-strips.js";
import { label } from "../oracles/components.js";

test.each([4, 8] as const)(
  "strips of random pictures join to the labels of the whole, connectivity %i",
  (connectivity) => {
    const next = random(connectivity);
    for (let round = 0; round < 200; round++) {
      const [width, height] = [1 + (next() % 24), 2 + (next() % 20)];
      const pixels = Uint8Array.from({ length: width * height }, () => (next() % 5 < 2 ? 1 : 0));
      // Cuts at random rows: every strip has one at least.
      const cuts = [0, ...Array.from({ length: height - 1 }, (_, i) => i + 1).filter(() => next() % 3 === 0), height];
      const strips = cuts.slice(1).map((end, i) => {
        const rows = pixels.subarray(cuts[i] * width, end * width);
        return { y0: cuts[i], ...label(rows, width, end - cuts[i], connectivity) };
      });
      const row = (strip: (typeof strips)[number], y: number): [Uint32Array] => [
        Uint32Array.from(strip.labels.subarray(y * width, (y + 1) * width)),
      ];
      const seams = strips.slice(1).map((below, i) => {
        const above = strips[i];
        return { above: row(above, below.y0 - above.y0 - 1), below: row(below, 0) };
      });
      const counts = strips.map(({ count }) => count);
      const { bases, joined, count } = joinStrips(counts, seams, width, connectivity);
      const whole = label(pixels, width, height, connectivity);
      expect(count).toBe(whole.count);
      for (const [i, strip] of strips.entries()) {
        const pairs = new Map<number, number>();
        for (let k = 0; k < joined[i].length; k += 2) pairs.set(joined[i][k], joined[i][k + 1]);
        const moved = [...pairs.keys()].sort((a, b) => a - b);
        strip.labels.forEach((own, at) => {
          // What was joined takes another's label; others keep their order, without those before them that went.
          const expected = whole.labels[strip.y0 * width + at];
          const before = moved.filter((each) => each < own).length;
          expect(own === 0 ? 0 : (pairs.get(own) ?? bases[i] + own - before)).toBe(expected);
        });
      }
    }
  },
);
