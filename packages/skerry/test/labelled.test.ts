// Components of label images against plain loops over their pixels: every type, gaps between values, objects that touch
// and lie in pieces; what is measured of them, which touch, which are kept.

import { type Components, type Engine, open, type PixelArray } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

interface LabelImage {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly data: PixelArray;
}

/** Blocks of values out of `kinds`, a third of them 0. */
function blocks(name: string, data: PixelArray, [width, height, depth]: number[], kinds: number[]): LabelImage {
  const next = random(data.length);
  const columns = Math.ceil(width / 3);
  const rows = Math.ceil(height / 2);
  const cells = Array.from({ length: columns * rows * depth }, () => {
    return next() % 3 === 0 ? 0 : kinds[next() % kinds.length];
  });
  for (let at = 0; at < data.length; at++) {
    const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    data[at] = cells[(z * rows + (y >> 1)) * columns + Math.floor(x / 3)];
  }
  return { name, width, height, depth, data };
}

const many = Array.from({ length: 500 }, (_, i) => i + 1);
const IMAGES: LabelImage[] = [
  blocks("u8", new Uint8Array(65 * 40), [65, 40, 1], [1, 2, 3]),
  blocks("u16 with gaps", new Uint16Array(700 * 500), [700, 500, 1], [7, 900, 65535]),
  blocks("i16 below 0", new Int16Array(64 * 30), [64, 30, 1], [-5, -1, 4]),
  blocks("u32, dense", new Uint32Array(129 * 50 * 6), [129, 50, 6], many),
  blocks("u32, far apart", new Uint32Array(100 * 70), [100, 70, 1], [5, 4_000_000_000, 123_456_789]),
  blocks("i32", new Int32Array(33 * 21 * 4), [33, 21, 4], [-2_000_000_000, 3, 2_000_000_000]),
  blocks("f32, not whole", new Float32Array(90 * 31), [90, 31, 1], [0.25, -7.5, 1e30]),
  blocks("empty", new Uint8Array(40 * 3), [40, 3, 1], [0]),
  blocks("one column", new Uint8Array(300), [1, 300, 1], [9, 4]),
];

/** The rank of each value, and what plain loops find of it. */
function expected({ data, width, height }: LabelImage): {
  values: number[];
  labels: Uint32Array;
  area: number[];
  bounds: number[][];
  faces: Map<string, number>;
} {
  const values = [...new Set<number>(data)].filter((value) => value !== 0).sort((a, b) => a - b);
  const rank = new Map(values.map((value, i) => [value, i + 1]));
  const labels = Uint32Array.from(data, (value) => rank.get(value) ?? 0);
  const area = values.map(() => 0);
  const bounds = values.map(() => [1e9, 1e9, 1e9, 0, 0, 0]);
  const faces = new Map<string, number>();
  labels.forEach((label, at) => {
    if (!label) return;
    const place = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    area[label - 1] = area[label - 1] + 1;
    place.forEach((n, axis) => {
      const box = bounds[label - 1];
      box[axis] = Math.min(box[axis], n);
      box[axis + 3] = Math.max(box[axis + 3], n + 1);
    });
    const before = [place[0] ? 1 : 0, place[1] ? width : 0, place[2] ? width * height : 0];
    for (const step of before) {
      const other = step ? labels[at - step] : 0;
      if (!other || other === label) continue;
      const key = `${Math.min(label, other)} ${Math.max(label, other)}`;
      faces.set(key, (faces.get(key) ?? 0) + 1);
    }
  });
  return { values, labels, area, bounds, faces };
}

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(IMAGES)("$name: labels, areas, boxes and contacts", async (image) => {
    const found = await engine.labelled(image);
    const { values, labels, area, bounds, faces } = expected(image);
    expect(found.count).toBe(values.length);
    expect(found.foreground).toBe(labels.filter((label) => label > 0).length);
    expectSame((await found.labels()).data, labels);
    const regions = await found.regions({ properties: ["area", "bounds", "centroid"] });
    expect([...(regions.value as PixelArray)]).toEqual(values.map((value) => image.data.find((v) => v === value)));
    expect([...(regions.area as Uint32Array)]).toEqual(area);
    const axes = image.depth > 1 ? [0, 1, 2, 3, 4, 5] : [0, 1, 3, 4];
    expect([...regions.bounds]).toEqual(bounds.flatMap((box) => axes.map((axis) => box[axis])));
    const contacts = await found.contacts();
    const met = Array.from(contacts.first, (first, i) => [`${first} ${contacts.second[i]}`, contacts.faces[i]]);
    expect(new Map(met as [string, number][])).toEqual(faces);
    found.dispose();
  });

  test.each(IMAGES)("$name: shapes are those of each value alone", async (image) => {
    const found = await engine.labelled(image, { connectivity: image.depth > 1 ? 26 : 8 });
    const all = await found.regions({ properties: ["edges", "eulerNumber"].slice(image.depth > 1 ? 1 : 0) as [] });
    for (const label of [1, found.count].slice(0, found.count)) {
      const value = (all.value as PixelArray)[label - 1];
      const alone = await engine.labelled(
        { ...image, data: Uint8Array.from(image.data, (v) => Number(v === value)) },
        { connectivity: image.depth > 1 ? 26 : 8 },
      );
      const one = await alone.regions({ properties: ["eulerNumber"] });
      expect((all.eulerNumber as Int32Array)[label - 1]).toBe(one.eulerNumber[0]);
      alone.dispose();
    }
    found.dispose();
  });

  test.each(IMAGES)("$name: what is kept or filtered keeps its pixels and its order", async (image) => {
    const found = await engine.labelled(image);
    const { labels, area } = expected(image);
    const check = async (left: Components, stays: (label: number) => boolean): Promise<void> => {
      const order = area.map((_, i) => i + 1).filter(stays);
      expect(left.count).toBe(order.length);
      const number = new Map(order.map((label, i) => [label, i + 1]));
      expectSame(
        (await left.labels()).data,
        labels.map((label) => number.get(label) ?? 0),
      );
      expect([...((await left.regions()).area as Uint32Array)]).toEqual(order.map((label) => area[label - 1]));
      left.dispose();
    };
    const odd = area.map((_, i) => i + 1).filter((label) => label % 2);
    await check(await found.keep({ labels: odd }), (label) => label % 2 === 1);
    const half = [...area].sort((a, b) => a - b)[area.length >> 1] ?? 0;
    await check(await found.filter({ minArea: half }), (label) => area[label - 1] >= half);
    const again = await found.keep({ labels: odd });
    const first = await again.keep({ labels: odd.length ? [1] : [] });
    await check(first, (label) => label === 1);
    again.dispose();
    found.dispose();
  });

  test("intensity, runs by label and pixels by place", async () => {
    const image = IMAGES[1];
    const found = await engine.labelled(image);
    const { labels, area } = expected(image);
    const { mean } = await found.regions({ intensity: image });
    expect([...(mean as Float64Array)]).toEqual([7, 900, 65535]);
    const { begin, end, offsets } = await found.runs({ groupBy: "label" });
    let pixels = 0;
    for (let i = (offsets as Uint32Array)[0]; i < (offsets as Uint32Array)[1]; i++) pixels += end[i] - begin[i];
    expect(pixels).toBe(area[0]);
    expect(await found.at(123, 45)).toBe(labels[45 * 700 + 123]);
    const distance = await engine.distance(found, { squared: true });
    expect(distance.data[0] === 0).toBe(labels[0] > 0);
    found.dispose();
  });

  test("nodata is background, and other rasters are refused", async () => {
    const data = new Int16Array([4, -9, 4, 0]);
    const found = await engine.labelled({ data, width: 4, height: 1, nodata: -9 });
    expect([found.count, found.foreground]).toEqual([1, 2]);
    await expect(engine.labelled({ data: new Uint8Array(12), width: 2, height: 2 })).rejects.toThrow(
      "Expected a label image of 1 channel, got 3.",
    );
    await expect(engine.labelled({ data, width: 4, height: 1 }, { connectivity: 6 })).rejects.toThrow("connectivity");
  });

  test.each([
    ["one infinity", [Number.POSITIVE_INFINITY], [1]],
    ["its opposite", [Number.NEGATIVE_INFINITY], [1]],
    ["both and a number", [Number.POSITIVE_INFINITY, 2, Number.NEGATIVE_INFINITY], [3, 2, 1]],
    ["NaN alone", [Number.NaN], [0]],
    ["the largest numbers", [3.4028234663852886e38, -3.4028234663852886e38, 0.5], [3, 1, 2]],
  ])("f32 of %s, and the engine stays sound", async (_, values, expected) => {
    const found = await engine.labelled({
      data: Float32Array.from({ length: 32 }, (_, i) => values[i % values.length]),
      width: 4,
      height: 8,
    });
    expect([...(await found.labels()).data].slice(0, values.length)).toEqual(expected);
    expect(found.count).toBe(Math.max(...expected));
    found.dispose();
    const after = await engine.labelled({
      data: Uint8Array.from({ length: 32 }, (_, i) => i % 5),
      width: 4,
      height: 8,
    });
    expect([...(await after.labels()).data]).toEqual(Array.from({ length: 32 }, (_, i) => i % 5));
    after.dispose();
  });
});
