// skerry fill: the region around a point, painted, as a mask, or measured.

import {
  type Colour,
  checkMaskPath,
  checkPaintedPath,
  checkTablePath,
  openPicture,
  type Picture,
  rasterOf,
  writeMask,
  writePainted,
  writeRegions,
} from "@skerry/files/node";
import { Command, Option } from "commander";
import type { Components, Connectivity, Engine, FillOptions, Place } from "skerry";
import { printable, UsageError, unexpected } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides } from "../progress.js";
import {
  addRunOptions,
  colour,
  connectivityOption,
  nodataOption,
  number,
  numbers,
  oneOf,
  openEngine,
  place,
  type RunOptions,
  WrittenOnce,
  whole,
} from "./arguments.js";

interface Options extends RunOptions {
  at?: Place[];
  tolerance: number[];
  metric: "linf" | "l1" | "l2";
  range: "fixed" | "floating";
  connectivity?: Connectivity;
  global?: boolean;
  average: number;
  nodata?: number;
  color: Colour;
  opacity: number;
  output?: string;
  mask?: string;
  regions?: string;
}

export function fillCommand(): Command {
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
  command.optionsGroup("What to fill:");
  command
    .addOption(
      new Option("--at <X,Y[,Z]>", "where to begin, in a volume with its slice; may be repeated").argParser(
        place("--at"),
      ),
    )
    .addOption(
      new Option("--tolerance <N>", "how far a channel may differ, or one per channel: R,G,B")
        .default([0], "0")
        .argParser(numbers("--tolerance")),
    )
    .addOption(
      new Option("--metric <M>", "difference of colours: linf (largest), l1 (sum) or l2 (Euclidean)")
        .default("linf")
        .argParser(oneOf("--metric", ["linf", "l1", "l2"])),
    )
    .addOption(
      new Option("--range <R>", "against the colour at the point (fixed) or of the neighbour (floating)")
        .default("fixed")
        .argParser(oneOf("--range", ["fixed", "floating"])),
    )
    .addOption(connectivityOption())
    .option("--global", "every pixel that matches, connected or not")
    .addOption(
      new Option("--average <N>", "begin with the mean colour of N x N pixels, N odd")
        .default(1)
        .argParser(whole("--average")),
    )
    .addOption(nodataOption());
  command.optionsGroup("What to write:");
  command
    .option("-o, --output <FILE>", "the picture with the fill painted on: .png, .tif or .npy, or in grey .pgm")
    .addOption(
      new Option("--color <C>", "paint: #rrggbb, or values of the picture's own type")
        .default(
          { hex: true, values: [255, 0, 0], byDefault: true },
          "#ff0000; in a grey .npy or .pgm the most that it holds",
        )
        .argParser((text: string) => colour(text)),
    )
    .addOption(new Option("--opacity <P>", "paint: 0 to 1").default(1).argParser(number("--opacity")))
    .option("--mask <FILE>", "the filled pixels: .png or .pgm (black and white), .tif, .npy (bool) or .nii")
    .option("--regions <FILE>", "measurements, one row per region: .csv or .json");
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
    .action((input: string, options: Options) => fill(input, options));
  return command;
}

/** Wrong calls are refused before anything is opened. */
function checkOptions(input: string, { at, output, mask, regions, opacity }: Options): void {
  if (!at) throw new UsageError("Expected --at X,Y, a point to begin with, at least once.");
  if (output !== undefined) checkPaintedPath(output);
  if (mask !== undefined) checkMaskPath("--mask", mask);
  if (regions !== undefined) checkTablePath("--regions", regions);
  if (opacity < 0 || opacity > 1) throw unexpected("--opacity", "from 0 to 1", opacity);
  const once = new WrittenOnce();
  once.reads(input, "the input");
  once.writes(output, "-o");
  once.writes(mask, "--mask");
  once.writes(regions, "--regions");
}

async function fill(input: string, options: Options): Promise<void> {
  checkOptions(input, options);
  const watch = new Stopwatch();
  const picture = await watch.measure(
    "read",
    ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
    () => openPicture(input, { alpha: true, nodata: options.nodata }),
  );
  let engine: Engine | undefined;
  try {
    engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
    await fillOne(engine, picture, options, watch);
  } finally {
    await engine?.close();
    await picture.close();
  }
}

async function fillOne(engine: Engine, picture: Picture, options: Options, watch: Stopwatch): Promise<void> {
  const { tolerance } = options;
  const bar = new ProgressBar(!options.quiet);
  const wanted: FillOptions = {
    seeds: options.at ?? [],
    tolerance: tolerance.length === 1 ? tolerance[0] : tolerance,
    ...{ metric: options.metric, range: options.range },
    ...(options.connectivity ? { connectivity: options.connectivity } : {}),
    ...{ average: options.average, contiguous: !options.global, onProgress: bar.update },
  };
  const begin = performance.now();
  const components = await engine.fill(picture.pixels, wanted);
  const milliseconds = performance.now() - begin;
  watch.add(engine.timings);
  try {
    await write(engine, components, picture, options, watch);
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
  { output, mask, regions, color, opacity }: Options,
  watch: Stopwatch,
): Promise<void> {
  const pixels = components.width * components.height * components.depth;
  if (output !== undefined) {
    const raster = await rasterOf(picture);
    await watch.measure("write picture", raster.data.byteLength, () =>
      writePainted(output, raster, components, color, opacity),
    );
  }
  if (mask !== undefined) {
    await watch.measure("write mask", pixels, async () =>
      writeMask(mask, await components.mask(), picture.orientation),
    );
  }
  if (regions !== undefined) {
    const measured = await components.regions({ properties: "all", intensity: picture.pixels });
    watch.add(engine.timings);
    await watch.measure("write regions", 0, () => writeRegions(regions, measured, { depth: components.depth }));
  }
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
