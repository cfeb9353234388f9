// What goes in: every pixel type, channel count and threshold, masks, sources, loaded images and ImageData.

import { Engine, type Image, labelAt, open, type PixelArray, paint, type Source, type Threshold } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame, expectSameRegions } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("input");

const TYPES = {
  u8: { make: (n: number) => new Uint8Array(n), value: (r: number) => r & 255 },
  u16: { make: (n: number) => new Uint16Array(n), value: (r: number) => r & 65535 },
  i16: { make: (n: number) => new Int16Array(n), value: (r: number) => (r & 65535) - 32768 },
  f32: { make: (n: number) => new Float32Array(n), value: (r: number) => Math.fround((r / 2 ** 32 - 0.5) * 1000) },
} as const;
type Type = keyof typeof TYPES;

function pixels(type: Type, width: number, height: number, channels: number, seed = 1): PixelArray {
  const next = random(seed);
  const data = TYPES[type].make(width * height * channels);
  // Half zeros, so that nonzero has something to find.
  for (let i = 0; i < data.length; i++) data[i] = next() % 2 ? TYPES[type].value(next()) : 0;
  return data;
}

/** Foreground classes by definition. */
function classify(data: PixelArray, type: Type, channels: number, threshold: Threshold, dark: boolean): Uint8Array {
  const values = oracle.luma(data, channels, type === "f32");
  if (threshold === "nonzero") {
    return Uint8Array.from(values, (_, i) =>
      Array.from({ length: Math.min(3, channels) }, (_, c) => data[i * channels + c]).some((v) => v !== 0) ? 1 : 0,
    );
  }
  if (typeof threshold === "string") {
    if (threshold !== "otsu") throw new Error(`no oracle for ${threshold}; see threshold.test.ts`);
    const t = oracle.otsu(values);
    return Uint8Array.from(values, (v) => ((dark ? v <= t : v > t) ? 1 : 0));
  }
  return Uint8Array.from(values, (v) => {
    if ("above" in threshold) return v > threshold.above ? 1 : 0;
    if ("below" in threshold) return v < threshold.below ? 1 : 0;
    if ("between" in threshold) return v >= threshold.between[0] && v <= threshold.between[1] ? 1 : 0;
    if ("hysteresis" in threshold || "local" in threshold)
      throw new Error("no oracle here; see threshold.test.ts and light.test.ts");
    return v > threshold.outside[1] ? 1 : v < threshold.outside[0] ? 2 : 0;
  });
}

const THRESHOLDS: Threshold[] = [
  "nonzero",
  { above: 0 },
  { above: 17.5 },
  { above: -3 },
  { above: 1e9 },
  { above: -1e9 },
  { below: 0 },
  { below: 100 },
  { below: 100.25 },
  { between: [10, 90] },
  { between: [10.2, 10.4] },
  { between: [-200, 70] },
  { outside: [20, 180] },
  { outside: [-100, 100.5] },
];

describe.each(DEVICES)("input on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  describe.each(Object.keys(TYPES) as Type[])("%s", (type) => {
    test.each([1, 3, 4])("%i channels: every threshold", async (channels) => {
      for (const [width, height] of [
        [33, 20],
        [64, 9],
        [131, 77],
      ] as const) {
        const data = pixels(type, width, height, channels, width);
        const image = await engine.load({ data, width, height, channels });
        for (const threshold of THRESHOLDS) {
          const expected = oracle.label(classify(data, type, channels, threshold, false), width, height, 8);
          // A call takes SwiftShader 30 ms, so the GPU has each size one way.
          const inputs = [{ data, width, height }, image];
          for (const input of device.device === "gpu" ? [inputs[width % 2] as Image] : inputs) {
            const found = await engine.components(input, { threshold, connectivity: 8 });
            expectSame((await found.labels()).data, expected.labels);
            found.dispose();
          }
        }
        image.dispose();
      }
    });

    test("f32 and integers at the edge of a threshold", async () => {
      const at = type === "f32" ? [0.1, Math.fround(0.1), -0, 0, 2 ** -149, -(2 ** -149)] : [0, 1, 2, 100];
      const data = TYPES[type].make(at.length);
      data.set(at.map((v) => (type === "f32" ? Math.fround(v) : v)));
      for (const n of [...at, 0.5, 1.5]) {
        for (const threshold of [{ above: n }, { below: n }, { between: [n, n] as [number, number] }]) {
          const found = await engine.components({ data, width: 1, height: at.length }, { threshold });
          expect(found.foreground).toBe(classify(data, type, 1, threshold, false).reduce((a, b) => a + b, 0));
          found.dispose();
        }
      }
    });

    if (type !== "f32") {
      test.each([1, 3, 4])("Otsu's threshold on exact levels, %i channels", async (channels) => {
        const [width, height] = [61, 40];
        const next = random(9);
        const data = TYPES[type].make(width * height * channels);
        for (let i = 0; i < data.length; i++)
          data[i] = (next() % 3 ? 30 : 90) + (next() % 40) - (type === "i16" ? 70 : 0);
        const values = oracle.luma(data, channels, false);
        for (const polarity of ["bright", "dark"] as const) {
          const found = await engine.components({ data, width, height }, { threshold: "otsu", polarity });
          expect(found.threshold).toBe(oracle.otsu(values));
          const classes = classify(data, type, channels, "otsu", polarity === "dark");
          expectSame((await found.labels()).data, oracle.label(classes, width, height, 4).labels);
          found.dispose();
        }
      });
    }
  });

  test.each(["otsu", "li", "triangle"] as const)("%s on one level takes what is not 0", async (threshold) => {
    const flat = [
      new Uint8Array(60).fill(7),
      new Uint16Array(60).fill(65535),
      new Float32Array(60).fill(0.25),
      new Int16Array(60).fill(-32768),
      new Float32Array(60).fill(-3e38),
      new Uint32Array(60),
      new Int16Array(60),
    ];
    for (const data of flat) {
      const all = data[0] === 0 ? 0 : 60;
      for (const polarity of ["bright", "auto", "dark"] as const) {
        const found = await engine.components({ data, width: 10, height: 6 }, { threshold, polarity });
        const wanted = polarity === "dark" ? 60 - all : all;
        expect([polarity, data[0], found.foreground, found.count]).toEqual([
          polarity,
          data[0],
          wanted,
          Math.sign(wanted),
        ]);
        expect(found.polarity).toBe(polarity === "dark" ? "dark" : "bright");
        found.dispose();
      }
    }
  });

  test("a histogram over many bands counts every pixel", async () => {
    const [width, height] = device.device === "gpu" ? [1000, 1001] : [3000, 3001];
    const next = random(2);
    const data = new Uint8Array(width * height);
    for (let i = 0; i < data.length; i++) data[i] = (next() & 15) + (next() % 2 ? 100 : 0);
    data.fill(115, data.length - width);
    const counts = new Array<number>(256).fill(0);
    for (const v of data) counts[v] = counts[v] + 1;
    const found = await engine.components({ data, width, height }, { threshold: "otsu" });
    expect(found.threshold).toBe(15);
    expect(found.foreground).toBe(counts.slice(16).reduce((a, b) => a + b, 0));
    found.dispose();
  });

  test("ImageData as it is", async () => {
    // What a canvas hands out, alpha and all: red, transparent black, blue.
    const image = {
      data: new Uint8ClampedArray([255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 9, 0]),
      width: 3,
      height: 1,
      colorSpace: "srgb",
    };
    const found = await engine.components(image);
    expect([...(await found.labels()).data]).toEqual([1, 0, 2]);
    found.dispose();
  });

  test("a source in strips gives what the raster gives, into a sink in order", async () => {
    // Several bands each; a GPU in software is slow.
    const [width, height] = device.device === "gpu" ? [600, 400] : [1500, 2600];
    const data = pixels("u16", width, height, 1, 77);
    let reading = 0;
    const source: Source = {
      width,
      height,
      type: "u16",
      async read(z0, z1, y0, y1, into) {
        expect([z0, z1, ++reading]).toEqual([0, 1, 1]);
        await new Promise((resolve) => setTimeout(resolve, 1));
        (into as Uint16Array).set(data.subarray(y0 * width, y1 * width) as Uint16Array);
        reading--;
      },
    };
    for (const threshold of [{ above: 9000 }, "otsu"] as const) {
      const streamed = await engine.components(source, { threshold, minArea: 2 });
      const whole = await engine.components({ data, width, height }, { threshold, minArea: 2 });
      expect(streamed.count).toBe(whole.count);
      const labels = new Uint32Array(width * height);
      let next = 0;
      await streamed.labels({
        into: {
          async write(z0, z1, y0, y1, strip) {
            expect([z0, z1, y0, strip.length]).toEqual([0, 1, next, (y1 - y0) * width]);
            next = y1;
            await new Promise((resolve) => setTimeout(resolve, 1));
            labels.set(strip, y0 * width);
          },
        },
      });
      expect(next).toBe(height);
      expectSame(labels, (await whole.labels()).data);
      expectSameRegions(await streamed.regions(), await whole.regions());
      streamed.dispose();
      whole.dispose();
    }
  });

  test("arrays on shared memory, in and out", async () => {
    const [width, height] = [500, 900];
    const data = new Uint8Array(new SharedArrayBuffer(width * height));
    data.set(pixels("u8", width, height, 1) as Uint8Array);
    const found = await engine.components({ data, width, height });
    const into = new Uint32Array(new SharedArrayBuffer(4 * width * height));
    const { data: same } = await found.labels({ into });
    expect(same).toBe(into);
    expectSame(
      into,
      oracle.label(
        data.map((v) => (v ? 1 : 0)),
        width,
        height,
        4,
      ).labels,
    );
    found.dispose();
  });
});

test("Otsu equals scikit-image's threshold_otsu", async () => {
  const engine = await open({ device: "cpu", threads: 2 });
  const next = random(3);
  for (const [type, numpy] of [
    ["u8", "uint8"],
    ["u16", "uint16"],
    ["i16", "int16"],
    ["f32", "float32"],
  ] as const) {
    const data = TYPES[type].make(5000);
    for (let i = 0; i < data.length; i++) data[i] = (next() % 3 ? 30 : 110) + ((next() % 1000) / 1000) * 60;
    const found = await engine.components({ data, width: 50, height: 100 }, { threshold: "otsu" });
    const script = `import sys, numpy as np
from skimage.filters import threshold_otsu
print(float(threshold_otsu(np.frombuffer(sys.stdin.buffer.read(), np.${numpy}).reshape(100, 50))))`;
    const input = new Uint8Array(data.buffer);
    const output = golden(`otsu-scikit-image-${type}`, { modules: "skimage", script, input });
    expect(found.threshold).toBeCloseTo(Number(output.toString()), type === "f32" ? 4 : 9);
  }
  await engine.close();
});

test("mistakes of inputs are named, with the nearest right spelling", async () => {
  const engine = await open({ device: "cpu", threads: 1 });
  const image = { data: new Uint8Array(12), width: 4, height: 3 };
  const load = engine.load(image);
  const found = await engine.components(image);
  const words = { bits: new Uint32Array(3), width: 4, height: 3 };
  const refused = async (call: () => Promise<unknown>, message: string): Promise<void> => {
    await expect(call()).rejects.toThrow(message);
  };
  await refused(() => engine.components({ ...image, nodta: 20 } as never), 'got "nodta"; did you mean "nodata"?');
  await refused(() => engine.distance({ ...words, spacng: [2, 2] } as never), 'did you mean "spacing"?');
  await refused(() => engine.components(load as never), "Expected the raster, got a Promise");
  await refused(() => engine.components(image, { within: found.mask() as never }), "got a Promise");
  await refused(() => engine.components(image, { threshold: "otus" as never }), "did you mean otsu?");
  await refused(() => engine.components(image, { threshold: { abvoe: 5 } as never }), "did you mean above?");
  await refused(() => found.regions({ properties: ["sollidity" as never] }), 'did you mean "solidity"?');
  await refused(() => paint(image, [{ components: found, colour: 5, opacty: 0.5 } as never]), '"opacity"?');
  await refused(() => paint(image, undefined as never, 5), "Expected what is painted to be Components, got undefined.");
  const map = await engine.distance(image);
  await refused(() => map.over(words as never), "Expected components to be Components, got an object.");
  expect(() => labelAt(undefined as never, 1, 1)).toThrow("Expected runs in raster order");
  expect(() => new (Engine as unknown as new () => Engine)()).toThrow("Expected an engine from open()");
  // Other fields are the caller's own, even beside those of similar names.
  const own = await engine.components({ ...image, widths: 3, name: "cells" } as never);
  expect(own.width).toBe(4);
  await engine.close();
});
