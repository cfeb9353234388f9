// Arrays from `engine.allocate()`: every call gives the same on them as on ordinary arrays, nothing is written around them,
// and an array that was given back is refused.

import { createHash } from "node:crypto";
import { type Engine, type OpenOptions, open, type PixelType, type Raster } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { noise } from "./support/shapes.js";

const { DEVICES } = devicesOf("allocate");

/** Arrays by their bytes, which compares large ones at once; anything else by its text. */
function hash(value: unknown): string {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : JSON.stringify(value);
  return createHash("sha256").update(bytes).digest("hex");
}

/** A raster with its values in memory of the engine. */
function moved(engine: Engine, raster: Raster, type: PixelType): Raster {
  const data = engine.allocate(type, raster.data.length);
  data.set(raster.data);
  return { ...raster, data };
}

describe.each(DEVICES)("allocated arrays on $name", (options: OpenOptions) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  const blocks = noise(301, 203, 0.4, 2, 3);
  const grey: Raster = { ...blocks, data: Uint8Array.from(blocks.data, (v, i) => (v ? 180 : 40) + (i % 7)) };
  const colour: Raster = {
    ...grey,
    data: Uint8Array.from({ length: grey.data.length * 3 }, (_, i) => grey.data[Math.floor(i / 3)] + (i % 3)),
    channels: 3,
  };

  test("every call takes them as input", async () => {
    const answers = async (raster: Raster, coloured: Raster): Promise<unknown[]> => {
      const found = await engine.components(raster, { threshold: "otsu" });
      const linked = await engine.components(raster, { by: { tolerance: 3 } });
      const luma = await engine.components(coloured, { threshold: { above: 100 } });
      const filled = await engine.fill(raster, { seeds: [[150, 100]], tolerance: 10 });
      const wand = await engine.wand(raster, { seeds: [[10, 10]] });
      const green = await engine.channel(coloured, "green");
      return [
        (await found.labels()).data,
        (await linked.labels()).data,
        (await luma.mask()).bits,
        (await filled.mask()).bits,
        await wand.areas(),
        (await engine.components(green, { threshold: "otsu" })).count,
        (await engine.histogram(raster)).counts,
        (await found.regions({ properties: "all", intensity: raster })).contrast,
        (await found.regions({ properties: ["mean"], intensity: coloured })).mean,
        (await engine.distance(raster, { threshold: "otsu", squared: true })).data,
        (await engine.kmeans(coloured, { k: 3 })).data,
      ];
    };
    const own = moved(engine, grey, "u8");
    const ownColour = moved(engine, colour, "u8");
    const expected = await answers(grey, colour);
    for (const [i, answer] of (await answers(own, ownColour)).entries()) {
      expect(hash(answer), `answer ${i}`).toBe(hash(expected[i]));
    }
    expect(hash(own.data)).toBe(hash(grey.data));
    expect(hash(ownColour.data)).toBe(hash(colour.data));
    engine.free(own.data);
    engine.free(ownColour.data);
  });

  test.each([
    ["u16", Uint16Array],
    ["i16", Int16Array],
    ["u32", Uint32Array],
    ["i32", Int32Array],
    ["f32", Float32Array],
  ] as const)("values of %s", async (type, array) => {
    const raster = { ...grey, data: array.from(Array.from(grey.data, (v) => v * 3 - 200)) };
    const own = moved(engine, raster, type);
    expect(own.data).toBeInstanceOf(array);
    const threshold = { above: 150 };
    const { data: made } = await (await engine.components(own, { threshold })).labels();
    expect(hash(made)).toBe(hash((await (await engine.components(raster, { threshold })).labels()).data));
    engine.free(own.data);
  });

  test.each([
    [1, 400],
    [2, 301],
    [3, 33],
    [11, 90],
    [12, 64],
    [13, 1],
    [301, 203],
  ])("labels of %i x %i are written into the middle of one, and nothing around them", async (width, height) => {
    const pixels = width * height;
    const raster = noise(width, height, 0.7);
    const found = await engine.components(raster, { connectivity: 8 });
    const array = engine.allocate("u32", pixels + 10).fill(7777);
    const into = array.subarray(5, 5 + pixels);
    const labels = await found.labels({ into });
    expect(labels.data).toBe(into);
    expect(hash(into)).toBe(hash((await found.labels()).data));
    expect([...array.subarray(0, 5), ...array.subarray(5 + pixels)]).toEqual(Array(10).fill(7777));
    engine.free(array);
  });

  test("memory grows beside them and they stay good; all of it is given back", async () => {
    const { used } = engine.describe().memory;
    const first = moved(engine, grey, "u8");
    const large = engine.allocate("f32", 3_000_000);
    const answer = (await engine.components(grey, { threshold: "otsu" })).count;
    expect((await engine.components(first, { threshold: "otsu" })).count).toBe(answer);
    engine.free(large);
    const late = engine.components(first, { threshold: "otsu" });
    engine.free(first.data);
    expect((await late).count).toBe(answer);
    (await late).dispose();
    await engine.close();
    engine = await open(options);
    expect(engine.describe().memory.used).toBeLessThanOrEqual(used);
  });

  test("wrong types, lengths, and an array that is no array", () => {
    expect(() => engine.allocate("u64" as "u8", 3)).toThrow('Expected type to be "u8", "u16", "i16", "u32"');
    expect(() => engine.allocate("u8", -1)).toThrow(
      "Expected length to be a whole number from 0 to 4294967295, got -1.",
    );
    expect(() => engine.free({} as Uint8Array)).toThrow("Expected array to be a typed array, got an object.");
    engine.free(new Uint8Array(3));
    expect(engine.allocate("u16", 0)).toHaveLength(0);
  });
});

describe("arrays in shared memory", () => {
  test("one that was given back is refused, and a part of one", async () => {
    const engine = await open({ device: "cpu", threads: 2 });
    const { used } = engine.describe().memory;
    const data = engine.allocate("u8", 64).fill(1);
    expect(data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(() => engine.free(data.subarray(8))).toThrow(
      "Expected the array that engine.allocate() returned, got a part",
    );
    engine.free(data);
    expect(() => engine.free(data)).toThrow("Could not use an array after engine.free() took it back.");
    await expect(engine.components({ data, width: 8, height: 8 })).rejects.toThrow("after engine.free()");
    expect(engine.describe().memory.used).toBe(used);
    await engine.close();
    expect(() => engine.allocate("u8", 1)).toThrow("The engine was closed.");
  });

  test("freed arrays and views on them stay refused when their block is lent anew", async () => {
    const engine = await open({ device: "cpu", threads: 2 });
    const size = { width: 64, height: 64 };
    const found = await engine.components({ data: new Uint8Array(4096).fill(1), ...size });
    const photo = { data: new Uint8Array(4096 * 3), ...size, channels: 3 };
    const [freed, bytes] = [engine.allocate("u32", 4096), engine.allocate("u8", 4096)];
    const views = [freed, freed.subarray(), new Uint32Array(freed.buffer, freed.byteOffset, 4096)];
    const floats = new Float32Array(freed.buffer, freed.byteOffset, 4096);
    engine.free(freed);
    engine.free(bytes);
    const alive = engine.allocate("u32", 4096).fill(7);
    const aliveBytes = engine.allocate("u8", 4096).fill(7);
    const message = "Could not use an array after engine.free() took it back.";
    for (const into of views) await expect(found.labels({ into })).rejects.toThrow(message);
    await expect(engine.distance(found, { into: floats })).rejects.toThrow(message);
    await expect(engine.distance(found, { into: freed, squared: true })).rejects.toThrow(message);
    await expect(engine.kmeans(photo, { k: 2, into: bytes })).rejects.toThrow(message);
    for (const data of [bytes, bytes.subarray()])
      await expect(engine.fill({ data, ...size }, { seeds: [[0, 0]] })).rejects.toThrow(message);
    expect(() => engine.free(views[1])).toThrow(message);
    expect(alive.every((value) => value === 7) && aliveBytes.every((value) => value === 7)).toBe(true);
    const { data } = await found.labels({ into: alive });
    expect(data.every((value) => value === 1)).toBe(true);
    await engine.close();
  });

  test("more than there is", async () => {
    const engine = await open({ device: "cpu", threads: 1 });
    expect(() => engine.allocate("u32", 2 ** 31)).toThrow("4 GiB of WebAssembly memory");
    await engine.close();
  });

  test("a sink that takes shared memory is given the engine's own bands", async () => {
    const engine = await open({ device: "cpu", threads: 2, mainThread: false });
    const raster = noise(300, 200, 0.5);
    const found = await engine.components(raster);
    const data = new Uint32Array(300 * 200);
    const buffers = new Set<string>();
    const write = (_z0: number, _z1: number, y0: number, _y1: number, part: Uint32Array): void => {
      buffers.add(part.buffer.constructor.name);
      data.set(part, y0 * 300);
    };
    await found.labels({ into: { write, shared: true } });
    expect([...buffers]).toEqual(["SharedArrayBuffer"]);
    expect(hash(data)).toBe(hash((await found.labels()).data));
    buffers.clear();
    await found.labels({ into: { write } });
    expect([...buffers]).toEqual(["ArrayBuffer"]);
    await engine.close();
  });
});
