// Contours, hulls and values under objects: against pixel-by-pixel oracles, and against scikit-image and NumPy.

import { ARRAYS } from "@skerry/files/internal";
import { type Engine, open, type RegionProperty, type Regions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { label } from "./oracles/components.js";
import * as oracle from "./oracles/shapes.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { draw, noise, random, shapes, spiral } from "./support/shapes.js";

const { DEVICES } = devicesOf("shapes");

const SHAPES = [
  "perimeter",
  "crofton",
  "circularity",
  "holes",
  "convexArea",
  "solidity",
  "feretDiameter",
  "minimumRectangle",
  "convexHull",
] as RegionProperty[];

/** Small enough for gift wrapping. */
const pictures = [
  ...shapes().filter(({ width, height }) => width * height <= 4200),
  noise(90, 61, 0.45, 2, 3),
  noise(70, 70, 0.7, 5, 9),
  draw("a disc", 129, 67, (x, y) => (x - 70) ** 2 + (y - 33) ** 2 <= 900),
  draw("crossing diagonals", 64, 40, (x, y) => (x + y) % 9 === 0 || (x - y) % 11 === 0),
  { ...spiral(65), name: "a spiral of 65" },
];

const close = (actual: number, wanted: number): boolean =>
  Math.abs(actual - wanted) <= 1e-12 * Math.max(1, Math.abs(wanted)) || (Number.isNaN(actual) && Number.isNaN(wanted));

/** Says what differs, so that thousands of objects are one expectation. */
function expectClose(name: string, actual: ArrayLike<number>, wanted: readonly number[]): void {
  expect(actual.length, name).toBe(wanted.length);
  const wrong = wanted.findIndex((n, i) => !close(actual[i], n));
  expect([wrong, actual[wrong], wanted[wrong]], name).toEqual([-1, undefined, undefined]);
}

describe.each(DEVICES)("shapes on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  describe.each([4, 8] as const)("connectivity %i", (connectivity) => {
    test.each(pictures)("$name: as pixel by pixel", async ({ data, width, height }) => {
      using found = await engine.components({ data, width, height }, { connectivity });
      const regions = (await found.regions({ properties: [...SHAPES, "area"] })) as Required<Regions>;
      const { labels, count } = label(data, width, height, connectivity);
      const pixels: oracle.Point[][] = Array.from({ length: count }, () => []);
      labels.forEach((l, at) => {
        if (l > 0) pixels[l - 1].push([at % width, Math.floor(at / width)]);
      });
      const inside = pixels.map((_, i): oracle.IsInside => {
        return (x, y) => x >= 0 && y >= 0 && x < width && y < height && labels[y * width + x] === i + 1;
      });
      const perimeters = pixels.map((own, i) => oracle.perimeter(own, inside[i]));
      expectClose("perimeter", regions.perimeter, perimeters);
      expectClose(
        "crofton",
        regions.crofton,
        pixels.map((own, i) => oracle.crofton(own, inside[i])),
      );
      expectClose(
        "circularity",
        regions.circularity,
        pixels.map((own, i) => (perimeters[i] ? (4 * Math.PI * own.length) / perimeters[i] ** 2 : Number.NaN)),
      );
      const convex = pixels.map((own) => filled(own));
      expectClose(
        "convexArea",
        regions.convexArea,
        convex.map((each) => each.length),
      );
      expectClose(
        "solidity",
        regions.solidity,
        convex.map((each, i) => pixels[i].length / each.length),
      );
      const ferets = convex.map((each) => oracle.hull(oracle.middles(each)));
      expectClose(
        "largest Feret diameter",
        regions.feretDiameter.filter((_, k) => k % 4 === 0),
        ferets.map((corners) => widest(corners) / 2),
      );
      expectClose(
        "smallest Feret diameter",
        regions.feretDiameter.filter((_, k) => k % 4 === 2),
        ferets.map((corners) => Math.min(...oracle.sizes(corners).map(({ across }) => across)) / 2),
      );
      const hulls = pixels.map((own) => oracle.hull(oracle.squares(own)));
      const { points, offsets } = regions.convexHull;
      hulls.forEach((corners, i) => {
        const own = points.subarray(offsets[i], offsets[i + 1]);
        const actual = Array.from({ length: own.length / 2 }, (_, k) => [own[2 * k], own[2 * k + 1]]);
        const top = corners.reduce((a, b) => (b[1] < a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a));
        const from = corners.indexOf(top);
        expect(actual).toEqual([...corners.slice(from), ...corners.slice(0, from)]);
        const [x, y, length, breadth, angle] = regions.minimumRectangle.subarray(5 * i, 5 * i + 5);
        const best = Math.min(...oracle.sizes(corners).map(({ across, along }) => across * along));
        expect(close(length * breadth, best), `rectangle ${i}`).toBe(true);
        const [ux, uy] = [Math.sin(angle), Math.cos(angle)];
        const along = corners.map(([cx, cy]) => (cx - x) * ux + (cy - y) * uy);
        const across = corners.map(([cx, cy]) => (cy - y) * ux - (cx - x) * uy);
        for (const [values, side] of [
          [along, length],
          [across, breadth],
        ] as const) {
          expect(Math.abs(Math.max(...values) - side / 2)).toBeLessThan(1e-10);
          expect(Math.abs(Math.min(...values) + side / 2)).toBeLessThan(1e-10);
        }
      });
      const { label: owner, hole } = await found.outlines();
      const holes = new Array<number>(count).fill(0);
      owner.forEach((l, ring) => {
        holes[l - 1] = holes[l - 1] + hole[ring];
      });
      expect([...regions.holes]).toEqual(holes);
    });
  });

  /** Pixels whose centres lie in the hull of the middles of sides. */
  function filled(own: readonly oracle.Point[]): oracle.Point[] {
    const corners = oracle.hull(oracle.middles(own));
    const [xs, ys] = [own.map(([x]) => x), own.map(([, y]) => y)];
    const all: oracle.Point[] = [];
    for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
      for (let x = Math.min(...xs); x <= Math.max(...xs); x++) {
        if (oracle.holds(corners, [2 * x, 2 * y])) all.push([x, y]);
      }
    }
    return all;
  }

  function widest(corners: readonly oracle.Point[]): number {
    return Math.max(...corners.flatMap(([ax, ay]) => corners.map(([bx, by]) => Math.hypot(ax - bx, ay - by))));
  }

  test("physical units: lengths along the axes differ", async () => {
    // A bar of 6 x 2 pixels, each 2 wide and 5 high, and a pixel.
    const data = new Uint8Array(200);
    for (let x = 3; x < 9; x++) data[4 * 20 + x] = data[5 * 20 + x] = 1;
    data[9 * 20 + 15] = 1;
    using found = await engine.components({ data, width: 20, height: 10, spacing: [2, 5] });
    const properties = ["convexArea", "solidity", "feretDiameter", "minimumRectangle", "convexHull", "edges"] as const;
    const regions = (await found.regions({ properties: [...properties], physical: true })) as Required<Regions>;
    expect([...regions.convexArea]).toEqual([120, 10]);
    expect([...regions.solidity]).toEqual([1, 1]);
    expect([...regions.edges]).toEqual([44, 14]);
    expect([...regions.convexHull.points]).toEqual([6, 20, 18, 20, 18, 30, 6, 30, 30, 45, 32, 45, 32, 50, 30, 50]);
    expect([...regions.convexHull.offsets]).toEqual([0, 8, 16]);
    expect([...regions.minimumRectangle]).toEqual([12, 25, 12, 10, Math.PI / 2, 31, 47.5, 5, 2, 0]);
    // The longest way goes from the middle of the first pixel's upper side to that of the last pixel's lower side.
    expect(regions.feretDiameter[0]).toBeCloseTo(Math.hypot(10, 10), 12);
    expect(regions.feretDiameter[1]).toBeCloseTo(Math.PI / 4, 12);
    expect(regions.feretDiameter[4]).toBe(5);
    expect(regions.feretDiameter[5]).toBe(0);
    for (const property of ["perimeter", "crofton", "circularity"] as const) {
      await expect(found.regions({ properties: [property], physical: true })).rejects.toThrow(
        `Expected square pixels for ${property} in physical units, got 2 by 5; leave physical out, or take edges.`,
      );
    }
    const all = await found.regions({ properties: "all", physical: true });
    expect(all.perimeter).toBeUndefined();
    using even = await engine.components({ data, width: 20, height: 10, spacing: [3, 3] });
    const [pixels, units] = [
      await even.regions({ properties: ["perimeter", "crofton", "circularity"] }),
      await even.regions({ properties: ["perimeter", "crofton", "circularity"], physical: true }),
    ];
    expect([...units.perimeter]).toEqual([...pixels.perimeter].map((n) => 3 * n));
    expect(units.crofton[0]).toBeCloseTo(3 * pixels.crofton[0], 12);
    expect(units.circularity).toEqual(pixels.circularity);
  });

  test("objects in several pieces, by value and by tolerance", async () => {
    const [width, height] = [41, 37];
    const next = random(17);
    const data = Uint32Array.from({ length: width * height }, () => next() % 4);
    using given = await engine.labelled({ data, width, height });
    const regions = (await given.regions({ properties: [...SHAPES] })) as Required<Regions>;
    for (const [i, value] of [...(regions.value as Uint32Array)].entries()) {
      const own: oracle.Point[] = [];
      data.forEach((v, at) => {
        if (v === value) own.push([at % width, Math.floor(at / width)]);
      });
      const is: oracle.IsInside = (x, y) =>
        x >= 0 && x < width && y >= 0 && y < height && data[y * width + x] === value;
      expect(close(regions.perimeter[i], oracle.perimeter(own, is))).toBe(true);
      expect(close(regions.crofton[i], oracle.crofton(own, is))).toBe(true);
      expect(regions.convexArea[i]).toBe(filled(own).length);
      // Seen alone, its holes are background that does not reach the border.
      using alone = await engine.components(
        { data: Uint8Array.from(data, (v) => (v === value ? 0 : 1)), width, height },
        { connectivity: 8, clearBorder: true },
      );
      expect(regions.holes[i]).toBe(alone.count);
    }
    const soft = Uint8Array.from({ length: width * height }, () => 8 * (next() % 6));
    using joined = await engine.components({ data: soft, width, height }, { by: { tolerance: 8 } });
    const { area, convexArea, perimeter } = await joined.regions({ properties: ["area", "convexArea", "perimeter"] });
    const { data: labels } = await joined.labels();
    for (let i = 0; i < joined.count; i++) {
      const own: oracle.Point[] = [];
      labels.forEach((l, at) => {
        if (l === i + 1) own.push([at % width, Math.floor(at / width)]);
      });
      const is: oracle.IsInside = (x, y) =>
        x >= 0 && x < width && y >= 0 && y < height && labels[y * width + x] === i + 1;
      expect(own.length).toBe(area?.[i]);
      expect(convexArea?.[i]).toBe(filled(own).length);
      expect(close(perimeter?.[i] ?? 0, oracle.perimeter(own, is))).toBe(true);
    }
  });

  test.each(["u8", "u16", "i16", "u32", "i32", "f32"] as const)("%s: median, quantiles and histogram", async (type) => {
    const [width, height] = [401, 307];
    const next = random(3);
    const mask = Uint8Array.from({ length: width * height }, (_, at) => (at % width < 330 || next() % 3 === 0 ? 1 : 0));
    const values = new ARRAYS[type](width * height).map(() =>
      type === "f32" ? (next() / 2 ** 31 - 1) * 10 ** (next() % 9) : next() | 0,
    );
    if (values instanceof Float32Array) values[5] = Number.NaN;
    const nodata = type === "f32" ? undefined : values[7];
    using found = await engine.components({ data: mask, width, height });
    const quantiles = [0, 0.03, 0.5, 0.875, 1];
    const measured = await found.regions({
      properties: ["median", "quantiles", "histogram"],
      intensity: { data: values, width, height, ...(nodata === undefined ? {} : { nodata }) },
      quantiles,
      bins: 7,
    });
    const regions = measured as Required<Regions>;
    const { data: labels } = await found.labels();
    const own: number[][] = Array.from({ length: found.count }, () => []);
    labels.forEach((l, at) => {
      if (l > 0 && !Number.isNaN(values[at]) && values[at] !== nodata) own[l - 1].push(values[at]);
    });
    const sorted = own.map((list) => Float64Array.from(list).sort());
    const wanted = sorted.flatMap((list) => quantiles.map((fraction) => quantileOf(list, fraction)));
    expectClose("quantiles", regions.quantiles, wanted);
    expectClose(
      "median",
      regions.median,
      sorted.map((list) => quantileOf(list, 0.5)),
    );
    const { counts, edges } = regions.histogram;
    const all = own.flat().sort((a, b) => a - b);
    expect([edges.length, edges[0], edges[7]]).toEqual([8, all[0], all.at(-1)]);
    const binned = own.flatMap((list) => {
      const bins = new Array<number>(7).fill(0);
      for (const value of list) {
        let bin = 6;
        while (bin > 0 && value < edges[bin]) bin--;
        bins[bin] = bins[bin] + 1;
      }
      return bins;
    });
    expectClose("histogram", counts, binned);
  });

  function quantileOf(list: Float64Array, fraction: number): number {
    if (list.length === 0) return Number.NaN;
    const place = fraction * (list.length - 1);
    const [low, high] = [list[Math.floor(place)], list[Math.ceil(place)]];
    return low + (high - low) * (place - Math.floor(place));
  }

  test("levels of u8 have a bin each; an object without a pixel has NaN", async () => {
    const data = Uint8Array.of(7, 7, 0, 3, 3, 9);
    using found = await engine.components({ data, width: 6, height: 1 });
    const regions = await found.regions({
      properties: ["median", "histogram"],
      intensity: { data, width: 6, height: 1, nodata: 7 },
    });
    expect([...regions.median]).toEqual([Number.NaN, 3]);
    const { counts, edges } = regions.histogram;
    expect([edges.length, edges[0], edges[256]]).toEqual([257, 0, 256]);
    expect([counts.length, counts[256 + 3], counts[256 + 9], counts.reduce((a, b) => a + b)]).toEqual([512, 2, 1, 3]);
  });

  test("quantiles beside infinities: as numpy.median, and NaN only between opposite ones", async () => {
    const [inf, nan] = [Number.POSITIVE_INFINITY, Number.NaN];
    for (const [values, expected] of [
      [
        [1, inf],
        [inf, inf, inf],
      ],
      [
        [-inf, 1],
        [-inf, -inf, -inf],
      ],
      [
        [inf, inf],
        [inf, inf, inf],
      ],
      [
        [-inf, inf],
        [nan, nan, nan],
      ],
      [
        [1, 2, inf],
        [1.5, 2, inf],
      ],
      [
        [-inf, 0, 4, inf],
        [-inf, 2, inf],
      ],
    ] as const) {
      const size = { width: values.length, height: 1 };
      const found = await engine.components({ data: new Uint8Array(values.length).fill(1), ...size });
      const intensity = { data: Float32Array.from(values), ...size };
      const { median, quantiles } = await found.regions({ properties: ["median", "quantiles"], intensity });
      expect([...quantiles]).toEqual(expected);
      expect(median?.[0]).toEqual(expected[1]);
      found.dispose();
    }
  });

  test("infinite values are in no bin; a sum of 0 has no centroid; one quantile is a list", async () => {
    const data = Float32Array.of(1, 2, 3, Number.POSITIVE_INFINITY, -1, 1);
    using found = await engine.components({ data: Uint8Array.of(1, 1, 1, 1, 0, 1), width: 6, height: 1 });
    const intensity = { data, width: 6, height: 1 };
    const regions = await found.regions({
      properties: ["quantiles", "histogram"],
      quantiles: [0, 0.5, 1],
      bins: 2,
      intensity,
    });
    const { counts, edges } = regions.histogram;
    expect([[...counts], [...edges]]).toEqual([
      [1, 2, 1, 0],
      [1, 2, 3],
    ]);
    expect([...regions.quantiles]).toEqual([1, 2.5, Number.POSITIVE_INFINITY, 1, 1, 1]);
    using pair = await engine.components({ data: Uint8Array.of(1, 1), width: 2, height: 1 });
    const zero = { data: Int16Array.of(-1, 1), width: 2, height: 1 };
    const { weightedCentroid } = await pair.regions({ properties: ["weightedCentroid"], intensity: zero });
    expect([...weightedCentroid]).toEqual([Number.NaN, Number.NaN]);
    const most = await pair.regions({ properties: ["histogram"], intensity: [zero, zero, zero], bins: 65536 });
    expect(most.histogram?.edges.length).toBe(3 * 65537);
    const seen: unknown[] = [];
    using kept = await pair.keep({
      properties: ["quantiles", "median"],
      quantiles: [0.5],
      intensity: zero,
      where: ({ quantiles, median }) => seen.push(quantiles, median) > 0,
    });
    expect([kept.count, seen]).toEqual([1, [[0], 0]]);
  });

  test("several channels, and several rasters, at once", async () => {
    const [width, height] = [57, 23];
    const next = random(5);
    const data = Uint8Array.from({ length: width * height * 3 }, () => next() & 255);
    const mask = Uint8Array.from({ length: width * height }, () => (next() % 3 ? 1 : 0));
    const extra = Float32Array.from({ length: width * height }, () => next() / 2 ** 32);
    using found = await engine.components({ data: mask, width, height });
    const properties: RegionProperty[] = ["mean", "sum", "weightedCentroid", "median", "quantiles", "histogram"];
    const colour = { data, width, height, channels: 3 as const };
    const planes = [0, 1, 2].map((c) => ({ data: data.filter((_, k) => k % 3 === c), width, height }));
    const rasters = [...planes, { data: extra, width, height }];
    const both = (await found.regions({
      properties,
      perChannel: true,
      bins: 4,
      intensity: [colour, rasters[3]],
    })) as unknown as Record<string, Float64Array>;
    for (const [c, intensity] of rasters.entries()) {
      const one = (await found.regions({ properties, intensity, bins: 4 })) as unknown as Record<string, Float64Array>;
      for (const name of ["mean", "sum", "weightedCentroid", "median", "quantiles"]) {
        const per = one[name].length / found.count;
        const own = Array.from(both[name], Number).filter((_, k) => Math.floor(k / per) % 4 === c);
        expect(own, `${name} of channel ${c}`).toEqual(Array.from(one[name], Number));
      }
      const [all, alone] = [both.histogram, one.histogram] as unknown as NonNullable<Regions["histogram"]>[];
      expect([...all.counts].filter((_, k) => Math.floor(k / 4) % 4 === c)).toEqual([...alone.counts]);
      expect(all.edges.subarray(5 * c, 5 * c + 5)).toEqual(alone.edges);
    }
    const image = await engine.load(colour);
    const luma = await found.regions({ properties: ["median", "mean"], intensity: colour });
    expect(await found.regions({ properties: ["median", "mean"], intensity: image })).toEqual(luma);
    image.dispose();
  });

  test("wrong calls are told in a sentence", async () => {
    using found = await engine.components({ data: Uint8Array.of(1, 0, 1), width: 3, height: 1 });
    const intensity = { data: Uint8Array.of(1, 2, 3), width: 3, height: 1 };
    for (const [options, message] of [
      [{ properties: ["median"] }, 'Expected intensity: raster for the property "median", got none.'],
      [
        { properties: ["quantiles"], intensity, quantiles: [1.5] },
        "Expected quantiles to be numbers from 0 to 1, got 1.5.",
      ],
      [
        { properties: ["quantiles"], intensity, quantiles: [] },
        "Expected quantiles to be a list of numbers from 0 to 1",
      ],
      [{ properties: ["histogram"], intensity, bins: 0 }, "Expected bins to be a whole number"],
      [
        { properties: ["convexVolume"] },
        'Expected properties of an image, got "convexVolume", which only volumes have.',
      ],
      [{ perChannel: 1 }, "Expected perChannel to be true or false, got 1."],
      [{ inscribed: true }, 'Expected options that regions() knows, got "inscribed"'],
    ] as const) {
      await expect(found.regions(options as object)).rejects.toThrow(message);
    }
    await expect(found.keep({ properties: ["convexHull" as "area"], where: () => true })).rejects.toThrow(
      "Expected properties of one number or several for where, got convexHull.",
    );
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(found.regions({ properties: SHAPES, signal: controller.signal })).rejects.toThrow("enough");
  });
});

describe("scikit-image", () => {
  const script = (shape: string): string => `
import sys, json, warnings, numpy as np
warnings.simplefilter("ignore")
from skimage.measure import label, regionprops
raw = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(${shape})
out = []
for p in regionprops(label(raw, connectivity=raw.ndim)):
    own = dict(area=int(p.area))
    if raw.ndim == 2:
        own.update(perimeter=p.perimeter, crofton=p.perimeter_crofton)
    # Of flat objects in volumes scikit-image has no hull.
    if raw.ndim == 2 or np.linalg.matrix_rank(p.coords - p.coords[0]) == 3:
        own.update(convex=float(p.convex_area), solidity=float(p.solidity), feret=float(p.feret_diameter_max))
    out.append(own)
print(json.dumps(out))`;

  test("perimeters, hulls and diameters agree", async () => {
    const { width, height, data } = noise(160, 130, 0.35, 5, 71);
    const engine = await open({ device: "cpu", threads: 2 });
    using found = await engine.components({ data, width, height }, { connectivity: 8 });
    const regions = (await found.regions({ properties: SHAPES })) as Required<Regions>;
    const output = golden("shapes-scikit-image", {
      modules: "skimage",
      script: script(`${height}, ${width}`),
      input: data,
    });
    const expected = JSON.parse(output.toString()) as Record<string, number>[];
    expect(expected.length).toBeGreaterThan(20);
    const of = (name: string): number[] => expected.map((object) => object[name]);
    expectClose("perimeter", regions.perimeter, of("perimeter"));
    expectClose("crofton", regions.crofton, of("crofton"));
    expectClose("convexArea", regions.convexArea, of("convex"));
    expectClose("solidity", regions.solidity, of("solidity"));
    expectClose(
      "feretDiameter",
      regions.feretDiameter.filter((_, k) => k % 4 === 0),
      of("feret"),
    );
    await engine.close();
  });

  test("hulls of volumes agree", async () => {
    const [width, height, depth] = [36, 33, 30];
    const next = random(12);
    const blocks = Array.from({ length: 9 * 9 * 8 }, () => next() % 10 < 2);
    const data = Uint8Array.from({ length: width * height * depth }, (_, at) => {
      const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
      const isBlock = blocks[(Math.floor(z / 4) * 9 + Math.floor(y / 4)) * 9 + Math.floor(x / 4)];
      return isBlock !== (next() % 40 === 0) ? 1 : 0;
    });
    const engine = await open({ device: "cpu", threads: 2 });
    using found = await engine.components({ data, width, height, depth }, { connectivity: 26 });
    const properties: RegionProperty[] = ["area", "convexVolume", "solidity", "feretDiameter", "principalAxes"];
    const regions = (await found.regions({ properties })) as Required<Regions>;
    const question = { modules: "skimage", script: script(`${depth}, ${height}, ${width}`), input: data };
    const expected = JSON.parse(golden("shapes-scikit-image-volume", question).toString()) as Record<string, number>[];
    expect(expected.length).toBe(found.count);
    expect(expected.filter(({ convex }) => convex !== undefined).length).toBeGreaterThan(5);
    expected.forEach(({ area, convex, solidity, feret }, i) => {
      expect(regions.area[i]).toBe(area);
      expect(regions.convexVolume[i]).toBeGreaterThanOrEqual(area);
      const axes = regions.principalAxes.subarray(12 * i, 12 * i + 12);
      for (const k of [1, 5, 9]) expect(Math.hypot(...axes.subarray(k, k + 3))).toBeCloseTo(1, 12);
      expect(axes[0]).toBeGreaterThanOrEqual(axes[4]);
      if (convex === undefined) return;
      const [longest, x, y, z] = regions.feretDiameter.subarray(4 * i, 4 * i + 4);
      expectClose(`object ${i}`, [regions.convexVolume[i], regions.solidity[i], longest], [convex, solidity, feret]);
      expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
    });
    await engine.close();
  });

  test("a tilted ellipsoid has its axes, in physical units, too", async () => {
    const n = 61;
    const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
    const data = Uint8Array.from({ length: n ** 3 }, (_, at) => {
      const [x, y, z] = [at % n, Math.floor(at / n) % n, Math.floor(at / n / n)].map((v) => v - 30);
      const [u, v] = [x * c + y * s, y * c - x * s];
      return (u / 28) ** 2 + (v / 12) ** 2 + (z / 7) ** 2 <= 1 ? 1 : 0;
    });
    const engine = await open({ device: "cpu", threads: 1 });
    using found = await engine.components({ data, width: n, height: n, depth: n, spacing: [0.5, 0.5, 0.5] });
    const properties: RegionProperty[] = ["principalAxes", "feretDiameter", "solidity"];
    const regions = (await found.regions({ properties, physical: true })) as Required<Regions>;
    const [a, ax, ay, az, b, , , , e, ex, ey, ez] = regions.principalAxes;
    [a / 28, b / 12, e / 7].forEach((ratio) => {
      expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
    });
    expect(Math.abs(ax * c + ay * s)).toBeGreaterThan(0.9999);
    expect(Math.abs(az)).toBeLessThan(1e-9);
    expect([ex, ey].every((v) => Math.abs(v) < 1e-9)).toBe(true);
    expect(ez).toBeCloseTo(1, 12);
    expect(Math.abs(regions.feretDiameter[0] / 28 - 1)).toBeLessThan(0.03);
    expect(Math.abs(regions.feretDiameter[1] * c + regions.feretDiameter[2] * s)).toBeGreaterThan(0.999);
    expect(regions.solidity[0]).toBeGreaterThan(0.9);
    await engine.close();
  });
});
