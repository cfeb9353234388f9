// Boxes of rows, and the order in which bands are written.

import { random } from "@skerry/scenes";
import { describe, expect, test } from "vitest";
import { boxesOf, OrderedWriter } from "../../src/core/sinks.js";

describe("boxesOf", () => {
  test("the rest of a slice, whole slices, and the beginning of one", () => {
    const boxes = [...boxesOf({ height: 4 }, 6, 15)];
    expect(boxes.map(({ z0, z1, y0, y1 }) => [z0, z1, y0, y1])).toEqual([
      [1, 2, 2, 4],
      [2, 3, 0, 4],
      [3, 4, 0, 3],
    ]);
  });

  test("any rows are covered once and in order, by boxes that are rows of one slice or whole slices", () => {
    const next = random(1);
    for (let i = 0; i < 2000; i++) {
      const height = 1 + (next() % 9);
      const from = next() % 60;
      const to = from + (next() % 40);
      let row = from;
      for (const box of boxesOf({ height }, from, to)) {
        expect(box.from).toBe(row);
        expect(box.to).toBeGreaterThan(box.from);
        expect(box.z0 * height + box.y0).toBe(box.from);
        expect((box.z1 - box.z0) * (box.y1 - box.y0)).toBe(box.to - box.from);
        if (box.z1 - box.z0 > 1) expect([box.y0, box.y1]).toEqual([0, height]);
        row = box.to;
      }
      expect(row).toBe(Math.max(from, to));
    }
  });
});

describe("OrderedWriter", () => {
  test("bands that are ready in any order are written in the order of their calls", async () => {
    const next = random(2);
    const writer = new OrderedWriter();
    const written: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const ready = new Promise<void>((resolve) => setTimeout(resolve, next() % 20));
        return writer.write(ready, () => void written.push(i));
      }),
    );
    expect(written).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test("after a failure nothing more is written, and those that wait are let through", async () => {
    const writer = new OrderedWriter();
    const written: number[] = [];
    const outcomes = await Promise.allSettled([
      writer.write(Promise.resolve(), () => void written.push(0)),
      writer.write(Promise.reject(new Error("no")), () => void written.push(1)),
      writer.write(Promise.resolve(), () => void written.push(2)),
    ]);
    expect(written.filter((i) => i > 0)).toEqual([]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});
