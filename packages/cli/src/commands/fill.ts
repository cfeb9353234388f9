// skerry fill: the region around a point, painted, as a mask, or measured.

import { frameOf } from "@skerry/files/internal";
import { type Colour, type Picture, rasterOf, writeMask, writePainted, writeRegions } from "@skerry/files/node";
import { checkMaskPath, checkPaintedPath, checkTablePath, writePaintedSlices } from "@skerry/files/node/internal";
import type { ZarrSource } from "@skerry/files/zarr";
import type { Recipe } from "@skerry/recipe";
import { connectivityOf, fillObjects, fillOptions, rgbOf, toleranceAround } from "@skerry/recipe/internal";
import { Command } from "commander";
import type { Components, Engine, Mask } from "skerry";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";
import {
  ahead,
  counted,
  grouped,
  ProgressBar,
  ranOn,
  runnerOf,
  Stopwatch,
  sides,
  sizeFields,
  tellNotes,
} from "../progress.js";
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
import { idleNotes, lostPlaces } from "./notes.js";
import { bytesOf, checkSink, checkStored, checkStores, isZarrName, storeOf, writeStored, writtenIn } from "./stores.js";

interface Options extends RunOptions {
  overwrite?: boolean;
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
        "INPUT is an image as for skerry label, or - for stdin. All channels count, transparency too. Of an OME-Zarr image, only the chunks that the fill reaches are read.",
      ].join("\n\n"),
    )
    .argument("<INPUT>", "an image to fill, or - for stdin")
    .usage("INPUT --at X,Y [options]");
  command.optionsGroup("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "the picture with the fill painted on: .png, .tif, .npy, .nrrd or .mha, or in grey .pgm",
    )
    .option(
      "--mask <FILE>",
      "the filled pixels: .png or .pgm (black and white), .tif, .npy (bool), .nii, .nrrd, .mha or OME-Zarr .zarr, into an image as labels/NAME",
    )
    .option("--regions <FILE>", `measurements, one row per region: ${TABLE_ENDINGS}`);
  addStoreOptions(command);
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
  skerry fill https://host/brain.zarr --at 512,700,300 --tolerance 12 --mask neuron.zarr

Exit codes: 0 done, 1 a file could not be read, filled or written, 2 a wrong call. SKERRY_DEBUG=1 prints the stack
trace of an error.`,
    )
    .action((input: string, options: Options) => fill(input, flags, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkOutputs(input: string, flags: RecipeFlags, recipe: Recipe, options: Options): void {
  const { recipe: kept, output, mask, regions } = options;
  if (output !== undefined) checkPaintedPath(output);
  if (mask !== undefined) checkStored(mask, (path) => checkMaskPath("--mask", path));
  checkStores(recipe, [mask], options, flags.isSpoken);
  if (regions !== undefined) checkTablePath("--regions", regions);
  checkWritten(
    [[input, "the input"]],
    [
      [kept, "--recipe"],
      [output, "-o"],
      [mask === undefined ? undefined : writtenIn(mask, recipe), "--mask"],
      [regions, "--regions"],
    ],
  );
}

async function fill(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const given = flags.recipe();
  checkOutputs(input, flags, given, options);
  if (given.products?.coats) throw new UsageError("Expected a recipe without products.coats, which the page paints.");
  if (await keepRecipe(given, options)) return;
  const watch = new Stopwatch();
  const picture = await watch.measure(
    "read",
    ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
    () => openInput(input, given, { alpha: "kept" }),
  );
  let engine: Engine | undefined;
  try {
    const recipe = recipeFor(given, picture);
    checkDrawn(picture, 1, options.mask);
    checkDrawn(picture, picture.pixels.channels ?? 1, options.output);
    await checkSink(options.mask, picture, recipe, { type: "u8", overwrite: options.overwrite });
    engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
    const source = storeOf(picture);
    if (source && fillsByChunks(recipe, source)) await fillStored(engine, source, picture, recipe, options, watch);
    else await fillOne(engine, picture, recipe, options, watch);
  } finally {
    await engine?.close();
    await picture.close();
  }
}

async function fillOne(
  engine: Engine,
  picture: OpenedInput,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<void> {
  const bar = new ProgressBar(!options.quiet);
  const begin = performance.now();
  const within = await withinOf(engine, recipe, picture);
  bar.count(bytesOf(picture));
  const components = await fillObjects(engine, recipe, picture.pixels, { ...within, onProgress: bar.update });
  const milliseconds = performance.now() - begin;
  const filled = components.foreground;
  watch.add(engine.timings);
  try {
    await write(engine, components, picture, recipe, options, watch);
  } finally {
    bar.stop();
    components.dispose();
  }
  const noted = tellNotes(notesOf(picture, recipe, options), options);
  report(engine, components, picture, milliseconds, noted, options);
  if (options.timing) console.error(await watch.table());
  if (!options.quiet && !options.json) {
    const line =
      filled === 0 && recipe.options?.average !== undefined && !within.within
        ? "No pixel is filled: those --at differ from the mean around them by more than --tolerance."
        : filled > FEW_PIXELS
          ? undefined
          : await adviceOn(engine, picture, recipe, within);
    if (line !== undefined) console.log(line);
  }
}

/** Notes on reading, on settings without an effect, and on what is lost in writing. */
function notesOf(picture: OpenedInput, recipe: Recipe, { mask, output, regions }: Options): string[] {
  const { color, opacity } = recipe.products ?? {};
  const paint = color !== undefined ? "--color" : opacity !== undefined ? "--opacity" : undefined;
  const unpainted = paint !== undefined && output === undefined ? [`${paint} has no effect without -o FILE`] : [];
  const clear = opacity === 0 && output !== undefined ? [`${output}: --opacity 0 paints nothing`] : [];
  return [
    ...picture.notes(),
    ...clear,
    ...idleNotes(picture, recipe, { hasTable: regions !== undefined }),
    ...unpainted,
    ...lostPlaces(picture, mask, output),
  ];
}

/** A fill of at most so many pixels, the window that is looked at, looks like a mistake without a tolerance. */
const FEW_PIXELS = 17 * 17;

/** The effect of another tolerance, if none was set and the pixels around the first seed differ from it. */
async function adviceOn(
  engine: Engine,
  { pixels, origin }: OpenedInput,
  recipe: Recipe,
  within: { readonly within?: Mask },
): Promise<string | undefined> {
  const { seeds, strokes, tolerance, contiguous, average } = recipe.options ?? {};
  const isVolume = (pixels.depth ?? 1) > 1;
  if (!seeds || strokes || average !== undefined || tolerance !== undefined || contiguous === false || isVolume)
    return undefined;
  const wider = await toleranceAround(pixels, seeds[0]);
  if (wider === 0) return undefined;
  const options = { ...recipe.options, tolerance: wider };
  const filled = await fillObjects(engine, { ...recipe, options }, pixels, within);
  const { foreground } = filled;
  filled.dispose();
  if (foreground === 0) return `No pixel is filled: ${pointText(seeds[0], origin)} lies outside what --within leaves.`;
  return `Tolerance 0: only pixels of exactly that colour. The pixels around ${pointText(seeds[0], origin)} differ from it: --tolerance ${shortest(wider)} fills ${counted(foreground, "pixel")}.`;
}

/** A seed as it was given, in the whole picture. */
const pointText = (seed: readonly number[], origin: readonly number[]): string =>
  seed.map((at, axis) => at + origin[axis]).join(",");

/** A number in at most four digits. */
const shortest = (n: number): string => String(Number(n.toPrecision(4)));

/** Whether a fill of an OME-Zarr image can read only the chunks that it reaches. */
function fillsByChunks({ input = {}, options = {} }: Recipe, { channels }: ZarrSource): boolean {
  const { seeds, strokes, contiguous, average, range, tolerance = 0, metric = "linf" } = options;
  const isPlain = channels === 1 && typeof tolerance === "number" && metric === "linf";
  if (range === "floating" && !isPlain) return false;
  if (!seeds || strokes || contiguous === false || average !== undefined || input.within !== undefined) return false;
  const isWhole = input.crop === undefined && input.page === undefined && input.channel === undefined;
  return isWhole && input.nodata === undefined;
}

/** Fills chunk by chunk. Outputs other than an OME-Zarr mask are written from a mask of the whole image. */
async function fillStored(
  engine: Engine,
  source: ZarrSource,
  picture: OpenedInput,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<void> {
  const { zarrFill } = await import("@skerry/files/zarr");
  const begin = performance.now();
  const { level, time, channel: taken } = picture.space.taken;
  const channel = typeof taken === "number" ? taken : undefined;
  const { seeds = [], ...wanted } = fillOptions(recipe);
  const filled = await zarrFill(
    engine,
    picture.input,
    defined({ seeds, ...wanted, level, time, channel: source.channels > 1 ? "colour" : channel }),
  );
  const milliseconds = performance.now() - begin;
  const { mask, output, regions, overwrite } = options;
  if (mask !== undefined && isZarrName(mask)) {
    await watch.measure("write mask", 0, () =>
      writeStored<Uint8Array>(mask, picture, recipe, { type: "u8", overwrite }, async (sink) => {
        await sink.paint(filled);
        return { count: 1 };
      }),
    );
  }
  const others = { ...options, mask: mask !== undefined && isZarrName(mask) ? undefined : mask };
  if (others.mask !== undefined || output !== undefined || regions !== undefined) {
    const components = await engine.components(filled.mask(), connectivityOf(recipe));
    try {
      await write(engine, components, picture, recipe, others, watch);
    } finally {
      components.dispose();
    }
  }
  const { width, height, depth, foreground, chunksRead, chunkCount, bytes } = filled;
  const noted = tellNotes(notesOf(picture, recipe, options), options);
  if (options.json) {
    const size = sizeFields({ width, height, depth });
    const report = { input: picture.input, ...size, foreground, chunksRead, chunkCount, bytes };
    console.log(JSON.stringify({ ...report, ...ranOn("cpu", engine.describe(), milliseconds), ...noted }));
  } else if (!options.quiet) {
    console.log(
      `${ahead(picture.input)}${counted(foreground, "pixel")} filled of ${sides({ width, height, depth })}, ${grouped(chunksRead)} of ${counted(chunkCount, "chunk")} read, ${milliseconds.toFixed(1)} ms on ${runnerOf("cpu", engine.describe())}`,
    );
  }
  if (options.timing) console.error(await watch.table());
}

async function write(
  engine: Engine,
  components: Components,
  picture: OpenedInput,
  recipe: Recipe,
  { output, mask, regions, overwrite }: Options,
  watch: Stopwatch,
): Promise<void> {
  const { products = {} } = recipe;
  const pixels = components.width * components.height * components.depth;
  if (output !== undefined) {
    const colour = colourOf(products.color);
    const { pixels: source } = picture;
    if (!("data" in source) && (source.channels ?? 1) === 1 && (source.depth ?? 1) > 1) {
      await watch.measure("write picture", pixels, () =>
        writePaintedSlices(output, source, components, colour, products.opacity ?? 1, picture.space),
      );
    } else await paintWhole(output, picture, components, colour, products.opacity ?? 1, watch);
  }
  if (mask !== undefined && isZarrName(mask)) {
    await watch.measure("write mask", pixels, () =>
      writeStored<Uint8Array>(mask, picture, recipe, { type: "u8", overwrite }, async (sink) => {
        // A fill has one label per region; a mask is 1 in all of them.
        const one = (data: Uint32Array): Uint8Array => new Uint8Array(data.map((label) => Math.min(1, label)));
        await components.labels({
          into: { write: (z0, z1, y0, y1, data) => sink.write(z0, z1, y0, y1, one(data)) },
        });
        return { count: 1 };
      }),
    );
  } else if (mask !== undefined) {
    await watch.measure("write mask", pixels, async () => writeMask(mask, await components.mask(), picture.space));
  }
  if (regions !== undefined) {
    const measured = await components.regions({ properties: "usual", intensity: picture.pixels });
    watch.add(engine.timings);
    await watch.measure("write regions", 0, () =>
      writeRegions(regions, measured, {
        depth: components.depth,
        frame: frameOf(picture.space, { origin: picture.origin }),
      }),
    );
  }
}

/** Paints a picture in memory. */
async function paintWhole(
  output: string,
  picture: OpenedInput,
  components: Components,
  colour: Colour,
  opacity: number,
  watch: Stopwatch,
): Promise<void> {
  const raster = await rasterOf(picture);
  await watch.measure("write picture", raster.data.byteLength, () =>
    writePainted(output, raster, components, colour, opacity, picture.space),
  );
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
  noted: object,
  { json, quiet }: Options,
): void {
  if (json) {
    const summary = {
      input,
      ...sizeFields({ width, height, depth }),
      count,
      foreground,
      ...ranOn(device, engine.describe(), milliseconds),
      ...noted,
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
