// Components by value and by tolerance against the plain oracle: every pixel type, colour, images and volumes; with
// what is measured of them, which of them touch, and which are kept.

import { type Connectivity, type Engine, InvalidArgument, open, type PixelArray, type Regions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/solids.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

const ARRAYS = [Uint8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array];

interface Case extends oracle.Size {
  readonly name: string;
  readonly data: PixelArray;
  readonly channels: number;
  readonly connectivity: Connectivity;
  readonly tolerance: number;
  readonly background: number | null;
}

/** Values in blocks, so that areas are large enough to wind. */
function mosaic(
  size: oracle.Size,
  channels: number,
  kinds: number,
  array: (typeof ARRAYS)[number],
  seed: number,
): PixelArray {
  const next = random(seed);
  const block = 1 + (seed % 3);
  const cells = new Map<number, number[]>();
  const data = new array(size.width * size.height * size.depth * channels);
  // Values far apart, so that bits beyond the lowest byte count; negative ones where there are any.
  const spread = array === Uint8Array ? 20 : array === Uint16Array || array === Int16Array ? 900 : 2_000_000;
  for (let at = 0; at < data.length / channels; at++) {
    const [x, y, z] = oracle.placeOf(size, at);
    const cell = ((z / block) | 0) * 4096 + ((y / block) | 0) * 64 + ((x / block) | 0);
    let values = cells.get(cell);
    if (!values) {
      const level = (): number => (next() % kinds) * spread + (next() % 3);
      values = Array.from({ length: channels }, () => (next() % 4 === 0 ? 0 : level()));
      cells.set(cell, values);
    }
    values.forEach((value, c) => {
      data[at * channels + c] = value;
    });
  }
  return data;
}

const CASES: Case[] = [];
ARRAYS.forEach((array, i) => {
  for (const [k, connectivity] of ([4, 8, 6, 18, 26] as const).entries()) {
    const volume = connectivity === 6 || connectivity > 8;
    const size = volume
      ? { width: 35 + 30 * (i % 2), height: 12, depth: 7 }
      : { width: 70 + 60 * (i % 3), height: 41, depth: 1 };
    for (const [tolerance, background] of [
      [0, 0],
      [2, null],
      [1, 20],
    ] as const) {
      const channels = !volume && array === Uint8Array && tolerance < 2 ? 3 + (k % 2) : 1;
      CASES.push({
        name: `${array.name} x ${channels}, ${connectivity}, tolerance ${tolerance}, background ${background}`,
        ...size,
        channels,
        connectivity,
        tolerance,
        background,
        data: mosaic(size, channels, channels > 1 ? 2 : 3, array, 31 * i + 7 * k + tolerance + 1),
      });
    }
  }
});

const known = new Map<Case, { found: oracle.Found; measured: oracle.Measured[] }>();

function expected(one: Case): { found: oracle.Found; measured: oracle.Measured[] } {
  let answer = known.get(one);
  if (!answer) {
    const { data, channels, tolerance, background } = one;
    const value = (at: number, c: number): number => data[at * channels + c];
    const each = (test: (c: number) => boolean): boolean => Array.from({ length: channels }, (_, c) => c).every(test);
    const found = oracle.label(
      one,
      one.connectivity,
      (at) => background === null || !each((c) => value(at, c) === background),
      (a, b) => each((c) => Math.abs(value(a, c) - value(b, c)) <= tolerance),
    );
    answer = { found, measured: oracle.measure(found, one, one.connectivity, new Uint8Array(found.labels.length)) };
    known.set(one, answer);
  }
  return answer;
}

describe.each(DEVICES)("by value on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  // A GPU joins the pixels of images that it holds; other types and properties are the CPU's.
  test.each(CASES)("$name", async (one) => {
    const { data, width, height, depth, channels, connectivity, tolerance, background } = one;
    const { found, measured } = expected(one);
    const by = tolerance === 0 ? "value" : { tolerance };
    const raster = { data, width, height, depth, channels };
    using image = device.device === "gpu" ? await engine.load(raster) : undefined;
    const made = await engine.components(image ?? raster, { by, background, connectivity });
    expect(made.count).toBe(found.count);
    expect(made.polarity).toBeUndefined();
    expectSame((await made.labels()).data, found.labels);
    const grouped = await made.runs({ groupBy: "label" });
    const area = new Uint32Array(found.count);
    grouped.label.forEach((l, i) => {
      area[l - 1] = area[l - 1] + grouped.end[i] - grouped.begin[i];
    });
    const regions = (await made.regions({ properties: "all" })) as Required<Regions>;
    expectSame(regions.area, area);
    const first = firstPixels(found).flatMap((at) => [...data.subarray(at * channels, (at + 1) * channels)]);
    expectSame(regions.value, first);
    expect(regions.value.constructor).toBe(data.constructor);
    const flat = depth === 1;
    const faces = (m: oracle.Measured): number =>
      (flat ? [0, 1] : [0, 1, 2]).reduce((n, i) => n + (m.faces[i] ?? 0), 0);
    expectSame(flat ? regions.edges : regions.surfaceArea, measured.map(faces));
    expectSame(
      regions.eulerNumber,
      measured.map((m) => m.euler),
    );
    const boxes = measured.flatMap(({ bounds: [x0, y0, z0, x1, y1, z1] }) =>
      flat ? [x0, y0, x1, y1] : [x0, y0, z0, x1, y1, z1],
    );
    expectSame(regions.bounds, boxes);
    const sums = measured.flatMap(({ sums: [x, y, z, xx, xy, xz, yy, yz, zz] }) =>
      flat ? [x, y, xx, xy, yy] : [x, y, z, xx, xy, xz, yy, yz, zz],
    );
    expect([...regions.rawMoments].join()).toBe(sums.join());
    const touching = await made.contacts();
    expect(Array.from(touching.first, (a, i) => `${a} ${touching.second[i]} ${touching.faces[i]}`).sort()).toEqual(
      oracle.contacts(found, one),
    );
    made.dispose();
  });

  test("filters keep values, and what was apart", async () => {
    for (const one of CASES.filter((_, i) => i % 13 === 0)) {
      const { data, width, height, depth, channels, connectivity, tolerance, background } = one;
      const { found, measured } = expected(one);
      const by = tolerance === 0 ? "value" : { tolerance };
      const raster = { data, width, height, depth, channels };
      const made = await engine.components(raster, { by, background, connectivity, minArea: 3 });
      const stay = new Map<number, number>();
      measured.forEach(({ area }, i) => {
        if (area >= 3) stay.set(i + 1, stay.size + 1);
      });
      expectSame(
        (await made.labels()).data,
        found.labels.map((l) => stay.get(l) ?? 0),
      );
      const { value } = await made.regions({ properties: ["area"] });
      const firsts = firstPixels(found).filter((_, i) => stay.has(i + 1));
      expectSame(
        value as PixelArray,
        firsts.flatMap((at) => [...data.subarray(at * channels, (at + 1) * channels)]),
      );
      made.dispose();
    }
  });

  test("keep: the largest of each value, or a list of labels", async () => {
    const data = Uint8Array.of(1, 1, 0, 2, 2, 2, 0, 1, 2, 2, 0, 2, 0, 0, 1, 1, 1, 0);
    const made = await engine.components({ data, width: 18, height: 1 }, { by: "value" });
    const largest = await made.keep({ perValue: 1 });
    expect([...(await largest.labels()).data]).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0]);
    expect([...((await largest.regions()).value ?? [])]).toEqual([2, 1]);
    const two = await made.keep({ labels: [3, 1] });
    expect([...(await two.labels()).data]).toEqual([1, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    await expect(made.keep({ labels: [0] })).rejects.toThrow("Expected labels to be whole numbers from 1 to 6, got 0.");
    await expect(made.keep({})).rejects.toThrow(InvalidArgument);
    const plain = await engine.components({ data, width: 18, height: 1 });
    const one = await plain.keep({ perValue: 1 });
    expect([...(await one.labels()).data].join("")).toBe("000111000000000000");
    for (const each of [made, largest, two, plain, one]) each.dispose();
  });

  test("the classes of bright and dark objects touch, and are kept apart", async () => {
    const data = Uint8Array.of(9, 9, 1, 1, 1, 5, 9, 1, 9, 9, 9, 5);
    const made = await engine.components({ data, width: 6, height: 2 }, { threshold: { outside: [2, 8] } });
    // 9 9 1 1 1 .    1 1 2 2 2 .
    // 9 1 9 9 9 .    1 3 4 4 4 .
    const { count, first, second, faces } = await made.contacts();
    expect(Array.from({ length: count }, (_, i) => [first[i], second[i], faces[i]])).toEqual([
      [1, 2, 1],
      [1, 3, 2],
      [2, 4, 3],
      [3, 4, 1],
    ]);
    const kept = await made.keep({ perValue: 1 });
    expect((await kept.regions()).polarity).toEqual(Uint8Array.of(1, 2));
    made.dispose();
    kept.dispose();
  });

  test("from a loaded image, which is measured under them wherever it is", async () => {
    const image = await engine.load({ data: Uint8Array.of(3, 3, 7, 7, 7, 0), width: 3, height: 2 });
    const made = await engine.components(image, { by: "value" });
    const { sum, value } = await made.regions({ properties: ["sum"], intensity: image });
    expect([...(value ?? []), ...(sum ?? [])]).toEqual([3, 7, 7, 6n, 7n, 14n]);
    made.dispose();
    image.dispose();
  });

  test("wrong options are refused", async () => {
    const image = { data: new Uint8Array(6), width: 2, height: 1 };
    for (const [options, sentence] of [
      [{ by: "colour" }, 'Expected by to be "value" or { tolerance: number }, got "colour".'],
      [{ by: { tolerance: -1 } }, "Expected by.tolerance to be 0 or more, got -1."],
      [{ by: "value", threshold: "otsu" }, 'Expected no threshold with by, got "otsu".'],
      [{ by: "value", fillHoles: true }, "Expected fillHoles only with a threshold"],
      [{ by: "value", background: [1, 2] }, "one per channel, which are 3, got 2."],
      [{ background: 7 }, 'Expected a background only with by: "value" or a tolerance, got 7.'],
    ] as const) {
      await expect(engine.components(image, options as object)).rejects.toThrow(sentence);
    }
  });
});

/** The first pixel of each label. */
function firstPixels({ labels, count }: oracle.Found): number[] {
  const firsts = new Array<number>(count).fill(-1);
  labels.forEach((l, at) => {
    if (l && firsts[l - 1] < 0) firsts[l - 1] = at;
  });
  return firsts;
}

describe("scikit-image and SciPy", () => {
  test("label and euler_number agree", async () => {
    const [width, height, depth] = [41, 30, 22];
    const size = { width, height, depth };
    const data = mosaic(size, 1, 2, Uint8Array, 5) as Uint8Array;
    const engine = await open({ device: "cpu", threads: 2 });
    const script = `
import sys, json, numpy as np
from scipy import ndimage
from skimage.measure import label, euler_number
a = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(${depth}, ${height}, ${width})
out = []
for c in (1, 2, 3):
    values = label(a, connectivity=c, background=0)
    binary, n = ndimage.label(a > 0, ndimage.generate_binary_structure(3, c))
    euler = [int(euler_number(binary == i + 1, connectivity=c)) if c != 2 else 0 for i in range(n)]
    out.append(dict(values=values.ravel().tolist(), binary=binary.ravel().tolist(), euler=euler))
print(json.dumps(out))`;
    const answers = JSON.parse(
      golden("values-scikit-image", { modules: "skimage", script, input: data }).toString(),
    ) as {
      values: number[];
      binary: number[];
      euler: number[];
    }[];
    for (const [i, connectivity] of ([6, 18, 26] as const).entries()) {
      const answer = answers[i];
      const values = await engine.components({ data, ...size }, { by: "value", connectivity });
      expectSame((await values.labels()).data, answer.values);
      const binary = await engine.components({ data, ...size }, { connectivity });
      expectSame((await binary.labels()).data, answer.binary);
      const { eulerNumber } = await binary.regions({ properties: ["eulerNumber"] });
      if (connectivity !== 18) expectSame(eulerNumber ?? [], answer.euler);
    }
    await engine.close();
  });
});
