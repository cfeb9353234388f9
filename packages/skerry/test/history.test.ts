// Calls on one engine that others came before, or that overlap with what frees memory: nothing that an earlier call left
// changes a result, handles may be disposed while they are used, and closing an engine ends everything.

import { type Engine, InvalidArgument, type Mask, open, type Raster, type Source } from "skerry";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bruteForce, scattered } from "./oracles/distance.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { noise } from "./support/shapes.js";

const { DEVICES } = devicesOf("history");

/** Fills memory with values that are wrong everywhere, and gives it back. */
async function dirty(engine: Engine, value: number): Promise<void> {
  const size = { width: 1024, height: 1024 };
  (await engine.load({ data: new Float32Array(1 << 20).fill(value), ...size })).dispose();
  (await engine.load({ data: new Int16Array(1 << 20).fill(-1024), ...size })).dispose();
}

describe.each(DEVICES)("after other calls, on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each([Number.NaN, -1e30, 1e30])("memory that held %s changes no distance", async (value) => {
    for (const [width, height, depth, spacing] of [
      [3, 31, 1, [0.9765625, 1.3, 1]],
      [58, 255, 1, [1, 1, 1]],
      [37, 19, 11, [0.9765625, 1.3, 1]],
      [50, 200, 1, [0.7, 1.1, 1]],
    ] as const) {
      const grid = { ...scattered(width, height, depth, 2 / (width * height * depth), 3), spacing };
      for (const metric of ["euclidean", "cityblock", "chessboard"] as const) {
        const { distance } = bruteForce(grid, metric, spacing);
        for (const options of [{ nearest: true }, { max: 9, beyond: "coarse" as const }]) {
          await dirty(engine, value);
          const { data, nearest } = await engine.distance(grid, { metric, ...options });
          const bound = "beyond" in options ? 14 : 1e-4;
          const wrong = distance.findIndex((d, at) => !(Math.abs(data[at] - d) <= bound || data[at] === d));
          expect({ metric, options, wrong }).toEqual({ metric, options, wrong: -1 });
          if (nearest && metric === "euclidean" && spacing[0] === 1) expectSame(nearest, bruteForce(grid).nearest);
        }
      }
    }
  });

  test("nearest sites end at max, in one row as in several", async () => {
    for (const [width, height, depth] of [
      [8, 1, 1],
      [100, 1, 1],
      [8, 2, 1],
      [1, 8, 1],
      [8, 1, 2],
    ] as const) {
      const data = new Uint8Array(width * height * depth);
      data[data.length - 1] = 1;
      const map = await engine.distance({ data, width, height, depth }, { max: 2, nearest: true });
      expect([...(map.nearest as Uint32Array)]).toEqual(
        Array.from(map.data, (d) => (d <= 2 ? data.length - 1 : 0xffffffff)),
      );
      expect(map.data.filter((d) => d <= 2).length).toBeLessThan(7);
    }
  });
});

describe.each(DEVICES)("values at the ends of their types, on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test("a seed on NaN is refused, whatever the range", async () => {
    const data = Float32Array.of(Number.NaN, Number.NaN, 1);
    for (const range of ["fixed", "floating"] as const) {
      await expect(engine.fill({ data, width: 3, height: 1 }, { seeds: [[0, 0]], range })).rejects.toThrow(
        "Expected a number at the seed [0, 0], got NaN.",
      );
    }
  });

  test("Otsu's threshold is taken over finite values, and infinities lie above and below it", async () => {
    const plain = Float32Array.from({ length: 400 }, (_, i) => (i % 3 ? 10 + (i % 7) : 200 + (i % 5)));
    const { threshold } = await engine.components({ data: plain, width: 20, height: 20 }, { threshold: "otsu" });
    const data = Float32Array.from({ length: 440 }, (_, i) => {
      return i < 400 ? plain[i] : i % 2 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    });
    const found = await engine.components({ data, width: 20, height: 22 }, { threshold: "otsu" });
    expect(found.threshold).toBe(threshold);
    expect(found.foreground).toBe(plain.filter((v) => v > (threshold as number)).length + 20);
    const none = new Float32Array(9).fill(Number.POSITIVE_INFINITY);
    await expect(engine.components({ data: none, width: 3, height: 3 }, { threshold: "otsu" })).rejects.toThrow(
      "Expected at least one finite value, within the mask if there is one, for an automatic threshold, got none.",
    );
  });

  test("NaN is background under every threshold and by value, and no site of a distance", async () => {
    const [width, height] = [67, 9];
    const odd = (i: number): boolean => i % 5 === 2 || i % 67 === 66;
    const values = Array.from({ length: width * height }, (_, i) => (i * 37) % 11);
    const data = Float32Array.from(values, (v, i) => (odd(i) ? Number.NaN : v));
    for (const [options, inside] of [
      ["nonzero", (v: number) => v !== 0],
      [{ above: 4 }, (v: number) => v > 4],
      [{ below: 4 }, (v: number) => v < 4],
      [{ between: [2, 6] }, (v: number) => v >= 2 && v <= 6],
      [{ outside: [3, 7] }, (v: number) => v < 3 || v > 7],
    ] as const) {
      const found = await engine.components({ data, width, height }, { threshold: options });
      const { data: labels } = await found.labels();
      expect(Array.from(labels, (l) => l > 0)).toEqual(values.map((v, i) => !odd(i) && inside(v)));
      found.dispose();
    }
    const rgb = Float32Array.from(values.flatMap((v, i) => [v, odd(i) ? Number.NaN : v, v]));
    for (const raster of [
      { data, width, height },
      { data: rgb, width, height, channels: 3 },
    ]) {
      const otsu = await engine.components(raster, { threshold: "otsu", polarity: "dark" });
      const split = otsu.threshold as number;
      expect(otsu.foreground).toBe(values.filter((v, i) => !odd(i) && v <= split).length);
      const areas = await engine.components(raster, { by: "value", background: null });
      expect(areas.foreground).toBe(values.filter((_, i) => !odd(i)).length);
    }
    const zeros = data.map((v) => (Number.isNaN(v) ? 0 : v));
    const map = await engine.distance({ data, width, height }, { squared: true });
    expectSame(map.data, (await engine.distance({ data: zeros, width, height }, { squared: true })).data);
  });

  test("the same values have the same Otsu threshold in every type of integers", async () => {
    const values = Array.from({ length: 900 }, (_, i) => (i % 4 ? 30 + ((i * 7) % 40) : 150 + ((i * 13) % 60)));
    const thresholds: unknown[] = [];
    for (const type of [Uint8Array, Uint16Array, Int16Array, Uint32Array, Int32Array]) {
      const raster = { data: type.from(values), width: 30, height: 30 };
      thresholds.push((await engine.components(raster, { threshold: "otsu" })).threshold);
    }
    expect(new Set(thresholds).size).toBe(1);
    const far = { data: Uint32Array.from(values, (v) => v + 4_000_000_000), width: 30, height: 30 };
    expect((await engine.components(far, { threshold: "otsu" })).threshold).toBe(
      (thresholds[0] as number) + 4_000_000_000,
    );
  });

  test("of two thresholds with the same variance Otsu's method takes the lower one", async () => {
    // A ramp whose levels are equally frequent is symmetric.
    for (const levels of [7, 10, 64, 99, 255]) {
      const data = Uint8Array.from({ length: levels * 11 }, (_, i) => i % levels);
      const { threshold } = await engine.components({ data, width: levels, height: 11 }, { threshold: "otsu" });
      expect(threshold).toBe(Math.floor(levels / 2) - 1);
    }
  });
});

describe.each(DEVICES)("disposed while a call runs, on $name", (device) => {
  const picture = noise(700, 500, 0.6);
  let engine: Engine;
  beforeEach(async () => {
    engine = await open(device);
  });
  afterEach(() => engine.close());

  test("components serve the calls that were made before, and none after", async () => {
    const make = (): ReturnType<Engine["components"]> => engine.components(picture, { connectivity: 8 });
    const calls = {
      filter: async (c: Awaited<ReturnType<typeof make>>) =>
        (await (await c.filter({ fillHoles: true })).labels()).data,
      regions: async (c: Awaited<ReturnType<typeof make>>) => (await c.regions({ properties: "all" })).area,
      distance: async (c: Awaited<ReturnType<typeof make>>) => (await engine.distance(c)).data,
      keep: async (c: Awaited<ReturnType<typeof make>>) => (await (await c.keep({ labels: [1, 2] })).mask()).bits,
    };
    for (const [name, call] of Object.entries(calls)) {
      const kept = await make();
      const expected = (await call(kept)) as Uint32Array;
      for (let turns = 0; turns < 6; turns++) {
        const handle = await make();
        const made = call(handle);
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setTimeout(resolve, i));
        handle.dispose();
        const others = make();
        expectSame((await made) as Uint32Array, expected);
        await expect(handle.labels(), name).rejects.toThrow("Could not use components after dispose()");
        (await others).dispose();
      }
      kept.dispose();
    }
  });

  test("a loaded image serves the calls that were made before", async () => {
    const components = await engine.components(picture);
    const expected = (await engine.kmeans(picture, { k: 5 })).data;
    const { sum } = await components.regions({ properties: ["sum"], intensity: picture });
    const image = await engine.load(picture);
    const made = engine.kmeans(image, { k: 5 });
    const measured = components.regions({ properties: ["sum"], intensity: image });
    image.dispose();
    expectSame((await made).data, expected);
    expect((await measured).sum).toEqual(sum);
    await expect(engine.components(image)).rejects.toThrow("Could not use an image after dispose()");
  });

  test("memory is freed once the last call has ended", async () => {
    (await engine.components(picture)).dispose();
    const { used } = engine.describe().memory;
    const handle = await engine.components(picture);
    const made = handle.labels();
    handle.dispose();
    await made;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(engine.describe().memory.used).toBe(used);
    // Where nothing runs it is freed at once.
    (await engine.components(picture)).dispose();
    expect(engine.describe().memory.used).toBe(used);
  });
});

describe("user code that does not return", () => {
  const never = (): Promise<void> => new Promise(() => undefined);
  const source = (read: Source["read"]): Source => ({ width: 64, height: 64, type: "u8", read });

  test.each(DEVICES)("close() cuts it off, on $name", async (device) => {
    const engine = await open(device);
    const found = await engine.components(noise(64, 64, 0.5));
    const hanging = engine.components(source(never));
    const waiting = found.labels();
    const both = Promise.allSettled([hanging, waiting]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await engine.close();
    for (const result of await both) {
      expect(result).toMatchObject({
        status: "rejected",
        reason: { name: "DeviceLost", message: "The engine was closed." },
      });
    }
    await expect(found.labels()).rejects.toThrow("The engine was closed.");
    await engine.close();
  });

  test("a sink that hangs is cut off, too", async () => {
    const engine = await open({ device: "cpu", threads: 2 });
    const found = await engine.components(noise(64, 64, 0.5));
    const hanging = found.labels({ into: { write: never } }).catch((error: Error) => error);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await engine.close();
    expect(await hanging).toMatchObject({ message: "The engine was closed." });
  });

  test("a call from inside a Source or Sink is refused, on another engine it is not", async () => {
    const engine = await open({ device: "cpu", threads: 1 });
    const other = await open({ device: "cpu", threads: 1 });
    const picture = noise(64, 64, 0.5);
    const seen: unknown[] = [];
    const read: Source["read"] = async (_z0, _z1, y0, y1, into) => {
      await Promise.resolve();
      seen.push(await engine.components(picture).catch((error: Error) => error));
      (await other.components(picture)).dispose();
      into.set(picture.data.subarray(y0 * 64, y1 * 64));
    };
    const found = await engine.components(source(read));
    expect(found.count).toBe((await engine.components(picture)).count);
    expect(seen[0]).toBeInstanceOf(InvalidArgument);
    expect((seen[0] as Error).message).toContain("Expected no call of an engine from inside the Source or Sink");
    const inside = await found
      .labels({ into: { write: async () => void (await found.mask()) } })
      .catch((error: Error) => error);
    expect(inside).toBeInstanceOf(InvalidArgument);
    const mask: Mask = await found.mask();
    expect(mask.width).toBe(64);
    await Promise.all([engine.close(), other.close()]);
  });
});

describe.each(DEVICES)("arrays that change during a call, on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());
  const size = { width: 1000, height: 1000 };
  const changed = "Expected arrays to stay as they are until the call ends, but one was detached or its buffer shrank.";

  test("a detached array is noticed, as input and as output", async () => {
    const given = (): Uint8Array => new Uint8Array(1e6).fill(1);
    const detach = ({ buffer }: ArrayBufferView): unknown =>
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    for (const use of [
      (data: Uint8Array) => engine.components({ data, ...size }),
      (data: Uint8Array) => engine.load({ data, ...size }),
      (data: Uint8Array) => engine.distance({ data, ...size }),
      (data: Uint8Array) => engine.fill({ data, ...size }, { seeds: [[0, 0]] }),
      (data: Uint8Array) => engine.kmeans({ data, ...size }, { k: 2 }),
    ]) {
      const data = given();
      const outcome = use(data).catch((error: Error) => error);
      detach(data);
      expect(await outcome).toMatchObject({ name: "InvalidArgument", message: changed });
    }
    const found = await engine.components({ data: given(), ...size });
    const labels = new Uint32Array(1e6);
    const labelled = found.labels({ into: labels }).catch((error: Error) => error);
    detach(labels);
    expect(await labelled).toMatchObject({ name: "InvalidArgument", message: changed });
    const into = new Float32Array(1e6);
    const mapped = engine.distance({ data: given(), ...size }, { into }).catch((error: Error) => error);
    detach(into);
    expect(await mapped).toMatchObject({ name: "InvalidArgument" });
    found.dispose();
  });

  test("a buffer that shrinks is noticed", async () => {
    type Resizable = ArrayBuffer & { resize(bytes: number): void };
    const make = (bytes: number): Resizable =>
      new (ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => Resizable)(bytes, {
        maxByteLength: bytes,
      });
    for (const track of [true, false]) {
      const buffer = make(1e6);
      const data = track ? new Uint8Array(buffer) : new Uint8Array(buffer, 0, 1e6);
      const outcome = engine.components({ data, ...size }).catch((error: Error) => error);
      buffer.resize(5e5);
      expect(await outcome).toMatchObject({ name: "InvalidArgument", message: changed });
      const found = await engine.components({ data: new Uint8Array(1e6).fill(1), ...size });
      const target = make(4e6);
      const into = track ? new Uint32Array(target) : new Uint32Array(target, 0, 1e6);
      const labelled = found.labels({ into }).catch((error: Error) => error);
      target.resize(1000);
      expect(await labelled).toMatchObject({ name: "InvalidArgument", message: changed });
      found.dispose();
    }
    // At whatever turn it shrinks, a result is right or refused: never that of the pixels that are gone.
    let refused = 0;
    for (let turns = 0; turns < 24; turns++) {
      for (const use of [
        async (raster: Raster) => (await (await engine.load(raster)).toRaster()).data,
        async (raster: Raster) => (await (await engine.smooth(raster, { sigma: 1 })).toRaster()).data,
        async (raster: Raster) => (await (await engine.components(raster)).labels()).data.map((label) => label * 77),
      ]) {
        const buffer = make(1e6);
        const data = new Uint8Array(buffer, 0, 1e6).fill(77);
        const outcome = use({ data, ...size }).catch((error: Error) => error);
        for (let turn = 0; turn < turns; turn++) await (turn < 8 ? null : new Promise((done) => setImmediate(done)));
        buffer.resize(1000);
        const found = await outcome;
        if (found instanceof Error) expect(found).toMatchObject({ name: "InvalidArgument", message: changed });
        else expect(found.every((value) => value === 77)).toBe(true);
        refused += Number(found instanceof Error);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  test("Sources whose bits no memory holds are refused before a row is read", async () => {
    let reads = 0;
    const read = (): void => void reads++;
    for (const [width, height] of [
      [2 ** 31, 2 ** 30],
      [2 ** 30, 2 ** 30],
      [1, 2 ** 31 - 1],
    ] as const) {
      const source: Source = { width, height, type: "u8", read };
      for (const made of [
        () => engine.components(source),
        () => engine.components(source, { threshold: "otsu" }),
        () => engine.fill(source, { seeds: [[0, 0]] }),
        () => engine.kmeans(source, { k: 2 }),
      ]) {
        await expect(made()).rejects.toMatchObject({ name: "OutOfMemory" });
      }
    }
    expect(reads).toBe(0);
  });

  test("pixels that change between two passes are counted in no other memory", async () => {
    for (const type of ["u32", "f32"] as const) {
      let reads = 0;
      const source: Source = {
        width: 64,
        height: 64,
        type,
        read: (_z0, _z1, _y0, _y1, into) => {
          into.fill(reads++ === 0 ? 10 : type === "u32" ? 3e9 : -3e9);
          into[0] = reads === 1 ? 5 : 6;
        },
      };
      const { counts } = await engine.histogram(source, { bins: 300 });
      expect(counts.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(64 * 64);
      using found = await engine.components({ data: new Uint8Array(64 * 64).fill(1), width: 64, height: 64 });
      expect(found.foreground).toBe(64 * 64);
    }
  });
});

test("a fill of colours reads no further than its memory", async () => {
  // Of all sizes these end their rows at the end of the memory.
  for (const shared of [true, false]) {
    for (const [width, height] of [
      [21, 1369],
      [22, 1225],
      [21, 1375],
    ] as const) {
      const engine = await open({ device: "cpu", threads: 1, shared });
      const data = new Uint8Array(width * height * 3).fill(7);
      const filled = await engine.fill({ data, width, height }, { seeds: [[0, 0]], contiguous: false, tolerance: 1 });
      expect(filled.foreground).toBe(width * height);
      await engine.close();
    }
  }
});
