// Frames against components() and regions() of each picture, with many objects after few, on every device.

import { type Engine, type FramesOptions, open, type PixelArray, type RegionProperty } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("components");
const next = random(12);

/** A picture of values up to below 256, of which a share is noise. */
function picture(type: "u8" | "u16" | "f32", length: number, share: number): PixelArray {
  const values = Array.from({ length }, (_, at) => (next() % 1000 < share * 1000 ? next() % 256 : 100 + (at % 5)));
  return new { u8: Uint8Array, u16: Uint16Array, f32: Float32Array }[type](values);
}

const CASES: readonly Omit<FramesOptions<RegionProperty>, "width" | "height" | "type">[] = [
  { threshold: { above: 150 } },
  { threshold: { outside: [60, 150] }, connectivity: 8, minArea: 2, maxArea: 30 },
  { threshold: { below: 60 }, properties: ["area"] },
  { threshold: { between: [90, 110] }, connectivity: 8, properties: ["centroid", "bounds"] },
  { threshold: "otsu", fillHoles: true, properties: ["area", "mean", "perimeter"] },
  { by: { tolerance: 3 }, minArea: 5 },
];

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(CASES)("frames equal single calls: %j", async (wanted) => {
    for (const [type, width, height] of [
      ["u8", 67, 41],
      ["u16", 64, 30],
      ["f32", 130, 9],
      ["u8", 1, 1],
    ] as const) {
      using frames = await engine.frames({ ...wanted, width, height, type });
      for (const share of [0, 0.02, 1, 0.5, 0.02]) {
        const data = picture(type, width * height, share);
        const found = share === 0.5 ? await fromOwn(frames, data) : await frames.measure(data);
        const { properties = ["area", "bounds", "centroid"], ...finding } = wanted;
        using whole = await engine.components({ data, width, height }, finding);
        const expected = await whole.regions({ properties, intensity: { data, width, height } });
        expect(Object.keys(found).toSorted()).toEqual(Object.keys(expected).toSorted());
        for (const [name, values] of Object.entries(expected)) {
          if (typeof values === "number") expect(found[name as "count"]).toBe(values);
          else expectSame(found[name as "area"] as Uint32Array, values as Uint32Array);
        }
      }
    }
    await expect.poll(() => engine.describe().memory.used).toBe(0);
  });

  test("a frame may have more objects than there is room for at first, and be as large as a plan takes", async () => {
    const [width, height] = [1024, 1024];
    const data = Uint8Array.from({ length: width * height }, (_, at) =>
      Number(at % 2 === 0 && Math.floor(at / width) % 2 === 0),
    );
    using frames = await engine.frames({ width, height, type: "u8" });
    expect((await frames.measure(new Uint8Array(width * height))).count).toBe(0);
    const { count, area, centroid } = await frames.measure(data);
    expect([count, area[count - 1], centroid[2 * count - 1]]).toEqual([262_144, 1, 1022]);
  });
});

/** Measures pixels that are written into the plan's own memory. */
function fromOwn<T>(frames: { readonly data: PixelArray; measure(): Promise<T> }, data: PixelArray): Promise<T> {
  frames.data.set(data);
  return frames.measure();
}

describe("frames", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({ device: "cpu" });
  });
  afterAll(() => engine.close());

  test.each([
    [{}, "type"],
    [{ width: 4, height: 2 }, "type"],
    [{ width: 4, height: 2, type: "u8", treshold: 1 }, 'did you mean "threshold"'],
    [{ width: 4, height: 2, type: "u8", properties: ["size"] }, "size"],
    [{ width: 4, height: 2, type: "u8", properties: [] }, "a list of properties"],
    [{ width: 4, height: 2, type: "u8", connectivity: 6 }, "connectivity"],
    [{ width: 4, height: 2, type: "u8", minArea: 5, maxArea: 2 }, "minArea"],
  ])("refuses %j", async (options, words) => {
    await expect(engine.frames(options as FramesOptions)).rejects.toThrow(words);
  });

  test("refuses frames of another length or type, and after dispose()", async () => {
    const frames = await engine.frames({ width: 4, height: 2, type: "u8" });
    await expect(frames.measure(new Uint8Array(9))).rejects.toThrow("a frame of 8 values of u8");
    await expect(frames.measure(new Uint16Array(8))).rejects.toThrow("a frame of 8 values of u8");
    await expect(frames.measure(new Uint8Array(8), { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
      "stop",
    );
    frames.dispose();
    frames.dispose();
    await expect(frames.measure(new Uint8Array(8))).rejects.toThrow("dispose");
    expect(engine.describe().memory.used).toBe(0);
  });

  test("calls may be made before others end", async () => {
    using frames = await engine.frames({ width: 64, height: 64, type: "u8", threshold: { above: 150 } });
    const pictures = Array.from({ length: 8 }, (_, i) => picture("u8", 4096, i / 8));
    const alone: number[] = [];
    for (const data of pictures) alone.push((await frames.measure(data)).count);
    const [together, others] = await Promise.all([
      Promise.all(pictures.map((data) => frames.measure(data))),
      Promise.all(
        pictures.map((data) => engine.components({ data, width: 64, height: 64 }, { threshold: { above: 150 } })),
      ),
    ]);
    expect(together.map(({ count }) => count)).toEqual(alone);
    expect(others.map(({ count }) => count)).toEqual(alone);
    for (const each of others) each.dispose();
  });
});
