// Plans that are drawn: recipes over images of any type with channels, times, levels, crops and second images, in blocks, beside `skerry run` of
// the same recipe. SKERRY_PLANS and SKERRY_SEED take others.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enroll, openRun, plan, work } from "@skerry/cluster";
import { ARRAYS } from "@skerry/files/internal";
import { zarrSource } from "@skerry/files/zarr";
import type { Recipe } from "@skerry/recipe";
import { parseRecipe } from "@skerry/recipe/internal";
import { expect, test } from "vitest";
import { run } from "../support/run.js";

const PLANS = Number(process.env.SKERRY_PLANS ?? 40);
const SEED = Number(process.env.SKERRY_SEED ?? 20261127);

/** Numbers that a seed gives (xorshift of Marsaglia 2003). */
class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  }
  below(most: number): number {
    let own = this.#state;
    own ^= own << 13;
    own ^= own >>> 17;
    own ^= own << 5;
    this.#state = own >>> 0;
    return this.#state % most;
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)];
  }
}

const DTYPES = { u8: "|u1", u16: "<u2", i16: "<i2", f32: "<f4", u32: "<u4" } as const;
type Type = keyof typeof DTYPES;

interface Image {
  readonly axes: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly type: Type;
}

/** Writes OME-Zarr 0.4 without a codec, so that no code of the writer takes part. The second level takes every other pixel. */
async function write(
  path: string,
  { axes, shape, chunks, type }: Image,
  valueAt: (at: number[]) => number,
): Promise<void> {
  const isSpace = [...axes].map((axis) => "zyx".includes(axis));
  const datasets: object[] = [];
  for (const level of [0, 1]) {
    const step = isSpace.map((own) => (own ? 2 ** level : 1));
    const size = shape.map((side, i) => Math.ceil(side / step[i]));
    const counts = size.map((side, i) => Math.ceil(side / chunks[i]));
    await mkdir(join(path, `${level}`), { recursive: true });
    const told = {
      zarr_format: 2,
      shape: size,
      chunks,
      dtype: DTYPES[type],
      compressor: null,
      fill_value: 0,
      order: "C",
    };
    await writeFile(
      join(path, `${level}/.zarray`),
      JSON.stringify({ ...told, filters: null, dimension_separator: "." }),
    );
    for (let number = 0; number < counts.reduce((a, b) => a * b, 1); number++) {
      const chunk = placeOf(number, counts);
      const values = new ARRAYS[type](chunks.reduce((a, b) => a * b, 1));
      for (let i = 0; i < values.length; i++) {
        const at = placeOf(i, chunks).map((own, k) => own + chunk[k] * chunks[k]);
        if (at.every((own, k) => own < size[k])) values[i] = valueAt(at.map((own, k) => own * step[k]));
      }
      await writeFile(join(path, `${level}/${chunk.join(".")}`), new Uint8Array(values.buffer));
    }
    const scale = step.map((own, i) => (isSpace[i] ? own * 0.5 : 1));
    datasets.push({ path: `${level}`, coordinateTransformations: [{ type: "scale", scale }] });
  }
  const kinds = { t: "time", c: "channel" } as Readonly<Record<string, string>>;
  const named = [...axes].map((name) => ({
    name,
    type: kinds[name] ?? "space",
    ...(kinds[name] ? {} : { unit: "micrometer" }),
  }));
  await writeFile(join(path, ".zattrs"), JSON.stringify({ multiscales: [{ version: "0.4", axes: named, datasets }] }));
  await writeFile(join(path, ".zgroup"), JSON.stringify({ zarr_format: 2 }));
}

function placeOf(number: number, sides: readonly number[]): number[] {
  const at: number[] = [];
  for (let i = sides.length - 1, rest = number; i >= 0; i--) {
    at[i] = rest % sides[i];
    rest = Math.floor(rest / sides[i]);
  }
  return at;
}

/** Noise of cells, some of them equal, whose values fit the type. */
function noise(draw: Draw, type: Type): (at: number[]) => number {
  const seed = draw.below(2 ** 30);
  const cell = draw.of([1, 1, 2, 3]);
  const sparse = draw.of([20, 50, 80]);
  return (at) => {
    let hash = seed;
    for (const own of at) hash = Math.imul(hash ^ Math.floor(own / cell), 0x01000193) >>> 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
    if (hash % 100 >= sparse) return 0;
    const value = (hash >>> 8) % 7;
    if (type === "i16") return value * 40 - 100;
    return type === "f32" ? value * 12.25 : value * 36;
  };
}

const PROPERTIES = ["area", "centroid", "bounds", "secondMoments", "extent", "equivalentDiameter"];
const OF_IMAGES = ["majorAxis", "minorAxis", "orientation", "eccentricity", "edges", "eulerNumber"];
const OF_VALUES = ["min", "max", "sum", "mean", "std", "weightedCentroid"];

function drawn(draw: Draw, { axes, shape, type }: Image, hasSecond: boolean): { recipe: Recipe; isMeasure: boolean } {
  const isVolume = axes.includes("z");
  const level = draw.chance(20) ? 1 : 0;
  const input: Record<string, unknown> = {};
  if (level > 0) input.level = level;
  if (axes.includes("c")) input.channel = draw.below(shape[axes.indexOf("c")]);
  if (axes.includes("t")) input.time = draw.below(shape[axes.indexOf("t")]);
  if (draw.chance(30)) {
    const sides = ["x", "y", ...(isVolume ? ["z"] : [])].map((axis) =>
      Math.ceil(shape[axes.indexOf(axis)] / (level + 1)),
    );
    const from = sides.map((side) => draw.below(side));
    input.crop = [...from, ...sides.map((side, i) => 1 + draw.below(side - from[i]))];
  }
  const options: Record<string, unknown> = { connectivity: draw.of(isVolume ? [6, 18, 26] : [4, 8]) };
  const isMeasure = type !== "f32" && type !== "i16" && draw.chance(20);
  if (!isMeasure) {
    if (type !== "f32" && draw.chance(20)) options.by = "value";
    else {
      const some = type === "i16" ? [-60, 20, 100] : [36, 80, 150];
      const [a, b] = [Math.min(some[draw.below(3)], 100), 150];
      options.threshold = draw.of<unknown>([
        "nonzero",
        { above: a },
        { below: a },
        { between: [a, b] },
        { outside: [a, b] },
        ...(type === "f32" || type === "u32" ? [] : ["otsu"]),
      ]);
    }
    if (draw.chance(30)) options.minArea = 1 + draw.below(6);
    if (draw.chance(20)) options.maxArea = 6 + draw.below(60);
    if (draw.chance(20)) options.clearBorder = true;
    if (draw.chance(20)) options.largest = 1 + draw.below(5);
  } else delete options.connectivity;
  if (draw.chance(30)) options.physical = true;
  const isWhole = input.crop === undefined && options.physical === undefined;
  const known = [
    ...PROPERTIES,
    ...(isWhole ? ["rawMoments"] : []),
    ...(isVolume ? [] : OF_IMAGES),
    ...(hasSecond || !isMeasure ? OF_VALUES : []),
  ];
  const properties = known.filter(() => draw.chance(40));
  const products = { properties: properties.length > 0 ? properties : ["area"] };
  const second = hasSecond ? { intensity: ["second.zarr"] } : {};
  const made = {
    skerry: 1,
    operation: isMeasure ? "labelled" : "components",
    input: { ...input, ...second },
    options,
    products,
  };
  return { recipe: parseRecipe(JSON.parse(JSON.stringify(made))), isMeasure };
}

async function pixelsIn(path: string): Promise<number[]> {
  const source = await zarrSource(path);
  const { width, height, depth } = source;
  const all = new Uint32Array(width * height * depth);
  await source.read(0, depth, 0, height, all, {});
  return [...all];
}

/** Whether two tables are the same; sums of f32 may differ in their last digits. */
function differenceOf(one: string, other: string, isExact: boolean): string | undefined {
  if (one === other) return undefined;
  const [a, b] = [one, other].map((text) => text.split("\n").map((line) => line.split(",")));
  if (a.length !== b.length) return `${a.length} and ${b.length} rows`;
  for (const [row, cells] of a.entries()) {
    for (const [column, cell] of cells.entries()) {
      const own = b[row][column];
      const near = Math.abs(Number(cell) - Number(own)) <= 1e-5 * Math.max(1, Math.abs(Number(cell)));
      if (cell !== own && (isExact || !near)) return `${a[0][column]} in row ${row}: ${cell} and ${own}`;
    }
  }
  return undefined;
}

test(`${PLANS} plans give what one process gives`, async () => {
  const path = await mkdtemp(join(tmpdir(), "skerry-plans-"));
  const wrong: string[] = [];
  let labelled = 0;
  for (let number = 0; number < PLANS; number++) {
    const draw = new Draw(SEED + number);
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
    const axes = draw.of(["yx", "zyx", "zyx", "cyx", "czyx", "tczyx", "tyx"]);
    const most = axes.includes("z") ? 20 : 60;
    const shape = [...axes].map((axis) => ("zyx".includes(axis) ? 2 + draw.below(most) : 1 + draw.below(3)));
    const chunks = [...axes].map((axis) => ("zyx".includes(axis) ? draw.of([4, 5, 8]) : 1));
    const image: Image = { axes, shape, chunks, type: draw.of(["u8", "u8", "u16", "i16", "f32", "u32"] as const) };
    const hasSecond = draw.chance(25);
    await write(join(path, "image.zarr"), image, noise(draw, image.type));
    const second: Image = { ...image, type: draw.of(["u8", "u16", "f32"] as const) };
    if (hasSecond) await write(join(path, "second.zarr"), second, noise(draw, second.type));
    const { recipe, isMeasure } = drawn(draw, image, hasSecond);
    await writeFile(join(path, "recipe.json"), JSON.stringify(recipe));
    const shown = `plan ${SEED + number}: ${JSON.stringify(recipe)} of ${image.type} ${axes} ${shape}`;
    const output = isMeasure ? [] : ["-o", "alone.zarr"];
    const alone = await run(["run", "recipe.json", "image.zarr", ...output, "--regions", "alone.csv"], path);
    const block = ["x", "y", "z"].map((axis) =>
      axes.includes(axis) ? chunks[axes.indexOf(axis)] * (1 + draw.below(3)) : 1,
    );
    const before = process.cwd();
    process.chdir(path);
    try {
      const made = await plan({
        recipe,
        input: "image.zarr",
        regions: "many.csv",
        block: axes.includes("z") ? block : block.slice(0, 2),
        ...(isMeasure ? {} : { output: "many.zarr" }),
      });
      await enroll(made);
      const own = await openRun(made, { threads: 1, patience: { milliseconds: 0, sleep: async () => undefined } });
      await work(own, { pause: 1 });
      await own.close();
      if (alone.code !== 0) wrong.push(`${shown}: only the plan is done: ${alone.err}`);
      else {
        const isExact = image.type !== "f32" && (!hasSecond || second.type !== "f32");
        const tables = await Promise.all(["alone.csv", "many.csv"].map((name) => readFile(name, "utf8")));
        const difference = differenceOf(tables[0], tables[1], isExact);
        if (difference) wrong.push(`${shown}: ${difference}`);
        if (!isMeasure) {
          labelled++;
          const [a, b] = [await pixelsIn("alone.zarr"), await pixelsIn("many.zarr")];
          const at = a.findIndex((value, i) => value !== b[i]);
          if (a.length !== b.length || at >= 0) wrong.push(`${shown}: labels at ${at}: ${a[at]} and ${b[at]}`);
        }
      }
    } catch (error) {
      // Both refuse, or both work.
      if (alone.code === 0) wrong.push(`${shown}: ${(error as Error).message}`);
    } finally {
      process.chdir(before);
    }
  }
  await rm(path, { recursive: true, force: true });
  expect(wrong).toEqual([]);
  expect(labelled).toBeGreaterThan(PLANS / 3);
}, 1_800_000);
