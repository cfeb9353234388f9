// The channel "contrast" against exact Oklab in floating point, and against differences of one channel.

import { type Engine, open, type Raster } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("channel");

/** L, a, b of sRGB values of 0 to 1 (Ottosson 2020). */
function oklab(colour: readonly number[]): number[] {
  const [r, g, b] = colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The values of a plane of one channel, read as the labels of its values. */
async function valuesOf(engine: Engine, raster: Raster): Promise<number[]> {
  const plane = await engine.channel(raster, "contrast");
  const areas = await engine.components(plane, { by: "value", background: null });
  const { data } = await areas.labels();
  const { value = [] } = await areas.regions({ properties: ["area"] });
  areas.dispose();
  plane.dispose();
  return Array.from(data, (label) => value[label - 1]);
}

describe.each(DEVICES)("contrast on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each([
    ["u8", 3],
    ["u8", 4],
    ["u16", 3],
  ] as const)("of %s with %i channels is within 1 of the exact distance", async (type, channels) => {
    const [width, height] = [41, 30];
    const next = random(type.length * channels);
    const most = type === "u8" ? 255 : 65535;
    const data = (type === "u8" ? Uint8Array : (Uint16Array as unknown as Uint8ArrayConstructor)).from(
      { length: width * height * channels },
      () => next() % (most + 1),
    );
    // One colour on the frame, which is one sample wide, and so the median.
    const ground = [0.9, 0.8, 0.2].map((v) => Math.round(v * most));
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1) continue;
      for (let c = 0; c < 3; c++) data[at * channels + c] = ground[c];
    }
    const from = oklab(ground.map((v) => v / most));
    const found = await valuesOf(engine, { data, width, height, channels } as Raster);
    const far = found.map((value, at) => {
      const own = oklab([0, 1, 2].map((c) => data[at * channels + c] / most));
      return Math.abs(value - Math.min(255, 255 * Math.hypot(...own.map((v, i) => v - from[i]))));
    });
    expect(Math.max(...far)).toBeLessThanOrEqual(1);
    expect(found[0]).toBe(0);
  });

  test.each(["u8", "u16"] as const)("of one channel of %s is the difference from the frame's median", async (type) => {
    const [width, height] = [70, 66];
    const next = random(9);
    const data = (type === "u8" ? Uint8Array : (Uint16Array as unknown as Uint8ArrayConstructor)).from(
      { length: width * height },
      () => next() % 251,
    );
    // 70 columns and 66 rows have a frame of two samples.
    const frame = Array.from(data).filter((_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    });
    const median = frame.sort((a, b) => a - b)[(frame.length - 1) >> 1];
    const found = await valuesOf(engine, { data, width, height });
    expect(found).toEqual(Array.from(data, (v) => Math.abs(v - median)));
  });

  test("objects of the ground's own brightness are found by their colour", async () => {
    const [width, height] = [32, 32];
    const data = new Uint8Array(width * height * 3).fill(200);
    // (200, 200, 200) and this yellow have nearly one luma.
    for (let y = 10; y < 20; y++) for (let x = 8; x < 20; x++) data.set([224, 210, 80], (y * width + x) * 3);
    const raster = { data, width, height };
    const bright = await engine.components(raster, { channel: "contrast", threshold: "otsu" });
    expect([bright.count, bright.foreground]).toEqual([1, 120]);
    bright.dispose();
  });

  test("a picture of one pixel is its own frame", async () => {
    expect(await valuesOf(engine, { data: Uint8Array.of(169), width: 1, height: 1 })).toEqual([0]);
    expect(await valuesOf(engine, { data: Uint8Array.of(54, 168, 215), width: 1, height: 1 })).toEqual([0]);
  });

  test("types without a contrast are refused", async () => {
    const raster = { data: new Float32Array(12), width: 2, height: 2, channels: 3 };
    await expect(engine.channel(raster, "contrast")).rejects.toThrow(
      'Expected a u8 or u16 raster for the channel "contrast", got f32.',
    );
    const holed = { data: new Uint8Array(4), width: 2, height: 2, nodata: 3 };
    await expect(engine.channel(holed, "contrast")).rejects.toThrow('Expected no nodata with the channel "contrast".');
  });
});
