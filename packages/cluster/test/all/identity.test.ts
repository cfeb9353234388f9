// Runs over blocks against one process: labels and tables, value for value.

import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { spaceOf, spacingOf } from "@skerry/files";
import { frameOf } from "@skerry/files/internal";
import { zarrSink } from "@skerry/files/zarr";
import { openImage, openStore } from "@skerry/files/zarr/internal";
import type { Recipe } from "@skerry/recipe";
import type { Raster } from "skerry";
import { expect, test } from "vitest";
import { enroll, openRun, type PlanOptions, plan, work } from "../../src/index.js";
import { random } from "../support/clock.js";
import { folder, labelsIn, rasterOf, type Size, store, whole } from "../support/images.js";

/** Nothing is waited for: one process sees what it wrote. */
const NONE = { milliseconds: 0, sleep: async () => undefined };

interface Case {
  readonly name: string;
  readonly size: Size;
  readonly chunks: Size;
  readonly block: Size;
  readonly density: number;
  readonly recipe: Recipe["options"];
}

const CASES: readonly Case[] = [
  {
    name: "noise, 6 neighbours",
    size: [34, 30, 18],
    chunks: [8, 8, 8],
    block: [16, 16, 8],
    density: 0.3,
    recipe: { threshold: { above: 128 } },
  },
  {
    name: "noise, 18 neighbours",
    size: [36, 30, 18],
    chunks: [8, 8, 8],
    block: [16, 16, 8],
    density: 0.12,
    recipe: { threshold: { above: 128 }, connectivity: 18 },
  },
  {
    name: "noise, 26 neighbours",
    size: [36, 30, 18],
    chunks: [8, 8, 8],
    block: [16, 16, 8],
    density: 0.09,
    recipe: { threshold: { above: 128 }, connectivity: 26 },
  },
  {
    name: "dense, 26 neighbours",
    size: [33, 30, 20],
    chunks: [8, 8, 8],
    block: [16, 16, 8],
    density: 0.5,
    recipe: { threshold: { above: 128 }, connectivity: 26 },
  },
  {
    name: "dense, 18 neighbours",
    size: [33, 30, 20],
    chunks: [8, 8, 8],
    block: [16, 16, 8],
    density: 0.5,
    recipe: { threshold: { above: 128 }, connectivity: 18 },
  },
  {
    name: "dense, 6 neighbours",
    size: [33, 30, 20],
    chunks: [8, 8, 8],
    block: [16, 16, 8],
    density: 0.6,
    recipe: { threshold: { above: 128 } },
  },
  {
    name: "image, 4 neighbours",
    size: [150, 90, 1],
    chunks: [16, 16, 1],
    block: [32, 16, 1],
    density: 0.55,
    recipe: { threshold: { above: 128 } },
  },
  {
    name: "image, 8 neighbours",
    size: [150, 90, 1],
    chunks: [16, 16, 1],
    block: [32, 16, 1],
    density: 0.4,
    recipe: { threshold: { above: 128 }, connectivity: 8 },
  },
];

test.each(CASES)("$name", async ({ size, chunks, block, density, recipe: options }) => {
  const path = await folder();
  const input = join(path, "image.zarr");
  const next = random(size[0] + density * 100);
  const data = new Uint8Array(size[0] * size[1] * size[2]).map(() =>
    next() < density ? 129 + next() * 126 : next() * 128,
  );
  const raster = rasterOf(data, size);
  await store(input, raster, { type: "u8", chunks });
  const recipe: Recipe = { skerry: 1, operation: "components", options };
  await same(path, recipe, { input, output: join(path, "labels.zarr"), block }, raster);
});

/** Small volumes, and what is special about each. */
const SMALL: Size = [26, 20, 14];
const CHUNKS: Size = [4, 4, 4];
const BLOCK: Size = [12, 8, 8];
const above = { threshold: { above: 128 } };

const FILTERS: readonly (readonly [string, Recipe["options"]])[] = [
  ["minArea", { ...above, minArea: 5 }],
  ["minArea and maxArea", { ...above, minArea: 3, maxArea: 60 }],
  ["clearBorder", { ...above, clearBorder: true }],
  ["largest", { ...above, largest: 7 }],
  ["largest, of those that touch no border", { ...above, clearBorder: true, minArea: 2, largest: 3 }],
  ["outside", { threshold: { outside: [60, 190] }, connectivity: 18 }],
  ["between", { threshold: { between: [40, 90] }, connectivity: 26 }],
  ["below", { threshold: { below: 70 } }],
  ["otsu", { threshold: "otsu" }],
  ["otsu, dark", { threshold: "otsu", polarity: "dark", connectivity: 26 }],
  ["nonzero", { threshold: "nonzero" }],
];

test.each(FILTERS)("%s", async (_, options) => {
  const path = await folder();
  const next = random(7);
  const raster = rasterOf(
    new Uint8Array(SMALL[0] * SMALL[1] * SMALL[2]).map(() => (next() < 0.3 ? next() * 256 : 0)),
    SMALL,
  );
  const input = join(path, "image.zarr");
  await store(input, raster, { type: "u8", chunks: CHUNKS });
  await same(
    path,
    { skerry: 1, operation: "components", options },
    { input, output: join(path, "labels.zarr"), block: BLOCK },
    raster,
  );
});

test("a bright rim makes Otsu's objects dark ones", async () => {
  const path = await folder();
  const next = random(8);
  const [width, height, depth] = SMALL;
  const data = new Uint8Array(width * height * depth).map((_, i) => {
    const [x, y, z] = [i % width, Math.floor(i / width) % height, Math.floor(i / width / height)];
    const rim = x < 2 || y < 2 || z < 2 || x > width - 3 || y > height - 3 || z > depth - 3;
    return rim || next() < 0.6 ? 200 + next() * 20 : next() * 50;
  });
  const raster = rasterOf(data, SMALL);
  const input = join(path, "image.zarr");
  await store(input, raster, { type: "u8", chunks: CHUNKS });
  await same(
    path,
    { skerry: 1, operation: "components", options: { threshold: "otsu" } },
    { input, output: join(path, "labels.zarr"), block: BLOCK },
    raster,
  );
});

test.each([
  ["volume", SMALL, CHUNKS, BLOCK, 6],
  ["volume, 26", SMALL, CHUNKS, BLOCK, 26],
  ["volume, 18", SMALL, CHUNKS, BLOCK, 18],
  ["image, 8", [60, 50, 1], [8, 8, 1], [16, 24, 1], 8],
  ["blocks of one slice", [20, 16, 5], [10, 8, 1], [10, 8, 1], 18],
] as const)("by value: %s", async (_, size, chunks, block, connectivity) => {
  const path = await folder();
  const next = random(9);
  const raster = rasterOf(
    new Uint8Array(size[0] * size[1] * size[2]).map(() => next() * 4),
    size,
  );
  const input = join(path, "classes.zarr");
  await store(input, raster, { type: "u8", chunks });
  const options = { by: "value", connectivity } as const;
  await same(
    path,
    { skerry: 1, operation: "components", options },
    { input, output: join(path, "labels.zarr"), block },
    raster,
  );
});

test.each([
  ["u8", Uint8Array, 256],
  ["u16", Uint16Array, 65536],
  ["u32", Uint32Array, 2 ** 32],
] as const)("intensities of %s of the image itself", async (type, make, most) => {
  const path = await folder();
  const next = random(10);
  const raster = rasterOf(
    new make(SMALL[0] * SMALL[1] * SMALL[2]).map(() => next() * most),
    SMALL,
  );
  const input = join(path, "image.zarr");
  await store(input, raster, { type, chunks: CHUNKS });
  const recipe: Recipe = {
    skerry: 1,
    operation: "components",
    options: { threshold: { above: most * 0.7 } },
    products: { properties: ["area", "min", "max", "sum", "mean", "std", "weightedCentroid"] },
  };
  await same(path, recipe, { input, output: join(path, "labels.zarr"), block: BLOCK }, raster);
});

test("label images are measured, with values of two images", async () => {
  const path = await folder();
  const next = random(11);
  const voxels = SMALL[0] * SMALL[1] * SMALL[2];
  // Labels in several pieces, which touch.
  const raster = rasterOf(
    new Uint32Array(voxels).map(() => (next() < 0.5 ? 0 : 5 + Math.floor(next() * 40) * 3)),
    SMALL,
  );
  const first = rasterOf(
    new Uint16Array(voxels).map(() => next() * 60000),
    SMALL,
  );
  const second = rasterOf(
    new Uint8Array(voxels).map(() => next() * 200),
    SMALL,
  );
  const input = join(path, "labels.zarr");
  await store(input, raster, { type: "u32", labels: true, chunks: CHUNKS });
  await store(join(path, "a.zarr"), first, { type: "u16", chunks: [8, 8, 4] });
  await store(join(path, "b.zarr"), second, { type: "u8", chunks: CHUNKS });
  const intensity = [`one=${join(path, "a.zarr")}`, `two=${join(path, "b.zarr")}`];
  const recipe: Recipe = { skerry: 1, operation: "labelled", input: { intensity }, options: { connectivity: 26 } };
  await same(path, recipe, { input, block: BLOCK }, raster, [
    { name: "one", raster: first },
    { name: "two", raster: second },
  ]);
});

test("ids of 64 bits are measured as those of 32 bits are", async () => {
  const path = await folder();
  const next = random(13);
  const short = rasterOf(
    new Uint32Array(SMALL[0] * SMALL[1] * SMALL[2]).map(() => (next() < 0.5 ? 0 : 1 + Math.floor(next() * 300))),
    SMALL,
  );
  await store(join(path, "short.zarr"), short, { type: "u32", labels: true, chunks: CHUNKS });
  writeLong(join(path, "long.zarr"), short);
  const table = async (name: string): Promise<string> => {
    const recipe: Recipe = { skerry: 1, operation: "labelled", options: { connectivity: 26 } };
    const regions = join(path, `${name}.csv`);
    const made = await plan({ recipe, input: join(path, `${name}.zarr`), regions, block: BLOCK });
    await enroll(made);
    const run = await openRun(made, { allow: [path], threads: 2, patience: NONE });
    expect(await work(run)).toBe("finished");
    await run.close();
    return readFile(regions, "utf8");
  };
  const lines = (await table("short")).split("\n").map((line) => line.split(","));
  const value = lines[0].indexOf("value");
  const longer = lines.map((cells, i) =>
    i === 0 || cells.length === 1 ? cells : cells.with(value, `${LONG * BigInt(cells[value]) - 1n}`),
  );
  expect((await table("long")).split("\n").map((line) => line.split(","))).toEqual(longer);
});

const LONG = 2n ** 40n + 3n;

/** Writes labels as an array of 64-bit integers: of a label the product with LONG, less 1. */
function writeLong(path: string, { data, width, height, depth = 1 }: Raster): void {
  mkdirSync(path);
  const [sides, shape] = [[...CHUNKS].reverse(), [depth, height, width]];
  const array = { zarr_format: 2, shape, chunks: sides, dtype: "<u8", compressor: null, fill_value: 0, order: "C" };
  writeFileSync(join(path, ".zarray"), JSON.stringify({ ...array, filters: null }));
  const counts = shape.map((side, i) => Math.ceil(side / sides[i]));
  for (let n = 0; n < counts[0] * counts[1] * counts[2]; n++) {
    const at = [Math.floor(n / (counts[1] * counts[2])), Math.floor(n / counts[2]) % counts[1], n % counts[2]];
    const values = BigUint64Array.from({ length: sides[0] * sides[1] * sides[2] }, (_, i) => {
      const [z, y, x] = [Math.floor(i / (sides[1] * sides[2])), Math.floor(i / sides[2]) % sides[1], i % sides[2]].map(
        (own, axis) => own + at[axis] * sides[axis],
      );
      const label = z < depth && y < height && x < width ? data[(z * height + y) * width + x] : 0;
      return label === 0 ? 0n : LONG * BigInt(label) - 1n;
    });
    writeFileSync(join(path, at.join(".")), new Uint8Array(values.buffer));
  }
}

test.each([6, 18, 26] as const)("label images are measured without values, %i neighbours", async (connectivity) => {
  const path = await folder();
  const next = random(connectivity);
  const raster = rasterOf(
    new Uint16Array(SMALL[0] * SMALL[1] * SMALL[2]).map(() => next() * 4),
    SMALL,
  );
  const input = join(path, "labels.zarr");
  await store(input, raster, { type: "u16", labels: true, chunks: CHUNKS });
  await same(path, { skerry: 1, operation: "labelled", options: { connectivity } }, { input, block: BLOCK }, raster);
});

test.each(["0.4", "0.5"] as const)(
  "labels inside an image of OME-Zarr %s, with its levels, by mode and with shards",
  async (version) => {
    const path = await folder();
    const next = random(12);
    const size: Size = [50, 42, 30];
    const raster = rasterOf(
      new Uint8Array(size[0] * size[1] * size[2]).map(() => (next() < 0.35 ? 255 : 0)),
      size,
    );
    const shards = version === "0.5" ? { shards: [8, 8, 8] as const } : {};
    const image = join(path, "image.zarr");
    await store(image, raster, {
      type: "u8",
      chunks: [4, 4, 4],
      version,
      space: spaceOf({ size: raster, spacing: [0.5, 0.5, 2], unit: "um" }),
      ...shards,
    });
    const recipe: Recipe = {
      skerry: 1,
      operation: "components",
      options: { threshold: "nonzero", physical: true },
      products: { name: "cells", downsample: "mode" },
    };
    const made = await same(path, recipe, { input: image, output: image, regions: true, block: [32, 32, 16] }, raster);
    // One process writes the same levels.
    const one = await zarrSink(image, { name: "one", downsample: "mode" });
    await one.write(0, size[2], 0, size[1], made.labels);
    await one.finish({ count: made.count });
    const inside = (name: string): string => join(image, "labels", name);
    const { levels } = await openImage(openStore(inside("cells")));
    expect(levels.length).toBe((await openImage(openStore(image))).levels.length);
    for (const level of levels.keys()) {
      expect(await labelsIn(inside("cells"), level), `level ${level}`).toEqual(await labelsIn(inside("one"), level));
    }
    expect(await (await openImage(openStore(image))).labels()).toEqual(["cells", "one"]);
  },
);

test("labels of 64 bits", async () => {
  const path = await folder();
  const next = random(13);
  const raster = rasterOf(
    new Uint8Array(SMALL[0] * SMALL[1] * SMALL[2]).map(() => (next() < 0.3 ? 255 : 0)),
    SMALL,
  );
  const input = join(path, "image.zarr");
  await store(input, raster, { type: "u8", chunks: CHUNKS });
  const output = join(path, "labels.zarr");
  await same(
    path,
    { skerry: 1, operation: "components", options: above },
    { input, output, block: BLOCK, labelType: "u64" },
    raster,
  );
  const image = await openImage(openStore(output));
  expect((await image.array(0)).dataType).toBe("uint64");
  expect((await image.array(image.levels.length - 1)).dataType).toBe("uint64");
});

test("Otsu's threshold of f32 is refused when the plan is made", async () => {
  const path = await folder();
  const input = join(path, "image.zarr");
  await store(input, rasterOf(new Float32Array(8 * 8 * 8), [8, 8, 8]), { type: "f32", chunks: CHUNKS });
  const recipe: Recipe = { skerry: 1, operation: "components", options: { threshold: "otsu" } };
  await expect(plan({ recipe, input, regions: join(path, "regions.csv") })).rejects.toThrow(
    'Expected an image of u8, u16 or i16 for --threshold otsu in a plan, got f32; give a threshold, such as ">120".',
  );
});

test("a crop", async () => {
  const path = await folder();
  const next = random(14);
  const [width, height, depth] = SMALL;
  const data = new Uint8Array(width * height * depth).map(() => (next() < 0.4 ? 255 : 0));
  const input = join(path, "image.zarr");
  await store(input, rasterOf(data, SMALL), { type: "u8", chunks: CHUNKS });
  const [x0, y0, z0, w, h, d] = [3, 2, 1, 20, 15, 11];
  const part = new Uint8Array(w * h * d).map((_, i) => {
    const [x, y, z] = [i % w, Math.floor(i / w) % h, Math.floor(i / w / h)];
    return data[((z + z0) * height + y + y0) * width + x + x0];
  });
  const recipe: Recipe = { skerry: 1, operation: "components", input: { crop: [x0, y0, z0, w, h, d] }, options: above };
  await same(path, recipe, { input, output: join(path, "labels.zarr"), block: [8, 8, 4] }, rasterOf(part, [w, h, d]));
});

/** Runs a plan, and compares what it writes with what one process makes of the raster. */
async function same(
  path: string,
  recipe: Recipe,
  options: Omit<PlanOptions, "recipe">,
  raster: Raster,
  values?: readonly { readonly name?: string; readonly raster: Raster }[],
): Promise<{ labels: Uint32Array; count: number }> {
  const regions = join(path, "regions.csv");
  const made = await plan({ recipe, regions, ...options });
  await enroll(made);
  const run = await openRun(made, { allow: [path], threads: 2, patience: NONE });
  try {
    expect(await work(run)).toBe("finished");
  } finally {
    await run.close();
  }
  const sized = { ...raster, spacing: spacingOf(made.space) } as Raster;
  const intensities = values ?? (made.intensities.length > 0 ? [{ raster }] : []);
  const [z, y, x] = made.from;
  const frame = frameOf(made.space, { physical: recipe.options?.physical, origin: [x, y, z] });
  const expected = await whole(recipe, sized, intensities, made.properties, frame);
  if (made.labels && made.labels.type !== "u64") {
    const { url, name } = made.labels;
    const labels = await labelsIn(made.table?.isBeside ? join(url, "labels", name) : url);
    expect(Buffer.compare(Buffer.from(labels.buffer), Buffer.from(expected.labels.buffer))).toBe(0);
  }
  const table = made.table?.isBeside
    ? join(made.labels?.url as string, "labels", made.labels?.name as string, "tables/regions.csv")
    : regions;
  const csv = (await readFile(table, "utf8")).split("\n");
  const wanted = expected.csv.split("\n");
  for (const [i, line] of wanted.entries()) if (csv[i] !== line) expect(csv[i], `line ${i}`).toBe(line);
  expect(csv.length).toBe(wanted.length);
  return expected;
}
