// Images in Zarr for tests, and what one process makes of them.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryOutput, writeRegions } from "@skerry/files";
import type { Frame } from "@skerry/files/internal";
import { type ZarrSinkOptions, zarrSink, zarrSource } from "@skerry/files/zarr";
import type { Recipe } from "@skerry/recipe";
import { componentsOptions, namedThreshold, regionsOptions } from "@skerry/recipe/internal";
import { type Engine, open, type PixelArray, type Raster, type RegionsOptions } from "skerry";
import { afterAll } from "vitest";
import type { KNOWN_PROPERTIES } from "../../src/index.js";

let engine: Promise<Engine> | undefined;

/** The engine of one process. */
export function oneProcess(): Promise<Engine> {
  engine ??= open({ device: "cpu", threads: 2 });
  return engine;
}

afterAll(async () => {
  await (await engine)?.close();
  engine = undefined;
});

/** A folder that is removed after the tests of a file. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "skerry-cluster-"));
  afterAll(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Sides along x, y and z. */
export type Size = readonly [number, number, number];

/** A raster of values made from their index. */
export function rasterOf<T extends PixelArray>(data: T, [width, height, depth]: Size): Raster {
  return { data, width, height, ...(depth > 1 ? { depth } : {}) } as Raster;
}

/** Writes a raster into Zarr. */
export async function store(path: string, raster: Raster, options: ZarrSinkOptions): Promise<void> {
  const { width, height, depth = 1, data } = raster;
  const sink = await zarrSink<PixelArray>(path, { width, height, depth, labels: false, ...options });
  await sink.write(0, depth, 0, height, data);
  await sink.finish();
}

/** What one process makes of a recipe: labels and the table as .csv. */
export async function whole(
  recipe: Recipe,
  raster: Raster,
  intensities: readonly { readonly name?: string; readonly raster: Raster }[],
  properties: readonly (typeof KNOWN_PROPERTIES)[number][],
  frame?: Frame,
): Promise<{ labels: Uint32Array; csv: string; count: number }> {
  const engine = await oneProcess();
  const objects =
    recipe.operation === "components"
      ? await engine.components(raster, componentsOptions(recipe, namedThreshold(recipe)))
      : await engine.labelled(
          raster,
          recipe.options?.connectivity ? { connectivity: recipe.options.connectivity } : {},
        );
  try {
    const { data } = await objects.labels();
    const own = { ...recipe, products: { properties } } as Recipe;
    const physical = recipe.options?.physical ? { physical: true as const } : {};
    const measure = (intensity?: Raster) =>
      objects.regions({ ...regionsOptions(own, physical), ...(intensity ? { intensity } : {}) } as RegionsOptions);
    const regions = await measure(intensities[0]?.raster);
    const others = [];
    for (const { name, raster: values } of intensities.slice(1)) {
      const of = properties.filter((each) => ["min", "max", "sum", "mean", "std", "weightedCentroid"].includes(each));
      others.push({ name: name as string, regions: await objects.regions({ properties: of, intensity: values }) });
    }
    const out = new MemoryOutput();
    const name = intensities[0]?.name;
    await writeRegions(out, regions, "csv", {
      properties,
      depth: objects.depth,
      others,
      frame,
      ...(name === undefined ? {} : { name }),
    });
    const csv = out.chunks.map((chunk) => new TextDecoder().decode(chunk)).join("");
    return { labels: data, csv, count: objects.count };
  } finally {
    objects.dispose();
  }
}

/** The labels in Zarr. */
export async function labelsIn(path: string, level = 0): Promise<Uint32Array> {
  const source = await zarrSource(path, { level });
  const { width, height, depth } = source;
  const data = new Uint32Array(width * height * depth);
  await source.read(0, depth, 0, height, data, {});
  source.close();
  return data;
}
