// Flood fills against a plain search, pixel by pixel; against the answers of OpenCV and scikit-image; the
// wand against fills; and painting.

import {
  type Components,
  type Engine,
  type FillOptions,
  InvalidArgument,
  open,
  type PixelArray,
  paint,
  type RegionsOptions,
  Unsupported,
} from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame, expectSameRegions } from "./support/same.js";
import { maze, noise, random, spiral } from "./support/shapes.js";
import { STEP, speckled } from "./support/speckled.js";

const { DEVICES, STRIPS } = devicesOf("fill");

function maskOf(
  inside: Uint8Array,
  width: number,
  height: number,
): { bits: Uint32Array; width: number; height: number } {
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height);
  for (let at = 0; at < inside.length; at++) {
    const word = Math.floor(at / width) * words + ((at % width) >> 5);
    if (inside[at]) bits[word] = bits[word] | (1 << ((at % width) & 31));
  }
  return { bits, width, height };
}

/** Expects components to be those of the pixels that were filled. */
async function expectFilled(found: Components, filled: Uint8Array): Promise<void> {
  const { width, height, connectivity } = found;
  const expected = oracle.label(filled, width, height, connectivity as 4 | 8);
  expect([found.count, found.foreground]).toEqual([expected.count, filled.reduce((sum, on) => sum + on, 0)]);
  expectSame((await found.mask()).bits, maskOf(filled, width, height).bits);
  expectSame((await found.labels()).data, expected.labels);
}

/** The tolerances that let noise through far enough, per metric and number of channels. */
const REACH: Record<string, readonly [number, number, number]> = {
  linf: [39, 25, 20],
  l1: [39, 50, 70],
  l2: [39, 35, 40],
};

describe.each([...DEVICES, ...STRIPS])("fill on $name", (device) => {
  const gpu = device.device === "gpu";
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  // On the GPU a fill is labelled like anything else, and its measures are tested with those of others.
  const asked: RegionsOptions = gpu ? {} : { properties: "all" };

  // On the GPU each type and number of channels is a kernel of its own, which takes SwiftShader a second.
  const kinds =
    "bindingBytes" in device
      ? ([["u8", 3]] as const)
      : gpu
        ? ([
            ["u8", 1],
            ["u8", 3],
            ["i16", 4],
            ["f32", 1],
            ["u32", 1],
          ] as const)
        : (["u8", "u16", "i16", "f32", "u32", "i32"] as const).flatMap((type) =>
            (type.endsWith("32") && type !== "f32" ? [1] : [1, 3, 4]).map((channels) => [type, channels] as const),
          );

  test.each(kinds)("every metric, range and connectivity: %s, %i channels", async (type, channels) => {
    const next = random(channels * 7 + type.length);
    for (const metric of ["linf", "l1", "l2"] as const) {
      for (const range of ["fixed", "floating"] as const) {
        for (const connectivity of [4, 8] as const) {
          const [width, height] = [70 + (next() % 70), 50];
          const raster = speckled(type, channels, [width, height], next());
          const scale = STEP[type];
          const reach = REACH[metric]?.[channels === 1 ? 0 : channels - 2];
          const tolerance = reach * scale * (range === "floating" ? 0.8 : 1);
          const seeds = Array.from({ length: 1 + (next() & 1) }, () => [next() % width, next() % height] as const);
          const inside =
            next() % 3 === 0 ? Uint8Array.from({ length: width * height }, () => +(next() % 8 > 0)) : undefined;
          const within = inside && maskOf(inside, width, height);
          const each = Array.from({ length: channels }, () => tolerance);
          const filled = oracle.fill(raster, {
            seeds,
            lower: each,
            upper: each,
            connectivity,
            inside,
            metric: channels === 1 ? "linf" : metric,
            floating: range === "floating",
          });
          const image = next() & 1 ? await engine.load(raster) : undefined;
          const options = { seeds, tolerance, metric, range, connectivity, ...(within ? { within } : {}) };
          const found = await engine.fill(image ?? raster, options);
          await expectFilled(found, filled);
          found.dispose();
          image?.dispose();
        }
      }
    }
  });

  test("two sides, one per channel, everywhere, and a mean for a seed", async () => {
    const raster = speckled("u8", 3, [90, 40], 3);
    const seeds = [[40, 20]] as const;
    const [lower, upper] = [
      [20, 5, 30],
      [10, 40, 22],
    ];
    const question = { seeds, lower, upper, metric: "linf", floating: false, connectivity: 8 } as const;
    for (const contiguous of [true, false]) {
      const found = await engine.fill(raster, { seeds, tolerance: { lower, upper }, connectivity: 8, contiguous });
      await expectFilled(found, oracle.fill(raster, { ...question, contiguous }));
    }
    const same = await engine.fill(raster, { seeds, tolerance: [20, 5, 30], connectivity: 8 });
    await expectFilled(same, oracle.fill(raster, { ...question, upper: lower }));
    // The mean of nine pixels of the border, put where the seed is, and halves go up.
    const grey = { data: Uint8Array.from([9, 10, 30, 9, 10, 31, 12, 12, 12]), width: 3, height: 3 };
    const mean = await engine.fill(grey, { seeds: [[0, 0]], average: 3, tolerance: 1 });
    // (9 + 10 + 9 + 10) / 4 = 9.5, so 10.
    expectSame((await mean.labels()).data, [1, 1, 0, 1, 1, 0, 0, 0, 0]);
    const apart = await engine.fill(grey, { seeds: [[2, 0]], average: 3 });
    expect([apart.count, apart.foreground]).toEqual([0, 0]);
  });

  test.skipIf("bindingBytes" in device)("rows of whole words", async () => {
    for (const channels of [1, 3, 4]) {
      const raster = speckled("u8", channels, [128, 70], channels);
      const each = Array.from({ length: channels }, () => [39, 0, 25, 20][channels - 1]);
      const inside = Uint8Array.from({ length: 128 * 70 }, (_, i) => +(i % 11 > 0));
      for (const fence of [undefined, inside]) {
        const found = await engine.fill(raster, {
          seeds: [[64, 35]],
          tolerance: each,
          connectivity: 8,
          ...(fence ? { within: maskOf(fence, 128, 70) } : {}),
        });
        const question = { seeds: [[64, 35]], lower: each, upper: each, connectivity: 8, inside: fence } as const;
        await expectFilled(found, oracle.fill(raster, { ...question, metric: "linf", floating: false }));
        found.dispose();
      }
    }
  });

  test.skipIf("bindingBytes" in device)("large shapes, and what can be asked of them", async () => {
    for (const { data, width, height } of [
      noise(1100, 900, 0.7, 1, 4),
      spiral(300),
      maze(160, 140),
      { data: new Uint8Array(400 * 333).fill(1), width: 400, height: 333 },
    ]) {
      const raster = { data, width, height, channels: 1 };
      const start = data.indexOf(1);
      const seeds = [[start % width, Math.floor(start / width)]] as const;
      const question = { seeds, lower: [0], upper: [0], metric: "linf", floating: false, connectivity: 4 } as const;
      const filled = oracle.fill(raster, question);
      const image = await engine.load(raster);
      for (const range of ["fixed", "floating"] as const) {
        const found = await engine.fill(image, { seeds, range });
        expect([found.count, found.foreground]).toEqual([1, filled.reduce((sum, on) => sum + on, 0)]);
        const mask = await found.mask();
        expectSame(mask.bits, maskOf(filled, width, height).bits);
        const plain = await engine.components(mask);
        expect(found.runCount).toBe(plain.runCount);
        expectSameRegions(await found.regions(asked), await plain.regions(asked));
        plain.dispose();
        found.dispose();
      }
      image.dispose();
    }
  });

  test("a small fill is a window on the image, and nothing shows it", async () => {
    const raster = speckled("u8", 1, [333, 280], 8);
    for (let y = 120; y < 150; y++) raster.data.fill(200, y * 333 + 90, y * 333 + 140);
    raster.data[135 * 333 + 100] = 7;
    const found = await engine.fill(raster, { seeds: [[95, 130]], connectivity: 8 });
    const filled = oracle.fill(raster, {
      seeds: [[95, 130]],
      lower: [0],
      upper: [0],
      metric: "linf",
      floating: false,
      connectivity: 8,
    });
    await expectFilled(found, filled);
    const plain = await engine.components(await found.mask(), { connectivity: 8 });
    expectSameRegions(await found.regions(asked), await plain.regions(asked));
    expect(await found.runs({ groupBy: "label" })).toEqual(await plain.runs({ groupBy: "label" }));
    const whole = await found.filter({ fillHoles: true, largest: 1 });
    expect([whole.count, whole.foreground]).toEqual([1, found.foreground + 1]);
    const into = new Uint32Array(333 * 280).fill(9);
    await found.labels({ into });
    expectSame(into, filled);
    let rows = 0;
    await found.labels({
      into: {
        write(_z0, _z1, y0, y1, data) {
          expect(y0).toBe(rows);
          expectSame(data, filled.subarray(y0 * 333, y1 * 333));
          rows = y1;
        },
      },
    });
    expect(rows).toBe(280);
    const at = [await found.at(95, 130), await found.at(100, 135), await found.at(0, 0), await found.at(332, 279)];
    expect(at).toEqual([1, 0, 0, 0]);
    for (const held of [found, plain, whole]) held.dispose();
  });

  test("from a source, and from shared memory", async () => {
    const { data, width, height } = noise(300, 500, 0.65, 1, 6);
    const seeds = [[data.indexOf(1), 0]] as const;
    const inside = Uint8Array.from({ length: width * height }, (_, i) => +(i % 7 > 0 || i % 2 > 0));
    const within = maskOf(inside, width, height);
    const raster = { data, width, height, channels: 1 };
    const question = { seeds, lower: [0], upper: [0], metric: "linf", connectivity: 8, inside } as const;
    const source = {
      width,
      height,
      type: "u8" as const,
      read(_z0: number, _z1: number, y0: number, y1: number, into: PixelArray) {
        into.set(data.subarray(y0 * width, y1 * width));
      },
    };
    const shared = new Uint8Array(new SharedArrayBuffer(data.length));
    shared.set(data);
    for (const range of ["fixed", "floating"] as const) {
      const filled = oracle.fill(raster, { ...question, floating: range === "floating" });
      for (const input of [source, { data: shared, width, height }]) {
        const found = await engine.fill(input, { seeds, within, range, connectivity: 8 });
        await expectFilled(found, filled);
        found.dispose();
      }
    }
  });

  test("a wand gives what fill gives, at every tolerance", async () => {
    const one = [[30, 20]] as const;
    const three = [
      [30, 20],
      [70, 3],
      [5, 44],
    ] as const;
    for (const [channels, connectivity, seeds, contiguous] of [
      [1, 4, one, true],
      [3, 8, one, true],
      [4, 4, one, true],
      [1, 8, three, true],
      [4, 8, three, true],
      [3, 4, three, false],
      [4, 8, one, false],
    ] as const) {
      const raster = speckled("u8", channels, [77, 50], 5 + channels);
      const wand = await engine.wand(raster, { seeds, connectivity, contiguous });
      const areas = await wand.areas();
      expect(areas.length).toBe(256);
      for (const tolerance of gpu ? [0, 25.5, 1000] : [0, 3, 9, 14, 17, 19, 20.9, 24, 30, 59, 255, 1000]) {
        const [own, other] = [
          await wand.at(tolerance),
          await engine.fill(raster, { seeds, tolerance, connectivity, contiguous }),
        ];
        expect(own.foreground).toBe(other.foreground);
        expect(areas[Math.min(255, Math.floor(tolerance))]).toBe(other.foreground);
        expectSame((await own.labels()).data, (await other.labels()).data);
        own.dispose();
        other.dispose();
      }
      wand.dispose();
      await expect(wand.at(1)).rejects.toThrow("after dispose()");
      await expect(wand.areas()).rejects.toThrow("after dispose()");
    }
  });
});

describe("on the CPU", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({ device: "cpu", threads: 2 });
  });
  afterAll(() => engine.close());

  test("sums of f32 do not tell a fill's window from the whole image", async () => {
    const [width, height] = [1100, 900];
    const data = new Uint8Array(width * height);
    for (let y = 130; y < 777; y++) data.fill(1, y * width + 500, y * width + 520);
    const next = random(17);
    const intensity = { data: Float32Array.from(data, () => next() / 3), width, height };
    const found = await engine.fill({ data, width, height }, { seeds: [[510, 300]] });
    const whole = await engine.components({ data, width, height });
    const asked = { properties: "all", intensity } as const;
    expectSameRegions(await found.regions(asked), await whole.regions(asked));
  });

  test("many colours from an array take the memory of one after another", async () => {
    const [width, height] = [3000, 2000];
    const data = Float32Array.from({ length: width * height * 4 }, (_, i) => Math.floor(i / 4));
    const seeds = Array.from({ length: 60 }, (_, i) => [i * 40, i * 30] as const);
    // 60 times the raster would be 5.8 GB.
    const found = await engine.fill({ data, width, height, channels: 4 }, { seeds });
    expect([found.count, found.foreground]).toEqual([60, 60]);
  });

  test("a floating range of two sides follows steps one way", async () => {
    for (const type of ["u8", "i16", "f32"] as const) {
      for (const connectivity of [4, 8] as const) {
        const raster = speckled(type, 3, [120, 60], connectivity);
        const scale = { u8: 1, i16: 200, f32: 0.3 }[type];
        const [lower, upper] = [24 * scale, 13 * scale];
        const seeds = [[60, 30]] as const;
        const found = await engine.fill(raster, {
          seeds,
          tolerance: { lower, upper },
          range: "floating",
          connectivity,
        });
        const [down, up] = [lower, upper].map((n) => [n, n, n]) as [number[], number[]];
        const question = { seeds, lower: down, upper: up, metric: "linf", floating: true, connectivity } as const;
        await expectFilled(found, oracle.fill(raster, question));
      }
    }
    // Down a slope but not up again.
    const slope = { data: Uint8Array.from([9, 8, 7, 6, 5]), width: 5, height: 1 };
    const tolerance = { lower: 1, upper: 0 };
    const ends = [
      await engine.fill(slope, { seeds: [[0, 0]], tolerance, range: "floating" }),
      await engine.fill(slope, { seeds: [[4, 0]], tolerance, range: "floating" }),
    ];
    expect(ends.map(({ foreground }) => foreground)).toEqual([5, 1]);
  });

  test("the mean around a seed of 32-bit values is exact", async () => {
    const engine = await open({ device: "cpu", threads: 1 });
    const [width, height] = [255, 255];
    for (const [array, least] of [
      [Uint32Array, 0xfffffffe],
      [Int32Array, -0x80000000],
    ] as const) {
      // The mean of n values, of which one is higher by 1, rounds to the others; of more than half, to the higher ones.
      for (const higher of [1, 33_000]) {
        const data = array.from(Array.from({ length: width * height }, (_, i) => (i < higher ? least + 1 : least)));
        const raster = { data, width, height };
        const found = await engine.fill(raster, { seeds: [[127, 127]], average: 255, contiguous: false });
        expect(found.foreground).toBe(higher > 1 ? higher : width * height - higher);
        found.dispose();
      }
    }
    await engine.close();
  });

  test("infinities match themselves, NaN matches nothing, and f32 is compared exactly", async () => {
    const data = Float32Array.from([0.1, 0.2, 0.30000001192092896, Number.NaN, 0.1, Number.POSITIVE_INFINITY]);
    const raster = { data, width: 6, height: 1 };
    const foreground = async (x: number, tolerance: number, options: Partial<FillOptions> = {}): Promise<number> =>
      (await engine.fill(raster, { seeds: [[x, 0]], tolerance, ...options })).foreground;
    // 0.2f - 0.1f and 0.3f - 0.2f are just above and just below 0.1.
    expect(await foreground(0, 0.1)).toBe(1);
    expect(await foreground(0, 0.10000001)).toBe(2);
    expect(await foreground(1, 0.2, { contiguous: false })).toBe(4);
    expect(await foreground(5, 0)).toBe(1);
    expect(await foreground(5, Number.POSITIVE_INFINITY, { contiguous: false })).toBe(5);
    await expect(foreground(3, 1)).rejects.toThrow("Expected a number at the seed [3, 0], got NaN.");
  });

  test.each<[string, object, string]>([
    ["no seeds", {}, "Expected seeds to be a list of at least one [x, y], got undefined."],
    ["an empty list", { seeds: [] }, "Expected seeds to be a list of at least one [x, y], got []."],
    ["a seed outside", { seeds: [[4, 0]] }, "Expected seeds inside the 4 x 3 image, got [4, 0]."],
    ["half a pixel", { seeds: [[0.5, 0]] }, "Expected a seed to be [x, y] in whole pixels, got [0.5, 0]."],
    ["a negative tolerance", { seeds: [[0, 0]], tolerance: -1 }, "Expected tolerance to be 0 or more, got -1."],
    ["too many tolerances", { seeds: [[0, 0]], tolerance: [1, 2] }, "one per channel, which are 1, got 2."],
    ["one side", { seeds: [[0, 0]], tolerance: { lower: 1 } }, "to have both lower and upper."],
    ["NaN", { seeds: [[0, 0]], tolerance: Number.NaN }, "Expected tolerance to be a number, got NaN."],
    ["another metric", { seeds: [[0, 0]], metric: "l3" }, 'Expected metric to be "linf", "l1" or "l2", got "l3".'],
    ["another range", { seeds: [[0, 0]], range: "wide" }, 'Expected range to be "fixed" or "floating", got "wide".'],
    ["an even window", { seeds: [[0, 0]], average: 2 }, "Expected average to be an odd whole number from 1 to 255"],
    ["connectivity", { seeds: [[0, 0]], connectivity: 6 }, "Expected connectivity to be 4 or 8"],
    [
      "a mask of another size",
      { seeds: [[0, 0]], within: { bits: new Uint32Array(4), width: 4, height: 4 } },
      "Expected within to be 4 x 3 like the raster, got 4 x 4.",
    ],
    ["floating everywhere", { seeds: [[0, 0]], range: "floating", contiguous: false }, "only connected pixels"],
    ["floating from a mean", { seeds: [[0, 0]], range: "floating", average: 3 }, "does not use the seed's colour"],
  ])("refused: %s", async (_, options, message) => {
    const raster = { data: new Uint8Array(12), width: 4, height: 3 };
    await expect(engine.fill(raster, options as FillOptions)).rejects.toThrow(InvalidArgument);
    await expect(engine.fill(raster, options as FillOptions)).rejects.toThrow(message);
  });

  test("refused by a wand, and by at", async () => {
    const raster = { data: new Uint8Array(12), width: 4, height: 3 };
    await expect(engine.wand(raster, { seeds: [[0, 3]] })).rejects.toThrow("Expected seeds inside the 4 x 3 image");
    const deep = { data: new Uint16Array(12), width: 4, height: 3 };
    await expect(engine.wand(deep, { seeds: [[0, 0]] })).rejects.toThrow(Unsupported);
    const wand = await engine.wand(raster, { seeds: [[0, 0]] });
    await expect(wand.at(-1)).rejects.toThrow("Expected the tolerance to be 0 or more, got -1.");
    const found = await wand.at(0);
    await expect(found.at(4, 0)).rejects.toThrow("Expected whole x and y inside 4 x 3, got 4, 0.");
  });

  test("paint replaces, blends, rounds, and paints in place", async () => {
    const data = Uint8ClampedArray.from([0, 0, 0, 9, 0, 0, 0, 9, 50, 50, 50, 9]);
    const photo = { data, width: 3, height: 1 };
    const patch = await engine.fill(photo, { seeds: [[0, 0]] });
    const painted = await paint(photo, patch, [255, 7, 1]);
    expect(painted.data).toEqual(Uint8ClampedArray.from([255, 7, 1, 9, 255, 7, 1, 9, 50, 50, 50, 9]));
    expect(photo.data[0]).toBe(0);
    const blended = await paint(photo, patch, [255, 7, 1, 200], { opacity: 0.5 });
    expect(blended.data.slice(0, 4)).toEqual(Uint8ClampedArray.from([128, 4, 1, 105]));
    expect(await paint(photo, patch, 3, { into: photo })).toBe(photo);
    expect(photo.data.slice(0, 5)).toEqual(Uint8ClampedArray.from([3, 3, 3, 9, 3]));
    const floats = { data: Float32Array.from([1, 1, 5]), width: 3, height: 1 };
    const spot = await engine.fill(floats, { seeds: [[0, 0]] });
    expect((await paint(floats, spot, 2, { opacity: 0.25 })).data).toEqual(Float32Array.from([1.25, 1.25, 5]));
    const coats = [
      { components: patch, colour: [9, 8, 7] },
      { components: patch, colour: 1, opacity: 0 },
    ];
    expect((await paint(photo, coats)).data).toEqual((await paint(photo, patch, [9, 8, 7])).data);
    const half = await paint(photo, [{ components: patch, colour: 3 }, ...coats.slice(0, 1)], { opacity: 0.5 });
    const once = await paint(photo, patch, 3, { opacity: 0.5 });
    expect(half.data).toEqual((await paint(once, patch, [9, 8, 7], { opacity: 0.5 })).data);
    expect((await paint(photo, [])).data).toEqual(photo.data);
    await expect(paint(photo, [{ components: patch, colour: [1] }])).rejects.toThrow("Expected a colour of 3 or 4");
    await expect(paint(photo, patch, [1, 2])).rejects.toThrow("Expected a colour of 3 or 4 numbers, got [1, 2].");
    await expect(paint(photo, patch, 1, { opacity: 2 })).rejects.toThrow("Expected opacity to be from 0 to 1, got 2.");
    await expect(paint(floats, patch, 1, { into: photo })).rejects.toThrow("Expected into to be");
    const tall = { data: new Uint8Array(3), width: 1, height: 3 };
    await expect(paint(tall, patch, 1)).rejects.toThrow("Expected components of 1 x 3 like the raster, got 3 x 1.");
  });

  test("OpenCV's floodFill agrees, mask and area", async () => {
    const next = random(21);
    const cases = Array.from({ length: 12 }, (_, i) => {
      const channels = i % 2 ? 3 : 1;
      const [width, height] = [90 + i, 70];
      const raster = speckled("u8", channels, [width, height], i);
      const tolerance = [9, 24, 30][i % 3];
      const seed = [next() % width, next() % height] as const;
      return { raster, tolerance, seed, connectivity: i % 4 < 2 ? 4 : 8, range: i % 3 ? "fixed" : "floating" } as const;
    });
    const script = `
import sys, json, cv2, numpy as np
for case in json.load(sys.stdin):
    image = np.array(case["data"], np.uint8).reshape(case["shape"])
    height, width = image.shape[:2]
    mask = np.zeros((height + 2, width + 2), np.uint8)
    near = (case["tolerance"],) * 3
    flags = case["connectivity"] | cv2.FLOODFILL_MASK_ONLY | (1 << 8) | (cv2.FLOODFILL_FIXED_RANGE if case["range"] == "fixed" else 0)
    area, *_ = cv2.floodFill(image, mask, tuple(case["seed"]), 0, near, near, flags)
    print(json.dumps([area, mask[1:-1, 1:-1].ravel().tolist()]))
`;
    const input = cases.map(({ raster: { data, width, height, channels }, ...rest }) => ({
      ...rest,
      data: Array.from(data),
      shape: channels === 1 ? [height, width] : [height, width, channels],
    }));
    const question = { modules: "cv2", script, input: JSON.stringify(input) };
    const stdout = golden("fill-opencv", question).toString();
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as [number, number[]]);
    expect(answers.length).toBe(cases.length);
    for (const [i, { raster, seed, ...options }] of cases.entries()) {
      const found = await engine.fill(raster, { seeds: [seed], ...options });
      const [area, filled] = answers[i];
      expect(found.foreground).toBe(area);
      await expectFilled(found, Uint8Array.from(filled));
    }
  });

  test("scikit-image's flood agrees", async () => {
    const cases = (["u8", "i16", "f32"] as const).flatMap((type, i) =>
      ([4, 8] as const).map((connectivity) => {
        const raster = speckled(type, 1, [80, 60], 30 + i);
        // Between two levels: scikit-image rounds a tolerance to f32.
        const tolerance = 38.5 * { u8: 1, i16: 200, f32: 0.3 }[type];
        return { type, raster, connectivity, tolerance, seed: [33, 22] } as const;
      }),
    );
    const script = `
import sys, json, numpy as np
from skimage.segmentation import flood
for case in json.load(sys.stdin):
    image = np.array(case["data"], np.float32).astype({"u8": np.uint8, "i16": np.int16, "f32": np.float32}[case["type"]])
    image = image.reshape(case["height"], case["width"])
    x, y = case["seed"]
    print(json.dumps(flood(image, (y, x), connectivity=case["connectivity"] // 4, tolerance=case["tolerance"]).ravel().astype(int).tolist()))
`;
    const input = cases.map(({ raster: { data, width, height }, ...rest }) => ({
      ...rest,
      data: Array.from(data),
      width,
      height,
    }));
    const question = { modules: "skimage.segmentation", script, input: JSON.stringify(input) };
    const stdout = golden("fill-scikit-image", question).toString();
    const answers = stdout.trim().split("\n");
    expect(answers.length).toBe(cases.length);
    for (const [i, { raster, connectivity, tolerance, seed }] of cases.entries()) {
      const found = await engine.fill(raster, { seeds: [seed], tolerance, connectivity });
      await expectFilled(found, Uint8Array.from(JSON.parse(answers[i]) as number[]));
    }
  });
});
