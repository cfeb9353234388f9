// skerry label: pictures in; labels, measurements, runs and overlays out.

import { OUTLINE_WRITERS, typeOfArray } from "@skerry/files";
import {
  checkLabelsPath,
  checkOutlinesPath,
  checkTablePath,
  nameOf,
  openPicture,
  type Picture,
  resident,
  sizeOf,
  writeLabels,
  writeOutlines,
  writeOverlay,
  writeRegions,
  writeRuns,
} from "@skerry/files/node";
import { Command, Option } from "commander";
import {
  type Components,
  type Engine,
  type PixelType,
  REGION_PROPERTIES,
  type RegionProperty,
  type RegionsOptions,
} from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { printable, UsageError, unexpected } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides } from "../progress.js";
import {
  addFilterOptions,
  addRawOptions,
  addRuleOptions,
  addRunOptions,
  checkAreas,
  deviceFor,
  isAutomatic,
  METHODS,
  namedRule,
  namedShaping,
  number,
  numbers,
  oneOf,
  openEngine,
  properties,
  type RawOptions,
  type Rule,
  type RunOptions,
  rawLayout,
  WrittenOnce,
  whole,
} from "./arguments.js";
import { findObjects, type ObjectsOptions, unnamedRule } from "./objects.js";
import {
  addSelectionOptions,
  checkSelection,
  type Measuring,
  orderOf,
  type SelectionOptions,
  selectObjects,
} from "./selection.js";

interface Options extends ObjectsOptions, RawOptions, RunOptions, SelectionOptions {
  output?: string;
  regions?: string;
  properties?: RegionProperty[];
  runs?: string;
  outlines?: string;
  simplify?: number;
  rings?: "exact" | "simple";
  overlay?: string;
  physical?: boolean;
  perChannel?: boolean;
  quantiles?: number[];
  bins?: number;
}

export function labelCommand(): Command {
  const command = new Command("label")
    .summary("find, label and measure the objects in images and volumes")
    .description(
      [
        "Finds the objects in each INPUT: tells their pixels from the background, joins neighbours, numbers the objects from 1 in reading order, and writes what you ask for.",
        "INPUT is a PNG, JPEG, WebP, TIFF (8 or 16 bit; pages are slices), GIF or AVIF picture, a binary PGM (8 or 16 bit), a .npy array (2-D or 3-D), a NIfTI volume (.nii, .nii.gz), a folder of pictures or of uncompressed DICOM slices, raw values with --shape, or - for stdin. Colour counts as its luma (Rec. 601), except under --nonzero, --by and --tolerance. With several inputs, put {name} into the output names.",
      ].join("\n\n"),
    )
    .argument("<INPUT...>", "images or volumes to label, or - for stdin")
    .usage("INPUT... [options]");
  const group = (heading: string): void => {
    command.optionsGroup(heading);
  };
  group("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "labels: .npy, .tif, .nii or .nii.gz (32 bit), or of an image .png or .pgm (16 bit, at most 65535 objects)",
    )
    .option("--regions <FILE>", "measurements, one row per object: .csv or .json")
    .addOption(
      new Option(
        "--properties <LIST>",
        "measure only these (see below), e.g. area,centroid; default: all that apply but convexHull, inscribed, median, quantiles and histogram",
      ).argParser(properties),
    )
    .option("--per-channel", "measure each channel of colours by itself instead of their luma")
    .addOption(
      new Option(
        "--quantiles <LIST>",
        "with --properties quantiles: these, from 0 to 1 (default 0.25,0.5,0.75)",
      ).argParser(numbers("--quantiles")),
    )
    .addOption(new Option("--bins <N>", "with --properties histogram: this many bins").argParser(whole("--bins")))
    .option(
      "--physical",
      "measure in units of the spacing that the file tells, instead of pixels; radii and distances, too",
    )
    .option("--runs <FILE>", "run lengths: .csv (row, begin, end, label) or .json (COCO)")
    .option(
      "--outlines <FILE>",
      `polygons on pixel corners: ${Object.entries(OUTLINE_WRITERS)
        .map(([ending, { title }]) => `${ending} (${title})`)
        .join(", ")}`,
    )
    .addOption(
      new Option(
        "--simplify <PIXELS>",
        "with --outlines: leave out corners at most this far from the simplified line",
      ).argParser(number("--simplify")),
    )
    .addOption(
      new Option(
        "--rings <R>",
        "with --outlines: simple (valid polygons: rings are cut where they touch themselves; the default) or exact (one ring per border)",
      ).argParser(oneOf("--rings", ["simple", "exact"])),
    )
    .option("--overlay <FILE.png>", "each object in its own colour over the image, or a volume's three middle slices");
  group("How to read files without a header:");
  addRawOptions(command);
  group("Which pixels are objects (default: nonzero if the image holds at most two values and one is 0, else Otsu):");
  addRuleOptions(command);
  group("What happens to the objects (in this order):");
  addFilterOptions(command);
  addSelectionOptions(command);
  group("How to run and report:");
  addRunOptions(
    command,
    "auto opens a GPU only for half a gigapixel or more, since opening one takes longer than that",
    "per input instead of a sentence",
  );
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

Exit codes: 0 done, 1 a file could not be read, labelled or written, 2 a wrong call. SKERRY_DEBUG=1 prints the
stack trace of an error.`,
    )
    .action((inputs: string[], options: Options) => label(inputs, options));
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

/** Wrong calls are refused before anything is opened. */
function checkOutputs(inputs: string[], options: Options): void {
  if (options.output !== undefined) checkLabelsPath(options.output);
  if (options.regions !== undefined) checkTablePath("--regions", options.regions);
  if (options.runs !== undefined) checkTablePath("--runs", options.runs);
  if (options.outlines !== undefined) checkOutlinesPath(options.outlines);
  if (options.simplify !== undefined && options.outlines === undefined) {
    throw new UsageError("Expected --simplify together with --outlines FILE.");
  }
  if (options.rings !== undefined && options.outlines === undefined) {
    throw new UsageError("Expected --rings together with --outlines FILE.");
  }
  if ((options.simplify ?? 0) < 0) throw unexpected("--simplify", "0 or more", options.simplify);
  if (options.overlay !== undefined && !options.overlay.toLowerCase().endsWith(".png")) {
    throw new UsageError(`Expected --overlay to end in .png, got ${options.overlay}.`);
  }
  const { physical: _, ...shaped } = namedShaping(options);
  const lengths = options.smooth !== undefined || Object.keys(shaped).length > 0;
  if (options.physical && options.regions === undefined && !lengths) {
    throw new UsageError("Expected --physical together with --regions FILE, or with a radius.");
  }
  if (options.properties && options.regions === undefined) {
    throw new UsageError("Expected --properties together with --regions FILE.");
  }
  checkMeasuring(options);
  checkAreas(options);
  checkSelection(options, options.regions);
  if (inputs.filter((input) => input === "-").length > 1)
    throw new UsageError("Expected - at most once: stdin is read to its end.");
  const once = new WrittenOnce();
  for (const input of inputs) once.reads(input, `the input ${input}`);
  if (options.within !== undefined) once.reads(options.within, "--within");
  for (const input of inputs) {
    for (const [option, template] of outputsOf(options)) {
      if (inputs.length > 1 && !template.includes("{name}")) {
        throw new UsageError(`Expected ${option} to hold {name} with several inputs, got ${template}.`);
      }
      once.writes(fill(template, input), `${option} of ${input}`);
    }
  }
}

/** Refuses options of measurements that are not made. */
function checkMeasuring({ properties = [], regions, perChannel, quantiles, bins }: Options): void {
  if (perChannel && regions === undefined) throw new UsageError("Expected --per-channel together with --regions FILE.");
  if (quantiles && !properties.includes("quantiles")) {
    throw new UsageError("Expected --quantiles together with --properties quantiles.");
  }
  const wrong = quantiles?.find((fraction) => fraction < 0 || fraction > 1);
  if (wrong !== undefined) throw unexpected("--quantiles", "numbers from 0 to 1", wrong);
  if (bins !== undefined && !properties.includes("histogram")) {
    throw new UsageError("Expected --bins together with --properties histogram.");
  }
  if (properties.includes("convexHull") && !regions?.toLowerCase().endsWith(".json")) {
    throw new UsageError(`Expected --regions to end in .json for convexHull, got ${regions}.`);
  }
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

async function label(inputs: string[], options: Options): Promise<void> {
  const rule = namedRule(options);
  const raw = rawLayout(options);
  checkOutputs(inputs, options);
  const sharpPays = inputs.length > FEW_INPUTS;
  const read = (input: string): Promise<Picture> => openPicture(input, { raw, nodata: options.nodata, sharpPays });
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
        await labelOne(engine, near, rule, options, watch);
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
  named: Rule | undefined,
  options: Options,
  watch: Stopwatch,
): Promise<void> {
  const talkative = !options.quiet && !options.json;
  const rule = named ?? (await watch.measure("choose threshold", 0, () => unnamedRule(picture, options, engine)));
  const bar = new ProgressBar(!options.quiet);
  const begin = performance.now();
  const found = findObjects(engine, picture.pixels, rule, options, { onProgress: bar.update }).then((objects) =>
    selectObjects(objects, options, measuringOf(picture, options), { onProgress: bar.update }),
  );
  const components = await found;
  const milliseconds = performance.now() - begin;
  watch.add(engine.timings);
  try {
    await write(engine, components, picture, options, watch, bar);
  } finally {
    bar.stop();
    components.dispose();
  }
  for (const note of picture.notes()) if (talkative) console.error(`note: ${printable(note)}`);
  report(engine, components, picture, rule, milliseconds, options, named === undefined);
  if (options.timing) console.error(await watch.table());
}

async function write(
  engine: Engine,
  components: Components,
  picture: Picture,
  options: Options,
  watch: Stopwatch,
  bar: ProgressBar,
): Promise<void> {
  const { input } = picture;
  const pixels = components.width * components.height * components.depth;
  const { output, regions, runs, outlines, overlay } = options;
  if (output !== undefined) {
    await watch.measure("write labels", pixels * 4, () =>
      writeLabels(fill(output, input), components, picture.orientation),
    );
  }
  if (regions !== undefined) {
    const { properties = "all", quantiles, bins, perChannel = false } = options;
    const measuring = measuringOf(picture, options);
    const wanted: RegionsOptions = {
      ...{ properties, ...measuring, perChannel, onProgress: bar.update },
      ...{ ...(quantiles ? { quantiles } : {}), ...(bins === undefined ? {} : { bins }) },
    };
    const measured = await components.regions(wanted);
    watch.add(engine.timings);
    const order = options.sort && (await orderOf(components, options.sort, measuring, { onProgress: bar.update }));
    const channels = perChannel && measuring.intensity ? (picture.pixels.channels ?? 1) : 1;
    const table = { properties: options.properties, order, quantiles, channels, depth: components.depth };
    await watch.measure("write regions", 0, () => writeRegions(fill(regions, input), measured, table));
  }
  if (runs !== undefined) {
    await watch.measure("write runs", 0, () => writeRuns(fill(runs, input), components, input));
  }
  if (outlines !== undefined) {
    const { simplify: tolerance = 0, rings = "simple" } = options;
    await watch.measure("write outlines", 0, () =>
      writeOutlines(fill(outlines, input), components, { tolerance, rings, onProgress: bar.update }, input),
    );
  }
  if (overlay !== undefined) {
    await watch.measure("write overlay", pixels * 3, () => writeOverlay(fill(overlay, input), picture, components));
  }
}

/** How objects are measured. Means of labels are meaningless, so those of --by labels are left out by default. */
function measuringOf(picture: Picture, { properties, physical = false, by }: Options): Measuring {
  return { physical, ...(by === "labels" && !properties ? {} : { intensity: picture.pixels }) };
}

/** Replacement of the local mean in a flattened picture, by type. */
const MIDDLES: Readonly<Record<PixelType, number>> = { u8: 128, u16: 32768, i16: 0, u32: 0, i32: 0, f32: 0 };

function report(
  engine: Engine,
  { count, width, height, depth, foreground, threshold: chosen, device }: Components,
  { input, pixels }: Picture,
  rule: Rule,
  milliseconds: number,
  { json, quiet, dark, flatten }: Options,
  byDefault: boolean,
): void {
  const { threshold } = rule;
  const mean = flatten === undefined ? undefined : MIDDLES["data" in pixels ? typeOfArray(pixels.data) : pixels.type];
  if (json) {
    const polarity = dark ? "dark" : "bright";
    const used = isAutomatic(threshold)
      ? { [threshold]: chosen, polarity, ...(mean === undefined ? {} : { localMean: mean }) }
      : threshold;
    const summary = {
      input,
      ...{ width, height, ...(depth > 1 ? { depth } : {}) },
      count,
      foreground,
      ...ranOn(device, engine.describe(), milliseconds),
      ...(used === undefined ? rule : { threshold: used }),
    };
    console.log(JSON.stringify(summary));
    return;
  }
  if (quiet) return;
  const objects = `${grouped(count)} ${count === 1 ? "object" : "objects"}`;
  const side = dark ? "at and below" : "above";
  const nonzero = byDefault && threshold === "nonzero" ? "nonzero pixels" : "";
  const shift = mean === undefined ? "" : `, where ${mean} is the local mean`;
  const how = isAutomatic(threshold) ? `${METHODS[threshold]}: ${side} ${shortest(chosen ?? 0)}${shift}` : nonzero;
  console.log(
    `${ahead(input)}${objects} in ${sides({ width, height, depth })}, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, engine.describe())}${how && ` (${how})`}`,
  );
}

function shortest(n: number): string {
  return Number.isInteger(n) ? `${n}` : n.toPrecision(6);
}
