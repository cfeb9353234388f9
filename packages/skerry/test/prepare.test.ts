// Prepare: it starts the workers and leaves nothing behind, for every call and every kind of raster.

import { type Engine, InvalidArgument, open, type PreparedCall, Unsupported } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";

const { DEVICES } = devicesOf("prepare");
const CALLS: readonly PreparedCall[] = ["components", "fill", "distance", "kmeans", "wand", "histogram"];

describe.each(DEVICES)("$name", ({ name: _, ...device }) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test("readies every call, and frees what it took", async () => {
    const fractions: number[] = [];
    await engine.prepare(CALLS, { onProgress: ({ fraction }) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    const { used } = engine.describe().memory;
    await engine.prepare(CALLS, { channels: 3 });
    await engine.prepare(["components", "distance"], { type: "u16", volume: true });
    expect(engine.describe().memory.used).toBe(used);
    const raster = { data: new Uint8Array([0, 9, 9, 0, 7, 0]), width: 3, height: 2 };
    expect((await engine.components(raster, { connectivity: 8 })).count).toBe(1);
    // A GPU in software compiles kernels for most of a minute.
  }, 300_000);

  test("refuses names that it does not know, and rasters that a call does not take", async () => {
    await expect(engine.prepare(["paint" as PreparedCall])).rejects.toThrow(
      'Expected calls that can be prepared (components, fill, distance, kmeans, wand, histogram), got "paint".',
    );
    await expect(engine.prepare("fill" as never)).rejects.toThrow(InvalidArgument);
    await expect(engine.prepare([], { channels: 2 as 1 })).rejects.toThrow("Expected channels to be 1, 3 or 4, got 2.");
    await expect(engine.prepare(["kmeans"], { type: "f32" })).rejects.toThrow(Unsupported);
    await expect(engine.prepare(["fill"], { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
  });
});
