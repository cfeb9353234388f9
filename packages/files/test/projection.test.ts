// One image of the slices of a volume: values without a measurement, the order and the size of reads, and what is refused.

import { type Space, spaceOf } from "@skerry/files";
import { projectionOf, spaceOfProjection } from "@skerry/files/internal";
import type { PixelArray, Source } from "skerry";
import { describe, expect, test } from "vitest";

async function valuesOf(source: Source): Promise<readonly number[]> {
  const { width, height, type } = source;
  const data: PixelArray = type === "f32" ? new Float32Array(width * height) : new Int16Array(width * height);
  await source.read(0, 1, 0, height, data, {});
  return Array.from(data);
}

describe("values that were not measured", () => {
  test("do not count, in 32 bits as well; a mean that is their number stays", async () => {
    const nodata = -9999.9;
    const data = Float32Array.of(nodata, nodata, 4, Number.NaN, 5, nodata, 8, Number.NaN);
    const raster = { data, width: 4, height: 1, depth: 2, nodata };
    expect(await valuesOf(projectionOf(raster, "largest", "a"))).toEqual([
      5,
      Math.fround(nodata),
      8,
      Math.fround(nodata),
    ]);
    expect(await valuesOf(projectionOf(raster, "mean", "a"))).toEqual([5, Number.NaN, 6, Number.NaN]);
    const whole = { data: Int16Array.of(-5, 0, 0, 5, 0, 7), width: 3, height: 1, depth: 2, nodata: 0 };
    const mean = projectionOf(whole, "mean", "b");
    expect([mean.nodata, await valuesOf(mean)]).toEqual([undefined, [0, Number.NaN, 7]]);
    expect(await valuesOf(projectionOf(whole, "largest", "b"))).toEqual([5, 0, 7]);
  });

  test("may be told after the file is open", async () => {
    const source = projectionOf({ data: Float32Array.of(9, 1, 3, 2), width: 2, height: 1, depth: 2 }, "largest", "a");
    Object.assign(source, { nodata: 9 });
    expect([source.nodata, await valuesOf(source)]).toEqual([9, [3, 2]]);
  });
});

test("bands of any memory give the values of the whole", async () => {
  const [width, height, depth] = [7, 6, 5];
  const data = Int16Array.from({ length: width * height * depth }, (_, i) => ((i * 7919) % 2003) - 1000);
  const raster = { data, width, height, depth };
  for (const how of ["largest", "mean"] as const) {
    const whole = await valuesOf(projectionOf(raster, how, "a"));
    const banded = projectionOf(raster, how, "a", 1);
    const parts: number[] = [];
    for (let y = 0; y < height; y += 2) {
      const part: PixelArray = how === "mean" ? new Float32Array(2 * width) : new Int16Array(2 * width);
      await banded.read(0, 1, y, y + 2, part, {});
      parts.push(...part);
    }
    expect(parts).toEqual(whole);
  }
});

test("a call that is aborted leaves nothing behind", async () => {
  const source = projectionOf({ data: Int16Array.of(1, 2), width: 1, height: 1, depth: 2 }, "mean", "a");
  await expect(
    (async () => source.read(0, 1, 0, 1, new Float32Array(1), { signal: AbortSignal.abort(new Error("no more")) }))(),
  ).rejects.toThrow("no more");
  expect(await valuesOf(source)).toEqual([1.5]);
});

test("one slice has no projection", () => {
  expect(() => projectionOf({ data: new Uint8Array(4), width: 2, height: 2 }, "mean", "a.png")).toThrow(
    "Expected --page mean for a volume or a file of several pages, got a.png, which has one.",
  );
});

test("a stage and a map keep their place across the image, a patient has none", () => {
  const toWorld = [
    [0.5, 0, 0, 10],
    [0, 0.5, 0, 20],
    [0, 0, 2, 30],
  ] as unknown as Space["toWorld"];
  const size = { width: 4, height: 3, depth: 7 };
  const stage = spaceOf({ size, spacing: [0.5, 0.5, 2], unit: "um", toWorld });
  const flat = spaceOfProjection(stage, "mean");
  expect(flat.axes.map((axis) => [axis.name, axis.size, axis.spacing])).toEqual([
    ["x", 4, 0.5],
    ["y", 3, 0.5],
    ["z", 1, 2],
    ["page", 7, undefined],
  ]);
  expect([flat.toWorld, flat.taken]).toEqual([toWorld, { page: "mean" }]);
  const patient: Space = { ...stage, crs: { kind: "patient", version: 1, sform: 1 } };
  expect(spaceOfProjection(patient, "largest")).not.toHaveProperty("toWorld");
  const oblique: Space = {
    ...stage,
    toWorld: toWorld?.map(([x, y, z, at], i) => [x, y, i === 0 ? 1 : z, at]) as never,
  };
  expect(spaceOfProjection(oblique, "largest").toWorld).toBeUndefined();
});
