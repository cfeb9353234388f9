// skerry kmeans: a picture in k colours, the classes of its pixels, its palette, the areas of one colour.

import { frameOf } from "@skerry/files/internal";
import {
  type Picture,
  writeClasses,
  writeDrawing,
  writePalette,
  writeRecoloured,
  writeRegions,
} from "@skerry/files/node";
import { checkClassesPath, checkPalettePath, checkRecolouredPath, checkTablePath } from "@skerry/files/node/internal";
import type { Divided, Recipe } from "@skerry/recipe";
import { divideColours } from "@skerry/recipe/internal";
import { Command } from "commander";
import type { Engine, Mask, Raster, Segmentation } from "skerry";
import { defined } from "skerry/internal";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides, sizeFields, tellNotes } from "../progress.js";
import {
  addRunOptions,
  addStoreOptions,
  checkWritten,
  openEngine,
  type RunOptions,
  TABLE_ENDINGS,
} from "./arguments.js";
import { withinOf } from "./beside.js";
import { keepRecipe, RecipeFlags } from "./fields.js";
import { checkDrawn, type OpenedInput, openInput, recipeFor } from "./input.js";
import { idleNotes, lostPlaces, transparentNote } from "./notes.js";
import { checkSink, checkStored, checkStores, isZarrName, writeStored, writtenIn } from "./stores.js";

interface Options extends RunOptions {
  overwrite?: boolean;
  output?: string;
  classes?: string;
  palette?: string;
  regions?: string;
}

export function kmeansCommand(given?: Recipe): Command {
  const command = new Command("kmeans")
    .summary("reduce a picture to k colours, and separate them")
    .description(
      [
        "Finds the k colours that represent a picture best (k-means), and the class of every pixel. Writes what you ask for; classes are numbered from 0 by descending number of pixels. The same seed gives the same classes on every device.",
        "INPUT is an image of 8 bits a channel as for skerry label, or - for stdin.",
      ].join("\n\n"),
    )
    .argument("<INPUT>", "an image of 8 bits a channel, or - for stdin")
    .usage("INPUT -k K [options]");
  command.optionsGroup("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "the picture in k colours: .png (with a palette), .tif, or .svg (outlines of its areas)",
    )
    .option(
      "--classes <FILE>",
      "the class of every pixel, 8 bits: .png, .pgm, .tif, .npy or OME-Zarr .zarr, into an image as labels/NAME",
    )
    .option("--palette <FILE>", "the colours: .json (with pixels), .gpl (GIMP) or .png (swatches)")
    .option("--regions <FILE>", `measurements of each connected area of one class: ${TABLE_ENDINGS}`);
  addStoreOptions(command);
  const flags = new RecipeFlags(command, given, "How to divide the colours:");
  command.optionsGroup("How to run and report:");
  addRunOptions(command, "auto is the CPU, which is done before a GPU is open", "instead of a sentence");
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry kmeans photo.jpg -k 16 -o poster.png --palette poster.gpl
  skerry kmeans slide.png -k auto --colour-space oklab --classes tissue.png --regions areas.csv
  skerry kmeans photo.jpg -k 8 --absorb 40 -o calm.png
  skerry kmeans photo.jpg -k 8 --absorb 40 -o poster.svg --simplify 1
  skerry kmeans logo.png --init '#ffffff,#d02020,#000000' --max-iterations 0 -o three.png

Exit codes: 0 done, 1 a file could not be read, divided or written, 2 a wrong call. SKERRY_DEBUG=1 prints the stack
trace of an error.`,
    )
    .action((input: string, options: Options) => kmeans(input, flags, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkOutputs(input: string, flags: RecipeFlags, recipe: Recipe, options: Options): void {
  const { recipe: kept, output, classes, palette, regions } = options;
  if (output !== undefined) checkRecolouredPath(output);
  flags.checkOutputs((of) => of.includes("Zarr") || of.includes("zarr") || isDrawing(output), "-o FILE.svg");
  checkStores(recipe, [classes], options, flags.isSpoken);
  if (classes !== undefined) checkStored(classes, checkClassesPath);
  if (palette !== undefined) checkPalettePath(palette);
  if (regions !== undefined) checkTablePath("--regions", regions);
  checkWritten(
    [[input, "the input"]],
    [
      [kept, "--recipe"],
      [output, "-o"],
      [classes === undefined ? undefined : writtenIn(classes, recipe), "--classes"],
      [palette, "--palette"],
      [regions, "--regions"],
    ],
  );
}

/** Whether the output is an SVG, with outlines of areas. */
function isDrawing(output: string | undefined): output is string {
  return output?.toLowerCase().endsWith(".svg") ?? false;
}

async function kmeans(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const given = flags.recipe();
  checkOutputs(input, flags, given, options);
  if (await keepRecipe(given, options)) return;
  const watch = new Stopwatch();
  const picture = await watch.measure(
    "read",
    ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
    () => openInput(input, given, { alpha: "seen" }),
  );
  let engine: Engine | undefined;
  const bar = new ProgressBar(!options.quiet);
  try {
    const { classes, overwrite } = options;
    const recipe = recipeFor(given, picture);
    checkDrawn(picture, 1, options.output, classes);
    await checkSink(classes, picture, recipe, { type: "u8", overwrite });
    engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
    await divide(engine, picture, recipe, options, watch, bar);
  } finally {
    bar.stop();
    await engine?.close();
    await picture.close();
  }
}

async function divide(
  engine: Engine,
  picture: OpenedInput,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
  bar: ProgressBar,
): Promise<void> {
  const begin = performance.now();
  const { pixels, within } = await measuredOf(engine, recipe, picture);
  const divided = await divideColours(engine, recipe, pixels, { ...within, onProgress: bar.update });
  watch.add(engine.timings);
  const milliseconds = performance.now() - begin;
  await write(engine, divided.segmentation, picture, recipe, options, watch);
  bar.stop();
  report(engine, divided, picture, recipe, milliseconds, options);
  if (options.timing) console.error(await watch.table());
}

/** Pixels and their fence. The fence leaves out pixels of the file's nodata value, if it has one. */
async function measuredOf(
  engine: Engine,
  recipe: Recipe,
  picture: OpenedInput,
): Promise<{ pixels: Picture["pixels"]; within: { within?: Mask } }> {
  const { pixels: given } = picture;
  const fence = await withinOf(engine, recipe, picture);
  const { nodata, ...pixels } = given;
  if (nodata === undefined) return { pixels: given, within: fence };
  const others = await engine.components(pixels as Raster, { by: "value", background: nodata });
  const measured = await others.mask().finally(() => others.dispose());
  return {
    pixels: pixels as Picture["pixels"],
    within: { within: fence.within ? await engine.intersection([fence.within, measured]) : measured },
  };
}

async function write(
  engine: Engine,
  segmentation: Segmentation,
  picture: OpenedInput,
  recipe: Recipe,
  { output, classes, palette, regions, overwrite }: Options,
  watch: Stopwatch,
): Promise<void> {
  const { products = {} } = recipe;
  const pixels = segmentation.data.length;
  if (output !== undefined && !isDrawing(output)) {
    await watch.measure("write picture", pixels, () => writeRecoloured(output, segmentation, picture.space));
  }
  if (classes !== undefined && isZarrName(classes)) {
    await watch.measure("write classes", pixels, () =>
      writeStored<Uint8Array>(classes, picture, recipe, { type: "u8", overwrite }, async (sink) => {
        await sink.write(0, segmentation.depth, 0, segmentation.height, segmentation.data);
        return { count: segmentation.k - 1 };
      }),
    );
  } else if (classes !== undefined)
    await watch.measure("write classes", pixels, () => writeClasses(classes, segmentation, picture.space));
  if (palette !== undefined) {
    await watch.measure("write palette", 0, () => writePalette(palette, segmentation, picture.name));
  }
  if (regions === undefined && !isDrawing(output)) return;
  const background = segmentation.transparent > 0 ? 255 : null;
  const areas = await engine.components(segmentation, { by: "value", background });
  try {
    watch.add(engine.timings);
    if (isDrawing(output)) {
      await watch.measure("write outlines", 0, () =>
        writeDrawing(output, segmentation, areas, { tolerance: products.simplify ?? 0 }),
      );
    }
    if (regions === undefined) return;
    const measured = await areas.regions({ properties: "usual", intensity: picture.pixels });
    watch.add(engine.timings);
    await watch.measure("write regions", 0, () =>
      writeRegions(regions, measured, {
        depth: areas.depth,
        frame: frameOf(picture.space, { origin: picture.origin }),
      }),
    );
  } finally {
    areas.dispose();
  }
}

/** A note on classes of which no pixel is left. */
function emptiedNote({ input }: Picture, { k, counts }: Segmentation, absorb: number | undefined): string[] {
  const left = counts.reduce((n, count) => n + Number(count > 0), 0);
  return absorb === undefined || left === k
    ? []
    : [`${input}: ${left} of ${k} classes ${left === 1 ? "has" : "have"} pixels after --absorb ${absorb}`];
}

function report(
  engine: Engine,
  { segmentation, picked }: Divided,
  picture: OpenedInput,
  recipe: Recipe,
  milliseconds: number,
  options: Options,
): void {
  const { options: settings = {} } = recipe;
  const ofCall = [
    ...idleNotes(picture, recipe, { hasTable: options.regions !== undefined }),
    ...transparentNote(picture, settings.ignoreTransparent),
    ...emptiedNote(picture, segmentation, settings.absorb),
  ];
  const notes = [...picture.notes(), ...ofCall];
  const noted = tellNotes([...notes, ...lostPlaces(picture, options.output, options.classes)], options);
  const { input } = picture;
  const description = engine.describe();
  const where = description.device === "gpu" ? "gpu" : "cpu";
  const { width, height, depth, k, iterations, inertia, converged, transparent } = segmentation;
  const asked = picked?.k ?? (typeof settings.k === "number" ? settings.k : (settings.init ?? []).length);
  if (options.json) {
    const tried = picked && { candidates: picked.candidates, silhouette: Array.from(picked.silhouette) };
    const summary = defined({
      input,
      ...sizeFields({ width, height, depth }),
      k,
      asked: k < asked ? asked : undefined,
      ...tried,
      iterations,
      converged,
      inertia,
      transparent: transparent > 0 ? transparent : undefined,
      ...ranOn(where, description, milliseconds),
      ...noted,
    });
    console.log(JSON.stringify(summary));
    return;
  }
  if (options.quiet) return;
  if (k < asked) {
    const why = inertia === 0 ? "the picture has no more colours" : "the others have no pixels";
    console.error(`note: ${k} ${k === 1 ? "class" : "classes"} instead of ${asked}: ${why}`);
  }
  const ended = converged || settings.maxIterations === 0 ? "" : ", not converged";
  const times = `${grouped(iterations)} ${iterations === 1 ? "iteration" : "iterations"}`;
  console.log(
    `${ahead(input)}${k} ${k === 1 ? "class" : "classes"} of ${sides({ width, height, depth })} after ${times}${ended}, ${milliseconds.toFixed(1)} ms on ${runnerOf(where, description)}`,
  );
}
