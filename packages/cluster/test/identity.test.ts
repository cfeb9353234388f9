// Runs over blocks against one process: labels and tables, value for value.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recipe } from "@skerry/recipe";
import { expect, test } from "vitest";
import { enroll, openRun, plan, type PlanOptions, work } from "../src/index.js";
import { folder, labelsIn, rasterOf, type Size, store, whole } from "./support/images.js";

/** Random numbers, seeded (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
  { name: "noise, 6 neighbours", size: [50, 38, 26], chunks: [8, 8, 8], block: [16, 16, 8], density: 0.3, recipe: { threshold: { above: 128 } } },
  { name: "noise, 18 neighbours", size: [40, 30, 20], chunks: [8, 8, 8], block: [16, 8, 8], density: 0.12, recipe: { threshold: { above: 128 }, connectivity: 18 } },
  { name: "noise, 26 neighbours", size: [40, 30, 20], chunks: [8, 8, 8], block: [16, 8, 8], density: 0.09, recipe: { threshold: { above: 128 }, connectivity: 26 } },
  { name: "dense, 26 neighbours", size: [33, 30, 20], chunks: [8, 8, 8], block: [8, 8, 8], density: 0.5, recipe: { threshold: { above: 128 }, connectivity: 26 } },
  { name: "dense, 18 neighbours", size: [33, 30, 20], chunks: [8, 8, 8], block: [8, 8, 8], density: 0.5, recipe: { threshold: { above: 128 }, connectivity: 18 } },
  { name: "dense, 6 neighbours", size: [33, 30, 20], chunks: [8, 8, 8], block: [8, 8, 8], density: 0.6, recipe: { threshold: { above: 128 } } },
  { name: "image, 4 neighbours", size: [150, 90, 1], chunks: [16, 16, 1], block: [32, 16, 1], density: 0.55, recipe: { threshold: { above: 128 } } },
  { name: "image, 8 neighbours", size: [150, 90, 1], chunks: [16, 16, 1], block: [32, 16, 1], density: 0.4, recipe: { threshold: { above: 128 }, connectivity: 8 } },
];

test.each(CASES)("$name", async ({ size, chunks, block, density, recipe: options }) => {
  const path = await folder();
  const input = join(path, "image.zarr");
  const next = random(size[0] + density * 100);
  const data = new Uint8Array(size[0] * size[1] * size[2]).map(() => (next() < density ? 129 + next() * 126 : next() * 128));
  const raster = rasterOf(data, size);
  await store(input, raster, { type: "u8", chunks });
  const recipe: Recipe = { skerry: 1, operation: "components", options };
  await same(path, recipe, { input, output: join(path, "labels.zarr"), block }, raster);
});

async function same(path: string, recipe: Recipe, options: Omit<PlanOptions, "recipe">, raster: Parameters<typeof whole>[1]): Promise<void> {
  const regions = join(path, "regions.csv");
  const made = await plan({ recipe, regions, ...options });
  await enroll(made);
  const run = await openRun(made, { allow: [path], threads: 2, patience: NONE });
  try {
    expect(await work(run)).toBe("finished");
  } finally {
    await run.close();
  }
  const intensities = made.intensities.length > 0 ? [{ raster }] : [];
  const expected = await whole(recipe, raster, intensities, made.properties);
  const labels = await labelsIn(options.output as string);
  expect(Buffer.compare(Buffer.from(labels.buffer), Buffer.from(expected.labels.buffer))).toBe(0);
  const csv = (await readFile(regions, "utf8")).split("\n");
  const wanted = expected.csv.split("\n");
  expect(csv.length).toBe(wanted.length);
  for (const [i, line] of wanted.entries()) if (csv[i] !== line) expect(csv[i]).toBe(line);
}
