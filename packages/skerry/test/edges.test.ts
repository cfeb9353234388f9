// Cases that mistakes in kernels survived without, when they were made on purpose (see mutants/): words that are skipped four at a
// time, seams that meet twice, tiles' borders in volumes, values at the ends of their types.

import { type Engine, type FillOptions, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { bruteForce, scattered } from "./oracles/distance.js";
import * as solids from "./oracles/solids.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("edges");

/** Columns of 256 pixels, four 64-bit words each, that are empty, full or noise row by row, and some pixels more. */
function stretches(width: number, rows: number, seed: number): Uint8Array {
  const next = random(seed);
  const data = new Uint8Array(width * rows);
  for (let row = 0; row < rows; row++) {
    for (let begin = 0; begin < width; begin += 256) {
      const kind = next() % 4;
      for (let x = begin; x < Math.min(width, begin + 256); x++) {
        data[row * width + x] = kind === 0 ? 0 : kind === 1 ? 1 : next() % 7 === 0 ? 1 : 0;
      }
    }
  }
  return data;
}

/** A fork: two arms that begin apart and meet, the lower one first, far below; several of them beside each other. */
function forks(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height);
  for (let x = 0; x + 6 < width; x += 8) {
    for (let y = 0; y < height; y++) {
      const foot = y % 24 === 23;
      if (foot) for (let k = 0; k < 6; k++) data[y * width + x + k] = 1;
      if (y % 24 > 8 && y % 24 < 23) data[y * width + x] = 1;
      if (y % 24 > 2 && y % 24 < 23) data[y * width + x + 5] = 1;
    }
  }
  return data;
}

describe.each(DEVICES)("on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each([1, 2, 3])("images of words that are skipped four at a time, %s", async (seed) => {
    const [width, height] = [1100, 12];
    const data = stretches(width, height, seed);
    for (const connectivity of [4, 8] as const) {
      const found = await engine.components({ data, width, height }, { connectivity });
      expectSame((await found.labels()).data, oracle.label(data, width, height, connectivity).labels);
      const { row, begin, end } = await found.runs();
      const mask = new Uint8Array(data.length);
      row.forEach((y, i) => {
        mask.fill(1, y * width + begin[i], y * width + end[i]);
      });
      expectSame(mask, data);
      found.dispose();
    }
  });

  test.each([
    [700, 4, 4, 1],
    [700, 3, 5, 2],
    [150, 67, 3, 3],
    [140, 70, 3, 4],
  ])("volumes of %s x %s x %s", async (width, height, depth, seed) => {
    const size = { width, height, depth };
    const data = width > 500 ? stretches(width, height * depth, seed) : solids.blocks(size, 0.25, 1, seed);
    for (const connectivity of [6, 18, 26] as const) {
      const found = await engine.components({ data, ...size }, { connectivity });
      expectSame((await found.labels()).data, solids.label(size, connectivity, (at) => data[at] === 1).labels);
      found.dispose();
    }
  });

  test("a row above that ends before the words that are skipped do", async () => {
    // Words 4 to 7 are skipped: in all of them the run goes on, and nothing lies in the slice before.
    const size = { width: 640, height: 2, depth: 2 };
    const data = new Uint8Array(640 * 4);
    data[640 + 512] = 1;
    data.fill(1, 3 * 640, 3 * 640 + 600);
    data[2 * 640 + 319] = 1;
    for (const connectivity of [6, 18, 26] as const) {
      expect((await engine.components({ data, ...size }, { connectivity })).count).toBe(1);
    }
  });

  test.each([67, 68])("diagonals across the borders of tiles, %s rows", async (height) => {
    const size = { width: 150, height, depth: 2 };
    for (const at of [(i: number) => i + 20, (i: number) => 120 - i]) {
      const data = new Uint8Array(150 * height * 2);
      for (let i = 0; i < height; i++) data[i * 150 + at(i)] = 1;
      for (const [connectivity, count] of [
        [6, height],
        [18, 1],
        [26, 1],
      ] as const) {
        expect((await engine.components({ data, ...size }, { connectivity })).count).toBe(count);
      }
    }
  });

  test("areas of what seams join twice", async () => {
    const [width, height] = [70, 24 * 40];
    const data = forks(width, height);
    const found = await engine.components({ data, width, height });
    const { labels, count } = oracle.label(data, width, height, 4);
    const areas = new Uint32Array(count);
    for (const label of labels) if (label) areas[label - 1] = areas[label - 1] + 1;
    expectSame((await found.regions({ properties: ["area"] })).area as Uint32Array, areas);
    found.dispose();
  });

  test("two classes: rows that repeat in one of them alone, and labels of both in words of four pixels", async () => {
    const [width, height] = [64, 20];
    const data = new Uint8Array(width * height).fill(100);
    for (let y = 0; y < height; y++) {
      data.fill(200, y * width + 4, y * width + 20);
      data.fill(10, y * width + 30, y * width + 32 + (y % 5) * 3);
      if (y % 3 === 0) data.fill(20, y * width + 50, y * width + 60);
    }
    const classes = data.map((v) => (v > 150 ? 1 : v < 50 ? 2 : 0));
    const found = await engine.components({ data, width, height }, { threshold: { outside: [50, 150] } });
    const expected = oracle.label(classes, width, height, 4);
    expectSame((await found.labels()).data, expected.labels);
    const { area, rawMoments, edges } = await found.regions({ properties: ["area", "rawMoments", "edges"] });
    const measured = oracle.measure(expected, width, height, 4, data);
    expectSame(
      area as Uint32Array,
      Uint32Array.from(measured, (object) => object.area),
    );
    expectSame(rawMoments, BigInt64Array.from(measured.flatMap(({ sums }) => sums)));
    expectSame(
      edges,
      Float64Array.from(measured, (object) => object.edgeCount),
    );
    found.dispose();
  });

  test("by tolerance, values on both sides of 0 and at the ends of i16", async () => {
    const values = [-3, 2, 40, 41, -32768, -32766, 32767, 32766, -1, 0, 1, -32768, 32767];
    const data = Int16Array.from({ length: 130 }, (_, i) => values[(i * 5) % 13]).sort((a, b) => a - b);
    const size = { width: 130, height: 1 };
    for (const tolerance of [1, 5, 40_000]) {
      const found = await engine.components({ data, ...size }, { by: { tolerance }, background: null });
      const expected = solids.label(
        { ...size, depth: 1 },
        4,
        () => true,
        (a, b) => Math.abs(data[a] - data[b]) <= tolerance,
      );
      expectSame((await found.labels()).data, expected.labels);
      found.dispose();
    }
  });

  test("a fill from an infinity takes its equals", async () => {
    const inf = Number.POSITIVE_INFINITY;
    const data = Float32Array.of(inf, inf, 3, inf, -inf, inf, inf, inf);
    for (const options of [
      {},
      { contiguous: false },
      { range: "floating" },
      { metric: "l2", tolerance: 5 },
    ] as Partial<FillOptions>[]) {
      const found = await engine.fill({ data, width: 4, height: 2 }, { seeds: [[0, 0]], tolerance: 1, ...options });
      expect(found.foreground).toBe(6);
      found.dispose();
    }
    const colours = Float32Array.of(inf, 1, 2, inf, 1, 2, inf, 9, 2, 5, 1, 2);
    for (const metric of ["linf", "l1", "l2"] as const) {
      const raster = { data: colours, width: 4, height: 1, channels: 3 };
      const found = await engine.fill(raster, { seeds: [[0, 0]], tolerance: 1, metric });
      expect(found.foreground).toBe(2);
    }
  });

  test("squares of differences of 16 bits that pass 32", async () => {
    const data = Uint16Array.from([
      0, 0, 0, 60_000, 60_000, 60_000, 65_535, 65_535, 65_535, 30_000, 0, 60_000, 65_535, 65_535, 0, 50_000, 50_000,
      50_000, 1, 2, 3, 65_535, 0, 0,
    ]);
    const raster = { data, width: 8, height: 1, channels: 3 };
    for (const tolerance of [65_536, 67_083, 86_603, 92_681, 103_923, 113_508, 113_512]) {
      const found = await engine.fill(raster, { seeds: [[0, 0]], tolerance, metric: "l2", contiguous: false });
      const { bits } = await found.mask();
      const near = Array.from({ length: 8 }, (_, i) => Math.hypot(...data.subarray(i * 3, i * 3 + 3)) <= tolerance);
      expect(Array.from({ length: 8 }, (_, i) => ((bits[0] >>> i) & 1) === 1)).toEqual(near);
      found.dispose();
    }
  });

  test("coarse distances end at the last pixel", async () => {
    const data = new Uint8Array(61);
    data[0] = 1;
    const map = await engine.distance({ data, width: 61, height: 1 }, { max: 3, beyond: "coarse" });
    expect(Array.from(map.data, (d) => Math.round(d * 1000) / 1000)).toEqual(Array.from(data, (_, x) => x));
  });

  test("signed distances, coarse beyond max, have their sign", async () => {
    const { data } = scattered(90, 70, 1, 0, 5);
    for (let y = 10; y < 60; y++) data.fill(1, y * 90 + 12, y * 90 + 78);
    const grid = { data, width: 90, height: 70 };
    const map = await engine.distance(grid, { signed: true, max: 6, beyond: "coarse" });
    const outside = bruteForce({ ...grid, depth: 1 }).distance;
    const inside = bruteForce({ ...grid, depth: 1, data: data.map((v) => 1 - v) }).distance;
    const wrong = data.findIndex((v, at) => {
      const exact = v ? -inside[at] : outside[at];
      const found = map.data[at];
      return Math.abs(exact) <= 6 ? Math.abs(found - exact) > 1e-5 : Math.abs(found - exact) > 14 || found * exact <= 0;
    });
    expect(wrong).toBe(-1);
  });
});
