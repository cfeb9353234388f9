// The chart of values counts the pixels that are worked on, and the bars under the curve of thresholds name the usual count.

import { spaceOf } from "@skerry/files";
import { open } from "skerry";
import { expect, test } from "vitest";
import { Resident } from "../src/engine/devices.js";
import { OBJECTS } from "../src/settings/objects.js";
import type { Fence } from "../src/settings/recipe.js";
import { countLevels, levelsKey, plateausOf } from "../src/tools/objects/run.js";

test("the histogram is of the pixels inside the fence, of all without one, and of all for a fence without pixels", async () => {
  const engine = await open({ device: "cpu", threads: 1 });
  const [width, height] = [40, 10];
  const data = Uint8Array.from({ length: width * height }, (_, i) => (i % width < 32 ? 10 + (i % 3) : 200));
  const space = spaceOf({ size: { width, height } });
  const resident = new Resident(engine, { name: "a", width, height, channels: 1, data, space, notes: [] });
  // The first 32 columns: the first of two words of each row.
  const bits = Uint32Array.from({ length: 2 * height }, (_, i) => (i % 2 === 0 ? 0xffffffff : 0));
  const fence: Fence = { tool: "objects", objects: OBJECTS, spots: [[1, 1]] };
  const sum = (counts: Float64Array): number => counts.reduce((a, b) => a + b, 0);
  const all = await countLevels({ resident }, OBJECTS);
  expect([sum(all.counts), all.max]).toEqual([width * height, 200]);
  const inside = await countLevels({ resident, within: { bits, width, height } }, OBJECTS, fence);
  expect([sum(inside.counts), inside.min, inside.max]).toEqual([32 * height, 10, 12]);
  expect(inside.key).toBe(levelsKey(OBJECTS, fence));
  expect(inside.key).not.toBe(all.key);
  const none = await countLevels(
    { resident, within: { bits: new Uint32Array(2 * height), width, height } },
    OBJECTS,
    fence,
  );
  expect(sum(none.counts)).toBe(width * height);
  resident.dispose();
  await engine.close();
});

test("a plateau has the count that most of its thresholds give", () => {
  const counts = Int32Array.from([1, 9, 8, 8, 8, 8, 8, 9, 8, 8, 8, 2]);
  expect(plateausOf(counts)).toEqual([{ first: 1, last: 10, count: 8 }]);
});
