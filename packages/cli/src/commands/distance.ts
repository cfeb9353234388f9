// skerry distance: reads pictures and volumes; writes exact distance maps while it computes them.

import { spacingOf } from "@skerry/files";
import { isUpright, lengthUnitOf, type Size, type Wide } from "@skerry/files/internal";
import { type Picture, writeMap } from "@skerry/files/node";
import { checkMapPath, memoryForPixels, Preview, sizeOf, tooLittle } from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import { distanceTarget, namedThreshold } from "@skerry/recipe/internal";
import { Command } from "commander";
import { type Engine, OutOfMemory, type Sink } from "skerry";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides, sizeFields, tellNotes } from "../progress.js";
import { addRunOptions, addStoreOptions, checkWritten, type Named, openEngine, type RunOptions } from "./arguments.js";
import { withinOf } from "./beside.js";
import { keepRecipe, RecipeFlags } from "./fields.js";
import { isUneven, type OpenedInput, openInput, recipeFor } from "./input.js";
import { checkFits } from "./memory.js";
import { extremesNote, flatNotes, idleNotes, labelsNote, lostPlaces, rangeNotes } from "./notes.js";
import {
  bytesOf,
  checkSink,
  checkStored,
  checkStores,
  isZarrName,
  type SinkOptions,
  writeStored,
  writtenIn,
} from "./stores.js";

interface Options extends RunOptions {
  output?: string;
  preview?: string;
  overwrite?: boolean;
  nearest?: string;
  memory?: number;
}

export function distanceCommand(given?: Recipe): Command {
  const command = new Command("distance")
    .summary("map how far every pixel is from the objects")
    .description(
      [
        "Maps how far every pixel of INPUT is from the nearest pixel of the foreground: exactly, in the units of the file's spacing, in one pass from file to file.",
        "INPUT is what 'skerry label' takes. Values are 32-bit floats, infinite if nothing is in reach; with --squared they are 32-bit integers.",
      ].join("\n\n"),
    )
    .argument("<INPUT>", "image or volume, or - for stdin")
    .usage("INPUT [options]");
  command.optionsGroup("What to write:");
  command
    .option("-o, --output <FILE>", "the map: .npy, .tif, .nii, .nii.gz, .nrrd, .mha or OME-Zarr .zarr")
    .option(
      "--preview <FILE.png>",
      "the map in colours, of a volume its three middle slices, with lines of equal distance and a scale",
    )
    .option(
      "--nearest <FILE>",
      "the index of the foreground pixel nearest to each pixel: x + width * (y + height * z), 4294967295 for none",
    );
  addStoreOptions(command);
  const flags = new RecipeFlags(command, given, "How to measure:");
  command.optionsGroup("How to run and report:");
  addRunOptions(
    command,
    "auto is the CPU, whose map is written sooner",
    "instead of a sentence: min, max, mean, sites, milliseconds",
  );
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry distance cells.png --threshold otsu --preview seen.png
  skerry distance head.nii.gz --smooth 1 --threshold triangle --close 8 --physical --fill-holes slices --largest 1 --surface -o map.nii.gz --preview slices.png
  skerry distance scan.npy --threshold ">120" --signed --spacing 0.5,0.5,2 -o signed.npy
  skerry distance huge.nii --threshold ">400" --max 20 --memory 512M -o map.nii

Exit codes: 0 done, 1 a file could not be read, measured or written, 2 a wrong call. SKERRY_DEBUG=1 prints the
stack trace of an error.`,
    )
    .action((input: string, options: Options) => distance(input, flags, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkOutputs(input: string, kept: Recipe, { recipe, output, nearest, preview }: Options): void {
  const { within } = kept.input ?? {};
  if (output !== undefined) checkStored(output, (path) => checkMapPath("-o", path));
  if (nearest !== undefined) checkMapPath("--nearest", nearest);
  if (preview !== undefined && !preview.toLowerCase().endsWith(".png")) {
    throw new UsageError(`Expected --preview to end in .png, got ${preview}.`);
  }
  const fence: Named[] = typeof within === "string" ? [[within, "--within"]] : [];
  checkWritten(
    [[input, "the input"], ...fence],
    [
      [recipe, "--recipe"],
      [output === undefined ? undefined : writtenIn(output, kept), "-o"],
      [nearest, "--nearest"],
      [preview, "--preview"],
    ],
  );
}

async function distance(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const recipe = flags.recipe();
  checkOutputs(input, recipe, options);
  checkStores(recipe, [options.output], options, flags.isSpoken);
  if (await keepRecipe(recipe, options)) return;
  const watch = new Stopwatch();
  const picture = await watch.measure("read", 0, () =>
    openInput(input, recipe, { spill: options.memory !== undefined }),
  );
  let engine: Engine | undefined;
  try {
    checkFits(recipe, picture, options);
    if (recipe.options?.physical && isUneven(recipe, picture)) {
      throw new UsageError(
        `Expected axes at right angles for --physical, but the grid of ${input} is sheared: distances along its axes are not those of its space; --spacing X,Y,Z measures along the axes.`,
      );
    }
    await checkSink(options.output, picture, recipe, { ...storedAs(recipe), overwrite: options.overwrite });
    // A map that goes to a file is written sooner from the CPU than from the GPU.
    engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
    await measure(engine, picture, recipeFor(recipe, picture), options, watch);
  } catch (error) {
    // A limit that is too low is a wrong call.
    if (error instanceof OutOfMemory && error.limit !== undefined && error.bytes && options.memory) {
      throw tooLittle("this map", error.bytes - error.limit);
    }
    throw error;
  } finally {
    await engine?.close();
    await picture.close();
  }
}

/** In OME-Zarr a map is stored as an image, not as labels. */
function storedAs({ options = {} }: Recipe): SinkOptions {
  return { type: options.squared ? "u32" : "f32", labels: false };
}

/** Statistics of a map's values, added up as rows are written. */
class Totals {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  sum = 0;
  count = 0;
  sites = 0;
  readonly #signed: boolean;

  constructor(signed: boolean) {
    this.#signed = signed;
  }

  add(data: Wide): void {
    const none = data instanceof Uint32Array ? 0xffffffff : Number.POSITIVE_INFINITY;
    let { min, max, sum, count, sites } = this;
    const signed = this.#signed;
    for (let i = 0; i < data.length; i++) {
      const value = data[i];
      if (signed ? value < 0 : value === 0) sites++;
      if (value === none || value === Number.NEGATIVE_INFINITY) continue;
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
      count++;
    }
    Object.assign(this, { min, max, sum, count, sites });
  }
}

async function measure(
  engine: Engine,
  picture: OpenedInput,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<void> {
  const { output, preview, nearest } = options;
  const { squared = false, signed = false } = recipe.options ?? {};
  const bar = new ProgressBar(!options.quiet);
  bar.count(bytesOf(picture));
  const begin = performance.now();
  const { pixels } = picture;
  // Pixels on the host count towards the limit, beside the engine's memory.
  const input = "data" in pixels ? pixels.data.byteLength : 0;
  const left = memoryForPixels();
  const memory = left === undefined ? {} : { memory: Math.max(1, left - input) };
  const within = await withinOf(engine, recipe, picture);
  const call = { ...memory, onProgress: bar.update };
  const { target, options: wanted, objects } = await distanceTarget(engine, recipe, pixels, { ...call, ...within });
  if (objects) watch.add(engine.timings);
  const size = sizeOf(picture);
  const sizes = sidesOf(picture);
  const step = squared ? await stepOf(engine, size, sizes) : undefined;
  const drawn = preview === undefined ? undefined : new Preview(size, sizes);
  const totals = new Totals(signed);
  const make = (file?: Sink<Wide>, sites?: Sink<Wide>): Promise<unknown> => {
    const into: Sink<Wide> = {
      write(z0, z1, y0, y1, data) {
        totals.add(data);
        drawn?.take(z0, z1, y0, y1, data);
        return file?.write(z0, z1, y0, y1, data);
      },
    };
    return engine.distance(
      target,
      defined({ ...wanted, ...call, spacing: sizes, into, nearest: sites ?? wanted.nearest }),
    );
  };
  const type = squared ? "u32" : "f32";
  const both = (file?: Sink<Wide>): Promise<unknown> => {
    if (nearest === undefined) return make(file);
    return writeMap(nearest, picture.space, "u32", (sites) => make(file, sites));
  };
  try {
    if (output === undefined) await both();
    else if (isZarrName(output)) {
      await writeStored<Wide>(
        output,
        picture,
        recipe,
        { ...storedAs(recipe), overwrite: options.overwrite },
        async (sink) => {
          await both(sink);
        },
      );
    } else await writeMap(output, picture.space, type, both);
    watch.add(engine.timings);
    if (drawn) {
      const distanceOf = step === undefined ? (value: number) => value : rootOf(step);
      await drawn.write(preview as string, distanceOf, unitName(picture, sizes), isUpright(picture.space));
    }
  } finally {
    bar.stop();
    objects?.dispose();
  }
  const { points, by, to } = recipe.options ?? {};
  const isAllOrNone = to === "surface" || totals.sites === 0 || totals.sites === size.width * size.height * size.depth;
  const flat =
    points === undefined && by === undefined && isAllOrNone
      ? await flatNotes(picture, recipe, namedThreshold(recipe) ?? "otsu")
      : [];
  const range =
    points === undefined ? await rangeNotes(engine, picture, recipe, totals.sites, namedThreshold(recipe)) : [];
  const area = size.width * size.height * size.depth;
  const emptied =
    points === undefined && to !== "surface" && totals.sites === 0
      ? extremesNote(picture, recipe, { foreground: 0, count: 0, size: area })
      : [];
  report(
    engine,
    picture,
    totals,
    [
      ...picture.notes(),
      ...labelsNote(picture, recipe),
      ...idleNotes(picture, recipe),
      ...flat,
      ...range,
      ...(flat.length + range.length === 0 ? emptied : []),
    ],
    performance.now() - begin,
    { ...options, signed },
    step,
  );
  if (options.timing) console.error(await watch.table());
}

/** Sides of a pixel; 1 where the file tells none. */
function sidesOf({ space }: Picture): [number, number, number] {
  const [x = 1, y = 1, z = 1] = spacingOf(space) ?? [];
  return [x, y, z];
}

/** Converts a squared distance in whole steps to a distance. */
const rootOf =
  (step: number) =>
  (squared: number): number =>
    squared === 0xffffffff ? Number.POSITIVE_INFINITY : Math.sqrt(squared) * step;

/** The length whose squares squared distances count, read from a map with the same spacing and at most two pixels per axis. */
async function stepOf(engine: Engine, size: Size, spacing: [number, number, number]): Promise<number> {
  const [width, height, depth] = [size.width, size.height, size.depth].map((n) => Math.min(n, 2)) as [
    number,
    number,
    number,
  ];
  return (await engine.distance({ points: [], width, height, depth, spacing }, { squared: true })).unit;
}

/** The unit of the sides of a pixel, else px if they are 1, else empty. */
function unitName({ space }: Picture, sizes: readonly number[]): string {
  return lengthUnitOf(space) ?? (sizes.every((side) => side === 1) ? "px" : "");
}

function report(
  engine: Engine,
  picture: Picture,
  totals: Totals,
  notes: readonly string[],
  milliseconds: number,
  options: Options & { readonly signed: boolean },
  step: number | undefined,
): void {
  const { input, space } = picture;
  const unit = lengthUnitOf(space);
  const { min, max, sum, count, sites } = totals;
  const mean = count > 0 ? sum / count : undefined;
  const where = engine.describe().device === "gpu" ? "gpu" : "cpu";
  const size = sizeOf(picture);
  const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const noted = tellNotes([...notes, ...lostPlaces(picture, options.output, options.nearest)], options);
  if (options.json) {
    const summary = defined({
      input,
      ...sizeFields(size),
      min: known(min),
      max: known(max),
      mean: mean ?? null,
      sites,
      unit,
      squaresOf: step,
      ...ranOn(where, engine.describe(), milliseconds),
      ...noted,
    });
    console.log(JSON.stringify(summary));
    return;
  }
  if (options.quiet) return;
  const range =
    count > 0
      ? `${step === undefined ? "" : "squared "}distances from ${shortest(min)} to ${shortest(max)}${measureOf(unit, step)}, mean ${shortest(mean as number)}`
      : "nothing in reach";
  const what = options.signed ? "pixels inside" : "sites";
  const runner = runnerOf(where, engine.describe());
  console.log(
    `${ahead(input)}${range}, ${grouped(sites)} ${what} in ${sides(size)}, ${milliseconds.toFixed(0)} ms on ${runner}`,
  );
}

/** The unit behind a range of distances; of squared ones the length whose squares they count, e.g. squares of 0.5 µm. */
function measureOf(unit: string | undefined, step: number | undefined): string {
  if (step !== undefined && step !== 1) return ` squares of ${[Number(step.toPrecision(6)), unit].join(" ").trim()}`;
  return unit === undefined ? "" : ` ${unit}${step === undefined ? "" : "\u00b2"}`;
}

function shortest(n: number): string {
  return Number.isInteger(n) ? `${n}` : n.toPrecision(5);
}
