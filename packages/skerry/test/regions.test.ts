// Measurements against sums made pixel by pixel, and against scikit-image where it is installed.

import { type Engine, open, REGION_PROPERTIES, type Regions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";
import { draw, noise, random, shapes, spiral } from "./support/shapes.js";

const { DEVICES } = devicesOf("regions");

const pictures = [
  ...shapes().filter(({ name }) => !name.startsWith("full ") && !/in [25] on/.test(name)),
  noise(900, 700, 0.55, 3, 21),
  draw("crossing diagonals", 64, 64, (x, y) => (x + y) % 9 === 0),
];

/** Drawn once, so that what the oracle finds serves every device. */
const TWO_CLASSES = ((): { classes: Uint8Array; values: Uint16Array; width: number; height: number } => {
  const [width, height] = [701, 503];
  const next = random(4);
  const classes = Uint8Array.from({ length: width * height }, () => next() % 3);
  return { classes, values: Uint16Array.from(classes, () => next() & 0xffff), width, height };
})();

const VALUES = new Map(
  pictures.map(({ name, data, width }) => {
    const next = random(width);
    return [name, Uint16Array.from(data, () => next() & 0xffff)];
  }),
);

describe.each(DEVICES)("regions on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  describe.each([4, 8] as const)("connectivity %i", (connectivity) => {
    test.each(pictures)("$name: every sum is exact", async ({ name, data, width, height }) => {
      const values = VALUES.get(name) as Uint16Array;
      await check({ classes: data, values, width, height, connectivity, outside: false });
    });

    test("two classes", async () => {
      await check({ ...TWO_CLASSES, connectivity, outside: true });
    });
  });

  interface Case {
    classes: Uint8Array;
    values: Uint16Array;
    width: number;
    height: number;
    connectivity: 4 | 8;
    outside: boolean;
  }

  async function check({ classes, values, width, height, connectivity, outside }: Case): Promise<void> {
    const expected = oracle.measure(
      oracle.label(classes, width, height, connectivity),
      width,
      height,
      connectivity,
      values,
    );
    // Class 1 is bright: value 9, class 2 dark: value 1, background 5.
    const data = outside ? classes.map((c) => [5, 9, 1][c]) : classes;
    const threshold = outside ? ({ outside: [2, 8] } as const) : "nonzero";
    const found = await engine.components({ data, width, height }, { connectivity, threshold });
    const regions = await found.regions({ properties: "all", intensity: { data: values, width, height } });
    found.dispose();
    const has = regions as Required<Regions>;
    expect(has.count).toBe(expected.length);
    expectSame(
      has.area,
      expected.map((m) => m.area),
    );
    expectSame(
      has.bounds,
      expected.flatMap((m) => m.bounds),
    );
    expect([...has.rawMoments].join()).toBe(expected.flatMap((m) => m.sums).join());
    expectSame(
      has.centroid,
      expected.flatMap((m) => [Number(m.sums[0]) / m.area, Number(m.sums[1]) / m.area]),
    );
    expectSame(
      has.edges,
      expected.map((m) => m.edgeCount),
    );
    expectSame(
      has.eulerNumber,
      expected.map((m) => m.euler),
    );
    expectSame(
      has.min,
      expected.map((m) => m.min),
    );
    expectSame(
      has.max,
      expected.map((m) => m.max),
    );
    expect([...has.sum].join()).toBe(expected.map((m) => m.sum).join());
    expectSame(
      has.mean,
      expected.map((m) => m.sum / m.area),
    );
    expectSame(
      has.weightedCentroid,
      expected.flatMap((m) => m.weighted.map((w) => w / m.sum)),
    );
    expectSame(
      has.contrast,
      expected.map((m) => m.sum / m.area - m.edges.reduce((a, b) => a + b, 0) / m.edges.length),
    );
    // Expected once, of the worst: there are tens of thousands of objects.
    let [worstStd, worstMoment] = [0, 0];
    expected.forEach((m, i) => {
      const variance = (m.area * m.squares - m.sum * m.sum) / m.area / m.area;
      worstStd = Math.max(worstStd, Math.abs(has.std[i] - Math.sqrt(variance)));
      const [x, y, xx, xy, yy] = m.sums as [bigint, bigint, bigint, bigint, bigint];
      const n = BigInt(m.area);
      const central = [n * xx - x * x, n * xy - x * y, n * yy - y * y].map((v) => Number(v) / m.area);
      for (let k = 0; k < 3; k++) {
        const scale = Math.max(1, Math.abs(central[k]));
        const apart = Math.abs(has.secondMoments[3 * i + k] - central[k]) / scale;
        worstMoment = Math.max(worstMoment, apart);
      }
    });
    expect(worstStd).toBeLessThan(5e-7);
    expect(worstMoment).toBeLessThan(1e-14);
  }

  test("second moments of rows longer than 2^21 pixels", async () => {
    // The product in the sum of squares below n passes 64 bits here, before it is divided.
    const width = 2 ** 21 + 1;
    for (const size of [
      { width, height: 1 },
      // A GPU in software takes minutes for so many rows.
      ...(engine.describe().gpu ? [] : [{ width: 1, height: width }]),
    ]) {
      const found = await engine.components({ data: new Uint8Array(width).fill(1), ...size });
      const { majorAxis, secondMoments } = await found.regions({ properties: ["majorAxis", "secondMoments"] });
      // The variance of 0..n-1 is (n n - 1) / 12, and scikit-image adds nothing to it.
      const variance = (width * width - 1) / 12;
      expect(majorAxis?.[0]).toBeCloseTo(4 * Math.sqrt(variance), 2);
      expect(Math.max(...secondMoments) / width).toBeCloseTo(variance, -2);
      found.dispose();
    }
  }, 240_000);

  test("sums beyond 2^53 stay exact", async () => {
    const [width, height] = [65_000, 110];
    const found = await engine.components({ data: new Uint8Array(width * height).fill(1), width, height });
    const { rawMoments, secondMoments } = await found.regions({ properties: ["rawMoments", "secondMoments"] });
    const [w, h] = [BigInt(width), BigInt(height)];
    const xx = (((w - 1n) * w * (2n * w - 1n)) / 6n) * h;
    expect(rawMoments?.[2]).toBe(xx);
    const x = ((w * (w - 1n)) / 2n) * h;
    const exact = Number((w * h * xx - x * x) / (w * h));
    expect((secondMoments?.[0] ?? 0) / exact).toBeCloseTo(1, 14);
    found.dispose();
  });

  test.each([Uint32Array, Int32Array])("%o: sums of squares and moments beyond 64 bits are exact", async (array) => {
    const [width, height] = [130, 90];
    const { data } = noise(width, height, 0.6, 3, 9);
    const next = random(3);
    // The largest magnitudes among all: squares of one value pass 2^63.
    const drawn = (): number => (next() % 3 ? next() : [0xffffffff, 0x7fffffff, 0x80000000][next() % 3]!);
    const values = array.from(Array.from(data, drawn));
    const found = await engine.components({ data, width, height }, { connectivity: 8 });
    const labels = (await found.labels()).data;
    const measured = await found.regions({ properties: "all", intensity: { data: values, width, height } });
    const sums = Array.from({ length: found.count }, () => ({
      n: 0n,
      v: 0n,
      vv: 0n,
      vx: 0n,
      vy: 0n,
      edge: 0n,
      edges: 0,
    }));
    const at = (x: number, y: number): number => (x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x);
    for (const [i, label] of labels.entries()) {
      if (label === 0) continue;
      const own = sums[label - 1];
      const [x, y, v] = [i % width, Math.floor(i / width), BigInt(values[i])];
      own.n++;
      own.v += v;
      own.vv += v * v;
      own.vx += v * BigInt(x);
      own.vy += v * BigInt(y);
      for (const other of [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)]) {
        if (other < 0 || labels[other]) continue;
        own.edge += BigInt(values[other]);
        own.edges++;
      }
    }
    expect([...(measured.sum as BigInt64Array)]).toEqual(sums.map(({ v }) => v));
    for (const [i, { n, v, vv, vx, vy, edge, edges }] of sums.entries()) {
      expect(measured.std?.[i]).toBe(Math.sqrt(Number(n * vv - v * v)) / Number(n));
      expect(measured.weightedCentroid?.[2 * i]).toBe(Number(vx) / (Number(v) || Number.NaN));
      expect(measured.weightedCentroid?.[2 * i + 1]).toBe(Number(vy) / (Number(v) || Number.NaN));
      expect(measured.contrast?.[i]).toBe(Number(v) / Number(n) - Number(edge) / edges);
    }
    found.dispose();
  });

  test("f32 intensity: sums within the stated bound, the same on every device", async () => {
    const [width, height] = [800, 700];
    const next = random(8);
    const data = Uint8Array.from({ length: width * height }, () => (next() % 8 > 1 ? 1 : 0));
    const values = Float32Array.from(data, () => (next() / 2 ** 32) * 1000 - 500);
    const found = await engine.components({ data, width, height });
    const { sum, contrast, area } = await found.regions({
      properties: ["sum", "contrast", "area"],
      intensity: { data: values, width, height },
    });
    const expected = oracle.measure(oracle.label(data, width, height, 4), width, height, 4, values);
    expected.forEach((m, i) => {
      expect(Math.abs(Number(sum?.[i]) - m.sum)).toBeLessThanOrEqual(
        ((area?.[i] ?? 0) * 500 * (area?.[i] ?? 0)) / 2 ** 53,
      );
    });
    firstFloats ??= { sum: sum as Float64Array, contrast: contrast };
    expectSame(sum as Float64Array, firstFloats.sum);
    expectSame(contrast, firstFloats.contrast);
    found.dispose();
  });

  test("colour intensity is measured as luma, from an image, a raster and a source alike", async () => {
    const [width, height] = [90, 1200];
    const next = random(12);
    const data = Uint8Array.from({ length: width * height * 4 }, () => next() & 255);
    const mask = Uint8Array.from({ length: width * height }, () => next() & 1);
    const found = await engine.components({ data: mask, width, height });
    const image = await engine.load({ data, width, height });
    const values = oracle.luma(data, 4, false);
    const expected = oracle.measure(oracle.label(mask, width, height, 4), width, height, 4, values);
    const source = {
      width,
      height,
      channels: 4,
      type: "u8" as const,
      read: (_z0: number, _z1: number, y0: number, y1: number, into: ArrayLike<number>) =>
        (into as Uint8Array).set(data.subarray(y0 * width * 4, y1 * width * 4)),
    };
    for (const intensity of [image, { data, width, height }, source]) {
      const { sum, contrast } = await found.regions({ properties: ["sum", "contrast"], intensity });
      expect([...(sum ?? [])].join()).toBe(expected.map((m) => m.sum).join());
      expectSame(
        contrast ?? [],
        expected.map((m) => m.sum / m.area - m.edges.reduce((a, b) => a + b, 0) / m.edges.length),
      );
    }
    image.dispose();
    found.dispose();
  });

  test("only what is asked for is there", async () => {
    const found = await engine.components({ data: spiral(33).data, width: 33, height: 33 });
    expect(Object.keys(await found.regions()).sort()).toEqual(["area", "bounds", "centroid", "count"]);
    expect(Object.keys(await found.regions({ properties: ["perimeter"] })).sort()).toEqual(["count", "perimeter"]);
    expect(Object.keys(await found.regions({ properties: [] }))).toEqual(["count"]);
    const elsewhere = [
      "surfaceArea",
      "principalAxes",
      "convexVolume",
      "convexHull",
      "inscribed",
      "median",
      "quantiles",
      "histogram",
    ];
    const all = await found.regions({
      properties: "all",
      intensity: { data: new Uint8Array(33 * 33), width: 33, height: 33 },
    });
    expect(Object.keys(all).sort()).toEqual(
      ["count", ...REGION_PROPERTIES.filter((name) => !elsewhere.includes(name))].sort(),
    );
    found.dispose();
  });
});

let firstFloats: { sum: Float64Array; contrast: Float64Array } | undefined;

describe("scikit-image", () => {
  test("regionprops agrees", async () => {
    const { width, height, data } = noise(140, 120, 0.3, 4, 30);
    const next = random(31);
    const values = Uint8Array.from(data, () => next() & 255);
    const engine = await open({ device: "cpu", threads: 2 });
    const found = await engine.components({ data, width, height }, { connectivity: 8 });
    const regions = await found.regions({ properties: "all", intensity: { data: values, width, height } });
    const script = `
import sys, json, numpy as np
from skimage.measure import label, regionprops
raw = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(2, ${height}, ${width})
out = []
for p in regionprops(label(raw[0], connectivity=2), raw[1]):
    c = p.moments_central
    v = raw[1][tuple(p.coords.T)].astype(float)
    out.append(dict(area=int(p.area), bounds=[p.bbox[1], p.bbox[0], p.bbox[3], p.bbox[2]], centroid=list(p.centroid[::-1]),
      secondMoments=[c[0, 2], c[1, 1], c[2, 0]], majorAxis=p.major_axis_length, minorAxis=p.minor_axis_length,
      orientation=p.orientation, eccentricity=p.eccentricity, extent=p.extent, equivalentDiameter=p.equivalent_diameter,
      eulerNumber=int(p.euler_number), min=float(p.min_intensity), max=float(p.max_intensity), mean=float(p.mean_intensity),
      std=float(v.std()), weightedCentroid=list(p.weighted_centroid[::-1])))
print(json.dumps(out))`;
    const question = { modules: "skimage", script, input: Buffer.concat([data, values]) };
    const output = golden("regions-scikit-image", question);
    const expected = JSON.parse(output.toString()) as Record<string, number | number[]>[];
    expect(found.count).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(20);
    for (const [i, object] of expected.entries()) {
      for (const [name, wanted] of Object.entries(object)) {
        const list = [wanted].flat();
        const array = (regions as unknown as Record<string, Float64Array>)[name];
        list.forEach((value, k) => {
          const actual = array[i * list.length + k];
          // Axes of a line: scikit-image's smaller eigenvalue is a difference, ours is exact.
          const tolerance = name === "minorAxis" || name === "eccentricity" ? 1e-6 : 1e-9;
          // An orientation is one up to half a turn.
          const off = Math.abs(actual - value);
          const apart = name === "orientation" ? Math.min(off, Math.abs(off - Math.PI)) : off;
          // Where both variances are equal, releases of scikit-image differ in the sign of the 45 degrees.
          const second = regions.secondMoments as Float64Array;
          if (name === "orientation" && second[3 * i] === second[3 * i + 2]) return;
          expect(apart, `${name} of object ${i + 1}: ${actual} and ${value}`).toBeLessThan(
            tolerance * Math.max(1, Math.abs(value)),
          );
        });
      }
    }
    await engine.close();
  });
});
