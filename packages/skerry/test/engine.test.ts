// How an engine behaves: errors in one sentence, queued calls, abort, progress, timings, handles, memory.

import { Worker } from "node:worker_threads";
import * as names from "skerry";
import { DeviceLost, Engine, InvalidArgument, open, Unsupported } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CpuBackend, openCpu } from "../src/cpu/backend.js";
import { Router } from "../src/device/router.js";
import { expectSame } from "./support/same.js";
import { noise } from "./support/shapes.js";

const raster = { data: new Uint8Array(12).fill(1), width: 4, height: 3 };

describe("engine", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({ device: "cpu", threads: 2 });
  });
  afterAll(() => engine.close());

  test("the names for our own packages", async () => {
    const own = await import("../src/internal.js");
    expect(Object.keys(own).sort()).toMatchInlineSnapshot(`
      [
        "CHANNELS",
        "CLUSTER_METRICS",
        "COLOUR_METRICS",
        "COLOUR_SPACES",
        "COLOUR_STARTS",
        "CONNECTIVITIES",
        "DISTANCE_METRICS",
        "EDITS",
        "FILL_RANGES",
        "INTENSITY_FIELDS",
        "METHODS",
        "MOST_RADIUS",
        "PIXEL_RANGE",
        "POLARITIES",
        "PROJECTIONS",
        "PROPERTIES",
        "STAIN_NAMES",
        "SUGGESTED",
        "areObjectsDark",
        "chooseThreshold",
        "cocoRle",
        "cocoString",
        "countBelow",
        "defined",
        "factsOf",
        "isList",
        "isNonzeroGround",
        "isNumber",
        "isOfIntensity",
        "joinComponents",
        "lumaOf",
        "measureSpeeds",
        "meetingsAt",
        "nearest",
        "newPixels",
        "newSamples",
        "numberStrips",
        "objectSums",
        "sampledAxes",
        "stainWeights",
        "titleOf",
        "wholeRegions",
      ]
    `);
  });

  test("the public names", () => {
    expect(Object.keys(names).sort()).toMatchInlineSnapshot(`
      [
        "Components",
        "DeviceLost",
        "DistanceMap",
        "Engine",
        "Frames",
        "InvalidArgument",
        "LineStream",
        "OutOfMemory",
        "REGION_PROPERTIES",
        "SkerryError",
        "Unsupported",
        "Wand",
        "fromRle",
        "labelAt",
        "open",
        "paint",
        "recolour",
        "requestDevice",
        "toRle",
      ]
    `);
  });

  test.each<[string, unknown, object, string]>([
    ["no raster", undefined, {}, "Expected a raster, an image, a source or a mask, got undefined."],
    [
      "data of another type",
      { ...raster, data: [1, 2] },
      {},
      "Expected the raster to hold a Uint8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array or Float32Array in data, got [1, 2].",
    ],
    [
      "zero width",
      { ...raster, width: 0 },
      {},
      "Expected the width of the raster to be a whole number of at least 1, got 0.",
    ],
    [
      "fractional height",
      { ...raster, height: 1.5 },
      {},
      "Expected the height of the raster to be a whole number of at least 1, got 1.5.",
    ],
    ["too few values", { ...raster, channels: 3 }, {}, "Expected the raster to hold 4 x 3 x 3 = 36 values, got 12."],
    ["two channels", { data: new Uint8Array(24), width: 4, height: 3 }, {}, "Expected the raster of"],
    ["connectivity 6", raster, { connectivity: 6 }, "Expected connectivity to be 4 or 8 for a 2-D image, got 6."],
    [
      "an unknown threshold",
      raster,
      { threshold: "auto" },
      'Expected threshold to be "nonzero", "otsu", "li", "triangle" or one of { above }, { below }, { between }, { outside }, { hysteresis } and { local }, got "auto".',
    ],
    [
      "two thresholds",
      raster,
      { threshold: { above: 1, below: 2 } },
      'Expected threshold to be "nonzero", "otsu", "li", "triangle" or one of { above }, { below }, { between }, { outside }, { hysteresis } and { local }, got both above and below.',
    ],
    ["a threshold of text", raster, { threshold: { above: "7" } }, 'Expected threshold.above to be a number, got "7".'],
    [
      "an upside-down pair",
      raster,
      { threshold: { between: [9, 2] } },
      "Expected threshold.between to be a pair [lo, hi] with lo <= hi, got [9, 2].",
    ],
    [
      "dark without Otsu",
      raster,
      { polarity: "dark" },
      'Expected polarity "dark" only with threshold "otsu", "li", "triangle" or { local }; use { below: n } otherwise.',
    ],
    ["a negative area", raster, { minArea: -1 }, "Expected minArea to be 0 or more, got -1."],
    ["areas upside down", raster, { minArea: 9, maxArea: 3 }, "Expected minArea to be at most maxArea, got 9 and 3."],
    ["half a largest", raster, { largest: 0.5 }, "Expected largest to be a whole number of at least 1, got 0.5."],
    [
      "a short mask",
      { bits: new Uint32Array(2), width: 4, height: 3 },
      {},
      "Expected the bits of a mask of 4 x 3 to be a Uint32Array of 3 values, 32 pixels each and rows that begin anew, got one of 2.",
    ],
    [
      "a threshold for a mask",
      { bits: new Uint32Array(3), width: 4, height: 3 },
      { threshold: "otsu" },
      'Expected no threshold with a mask, got "otsu".',
    ],
  ])("%s", async (_, input, options, sentence) => {
    const call = engine.components(input as typeof raster, options);
    await expect(call).rejects.toThrow(InvalidArgument);
    await expect(call).rejects.toThrow(sentence);
    await expect(call).rejects.toHaveProperty("argument", expect.stringMatching(/\w/));
  });

  test("what is not there yet, or too large, is Unsupported", async () => {
    const volume = { data: new Uint8Array(24), width: 4, height: 3, depth: 2 };
    await expect(engine.wand(volume, { seeds: [[0, 0]] })).rejects.toThrow(Unsupported);
    const labels = { data: new Uint32Array(36), width: 4, height: 3 };
    await expect(engine.components(labels)).rejects.toThrow("Expected the raster to have 1 channel of u32, got 3.");
    const huge = { data: new Uint8Array(1), width: 65536, height: 65536 };
    await expect(engine.components(huge)).rejects.toThrow("larger ones go through as a Source");
  });

  test("a wrong option of open", async () => {
    await expect(open({ device: "cpu", threads: 0 })).rejects.toThrow(
      "Expected threads to be a whole number from 1 to 64, got 0.",
    );
    await expect(open({ device: "tpu" as "cpu" })).rejects.toThrow(
      'Expected device to be "auto", "cpu" or "gpu", got "tpu".',
    );
    await expect(open({ bindingBytes: 1 })).rejects.toThrow(
      "Expected bindingBytes to be a whole number of at least 65536",
    );
    await expect(open({ gpu: {} as GPU })).rejects.toThrow("Expected gpu to be a GPU or a GPUDevice, got an object.");
  });

  test("wrong options of the products", async () => {
    const found = await engine.components(raster);
    await expect(found.labels({ into: new Uint32Array(5) })).rejects.toThrow("Uint32Array of 12 values, got 5 values.");
    await expect(found.labels({ into: 7 as never })).rejects.toThrow(
      "Expected into to be a Sink or a Uint32Array of 12 values, got 7.",
    );
    await expect(found.regions({ properties: ["size" as "area"] })).rejects.toThrow('got "size"; there are area,');
    await expect(found.regions({ properties: ["mean"] })).rejects.toThrow(
      'Expected intensity: raster for the property "mean", got none.',
    );
    await expect(found.regions({ intensity: { ...raster, width: 3, height: 4 } })).rejects.toThrow(
      "Expected intensity to be 4 x 3 like the components, got 3 x 4.",
    );
    await expect(found.runs({ groupBy: "size" as "row" })).rejects.toThrow(
      'Expected groupBy to be "row" or "label", got "size".',
    );
    await expect(found.mask({ polarity: "dark" })).rejects.toThrow(
      'Expected no polarity of objects that are neither bright nor dark, got "dark".',
    );
    await expect(found.cocoRle(2)).rejects.toThrow("Expected label to be a whole number from 1 to 1, got 2.");
    await expect(found.filter({ largest: -2 })).rejects.toThrow(
      "Expected largest to be a whole number of at least 1, got -2.",
    );
    found.dispose();
    await expect(found.labels()).rejects.toThrow("Could not use components after dispose().");
    expect(() => found.dispose()).not.toThrow();
  });

  test("images: disposed, of another engine", async () => {
    const image = await engine.load(raster);
    const other = await open({ device: "cpu", threads: 1 });
    await expect(other.components(image)).rejects.toThrow(
      "Expected an image of this engine, got one of another engine.",
    );
    await other.close();
    image.dispose();
    await expect(engine.components(image)).rejects.toThrow("Could not use an image after dispose().");
  });

  test("calls queue in order", async () => {
    const order: number[] = [];
    const { data, width, height } = noise(900, 900, 0.5);
    await Promise.all(
      [0, 1, 2, 3].map(async (i) => {
        const found = await engine.components(i % 2 ? raster : { data, width, height });
        order.push(i);
        found.dispose();
      }),
    );
    expect(order).toEqual([0, 1, 2, 3]);
  });

  test("progress counts the bands, timings name the stages", async () => {
    const { data, width, height } = noise(2000, 2000, 0.5);
    const seen: string[] = [];
    const found = await engine.components(
      { data, width, height },
      {
        onProgress: ({ stage, done, total }) => seen.push(`${stage} ${done}/${total}`),
      },
    );
    const packed = seen.filter((line) => line.startsWith("pack"));
    expect(packed.length).toBeGreaterThan(1);
    expect(packed).toEqual(packed.map((_, i) => `pack ${i + 1}/${packed.length}`));
    expect(engine.timings.map(({ stage }) => stage)).toEqual([
      "pack",
      "label strips",
      "join seams",
      "allocate",
      "copy",
    ]);
    expect(engine.timings[0]?.bytes).toBe(2000 * 2000 + 2000 * 256);
    expect(engine.timings.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
    using image = await engine.load({ data: new Uint8Array(6), width: 3, height: 2 });
    await image.toRaster();
    expect(engine.timings.map(({ stage, bytes }) => [stage, bytes])).toEqual([["read", 6]]);
    found.dispose();
  });

  test("the fraction of a whole call rises to 1 over all of its stages", async () => {
    const { data, width, height } = noise(1500, 1500, 0.5);
    const fractions: number[] = [];
    const stages = new Set<string>();
    const found = await engine.components(
      { data, width, height },
      {
        threshold: "otsu",
        fillHoles: true,
        minArea: 20,
        onProgress({ stage, fraction }) {
          stages.add(stage);
          fractions.push(fraction);
        },
      },
    );
    expect(stages.size).toBeGreaterThan(4);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions[0]).toBeLessThan(0.1);
    expect(fractions.at(-1)).toBe(1);
    fractions.length = 0;
    await found.labels({ onProgress: ({ fraction }) => fractions.push(fraction) });
    expect(fractions.length).toBeGreaterThan(1);
    expect(fractions).toEqual(fractions.map((_, i) => (i + 1) / fractions.length));
    found.dispose();
  });

  test("abort between bands frees everything and leaves the engine able", async () => {
    const { data, width, height } = noise(3000, 3000, 0.5);
    const before = engine.describe().memory.used;
    const controller = new AbortController();
    const call = engine.components(
      { data, width, height },
      {
        signal: controller.signal,
        onProgress: () => controller.abort(new Error("enough")),
      },
    );
    await expect(call).rejects.toThrow("enough");
    expect(engine.describe().memory.used).toBe(before);
    await expect(engine.components(raster, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
    const found = await engine.components(raster);
    expect(found.count).toBe(1);
    found.dispose();
  });

  test("a failing source, sink or progress callback ends the call and frees everything", async () => {
    const before = engine.describe().memory.used;
    const source = { width: 5000, height: 900, type: "u8" as const, read: () => Promise.reject(new Error("no disk")) };
    await expect(engine.components(source)).rejects.toThrow("no disk");
    const found = await engine.components(noise(1500, 1500, 0.5));
    const held = engine.describe().memory.used;
    let writes = 0;
    const sink = {
      write() {
        if (++writes === 3) throw new Error("full");
      },
    };
    await expect(found.labels({ into: sink })).rejects.toThrow("full");
    expect(writes).toBe(3);
    expect(engine.describe().memory.used).toBe(held);
    found.dispose();
    expect(engine.describe().memory.used).toBe(before);
  });

  test("filters give back what they borrowed, with one class and with two", async () => {
    const { data, width, height } = noise(700, 600, 0.6, 2);
    const before = engine.describe().memory.used;
    for (const threshold of ["nonzero", { outside: [0.5, 0.5] }] as const) {
      using found = await engine.components({ data, width, height }, { threshold });
      using filtered = await found.filter({ fillHoles: true, largest: 3, clearBorder: true });
      expect(filtered.count).toBeLessThanOrEqual(3);
    }
    expect(engine.describe().memory.used).toBe(before);
  });

  test("memory is used again, and dispose gives it back", async () => {
    const { data, width, height } = noise(1200, 1200, 0.5);
    const reserved: number[] = [];
    for (let i = 0; i < 5; i++) {
      using found = await engine.components({ data, width, height });
      await found.regions({ properties: "all" });
      await found.labels();
      await found.runs({ groupBy: "label" });
      reserved.push(engine.describe().memory.reserved);
    }
    expect(engine.describe().memory.used).toBe(0);
    expect(reserved[4]).toBe(reserved[1]);
  });

  test("a large memory that nothing lives in is replaced, and the engine goes on", async () => {
    const cpu = (): Promise<CpuBackend> => openCpu({ threads: 2, keepMilliseconds: 30 });
    const gpu = async (): Promise<never> => Promise.reject(new Error("no GPU is asked for"));
    const lasting = new Engine(await Router.open("cpu", { cpu, gpu }));
    const { data, width, height } = noise(3000, 3000, 0.5);
    const found = await lasting.components({ data, width, height });
    const image = await lasting.load({ data: new Uint8Array(20 << 20), width: 1 << 12, height: 5 << 10 });
    const { count } = found;
    found.dispose();
    image.dispose();
    expect(lasting.describe().memory.reserved).toBeGreaterThan(16 << 20);
    await expect.poll(() => lasting.describe().memory).toEqual({ used: 0, reserved: 65536 });
    const again = await lasting.components({ data, width, height });
    expect(again.count).toBe(count);
    await lasting.close();
  });

  test("the main thread is never held for longer than a few milliseconds", async () => {
    // Not a timing assertion on the work: the event loop must turn many times while it runs.
    const { data, width, height } = noise(4000, 4000, 0.5);
    let turns = 0;
    const counter = setInterval(() => turns++, 1);
    const found = await engine.components({ data, width, height });
    await found.labels();
    clearInterval(counter);
    expect(turns).toBeGreaterThan(3);
    found.dispose();
  });

  test("small images are computed on the calling thread, which has its turns meanwhile", async () => {
    const { data, width, height } = noise(400, 400, 0.5);
    const [near, away] = await Promise.all([true, false].map((mainThread) => open({ device: "cpu", mainThread })));
    let turns = 0;
    const counter = setInterval(() => turns++, 1);
    const counts = new Set<number>();
    for (let i = 0; i < 60; i++) {
      for (const own of [near, away] as [Engine, Engine]) {
        using found = await own.components({ data, width, height });
        const { area } = await found.regions();
        counts.add((area?.length ?? 0) + found.foreground);
      }
    }
    clearInterval(counter);
    expect(counts.size).toBe(1);
    expect(turns).toBeGreaterThan(3);
    await near?.close();
    await away?.close();
    await expect(open({ mainThread: 1 as unknown as boolean })).rejects.toThrow(
      "Expected mainThread to be true or false, got 1.",
    );
  });

  test("a worker of the caller's own", async () => {
    const file = new URL("../dist/worker.cjs", import.meta.url);
    const own = await open({ device: "cpu", threads: 2, worker: () => new Worker(file) });
    const found = await own.components(raster);
    expect(found.count).toBe(1);
    await own.close();
  });

  test("a worker that dies takes the engine with it, in one sentence", async () => {
    const workers: Worker[] = [];
    const file = new URL("../dist/worker.cjs", import.meta.url);
    const make = (): Worker => {
      const worker = new Worker(file);
      workers.push(worker);
      return worker;
    };
    const own = await open({ device: "cpu", threads: 1, worker: make });
    const call = own.components(noise(3000, 3000, 0.5));
    const settled = expect(call).rejects.toThrow(DeviceLost);
    await workers[0]?.terminate();
    await settled;
    await expect(own.components(raster)).rejects.toThrow("A worker thread of the engine ended unexpectedly");
    await own.close();
  });

  test("after close everything rejects with DeviceLost", async () => {
    const closing = await open({ device: "cpu", threads: 1 });
    const found = await closing.components(raster);
    const running = closing.components(noise(2000, 2000, 0.5));
    const settled = expect(running).rejects.toThrow(DeviceLost);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await closing.close();
    await settled;
    await expect(found.labels()).rejects.toThrow(DeviceLost);
    await expect(closing.components(raster)).rejects.toThrow(DeviceLost);
    await closing.close();
  });

  test("COCO run lengths, plain and packed", async () => {
    // Column-major: (0,0) and (0,1) on, (1,0) on, ...
    const data = new Uint8Array([1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]);
    const found = await engine.components({ data, width: 3, height: 4 }, { connectivity: 4 });
    expect(found.count).toBe(3);
    expect(await found.cocoRle(1)).toEqual({ size: [4, 3], counts: [0, 2, 2, 1, 7] });
    expect(await found.cocoRle(2)).toEqual({ size: [4, 3], counts: [10, 2] });
    expect((await found.cocoRle(3)).counts).toEqual([3, 1, 8]);
    // As pycocotools packs it: 0, 2, 2, 1 - 2, 7 - 2, five bits a character from "0" on.
    expect(await found.cocoRle(1, { compressed: true })).toEqual({ size: [4, 3], counts: "022O5" });
    found.dispose();
  });

  test("COCO run lengths of large objects unpack to the object", async () => {
    const { data, width, height } = noise(700, 500, 0.7, 3, 4);
    const found = await engine.components({ data, width, height }, { largest: 1, connectivity: 8 });
    const { data: labels } = await found.labels();
    const { counts } = await found.cocoRle(1);
    const { counts: packed } = await found.cocoRle(1, { compressed: true });
    expect(unpackCoco(packed)).toEqual(counts);
    const mask = new Uint32Array(width * height);
    let at = 0;
    counts.forEach((length, i) => {
      for (const end = at + length; at < end; at++) mask[(at % height) * width + Math.floor(at / height)] = i % 2;
    });
    expect(at).toBe(width * height);
    expectSame(mask, labels);
    found.dispose();
  });
});

/** The other way round, with bit operations. */
function unpackCoco(packed: string): number[] {
  const counts: number[] = [];
  for (let at = 0; at < packed.length; ) {
    let value = 0;
    for (let shift = 0, more = true; more; shift += 5) {
      const code = packed.charCodeAt(at++) - 48;
      value |= (code & 31) << shift;
      more = (code & 32) !== 0;
      if (!more && code & 16) value |= -1 << (shift + 5);
    }
    counts.push(counts.length > 2 ? value + counts[counts.length - 2] : value);
  }
  return counts;
}
