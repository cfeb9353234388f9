// The forest of the merge, on random pairs, beside sets that are merged one by one.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Forest } from "../src/steps/forest.js";
import { codeOf } from "../src/steps/seams.js";

test("trees have one root for each set of joined nodes, and tell the node whose first voxel comes first", () => {
  const nodes = 40;
  const node = fc.nat(nodes - 1);
  const positions = fc.uniqueArray(fc.nat(1e6), { minLength: nodes, maxLength: nodes });
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node), { maxLength: 60 }), positions, (pairs, first) => {
      const forest = new Forest(nodes);
      const bases = new Float64Array(8);
      const [left, right] = [0, 1].map((side) => Uint32Array.from(pairs, (pair) => codeOf(pair[side], side)));
      forest.join(bases, left, right);
      forest.settle(Float64Array.from(first));
      const sets = first.map((_, i) => new Set([i]));
      for (const [one, other] of pairs) {
        const all = new Set([...sets[one], ...sets[other]]);
        for (const each of all) sets[each] = all;
      }
      for (let i = 0; i < nodes; i++) {
        const root = forest.rootOf(i);
        expect(root).toBe(Math.min(...sets[i]));
        expect(forest.beginningOf(root)).toBe([...sets[i]].sort((a, b) => first[a] - first[b])[0]);
      }
    }),
    { seed: 33, numRuns: 300 },
  );
});
