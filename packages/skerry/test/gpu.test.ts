// What only the GPU has: kernels that compile on a device of WebGPU's default limits, buffers and textures of the
// caller's, strips, a device that is lost or out of memory, and the choice that `auto` makes.

import {
  type Components,
  DeviceLost,
  type Engine,
  type Image,
  InvalidArgument,
  type OpenOptions,
  OutOfMemory,
  open,
  type Raster,
  requestDevice,
  Unsupported,
} from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureSpeeds } from "../src/api/speeds.js";
import { openCpu } from "../src/cpu/backend.js";
import { MEASURED } from "../src/device/speeds.js";
import { wgsl } from "../src/generated/wgsl.js";
import { keep } from "../src/platform/kept.node.js";
import { devicesOf } from "./support/devices.js";
import { expectSame, expectSameRegions } from "./support/same.js";
import { noise, random } from "./support/shapes.js";

const { HAS_GPU, STRIPS } = devicesOf("gpu");

const COPY_SRC = 0x4;
const STORAGE = 0x80 | 0x8 | COPY_SRC;

/** Dawn's GPU stays for the process, as the product keeps its own. */
let gpu: GPU | undefined;

/** A device of WebGPU's default limits. */
async function defaultDevice(): Promise<GPUDevice> {
  const { create } = (await import("webgpu")) as { create(options: string[]): GPU };
  gpu ??= create([]);
  const adapter = (await gpu.requestAdapter()) as GPUAdapter;
  return await adapter.requestDevice();
}

describe.skipIf(!HAS_GPU)("the GPU", () => {
  let cpu: Engine;
  let device: GPUDevice;
  let engine: Engine;
  beforeAll(async () => {
    cpu = await open({ device: "cpu", threads: 1 });
    device = await defaultDevice();
    engine = await open({ device: "gpu", gpu: device, threads: 1 });
  });
  afterAll(async () => {
    await engine.close();
    await cpu.close();
    device.destroy();
  });

  test("every kernel compiles on a device of default limits, with nothing to say about it", async () => {
    for (const [name, { code, bindings }] of Object.entries(wgsl)) {
      const module = device.createShaderModule({ label: name, code });
      const { messages } = await module.getCompilationInfo();
      expect(messages.map(({ message }) => `${name}: ${message}`)).toEqual([]);
      expect(bindings.filter(({ access }) => access !== "uniform").length, name).toBeLessThanOrEqual(8);
      await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
    }
  });

  test("describe names the adapter, its features and the limits in use", () => {
    const { device: kind, gpu, threads } = engine.describe();
    expect([kind, threads]).toEqual(["gpu", 0]);
    expect(gpu?.description).not.toBe("");
    expect(gpu?.bindingBytes).toBe(128 * 2 ** 20);
    expect(gpu?.bufferBytes).toBe(256 * 2 ** 20);
    expect(gpu?.features).toContain("core-features-and-limits");
  });

  async function readBuffer(buffer: GPUBuffer, bytes: number): Promise<Uint32Array> {
    const staging = device.createBuffer({ size: buffer.size, usage: 1 | 8 });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(1);
    const found = new Uint32Array(staging.getMappedRange().slice(0, bytes));
    staging.destroy();
    return found;
  }

  test.each([
    ["u8", 1, 133, 91],
    ["u8", 3, 64, 50],
    ["u16", 1, 75, 40],
    ["u16", 3, 75, 40],
    ["i16", 1, 50, 31],
    ["f32", 1, 33, 20],
  ] as const)("a buffer of the caller's: %s, %i channels", async (type, channels, width, height) => {
    const next = random(4);
    const values = Array.from({ length: width * height * channels }, () => next() % 200);
    const data = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, f32: Float32Array }[type].from(values);
    const offset = 12;
    const bytes = Math.ceil(data.byteLength / 4) * 4;
    // Callers need not let the engine copy from their buffers.
    const buffer = device.createBuffer({ size: offset + bytes, usage: STORAGE & ~COPY_SRC });
    const padded = new Uint8Array(bytes);
    padded.set(new Uint8Array(data.buffer));
    device.queue.writeBuffer(buffer, offset, padded);
    const image = await engine.load({ buffer, offset, width, height, type, channels });
    const options = { threshold: { above: 120 }, connectivity: 8 } as const;
    const found = await engine.components(image, options);
    const expected = await cpu.components({ data, width, height, channels }, options);
    const { data: labels } = await expected.labels();
    const { buffer: resident, count } = await found.labels({ as: "buffer" });
    expect(count).toBe(expected.count);
    expectSame(await readBuffer(resident, width * height * 4), labels);
    const { bits } = await expected.mask();
    const { buffer: mask } = await found.mask({ as: "buffer" });
    expectSame(await readBuffer(mask, bits.byteLength), bits);
    const [own, other] = [
      await found.regions({ intensity: image }),
      await expected.regions({ intensity: { data, width, height, channels } }),
    ];
    expect(own).toEqual(other);
    if (type !== "f32") {
      const local = { threshold: { local: { radius: 3 } }, polarity: "auto" } as const;
      const told = await engine.components(image, local);
      expect(told.polarity).toBe((await cpu.components({ data, width, height, channels }, local)).polarity);
      told.dispose();
    }
    for (const make of [
      (own: Engine, input: Image | Raster) => own.smooth(input, { sigma: 1.3 }),
      (own: Engine, input: Image | Raster) => own.smooth(input, { sigma: [0, 9] }),
      (own: Engine, input: Image | Raster) => own.gradient(input, { by: "sobel" }),
      (own: Engine, input: Image | Raster) => own.gradient(input, { by: 2.5 }),
      (own: Engine, input: Image | Raster) => own.flatten(input, { radius: 4 }),
    ]) {
      const [one, other] = [await make(engine, image), await make(cpu, { data, width, height, channels })];
      expectSame((await one.toRaster()).data, (await other.toRaster()).data);
      one.dispose();
      other.dispose();
    }
    const seed = { seeds: [[5, 7]], tolerance: 40 } as const;
    const filled = await engine.fill(image, seed);
    expect(filled.foreground).toBe((await cpu.fill({ data, width, height, channels }, seed)).foreground);
    filled.dispose();
    for (const owned of [resident, mask, buffer]) owned.destroy();
    image.dispose();
    found.dispose();
  });

  test("a buffer that is too small, or of another usage, is refused", async () => {
    const buffer = device.createBuffer({ size: 64, usage: STORAGE });
    await expect(engine.load({ buffer, width: 9, height: 9, type: "u8" })).rejects.toThrow(
      "Expected 81 bytes of pixels",
    );
    const wrong = device.createBuffer({ size: 64, usage: 8 });
    await expect(engine.load({ buffer: wrong, width: 8, height: 8, type: "u8" })).rejects.toThrow("of usage STORAGE");
    await expect(engine.load({ buffer, width: 8, height: 8, type: "u9" as "u8" })).rejects.toThrow('got "u9"');
    await expect(cpu.load({ buffer, width: 8, height: 8, type: "u8" })).rejects.toThrow(Unsupported);
  });

  test.each(["r8unorm", "rgba8unorm", "r16uint"] as const)("a texture of the caller's: %s", async (format) => {
    const [width, height] = [70, 33];
    const channels = format === "rgba8unorm" ? 4 : 1;
    const next = random(5);
    const values = Array.from({ length: width * height * channels }, () => next() % 200);
    const data = format === "r16uint" ? Uint16Array.from(values) : Uint8Array.from(values);
    const texture = device.createTexture({ size: [width, height], format, usage: 1 | 2 });
    const bytesPerRow = width * channels * data.BYTES_PER_ELEMENT;
    device.queue.writeTexture({ texture }, data, { bytesPerRow }, [width, height]);
    const image = await engine.load({ texture });
    const options = { threshold: { above: 99 } } as const;
    const found = await engine.components(image, options);
    const expected = await cpu.components({ data, width, height, channels }, options);
    expectSame((await found.labels()).data, (await expected.labels()).data);
    image.dispose();
    found.dispose();
    texture.destroy();
  });

  test("a distance map stays on the device", async () => {
    const [width, height, depth] = [70, 33, 5];
    const next = random(4);
    const data = Uint8Array.from({ length: width * height * depth }, () => Number(next() < 0.01 * 2 ** 32));
    const raster = { data, width, height, depth, spacing: [2, 2, 4] } as const;
    const expected = await cpu.distance(raster, { squared: true });
    const map = await engine.distance(raster, { squared: true, as: "buffer" });
    expect(map).toMatchObject({
      width,
      height,
      depth,
      spacing: [2, 2, 4],
      unit: 2,
      squared: true,
      metric: "euclidean",
    });
    expectSame(await readBuffer(map.buffer, data.length * 4), expected.data);
    map.buffer.destroy();
    // A buffer of the caller may be larger than the map, and serves again.
    const into = device.createBuffer({ size: data.length * 4 + 1000, usage: STORAGE });
    for (const max of [5, undefined]) {
      const options = { squared: true, ...(max ? { max } : {}) } as const;
      expect((await engine.distance(raster, { ...options, as: "buffer", into })).buffer).toBe(into);
      expectSame(await readBuffer(into, data.length * 4), (await cpu.distance(raster, options)).data);
    }
    const small = device.createBuffer({ size: 16, usage: STORAGE & ~COPY_SRC });
    const bytes = Math.ceil((data.length * 4) / 16) * 16;
    await expect(engine.distance(raster, { as: "buffer", into: small })).rejects.toThrow(
      `Expected into to be a GPUBuffer of at least ${bytes} bytes of usages STORAGE and COPY_DST, got one of 16 bytes of usages 0x88.`,
    );
    for (const buffer of [into, small]) buffer.destroy();
    for (const wrong of [into, { size: 2 ** 20, usage: STORAGE } as GPUBuffer]) {
      await expect(engine.distance(raster, { as: "buffer", into: wrong })).rejects.toThrow(
        "neither destroyed nor mapped",
      );
    }
    // A buffer that is destroyed after it was taken, and one that is mapped.
    const taken = device.createBuffer({ size: data.length * 4, usage: STORAGE });
    const image = await engine.load({ buffer: taken, width, height, depth, type: "u32" });
    taken.destroy();
    await expect(engine.components(image)).rejects.toThrow("neither destroyed nor mapped");
    await expect(engine.distance(image)).rejects.toThrow(InvalidArgument);
    image.dispose();
    expectSame((await engine.distance(raster)).data, (await cpu.distance(raster)).data);
    await expect(engine.distance(raster, { into } as never)).rejects.toThrow(
      'Expected as to be "buffer" for a GPUBuffer',
    );
    await expect(cpu.distance(raster, { as: "buffer" })).rejects.toThrow(Unsupported);
    const both = engine.distance(raster, { as: "buffer", nearest: true });
    await expect(both).rejects.toThrow('Expected nearest only without { as: "buffer" }, got both.');
    await expect(engine.distance(raster, { as: "texture" as "buffer" })).rejects.toThrow('Expected as to be "buffer"');
  });

  test("classes stay on the device, also those that the CPU made", async () => {
    const [width, height] = [71, 33];
    const next = random(9);
    const data = Uint8Array.from({ length: width * height * 3 }, () => next() % 251);
    const raster = { data, width, height, spacing: [2, 3] } as const;
    const bits = new Uint32Array(Math.ceil(width / 32) * height).fill(0x5555);
    for (const extra of [{}, { within: { bits, width, height } }]) {
      const expected = await cpu.kmeans(raster, { k: 4, ...extra });
      const { buffer, ...found } = await engine.kmeans(raster, { k: 4, as: "buffer", ...extra });
      const { data: classes, channels, ...rest } = expected;
      expect(found).toEqual(rest);
      const words = await readBuffer(buffer, Math.ceil(classes.length / 4) * 4);
      expectSame(new Uint8Array(words.buffer, 0, classes.length), classes);
      const again = await engine.kmeans(raster, { k: 2, as: "buffer", into: buffer, ...extra });
      expect(again.buffer).toBe(buffer);
      const two = await cpu.kmeans(raster, { k: 2, ...extra });
      expectSame(new Uint8Array((await readBuffer(buffer, words.length * 4)).buffer, 0, classes.length), two.data);
      buffer.destroy();
    }
    const pixels = device.createBuffer({ size: 64, usage: STORAGE });
    const image = await engine.load({ buffer: pixels, width: 8, height: 8, type: "u8" });
    const same = engine.kmeans(image, { k: 2, as: "buffer", into: pixels });
    await expect(same).rejects.toThrow("Expected into to be another GPUBuffer");
    await expect(cpu.kmeans(raster, { k: 4, as: "buffer" })).rejects.toThrow("Expected a GPU for a GPUBuffer.");
    const both = engine.kmeans(raster, { k: 4, as: "buffer", into: new Uint8Array(width * height) } as never);
    await expect(both).rejects.toThrow("Expected into to be a GPUBuffer of at least 2352 bytes");
  });

  test("buffers of parts on the GPU, and of what the CPU made of them", async () => {
    const [width, height] = [70, 40];
    const data = Uint8Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return Number(Math.hypot(x - 20, y - 20) < 14 || Math.hypot(x - 42, y - 20) < 13);
    });
    const found = await engine.components({ data, width, height });
    const parts = await found.split({ h: 1 });
    expect([parts.device, parts.count]).toEqual(["gpu", 2]);
    const kept = await parts.filter({ largest: 1 });
    expect([kept.device, kept.count]).toEqual(["cpu", 1]);
    const window = { x: 10, y: 5, width: 40, height: 20 };
    for (const components of [parts, kept]) {
      const whole = await components.labels({ as: "buffer" });
      expectSame(await readBuffer(whole.buffer, width * height * 4), (await components.labels()).data);
      const part = await components.labels({ as: "buffer", window });
      expectSame(await readBuffer(part.buffer, 40 * 20 * 4), (await components.labels({ window })).data);
      const { bits } = await components.mask();
      const mask = await components.mask({ as: "buffer" });
      expectSame(await readBuffer(mask.buffer, bits.byteLength), bits);
      // The caller's buffers are filled again, also by what the CPU made.
      const shape = { x: 0, y: 0, width, height: 20 };
      const top = await components.labels({ as: "buffer", window: shape, into: whole.buffer });
      expect(top.buffer).toBe(whole.buffer);
      expectSame(await readBuffer(top.buffer, width * 20 * 4), (await components.labels({ window: shape })).data);
      await components.labels({ as: "buffer", into: whole.buffer });
      expectSame(await readBuffer(whole.buffer, width * height * 4), (await components.labels()).data);
      await components.mask({ as: "buffer", into: whole.buffer });
      expectSame(await readBuffer(whole.buffer, bits.byteLength), bits);
      await expect(components.labels({ as: "buffer", into: mask.buffer })).rejects.toThrow(
        "Expected into to be a GPUBuffer of at least 11200 bytes",
      );
      for (const { buffer } of [whole, part, mask]) buffer.destroy();
    }
    for (const components of [found, parts, kept]) components.dispose();
    await Promise.resolve();
    expect(engine.describe().memory.used).toBe(0);
  });

  test("auto chooses by what both devices took, keeps it for the next engine, and gives the same result", async () => {
    const auto = await open({ gpu: device, threads: 1 });
    expect(auto.describe().gpuFrom).toEqual({});
    await measureSpeeds(auto);
    const { gpuFrom = {} } = auto.describe();
    expect(Object.keys(gpuFrom).sort()).toEqual([...MEASURED].sort());
    for (const pixels of Object.values(gpuFrom)) expect(pixels).toBeGreaterThanOrEqual(0);
    const raster: Raster = noise(96, 64, 0.4);
    const [here, there] = await Promise.all([auto, cpu].map((one) => one.distance(raster)));
    expect(here?.data).toEqual(there?.data);
    await auto.close();
    const next = await open({ gpu: device, threads: 1 });
    expect(next.describe().gpuFrom).toEqual(gpuFrom);
    await next.close();
    // The other tests take the GPU by the number of pixels.
    keep("speeds", "");
  }, 180_000);

  test("objects on the CPU are split by a raster on the GPU", async () => {
    const [width, height] = [60, 30];
    const field = Float32Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return Math.max(12 - Math.hypot(x - 18, y - 15), 11 - Math.hypot(x - 38, y - 15), 0);
    });
    const auto = await open({ device: "auto", gpu: device });
    const buffer = device.createBuffer({ size: field.byteLength, usage: STORAGE });
    device.queue.writeBuffer(buffer, 0, field);
    const image = await auto.load({ buffer, width, height, type: "f32" });
    const raster = { data: Uint8Array.from(field, (v) => Number(v > 0)), width, height };
    const objects = await auto.components(raster);
    expect(objects.device).toBe("cpu");
    const parts = await objects.split({ by: image });
    const expected = await (await cpu.components(raster)).split({ by: { data: field, width, height } });
    expect(expected.count).toBe(2);
    expectSame((await parts.labels()).data, (await expected.labels()).data);
    buffer.destroy();
    await auto.close();
  });

  test("components on the CPU have no buffer to hand out", async () => {
    const found = await cpu.components({ data: new Uint8Array(4).fill(1), width: 2, height: 2 });
    await expect(found.labels({ as: "buffer" })).rejects.toThrow(Unsupported);
    await expect(found.mask({ as: "texture" as "buffer" })).rejects.toThrow('Expected as to be "buffer"');
    const into = new Uint32Array(2);
    await expect(found.mask({ into } as never)).rejects.toThrow("Expected into to be left out without as");
  });

  test("a component per two or four pixels: room for them is made", async () => {
    const [width, height] = [400, 300];
    const board = Uint8Array.from({ length: width * height }, (_, i) => ((i % width) + Math.floor(i / width)) & 1);
    const found = await engine.components({ data: board, width, height });
    expect(found.count).toBe((width * height) / 2);
    expect((await found.labels()).data[width * height - 2]).toBe((width * height) / 2);
    found.dispose();
    // Dots, and below them noise that is joined across tiles: with 8 neighbours more nodes than there is room for.
    const next = random(3);
    const dots = board.map((_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      return y < 200 ? Number(x % 2 === 0 && y % 2 === 0) : next() & 1;
    });
    const [a, b] = [
      await engine.components({ data: dots, width, height }, { connectivity: 8 }),
      await cpu.components({ data: dots, width, height }, { connectivity: 8 }),
    ];
    expect(a.count).toBe(b.count);
    expectSame((await a.labels()).data, (await b.labels()).data);
  });

  describe.each(STRIPS)("$name", (small) => {
    let strips: Engine;
    beforeAll(async () => {
      strips = await open(small);
    });
    afterAll(() => strips.close());

    test.each([4, 8] as const)("everything agrees with the CPU, connectivity %i", async (connectivity) => {
      const [width, height] = [200, 260];
      const next = random(6);
      const { data: shape } = noise(width, height, 0.55, 2, 8);
      const data = shape.map((on) => (on ? 100 : 0) + (next() % 90));
      const raster = { data, width, height };
      const options = { connectivity, threshold: { outside: [30, 110] } } as const;
      const [a, b] = [await strips.components(raster, options), await cpu.components(raster, options)];
      await expectAlike(a, b, raster);
      // Each kernel has a variant per connectivity, which takes SwiftShader a second; 8 is the harder one.
      if (connectivity === 4) return;
      const wanted = { fillHoles: true, minArea: 4, largest: 40, clearBorder: true };
      await expectAlike(await a.filter(wanted), await b.filter(wanted), raster);
      const image = await strips.load(raster);
      const again = await strips.components(image, { connectivity, threshold: "otsu" });
      const expected = await cpu.components(raster, { connectivity, threshold: "otsu" });
      expect(again.threshold).toBe(expected.threshold);
      expectSameRegions(
        await again.regions({ properties: "all", intensity: image }),
        await expected.regions({ properties: "all", intensity: raster }),
      );
    });
  });

  test("a caller's buffer of usage STORAGE alone, larger than one binding", async () => {
    const bound = await defaultDevice();
    const strips = await open({ device: "gpu", gpu: bound, threads: 1, bindingBytes: 65536 } as OpenOptions);
    const [width, height] = [201, 150];
    const next = random(7);
    const data = Float32Array.from({ length: width * height }, () => next() % 200);
    const buffer = bound.createBuffer({ size: data.byteLength, usage: STORAGE & ~COPY_SRC });
    bound.queue.writeBuffer(buffer, 0, data);
    const image = await strips.load({ buffer, width, height, type: "f32" });
    const rule = { threshold: "otsu", polarity: "auto" } as const;
    const [found, expected] = [
      await strips.components(image, rule),
      await cpu.components({ data, width, height }, rule),
    ];
    expect([found.polarity, found.count]).toEqual([expected.polarity, expected.count]);
    expect(await found.regions({ properties: ["mean"], intensity: image })).toEqual(
      await expected.regions({ properties: ["mean"], intensity: { data, width, height } }),
    );
    await strips.close();
    bound.destroy();
  });

  async function expectAlike(
    a: Components,
    b: Components,
    raster: { data: Uint8Array; width: number; height: number },
  ): Promise<void> {
    expect([a.count, a.foreground, a.runCount, a.polarity]).toEqual([b.count, b.foreground, b.runCount, b.polarity]);
    expectSame((await a.labels()).data, (await b.labels()).data);
    const [runs, same] = [await a.runs({ groupBy: "label" }), await b.runs({ groupBy: "label" })];
    for (const field of ["row", "begin", "end", "label"] as const) expectSame(runs[field], same[field]);
    const options = { properties: "all", intensity: raster } as const;
    expectSameRegions(await a.regions(options), await b.regions(options));
  }
});

describe.skipIf(!HAS_GPU)("a GPU that goes away", () => {
  const raster = noise(1500, 900, 0.5);

  test("rejects what is in flight and all handles with DeviceLost, and can still be closed", async () => {
    const device = await defaultDevice();
    const engine = await open({ device: "gpu", gpu: device, threads: 1 });
    const found = await engine.components(raster);
    const image = await engine.load(raster);
    const running = engine.components(image, { connectivity: 8 });
    device.destroy();
    await expect(running).rejects.toThrow(DeviceLost);
    await expect(found.labels()).rejects.toThrow(DeviceLost);
    await expect(engine.components(raster)).rejects.toThrow(DeviceLost);
    found.dispose();
    image.dispose();
    await engine.close();
  });

  test("a requested device has what kernels can use, serves an engine, and stays the caller's", async () => {
    const device = await requestDevice({ software: true });
    expect(device.limits.maxStorageBufferBindingSize).toBeGreaterThan(128 << 20);
    const engine = await open({ device: "gpu", gpu: device, threads: 1 });
    const found = await engine.components(raster);
    expect(found.device).toBe("gpu");
    await engine.close();
    const buffer = device.createBuffer({ size: 16, usage: 8 });
    buffer.destroy();
    device.destroy();
    await expect(requestDevice({ gpu: {} as never })).rejects.toThrow("Expected gpu to be a GPU, got");
    const none = { requestAdapter: async () => null } as never;
    await expect(requestDevice({ gpu: none })).rejects.toThrow("WebGPU found no adapter in this process.");
  });

  test("auto fills images where they are, and what only goes one way on the CPU", async () => {
    const device = await defaultDevice();
    const engine = await open({ gpu: device, threads: 1 });
    const large = noise(1100, 1000, 0.7, 1, 3);
    const image = await engine.load(large);
    const seeds = [[large.data.indexOf(1), 0]] as const;
    const found = await engine.fill(image, { seeds });
    expect(found.device).toBe("gpu");
    const tolerance = { lower: 0.5, upper: 0 };
    const directed = await engine.fill(image, { seeds, tolerance, range: "floating" });
    expect([directed.device, directed.foreground]).toEqual(["cpu", found.foreground]);
    const fromHost = await engine.fill(large, { seeds });
    expect([fromHost.device, fromHost.foreground]).toEqual(["cpu", found.foreground]);
    await engine.close();
    const gpu = await open({ device: "gpu", gpu: device, threads: 1 });
    await expect(gpu.fill(large, { seeds, tolerance, range: "floating" })).rejects.toThrow(Unsupported);
    await gpu.close();
    device.destroy();
  });

  test("auto goes on with the CPU, and says so", async () => {
    const device = await defaultDevice();
    const engine = await open({ gpu: device, threads: 1 });
    const large = noise(2100, 2000, 0.4, 5);
    const found = await engine.components(large);
    expect([found.device, engine.describe().notice]).toEqual(["gpu", undefined]);
    const small = await engine.components(noise(300, 200, 0.5));
    expect(small.device).toBe("cpu");
    device.destroy();
    await device.lost;
    const again = await engine.components(large);
    expect([again.device, again.count]).toEqual(["cpu", found.count]);
    expect(engine.describe().notice).toContain("The GPU was lost");
    await expect(found.labels()).rejects.toThrow(DeviceLost);
    await engine.close();
  });

  test("auto divides colours on the CPU when the GPU goes away meanwhile", async () => {
    const device = await defaultDevice();
    const engine = await open({ gpu: device, threads: 1 });
    const large = noise(1100, 1000, 0.4, 5);
    const stages: string[] = [];
    const onProgress = ({ stage }: { stage: string }): void => {
      if (stage === "iterations" && !stages.includes(stage)) device.destroy();
      stages.push(stage);
    };
    const found = await engine.kmeans(large, { init: [[10], [200]], onProgress });
    expect(engine.describe().notice).toContain("The GPU was lost");
    expect(found).toMatchObject({ k: 2, inertia: 0, converged: true });
    expect(found.counts[0]).toBeGreaterThan(found.counts[1]);
    await engine.close();
  });

  test("out of memory is tried once more in smaller strips, then said", async () => {
    const device = await defaultDevice();
    const engine = await open({ device: "gpu", gpu: device, threads: 1, bindingBytes: 4 << 20 });
    const counted = await engine.components(raster);
    const expected = counted.count;
    counted.dispose();
    // The device refuses what is larger than this; there is no asking a real one to run out. The whole raster in one
    // strip takes 677 kB for its components, an eighth of the binding makes eight strips of it.
    let most = 50_000;
    let spared: readonly string[] = [];
    let refused = false;
    let refusals = 0;
    const { createBuffer, popErrorScope } = device;
    device.createBuffer = (descriptor) => {
      refused = descriptor.size > most && (descriptor.usage & 0x80) !== 0 && !spared.includes(descriptor.label ?? "");
      if (refused) refusals++;
      return createBuffer.call(device, refused ? { ...descriptor, size: 256 } : descriptor);
    };
    device.popErrorScope = async () => {
      const error = await popErrorScope.call(device);
      return refused ? ({ message: "not enough memory" } as GPUError) : error;
    };
    await new Promise((resolve) => setTimeout(resolve, 2200));
    await expect(engine.components(raster)).rejects.toThrow(OutOfMemory);
    most = 600_000;
    refusals = 0;
    expect((await engine.components(raster)).count).toBe(expected);
    expect(refusals).toBeGreaterThan(0);
    // The whole image and the list of open pixels fit, components do not.
    spared = ["image", "open pixels"];
    // Bits by a local threshold come from one plane of the whole, which the strips share.
    const { width, height } = raster;
    const noise = { data: new Uint8Array(width * height).map((_, i) => (i * 2654435761) >>> 24), width, height };
    const cpu = await open({ device: "cpu", threads: 1 });
    for (const local of [{ radius: 3 }, { radius: 3, method: "sauvola", k: 0 }] as const) {
      refusals = 0;
      const [own, other] = [
        await cpu.components(noise, { threshold: { local } }),
        await engine.components(noise, { threshold: { local } }),
      ];
      expect(refusals).toBeGreaterThan(0);
      expectSame((await other.mask()).bits, (await own.mask()).bits);
      own.dispose();
      other.dispose();
    }
    await cpu.close();
    await engine.close();
    device.destroy();
  });
});

test("bits that the CPU packs for a device that takes pixels slowly are the CPU's bits", async () => {
  const [width, height] = [133, 70];
  const next = random(9);
  const data = Uint8Array.from({ length: width * height * 3 }, () => next() & 255);
  const shape = { width, height, depth: 1, channels: 3, type: "u8" } as const;
  const intervals = [
    { lo: 150, hi: 255, invert: false },
    { lo: 0, hi: 99, invert: false },
  ];
  const backend = await openCpu({ threads: 2 });
  const { bits, second } = await backend.pack(
    { pixels: { kind: "array", shape, data }, predicate: { any: false, intervals } },
    { timings: [] },
  );
  await backend.close();
  const engine = await open({ device: "cpu", threads: 1 });
  const found = await engine.components({ data, width, height }, { threshold: { outside: [100, 149] } });
  expectSame(bits, (await found.mask({ polarity: "bright" })).bits);
  expectSame(second ?? [], (await found.mask({ polarity: "dark" })).bits);
  await engine.close();
});
