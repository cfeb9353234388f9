// Distance maps against brute force on every device, against SciPy's answers, and what is refused.

import { DistanceMap, type Engine, InvalidArgument, type Mask, OutOfMemory, open, type Sink } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bruteForce, GRIDS, type Grid, scattered, surfaceOf } from "./oracles/distance.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";

const { DEVICES, STRIPS } = devicesOf("distance");

const METRICS = ["euclidean", "cityblock", "chessboard"] as const;

/** Distances as the library holds them. */
const rounded = (distance: Float64Array): Float32Array => Float32Array.from(distance);

function expectClose(found: ArrayLike<number>, expected: Float64Array, relative = 1e-6): void {
  expect(found.length).toBe(expected.length);
  const wrong = [...expected.keys()].find((at) => {
    const [a, b] = [found[at], expected[at]];
    return a !== b && !(Math.abs(a - b) <= relative * Math.abs(b));
  });
  if (wrong !== undefined) expect({ at: wrong, value: found[wrong] }).toEqual({ at: wrong, value: expected[wrong] });
}

/** A Sink that puts its strips together. */
function collect<T extends Float32Array | Uint32Array>(into: T, { width, height }: Grid): Sink<T> {
  let next = 0;
  return {
    write(z0, z1, y0, y1, data) {
      expect(z0 * height + y0).toBe(next);
      into.set(data, next * width);
      next += z1 > z0 + 1 ? (z1 - z0) * height : y1 - y0;
    },
  };
}

/** More threads make no other difference here than elsewhere; what does not fit a binding is the CPU's. */

/** A card's square root may differ in its last bit. */
const LAST_BIT = 2 ** -23;

function sameOn({ device }: { device?: string }): (found: ArrayLike<number>, expected: ArrayLike<number>) => void {
  return (found, expected) => expectSame(found, expected, device === "gpu" ? LAST_BIT : 0);
}

describe.each(DEVICES)("distance on $name", (device) => {
  const same = sameOn(device);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each(GRIDS)("%s: squared distances and nearest sites are exact", async (_, grid) => {
    const { distance, nearest } = bruteForce(grid);
    const squares = Uint32Array.from(distance, (d) =>
      d === Number.POSITIVE_INFINITY ? 0xffffffff : Math.round(d * d),
    );
    const map = await engine.distance(grid, { squared: true, nearest: true });
    same(map.data, squares);
    same(map.nearest as Uint32Array, nearest);
    same((await engine.distance(grid, { squared: true })).data, squares);
    same((await engine.distance(grid)).data, rounded(distance));
  });

  test.each(METRICS)("every kind of spacing and reach by %s", async (metric) => {
    for (const grid of [scattered(67, 35, 1, 0.01, 6), scattered(37, 15, 18, 0.01, 7)]) {
      for (const spacing of [
        [1, 1, 1],
        [0.88, 0.88, 0.88],
        [1, 2, 3],
        [0.5, 0.75, 1.25],
        [0.7, 1.13, 1.9],
      ] as const) {
        const { distance } = bruteForce(grid, metric, spacing);
        for (const max of [Number.POSITIVE_INFINITY, 2.5, 15.1]) {
          const { data } = await engine.distance({ ...grid, spacing }, { metric, max });
          expectClose(
            data,
            distance.map((d) => (d <= max ? d : Number.POSITIVE_INFINITY)),
          );
        }
      }
    }
  });

  test("what lies beyond", async () => {
    const grid = scattered(61, 44, 1, 0.001, 8);
    const { distance, nearest } = bruteForce(grid);
    const max = 12;
    same((await engine.distance(grid, { max })).data, rounded(distance.map((d) => (d <= max ? d : Infinity))));
    const clamped = await engine.distance(grid, { max, beyond: "clamp" });
    same(clamped.data, rounded(distance.map((d) => Math.min(d, max))));
    const near = await engine.distance(grid, { max, nearest: true });
    same(
      near.nearest as Uint32Array,
      nearest.map((site, at) => (distance[at] <= max ? site : 0xffffffff)),
    );
    const small = await engine.distance(grid, { max, squared: true, into: new Uint16Array(grid.data.length) });
    same(
      small.data,
      Uint16Array.from(distance, (d) => (d <= max ? Math.round(d * d) : 0xffff)),
    );
  });

  test("squared distances of 16 bits are those of 32, with nearest sites too", async () => {
    const grid = scattered(61, 44, 7, 0.001, 8);
    const into = (): Uint16Array => new Uint16Array(grid.data.length);
    for (const max of [12, Number.POSITIVE_INFINITY]) {
      const expected = Uint16Array.from((await engine.distance(grid, { squared: true, max })).data);
      same((await engine.distance(grid, { squared: true, max, into: into() })).data, expected);
      same((await engine.distance(grid, { squared: true, max, nearest: true, into: into() })).data, expected);
    }
  });

  test("coarse values beyond are at least the maximum and close to the truth", async () => {
    for (const grid of [
      scattered(90, 77, 1, 0.001, 9),
      scattered(43, 38, 41, 0.0001, 10),
      scattered(30, 20, 9, 0, 1),
    ]) {
      const max = 9;
      const { distance } = bruteForce(grid);
      const { data } = await engine.distance(grid, { max, beyond: "coarse" });
      const bound = 4 * Math.sqrt(grid.depth > 1 ? 3 : 2);
      // Where a value is wrong, with what it is and should be; an expectation for each would take seconds.
      const wrong = Array.from(distance, (d, at) => [at, data[at], d]).filter(([, value, d]) => {
        if (d <= max) return value !== Math.fround(d);
        return d === Number.POSITIVE_INFINITY ? value !== d : value < max || Math.abs(value - d) > bound;
      });
      expect(wrong).toEqual([]);
    }
  });

  test("to the surface, of components, masks and points", async () => {
    for (const grid of [scattered(50, 41, 1, 0.7, 12), scattered(20, 17, 16, 0.8, 13)]) {
      const expected = rounded(bruteForce(surfaceOf(grid)).distance);
      same((await engine.distance(grid, { to: "surface" })).data, expected);
      using found = await engine.components(grid);
      same((await engine.distance(found, { to: "surface" })).data, expected);
      const mask = await found.mask();
      same((await engine.distance(mask, { to: "surface" })).data, expected);
      using kept = await found.filter({ largest: 1 });
      const largest = { ...grid, data: Uint8Array.from((await kept.labels()).data, (label) => Number(label > 0)) };
      same((await engine.distance(kept)).data, rounded(bruteForce(largest).distance));
    }
    const points = [
      [3, 4],
      [17, 0],
      [3, 4],
    ] as const;
    const grid: Grid = { data: new Uint8Array(20 * 9), width: 20, height: 9, depth: 1 };
    for (const [x, y] of points) grid.data[y * 20 + x] = 1;
    same((await engine.distance({ ...grid, points })).data, rounded(bruteForce(grid).distance));
  });

  test("signed distances are those to the background inside", async () => {
    for (const grid of [scattered(40, 33, 1, 0.6, 14), scattered(18, 15, 17, 0.6, 15)]) {
      const outside = bruteForce(grid).distance;
      const inside = bruteForce({ ...grid, data: grid.data.map((v) => 1 - v) }).distance;
      const expected = rounded(outside.map((d, at) => d - inside[at]));
      same((await engine.distance(grid, { signed: true })).data, expected);
      const clamped = expected.map((d) => Math.max(-1, Math.min(1, d)));
      same((await engine.distance(grid, { signed: true, max: 1, beyond: "clamp" })).data, clamped);
    }
    const full = { data: new Uint8Array(12).fill(1), width: 4, height: 3 };
    expect((await engine.distance(full, { signed: true })).data[5]).toBe(Number.NEGATIVE_INFINITY);
  });

  test("the largest circle and sphere inside objects", async () => {
    for (const grid of [scattered(40, 31, 1, 0.8, 31), scattered(14, 13, 12, 0.85, 32)]) {
      const { width, height, depth } = grid;
      // Background all around, as far as the border goes.
      const padded: Grid = {
        data: new Uint8Array((width + 2) * (height + 2) * (depth + 2)).fill(1),
        width: width + 2,
        height: height + 2,
        depth: depth + 2,
      };
      const flat = depth === 1;
      const at = (x: number, y: number, z: number): number => ((z + 1) * (height + 2) + y + 1) * (width + 2) + x + 1;
      grid.data.forEach((v, i) => {
        padded.data[at(i % width, Math.floor(i / width) % height, Math.floor(i / width / height))] = 1 - v;
      });
      if (flat)
        for (let i = 0; i < (width + 2) * (height + 2); i++)
          padded.data[i] = padded.data[padded.data.length - 1 - i] = 0;
      const spacing = [2, 2, 2] as const;
      const { distance } = bruteForce(padded, "euclidean", spacing);
      using found = await engine.components({ ...grid, spacing });
      const { data: labels } = await found.labels();
      const per = flat ? 3 : 4;
      const circles = new Float64Array(found.count * per);
      labels.forEach((label, i) => {
        if (!label) return;
        const place = [i % width, Math.floor(i / width) % height, Math.floor(i / width / height)] as const;
        const inside = distance[at(...place)];
        if (inside <= circles[(label - 1) * per]) return;
        circles.set([inside, ...place.slice(0, per - 1).map((n) => n * 2)], (label - 1) * per);
      });
      const regions = await found.regions({ physical: true, properties: ["inscribed"] });
      same(regions.inscribed, circles);
    }
  });

  test("thresholds, colours, sources, sinks and arrays of the caller's", async () => {
    const grid = scattered(53, 21, 11, 0.02, 16);
    const expected = rounded(bruteForce(grid).distance);
    const values = Uint16Array.from(grid.data, (v) => (v ? 900 : 100));
    const raster = { ...grid, data: values };
    const into = new Float32Array(expected.length).fill(7);
    const map = await engine.distance(raster, { threshold: "otsu", into });
    expect(map.data).toBe(into);
    same(into, expected);
    same((await engine.distance(raster, { threshold: { above: 500 } })).data, expected);
    const rows = grid.width;
    const source = {
      width: grid.width,
      height: grid.height,
      depth: grid.depth,
      type: "u16" as const,
      read(z0: number, z1: number, y0: number, y1: number, part: { set(from: ArrayLike<number>): void }): void {
        const from = (z0 * grid.height + y0) * rows;
        part.set(values.subarray(from, z1 > z0 + 1 ? z1 * grid.height * rows : (z0 * grid.height + y1) * rows));
      },
    };
    const gathered = new Float32Array(expected.length);
    const sites = new Uint32Array(expected.length);
    const options = {
      threshold: { above: 500 },
      into: collect(gathered, grid),
      nearest: collect(sites, grid),
    } as const;
    expect(await engine.distance(source as never, options)).toBeUndefined();
    same(gathered, expected);
    same(sites, bruteForce(grid).nearest);
    using image = await engine.load(raster);
    same((await engine.distance(image, { threshold: { above: 500 } })).data, expected);
  });
});

describe.each(STRIPS)("distance on $name", (device) => {
  const same = sameOn(device);
  test("what does not fit a binding is made all the same", async () => {
    const engine = await open(device);
    const grid = scattered(120, 90, 6, 0.002, 30);
    same((await engine.distance(grid)).data, rounded(bruteForce(grid).distance));
    using found = await engine.components(grid);
    same((await engine.distance(found)).data, rounded(bruteForce(grid).distance));
    await engine.close();
  });
});

describe("distance maps", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({ device: "cpu", threads: 2 });
  });
  afterAll(() => engine.close());

  test.each([{ expand: 4 }, { split: true }, { dilate: 5 }])(
    "a limit that is too low for components with %j names one that lets that step run",
    async (options) => {
      const raster = { data: new Uint8Array(300 * 200), width: 300, height: 200 };
      raster.data[30000] = 1;
      let memory = 1000;
      for (let tries = 0; tries < 6; tries++) {
        const error = await engine.components(raster, { ...options, memory }).then(
          (found) => found.dispose(),
          (reason: unknown) => reason,
        );
        if (error === undefined) return;
        expect(error).toBeInstanceOf(OutOfMemory);
        const named = Number(/at least (\d+) bytes/.exec((error as Error).message)?.[1]);
        expect(named).toBeGreaterThan(memory);
        memory = named;
      }
      throw new Error(`no limit was enough, ${memory} neither`);
    },
  );

  test("what memory does not hold goes through a file, and says what would do", async () => {
    const grid = scattered(120, 90, 70, 0.0005, 17);
    const expected = (await engine.distance(grid)).data;
    const near = (await engine.distance(grid, { nearest: true })).nearest as Uint32Array;
    const signed = (await engine.distance(grid, { signed: true, spacing: [0.7, 1, 1.3] })).data;
    const truncated = (await engine.distance(grid, { max: 9 })).data;
    const least = async (options: object): Promise<number> => {
      const error = await engine.distance(grid, { ...options, memory: 1000 }).then(
        () => undefined,
        (e: Error) => e,
      );
      expect(error).toBeInstanceOf(OutOfMemory);
      const found = /^Expected memory of at least (\d+) bytes \(\d+ MiB\) for this map, got 1000\.$/.exec(
        error?.message ?? "",
      );
      return Number(found?.[1]);
    };
    const memory = await least({});
    expect(memory).toBeLessThan(grid.data.length * 4);
    const gathered = new Float32Array(expected.length);
    await engine.distance(grid, { memory, into: collect(gathered, grid) });
    expectSame(gathered, expected);
    const both = await engine.distance(grid, { memory: await least({ nearest: true }), nearest: true });
    expectSame(both.data, expected);
    expectSame(both.nearest as Uint32Array, near);
    const options = { signed: true, spacing: [0.7, 1, 1.3] } as const;
    expectSame((await engine.distance(grid, { ...options, memory: await least(options) })).data, signed);
    expectSame((await engine.distance(grid, { max: 9, memory: await least({ max: 9 }) })).data, truncated);
    const squares = (await engine.distance(grid, { squared: true })).data;
    const narrow = { squared: true, memory: await least({ squared: true }), into: new Uint16Array(squares.length) };
    expectSame((await engine.distance(grid, narrow)).data, Uint16Array.from(squares));
  });

  test("large costs on long lines", async () => {
    const points = [
      [0, 0],
      [9999, 3],
      [4000, 2],
    ] as const;
    const { data } = await engine.distance({ points, width: 10000, height: 5 }, { squared: true });
    for (const [x, y] of [
      [2000, 4],
      [7000, 0],
      [6999, 4],
      [9999, 4],
    ] as const) {
      const expected = Math.min(...points.map(([a, b]) => (a - x) ** 2 + (b - y) ** 2));
      expect(data[y * 10000 + x]).toBe(expected);
    }
    const tall = await engine.distance(
      { points: points.map(([x, y]) => [y, x] as const), width: 5, height: 10000 },
      { squared: true },
    );
    for (const y of [0, 1999, 2000, 2001, 6999, 7000, 9998]) {
      const expected = Math.min(...points.map(([a, b]) => (a - y) ** 2 + (b - 1) ** 2));
      expect(tall.data[y * 5 + 1]).toBe(expected);
    }
  });

  test("a map changes by no more than a step from pixel to pixel, and turns with its image", async () => {
    const grid = scattered(150, 110, 1, 0.001, 18);
    const { data } = await engine.distance(grid);
    for (let at = 1; at < data.length; at++) {
      if (at % grid.width) expect(Math.abs(data[at] - data[at - 1])).toBeLessThanOrEqual(1.00001);
    }
    const turned = { data: new Uint8Array(grid.data.length), width: grid.height, height: grid.width };
    grid.data.forEach((v, at) => {
      turned.data[(at % grid.width) * grid.height + Math.floor(at / grid.width)] = v;
    });
    const other = await engine.distance(turned);
    data.forEach((d, at) => {
      if (other.data[(at % grid.width) * grid.height + Math.floor(at / grid.width)] !== d) expect(at).toBe(-1);
    });
  });

  test("at() lies between pixels, over() finds how close objects come", async () => {
    const map = await engine.distance({ points: [[0, 0, 0]], width: 6, height: 5, depth: 4, spacing: [2, 2, 2] });
    expect(map).toBeInstanceOf(DistanceMap);
    expect(map.spacing).toEqual([2, 2, 2]);
    expect(map.at([2.5, 0, 0])).toBeCloseTo(5, 6);
    expect(map.at([3, 4, 0])).toBeCloseTo(10, 6);
    expect(map.at([3, 0])).toBe(6);
    expect(() => map.at([5.5, 0, 0])).toThrow("Expected a place inside 6 x 5 x 4, got [5.5, 0, 0].");
    const squared = await engine.distance(
      { points: [[0, 0]], width: 9, height: 2, spacing: [3, 3] },
      { squared: true },
    );
    expect([squared.unit, squared.data[4], squared.at([4, 0])]).toEqual([3, 16, 12]);
    const volume: Mask = { bits: new Uint32Array(5 * 4), width: 6, height: 5, depth: 4 };
    volume.bits[0 * 5 + 3] = 0b111000;
    volume.bits[3 * 5 + 4] = 0b10;
    using objects = await engine.components(volume);
    const { count, distance, where } = await map.over(objects);
    expect(count).toBe(2);
    expect(distance[0]).toBeCloseTo(2 * Math.hypot(3, 3), 5);
    expect([...where]).toEqual([3, 3, 0, 1, 4, 3]);
    using others = await engine.components({ data: new Uint8Array(4), width: 2, height: 2 });
    await expect(map.over(others)).rejects.toThrow("Expected components of 6 x 5 x 4 like the map, got 2 x 2.");
  });

  test("window() reads what at() has, a step apart, of every axis", async () => {
    const size = { width: 9, height: 7, depth: 5 };
    const target = {
      points: [
        [0, 0, 0],
        [8, 3, 4],
      ],
      ...size,
      spacing: [2, 2, 2],
    } as const;
    for (const squared of [false, true]) {
      const map = await engine.distance(target, { squared });
      for (const [axis, across, down] of [
        ["z", 0, 1],
        ["y", 0, 2],
        ["x", 1, 2],
      ] as const) {
        for (const [from, step] of [
          [[0, 0, 2], 1],
          [[-3, 1, 1], 2],
          [[5, -2, -1], 3],
        ] as const) {
          const [x, y, z] = from;
          const into = new Float32Array(6 * 5).fill(-1);
          const found = map.window({ x, y, z, width: 6, height: 5, step, axis }, into);
          expect(found).toBe(into);
          found.forEach((value, i) => {
            const place = [x, y, z];
            place[across] += (i % 6) * step;
            place[down] += Math.floor(i / 6) * step;
            const ends = [size.width, size.height, size.depth];
            const isInside = place.every((n, k) => n >= 0 && n < ends[k]);
            const wanted = isInside ? map.at(place as [number, number, number]) : Number.POSITIVE_INFINITY;
            if (value !== Math.fround(wanted)) expect([axis, from, i, value]).toEqual([axis, from, i, wanted]);
          });
        }
      }
      const window = { x: 0, y: 0, width: 2, height: 2 };
      expect(() => map.window(window, new Float32Array(3))).toThrow("Expected into to be a Float32Array of 4 values");
      expect(() => map.window({ ...window, step: 0 })).toThrow("Expected window.step to be a whole number from 1");
    }
  });

  test("what is wrong is said", async () => {
    const raster = { data: new Uint8Array(12), width: 4, height: 3 };
    const cases: [object, string][] = [
      [{ max: 0 }, "Expected max to be a number above 0, got 0."],
      [{ max: Number.NaN }, "Expected max to be a number above 0, got NaN."],
      [{ beyond: "clamp" }, 'Expected beyond only with max, got "clamp" without.'],
      [{ beyond: "far", max: 3 }, 'Expected beyond to be "infinity", "clamp" or "coarse", got "far".'],
      [{ to: "edge" }, 'Expected to to be "foreground" or "surface", got "edge".'],
      [{ metric: "l2" }, 'Expected metric to be "euclidean", "cityblock" or "chessboard", got "l2".'],
      [{ squared: true, metric: "cityblock" }, 'Expected squared only with the Euclidean metric, got "cityblock".'],
      [{ squared: true, signed: true }, "Expected squared without signed, which whole numbers cannot hold."],
      [
        { squared: true, spacing: [1, Math.PI] },
        `Expected a spacing whose sides are whole multiples of one unit for squared, got [1, ${Math.PI}, 1].`,
      ],
      [
        { squared: true, spacing: [1, 20000] },
        "Expected a map whose squared distances stay below 2^30 units for squared, got 4 x 3.",
      ],
      [{ signed: true, to: "surface" }, 'Expected signed only with to: "foreground", because a surface has no inside.'],
      [{ signed: 1 }, "Expected signed to be true or false, got 1."],
      [{ signed: true, nearest: true }, "Expected either signed or nearest, got both."],
      [{ memory: -1 }, "Expected memory to be a number of bytes above 0, got -1."],
      [{ spacing: [1] }, "Expected the spacing of the map to be two or three numbers above 0, got [1]."],
      [
        { into: new Float32Array(3) },
        "Expected into to be a Sink or a Float32Array of 12 values, got a Float32Array of 3.",
      ],
      [
        { into: new Uint16Array(12) },
        "Expected into to be a Sink or a Float32Array of 12 values, got a Uint16Array of 12.",
      ],
      [
        { threshold: { outside: [1, 2] } },
        "Expected one polarity of foreground for distances, got { outside }; use components.",
      ],
    ];
    for (const [options, message] of cases) {
      const error = await engine.distance(raster, options as never).then(
        () => undefined,
        (e: Error) => e,
      );
      expect(error).toBeInstanceOf(InvalidArgument);
      expect(error?.message).toBe(message);
    }
    const far = engine.distance({ points: [[4, 0]], width: 4, height: 3 });
    await expect(far).rejects.toThrow("Expected whole points [x, y] inside 4 x 3, got [4, 0].");
    const wide = engine.distance({ points: [], width: 70000, height: 1 });
    await expect(wide).rejects.toThrow(
      "Expected at most 65500 pixels along each axis for a distance map, got 70000 x 1.",
    );
  });

  test("inscribed circles on a grid of floats: of equal ones the first", async () => {
    const spacing: [number, number] = [1.3041809641616258, 0.7668865377892875];
    const data = Uint8Array.from({ length: 12 * 9 }, (_, i) => (Math.sin(i) > -0.7 ? 1 : 0));
    using found = await engine.components({ data, width: 12, height: 9, spacing });
    const { inscribed } = await found.regions({ properties: ["inscribed"], physical: true });
    const { data: labels } = await found.labels();
    // As the map has it, distances are floats; the first of the largest is the one.
    const { data: away } = await engine.distance({ data: data.map((v) => 1 - v), width: 12, height: 9, spacing });
    const circles = new Float64Array(found.count * 3);
    labels.forEach((label, at) => {
      if (!label) return;
      const [x, y] = [at % 12, Math.floor(at / 12)];
      const sides = [x + 1, 12 - x].map((n) => n * spacing[0]).concat([y + 1, 9 - y].map((n) => n * spacing[1]));
      const inside = Math.min(away[at], ...sides.map(Math.fround));
      if (inside > circles[3 * (label - 1)]) circles.set([inside, x * spacing[0], y * spacing[1]], 3 * (label - 1));
    });
    expect([...inscribed]).toEqual([...circles]);
  });

  test("inscribed circles of two classes, and of components that have none", async () => {
    const data = Uint8Array.from({ length: 12 * 7 }, (_, at) => (at % 12 < 5 ? 0 : at % 12 < 7 ? 128 : 255));
    using found = await engine.components({ data, width: 12, height: 7 }, { threshold: { outside: [100, 200] } });
    const { inscribed } = await found.regions({ properties: ["inscribed"] });
    expect([...inscribed]).toEqual([3, 2, 2, 3, 9, 2]);
    using values = await engine.components({ data, width: 12, height: 7 }, { by: "value" });
    await expect(values.regions({ properties: ["inscribed"] })).rejects.toThrow(
      "Expected components of a threshold for inscribed",
    );
  });

  test("a call can be stopped", async () => {
    const stop = new AbortController();
    const grid = scattered(200, 200, 50, 0.01, 19);
    const call = engine.distance(grid, { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) });
    await expect(call).rejects.toThrow("enough");
    expect((await engine.distance(grid)).data.length).toBe(grid.data.length);
  });

  test("agrees with SciPy's distance_transform_edt, nearest sites up to ties", async () => {
    const script = `
import sys, numpy as np
from scipy import ndimage
d, h, w = map(int, sys.argv[1:4])
a = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(d, h, w)
out = ndimage.distance_transform_edt(a == 0, sampling=[float(s) for s in sys.argv[4:7]])
sys.stdout.buffer.write(out.astype("<f4").tobytes())
`;
    for (const [name, grid, spacing] of [
      ["image", scattered(131, 90, 1, 0.001, 20), [1, 1, 1]],
      ["volume", scattered(40, 35, 24, 0.0005, 21), [1, 1, 2.5]],
      ["spacing", scattered(40, 35, 24, 0.0005, 22), [0.61, 1.07, 1.93]],
    ] as const) {
      const { width, height, depth, data } = grid;
      const args = [depth, height, width, spacing[2], spacing[1], spacing[0]];
      const out = golden(`distance-scipy-${name}`, { modules: "scipy", script, args, input: data });
      const expected = Float64Array.from(new Float32Array(new Uint8Array(out).buffer));
      const map = await engine.distance({ ...grid, spacing }, { nearest: true });
      expectClose(map.data, expected);
      const place = (at: number): number[] => [
        at % width,
        Math.floor(at / width) % height,
        Math.floor(at / width / height),
      ];
      (map.nearest as Uint32Array).forEach((site, at) => {
        const [a, b] = [place(site), place(at)];
        const far = Math.hypot(...a.map((n, axis) => (n - b[axis]) * spacing[axis as 0 | 1 | 2]));
        if (!data[site] || Math.abs(far - expected[at]) > 1e-6 * far) expect({ at, site }).toEqual({ at });
      });
    }
  });
});
