// Labels, runs, masks and classes against the oracle, on every device.

import { type Components, type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { draw, noise, type Picture, random, shapes, spiral } from "./support/shapes.js";

const { DEVICES, STRIPS } = devicesOf("components");

const pictures = shapes();

describe.each([...DEVICES, ...STRIPS])("components on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  async function labelsOf(components: Components): Promise<Uint32Array> {
    return (await components.labels()).data;
  }

  describe.each([4, 8] as const)("connectivity %i", (connectivity) => {
    // Lower pictures fit one strip.
    const chosen = device.bindingBytes ? pictures.filter(({ height }) => height > 100) : pictures;
    test.each(chosen)("$name: labels, runs and mask", async ({ data, width, height }) => {
      const expected = oracle.label(data, width, height, connectivity);
      const found = await engine.components({ data, width, height }, { connectivity });
      expect(found.count).toBe(expected.count);
      expect(found.foreground).toBe(data.reduce((a, b) => a + b, 0));
      expectSame(await labelsOf(found), expected.labels);
      const runs = await found.runs();
      expect(runs.count).toBe(found.runCount);
      expectSame(paint(runs, width, height), expected.labels);
      expectRasterOrder(runs);
      const grouped = await found.runs({ groupBy: "label" });
      expectSame(paint(grouped, width, height), expected.labels);
      expectGrouped(grouped, found.count);
      const mask = await found.mask();
      expectSame(unpack(mask.bits, width, height), data);
      const again = await engine.components(mask, { connectivity });
      expectSame(await labelsOf(again), expected.labels);
      again.dispose();
      found.dispose();
    });

    test("objects that were united have no polarity, and objects that were numbered anew no parent", async () => {
      const data = Uint8Array.from({ length: 40 * 30 }, (_, i) => (i % 7 === 0 ? 9 : i % 5 === 0 ? 0 : 3));
      const both = await engine.components(
        { data, width: 40, height: 30 },
        { threshold: { outside: [2, 4] }, connectivity },
      );
      const united = await both.dilate(1);
      expect([both.polarity, united.polarity]).toEqual(["both", undefined]);
      await expect(united.mask({ polarity: "dark" })).rejects.toThrow("Expected no polarity of objects");
      const bright = await engine.components(
        { data, width: 40, height: 30 },
        { threshold: { above: 2 }, connectivity },
      );
      const parts = await bright.split();
      expect(parts.parent).toHaveLength(parts.count);
      const kept = await parts.keep({ labels: [1] });
      const filtered = await parts.filter({ minArea: 2 });
      expect([kept.parent, filtered.parent]).toEqual([undefined, undefined]);
      for (const each of [both, united, bright, parts, kept, filtered]) each.dispose();
    });

    // In strips they are tested with everything else that the GPU does, in gpu.test.ts.
    test.skipIf(device.bindingBytes)("two classes never merge", async () => {
      const sizes = [
        [65, 40, 1],
        [193, 70, 2],
        [700, 800, 3],
      ] as const;
      // What is large there is many strips on the CPU; a GPU in software is slow.
      for (const [width, height, seed] of device.device === "gpu" ? sizes.slice(0, 2) : sizes) {
        const next = random(seed);
        const data = Uint8Array.from({ length: width * height }, () => next() % 7);
        const classes = data.map((v) => (v > 4 ? 1 : v < 2 ? 2 : 0));
        const expected = oracle.label(classes, width, height, connectivity);
        const found = await engine.components(
          { data, width, height },
          { threshold: { outside: [2, 4] }, connectivity },
        );
        expect(found.polarity).toBe("both");
        expectSame(await labelsOf(found), expected.labels);
        const regions = await found.regions();
        const first = new Uint8Array(found.count);
        expected.labels.forEach((l, at) => {
          if (l) first[l - 1] = classes[at];
        });
        expect(regions.polarity).toEqual(first);
        for (const which of [1, 2] as const) {
          const { bits } = await found.mask({ polarity: which === 1 ? "bright" : "dark" });
          expectSame(
            unpack(bits, width, height),
            classes.map((c) => (c === which ? 1 : 0)),
          );
        }
        expectSame(paint(await found.runs(), width, height), expected.labels);
        found.dispose();
      }
    });
  });

  test.skipIf(device.device === "gpu")("many strips: labels do not depend on where they are cut", async () => {
    for (const [picture, connectivity] of [
      [noise(1500, 1400, 0.59, 1, 5), 4],
      [noise(1300, 1100, 0.41, 2, 6), 8],
      [spiral(1025), 4],
    ] as const) {
      const { data, width, height } = picture;
      const expected = oracle.label(data, width, height, connectivity);
      const found = await engine.components({ data, width, height }, { connectivity });
      expect(found.count).toBe(expected.count);
      expectSame(await labelsOf(found), expected.labels);
      const grouped = await found.runs({ groupBy: "label" });
      expectSame(paint(grouped, width, height), expected.labels);
      expectGrouped(grouped, found.count);
      found.dispose();
    }
  });

  test("more than 65 535 components", async () => {
    const { data, width, height } = draw("dots", 700, 600, (x, y) => x % 2 === 0 && y % 2 === 0);
    const found = await engine.components({ data, width, height }, { connectivity: 8 });
    expect(found.count).toBe(350 * 300);
    const labels = await labelsOf(found);
    expect(labels[598 * 700 + 698]).toBe(350 * 300);
    const { area, bounds } = await found.regions();
    expect(area?.every((a) => a === 1)).toBe(true);
    expect([...(bounds?.subarray(-4) ?? [])]).toEqual([698, 598, 699, 599]);
    found.dispose();
  });

  test("flips and transposes commute", async () => {
    const picture = noise(97, 97, 0.5, 1, 11);
    const flipped = draw("flipped", 97, 97, (x, y) => picture.data[y * 97 + 96 - x] === 1);
    const turned = draw("turned", 97, 97, (x, y) => picture.data[x * 97 + y] === 1);
    const areas = async ({ data, width, height }: Picture): Promise<number[]> => {
      const found = await engine.components({ data, width, height });
      const { area } = await found.regions({ properties: ["area"] });
      found.dispose();
      return [...(area ?? [])].sort((a, b) => a - b);
    };
    const expected = await areas(picture);
    expect(await areas(flipped)).toEqual(expected);
    expect(await areas(turned)).toEqual(expected);
  });
});

interface Table {
  row: Uint32Array;
  begin: Uint32Array;
  end: Uint32Array;
  label: Uint32Array;
  offsets?: Uint32Array;
}

function paint({ row, begin, end, label }: Table, width: number, height: number): Uint32Array {
  const labels = new Uint32Array(width * height);
  row.forEach((y, i) => {
    labels.fill(label[i], y * width + begin[i], y * width + end[i]);
  });
  return labels;
}

function expectRasterOrder({ row, begin, end }: Table): void {
  let sorted = true;
  for (let i = 1; i < row.length; i++) {
    const [y, before] = [row[i], row[i - 1]];
    if (y < before || (y === before && begin[i] < end[i - 1])) sorted = false;
  }
  expect(sorted).toBe(true);
}

function expectGrouped({ label, row, begin, offsets = new Uint32Array() }: Table, count: number): void {
  expect(offsets.length).toBe(count + 1);
  expect(offsets[count]).toBe(label.length);
  let wrong = 0;
  for (let l = 1; l <= count; l++) {
    const [from, to] = [offsets[l - 1], offsets[l]];
    for (let i = from; i < to; i++) {
      if (label[i] !== l) wrong++;
      if (i === from) continue;
      const [y, before] = [row[i], row[i - 1]];
      if (y < before || (y === before && begin[i] <= begin[i - 1])) wrong++;
    }
  }
  expect(wrong).toBe(0);
}

function unpack(bits: Uint32Array, width: number, height: number): Uint8Array {
  const words = Math.ceil(width / 32);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data[y * width + x] = (bits[y * words + (x >> 5)] >>> (x & 31)) & 1;
  }
  return data;
}
