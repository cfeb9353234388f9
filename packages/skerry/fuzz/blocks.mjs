// Runs over blocks, with random images, block sizes, thresholds, connectivities and filters, or with label images. Labels and
// tables must equal those of one process, also if steps run in reverse order and every second one runs twice.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { enroll, KNOWN_PROPERTIES, openRun, plan, work } from "../../cluster/dist/index.js";
import { MemoryOutput, writeRegions } from "../../files/dist/index.js";
import { zarrSink, zarrSource } from "../../files/dist/zarr/index.js";
import { componentsOptions } from "../../recipe/dist/internal.js";
import { open } from "../dist/index.js";

const side = fc.integer({ min: 1, max: 22 });
const runs = fc.record({
  width: side,
  height: side,
  depth: fc.oneof(fc.constant(1), side),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  chunks: fc.tuple(...[1, 1, 1].map(() => fc.integer({ min: 1, max: 7 }))),
  blocks: fc.tuple(...[1, 1, 1].map(() => fc.integer({ min: 1, max: 3 }))),
  density: fc.constantFrom(0, 0.05, 0.3, 0.55, 1),
  near: fc.integer({ min: 0, max: 2 }),
  levels: fc.integer({ min: 1, max: 5 }),
  rule: fc.constantFrom("above", "outside", "otsu", "value", "labels"),
  minArea: fc.option(fc.integer({ min: 0, max: 9 })),
  clearBorder: fc.boolean(),
  largest: fc.option(fc.integer({ min: 1, max: 5 })),
  values: fc.boolean(),
  twice: fc.boolean(),
  workers: fc.integer({ min: 1, max: 3 }),
});

let engine;

/** Values of a few grey levels with a probability of `density`, else 0. */
function valuesOf({ width, height, depth, seed, density, levels }) {
  let state = seed;
  return Uint8Array.from({ length: width * height * depth }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24 < density ? 40 * (1 + ((state >>> 4) % levels)) : 0;
  });
}

function recipeOf({ depth, rule, near, minArea, clearBorder, largest, values }) {
  const connectivity = depth === 1 ? [4, 8, 8][near] : [6, 18, 26][near];
  const known = KNOWN_PROPERTIES.filter((name) => {
    if (["orientation", "eccentricity", "edges"].includes(name)) return depth === 1;
    if (["surfaceArea", "principalAxes"].includes(name)) return depth > 1;
    return values && rule !== "labels"
      ? true
      : !["min", "max", "sum", "mean", "std", "weightedCentroid"].includes(name);
  });
  const products = { properties: known };
  if (rule === "labels") return { skerry: 1, operation: "labelled", options: { connectivity }, products };
  const filters = {
    ...(minArea === null ? {} : { minArea }),
    ...(clearBorder ? { clearBorder } : {}),
    ...(largest === null ? {} : { largest }),
  };
  const told = {
    above: { threshold: { above: 60 } },
    outside: { threshold: { outside: [20, 100] } },
    otsu: { threshold: "otsu" },
    value: { by: "value" },
  }[rule];
  return { skerry: 1, operation: "components", options: { ...told, connectivity, ...filters }, products };
}

async function run(drawn) {
  engine ??= await open({ device: "cpu", threads: 2 });
  const folder = mkdtempSync(join(tmpdir(), "skerry-fuzz-"));
  const at = (name) => join(folder, name);
  const { width, height, depth, rule, chunks, blocks, values, twice, workers } = drawn;
  const recipe = recipeOf(drawn);
  const data = valuesOf(drawn);
  const size = [width, height, depth];
  const sides = chunks.map((chunk, i) => Math.min(chunk, size[i]));
  let objects;
  try {
    const sink = await zarrSink(at("image.zarr"), { width, height, depth, type: "u8", labels: false, chunks: sides });
    await sink.write(0, depth, 0, height, data);
    await sink.finish();
    const made = await plan({
      recipe,
      input: at("image.zarr"),
      regions: at("regions.csv"),
      block: sides.map((chunk, i) => chunk * blocks[i]),
      ...(rule === "labels" ? {} : { output: at("labels.zarr") }),
    });
    await enroll(made);
    const opened = await Promise.all(
      Array.from({ length: workers }, () => openRun(made, { allow: [folder], threads: 1 })),
    );
    const [own] = opened;
    if (twice) {
      for (const { name, steps } of own.phases) {
        for (let number = steps - 1; number >= 0; number--) {
          await own.step({ phase: name, number });
          if (number % 2 === 0) await own.step({ phase: name, number });
        }
      }
    } else await Promise.all(opened.map((each, k) => work(each, { part: [k + 1, workers], pause: 5 })));
    for (const each of opened) await each.close();
    const raster = { data, width, height, ...(depth > 1 ? { depth } : {}) };
    const { connectivity } = recipe.options;
    objects =
      rule === "labels"
        ? await engine.labelled(raster, { connectivity })
        : await engine.components(raster, componentsOptions(recipe, recipe.options.threshold));
    const { properties } = recipe.products;
    const regions = await objects.regions({
      properties,
      ...(values && rule !== "labels" ? { intensity: raster } : {}),
    });
    const out = new MemoryOutput();
    await writeRegions(out, regions, "csv", { properties, depth });
    const expected = out.chunks
      .map((chunk) => new TextDecoder().decode(chunk))
      .join("")
      .split("\n");
    const got = readFileSync(at("regions.csv"), "utf8").split("\n");
    const line = expected.findIndex((own, i) => own !== got[i]);
    if (line >= 0 || got.length !== expected.length)
      throw new Error(`line ${line}: ${got[line]}\ninstead of ${expected[line]}`);
    if (rule === "labels") return;
    const source = await zarrSource(at("labels.zarr"));
    const labels = new Uint32Array(data.length);
    await source.read(0, depth, 0, height, labels, {});
    source.close();
    const { data: wanted } = await objects.labels();
    const voxel = wanted.findIndex((label, i) => label !== labels[i]);
    if (voxel >= 0) throw new Error(`voxel ${voxel} has label ${labels[voxel]}, not ${wanted[voxel]}`);
  } finally {
    objects?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Draws runs until the time is over. */
export async function fuzzBlocks(parameters) {
  try {
    return await fc.check(fc.asyncProperty(runs, run), parameters);
  } finally {
    await engine?.close();
    engine = undefined;
  }
}
