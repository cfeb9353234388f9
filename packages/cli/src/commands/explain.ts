// skerry explain: the stages of labelling the user's own image as pictures, and the order in which a fill arrives.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isBinary, openPicture, type Picture, rasterOf, reasonOf, sizeOf } from "@skerry/files/node";
import Table from "cli-table3";
import { Command, Option } from "commander";
import type { Connectivity, Engine, Place, Raster } from "skerry";
import { RunError, UsageError, unexpected } from "../errors.js";
import { fillStage, labelStages, type Pixels, type Stage } from "../explain/stages.js";
import { grouped, runnerOf, sides } from "../progress.js";
import {
  addDeviceOptions,
  addThresholdOptions,
  connectivityOption,
  namedThreshold,
  numbers,
  openEngine,
  place,
  type RunOptions,
  type ThresholdOptions,
  whole,
} from "./arguments.js";

/** Stages are worked out in plain JavaScript, which is meant for images that one looks at. */
const MOST_PIXELS = 4 * 2 ** 20;

interface Options extends ThresholdOptions, Pick<RunOptions, "device" | "threads"> {
  output: string;
  connectivity?: Connectivity;
  strips: number;
  tiles?: boolean;
  crop?: number[];
  at?: Place[];
  tolerance: number[];
  json?: boolean;
}

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
    .addOption(new Option("--crop <X,Y,W,H>", "only this part of the image").argParser(crop))
    .addOption(
      new Option("--strips <N>", "cut into N strips of rows (the CPU cuts at 262 144 pixels a strip and more)")
        .default(4)
        .argParser(whole("--strips")),
    )
    .option("--tiles", "cut into tiles as on a GPU, instead of strips")
    .addOption(
      new Option("--at <X,Y>", "also show how a fill from here arrives; may be repeated").argParser(place("--at")),
    )
    .addOption(
      new Option("--tolerance <N>", "with --at: how far a channel may differ, or one per channel: R,G,B")
        .default([0], "0")
        .argParser(numbers("--tolerance")),
    );
  command.optionsGroup(
    "Which pixels are objects (default: nonzero if the image holds at most two values and one is 0, else Otsu):",
  );
  addThresholdOptions(command);
  command.addOption(connectivityOption());
  command.optionsGroup("How to run and report:");
  addDeviceOptions(command, "auto is the CPU");
  command
    .option("--json", "one JSON object instead of the table")
    .addHelpText(
      "after",
      `
Examples:
  skerry explain cells.png -o stages
  skerry explain wafer.png --above 90 --connectivity 8 --tiles -o stages
  skerry explain photo.jpg --crop 200,100,96,64 --at 12,30 --tolerance 24 -o stages

Exit codes: 0 done, 1 a file could not be read or written, or the stages end in other labels than the engine's, 2 a
wrong call.`,
    )
    .action((input: string, options: Options) => explain(input, options));
  return command;
}

function crop(text: string): number[] {
  const parts = numbers("--crop")(text);
  const [x = -1, y = -1, width = 0, height = 0] = parts;
  if (parts.length !== 4 || !parts.every(Number.isInteger) || x < 0 || y < 0 || width < 1 || height < 1) {
    throw unexpected("--crop", "X,Y,WIDTH,HEIGHT in whole pixels", text);
  }
  return parts;
}

async function explain(input: string, options: Options): Promise<void> {
  const named = namedThreshold(options);
  const [whole] = (["hysteresis", "local"] as const).filter((name) => options[name] !== undefined);
  if (whole) throw new UsageError(`Expected a threshold of single pixels to explain, got --${whole}.`);
  const connectivity = options.connectivity ?? 4;
  if (connectivity !== 4 && connectivity !== 8) {
    throw unexpected("--connectivity", "4 or 8 for an image", connectivity);
  }
  const picture = await openPicture(input, { alpha: options.at !== undefined, nodata: options.nodata });
  let engine: Engine | undefined;
  try {
    const raster = await partOf(picture, options.crop);
    checkSeeds(raster, options);
    engine = await openEngine(options, "cpu");
    const part = { ...picture, pixels: raster };
    const threshold = named ?? ((await isBinary(part)) ? "nonzero" : "otsu");
    const { dark = false, at, tolerance } = options;
    const pieces = options.tiles ? "tiles" : options.strips;
    const stages = await labelStages(engine, raster, { threshold, dark, connectivity, pieces });
    if (at) stages.push(await fillStage(engine, raster, { seeds: at, tolerance, connectivity }));
    await mkdir(options.output, { recursive: true }).catch((error) => {
      throw new RunError(`Could not make the folder ${options.output}: ${reasonOf(error)}.`);
    });
    for (const { file, drawing } of stages) await drawing.write(join(options.output, file));
    report(engine, picture, raster, stages, options);
  } finally {
    await engine?.close();
    await picture.close();
  }
}

/** The image, or the part of it that is wanted. */
async function partOf(picture: Picture, part: number[] | undefined): Promise<Pixels> {
  const { width, height, depth } = sizeOf(picture);
  if (depth > 1) {
    throw new UsageError(`Expected an image to explain, got a volume of ${sides({ width, height, depth })} voxels.`);
  }
  const [x0, y0, columns, rows] = (part ?? [0, 0, width, height]) as [number, number, number, number];
  if (x0 + columns > width || y0 + rows > height) {
    throw new UsageError(`Expected --crop to lie within ${width} x ${height}, got ${part?.join(",")}.`);
  }
  if (columns * rows > MOST_PIXELS) {
    throw new UsageError(
      `Expected at most ${grouped(MOST_PIXELS)} pixels to explain, got ${columns} x ${rows}; choose a part with --crop.`,
    );
  }
  const whole = await rasterOf(picture);
  if (!part) return whole;
  const { data, channels } = whole;
  const cut = data.slice(0, columns * rows * channels);
  for (let y = 0; y < rows; y++) {
    const from = ((y0 + y) * width + x0) * channels;
    cut.set(data.subarray(from, from + columns * channels), y * columns * channels);
  }
  return { data: cut, width: columns, height: rows, channels };
}

function checkSeeds({ width, height, channels }: Pixels, { at = [], tolerance }: Options): void {
  for (const seed of at) {
    const [x, y] = seed;
    if (seed.length > 2 || x < 0 || y < 0 || x >= width || y >= height) {
      throw new UsageError(`Expected --at to be X,Y within ${width} x ${height}, got ${seed.join(",")}.`);
    }
  }
  if (tolerance.length !== 1 && tolerance.length !== channels) {
    throw unexpected("--tolerance", `one number or ${channels}`, tolerance.length);
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
    const files = stages.map(({ file, text }) => ({ file: join(output, file), text }));
    console.log(JSON.stringify({ input, width, height, runner, stages: files }));
    return;
  }
  const table = new Table({ style: { head: [], border: [], compact: true }, head: ["picture", "what it shows"] });
  for (const { file, text } of stages) table.push([join(output, file), text]);
  console.log(`${table.toString()}\nThe engine ran on ${runner}.`);
}
