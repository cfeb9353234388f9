// skerry fill: the region around a point, painted, as a mask, or measured.

import {
  type Colour,
  checkMaskPath,
  checkPaintedPath,
  checkTablePath,
  type Picture,
  rasterOf,
  writeMask,
  writePainted,
  writeRegions,
} from "@skerry/files/node";
import { fillObjects, type Recipe, rgbOf } from "@skerry/recipe";
import { Command } from "commander";
import type { Components, Engine } from "skerry";
import { printable, UsageError } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides } from "../progress.js";
import { addRunOptions, checkWritten, openEngine, type RunOptions } from "./arguments.js";
import { keepRecipe, RecipeFlags } from "./fields.js";
import { openInput, withinOf } from "./input.js";

interface Options extends RunOptions {
  output?: string;
  mask?: string;
  regions?: string;
}

export function fillCommand(given?: Recipe): Command {
  const command = new Command("fill")
    .summary("flood fill: the region around a point")
    .description(
      [
        "Fills from the points --at: the pixels connected to each of them whose colour differs from its colour by at most the tolerance. Writes what you ask for; several regions are numbered from 1 in reading order.",
        "INPUT is an image as for skerry label, or - for stdin. All channels count, transparency too.",
      ].join("\n\n"),
    )
    .argument("<INPUT>", "an image to fill, or - for stdin")
    .usage("INPUT --at X,Y [options]");
  command.optionsGroup("What to write:");
  command
    .option("-o, --output <FILE>", "the picture with the fill painted on: .png, .tif or .npy, or in grey .pgm")
    .option("--mask <FILE>", "the filled pixels: .png or .pgm (black and white), .tif, .npy (bool) or .nii")
    .option("--regions <FILE>", "measurements, one row per region: .csv or .json");
  const flags = new RecipeFlags(command, given, "What to fill:");
  command.optionsGroup("How to run and report:");
  addRunOptions(command, "auto is the CPU, which reads no more of the image than it fills", "instead of a sentence");
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry fill photo.png --at 120,80 --tolerance 24 --color '#00aaff' -o painted.png
  skerry fill scan.tif --at 40,40 --at 900,40 --range floating --tolerance 3 --mask background.png
  skerry fill chart.png --at 12,7 --global --json

Exit codes: 0 done, 1 a file could not be read, filled or written, 2 a wrong call. SKERRY_DEBUG=1 prints the stack
trace of an error.`,
    )
    .action((input: string, options: Options) => fill(input, flags, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkOutputs(input: string, { recipe, output, mask, regions }: Options): void {
  if (output !== undefined) checkPaintedPath(output);
  if (mask !== undefined) checkMaskPath("--mask", mask);
  if (regions !== undefined) checkTablePath("--regions", regions);
  checkWritten(
    [[input, "the input"]],
    [
      [recipe, "--recipe"],
      [output, "-o"],
      [mask, "--mask"],
      [regions, "--regions"],
    ],
  );
}

async function fill(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const recipe = flags.recipe();
  checkOutputs(input, options);
  if (recipe.products?.coats) throw new UsageError("Expected a recipe without products.coats, which the page paints.");
  if (await keepRecipe(recipe, options)) return;
  const watch = new Stopwatch();
  const picture = await watch.measure(
    "read",
    ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
    () => openInput(input, recipe, { alpha: true }),
  );
  let engine: Engine | undefined;
  try {
    engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
    await fillOne(engine, picture, recipe, options, watch);
  } finally {
    await engine?.close();
    await picture.close();
  }
}

async function fillOne(
  engine: Engine,
  picture: Picture,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<void> {
  const bar = new ProgressBar(!options.quiet);
  const begin = performance.now();
  const within = await withinOf(engine, recipe, picture.pixels);
  const components = await fillObjects(engine, recipe, picture.pixels, { ...within, onProgress: bar.update });
  const milliseconds = performance.now() - begin;
  watch.add(engine.timings);
  try {
    await write(engine, components, picture, recipe, options, watch);
  } finally {
    bar.stop();
    components.dispose();
  }
  for (const note of picture.notes()) if (!options.quiet && !options.json) console.error(`note: ${printable(note)}`);
  report(engine, components, picture, milliseconds, options);
  if (options.timing) console.error(await watch.table());
}

async function write(
  engine: Engine,
  components: Components,
  picture: Picture,
  { products = {} }: Recipe,
  { output, mask, regions }: Options,
  watch: Stopwatch,
): Promise<void> {
  const pixels = components.width * components.height * components.depth;
  if (output !== undefined) {
    const raster = await rasterOf(picture);
    await watch.measure("write picture", raster.data.byteLength, () =>
      writePainted(output, raster, components, colourOf(products.color), products.opacity ?? 1, picture.place),
    );
  }
  if (mask !== undefined) {
    await watch.measure("write mask", pixels, async () => writeMask(mask, await components.mask(), picture.place));
  }
  if (regions !== undefined) {
    const measured = await components.regions({ properties: "all", intensity: picture.pixels });
    watch.add(engine.timings);
    await watch.measure("write regions", 0, () => writeRegions(regions, measured, { depth: components.depth }));
  }
}

/** The colour of paint as writers take it. */
function colourOf(color: NonNullable<Recipe["products"]>["color"]): Colour {
  if (color === undefined) return { hex: true, values: [255, 0, 0], byDefault: true };
  return typeof color === "string" ? { hex: true, values: rgbOf(color) } : { hex: false, values: [...color] };
}

function report(
  engine: Engine,
  { count, width, height, depth, foreground, device }: Components,
  { input }: Picture,
  milliseconds: number,
  { json, quiet }: Options,
): void {
  if (json) {
    const summary = {
      ...{ input, width, height, ...(depth > 1 ? { depth } : {}), count, foreground },
      ...ranOn(device, engine.describe(), milliseconds),
    };
    console.log(JSON.stringify(summary));
    return;
  }
  if (quiet) return;
  const filled = `${grouped(foreground)} ${foreground === 1 ? "pixel" : "pixels"}`;
  const regions = count === 1 ? "" : ` in ${grouped(count)} regions`;
  console.log(
    `${ahead(input)}${filled} filled${regions} of ${sides({ width, height, depth })}, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, engine.describe())}`,
  );
}
