// Paint and recolour by an engine against the free functions, which share no code with the kernels.

import { type Engine, open, type PixelArray, type PixelType, paint, recolour } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { ARRAYS, speckled } from "./support/speckled.js";

const { DEVICES } = devicesOf("paint");

const TYPES = Object.keys(ARRAYS) as PixelType[];

describe.each(DEVICES)("$name", ({ name: _, ...device }) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each(TYPES)("paint of %s equals the calling thread's, for images and volumes", async (type) => {
    for (const [seed, channels] of [1, 3, 4].entries()) {
      for (const size of [
        [1, 1],
        [131, 90],
        [64, 33],
        [40, 20, 9],
        [257, 1100],
      ]) {
        // Rasters of 32-bit integers have one channel.
        if (channels > 1 && (type === "u32" || type === "i32")) continue;
        const raster = speckled(type, channels, size, seed + size[0]);
        const grey = speckled("u8", 1, size, seed + 9);
        const bright = await engine.components(grey, { threshold: { above: 38 } });
        const dark = await engine.components(grey, { threshold: { below: 10 } });
        const own = channels === 4 ? [255, 0, 2.4, 17] : channels === 3 ? [255, 0, 2.5] : 2.5;
        const coats = [
          { components: bright, colour: own, opacity: 0.3 },
          { components: dark, colour: 9 },
        ];
        expectSame((await engine.paint(raster, coats)).data, (await paint(raster, coats)).data);
        const half = { opacity: 0.75 };
        expectSame((await engine.paint(raster, dark, 200, half)).data, (await paint(raster, dark, 200, half)).data);
      }
    }
  });

  test("paint in place, into another raster, and where engine and host hold the arrays", async () => {
    const raster = speckled("u16", 3, [301, 700], 4);
    const spots = await engine.components(speckled("u8", 1, [301, 700], 5), { threshold: { above: 45 } });
    const wanted = (await paint(raster, spots, [1, 2, 60_000], { opacity: 0.6 })).data;
    const allocated = (): PixelArray => {
      const array = engine.allocate("u16", raster.data.length);
      array.set(raster.data);
      return array;
    };
    for (const from of [raster.data, allocated()]) {
      for (const to of [undefined, new Uint16Array(from.length), engine.allocate("u16", from.length)]) {
        const into = to && { ...raster, data: to };
        const given = { ...raster, data: from };
        const painted = await engine.paint(given, spots, [1, 2, 60_000], { opacity: 0.6, ...(into ? { into } : {}) });
        if (into) expect(painted).toBe(into);
        expectSame(painted.data, wanted);
        expectSame(from, raster.data);
      }
      const same = { ...raster, data: from === raster.data ? from.slice() : allocated() };
      expect(await engine.paint(same, spots, [1, 2, 60_000], { opacity: 0.6, into: same })).toBe(same);
      expectSame(same.data, wanted);
    }
  });

  test("paint keeps the kind of array and spacing, and takes components of another engine", async () => {
    const photo = { data: new Uint8ClampedArray(16).fill(7), width: 4, height: 1, spacing: [2, 3] as const };
    const other = await open({ device: "cpu" });
    const all = await other.components(photo);
    const painted = await engine.paint(photo, all, 1);
    expect(painted).toEqual(await paint(photo, all, 1));
    expect(painted.data).toBeInstanceOf(Uint8ClampedArray);
    await other.close();
  });

  test("an aborted or refused paint changes nothing", async () => {
    const photo = speckled("u8", 1, [64, 64], 3);
    const before = photo.data.slice();
    const spots = await engine.components(photo);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(engine.paint(photo, spots, 1, { into: photo, signal })).rejects.toThrow("enough");
    await expect(engine.paint(photo, spots, [1, 2])).rejects.toThrow("Expected a colour of one number, got [1, 2].");
    await expect(engine.paint(photo, spots, 300)).rejects.toThrow(
      "Expected a colour of values from 0 to 255, as u8 holds, got 300.",
    );
    spots.dispose();
    await expect(engine.paint(photo, spots, 1, { into: photo })).rejects.toThrow("after dispose()");
    expectSame(photo.data, before);
  });

  test("recolour equals the calling thread's, in every number of channels", async () => {
    // Colours are counted by the CPU: a GPU in software takes a minute for them.
    const cpu = await open({ device: "cpu" });
    for (const channels of [1, 3, 4]) {
      for (const size of [
        [1, 1],
        [131, 90],
        [700, 450],
        [40, 20, 9],
      ]) {
        const raster = speckled("u8", channels, size, channels);
        const found = await cpu.kmeans(raster, { k: 5, ignoreTransparent: channels === 4 });
        for (const options of [{}, { alpha: true }, { alpha: false }]) {
          const [near, far] = [await recolour(found, options), await engine.recolour(found, options)];
          expectSame(far.data, near.data);
          expect({ ...far, data: 0 }).toEqual({ ...near, data: 0 });
        }
      }
    }
    await expect(engine.recolour({} as never)).rejects.toThrow("Expected a segmentation that kmeans made");
    const fractions: number[] = [];
    const found = await cpu.kmeans(speckled("u8", 3, [700, 450], 2), { k: 3 });
    await engine.recolour(found, { onProgress: ({ fraction }) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(engine.recolour(found, { signal })).rejects.toThrow("enough");
    await cpu.close();
  });
});
