// skerry label: pictures or label images in; labels, measurements, runs and overlays out.

import { OUTLINE_WRITERS, typeOfArray } from "@skerry/files";
import {
  checkLabelsPath,
  checkOutlinesPath,
  checkTablePath,
  nameOf,
  type Picture,
  resident,
  sizeOf,
  writeLabels,
  writeOutlines,
  writeOverlay,
  writeRegions,
  writeRuns,
} from "@skerry/files/node";
import {
  type Measuring,
  measuringOf,
  objectsOf,
  orderOf,
  type Recipe,
  regionsOptions,
  thresholdFor,
} from "@skerry/recipe";
import { Command } from "commander";
import { type Components, type Engine, type PixelType, REGION_PROPERTIES, type Threshold } from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { printable, UsageError } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides } from "../progress.js";
import {
  addRunOptions,
  checkWritten,
  deviceFor,
  METHODS,
  type Named,
  openEngine,
  type RunOptions,
} from "./arguments.js";
import { keepRecipe, RecipeFlags } from "./fields.js";
import { openInput, recipeFor, withinOf } from "./input.js";

/** Files that objects are written to, and how to run. */
export interface Options extends RunOptions {
  output?: string;
  regions?: string;
  runs?: string;
  outlines?: string;
  overlay?: string;
}

export const AUTO = "auto opens a GPU only for half a gigapixel or more, since opening one takes longer than that";
export const CODES = `Exit codes: 0 done, 1 a file could not be read, labelled or written, 2 a wrong call. SKERRY_DEBUG=1 prints the
stack trace of an error.`;

/** Adds what objects are written to. */
export function addOutputs(command: Command): void {
  command.optionsGroup("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "labels: .npy, .tif, .nii or .nii.gz (32 bit), or of an image .png or .pgm (16 bit, at most 65535 objects)",
    )
    .option("--regions <FILE>", "measurements, one row per object: .csv or .json")
    .option("--runs <FILE>", "run lengths: .csv (row, begin, end, label) or .json (COCO)")
    .option(
      "--outlines <FILE>",
      `polygons on pixel corners: ${Object.entries(OUTLINE_WRITERS)
        .map(([ending, { title }]) => `${ending} (${title})`)
        .join(", ")}`,
    )
    .option("--overlay <FILE.png>", "each object in its own colour over the image, or a volume's three middle slices");
}

export function labelCommand(given?: Recipe): Command {
  const command = new Command("label")
    .summary("find, label and measure the objects in images and volumes")
    .description(
      [
        "Finds the objects in each INPUT: tells their pixels from the background, joins neighbours, numbers the objects from 1 in reading order, and writes what you ask for.",
        "INPUT is a PNG, JPEG, WebP, GIF or AVIF picture, a TIFF of any type, a binary PGM (8 or 16 bit), a .npy array (2-D or 3-D), a NIfTI volume (.nii, .nii.gz), a folder of pictures or of uncompressed DICOM slices, raw values with --shape, or - for stdin. Colour counts as its luma (Rec. 601), except under --nonzero, --by and --tolerance. With several inputs, put {name} into the output names.",
      ].join("\n\n"),
    )
    .argument("<INPUT...>", "images or volumes to label, or - for stdin")
    .usage("INPUT... [options]");
  addOutputs(command);
  const flags = new RecipeFlags(command, given, "How to label:");
  command.optionsGroup("How to run and report:");
  addRunOptions(command, AUTO, "per input instead of a sentence");
  command
    .addHelpText(
      "after",
      `
Examples:
  skerry label cells.png --otsu --overlay seen.png
  skerry label board.png --outside 60,200 --connectivity 8 --min-area 5 --regions defects.csv
  skerry label scans/*.tif --otsu --fill-holes -o labels/{name}.npy --json
  skerry label cells.png --otsu --split --overlay parts.png
  skerry label page.png --local sauvola:12 --dark --connectivity 8 --min-area 8 --regions letters.csv
  skerry label slide.png --channel hematoxylin --smooth 1 --otsu --split --min-area 40 --regions nuclei.csv
  skerry label head.nii.gz --smooth 1 --threshold triangle --close 8 --physical --fill-holes slices --largest 1 -o head.nii.gz
  skerry label cells.png --otsu --split --outlines cells.geojson --simplify 1
  skerry label cells.png --otsu --select "area > 50 && eccentricity < 0.8" --sort mean --top 20 --regions bright.csv
  skerry label tissues.nii.gz --by value --regions areas.csv --physical

Properties of images and volumes:
${wrapped(REGION_PROPERTIES.filter((name) => !factsOf(name).only && !isOfIntensity(name)))}
of images only:
${wrapped(REGION_PROPERTIES.filter((name) => factsOf(name).only === "image"))}
of volumes only:
${wrapped(REGION_PROPERTIES.filter((name) => factsOf(name).only === "volume"))}
of the pixels' values:
${wrapped(REGION_PROPERTIES.filter(isOfIntensity))}

${CODES}`,
    )
    .action((inputs: string[], options: Options) => label(inputs, flags, options));
  return command;
}

/** Names in lines of at most 100 letters. */
function wrapped(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    const line = lines[lines.length - 1];
    if (line.length + name.length > 96) lines.push(`${name},`);
    else lines[lines.length - 1] = `${line} ${name},`.trim();
  }
  return lines
    .map((line) => `  ${line}`)
    .join("\n")
    .replace(/,$/, "");
}

/** Options that are, or follow from, a length. */
const LENGTHS = ["smooth", "open", "close", "erode", "dilate", "split", "absorb", "expand"] as const;

/** Wrong calls are refused before anything is opened. */
function checkOutputs(inputs: string[], flags: RecipeFlags, recipe: Recipe, options: Options): void {
  const { output, regions, runs, outlines, overlay } = options;
  if (output !== undefined) checkLabelsPath(output);
  if (regions !== undefined) checkTablePath("--regions", regions);
  if (runs !== undefined) checkTablePath("--runs", runs);
  if (outlines !== undefined) checkOutlinesPath(outlines);
  if (overlay !== undefined && !overlay.toLowerCase().endsWith(".png")) {
    throw new UsageError(`Expected --overlay to end in .png, got ${overlay}.`);
  }
  flags.checkOutputs((of) => (of === "--outlines FILE" ? outlines : regions) !== undefined);
  const { physical, sort, top } = recipe.options ?? {};
  const { properties = [] } = recipe.products ?? {};
  if (
    flags.isSpoken &&
    physical &&
    regions === undefined &&
    !LENGTHS.some((name) => recipe.options?.[name] !== undefined)
  ) {
    throw new UsageError("Expected --physical together with --regions FILE, or with a radius.");
  }
  if (flags.isSpoken && sort !== undefined && regions === undefined && top === undefined) {
    throw new UsageError("Expected --sort together with --regions FILE or --top.");
  }
  if (properties.includes("convexHull") && regions !== undefined && !regions.toLowerCase().endsWith(".json")) {
    throw new UsageError(`Expected --regions to end in .json for convexHull, got ${regions}.`);
  }
  if (inputs.filter((input) => input === "-").length > 1)
    throw new UsageError("Expected - at most once: stdin is read to its end.");
  const { within, intensity } = recipe.input ?? {};
  const outputs = outputsOf(options);
  const [whole] = inputs.length > 1 ? outputs.filter(([, template]) => !template.includes("{name}")) : [];
  if (whole) throw new UsageError(`Expected ${whole[0]} to hold {name} with several inputs, got ${whole[1]}.`);
  const beside: Named[] = [
    [typeof within === "string" ? within : undefined, "--within"],
    [intensity, "--intensity"],
  ];
  const each = inputs.flatMap((input) =>
    outputs.map(([option, template]): Named => [fill(template, input), `${option} of ${input}`]),
  );
  checkWritten(
    [...inputs.map((input): Named => [input, `the input ${input}`]), ...beside],
    [[options.recipe, "--recipe"], ...each],
  );
}

function outputsOf({ output, regions, runs, outlines, overlay }: Options): [string, string][] {
  const all: [string, string | undefined][] = [
    ["-o", output],
    ["--regions", regions],
    ["--runs", runs],
    ["--outlines", outlines],
    ["--overlay", overlay],
  ];
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function fill(template: string, input: string): string {
  return template.replaceAll("{name}", nameOf(input));
}

/** Up to so many inputs, small PNGs are read without sharp, whose library takes longer to load than they take to read. */
const FEW_INPUTS = 8;

/** Labels or measures inputs, one after another. */
export async function label(inputs: string[], flags: RecipeFlags, options: Options): Promise<void> {
  const recipe = flags.recipe();
  checkOutputs(inputs, flags, recipe, options);
  if (await keepRecipe(recipe, options)) return;
  const sharpPays = inputs.length > FEW_INPUTS;
  const read = (input: string): Promise<Picture> => openInput(input, recipe, { sharpPays });
  let engine: Engine | undefined;
  // The next picture is decoded, in threads of sharp's, while this one is labelled and written.
  let ahead: Promise<Picture> | undefined;
  try {
    for (const [i, input] of inputs.entries()) {
      const watch = new Stopwatch();
      const picture = await watch.measure(
        "read",
        ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
        () => ahead ?? read(input),
      );
      const next = inputs[i + 1];
      ahead = next === undefined ? undefined : read(next);
      // A picture that cannot be read is told in its turn.
      ahead?.catch(() => undefined);
      try {
        if (sizeOf(picture).depth > 1 && options.outlines !== undefined) {
          throw new UsageError(`Expected an image for --outlines ${options.outlines}, got a volume.`);
        }
        if (sizeOf(picture).depth > 1 && options.runs?.toLowerCase().endsWith(".json")) {
          throw new UsageError(`Expected an image for --runs ${options.runs}: COCO has no volumes; write .csv.`);
        }
        engine ??= await watch.measure("open the device", 0, () => {
          const { width, height, depth } = sizeOf(picture);
          return openEngine(options, deviceFor(width * height * depth, inputs.length));
        });
        const { picture: near, free } = await watch.measure("read pixels", 0, () =>
          resident(engine as Engine, picture),
        );
        await labelOne(engine, near, recipeFor(recipe, picture), options, watch);
        free();
      } finally {
        await picture.close();
      }
    }
  } finally {
    await ahead?.then(
      (picture) => picture.close(),
      () => undefined,
    );
    await engine?.close();
  }
}

async function labelOne(
  engine: Engine,
  picture: Picture,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<void> {
  const talkative = !options.quiet && !options.json;
  const { operation, input = {} } = recipe;
  const threshold =
    operation === "components"
      ? await watch.measure("choose threshold", 0, () => thresholdFor(engine, recipe, picture.pixels))
      : undefined;
  const values = input.intensity === undefined ? undefined : await openInput(input.intensity, recipe);
  const bar = new ProgressBar(!options.quiet);
  const begin = performance.now();
  try {
    const call = { onProgress: bar.update };
    const within = await withinOf(engine, recipe, picture.pixels);
    // Nothing is measured where nobody looks.
    const { select, sort } = recipe.options ?? {};
    const measures = options.regions !== undefined || select !== undefined || sort !== undefined;
    const measuring = measures ? await measuringOf(engine, recipe, values?.pixels ?? picture.pixels, call) : {};
    const components = await objectsOf(engine, recipe, picture.pixels, { threshold, measuring, ...within, ...call });
    const milliseconds = performance.now() - begin;
    watch.add(engine.timings);
    try {
      await write(engine, components, picture, recipe, measuring, options, watch, bar);
    } finally {
      bar.stop();
      components.dispose();
    }
    const notes = [...picture.notes(), ...(values?.notes() ?? [])];
    for (const note of notes) if (talkative) console.error(`note: ${printable(note)}`);
    report(engine, components, picture, recipe, threshold, milliseconds, options);
    if (options.timing) console.error(await watch.table());
  } finally {
    bar.stop();
    await values?.close();
  }
}

async function write(
  engine: Engine,
  components: Components,
  picture: Picture,
  recipe: Recipe,
  measuring: Measuring,
  options: Options,
  watch: Stopwatch,
  bar: ProgressBar,
): Promise<void> {
  const { input } = picture;
  const pixels = components.width * components.height * components.depth;
  const { output, regions, runs, outlines, overlay } = options;
  const {
    properties,
    quantiles,
    perChannel = false,
    simplify: tolerance = 0,
    rings = "simple",
  } = recipe.products ?? {};
  if (output !== undefined) {
    await watch.measure("write labels", pixels * 4, () => writeLabels(fill(output, input), components, picture.place));
  }
  if (regions !== undefined) {
    const measured = await components.regions({ ...regionsOptions(recipe, measuring), onProgress: bar.update });
    watch.add(engine.timings);
    const { sort } = recipe.options ?? {};
    const call = { onProgress: bar.update };
    const order = sort === undefined ? undefined : await orderOf(components, sort, measuring, call);
    const channels = perChannel && measuring.intensity ? (measuring.intensity.channels ?? 1) : 1;
    const table = { properties, order, quantiles, channels, depth: components.depth };
    await watch.measure("write regions", 0, () => writeRegions(fill(regions, input), measured, table));
  }
  if (runs !== undefined) {
    await watch.measure("write runs", 0, () => writeRuns(fill(runs, input), components, input));
  }
  if (outlines !== undefined) {
    await watch.measure("write outlines", 0, () =>
      writeOutlines(fill(outlines, input), components, { tolerance, rings, onProgress: bar.update }, input),
    );
  }
  if (overlay !== undefined) {
    await watch.measure("write overlay", pixels * 3, () => writeOverlay(fill(overlay, input), picture, components));
  }
}

/** Replacement of the local mean in a flattened picture, by type. */
const MIDDLES: Readonly<Record<PixelType, number>> = { u8: 128, u16: 32768, i16: 0, u32: 0, i32: 0, f32: 0 };

function report(
  engine: Engine,
  { count, width, height, depth, foreground, threshold: chosen, polarity, device }: Components,
  { input, pixels }: Picture,
  { operation, options = {} }: Recipe,
  threshold: Threshold | undefined,
  milliseconds: number,
  { json, quiet }: Options,
): void {
  const { flatten } = options;
  const mean = flatten === undefined ? undefined : MIDDLES["data" in pixels ? typeOfArray(pixels.data) : pixels.type];
  const automatic = typeof threshold === "string" && threshold !== "nonzero" ? threshold : undefined;
  if (json) {
    const used = automatic
      ? { [automatic]: chosen, polarity, ...(mean === undefined ? {} : { localMean: mean }) }
      : threshold;
    const rule = operation === "components" ? (options.by === undefined ? {} : { by: options.by }) : { by: "labels" };
    const background = options.background === undefined ? {} : { background: options.background };
    const summary = {
      input,
      ...{ width, height, ...(depth > 1 ? { depth } : {}) },
      count,
      foreground,
      ...ranOn(device, engine.describe(), milliseconds),
      ...(used === undefined ? { ...rule, ...background } : { threshold: used }),
    };
    console.log(JSON.stringify(summary));
    return;
  }
  if (quiet) return;
  const dark =
    polarity === "dark" && (automatic !== undefined || (typeof threshold === "object" && "local" in threshold));
  const objects = `${grouped(count)} ${dark ? "dark " : ""}${count === 1 ? "object" : "objects"}`;
  const side = dark ? "at and below" : "above";
  const nonzero = options.threshold === undefined && threshold === "nonzero" ? "nonzero pixels" : "";
  const shift = mean === undefined ? "" : `, where ${mean} is the local mean`;
  const how = automatic ? `${METHODS[automatic]}: ${side} ${shortest(chosen ?? 0)}${shift}` : nonzero;
  console.log(
    `${ahead(input)}${objects} in ${sides({ width, height, depth })}, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, engine.describe())}${how && ` (${how})`}`,
  );
}

function shortest(n: number): string {
  return Number.isInteger(n) ? `${n}` : n.toPrecision(6);
}
