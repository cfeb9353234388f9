// Suggestions: their effect is that of the call, they do not depend on the threads, options that are kept stay, and pictures whose
// answer is right keep it.

import { type ComponentsOptions, type Engine, open, type Raster, type SuggestOptions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { random } from "./support/shapes.js";

const { DEVICES, QUICK } = devicesOf("suggest");

/** Bright discs on a dark ground of noise, and specks. */
function discs(count: number, specks: number, { width = 240, height = 180, noise = 30 } = {}): Raster {
  const next = random(count + specks);
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at++) data[at] = 60 + (noise > 0 ? next() % noise : 0);
  const columns = Math.ceil(Math.sqrt((count * width) / height));
  for (let i = 0; i < count; i++) {
    const x = ((i % columns) + 0.5) * (width / columns);
    const y = (Math.floor(i / columns) + 0.5) * (height / Math.ceil(count / columns));
    for (let dy = -9; dy <= 9; dy++) {
      for (let dx = -9; dx <= 9; dx++) {
        if (dx * dx + dy * dy <= 80) data[Math.round(y + dy) * width + Math.round(x + dx)] = 170 + (next() % 40);
      }
    }
  }
  for (let i = 0; i < specks; i++) data[next() % data.length] = 230;
  return { data, width, height };
}

const PLAIN: SuggestOptions = { threshold: "otsu", polarity: "auto" };

describe.each(DEVICES)("suggest on $name", (device) => {
  // A search is some twenty calls, seconds on a GPU in software.
  const testOfManySearches = test.runIf(QUICK.some(({ name }) => name === device.name));
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  async function countOf(raster: Raster, options: ComponentsOptions): Promise<number> {
    const found = await engine.components(raster, options);
    const { count } = found;
    found.dispose();
    return count;
  }

  test("specks are seen, and the first offer is without them", async () => {
    const raster = discs(20, 150);
    const { count, specks, ground, scale, offers } = await engine.suggest(raster, PLAIN);
    expect(count).toBe(await countOf(raster, PLAIN as ComponentsOptions));
    expect(count).toBeGreaterThan(100);
    expect(specks).toBeGreaterThan(0.7);
    expect([ground, scale, offers[0].count]).toEqual([0, 1, 20]);
    expect(offers.length).toBeLessThanOrEqual(4);
    for (const { changes, count: told, agreement } of offers) {
      const options = Object.fromEntries(
        Object.entries({ ...PLAIN, ...changes }).filter(([, value]) => value !== undefined),
      );
      expect(await countOf(raster, options)).toBe(told);
      expect(agreement).toBeGreaterThan(0);
      expect(agreement).toBeLessThanOrEqual(1);
    }
    expect(new Set(offers.map((offer) => offer.count)).size).toBe(offers.length);
  });

  test("an answer on which most ways agree is offered as it is", async () => {
    const { offers, count } = await engine.suggest(discs(12, 0, { noise: 0 }), PLAIN);
    expect([count, offers[0].count, offers[0].changes]).toEqual([12, 12, {}]);
  });

  test("options that are kept stay", async () => {
    const keep = ["threshold", "minArea"] as const;
    const { offers } = await engine.suggest(discs(20, 150), { threshold: { above: 120 }, minArea: 5, keep });
    for (const { changes } of offers) {
      expect("threshold" in changes || "minArea" in changes || "flatten" in changes || "channel" in changes).toBe(
        false,
      );
    }
  });

  testOfManySearches("options that are kept without a value stay at their defaults", async () => {
    const names = ["channel", "smooth", "flatten", "threshold", "polarity", "fillHoles", "split", "minArea"] as const;
    for (const name of names) {
      const { offers } = await engine.suggest(discs(20, 60), { ...(name === "threshold" ? {} : PLAIN), keep: [name] });
      for (const { changes } of offers)
        expect([name, name in changes && changes[name] !== undefined]).toEqual([name, false]);
    }
    for (const keep of ["smooth", null, new Set(["smooth"])]) {
      await expect(engine.suggest(discs(4, 0), { keep } as never)).rejects.toThrow(
        "Expected keep to be a list of names",
      );
    }
  });

  testOfManySearches("options that do not go together with a way drop it, never the call", async () => {
    const raster = discs(20, 60);
    for (const options of [
      { threshold: "otsu", fillHoles: true, maxHoleArea: 9 },
      { threshold: "otsu", expand: 3 },
      { threshold: "otsu", split: true, absorb: 5 },
      { threshold: { outside: [50, 150] }, keep: ["threshold"] },
      { threshold: "otsu", maxArea: 20, keep: ["maxArea"] },
      { threshold: { hysteresis: [90, 150] }, keep: ["threshold"] },
    ] as const) {
      const { keep: _, ...plain } = options as SuggestOptions;
      const { count, offers } = await engine.suggest(raster, options as SuggestOptions);
      expect(count).toBe(await countOf(raster, plain));
      for (const { changes, count: told } of offers) {
        const set = Object.entries({ ...plain, ...changes }).filter(([, value]) => value !== undefined);
        expect(await countOf(raster, Object.fromEntries(set))).toBe(told);
      }
    }
    const blank = { data: new Float32Array(40).fill(Number.NaN), width: 8, height: 5 };
    expect(await engine.suggest(blank)).toMatchObject({ count: 0, offers: [] });
  });

  testOfManySearches(
    "an image may be disposed while the search runs; progress is told, and physical lengths are in units",
    async () => {
      const raster = discs(20, 40);
      const expected = await engine.suggest(raster, PLAIN);
      const image = await engine.load(raster);
      const told: number[] = [];
      const going = engine.suggest(image, { ...PLAIN, onProgress: ({ fraction }) => told.push(fraction) });
      image.dispose();
      expect(await going).toEqual(expected);
      expect(told.length).toBeGreaterThan(5);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      expect(told.at(-1)).toBe(1);
      const sized = { ...raster, spacing: [0.5, 0.5] as const };
      const physical = await engine.suggest(sized, { ...PLAIN, physical: true });
      const counts = ({ offers }: typeof expected): number[] => offers.map((offer) => offer.count);
      expect(counts(physical)).toEqual(counts(expected));
    },
  );

  testOfManySearches("an image or a source gives what its array gives; a mask limits both", async () => {
    const raster = discs(20, 40);
    const { width, height } = raster;
    const words = Math.ceil(width / 32);
    const bits = new Uint32Array(words * height).fill(0xffffffff, 0, (words * height) / 2);
    for (const within of [undefined, { bits, width, height }]) {
      const options = { ...PLAIN, ...(within ? { within } : {}) };
      const image = await engine.load(raster);
      const source = {
        width,
        height,
        type: "u8" as const,
        read: (_: number, __: number, y0: number, y1: number, into: Uint8Array) => {
          into.set((raster.data as Uint8Array).subarray(y0 * width, y1 * width));
        },
      };
      const expected = await engine.suggest(raster, options);
      expect(await engine.suggest(image, options)).toEqual(expected);
      expect(await engine.suggest(source as never, options)).toEqual(expected);
      image.dispose();
    }
  });

  testOfManySearches("grey colours give what one channel gives", async () => {
    const raster = discs(20, 40);
    const { width, height } = raster;
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => raster.data[Math.floor(i / 3)]);
    expect(await engine.suggest({ data, width, height, channels: 3 }, PLAIN)).toEqual(
      await engine.suggest(raster, PLAIN),
    );
  });

  testOfManySearches("a large image is searched on a copy, and counted as it is", async () => {
    const raster = discs(30, 300, { width: 1040, height: 1020 });
    const { scale, offers } = await engine.suggest(raster, PLAIN);
    expect(scale).toBe(1);
    const [{ changes, count }] = offers;
    expect(count).toBe(30);
    const set = Object.entries({ ...PLAIN, ...changes }).filter(([, value]) => value !== undefined);
    expect(await countOf(raster, Object.fromEntries(set))).toBe(30);
  });

  test("by value nothing is suggested; volumes and other words are refused", async () => {
    const raster = discs(4, 0);
    expect((await engine.suggest(raster, { by: "value" })).offers).toEqual([]);
    await expect(engine.suggest({ data: new Uint8Array(8), width: 2, height: 2, depth: 2 })).rejects.toThrow(
      "Expected an image to suggest options for, got a volume.",
    );
    await expect(engine.suggest(raster, { keep: ["minarea" as never] })).rejects.toThrow('got "minarea"');
    await expect(engine.suggest(raster, { keeps: [] } as never)).rejects.toThrow('did you mean "keep"?');
    await expect(engine.suggest(raster, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  });

  testOfManySearches("pictures without objects, of one pixel, and of every type have an answer", async () => {
    for (const type of [Uint8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array]) {
      for (const [width, height] of [
        [1, 1],
        [1, 70],
        [33, 20],
      ]) {
        const flat = { data: new type(width * height).fill(7), width, height };
        expect((await engine.suggest(flat, PLAIN)).offers.length).toBeLessThanOrEqual(4);
        const data = (type as Uint8ArrayConstructor).from({ length: width * height }, (_, i) => (i * 37) % 101);
        const { count } = await engine.suggest({ data, width, height }, PLAIN);
        expect(count).toBe(await countOf({ data, width, height }, PLAIN as ComponentsOptions));
      }
    }
  });
});
