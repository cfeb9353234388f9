// The nearest pixel of a map by its values alone, beside the library's; and what lies over a map.

import { open } from "skerry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { circlePath, lineLabels, radiusLabels } from "../src/tools/distance/marks.js";
import { nearestOf } from "../src/tools/distance/nearest.js";

let engine: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
});
afterAll(() => engine.close());

/** Some pixels of a raster, from a seed. */
function scattered(width: number, height: number, seed: number, part: number) {
  let state = seed;
  const data = new Uint8Array(width * height).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Number(state / 2 ** 32 < part);
  });
  return { data, width, height };
}

test("the nearest pixel of every pixel lies as far away as the map says, and is the library's by straight lines", async () => {
  for (const metric of ["euclidean", "cityblock", "chessboard"] as const) {
    for (const spacing of [
      [1, 1],
      [0.5, 0.5],
      [0.7, 1.3],
    ] as const) {
      const raster = { ...scattered(53, 41, 7, 0.02), spacing };
      const map = await engine.distance(raster, { metric });
      const sites =
        metric === "euclidean" ? (await engine.distance(raster, { metric, nearest: true })).nearest : undefined;
      for (let at = 0; at < map.data.length; at++) {
        const [x, y] = [at % 53, Math.floor(at / 53)];
        const near = nearestOf(map, false, [x, y]) as readonly [number, number];
        expect(raster.data[near[1] * 53 + near[0]]).toBe(1);
        const [a, b] = [Math.abs(near[0] - x) * spacing[0], Math.abs(near[1] - y) * spacing[1]];
        const far = metric === "cityblock" ? a + b : metric === "chessboard" ? Math.max(a, b) : Math.hypot(a, b);
        expect(Math.abs(far - map.data[at])).toBeLessThanOrEqual(1e-6 * Math.max(1, far));
        if (sites && spacing[0] === spacing[1]) expect(near[1] * 53 + near[0]).toBe(sites[at]);
      }
    }
  }
});

test("inside objects of a signed map it is a pixel of the background; where nothing is in reach there is none", async () => {
  const raster = scattered(40, 30, 3, 0.7);
  const map = await engine.distance(raster, { signed: true });
  for (let at = 0; at < map.data.length; at++) {
    const near = nearestOf(map, true, [at % 40, Math.floor(at / 40)]) as readonly [number, number];
    expect(raster.data[near[1] * 40 + near[0]]).toBe(1 - raster.data[at]);
  }
  const far = await engine.distance({ points: [[0, 0]], width: 30, height: 1 }, { max: 5 });
  expect(nearestOf(far, false, [20, 0])).toBe(undefined);
  expect(nearestOf(far, false, [4, 0])).toEqual([0, 0]);
});

test("each line of equal distance has its number where it comes nearest to the middle", async () => {
  const map = await engine.distance({ points: [[0, 10]], width: 60, height: 21 });
  const data = map.window({ x: 0, y: 0, width: 60, height: 21 });
  const labels = lineLabels({ x: 0, y: 0, width: 60, height: 21, step: 1, data }, 10);
  expect(labels.map(({ value }) => value).sort((a, b) => a - b)).toEqual([10, 20, 30, 40, 50]);
  for (const { place, value } of labels) expect(Math.abs(Math.hypot(place[0], place[1] - 10) - value)).toBeLessThan(2);
});

test("circles are one path", () => {
  expect(circlePath(Float64Array.of(2, 10, 5))).toBe("M8 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0");
});

test("the largest circles have their radius at their centre, in the unit of the scale, unless pixels are not square", () => {
  const circles = Float64Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 1 + i / 3 : i));
  const labels = radiusLabels(circles, { size: 0.5, unit: "mm" });
  expect(labels).toHaveLength(12);
  expect(labels[0]).toEqual({ place: [58, 59], text: "r 10 mm" });
  expect(radiusLabels(circles, undefined)[1]?.text).toBe("r 19 px");
  expect(radiusLabels(circles, { size: 0.5, down: 2, unit: "mm" })).toEqual([]);
});
