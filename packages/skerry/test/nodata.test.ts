// Pixels that were not measured: NaN, and a raster's nodata value, which every call treats like it. What is expected comes from
// the same pixels without the missing ones, in plain loops.

import { type Engine, type Image, open, type Raster, type Source } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";

const { DEVICES } = devicesOf("nodata");

const [width, height] = [67, 9];
const MISSING = 6;
const values = Array.from({ length: width * height }, (_, i) => (i * 37 + (i >> 3)) % 11);
const TYPES = { Uint8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array };
const rasters = Object.entries(TYPES).map(([name, type]) => ({
  name,
  raster: { data: type.from(values), width, height, nodata: MISSING + (name === "Float32Array" ? 0 : 0.3) } as Raster,
}));
const withNaN = { data: Float32Array.from(values, (v) => (v === MISSING ? Number.NaN : v)), width, height };

/** A Source over a raster, which tells the rows that were read. */
function sourceOf({ data, nodata }: Raster, type: Source["type"]): Source {
  return {
    width,
    height,
    type,
    nodata: nodata as number,
    read: async (_z0, _z1, y0, y1, into) => into.set(data.subarray(y0 * width, y1 * width)),
  };
}

describe.each(DEVICES)("pixels without a value, on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  describe.each(rasters)("in a $name", ({ name, raster }) => {
    test("are background under every threshold, from an array, an Image and a Source", async () => {
      const type = ({ Uint8Array: "u8", Uint16Array: "u16", Int16Array: "i16", Float32Array: "f32" } as const)[name];
      const image = await engine.load(raster);
      const inputs: (Raster | Image | Source)[] = [raster, image, ...(type ? [sourceOf(raster, type)] : [])];
      for (const [threshold, foreground] of [
        ["nonzero", (v: number) => v !== 0],
        [{ above: 4 }, (v: number) => v > 4],
        [{ below: 8 }, (v: number) => v < 8],
        [{ between: [2, 6] }, (v: number) => v >= 2 && v <= 6],
        [{ outside: [3, 7] }, (v: number) => v < 3 || v > 7],
        [{ outside: [7, 8] }, (v: number) => v < 7 || v > 8],
      ] as const) {
        for (const input of inputs) {
          const found = await engine.components(input, { threshold });
          const { data } = await found.labels();
          expect(Array.from(data, (l) => l > 0)).toEqual(values.map((v) => v !== MISSING && foreground(v)));
          found.dispose();
        }
      }
      image.dispose();
    });

    test("are left out of Otsu's threshold", async () => {
      const rest = values.filter((v) => v !== MISSING);
      const row = TYPES[name as "Uint8Array"].from(rest);
      const alone = await engine.components({ data: row, width: rest.length, height: 1 }, { threshold: "otsu" });
      const found = await engine.components(raster, { threshold: "otsu", polarity: "dark" });
      expect(found.threshold).toBe(alone.threshold);
      expect(found.foreground).toBe(rest.filter((v) => v <= (alone.threshold as number)).length);
      const nothing = new TYPES[name as "Uint8Array"](6).fill(9);
      await expect(
        engine.components({ data: nothing, width: 3, height: 2, nodata: 9 }, { threshold: "otsu" }),
      ).rejects.toThrow(
        "Expected at least one finite value, within the mask if there is one, for an automatic threshold, got none.",
      );
    });

    test("join nothing by value or tolerance, and are no site of a distance", async () => {
      for (const by of ["value", { tolerance: 1 }] as const) {
        const found = await engine.components(raster, { by, background: null });
        expectSame(
          (await found.mask()).bits,
          (await (await engine.components(withNaN, { by, background: null })).mask()).bits,
        );
        const { data } = await found.labels();
        expectSame(data, (await (await engine.components(withNaN, { by, background: null })).labels()).data);
        expect(found.foreground).toBe(values.filter((v) => v !== MISSING).length);
      }
      const zeros = { data: Uint8Array.from(values, (v) => (v === MISSING ? 0 : v)), width, height };
      const { data } = await engine.distance(raster, { squared: true, threshold: { above: 5 } });
      expectSame(data, (await engine.distance(zeros, { squared: true, threshold: { above: 5 } })).data);
    });

    test("are left out of intensities", async () => {
      const shape = { data: Uint8Array.from(values, (_, i) => (i % width < 40 ? 1 : 0)), width, height };
      const found = await engine.components(shape);
      const regions = await found.regions({ intensity: raster, properties: "all" });
      const inside = values.flatMap((v, i) =>
        i % width < 40 && v !== MISSING ? [{ v, x: i % width, y: Math.floor(i / width) }] : [],
      );
      const sum = inside.reduce((total, { v }) => total + v, 0);
      const mean = sum / inside.length;
      const edge = values.filter((v, i) => i % width === 40 && v !== MISSING);
      expect(regions.area?.[0]).toBe(40 * height);
      expect(Number(regions.sum?.[0])).toBe(sum);
      expect(regions.min?.[0]).toBe(0);
      expect(regions.max?.[0]).toBe(Math.max(...inside.map(({ v }) => v)));
      expect(regions.mean?.[0]).toBeCloseTo(mean, 12);
      const variance = inside.reduce((total, { v }) => total + (v - mean) ** 2, 0) / inside.length;
      expect(regions.std?.[0]).toBeCloseTo(Math.sqrt(variance), 10);
      const weighted = inside.reduce((total, { v, x }) => total + v * x, 0) / sum;
      expect(regions.weightedCentroid?.[0]).toBeCloseTo(weighted, 10);
      expect(regions.weightedCentroid?.[1]).toBeCloseTo(inside.reduce((t, { v, y }) => t + v * y, 0) / sum, 10);
      expect(regions.contrast?.[0]).toBeCloseTo(mean - edge.reduce((a, b) => a + b, 0) / edge.length, 10);
      const empty = { ...raster, data: raster.data.map(() => MISSING) as Uint8Array };
      const none = await found.regions({ intensity: empty, properties: "all" });
      expect(Number(none.sum?.[0])).toBe(0);
      for (const property of ["min", "max", "mean", "std", "contrast"] as const) expect(none[property]?.[0]).toBeNaN();
    });

    test("match nothing in fills, and are no seed", async () => {
      if (name === "Uint32Array" || name === "Int32Array") return;
      const seed = [0, 0] as const;
      for (const options of [
        { tolerance: 9 },
        { tolerance: 3, contiguous: false },
        { tolerance: 4, range: "floating" as const },
      ]) {
        const found = await engine.fill(raster, { seeds: [seed], connectivity: 8, ...options });
        const expected = await engine.fill(withNaN, { seeds: [seed], connectivity: 8, ...options });
        expectSame((await found.mask()).bits, (await expected.mask()).bits);
        expect(found.foreground).toBeGreaterThan(0);
      }
      const at = values.indexOf(MISSING);
      await expect(engine.fill(raster, { seeds: [[at % width, Math.floor(at / width)]] })).rejects.toThrow(
        `Expected a number at the seed [${at % width}, ${Math.floor(at / width)}], got the nodata value ${MISSING}.`,
      );
    });
  });

  test("NaN is left out of the intensities of colours", async () => {
    const rgb = Float32Array.from({ length: 36 }, (_, i) => (i === 4 || i === 33 ? Number.NaN : i));
    const found = await engine.components({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    const { mean, area } = await found.regions({
      intensity: { data: rgb, width: 4, height: 3, channels: 3 },
      properties: ["mean", "area"],
    });
    const kept = Array.from({ length: 12 }, (_, i) => i).filter((i) => i !== 1 && i !== 11);
    const luma = kept.map((i) => (77 * 3 * i + 150 * (3 * i + 1) + 29 * (3 * i + 2)) / 256);
    expect(area?.[0]).toBe(12);
    expect(mean?.[0]).toBeCloseTo(luma.reduce((a, b) => a + b, 0) / luma.length, 5);
  });

  test("a value that the type cannot have is no pixel's, and what has no nodata says so", async () => {
    const data = Uint8Array.of(0, 7, 255, 0);
    const size = { width: 4, height: 1 };
    expect((await engine.components({ data, ...size, nodata: -9999 })).foreground).toBe(2);
    expect((await engine.components({ data, ...size, nodata: 254.6 })).foreground).toBe(1);
    await expect(engine.components({ data, ...size, nodata: "7" as never })).rejects.toThrow(
      'Expected nodata to be a number, got "7".',
    );
    await expect(engine.components({ data: new Uint8Array(12), ...size, nodata: 0 })).rejects.toThrow(
      "Expected nodata only with one channel, got 3.",
    );
    await expect(engine.kmeans({ data, ...size, nodata: 0 }, { k: 2 })).rejects.toThrow(
      "Expected no nodata for k-means.",
    );
    await expect(engine.wand({ data, ...size, nodata: 0 }, { seeds: [[1, 0]] })).rejects.toThrow("use fill");
  });
});
