// The four ways to run a recipe: run() of the package, the command line, skerry run, and the printed program; each gives bytes.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { Components, DistanceMap, Engine, Labels, Mask, PixelArray, Raster, Segmentation } from "skerry";
import * as library from "skerry";
import { run as skerry } from "../../../cli/test/support/run.js";
import * as recipes from "../../src/index.js";
import { argumentsOf, COMMANDS } from "../../src/internal.js";

/** Inputs, in memory and as files of a folder. */
export interface Scene {
  readonly folder: string;
  readonly images: Readonly<Record<string, Raster & { channels: number }>>;
}

const [WIDTH, HEIGHT] = [40, 30];

/** Renders the inputs, and writes them. */
export async function makeScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "skerry-recipes-"));
  const make = (
    channels: 1 | 3,
    value: (x: number, y: number, channel: number) => number,
  ): Raster & { channels: number } => ({
    data: Uint8Array.from({ length: WIDTH * HEIGHT * channels }, (_, i) => {
      const pixel = Math.floor(i / channels);
      return value(pixel % WIDTH, Math.floor(pixel / WIDTH), i % channels);
    }),
    width: WIDTH,
    height: HEIGHT,
    channels,
  });
  const wave = (x: number, y: number): number => Math.sin(x / 3) * Math.cos(y / 4);
  const images = {
    "grey.png": make(1, (x, y) => 60 * Math.round(2 * (1 + wave(x, y))) + ((x * 7 + y * 13) % 11)),
    "colour.png": make(3, (x, y, c) => 60 * Math.round(2 * (1 + wave(x + 2 * c, y - c)))),
    "labels.png": make(1, (x, y) => (wave(x, y) > 0 ? 1 + Math.floor(x / 9) + 5 * Math.floor(y / 10) : 0)),
    "mask.png": make(1, (x, y) => ((x - 20) ** 2 + (y - 15) ** 2 < 190 ? 255 : 0)),
    "other.png": make(1, (x, y) => (x > y ? 255 : 0)),
  };
  for (const [name, { data, width, height, channels }] of Object.entries(images)) {
    await sharp(data as Uint8Array, { raw: { width, height, channels: channels as 1 | 3 } })
      .toColourspace(channels === 1 ? "b-w" : "srgb")
      .png()
      .toFile(join(folder, name));
  }
  return { folder, images };
}

export const removeScene = ({ folder }: Scene): void => rmSync(folder, { recursive: true });

/** The input of an operation. */
export const INPUTS: Readonly<Record<recipes.Operation, string>> = {
  components: "grey.png",
  labelled: "labels.png",
  fill: "colour.png",
  distance: "grey.png",
  kmeans: "colour.png",
  mask: "mask.png",
};

/** A hash of values, or what stands for a refusal. */
export const REFUSED = "refused";
function hashOf(values: ArrayBufferView): string {
  return createHash("sha256")
    .update(Buffer.from(values.buffer, values.byteOffset, values.byteLength))
    .digest("hex")
    .slice(0, 16);
}

/** Pixels of a mask, a byte each. */
function bytesOf({ bits, width, height }: Mask): Uint8Array {
  const words = Math.ceil(width / 32);
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return (bits[y * words + (x >> 5)] >>> (x & 31)) & 1;
  });
}

type Products = Partial<{
  labels: Labels;
  ids: PixelArray | undefined;
  mask: Mask;
  map: DistanceMap;
  classes: Segmentation;
}>;

function digestOf({ labels, ids, mask, map, classes }: Products): string {
  // Files of labels have the ids of a label image.
  if (labels) return hashOf(ids ? labels.data.map((label) => (label > 0 ? ids[label - 1] : 0)) : labels.data);
  if (mask) return hashOf(bytesOf(mask));
  return hashOf(map ? map.data : (classes as Segmentation).data);
}

async function refusing(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof library.SkerryError || error instanceof recipes.RecipeError) return REFUSED;
    throw error;
  }
}

/** By run(). */
export function byRun(engine: Engine, recipe: recipes.Recipe, { images }: Scene): Promise<string> {
  return refusing(async () => {
    const image = images[INPUTS[recipe.operation]];
    const result = await recipes.run(engine, recipe, { image, open: (path) => images[path] });
    if ("mask" in result) return digestOf(result);
    if ("segmentation" in result) return digestOf({ classes: result.segmentation });
    if ("distances" in result) return digestOf({ map: result.distances });
    using components: Components = result.components;
    return digestOf(
      recipe.operation === "fill"
        ? { mask: await components.mask() }
        : { labels: await components.labels(), ids: components.ids },
    );
  });
}

/** Outputs of an operation's command. */
const OUTPUTS: Readonly<Record<recipes.Operation, string>> = {
  components: "-o",
  labelled: "-o",
  fill: "--mask",
  distance: "-o",
  kmeans: "--classes",
  mask: "-o",
};

/** Values of a .npy file. */
function valuesOf(file: Buffer): Uint8Array {
  return new Uint8Array(file.subarray(10 + file.readUInt16LE(8)));
}

async function byCommand({ folder }: Scene, operation: recipes.Operation, words: readonly string[]): Promise<string> {
  const { code, err } = await skerry([...words, OUTPUTS[operation], "out.npy", "--quiet"], folder);
  if (code !== 0) {
    if (!err.startsWith("skerry: Expected")) throw new Error(`${words.join(" ")}: ${err}`);
    return REFUSED;
  }
  return hashOf(valuesOf(readFileSync(join(folder, "out.npy"))));
}

/** By the command line that toCommand() prints; `undefined` where it cannot say all of the recipe. */
export async function byCommandLine(recipe: recipes.Recipe, scene: Scene): Promise<string | undefined> {
  const { args, without } = argumentsOf(recipe);
  if (without.length > 0) return undefined;
  const input = INPUTS[recipe.operation];
  // Products that are named need their output.
  const { products = {} } = recipe;
  const outlines = products.simplify !== undefined || products.rings !== undefined;
  const extra = ["components", "labelled"].includes(recipe.operation)
    ? ["--regions", "regions.csv", ...(outlines ? ["--outlines", "outlines.svg"] : [])]
    : products.simplify === undefined
      ? []
      : ["-o", "poster.svg"];
  return byCommand(scene, recipe.operation, [COMMANDS[recipe.operation], input, ...args, ...extra]);
}

/** The recipe that the command line of a recipe means. */
export async function parsedAgain(recipe: recipes.Recipe, { folder }: Scene): Promise<unknown> {
  const { args } = argumentsOf(recipe);
  const { products = {} } = recipe;
  const outlines = products.simplify !== undefined || products.rings !== undefined;
  const extra = ["components", "labelled"].includes(recipe.operation)
    ? ["--regions", "r.csv", ...(outlines ? ["--outlines", "o.svg"] : [])]
    : products.simplify === undefined
      ? []
      : ["-o", "poster.svg"];
  const words = [COMMANDS[recipe.operation], "input", ...args, ...extra, "--recipe", "again.json", "--steps"];
  rmSync(join(folder, "again.json"), { force: true });
  const { code, err } = await skerry(words, folder);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
  return JSON.parse(readFileSync(join(folder, "again.json"), "utf8"));
}

/** By skerry run. */
export function byRecipeFile(recipe: recipes.Recipe, scene: Scene): Promise<string> {
  writeFileSync(join(scene.folder, "recipe.json"), JSON.stringify(recipe));
  return byCommand(scene, recipe.operation, ["run", "recipe.json", INPUTS[recipe.operation]]);
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => Promise<Products>;

/** By the printed program. */
export function byProgram(engine: Engine, recipe: recipes.Recipe, { images }: Scene): Promise<string> {
  const lines = recipes.toTypeScript(recipe).split("\n");
  const body = lines.map((line) =>
    line
      .replace(/^import (\{.*\}) from "skerry";$/, "const $1 = library;")
      .replace(/^import (\{.*\}) from "@skerry\/recipe";$/, "const $1 = recipes;")
      .replace(/^const engine = await open\(\);$|^await engine\.close\(\);$/, "")
      .replace(/^console\.log.*$/, ""),
  );
  const known = ["labels", "mask", "map", "classes"].filter((name) =>
    body.some((line) => new RegExp(`^(let|const) ${name} =`).test(line)),
  );
  const program = new AsyncFunction(
    "library",
    "recipes",
    "engine",
    "image",
    "read",
    [...body, `return { ${known.join(", ")}${known.includes("labels") ? ", ids: objects.ids" : ""} };`].join("\n"),
  );
  const image = images[INPUTS[recipe.operation]];
  return refusing(async () =>
    digestOf(await program(library, recipes, engine, image, async (path: string) => images[path])),
  );
}
