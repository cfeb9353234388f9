// skerry mask: selections combined, grown and shrunk.

import { checkMaskPath, writeMask } from "@skerry/files/node";
import { Command, Option } from "commander";
import type { DistanceMetric, Engine, Mask } from "skerry";
import { UsageError, unexpected } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides } from "../progress.js";
import { addRunOptions, atLeastZero, oneOf, openEngine, type RunOptions, WrittenOnce } from "./arguments.js";
import { readMask } from "./objects.js";

interface Options extends RunOptions {
  union?: string[];
  intersection?: string[];
  difference?: string[];
  erode?: number;
  dilate?: number;
  metric?: DistanceMetric;
  physical?: boolean;
  output?: string;
}

export function maskCommand(): Command {
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
  command.optionsGroup("What to do (in this order):");
  command
    .option("--union <FILE...>", "add the pixels that are selected in any of these")
    .option("--intersection <FILE...>", "keep only the pixels that are selected in all of these")
    .option("--difference <FILE...>", "take away the pixels that are selected in any of these")
    .addOption(
      new Option("--erode <R>", "take away pixels that are at most R from an unselected one").argParser(
        atLeastZero("--erode"),
      ),
    )
    .addOption(
      new Option("--dilate <R>", "add pixels that are at most R from a selected one").argParser(
        atLeastZero("--dilate"),
      ),
    )
    .addOption(
      new Option("--metric <M>", "of both radii: euclidean (default), cityblock or chessboard").argParser(
        oneOf("--metric", ["euclidean", "cityblock", "chessboard"]),
      ),
    )
    .option("--physical", "radii are in units of the spacing of INPUT");
  command.optionsGroup("What to write:");
  command.option(
    "-o, --output <FILE>",
    "the mask: .png, .pgm or .tif (255 and 0), .npy (bool), .nii or .nii.gz (1 and 0)",
  );
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
    .action((input: string, options: Options) => mask(input, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkOptions(input: string, options: Options): void {
  const { union = [], intersection = [], difference = [], output, erode, dilate, metric, physical } = options;
  if ((metric !== undefined || physical) && erode === undefined && dilate === undefined) {
    throw new UsageError(`Expected ${physical ? "--physical" : "--metric"} together with --erode or --dilate.`);
  }
  const inputs = [input, ...union, ...intersection, ...difference];
  for (const [name, files] of Object.entries({ union, intersection, difference })) {
    const flag = files.find((path) => path.startsWith("-") && path !== "-");
    if (flag) throw unexpected(`--${name}`, "files", flag);
  }
  if (output === undefined) throw new UsageError("Expected -o FILE, where the mask is written to.");
  checkMaskPath("-o", output);
  if (inputs.filter((path) => path === "-").length > 1) {
    throw new UsageError("Expected - at most once: stdin is read to its end.");
  }
  const once = new WrittenOnce();
  for (const path of inputs) once.reads(path, "an input");
  once.writes(output, "-o");
}

async function mask(input: string, options: Options): Promise<void> {
  checkOptions(input, options);
  const watch = new Stopwatch();
  const bar = new ProgressBar(!options.quiet);
  const engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
  try {
    const begin = performance.now();
    const { mask: made, orientation } = await madeOf(engine, input, options, watch, bar);
    const milliseconds = performance.now() - begin;
    const { output } = options;
    if (output !== undefined) await watch.measure("write mask", 0, () => writeMask(output, made, orientation));
    bar.stop();
    report(engine, input, made, milliseconds, options);
    if (options.timing) console.error(await watch.table());
  } finally {
    bar.stop();
    await engine.close();
  }
}

async function madeOf(
  engine: Engine,
  input: string,
  { union = [], intersection = [], difference = [], erode, dilate, metric, physical }: Options,
  watch: Stopwatch,
  bar: ProgressBar,
): ReturnType<typeof readMask> {
  const call = { onProgress: bar.update };
  const read = (path: string): ReturnType<typeof readMask> => watch.measure("read", 0, () => readMask(engine, path));
  const { mask: first, orientation } = await read(input);
  let made = first;
  // One file is in memory at a time beside the result.
  for (const path of union) made = await engine.union([made, (await read(path)).mask], call);
  for (const path of intersection) made = await engine.intersection([made, (await read(path)).mask], call);
  for (const path of difference) made = await engine.difference(made, [(await read(path)).mask], call);
  const ball = { ...call, ...(metric ? { metric } : {}), ...(physical ? { physical } : {}) };
  if (erode !== undefined) made = await engine.erode(made, erode, ball);
  if (dilate !== undefined) made = await engine.dilate(made, dilate, ball);
  return { mask: made, orientation };
}

function report(
  engine: Engine,
  input: string,
  { bits, width, height, depth = 1 }: Mask,
  milliseconds: number,
  { json, quiet }: Options,
): void {
  let selected = 0;
  for (let word of bits) for (; word; word &= word - 1) selected++;
  const described = engine.describe();
  const device = described.gpu ? "gpu" : "cpu";
  if (json) {
    const size = { width, height, ...(depth > 1 ? { depth } : {}) };
    console.log(JSON.stringify({ input, ...size, selected, ...ranOn(device, described, milliseconds) }));
    return;
  }
  if (quiet) return;
  console.log(
    `${ahead(input)}${grouped(selected)} ${selected === 1 ? "pixel" : "pixels"} of ${sides({ width, height, depth })} selected, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, described)}`,
  );
}
