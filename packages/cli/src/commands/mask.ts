// skerry mask: selections combined, grown and shrunk.

import type { Space } from "@skerry/files";
import { writeMask } from "@skerry/files/node";
import { checkMaskPath } from "@skerry/files/node/internal";
import { maskOf, type Recipe } from "@skerry/recipe";
import { argumentsOf, combineMasks, quotedForShell } from "@skerry/recipe/internal";
import { Command } from "commander";
import type { Engine, Mask } from "skerry";
import { UsageError } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides, sizeFields, tellNotes } from "../progress.js";
import { addRunOptions, checkWritten, type Named, openEngine, type RunOptions } from "./arguments.js";
import { readMask } from "./beside.js";
import { keepRecipe, RecipeFlags } from "./fields.js";
import { checkDrawn, checkServed, isUneven, openInput } from "./input.js";
import { idleNotes, lostPlaces, selectedIn } from "./notes.js";

interface Options extends RunOptions {
  output?: string;
}

export function maskCommand(given?: Recipe): Command {
  const command = new Command("mask")
    .summary("combine, grow and shrink masks")
    .description(
      [
        "Combines INPUT with other masks, then shrinks or grows it by balls of any radius. A pixel is selected if any of its colour channels is not 0, so labels and what 'skerry fill --mask' writes are masks.",
        "INPUT and the others are what 'skerry label' takes, of one size; - is stdin.",
      ].join("\n\n"),
    )
    .argument("<INPUT>", "image or volume, or - for stdin")
    .usage("INPUT [options] -o FILE");
  command.optionsGroup("What to write:");
  command.option(
    "-o, --output <FILE>",
    "the mask: .png, .pgm or .tif (255 and 0), .npy (bool), .nii, .nii.gz, .nrrd or .mha (1 and 0)",
  );
  const flags = new RecipeFlags(command, given, "What to do (in this order):");
  command.optionsGroup("How to run and report:");
  addRunOptions(command, "auto is the CPU, which is done before a GPU is open", "instead of a sentence");
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry mask cells.png --difference nuclei.png -o cytoplasm.png
  skerry mask a.png --union b.png c.png --dilate 2 -o all.png
  skerry mask tissue.nii.gz --intersection brain.nii.gz --erode 1.5 --physical -o core.nii.gz

Exit codes: 0 done, 1 a file could not be read or written, 2 a wrong call. SKERRY_DEBUG=1 prints the
stack trace of an error.`,
    )
    .action((input: string, options: Options) => mask(input, flags, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkFiles(input: string, beside: Recipe["input"], { recipe, output, steps }: Options): void {
  const { union = [], intersection = [], difference = [] } = beside ?? {};
  const inputs = [input, ...union, ...intersection, ...difference];
  if (output === undefined && !steps) throw new UsageError("Expected -o FILE, where the mask is written to.");
  if (output !== undefined) checkMaskPath("-o", output);
  if (inputs.filter((path) => path === "-").length > 1) {
    throw new UsageError("Expected - at most once: stdin is read to its end.");
  }
  const besides = Object.entries({ union, intersection, difference }).flatMap(([name, paths]) =>
    paths.map((path): Named => [path, `--${name}`]),
  );
  checkWritten(
    [[input, "an input"], ...besides],
    [
      [recipe, "--recipe"],
      [output, "-o"],
    ],
  );
}

async function mask(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const recipe = flags.recipe();
  checkFiles(input, recipe.input, options);
  if (await keepRecipe(recipe, options)) return;
  const watch = new Stopwatch();
  const bar = new ProgressBar(!options.quiet);
  const engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
  try {
    const begin = performance.now();
    const { mask, space, notes } = await madeOf(engine, input, recipe, options.output, watch, bar);
    const milliseconds = performance.now() - begin;
    const { output } = options;
    if (output !== undefined) await watch.measure("write mask", 0, () => writeMask(output, mask, space));
    bar.stop();
    const selected = selectedIn(mask);
    const noted = tellNotes([...notes, ...extremesNoteOfMask(input, recipe, mask, selected)], options);
    report(engine, input, mask, selected, milliseconds, noted, options);
    if (options.timing) console.error(await watch.table());
  } finally {
    bar.stop();
    await engine.close();
  }
}

async function madeOf(
  engine: Engine,
  input: string,
  recipe: Recipe,
  output: string | undefined,
  watch: Stopwatch,
  bar: ProgressBar,
): Promise<{ readonly mask: Mask; readonly space: Space; readonly notes: readonly string[] }> {
  // The first of several files may lack an axis that another one has.
  const picture = await watch.measure("read", 0, () => openInput(input, recipe));
  try {
    if (recipe.options?.physical && isUneven(recipe, picture)) {
      throw new UsageError(`Expected radii in pixels, without --physical, for ${input}, whose grid is sheared.`);
    }
    checkDrawn(picture, 1, output);
    const first = await maskOf(engine, picture.pixels);
    const options = ["union", "intersection", "difference"] as const;
    const flagOf = (text: string): string =>
      `--${options.find((name) => recipe.input?.[name]?.includes(text)) ?? "union"}`;
    const other = (text: string): Promise<Mask> =>
      watch.measure("read", 0, () => readMask(engine, text, flagOf(text), recipe, picture));
    const mask = await combineMasks(engine, recipe, first, other, { onProgress: bar.update });
    checkServed(recipe, picture);
    return {
      mask,
      space: picture.space,
      notes: [...picture.notes(), ...idleNotes(picture, recipe), ...lostPlaces(picture, output)],
    };
  } finally {
    await picture.close();
  }
}

/** A note on a mask of every pixel, as photographs are, or of none. */
function extremesNoteOfMask(
  input: string,
  recipe: Recipe,
  { width, height, depth = 1 }: Mask,
  selected: number,
): string[] {
  if (selected === width * height * depth) {
    const isPlain = Object.keys(recipe.options ?? {}).length === 0 && recipe.input?.union === undefined;
    const why = isPlain
      ? `, because none is 0; skerry label ${input} --threshold otsu finds objects by their brightness`
      : "";
    return [`${input}: every pixel is selected${why}`];
  }
  const { args } = argumentsOf(recipe);
  return selected === 0 && args.length > 0
    ? [`${input}: no pixel is left after ${args.map(quotedForShell).join(" ")}`]
    : [];
}

function report(
  engine: Engine,
  input: string,
  { width, height, depth = 1 }: Mask,
  selected: number,
  milliseconds: number,
  noted: object,
  { json, quiet }: Options,
): void {
  const described = engine.describe();
  const device = described.gpu ? "gpu" : "cpu";
  if (json) {
    const size = sizeFields({ width, height, depth });
    console.log(JSON.stringify({ input, ...size, selected, ...ranOn(device, described, milliseconds), ...noted }));
    return;
  }
  if (quiet) return;
  console.log(
    `${ahead(input)}${grouped(selected)} ${selected === 1 ? "pixel" : "pixels"} of ${sides({ width, height, depth })} selected, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, described)}`,
  );
}
