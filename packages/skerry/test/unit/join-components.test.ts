// Parts that were labelled one by one, joined on plain records: against labelling the whole picture, and by laws that hold for
// ids of any size.

import { random } from "@skerry/scenes";
import { expect, test } from "vitest";
import { joinComponents, type Meeting, meetingsAt, numberStrips } from "../../src/internal.js";
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
      const row = (strip: (typeof strips)[number], y: number): Uint32Array =>
        Uint32Array.from(strip.labels.subarray(y * width, (y + 1) * width));
      const counts = strips.map(({ count }) => count);
      const firsts = counts.map((_, i) => counts.slice(0, i).reduce((sum, n) => sum + n, 0));
      const meetings = strips.slice(1).flatMap((below, i) => {
        const above = strips[i];
        const before = { labels: row(above, below.y0 - above.y0 - 1), first: firsts[i] };
        return [...meetingsAt(before, { labels: row(below, 0), first: firsts[i + 1] }, width, connectivity)];
      });
      const { bases, joined, count } = numberStrips(counts, joinComponents(meetings));
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

/** The lowest id of every object, by spreading it along meetings until nothing changes. */
function lowest(meetings: readonly Meeting[]): Map<number, number> {
  const roots = new Map(meetings.flat().map((id) => [id, id]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [a, b] of meetings) {
      const least = Math.min(roots.get(a) as number, roots.get(b) as number);
      for (const id of [a, b]) {
        if (roots.get(id) === least) continue;
        roots.set(id, least);
        changed = true;
      }
    }
  }
  return roots;
}

test.each([2 ** 20, 2 ** 21, 2 ** 31, 2 ** 32, 2 ** 53])("joins are exact for ids up to %i", (most) => {
  const next = random(most % 1009);
  for (let round = 0; round < 100; round++) {
    // Ids lie closely together below the highest one, where a lost bit makes two of them one.
    const id = (): number => most - 1 - (next() % 40);
    const meetings: Meeting[] = Array.from({ length: next() % 30 }, () => [id(), id()]);
    const { ids, roots } = joinComponents(meetings);
    const expected = [...lowest(meetings)].filter(([own, root]) => own !== root).sort(([a], [b]) => a - b);
    expect([...ids].map((own, i) => [own, roots[i]])).toEqual(expected);
    expect(joinComponents(meetings.toReversed().map(([a, b]): Meeting => [b, a]))).toEqual({ ids, roots });
  }
});

test.each([2 ** 20, 2 ** 21, 2 ** 31, 2 ** 32])(
  "every pair that meets in a row is given, for labels up to %i",
  (most) => {
    const next = random(most % 1013);
    const width = 64;
    for (let round = 0; round < 50; round++) {
      const side = (): Uint32Array =>
        Uint32Array.from({ length: width }, () => (next() % 3 ? most - 1 - (next() % 4) : 0));
      const [above, below] = [side(), side()];
      const given = meetingsAt({ labels: above, first: 0 }, { labels: below, first: 2 ** 40 }, width, 4);
      const found = new Set([...given].map(([a, b]) => `${a + 1} ${b + 1 - 2 ** 40}`));
      const expected = new Set<string>();
      for (let x = 0; x < width; x++) if (above[x] && below[x]) expected.add(`${above[x]} ${below[x]}`);
      expect(found).toEqual(expected);
    }
  },
);

test("faces of volumes meet by their connectivity", () => {
  // One voxel of a 3 x 3 face before the seam meets the voxels behind it that its connectivity reaches.
  const before = { labels: Uint32Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0), first: 10 };
  const after = { labels: Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), first: 100 };
  const met = (connectivity: 6 | 18 | 26): number[] =>
    [...meetingsAt(before, after, 3, connectivity)].map(([, b]) => b - 99);
  expect(met(6)).toEqual([5]);
  expect(met(18)).toEqual([2, 4, 5, 6, 8]);
  expect(met(26)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
