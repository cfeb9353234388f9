// skerry explain: the stages of labelling the user's own image as pictures, and the order in which a fill arrives.

import { join } from "node:path";
import { type Picture, rasterOf } from "@skerry/files/node";
import { makeFolder, reasonOf, sizeOf } from "@skerry/files/node/internal";
import { thresholdFor } from "@skerry/recipe/internal";
import Table from "cli-table3";
import { Command, Option } from "commander";
import type { Engine, Place, Raster, Threshold } from "skerry";
import { RunError, UsageError, unexpected } from "../errors.js";
import { fillStage, labelStages, type Pixels, type Stage } from "../explain/stages.js";
import { grouped, runnerOf, sides } from "../progress.js";
import { addDeviceOptions, openEngine, type RunOptions, wholeNumber } from "./arguments.js";
import { RecipeFlags } from "./fields.js";
import { openInput, recipeFor } from "./input.js";

/** Most pixels of an input: the stages run in plain JavaScript, meant for small images. */
const MOST_PIXELS = 4 * 2 ** 20;

interface Options extends Pick<RunOptions, "device" | "threads"> {
  output: string;
  strips: number;
  tiles?: boolean;
  json?: boolean;
}

/** Recipe fields that explain takes, for labelling and for the fill. */
const SHOWN = ["crop", "nodata", "threshold", "polarity", "connectivity"];
const FILLED = ["seeds", "tolerance"];

export function explainCommand(): Command {
  const command = new Command("explain")
    .summary("the stages of labelling your own image, as pictures")
    .description(
      [
        "Writes pictures of how INPUT is labelled into a folder: its pixels, the bits of the threshold, the runs, the labels within strips (or tiles) before their seams are joined, the seams, and the labels. With --at also the order in which a flood fill arrives.",
        `INPUT is an image of at most ${grouped(MOST_PIXELS)} pixels, or a part of one (--crop). The stages are worked out again in plain JavaScript; the result is compared with the engine's.`,
      ].join("\n\n"),
    )
    .argument("<INPUT>", "an image as for skerry label, or - for stdin")
    .usage("INPUT -o FOLDER [options]")
    .requiredOption("-o, --output <FOLDER>", "where to write the pictures; made if it does not exist");
  command.optionsGroup("What to look at:");
  command
    .addOption(
      new Option("--strips <N>", "cut into N strips of rows (the CPU takes one for each 262 144 pixels, at most 32)")
        .default(4)
        .argParser(wholeNumber("--strips")),
    )
    .addOption(new Option("--tiles", "cut into tiles as on a GPU, instead of strips").conflicts("strips"));
  const flags = new RecipeFlags(command, undefined, "", {
    operations: ["components"],
    only: SHOWN,
  });
  const fills = new RecipeFlags(command, undefined, "How a fill arrives:", { operations: ["fill"], only: FILLED });
  command.optionsGroup("How to run and report:");
  addDeviceOptions(command, "auto is the CPU");
  command
    .option("--json", "one JSON object instead of the table")
    .addHelpText(
      "after",
      `
Examples:
  skerry explain cells.png -o stages
  skerry explain wafer.png --threshold ">90" --connectivity 8 --tiles -o stages
  skerry explain photo.jpg --crop 200,100,96,64 --at 12,30 --tolerance 24 -o stages

Exit codes: 0 done, 1 a file could not be read or written, or the stages end in other labels than the engine's, 2 a
wrong call.`,
    )
    .action((input: string, options: Options) => explain(input, flags, fills, options));
  return command;
}

async function explain(input: string, flags: RecipeFlags, fills: RecipeFlags, options: Options): Promise<void> {
  if (/\.(png|jpe?g|tiff?|svg)$/i.test(options.output)) {
    throw new UsageError(`Expected -o to be a folder for several pictures, got ${options.output}.`);
  }
  const given = flags.recipe();
  const fill = fills.isHeard ? fills.recipe() : undefined;
  const { threshold: named, polarity = "auto", connectivity = 4 } = given.options ?? {};
  if (typeof named === "object" && ("hysteresis" in named || "local" in named)) {
    throw new UsageError(`Expected a threshold of single pixels to explain, got --threshold ${Object.keys(named)[0]}.`);
  }
  if (connectivity !== 4 && connectivity !== 8) {
    throw unexpected("--connectivity", "4 or 8 for an image", connectivity);
  }
  const picture = await openInput(input, given, { alpha: fill ? "kept" : undefined });
  const recipe = recipeFor(given, picture);
  let engine: Engine | undefined;
  try {
    const raster = await pixelsOf(picture);
    const { seeds = [], tolerance = 0 } = fill?.options ?? {};
    const tolerances = typeof tolerance === "number" ? [tolerance] : tolerance;
    checkSeeds(raster, seeds, tolerances);
    engine = await openEngine(options, "cpu");
    const threshold = await thresholdFor(engine, recipe, raster);
    const pieces = options.tiles ? "tiles" : options.strips;
    const stages = await labelStages(engine, raster, {
      threshold: threshold as Threshold,
      polarity,
      connectivity,
      pieces,
    });
    if (fill) {
      const places = seeds as unknown as readonly Place[];
      stages.push(await fillStage(engine, raster, { seeds: [...places], tolerance: [...tolerances], connectivity }));
    }
    await makeFolder(options.output).catch((error) => {
      throw new RunError(`Could not make the folder ${options.output}: ${reasonOf(error)}.`);
    });
    for (const { file, drawing } of stages) await drawing.write(join(options.output, file));
    report(engine, picture, raster, stages, options);
  } finally {
    await engine?.close();
    await picture.close();
  }
}

/** The pixels of an image. Refuses volumes and images of more than MOST_PIXELS pixels. */
async function pixelsOf(picture: Picture): Promise<Pixels> {
  const { width, height, depth } = sizeOf(picture);
  if (depth > 1) {
    throw new UsageError(`Expected an image to explain, got a volume of ${sides({ width, height, depth })} voxels.`);
  }
  if (width * height > MOST_PIXELS) {
    throw new UsageError(
      `Expected at most ${grouped(MOST_PIXELS)} pixels to explain, got ${width} x ${height}; choose a part with --crop.`,
    );
  }
  return rasterOf(picture);
}

function checkSeeds(
  { width, height, channels }: Pixels,
  seeds: readonly (readonly number[])[],
  tolerances: readonly number[],
): void {
  for (const seed of seeds) {
    const [x, y] = seed;
    if (seed.length > 2 || x < 0 || y < 0 || x >= width || y >= height) {
      throw new UsageError(`Expected --at to be X,Y within ${width} x ${height}, got ${seed.join(",")}.`);
    }
  }
  if (tolerances.length !== 1 && tolerances.length !== channels) {
    throw unexpected("--tolerance", `one number or ${channels}`, tolerances.length);
  }
}

function report(
  engine: Engine,
  { input }: Picture,
  { width, height }: Raster,
  stages: readonly Stage[],
  { output, json, device }: Options,
): void {
  const runner = runnerOf(device === "gpu" ? "gpu" : "cpu", engine.describe());
  if (json) {
    const files = stages.map(({ file, text, cost }) => ({ file: join(output, file), text, ...cost }));
    console.log(JSON.stringify({ input, width, height, runner, stages: files }));
    return;
  }
  const table = new Table({
    style: { head: [], border: [], compact: true },
    colAligns: ["left", "left", "right", "right"],
    head: ["picture", "what it shows", "time", "moved"],
  });
  for (const { file, text, cost } of stages) {
    const costs = cost
      ? [`${cost.milliseconds.toFixed(2)} ms`, `${grouped(Math.ceil(cost.bytes / 1024))} KiB`]
      : ["-", "-"];
    table.push([join(output, file), text, ...costs]);
  }
  console.log(
    `${table.toString()}\nThe engine ran on ${runner}. Times are its own, of one first call; beside the pixels stands their copy to the device.`,
  );
}
