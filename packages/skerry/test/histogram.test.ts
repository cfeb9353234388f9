// Histograms against counts in a plain loop, with edges as numpy.histogram has them.

import { type Engine, open, type Raster } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("histogram");

const [width, height] = [83, 40];
const next = random(12);
const drawn = Array.from({ length: width * height }, () => (next() % 97) * 3 + 5);
const TYPES = { Uint8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array };

/** Counts by definition: bin i holds edges[i] <= v < edges[i + 1], the last one its upper edge too. */
function counted(values: readonly number[], edges: Float64Array): Float64Array {
  const counts = new Float64Array(edges.length - 1);
  for (const v of values) {
    let bin = 0;
    while (bin < counts.length - 1 && v >= edges[bin + 1]) bin++;
    counts[bin] = counts[bin] + 1;
  }
  return counts;
}

describe.each(DEVICES)("histogram on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each(Object.entries(TYPES))("of a %s", async (name, type) => {
    const data = (type as Uint8ArrayConstructor).from(drawn, (v) =>
      name === "Uint8Array" ? v % 250 : name === "Float32Array" ? v * 0.7 : v,
    );
    const values = Array.from(data as Uint8Array);
    const raster = { data, width, height } as Raster;
    const [min, max] = [Math.min(...values), Math.max(...values)];
    const { threshold } = await engine.components(raster, { threshold: "otsu" });
    for (const bins of [undefined, 1, 7, 256, 1000]) {
      const found = await engine.histogram(raster, bins === undefined ? {} : { bins });
      expect([found.min, found.max, found.otsu]).toEqual([min, max, threshold]);
      const edges =
        bins === undefined && name === "Uint8Array"
          ? Float64Array.from({ length: 257 }, (_, i) => i)
          : bins === undefined && name !== "Float32Array"
            ? Float64Array.from({ length: max - min + 2 }, (_, i) => min + i)
            : Float64Array.from({ length: (bins ?? 256) + 1 }, (_, i) =>
                i === (bins ?? 256) ? max : min + ((max - min) * i) / (bins ?? 256),
              );
      expectSame(found.edges, edges);
      expectSame(found.counts, counted(values, edges));
    }
    if (name === "Uint8Array") expect((await engine.histogram(raster)).otsu).toBe(oracle.otsu(values));
  });

  test("values that lie on the edges of bins belong to the bin above", async () => {
    for (const [low, high] of [
      [0, 0.3],
      [-1.7, 12.1],
      [1e-3, 7],
      [0, 3],
      [-5, 44],
    ] as const) {
      const [min, max] = [Math.fround(low), Math.fround(high)];
      const edges = Float64Array.from({ length: 257 }, (_, i) => (i === 256 ? max : min + ((max - min) * i) / 256));
      // Each edge, rounded up and down to a float.
      const values = [...edges].flatMap((edge) => {
        const f = Math.fround(edge);
        return [f, Math.fround(f * (1 + 2 ** -23)), Math.fround(f * (1 - 2 ** -23))];
      });
      const data = Float32Array.from(values.filter((v) => v >= min && v <= max));
      const found = await engine.histogram({ data, width: data.length, height: 1 });
      expectSame(found.edges, edges);
      expectSame(found.counts, counted([...data], edges));
    }
  });

  test("a single value, NaN, infinities, nodata and colour", async () => {
    const data = Float32Array.of(2.5, Number.NaN, 2.5, Number.POSITIVE_INFINITY, 2.5, -9);
    const one = await engine.histogram({ data, width: 3, height: 2, nodata: -9 });
    expect(one).toEqual({
      counts: Float64Array.of(3),
      edges: Float64Array.of(2.5, 3.5),
      otsu: 2.5,
      min: 2.5,
      max: 2.5,
    });
    const rgb = Uint8Array.of(10, 20, 30, 200, 100, 0);
    const luma = await engine.histogram({ data: rgb, width: 2, height: 1 });
    expect([luma.counts[18], luma.counts[119], luma.min, luma.max]).toEqual([1, 1, 18, 119]);
    await expect(engine.histogram({ data, width: 3, height: 2 }, { bins: 0 })).rejects.toThrow(
      "Expected bins to be a whole number from 1",
    );
    const none = new Float32Array(6).fill(Number.NaN);
    await expect(engine.histogram({ data: none, width: 3, height: 2 })).rejects.toThrow("at least one finite value");
  });

  test("a fence: pixels outside are background, and no border", async () => {
    const data = new Uint8Array(20 * 12).fill(1);
    // A ring with a hole of zeros, wholly inside the fence's columns 4 to 15.
    for (const y of [5, 6]) data.fill(0, y * 20 + 8, y * 20 + 11);
    const words = 1;
    const bits = new Uint32Array(words * 12);
    for (let y = 2; y < 10; y++) for (let x = 4; x < 16; x++) bits[y] = bits[y] | (1 << x);
    const within = { bits, width: 20, height: 12 };
    const raster = { data, width: 20, height: 12 };
    const found = await engine.components(raster, { within });
    expect([found.count, found.foreground]).toEqual([1, 96 - 6]);
    const kept = await engine.components(raster, { within, fillHoles: true, clearBorder: true });
    expect([kept.count, kept.foreground]).toEqual([1, 96]);
    const areas = await engine.components(raster, { within, by: "value", background: null });
    expect([areas.count, areas.foreground]).toEqual([2, 96]);
    const two = await engine.components(
      { ...raster, data: data.map((v, i) => (v ? (i % 20 < 10 ? 90 : 10) : 50)) },
      { within, threshold: { outside: [20, 80] } },
    );
    expect([two.count, two.polarity, two.foreground]).toEqual([2, "both", 90]);
    const image = await engine.load(raster);
    expect((await engine.components(image, { within })).foreground).toBe(90);
    await expect(engine.components(raster, { within: { ...within, width: 19 } })).rejects.toThrow(
      "Expected within to be 20 x 12",
    );
    await expect(engine.components(within, { within })).rejects.toThrow("Expected no within with a mask");
  });
});
