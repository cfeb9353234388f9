// The calls of docs/how-to/masks.md, with a map that a stand-in of a model makes: a blur of touching discs.

import { type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";

const { DEVICES } = devicesOf("values");
const [width, height] = [160, 90];

/** Probabilities of two touching discs and a lone one: high inside, with soft borders. */
const probability = Float32Array.from({ length: width * height }, (_, at) => {
  const [x, y] = [at % width, Math.floor(at / width)];
  const discs = [
    [50, 45, 20],
    [86, 45, 18],
    [135, 30, 14],
  ] as const;
  return Math.max(...discs.map(([cx, cy, r]) => 1 / (1 + Math.exp(Math.hypot(x - cx, y - cy) - r))));
});

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test("a map is thresholded, split, filtered and measured", async () => {
    const map = await engine.load({ data: probability, width, height });
    const given = { threshold: { above: 0.5 }, connectivity: 8, minArea: 30 } as const;
    const together = await engine.components(map, given);
    const cells = await engine.components(map, { ...given, split: { h: 1 } });
    expect([together.count, cells.count]).toEqual([2, 3]);
    const { area, centroid } = await cells.regions();
    expect([...(area as Uint32Array)].every((pixels) => pixels > 500)).toBe(true);
    expect(centroid[0]).toBeGreaterThan(120);
    // The two cells that touch share the ends of their border.
    const { points, rings, label } = await cells.outlines({ tolerance: 1 });
    const cornersOf = (which: number): string[] => {
      const ring = points.subarray(rings[which], rings[which + 1]);
      return Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]},${ring[2 * i + 1]}`);
    };
    expect([...label]).toEqual([1, 2, 3]);
    const others = new Set(cornersOf(2));
    expect(cornersOf(1).filter((corner) => others.has(corner)).length).toBeGreaterThanOrEqual(2);
    const body = await engine.components(map, { threshold: { above: 0.5 }, connectivity: 8 });
    const peaks = await body.split({ by: map, h: 0.01 });
    expect(peaks.count).toBe(3);
    expect([...(peaks.parent as Uint32Array)].sort()).toEqual([1, 2, 2]);
  });

  test("a label image is taken as it is, and grows", async () => {
    const map = { data: probability, width, height };
    const cells = await engine.components(map, { threshold: { above: 0.5 }, split: true, connectivity: 8 });
    const { data } = await cells.labels();
    const objects = await engine.labelled({ data, width, height });
    const grown = await objects.expand(3);
    expect([objects.count, grown.count]).toEqual([3, 3]);
    const [before, after] = [await objects.regions(), await grown.regions()];
    expect(after.value).toEqual(before.value);
    expect((after.area as Uint32Array)[0]).toBeGreaterThan((before.area as Uint32Array)[0]);
  });
});
