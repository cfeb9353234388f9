// Automatic thresholds, beside scikit-image's (goldens), and what follows from one.

import { random } from "@skerry/scenes";
import { type Engine, type OpenOptions, open, type Raster, type Source, type Threshold } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { polarity } from "./oracles/polarity.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";

const { DEVICES } = devicesOf("threshold");
const [WIDTH, HEIGHT] = [50, 100];
const ARRAYS = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, f32: Float32Array } as const;
const NUMPY = { u8: "uint8", u16: "uint16", i16: "int16", f32: "float32" } as const;

/** Values from 0 to 1, in distributions that thresholds meet. */
const DISTRIBUTIONS: Record<string, (next: () => number) => number> = {
  "two peaks": (next) => (next() < 0.6 ? 0.15 : 0.6) + 0.25 * next() * next(),
  "a peak and a tail above": (next) => Math.min(1, 0.1 + 0.05 * next() - 0.12 * Math.log(1e-3 + next())),
  "a peak and a tail below": (next) => Math.max(0, 0.9 - 0.05 * next() + 0.12 * Math.log(1e-3 + next())),
  "every value alike": (next) => next(),
};

function pixels(type: keyof typeof ARRAYS, distribution: string) {
  const drawn = random(11);
  const next = (): number => (drawn() % 65536) / 65536;
  const [low, range] = { u8: [0, 255], u16: [300, 5000], i16: [-900, 3000], f32: [-2, 7] }[type];
  const make = DISTRIBUTIONS[distribution] as (next: () => number) => number;
  const data = new ARRAYS[type](WIDTH * HEIGHT);
  for (let i = 0; i < data.length; i++) data[i] = low + make(next) * range;
  return { data, width: WIDTH, height: HEIGHT, range };
}

describe.each(DEVICES)("automatic thresholds on $name", (options: OpenOptions) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  const cases = (["li", "triangle"] as const).flatMap((method) =>
    (["u8", "u16", "i16", "f32"] as const).flatMap((type) =>
      Object.keys(DISTRIBUTIONS).map((distribution) => [method, type, distribution] as const),
    ),
  );
  test.each(cases)("%s of %s, %s: scikit-image's value", async (method, type, distribution) => {
    const raster = pixels(type, distribution);
    const { threshold, foreground } = await engine.components(raster, { threshold: method });
    const script = `import sys, numpy as np
from skimage.filters import threshold_${method}
print(repr(float(threshold_${method}(np.frombuffer(sys.stdin.buffer.read(), np.${NUMPY[type]}).reshape(${HEIGHT}, ${WIDTH}).copy()))))`;
    const name = `${method}-scikit-image-${type}-${distribution.replaceAll(" ", "-")}`;
    const input = new Uint8Array(raster.data.buffer);
    const expected = Number(golden(name, { modules: "skimage", script, input }).toString());
    // Li's of f32 is over 256 bins here, and over all values there.
    if (method === "li" && type === "f32")
      expect(Math.abs((threshold as number) - expected)).toBeLessThan(raster.range / 256);
    else expect(threshold).toBeCloseTo(expected, type === "f32" ? 5 : 9);
    expect(foreground).toBe(raster.data.filter((value) => value > (threshold as number)).length);
  });

  test.each(["li", "triangle"] as const)("%s: dark objects are the others", async (threshold) => {
    const raster = pixels("u8", "two peaks");
    const [bright, dark] = [
      await engine.components(raster, { threshold }),
      await engine.components(raster, { threshold, polarity: "dark" }),
    ];
    expect(dark.threshold).toBe(bright.threshold);
    expect(bright.foreground + dark.foreground).toBe(WIDTH * HEIGHT);
    const map = await engine.distance(raster, { threshold, squared: true });
    const found = await engine.distance(bright, { squared: true });
    expect(Buffer.from(map.data.buffer).equals(Buffer.from(found.data.buffer))).toBe(true);
  });
});

describe.each(DEVICES)("polarity auto on $name", (options: OpenOptions) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  /** Discs on another value, under light that changes from side to side, with a rim of the discs' value. */
  const scene = (width: number, height: number, depth: number, ground: number, disc: number) => {
    const data = new Uint8Array(width * height * depth);
    for (let at = 0; at < data.length; at++) {
      const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
      const isRim = width > 20 && height > 20 && (x === 0 || y === 0 || x === width - 1 || y === height - 1);
      const isDisc = ((x % 9) - 4) ** 2 + ((y % 9) - 4) ** 2 + ((z % 9) - 4) ** 2 <= (depth > 1 ? 14 : 9);
      data[at] = (isRim || isDisc ? disc : ground) + Math.floor((10 * x) / width);
    }
    return { data, width, height, ...(depth > 1 ? { depth } : {}) };
  };

  test.each([
    [90, 70, 1],
    [640, 300, 1],
    [27, 27, 27],
    [70, 27, 9],
  ])("%i x %i x %i: dark on a bright ground, bright on a dark one", async (width, height, depth) => {
    for (const [ground, disc] of [
      [200, 30],
      [30, 200],
    ] as const) {
      const raster = scene(width, height, depth, ground, disc);
      const auto = await engine.components(raster, { threshold: "otsu", polarity: "auto" });
      expect(auto.polarity).toBe(ground > disc ? "dark" : "bright");
      const byHand = await engine.components(raster, { threshold: "otsu", polarity: auto.polarity as "dark" });
      expect(byHand.polarity).toBe(auto.polarity);
      expect((await auto.labels()).data).toEqual((await byHand.labels()).data);
      const map = await engine.distance(raster, { threshold: "otsu", polarity: "auto", squared: true });
      expect(map.data).toEqual((await engine.distance(byHand, { squared: true })).data);
    }
  });

  test("as the oracle says, of every type, with masks and values that are missing", async () => {
    const next = random(11);
    const sides = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const type = (["u8", "u16", "i16", "f32"] as const)[round % 4];
      const [width, height, depth] = [1 + (next() % 90), 1 + (next() % 30), round % 5 === 0 ? 1 + (next() % 6) : 1];
      const many = round % 7 === 0;
      const size = { width: many ? 300 + (next() % 300) : width, height, depth };
      const channels = round % 6 === 0 ? (round % 4 === 0 ? 3 : 4) : 1;
      const share = 40 + (next() % 176);
      const pixels = size.width * size.height * size.depth;
      const data = Object.assign(new ARRAYS[type](pixels * channels));
      for (let i = 0; i < data.length; i++) {
        data[i] =
          (next() >>> 24 < share ? 200 : 20) + (next() % 9) + (type === "i16" ? -100 : type === "f32" ? 0.25 : 0);
      }
      if (type === "f32") data[next() % data.length] = round % 8 === 3 ? Number.NaN : Number.POSITIVE_INFINITY;
      const nodata = channels === 1 && type === "u16" ? Number(data[next() % data.length]) : undefined;
      const words = Math.ceil(size.width / 32);
      const bits = Uint32Array.from({ length: words * size.height * size.depth }, () => next() | next());
      const last = 0xffffffff >>> (32 * words - size.width);
      for (let row = 1; row <= size.height * size.depth; row++) bits[row * words - 1] &= last;
      const within = round % 3 === 0 ? { bits, ...size } : undefined;
      const raster = { data, ...size, channels, ...(nodata === undefined ? {} : { nodata }) } as Raster;
      const threshold = type === "f32" || nodata !== undefined ? "otsu" : ({ local: { radius: 2 } } as const);
      const found = await engine.components(raster, {
        threshold,
        polarity: "auto",
        ...(within ? { within } : {}),
      });
      const side = polarity({ ...size, channels, type, data, nodata, bits: within?.bits }, found.threshold);
      expect([round, found.polarity]).toEqual([round, side]);
      sides.add(side);
      const image = await engine.load(raster);
      const again = await engine.components(image, {
        threshold,
        polarity: "auto",
        ...(within ? { within } : {}),
      });
      expect([round, again.polarity]).toEqual([round, side]);
      image.dispose();
    }
    expect(sides.size).toBe(2);
  });

  test("flat pictures, and masks without a pixel, have bright objects", async () => {
    const raster = { data: new Uint8Array(100).fill(7), width: 10, height: 10 };
    const options = { threshold: { local: { radius: 2 } }, polarity: "auto" } as const;
    expect((await engine.components(raster, options)).polarity).toBe("bright");
    const within = { bits: new Uint32Array(10), width: 10, height: 10 };
    expect((await engine.components(raster, { ...options, within })).polarity).toBe("bright");
  });

  test("colours, loaded images and sources", async () => {
    const { data, width, height } = scene(90, 70, 1, 210, 40);
    const rgba = new Uint8ClampedArray(data.length * 4).map((_, i) => (i % 4 === 3 ? 255 : data[i >> 2]));
    const image = await engine.load({ data: rgba, width, height });
    const source: Source = {
      width,
      height,
      type: "u8",
      async read(_z0, _z1, y0, y1, into) {
        into.set(data.subarray(y0 * width, y1 * width));
      },
    };
    const found = [];
    for (const input of [image, { data, width, height }, source]) {
      found.push(await engine.components(input, { threshold: "li", polarity: "auto" }));
    }
    for (const each of found) expect([each.polarity, each.foreground]).toEqual(["dark", found[1].foreground]);
    image.dispose();
  });

  test("sides of other thresholds", async () => {
    const raster = { data: Uint8Array.of(1, 5, 9, 200), width: 2, height: 2 };
    const sideOf = async (threshold: Threshold) => (await engine.components(raster, { threshold })).polarity;
    expect(await sideOf({ above: 4 })).toBe("bright");
    expect(await sideOf({ below: 4 })).toBe("dark");
    expect(await sideOf({ outside: [4, 100] })).toBe("both");
    expect(await sideOf({ between: [4, 100] })).toBeUndefined();
    expect(await sideOf("nonzero")).toBeUndefined();
    await expect(engine.components(raster, { threshold: { above: 3 }, polarity: "auto" })).rejects.toThrow(
      'Expected polarity "auto" only with threshold',
    );
    const found = await engine.components(raster);
    await expect(found.mask({ polarity: "bright" })).rejects.toThrow("Expected no polarity of objects");
  });
});

describe.each(DEVICES)("hysteresis on $name", (options: OpenOptions) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each([
    ["u8", 4],
    ["u8", 8],
    ["u16", 8],
    ["i16", 4],
    ["f32", 8],
  ] as const)("%s with connectivity %i: the components above lo that reach above hi", async (type, connectivity) => {
    const { data: drawn, range } = pixels(type, "two peaks");
    // Neighbours alike, so that there are objects of all sizes.
    const data = drawn.map((value, i) => (i % WIDTH > 1 ? (value + drawn[i - 1] + drawn[i - 2]) / 3 : value));
    const raster = { data, width: WIDTH, height: HEIGHT };
    const [lo, hi] = [data[7] + range * 0.05, data[7] + range * 0.3].map((n) =>
      type === "f32" ? Math.fround(n) : Math.round(n),
    );
    const { labels, count } = oracle.label(
      Uint8Array.from(data, (v) => Number(v > lo)),
      WIDTH,
      HEIGHT,
      connectivity,
    );
    const reaches = new Set(Array.from(labels).filter((label, i) => label > 0 && data[i] > hi));
    expect(reaches.size).toBeGreaterThan(0);
    expect(reaches.size).toBeLessThan(count);
    const found = await engine.components(raster, { threshold: { hysteresis: [lo, hi] }, connectivity });
    expect(found.count).toBe(reaches.size);
    const made = (await found.labels()).data;
    expect(made.findIndex((label, i) => label > 0 !== reaches.has(labels[i]))).toBe(-1);
    // Filters come after.
    const large = await engine.components(raster, { threshold: { hysteresis: [lo, hi] }, connectivity, minArea: 9 });
    const { area } = await found.regions({ properties: ["area"] });
    expect(large.count).toBe(area?.filter((n) => n >= 9).length);
  });

  test("progress reaches 1 once the objects are chosen, not before", async () => {
    const raster = pixels("u8", "two peaks");
    const told: { stage: string; fraction: number }[] = [];
    const onProgress = (step: { stage: string; fraction: number }): number => told.push(step);
    await engine.components(raster, { threshold: { hysteresis: [60, 200] }, onProgress });
    const fractions = told.map(({ fraction }) => fraction);
    expect(fractions.at(-1)).toBe(1);
    expect(
      fractions
        .slice(
          0,
          told.findLastIndex(({ stage }) => stage === "intensity"),
        )
        .every((f) => f < 1),
    ).toBe(true);
  });

  test("nothing above hi, a volume, and what it does not go with", async () => {
    const raster = pixels("u8", "two peaks");
    expect((await engine.components(raster, { threshold: { hysteresis: [10, 255] } })).count).toBe(0);
    const data = Uint8Array.of(5, 5, 0, 9, 0, 0, 0, 0, 5, 0, 0, 0);
    const volume = { data, width: 2, height: 2, depth: 3 };
    const found = await engine.components(volume, { threshold: { hysteresis: [3, 7] }, connectivity: 6 });
    expect(Array.from((await found.labels()).data)).toEqual([1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    await expect(engine.components(raster, { threshold: { hysteresis: [9, 3] } })).rejects.toThrow("with lo <= hi");
    const threshold = { hysteresis: [1, 2] } as unknown as "otsu";
    await expect(engine.distance(raster, { threshold })).rejects.toThrow("got { hysteresis }; pass components.");
  });
});

test("li: a background of nothing but the smallest value ends the iteration", async () => {
  const engine = await open({ device: "cpu", threads: 1 });
  const data = Uint8Array.from({ length: 100 }, (_, i) => (i < 3 ? 0 : 200 + (i % 9)));
  const { threshold, foreground } = await engine.components({ data, width: 10, height: 10 }, { threshold: "li" });
  expect(foreground).toBe(97);
  expect(threshold).toBeGreaterThan(0);
  await engine.close();
});
