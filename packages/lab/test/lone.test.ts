// Objects that one of two results alone has, from their runs, beside a slow answer from labels.

import { open } from "skerry";
import { expect, test } from "vitest";
import { loneOf } from "../src/tools/objects/lone.js";

test("objects without a pixel in common with the other result's", async () => {
  const engine = await open({ device: "cpu", threads: 1 });
  const [width, height] = [61, 47];
  let state = 9;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
  for (let round = 0; round < 20; round++) {
    const data = Uint8Array.from({ length: width * height }, next);
    const raster = { data, width, height };
    const sides = await Promise.all(
      [130 + next() / 4, 150 + next() / 3].map((above) => engine.components(raster, { threshold: { above } })),
    );
    const [a, b] = await Promise.all(sides.map(async (side) => (await side.labels()).data));
    const met = [new Set<number>(), new Set<number>()];
    a?.forEach((label, at) => {
      const other = b?.[at] ?? 0;
      if (!label || !other) return;
      met[0]?.add(label);
      met[1]?.add(other);
    });
    const [runsA, runsB] = await Promise.all(sides.map((side) => side.runs()));
    const [ofA, ofB] = loneOf(runsA as never, runsB as never);
    for (const [side, own] of [ofA, ofB].entries()) {
      const all = Array.from({ length: sides[side]?.count ?? 0 }, (_, i) => i + 1);
      expect([...own].sort((p, q) => p - q)).toEqual(all.filter((label) => !met[side]?.has(label)));
    }
    for (const side of sides) side.dispose();
  }
  await engine.close();
});
