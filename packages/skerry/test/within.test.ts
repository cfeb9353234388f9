// Calls within a mask against the same calls on pixels that were cleared outside, or counted one by one.

import { type Engine, type Mask, open, type PixelArray } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

const [width, height] = [133, 60];
const next = random(4);
const inside = Uint8Array.from({ length: width * height }, (_, at) =>
  Number(Math.hypot((at % width) - 60, Math.floor(at / width) - 30) < 28),
);

function maskOf(flags: Uint8Array): Mask {
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height);
  flags.forEach((flag, at) => {
    const word = Math.floor(at / width) * words + ((at % width) >> 5);
    if (flag) bits[word] = bits[word] | (1 << ((at % width) & 31));
  });
  return { bits, width, height };
}

const within = maskOf(inside);

const RASTERS: PixelArray[] = [
  Uint8Array.from({ length: width * height }, () => next() >>> 24),
  Uint16Array.from({ length: width * height }, () => next() >>> 19),
  Int16Array.from({ length: width * height }, () => (next() >>> 20) - 2000),
  Float32Array.from({ length: width * height }, () => next() / 2 ** 30),
  Int32Array.from({ length: width * height }, () => (next() >>> 22) - 300),
];

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(RASTERS.map((data) => [data.constructor.name, data] as const))("histograms of a %s", async (_, data) => {
    const found = await engine.histogram({ data, width, height }, { within });
    const values = [...data].filter((_, at) => inside[at]);
    const alone = { data: new (data.constructor as Uint8ArrayConstructor)(values), width: values.length, height: 1 };
    const expected = await engine.histogram(alone);
    expect([found.otsu, found.min, found.max]).toEqual([expected.otsu, expected.min, expected.max]);
    expectSame(found.counts, expected.counts);
    const binned = await engine.histogram({ data, width, height }, { within, bins: 9 });
    expectSame(binned.counts, (await engine.histogram(alone, { bins: 9 })).counts);
  });

  test("automatic thresholds are chosen from the pixels inside", async () => {
    const data = RASTERS[0].map((v, at) => (inside[at] ? v >> 2 : 255));
    const objects = await engine.components({ data, width, height }, { threshold: "otsu", within });
    const { otsu } = await engine.histogram({ data, width, height }, { within });
    expect(objects.threshold).toBe(otsu);
    expect(objects.foreground).toBe(data.filter((v, at) => inside[at] && v > otsu).length);
  });

  test("distances to what is inside go straight through what is outside", async () => {
    const data = RASTERS[0] as Uint8Array;
    const threshold = { above: 250 };
    const map = await engine.distance({ data, width, height }, { threshold, within, squared: true });
    const cleared = data.map((v, at) => (inside[at] ? v : 0));
    expectSame(map.data, (await engine.distance({ data: cleared, width, height }, { threshold, squared: true })).data);
    const objects = await engine.components({ data, width, height });
    await expect(engine.distance(objects, { within })).rejects.toThrow("Expected within only with pixels.");
  });

  test.each([1, 3, 4])("k-means of %i channels counts what is inside; the others are 255", async (channels) => {
    const data = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 37 + (i >> 5) * 11) & 255);
    const flags = [...inside].flatMap((flag) => Array.from({ length: channels }, () => flag));
    const alone = { data: data.filter((_, i) => flags[i]), width: inside.filter(Boolean).length, height: 1, channels };
    const given = { k: 5, seed: 3 };
    const found = await engine.kmeans({ data, width, height, channels }, { ...given, within });
    const expected = await engine.kmeans(alone, given);
    expect([...found.palette]).toEqual([...expected.palette]);
    expect([...found.counts]).toEqual([...expected.counts]);
    expect(found.transparent).toBe(width * height - alone.width);
    expectSame(
      found.data.filter((_, at) => inside[at]),
      expected.data,
    );
    expect(found.data.every((value, at) => inside[at] || value === 255)).toBe(true);
    const { k } = await engine.pickK({ data, width, height, channels }, { max: 4, within });
    expect(k).toBe((await engine.pickK(alone, { max: 4 })).k);
    await expect(engine.kmeans(alone, { k: 256, within: maskOf(inside) })).rejects.toThrow("within");
    await expect(engine.kmeans({ data, width, height, channels }, { k: 256, within })).rejects.toThrow("255");
  });

  test("nothing inside", async () => {
    const data = RASTERS[1];
    await expect(
      engine.histogram({ data, width, height }, { within: maskOf(new Uint8Array(width * height)) }),
    ).rejects.toThrow("finite");
    await expect(engine.histogram({ data, width: height, height: width }, { within })).rejects.toThrow(
      "within to be 60 x 133",
    );
  });
});
