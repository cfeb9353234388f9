// Smoothing, flattening, stains and local thresholds beside SciPy and scikit-image, and flattening beside plain loops.

import { type Engine, type Image, open, type PixelArray, type Raster, type SmoothOptions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

const NUMPY = { u8: "uint8", u16: "uint16", i16: "int16", f32: "float32" } as const;
const TYPES = ["u8", "u16", "i16", "f32"] as const;
type Type = (typeof TYPES)[number];

const SIZES = [
  { width: 133, height: 70, depth: 1 },
  { width: 37, height: 21, depth: 9 },
  { width: 1, height: 90, depth: 1 },
];

/** Steps of a staircase under noise. */
function picture(type: Type, { width, height, depth }: (typeof SIZES)[number]): Raster & { data: PixelArray } {
  const next = random(7);
  const [least, range] = { u8: [0, 256], u16: [0, 65536], i16: [-32768, 65536], f32: [-3, 1000] }[type];
  const array = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, f32: Float32Array }[type];
  const data = new array(width * height * depth);
  for (let at = 0; at < data.length; at++) {
    const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    const level = (((x >> 4) + (y >> 3) + z) % 5) / 6 + (next() / 2 ** 32) * 0.3;
    data[at] = Math.min(0.9999, level) * range + least;
  }
  return { data, width, height, depth };
}

/** The values of an image. */
async function valuesOf(image: Image): Promise<Float64Array> {
  const { data, width, height, depth, channels } = await image.toRaster();
  expect([width, height, depth, channels]).toEqual([image.width, image.height, image.depth, image.channels]);
  const into = (data as Uint8Array).slice().fill(1);
  expect((await image.toRaster({ into })).data).toBe(into);
  expectSame(into, data);
  await expect(image.toRaster({ into: into.subarray(1) })).rejects.toThrow(
    `Expected into to be an array of ${into.length} values of the type ${image.type}`,
  );
  return Float64Array.from(data);
}

function floats(bytes: Buffer): Float64Array {
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: PixelArray): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** Sigmas, and the largest error of u8: half a level is that of rounding alone. */
const SIGMAS = [
  ...[0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5].map((sigma) => [sigma, 0.56] as const),
  ...[3, 4, 5, 6, 7, 8].map((sigma) => [sigma, 0.65] as const),
  ...[9, 12, 17, 24, 35, 50].map((sigma) => [sigma, 0.51] as const),
];

/** The exact Gaussian, cut at 4 sigma, in doubles. */
function gaussianOf(data: ArrayLike<number>, width: number, height: number, sigma: number): Float64Array {
  const radius = Math.floor(4 * sigma + 0.5);
  const weights = Array.from({ length: 2 * radius + 1 }, (_, i) => Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)));
  const sum = weights.reduce((a, b) => a + b);
  const mirror = (i: number, n: number): number => {
    const at = ((i % (2 * n)) + 2 * n) % (2 * n);
    return at < n ? at : 2 * n - 1 - at;
  };
  let values = Float64Array.from(data);
  for (const [step, side] of [
    [1, width],
    [width, height],
  ] as const) {
    const before = values;
    values = before.map((_, i) => {
      const at = Math.floor(i / step) % side;
      let mean = 0;
      for (let k = -radius; k <= radius; k++) {
        mean += weights[k + radius] * before[i + (mirror(at + k, side) - at) * step];
      }
      return mean / sum;
    });
  }
  return values;
}

const CASES = SIZES.flatMap((size, i) => TYPES.map((type) => ({ ...size, type, name: `${type} ${i}` })));

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(CASES)(
    "smoothing of $name is SciPy's gaussian_filter, within its bound",
    async ({ type, name, ...size }) => {
      const raster = picture(type, size);
      const script = `import sys, numpy as np
from scipy import ndimage
a = np.frombuffer(sys.stdin.buffer.read(), np.${NUMPY[type]}).reshape(${size.depth}, ${size.height}, ${size.width}).astype(np.float64)
for s in [(0.7, 0.7, 0.7), (0, 5, 1.5)]:
  sys.stdout.buffer.write(ndimage.gaussian_filter(a, s, mode="reflect").tobytes())`;
      const answer = floats(
        golden(`smooth-scipy-${name.replace(" ", "-")}`, { modules: "scipy", script, input: bytesOf(raster.data) }),
      );
      const bound = { u8: 0.6, u16: 2, i16: 2, f32: 4e-3 }[type];
      for (const [i, sigma] of [0.7, size.depth > 1 ? ([1.5, 5, 0] as const) : ([1.5, 5] as const)].entries()) {
        const image = await engine.smooth(raster, { sigma });
        const found = await valuesOf(image);
        const expected = answer.subarray(i * raster.data.length, (i + 1) * raster.data.length);
        expect(found.reduce((worst, v, at) => Math.max(worst, Math.abs(v - expected[at])), 0)).toBeLessThan(bound);
        image.dispose();
      }
    },
  );

  test("u8 of 20 sigmas differs from the exact Gaussian by less than a level, and one value stays", async () => {
    const next = random(21);
    const [width, height] = [90, 61];
    // Noise of two values beside a slope, which would show steps.
    const data = Uint8Array.from({ length: width * height }, (_, i) =>
      i % width < 40 ? (next() >>> 31) * 255 : ((i % width) - 40) * 5,
    );
    for (const [sigma, most] of SIGMAS) {
      const image = await engine.smooth({ data, width, height }, { sigma });
      const found = await valuesOf(image);
      const exact = gaussianOf(data, width, height, sigma);
      const worst = found.reduce((most, v, at) => Math.max(most, Math.abs(v - exact[at])), 0);
      expect([sigma, worst < most], `${worst}`).toEqual([sigma, true]);
      image.dispose();
      for (const value of [1, 77, 254, 255]) {
        const flat = await engine.smooth({ data: data.map(() => value), width, height }, { sigma });
        expect(new Set(await valuesOf(flat))).toEqual(new Set([value]));
        flat.dispose();
      }
    }
  });

  test("smoothing of integers is bit for bit that of one thread, whatever the type, the sigma and the size", async () => {
    const alone = await open({ device: "cpu", threads: 1 });
    const next = random(99);
    for (const [type, size, sigma] of [
      ["u8", { width: 130, height: 40, channels: 3 }, [22, 9, 0]],
      ["u8", { width: 33, height: 21, depth: 7 }, [40, 3, 12]],
      ["u16", { width: 257, height: 19 }, [2, 0.7, 0]],
      ["u16", { width: 51, height: 33, channels: 4 }, [0, 30, 0]],
      ["i16", { width: 21, height: 15, depth: 9 }, [1.5, 8, 3]],
      ["i16", { width: 1, height: 64 }, [3, 25, 0]],
    ] as const) {
      const { width, height, depth = 1, channels = 1 } = size as { depth?: number; channels?: number } & typeof size;
      // Ends of the range beside each other, where sums are largest.
      const ends = { u8: [0, 255], u16: [0, 65535], i16: [-32768, 32767] }[type];
      const noise = Int32Array.from({ length: width * height * depth * channels }, () => {
        const bits = next();
        return bits >>> 30 === 0 ? ends[bits & 1] : ends[0] + ((bits >>> 8) % (ends[1] - ends[0] + 1));
      });
      const data = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array }[type].from(noise);
      const raster = { data, width, height, channels, ...(depth > 1 ? { depth } : {}) };
      const sigmas = { sigma: depth > 1 ? sigma : sigma.slice(0, 2) } as SmoothOptions;
      const [one, other] = [await alone.smooth(raster, sigmas), await engine.smooth(raster, sigmas)];
      expect(await valuesOf(other), `${type} ${sigma}`).toEqual(await valuesOf(one));
      one.dispose();
      other.dispose();
    }
    await alone.close();
  });

  test("smoothing is the same of an array, of a source that is read in parts, and of an image that was loaded", async () => {
    // Several tiles of a row, and on the CPU several parts that arrive one after another.
    const [width, height] = options.device === "gpu" ? [4500, 20] : [4500, 1100];
    const next = random(5);
    for (const [data, sigma] of [
      [Uint8Array.from({ length: width * height }, () => next() >>> 24), 3],
      [Uint16Array.from({ length: width * height }, () => next() >>> 16), 1],
    ] as const) {
      const raster = { data, width, height };
      const type = data instanceof Uint8Array ? "u8" : "u16";
      let largest = 0;
      const read = (_z0: number, _z1: number, y0: number, y1: number, into: PixelArray): void => {
        largest = Math.max(largest, y1 - y0);
        (into as Uint8Array).set(data.subarray(y0 * width, y1 * width));
      };
      const loaded = await engine.load(raster);
      const [first, second, third] = [raster, { width, height, type, read } as const, loaded].map((input) =>
        engine.smooth(input, { sigma }),
      );
      const { data: expected } = await (await first).toRaster();
      expectSame((await (await second).toRaster()).data, expected);
      expectSame((await (await third).toRaster()).data, expected);
      if (options.device !== "gpu") expect(largest).toBeLessThan(height);
      for (const image of [loaded, await first, await second, await third]) image.dispose();
    }
    const signal = AbortSignal.abort();
    const data = new Uint8Array(width * height);
    await expect(engine.smooth({ data, width, height }, { sigma: 9, signal })).rejects.toThrow();
  });

  test("smoothing goes channel by channel, in physical units, and leaves single pixels alone", async () => {
    const { data, width, height } = picture("u8", { width: 60, height: 50, depth: 1 });
    const colour = { data: Uint8Array.from({ length: 9000 }, (_, i) => data[i % 3000]), width, height, channels: 3 };
    const all = await engine.smooth({ ...colour, spacing: [2, 0.5] }, { sigma: 2, physical: true });
    for (const channel of [0, 1, 2]) {
      const one = { data: data.map((_, i) => colour.data[3 * i + channel]), width, height };
      const alone = await engine.smooth(one, { sigma: [1, 4] });
      const plane = await engine.channel(all, channel);
      expectSame(await valuesOf(plane), await valuesOf(alone));
    }
    const none = await engine.smooth({ data, width: 60, height: 50 }, { sigma: 0.1 });
    expectSame(await valuesOf(none), Float64Array.from(data));
  });

  test.each([...CASES.filter(({ depth, type }) => depth === 1 || type === "u8")])(
    "flattening of $name is v less or over the mean of its window",
    async ({ type, ...size }) => {
      const raster = picture(type, size);
      const { width, height, depth } = size;
      const radius = 3;
      const mirror = (i: number, n: number): number => {
        const at = ((i % (2 * n)) + 2 * n) % (2 * n);
        return at < n ? at : 2 * n - 1 - at;
      };
      const around = Array.from({ length: 2 * radius + 1 }, (_, i) => i - radius);
      const slices = depth > 1 ? around : [0];
      const mean = Float64Array.from(raster.data, (_, at) => {
        const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
        let sum = 0;
        for (const dz of slices)
          for (const dy of around)
            for (const dx of around)
              sum +=
                raster.data[(mirror(z + dz, depth) * height + mirror(y + dy, height)) * width + mirror(x + dx, width)];
        return sum / (around.length ** 2 * slices.length);
      });
      const [least, most, middle] = {
        u8: [0, 255, 128],
        u16: [0, 65535, 32768],
        i16: [-32768, 32767, 0],
        f32: [0, 0, 0],
      }[type];
      const clamped = (v: number): number => Math.max(least, Math.min(most, v));
      for (const method of type === "i16" ? (["subtract"] as const) : (["subtract", "divide"] as const)) {
        const image = await engine.flatten(raster, { radius, method });
        const found = await valuesOf(image);
        const expected = mean.map((m, at) => {
          const v = raster.data[at];
          if (type === "f32") return method === "subtract" ? v - m : v / m;
          return clamped(method === "subtract" ? v - Math.floor(m + 0.5) + middle : Math.floor((v * middle) / m + 0.5));
        });
        const worst = found.reduce((most, v, at) => Math.max(most, Math.abs(v - expected[at])), 0);
        expect(worst).toBeLessThan(type === "f32" ? 4e-3 : 1e-9);
        image.dispose();
      }
    },
  );

  test.each([...CASES])(
    "the gradient of $name is SciPy's, by Sobel exactly and of a Gaussian within its bound",
    async ({ type, name, ...size }) => {
      const raster = picture(type, size);
      const { width, height, depth } = size;
      const shape = depth > 1 ? `(${depth}, ${height}, ${width})` : `(${height}, ${width})`;
      const script = `import sys, numpy as np
from scipy.ndimage import correlate1d, gaussian_filter, sobel
given = np.frombuffer(sys.stdin.buffer.read(), np.${NUMPY[type]}).reshape(${shape}).astype(float)
axes = range(given.ndim)
root = lambda parts: np.sqrt(sum(part ** 2 for part in parts))
soft = gaussian_filter(given, 1.5, mode="reflect")
for found in (root([sobel(given, axis) for axis in axes]), root([correlate1d(soft, [-1, 0, 1], axis) for axis in axes]) / 2):
    sys.stdout.buffer.write(found.astype(float).tobytes())`;
      const answer = floats(
        golden(`gradient-scipy-${name.replace(" ", "-")}`, { modules: "scipy", script, input: bytesOf(raster.data) }),
      );
      const roots = answer.subarray(0, raster.data.length);
      const slopes = answer.subarray(raster.data.length);
      const over = depth > 1 ? 32 : 8;
      const sobel = await engine.gradient(raster, { by: "sobel" });
      expect(sobel.type).toBe("f32");
      const found = await valuesOf(sobel);
      if (type === "f32")
        expectSame(
          found,
          Float64Array.from(roots, (root) => root / over),
          2e-3,
        );
      else
        expectSame(
          found,
          Float64Array.from(roots, (root) => Math.round(root) / over),
        );
      const soft = await valuesOf(await engine.gradient(raster, { by: 1.5 }));
      const worst = soft.reduce((most, v, at) => Math.max(most, Math.abs(v - slopes[at])), 0);
      // Means at 16 bits, and a root that is rounded: of u8 in 512ths.
      expect(worst).toBeLessThan({ u8: 0.02, u16: 4, i16: 4, f32: 1e-2 }[type]);
      sobel.dispose();
    },
  );

  test("gradients of floats are 0 where nothing changes, NaN at what is not finite, and finite of large numbers", async () => {
    for (const depth of [1, 4]) {
      const size = { width: 11, height: 13, depth };
      const constant = new Float32Array(11 * 13 * depth);
      for (const value of [0.1, -0.7, 3e38]) {
        const flat = await engine.gradient({ ...size, data: constant.fill(value) }, { by: "sobel" });
        expect(Math.max(...(await valuesOf(flat)))).toBe(0);
        flat.dispose();
      }
      const none = await engine.components({ ...size, data: constant.fill(0.1) }, { gradient: "sobel" });
      expect(none.count).toBe(0);
      // A step: only the pixels at its two sides have a gradient.
      const step = constant.map((_, at) => (at % 11 < 5 ? 0.1 : 0.7));
      const found = await valuesOf(await engine.gradient({ ...size, data: step }, { by: "sobel" }));
      expect(found.every((value, at) => value > 0 === (at % 11 === 4 || at % 11 === 5))).toBe(true);
      // What SciPy's sobel gives: 0 times NaN is NaN, and 0 times infinity.
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const middle = 11 * (6 + 13 * (depth >> 1)) + 5;
        const holed = { ...size, data: step.with(middle, value) };
        for (const by of ["sobel", 0.1] as const) {
          expect((await valuesOf(await engine.gradient(holed, { by })))[middle]).toBeNaN();
        }
        const objects = await engine.components(holed, { gradient: "sobel", threshold: { above: 0.05 } });
        expect((await objects.labels()).data[middle]).toBe(0);
      }
    }
  });

  test("gradients do not depend on threads or devices, nor on rows that are no whole vectors; components take them in turn", async () => {
    const alone = await open({ device: "cpu", threads: 1 });
    const next = random(5);
    for (const [width, height, depth] of [
      [1, 1, 1],
      [3, 1, 1],
      [5, 67, 1],
      [130, 3, 1],
      [31, 14, 5],
      [2, 2, 2],
    ] as const) {
      for (const array of [Uint8Array, Uint16Array, Int16Array, Float32Array] as const) {
        const data = new array(width * height * depth).map(
          () => (next() >>> 16) % (array === Uint8Array ? 256 : 65536),
        );
        const raster = { data, width, height, depth, spacing: [2, 2, 2] } as Raster;
        for (const options of [{ by: "sobel" }, { by: 0.7 }, { by: 6, physical: true }] as const) {
          const [one, other] = [await alone.gradient(raster, options), await engine.gradient(raster, options)];
          expectSame(await valuesOf(other), await valuesOf(one));
          one.dispose();
          other.dispose();
        }
      }
    }
    await alone.close();
    const data = Uint8Array.from({ length: 80 * 60 * 3 }, (_, i) => ((i >> 9) % 3) * 60 + (next() >>> 28));
    const photo = { data, width: 80, height: 60, channels: 3 };
    const once = await engine.components(photo, { smooth: 1, gradient: "sobel", flatten: 20, threshold: "otsu" });
    const grey = await engine.channel(photo, "luma");
    const soft = await engine.smooth(grey, { sigma: 1 });
    const slope = await engine.gradient(soft, { by: "sobel" });
    const even = await engine.flatten(slope, { radius: 20 });
    const after = await engine.components(even, { threshold: "otsu" });
    expect(once.threshold).toBe(after.threshold);
    expectSame((await once.labels()).data, (await after.labels()).data);
    await expect(engine.gradient(photo, { by: 0 })).rejects.toThrow(
      'Expected by to be "sobel", or a sigma of more than 0, got 0',
    );
    await expect(engine.components(photo, { gradient: "canny" as never })).rejects.toThrow("Expected gradient to be");
    await expect(engine.gradient({ ...photo, data: new Uint32Array(data) }, { by: "sobel" })).rejects.toThrow("u32");
    await expect(engine.gradient({ ...photo, nodata: 3 }, { by: "sobel" })).rejects.toThrow("nodata");
  });

  test.each(CASES.filter(({ type }) => type !== "f32"))(
    "local thresholds of $name are scikit-image's",
    async ({ type, name, ...size }) => {
      const raster = picture(type, size);
      const { width, height, depth } = size;
      const r = type === "u8" ? 128 : 32768;
      const script = `import sys, numpy as np
from skimage.filters import threshold_local, threshold_sauvola
a = np.frombuffer(sys.stdin.buffer.read(), np.${NUMPY[type]}).reshape(${depth > 1 ? `${depth}, ` : ""}${height}, ${width})
for n in (3, 11):
  sys.stdout.buffer.write(threshold_local(a.astype(float), n, method="mean", offset=4).astype(float).tobytes())
  sys.stdout.buffer.write(threshold_sauvola(a, n, k=0.2, r=${r}).astype(float).tobytes())`;
      const answer = floats(
        golden(`local-scikit-image-${name.replace(" ", "-")}`, {
          modules: "skimage",
          script,
          input: bytesOf(raster.data),
        }),
      );
      const rules = [1, 5].flatMap((radius) => [
        { radius, offset: 4, method: "mean" as const },
        { radius, method: "sauvola" as const },
      ]);
      for (const [i, local] of rules.entries()) {
        const values = answer.subarray(i * raster.data.length, (i + 1) * raster.data.length);
        // The threshold of bright objects is reflected at the mean: with the sign turned it is scikit-image's.
        const turned = local.method === "sauvola" ? { ...local, k: -0.2 } : { ...local, offset: -local.offset };
        const bright = await engine.components(raster, { threshold: { local: turned } });
        const dark = await engine.components(raster, { threshold: { local }, polarity: "dark" });
        expect(bright.foreground + dark.foreground).toBe(raster.data.length);
        const { data: labels } = await bright.labels();
        const far = raster.data.map((v, at) =>
          Number(v > values[at] !== labels[at] > 0 && Math.abs(v - values[at]) > 1e-3),
        );
        expect(far.indexOf(1)).toBe(-1);
        bright.dispose();
        dark.dispose();
      }
    },
  );

  test("windows of wide images, and pixels that all lie at their threshold, are those of plain loops", async () => {
    const next = random(31);
    const mirror = (i: number, n: number, edge: boolean): number => {
      if (n === 1) return 0;
      const period = edge ? 2 * n : 2 * n - 2;
      const at = ((i % period) + period) % period;
      return at < n ? at : 2 * n - (edge ? 1 : 2) - at;
    };
    /** Sums of values, or of their squares, in the window of each pixel. */
    const sumsOf = (data: Uint8Array, width: number, radius: number, edge: boolean, squares: boolean): Float64Array => {
      const height = data.length / width;
      const along = new Float64Array(data.length);
      const sums = new Float64Array(data.length);
      for (const [from, to, step, side] of [
        [data, along, 1, width],
        [along, sums, width, height],
      ] as const) {
        for (let i = 0; i < data.length; i++) {
          const at = Math.floor(i / step) % side;
          for (let k = -radius; k <= radius; k++) {
            const v = from[i + (mirror(at + k, side, edge) - at) * step];
            to[i] = to[i] + (squares && step === 1 ? v * v : v);
          }
        }
      }
      return sums;
    };
    const wide = Uint8Array.from({ length: 1301 * 70 }, (_, i) => ((i >> 6) % 9) * 20 + (next() >>> 27));
    // k of 2^-20 lowers the threshold of one value by less than floats tell apart.
    for (const [data, width, radius, k] of [
      [wide, 1301, 9, 0.3],
      [new Uint8Array(400 * 380).fill(200), 400, 4, 2 ** -20],
    ] as const) {
      const height = data.length / width;
      const n = (2 * radius + 1) ** 2;
      const own = sumsOf(data, width, radius, true, false);
      const flat = await engine.flatten({ data, width, height }, { radius });
      const expected = own.map((sum, i) => Math.max(0, Math.min(255, data[i] - Math.floor(sum / n + 0.5) + 128)));
      expectSame(await valuesOf(flat), expected);
      flat.dispose();
      const [sums, squares] = [false, true].map((each) => sumsOf(data, width, radius, false, each));
      const isBelow = {
        mean: (i: number): boolean => data[i] * n - own[i] <= -3 * n,
        sauvola: (i: number): boolean => {
          const spread = Math.floor(Math.sqrt(n * squares[i] - sums[i] ** 2) * 256) / 256;
          return n * data[i] <= sums[i] + sums[i] * (Math.round(k * 2 ** 20) / 2 ** 20) * (spread / (n * 128) - 1);
        },
      };
      for (const method of ["mean", "sauvola"] as const) {
        const local = method === "mean" ? { radius, method, offset: 3 } : { radius, method, k };
        const found = await engine.components({ data, width, height }, { threshold: { local }, polarity: "dark" });
        const { data: labels } = await found.labels();
        expect([method, labels.findIndex((label, i) => label > 0 !== isBelow[method](i))]).toEqual([method, -1]);
        found.dispose();
      }
    }
  });

  test("stains are those of rgb2hed; a channel of that name is the same plane", async () => {
    const next = random(3);
    const data = Uint8Array.from({ length: 64 * 40 * 3 }, () => next() >>> 24);
    const script = `import sys, numpy as np
from skimage.color import rgb2hed
sys.stdout.buffer.write(rgb2hed(np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(40, 64, 3)).astype(float).tobytes())`;
    const expected = floats(golden("stains-scikit-image", { modules: "skimage", script, input: data }));
    const slide = { data, width: 64, height: 40, channels: 3 };
    const planes = await engine.unmix(slide);
    expect(planes.length).toBe(3);
    for (const [i, plane] of planes.entries()) {
      const found = await valuesOf(plane);
      expectSame(
        found,
        found.map((_, at) => Math.fround(expected[3 * at + i])),
        1e-6,
      );
    }
    const deep = { ...slide, data: Uint16Array.from(data, (v) => v * 257) };
    expectSame(await valuesOf((await engine.unmix(deep))[1]), await valuesOf(planes[1]), 1e-6);
    const named = await engine.channel(slide, "dab");
    expectSame(await valuesOf(named), await valuesOf(planes[2]));
    const two = await engine.unmix(slide, {
      stains: [
        [0.65, 0.7, 0.29],
        [0.07, 0.99, 0.11],
      ],
    });
    expect(two.length).toBe(2);
  });

  test("channel, smooth and flatten of components are those calls one after another", async () => {
    const next = random(11);
    const data = Uint8Array.from({ length: 90 * 70 * 3 }, (_, i) => ((i >> 8) % 5) * 40 + (next() >>> 27));
    const photo = { data, width: 90, height: 70, channels: 3 };
    const given = { channel: "green", smooth: 1.2, flatten: 9 } as const;
    const once = await engine.components(photo, { ...given, threshold: "otsu" });
    const green = await engine.channel(photo, "green");
    const soft = await engine.smooth(green, { sigma: 1.2 });
    const even = await engine.flatten(soft, { radius: 9 });
    const after = await engine.components(even, { threshold: "otsu" });
    expect(once.threshold).toBe(after.threshold);
    expectSame((await once.labels()).data, (await after.labels()).data);
    const luma = await engine.components(photo, { smooth: 2, threshold: { above: 90 } });
    const grey = await engine.smooth(await engine.channel(photo, "luma"), { sigma: 2 });
    expect(luma.foreground).toBe((await engine.components(grey, { threshold: { above: 90 } })).foreground);
  });

  test("wrong options are refused", async () => {
    const image = { data: new Uint8Array(12), width: 4, height: 3 };
    await expect(engine.smooth(image, { sigma: -1 })).rejects.toThrow("Expected sigma to be a number of 0 or more");
    await expect(engine.smooth(image, {} as never)).rejects.toThrow("sigma");
    await expect(engine.smooth({ ...image, nodata: 3 }, { sigma: 1 })).rejects.toThrow("nodata");
    await expect(engine.smooth({ ...image, data: new Uint32Array(12) }, { sigma: 1 })).rejects.toThrow("u32");
    await expect(engine.flatten(image, { radius: 0 })).rejects.toThrow("radius");
    await expect(engine.unmix(image)).rejects.toThrow("3 or 4 channels");
    const local = { radius: 2, method: "mean", k: 1 } as never;
    await expect(engine.components(image, { threshold: { local } })).rejects.toThrow('radius, method, offset, got "k"');
    await expect(
      engine.unmix(
        { ...image, data: new Uint8Array(36), channels: 3 },
        {
          stains: [
            [1, 0, 0],
            [2, 0, 0],
          ],
        },
      ),
    ).rejects.toThrow("different colours");
    await expect(engine.components({ bits: new Uint32Array(3), width: 4, height: 3 }, { smooth: 1 })).rejects.toThrow(
      "Expected no smooth with a mask.",
    );
  });
});
