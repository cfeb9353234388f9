// skerry kmeans: a picture in k colours, the classes of its pixels, its palette, the areas of one colour.

import {
  checkClassesPath,
  checkPalettePath,
  checkRecolouredPath,
  checkTablePath,
  openPicture,
  type Picture,
  writeClasses,
  writeDrawing,
  writePalette,
  writeRecoloured,
  writeRegions,
} from "@skerry/files/node";
import { Command, Option } from "commander";
import type { Engine, KmeansOptions, PickedK, PixelArray, Segmentation } from "skerry";
import { printable, UsageError, unexpected } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides } from "../progress.js";
import {
  above,
  addRunOptions,
  colour,
  number,
  oneOf,
  openEngine,
  type RunOptions,
  WrittenOnce,
  whole,
} from "./arguments.js";

type Start = "kmeans++" | "random" | "grid" | number[][];

interface Options extends RunOptions {
  k?: number | "auto";
  maxK: number;
  metric: "l2" | "l1" | "l1-mean";
  init: Start;
  seed: number;
  space: "rgb" | "oklab";
  maxIterations: number;
  tolerance: number;
  restarts: number;
  ignoreTransparent?: boolean;
  minArea?: number;
  output?: string;
  simplify?: number;
  labels?: string;
  palette?: string;
  regions?: string;
}

export function kmeansCommand(): Command {
  const command = new Command("kmeans")
    .summary("reduce a picture to k colours, and separate them")
    .description(
      [
        "Finds the k colours that stand for a picture best (k-means), and the class of every pixel. Writes what you ask for; classes are numbered from 0, the one of the most pixels first. The same seed gives the same classes on every device.",
        "INPUT is an image of 8 bits a channel as for skerry label, or - for stdin.",
      ].join("\n\n"),
    )
    .argument("<INPUT>", "an image of 8 bits a channel, or - for stdin")
    .usage("INPUT -k K [options]");
  command.optionsGroup("How to divide the colours:");
  command
    .addOption(new Option("-k <K>", "classes, 1 to 256; or auto: as many as the colours suggest").argParser(classes))
    .addOption(new Option("--max-k <N>", "with -k auto: the most to try").default(12).argParser(whole("--max-k")))
    .addOption(
      new Option("--metric <M>", "l2 (means), l1 (medians) or l1-mean (nearest by sums of differences, means)")
        .default("l2")
        .argParser(oneOf("--metric", ["l2", "l1", "l1-mean"])),
    )
    .addOption(
      new Option(
        "--init <I>",
        "initial centres: kmeans++, random, grid, colours '#rrggbb,#rrggbb,...', or greys 0,128,255",
      )
        .default("kmeans++")
        .argParser(start),
    )
    .addOption(new Option("--seed <N>", "seed of the random generator").default(0).argParser(fromZero("--seed")))
    .addOption(
      new Option("--space <S>", "compare colours as they are (rgb) or as the eye sees them (oklab)")
        .default("rgb")
        .argParser(oneOf("--space", ["rgb", "oklab"])),
    )
    .addOption(
      new Option("--max-iterations <N>", "most iterations").default(100).argParser(fromZero("--max-iterations")),
    )
    .addOption(
      new Option("--tolerance <D>", "end once no centre moves further than D")
        .default(0)
        .argParser(number("--tolerance")),
    )
    .addOption(
      new Option(
        "--restarts <N>",
        "runs from different random initial centres; the one with the lowest inertia is kept",
      )
        .default(1)
        .argParser(whole("--restarts")),
    )
    .addOption(
      new Option(
        "--min-area <N>",
        "give connected areas of fewer pixels to the neighbour with the longest border",
      ).argParser(above("--min-area")),
    )
    .option("--ignore-transparent", "pixels of alpha 0 belong to no class: 255 in labels");
  command.optionsGroup("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "the picture in k colours: .png (with a palette), .tif, or .svg (outlines of its areas)",
    )
    .addOption(
      new Option(
        "--simplify <PIXELS>",
        "with -o FILE.svg: leave out corners at most this far from the simplified line; areas stay without gaps",
      ).argParser(number("--simplify")),
    )
    .option("--labels <FILE>", "the class of every pixel, 8 bits: .png, .pgm, .tif or .npy")
    .option("--palette <FILE>", "the colours: .json (with pixels), .gpl (GIMP) or .png (swatches)")
    .option("--regions <FILE>", "measurements of each connected area of one class: .csv or .json");
  command.optionsGroup("How to run and report:");
  addRunOptions(command, "auto is the CPU, which is done before a GPU is open", "instead of a sentence");
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry kmeans photo.jpg -k 16 -o poster.png --palette poster.gpl
  skerry kmeans slide.png -k auto --space oklab --labels tissue.png --regions areas.csv
  skerry kmeans photo.jpg -k 8 --min-area 40 -o calm.png
  skerry kmeans photo.jpg -k 8 --min-area 40 -o poster.svg --simplify 1
  skerry kmeans logo.png --init '#ffffff,#d02020,#000000' --max-iterations 0 -o three.png

Exit codes: 0 done, 1 a file could not be read, divided or written, 2 a wrong call. SKERRY_DEBUG=1 prints the stack
trace of an error.`,
    )
    .action((input: string, options: Options) => kmeans(input, options));
  return command;
}

/** 1 to 256, or auto. */
function classes(text: string): number | "auto" {
  const k = text === "auto" ? text : Number(text.trim() || "none");
  if (k === "auto" || (Number.isInteger(k) && k >= 1 && k <= 256)) return k;
  throw unexpected("-k", "a whole number from 1 to 256, or auto", text);
}

/** A whole number of at least 0. */
function fromZero(option: string): (text: string) => number {
  return (text) => {
    const value = number(option)(text);
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
    throw unexpected(option, "a whole number from 0 to 4294967295", text);
  };
}

/** A way to begin, or colours with commas between: #rrggbb each, or numbers. */
function start(text: string): Start {
  if (text === "kmeans++" || text === "random" || text === "grid") return text;
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part.startsWith("#"))) return parts.map((part) => colour(part, "--init").values);
  if (!parts.every((part) => /^\d+(\.\d+)?$/.test(part))) {
    throw unexpected("--init", "kmeans++, random, grid, colours #rrggbb,#rrggbb,... or greys 0,128,255,...", text);
  }
  return parts.map((part) => [Number(part)]);
}

/** Colours to begin with as a picture of so many channels has them. */
function startFor(init: Start, channels: number): Start {
  if (typeof init === "string") return init;
  const grey = channels === 1;
  return init.map((values) => {
    const [red, green, blue] = values;
    if (values.length === (grey ? 1 : 3)) return values;
    if (values.length === 1)
      throw new UsageError("Expected colours #rrggbb,... as --init of a picture in colour, got greys.");
    if (red !== green || red !== blue) {
      throw new UsageError(`Expected greys as --init of a grey picture, got a colour of ${values.join(", ")}.`);
    }
    return [red];
  });
}

/** Wrong calls are refused before anything is opened. */
function checkOptions(
  input: string,
  { k, init, maxK, tolerance, output, simplify, labels, palette, regions }: Options,
): void {
  if (k === undefined && typeof init === "string") throw new UsageError("Expected -k K, how many classes, or -k auto.");
  if (k === "auto" && typeof init !== "string") throw new UsageError("Expected -k auto without colours as --init.");
  if (maxK < 2 || maxK > 256) throw unexpected("--max-k", "from 2 to 256", maxK);
  if (tolerance < 0) throw unexpected("--tolerance", "0 or more", tolerance);
  if (output !== undefined) checkRecolouredPath(output);
  if (simplify !== undefined && !isDrawing(output))
    throw new UsageError("Expected --simplify together with -o FILE.svg.");
  if ((simplify ?? 0) < 0) throw unexpected("--simplify", "0 or more", simplify);
  if (labels !== undefined) checkClassesPath(labels);
  if (palette !== undefined) checkPalettePath(palette);
  if (regions !== undefined) checkTablePath("--regions", regions);
  const once = new WrittenOnce();
  once.reads(input, "the input");
  once.writes(output, "-o");
  once.writes(labels, "--labels");
  once.writes(palette, "--palette");
  once.writes(regions, "--regions");
}

/** Whether areas are outlined. */
function isDrawing(output: string | undefined): output is string {
  return output?.toLowerCase().endsWith(".svg") ?? false;
}

async function kmeans(input: string, options: Options): Promise<void> {
  checkOptions(input, options);
  const watch = new Stopwatch();
  const picture = await watch.measure(
    "read",
    ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
    () => openPicture(input, { alpha: options.ignoreTransparent === true }),
  );
  let engine: Engine | undefined;
  const bar = new ProgressBar(!options.quiet);
  try {
    engine = await watch.measure("open the device", 0, () => openEngine(options, "cpu"));
    await divide(engine, picture, options, watch, bar);
  } finally {
    bar.stop();
    await engine?.close();
    await picture.close();
  }
}

async function divide(
  engine: Engine,
  picture: Picture,
  options: Options,
  watch: Stopwatch,
  bar: ProgressBar,
): Promise<void> {
  const { k, metric, seed, space, maxIterations, tolerance, restarts, ignoreTransparent } = options;
  const init = startFor(options.init, picture.pixels.channels ?? 1);
  const wanted: Omit<KmeansOptions, "into"> = {
    ...{ metric, init, seed, space, maxIterations, tolerance, restarts, onProgress: bar.update },
    ...(ignoreTransparent ? { ignoreTransparent } : {}),
  };
  const begin = performance.now();
  let picked: PickedK | undefined;
  if (k === "auto") {
    const { init: _, ...rest } = wanted;
    const way = init as "kmeans++" | "random" | "grid";
    picked = await engine.pickK(picture.pixels, { ...rest, init: way, max: options.maxK });
    watch.add(engine.timings);
  }
  const asked = picked ? Math.max(1, picked.k) : (k as number | undefined);
  const classes = asked === undefined ? {} : { k: asked };
  const found = await engine.kmeans(picture.pixels, { ...wanted, ...classes });
  watch.add(engine.timings);
  const { minArea } = options;
  const segmentation = minArea === undefined ? found : await tidied(engine, found, minArea);
  const milliseconds = performance.now() - begin;
  await write(engine, segmentation, picture, options, watch);
  bar.stop();
  report(engine, segmentation, picture, picked, milliseconds, options);
  if (options.timing) console.error(await watch.table());
}

/** Classes whose small areas went to their neighbours, with the pixels of each counted anew. */
async function tidied(engine: Engine, segmentation: Segmentation, minArea: number): Promise<Segmentation> {
  const background = segmentation.transparent > 0 ? 255 : null;
  const areas = await engine.components(segmentation, { by: "value", background });
  const left = await areas.absorb({ minArea }).finally(() => areas.dispose());
  try {
    const { value } = await left.regions({ properties: ["area"] });
    const { data: labels } = await left.labels();
    const counts = new Uint32Array(segmentation.counts.length);
    const data = Uint8Array.from(labels, (label) => (label ? (value as PixelArray)[label - 1] : 255));
    data.forEach((name) => {
      if (name < counts.length) counts[name] = counts[name] + 1;
    });
    return { ...segmentation, data, counts };
  } finally {
    left.dispose();
  }
}

async function write(
  engine: Engine,
  segmentation: Segmentation,
  picture: Picture,
  { output, simplify: tolerance = 0, labels, palette, regions }: Options,
  watch: Stopwatch,
): Promise<void> {
  const pixels = segmentation.data.length;
  if (output !== undefined && !isDrawing(output)) {
    await watch.measure("write picture", pixels, () => writeRecoloured(output, segmentation));
  }
  if (labels !== undefined) await watch.measure("write labels", pixels, () => writeClasses(labels, segmentation));
  if (palette !== undefined) {
    await watch.measure("write palette", 0, () => writePalette(palette, segmentation, picture.name));
  }
  if (regions === undefined && !isDrawing(output)) return;
  const background = segmentation.transparent > 0 ? 255 : null;
  const areas = await engine.components(segmentation, { by: "value", background });
  try {
    watch.add(engine.timings);
    if (isDrawing(output)) {
      await watch.measure("write outlines", 0, () => writeDrawing(output, segmentation, areas, { tolerance }));
    }
    if (regions === undefined) return;
    const measured = await areas.regions({ properties: "all", intensity: picture.pixels });
    watch.add(engine.timings);
    await watch.measure("write regions", 0, () => writeRegions(regions, measured, { depth: areas.depth }));
  } finally {
    areas.dispose();
  }
}

function report(
  engine: Engine,
  { width, height, depth, k, iterations, inertia, converged, transparent }: Segmentation,
  { input, notes }: Picture,
  picked: PickedK | undefined,
  milliseconds: number,
  options: Options,
): void {
  const description = engine.describe();
  const where = description.device === "gpu" ? "gpu" : "cpu";
  const asked = picked?.k ?? (typeof options.k === "number" ? options.k : (options.init as number[][]).length);
  if (options.json) {
    const tried = picked && { candidates: picked.candidates, silhouette: Array.from(picked.silhouette) };
    const summary = {
      ...{ input, width, height, ...(depth > 1 ? { depth } : {}), k, ...(k < asked ? { asked } : {}), ...tried },
      ...{ iterations, converged, inertia, ...(transparent > 0 ? { transparent } : {}) },
      ...ranOn(where, description, milliseconds),
    };
    console.log(JSON.stringify(summary));
    return;
  }
  if (options.quiet) return;
  for (const note of notes()) console.error(`note: ${printable(note)}`);
  if (k < asked) {
    const why = inertia === 0 ? "the picture has no more colours" : "the others have no pixels";
    console.error(`note: ${k} ${k === 1 ? "class" : "classes"} instead of ${asked}: ${why}`);
  }
  const ended = converged || options.maxIterations === 0 ? "" : ", not yet at rest";
  const times = `${grouped(iterations)} ${iterations === 1 ? "iteration" : "iterations"}`;
  console.log(
    `${ahead(input)}${k} ${k === 1 ? "class" : "classes"} of ${sides({ width, height, depth })} after ${times}${ended}, ${milliseconds.toFixed(1)} ms on ${runnerOf(where, description)}`,
  );
}
