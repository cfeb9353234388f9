// skerry label: pictures or label images in; labels, measurements, runs and overlays out.

import {
  type Affine,
  annotated,
  attributesOf,
  axisOf,
  columnsOf,
  type Drawable,
  endingOf,
  frameOf,
  type GeoJsonOptions,
  inWhole,
  lengthUnitOf,
  MemoryOutput,
  mapAffineOf,
  type OtherValues,
  OUTLINE_WRITERS,
  sizesOf,
  type TableOptions,
  typeOfArray,
  writeRegions as writeRegionsTo,
} from "@skerry/files";
import {
  checkLabelsPath,
  checkOutlinesPath,
  checkRunsPath,
  checkTablePath,
  type Picture,
  RegionsTable,
  resident,
  sizeOf,
  writeLabels,
  writeOutlines,
  writeOverlay,
  writeRegions,
  writeRuns,
} from "@skerry/files/node";
import {
  intensityFiles,
  type Measuring,
  measuringOf,
  NUMBERS,
  namedThreshold,
  namesIntensity,
  type Offer,
  type Offers,
  objectsOf,
  orderOf,
  type Pixels,
  parseCondition,
  type Recipe,
  regionsOptions,
  thresholdFor,
} from "@skerry/recipe";
import { Command } from "commander";
import {
  type Components,
  type Engine,
  type PixelType,
  type Progress,
  type Raster,
  REGION_PROPERTIES,
  type RegionProperty,
  type Regions,
  type RegionsOptions,
  type Threshold,
} from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { UsageError } from "../errors.js";
import { ahead, grouped, ProgressBar, ranOn, runnerOf, Stopwatch, sides, sizeFields, tellNotes } from "../progress.js";
import {
  addBatchOptions,
  addRunOptions,
  addStoreOptions,
  checkWritten,
  deviceFor,
  METHODS,
  type Named,
  openEngine,
  type RunOptions,
} from "./arguments.js";
import { BatchError, eachInput, expandInputs, fillName, recipeOfInput } from "./batch.js";
import { closeAll, countsBeside, type Intensity, openIntensities, withinOf } from "./beside.js";
import { isAllShown, keepRecipe, RecipeFlags, shorten } from "./fields.js";
import { checkDrawn, type InputOptions, isUneven, OF_LABELS, type OpenedInput, openInput, recipeFor } from "./input.js";
import { checkFits } from "./memory.js";
import { extremesNote, flatNotes, greysNote, idleNotes, idsNotes, LENGTHS, lostPlaces, rangeNotes } from "./notes.js";
import {
  bytesOf,
  checkSink,
  checkStored,
  checkStores,
  isZarrName,
  storeOf,
  TABLE_BESIDE,
  writeStored,
  writtenIn,
} from "./stores.js";
import {
  firstOf,
  flagsOf,
  jsonOf,
  linesOf,
  looksFurther,
  offered,
  type SuggestOptions,
  toldOfAuto,
} from "./suggest.js";

/** Options as given: output files, and how to run. `--regions` may lack its file. */
export interface GivenOptions extends Omit<Options, "regions" | "beside"> {
  readonly regions?: string | true;
}

/** The same options, with a path for every table. */
export interface Options extends RunOptions, SuggestOptions {
  failFast?: boolean;
  output?: string;
  regions?: string;
  /** Whether the table is written beside the labels in OME-Zarr. */
  beside?: boolean;
  overwrite?: boolean;
  runs?: string;
  outlines?: string;
  overlay?: string;
}

export const AUTO =
  "auto opens a GPU only for half a gigapixel or more, because the CPU labels less before a GPU is open";
export const CODES = `Exit codes: 0 done, 1 a file could not be read, labelled or written, 2 a wrong call. SKERRY_DEBUG=1 prints the
stack trace of an error.`;

/** Adds the options for output files. */
export function addOutputs(command: Command): void {
  command.optionsGroup("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "labels: .npy, .tif, .nii, .nii.gz or OME-Zarr .zarr (32 bit), or of an image .png or .pgm (16 bit, at most 65535 objects); into an OME-Zarr image as labels/NAME",
    )
    .option(
      "--regions [FILE]",
      "measurements, one row per object: .csv, .json or .parquet; without {name} one .csv of all inputs, with a column input; without FILE as .csv and .parquet beside labels in OME-Zarr",
    )
    .option(
      "--runs <FILE>",
      "run lengths: .csv (row, begin, end, label), or masks as .json (COCO), .xml (CVAT) or .labelstudio.json",
    )
    .option(
      "--outlines <FILE>",
      `polygons on pixel corners: ${Object.entries(OUTLINE_WRITERS)
        .map(([ending, { title }]) => `${ending} (${title})`)
        .join(", ")}`,
    )
    .option("--overlay <FILE.png>", "each object in its own colour over the image, or a volume's three middle slices");
  addStoreOptions(command);
}

/** The options, with a path for --regions without FILE: beside the labels in OME-Zarr. */
export function named(given: GivenOptions, recipe: Recipe): Options {
  const { regions, ...options } = given;
  if (regions !== true) return { ...options, ...(regions === undefined ? {} : { regions }) };
  const { output } = options;
  if (output === undefined || !isZarrName(output)) {
    throw new UsageError("Expected a file for --regions, or -o FILE.zarr, beside whose labels it is written.");
  }
  return { ...options, regions: `${writtenIn(output, recipe)}/${TABLE_BESIDE}`, beside: true };
}

const FINDS =
  "Finds the objects in each INPUT: separates their pixels from the background, joins neighbours, numbers the objects from 1 in reading order (with --by labels in the order of their values), and writes what you ask for.";

const DESCRIPTION = [
  FINDS,
  "INPUT is a PNG, JPEG, WebP, GIF or AVIF picture, a TIFF of any type, a binary PGM (8 or 16 bit), a .npy array (2-D or 3-D), a NIfTI volume (.nii, .nii.gz), a folder of pictures or of uncompressed DICOM slices, masks of COCO, CVAT or Label Studio as run lengths (.json, .xml), raw values with --shape, an OME-Zarr image (a folder, or a URL of http, https or s3), or - for stdin. Colour counts as its luma (Rec. 601), except under --nonzero, --by and --tolerance. INPUT may be a quoted pattern; a folder of pictures is each of them, or one volume with --volume. With several inputs, put {name} into the output names; an input that fails does not stop the others.",
].join("\n\n");

/** Options of the short help, with --help. */
const SHORT = [
  "--output",
  "--regions",
  "--overlay",
  "--auto",
  "--otsu",
  "--above",
  "--below",
  "--fill-holes",
  "--split",
  "--min-area",
  "--json",
];

const SHORT_EXAMPLES = `Examples:
  skerry label coins.png --auto --overlay seen.png
  skerry label cells.png --otsu --split --min-area 20 --regions cells.csv
  skerry label scans/*.tif --otsu --fill-holes -o labels/{name}.npy --json
  skerry label head.nii.gz --above 60 -o parts.nii.gz
  skerry label classes.tif --by value --regions areas.csv
  skerry info classes.tif`;

const SHORT_END = `
All options, among them those of reading, shapes, units, tables and devices: skerry help label all.`;

/** The properties of objects, by what has them. */
export const PROPERTIES = `Properties of images and volumes:
${wrapped(REGION_PROPERTIES.filter((name) => !factsOf(name).only && !isOfIntensity(name)))}
of images only:
${wrapped(REGION_PROPERTIES.filter((name) => factsOf(name).only === "image"))}
of volumes only:
${wrapped(REGION_PROPERTIES.filter((name) => factsOf(name).only === "volume"))}
of the pixels' values:
${wrapped(REGION_PROPERTIES.filter(isOfIntensity))}`;

const LONG_END = `
Examples:
  skerry label coins.png --auto --overlay seen.png
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
  skerry label photos --otsu --regions all.csv
  skerry label nuclei.tif --otsu --intensity stack.tif:1 --physical --regions cells.csv
  skerry label brain.zarr --above 120 --connectivity 26 -o brain.zarr --name cells --regions
  skerry label classes.tif --by value --world --physical --outlines classes.geojson

${PROPERTIES}

${CODES}`;

export function labelCommand(given?: Recipe): Command {
  const command = new Command("label")
    .summary("find, label and measure the objects in images and volumes")
    .description(isAllShown() ? DESCRIPTION : `${FINDS}\n\n${SHORT_EXAMPLES}`)
    .argument("<INPUT...>", "images or volumes to label, or - for stdin")
    .usage("INPUT... [options]");
  addOutputs(command);
  const flags = new RecipeFlags(command, given, "How to label:");
  command.optionsGroup("How to run and report:");
  command
    .option(
      "--auto",
      "take the settings on which most ways to find objects agree, and print their flags; others that are given stay",
    )
    .option(
      "--suggest",
      "list other settings with the number of objects that each gives; in a terminal also without it, if none are given",
    );
  addRunOptions(command, AUTO, "per input instead of a sentence");
  addBatchOptions(command);
  shorten(command, SHORT);
  command
    .addHelpText("after", isAllShown() ? LONG_END : SHORT_END)
    .action((inputs: string[], options: GivenOptions) => label(inputs, flags, options));
  return command;
}

/** Names in lines of at most 100 characters. */
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
function checkOutputs(inputs: string[], flags: RecipeFlags, recipe: Recipe, options: Options): void {
  const { output, regions, runs, outlines, overlay } = options;
  if (output !== undefined) checkStored(output, checkLabelsPath);
  checkStores(recipe, [output], options, flags.isSpoken);
  if (regions !== undefined) checkTablePath("--regions", regions);
  if (runs !== undefined) checkRunsPath(runs);
  if (outlines !== undefined) checkOutlinesPath(outlines);
  if (overlay !== undefined && !overlay.toLowerCase().endsWith(".png")) {
    throw new UsageError(`Expected --overlay to end in .png, got ${overlay}.`);
  }
  const onMap = hasAttributes(outlines);
  flags.checkOutputs((of) => {
    if (of === "--regions FILE") return regions !== undefined;
    if (of.endsWith(".zarr") || of.includes("OME-Zarr")) return output !== undefined && isZarrName(output);
    return of === "--outlines FILE" ? outlines !== undefined : regions !== undefined || onMap;
  });
  const { world = false } = recipe.products ?? {};
  if (flags.isSpoken && world && regions === undefined && !onMap) {
    throw new UsageError("Expected --world together with --regions FILE, or --outlines FILE.geojson or .fgb.");
  }
  const { physical, sort, top } = recipe.options ?? {};
  const { properties = [] } = recipe.products ?? {};
  if (
    flags.isSpoken &&
    physical &&
    regions === undefined &&
    !onMap &&
    !LENGTHS.some((name) => recipe.options?.[name] !== undefined)
  ) {
    throw new UsageError(
      "Expected --physical together with --regions FILE, --outlines FILE.geojson or .fgb, or with a radius.",
    );
  }
  const { spacing, unit, time, page, volume } = recipe.input ?? {};
  if (allOf(recipe) !== undefined) {
    const flag = time === "all" ? "--time all" : "--page all";
    const others = Object.entries({ "-o": output, "--runs": runs, "--outlines": outlines, "--overlay": overlay });
    const other = others.find(([, path]) => path !== undefined);
    const hint = page === "all" && !volume ? " (with --volume the pages are slices of one volume)" : "";
    if (other)
      throw new UsageError(
        `Expected --regions alone with ${flag}, got ${other[0]}${hint}; take one with ${flag.replace("all", "N")}.`,
      );
    if (regions !== undefined && !regions.toLowerCase().endsWith(".csv")) {
      throw new UsageError(`Expected --regions to end in .csv for ${flag}, got ${regions}.`);
    }
  }
  if (flags.isSpoken && !physical && regions !== undefined && (spacing ?? unit) !== undefined) {
    const flag = spacing === undefined ? "--unit" : "--spacing";
    throw new UsageError(`Expected --physical together with ${flag} and --regions: without it the table is in pixels.`);
  }
  if (flags.isSpoken && sort !== undefined && regions === undefined && top === undefined) {
    throw new UsageError("Expected --sort together with --regions FILE or --top.");
  }
  if (properties.includes("convexHull") && regions !== undefined && !regions.toLowerCase().endsWith(".json")) {
    throw new UsageError(`Expected --regions to end in .json for convexHull, got ${regions}.`);
  }
  if (inputs.filter((input) => input === "-").length > 1)
    throw new UsageError("Expected - at most once: stdin is read to its end.");
  const { within } = recipe.input ?? {};
  const outputs = outputsOf(options, recipe);
  for (const [option, path] of outputs) {
    const [other] = path.match(/\{\w*\}/g)?.filter((each) => each !== "{name}") ?? [];
    if (other) throw new UsageError(`Expected {name} in ${option} ${path}, got ${other}; did you mean {name}?`);
  }
  const isOne = ([option, template]: [string, string]): boolean => option === "--regions" && /\.csv$/i.test(template);
  const [whole] = inputs.length > 1 ? outputs.filter((each) => !each[1].includes("{name}") && !isOne(each)) : [];
  if (whole) throw new UsageError(`Expected ${whole[0]} to hold {name} with several inputs, got ${whole[1]}.`);
  const beside: Named[] = [
    [typeof within === "string" ? within : undefined, "--within"],
    ...intensityFiles(recipe).map(({ path }): Named => [path, "--intensity"]),
  ];
  const once = new Set<string>();
  const each = inputs.flatMap((input) =>
    outputs.flatMap(([option, template]): Named[] => {
      if (template.includes("{name}")) return [[fillName(template, input), `${option} of ${input}`]];
      if (once.has(option)) return [];
      once.add(option);
      return [[template, option]];
    }),
  );
  checkWritten(
    [...inputs.map((input): Named => [input, `the input ${input}`]), ...beside],
    [[options.recipe, "--recipe"], ...each],
    true,
  );
}

function outputsOf({ output, regions, runs, outlines, overlay }: Options, recipe: Recipe): [string, string][] {
  const all: [string, string | undefined][] = [
    ["-o", output === undefined ? undefined : writtenIn(output, recipe)],
    ["--regions", regions],
    ["--runs", runs],
    ["--outlines", outlines],
    ["--overlay", overlay],
  ];
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Up to this number of inputs, small PNGs are read without sharp, because loading sharp takes longer than reading them. */
const FEW_INPUTS = 8;

/** Labels or measures inputs, one after another. */
export async function label(given: string[], flags: RecipeFlags, wanted: GivenOptions): Promise<void> {
  const recipe = flags.recipe();
  const options = named(wanted, recipe);
  const inputs = await expandInputs(given, recipe);
  checkOutputs(inputs, flags, recipe, options);
  if (options.auto && options.suggest) throw new UsageError("Expected --auto or --suggest, got both.");
  if (options.suggest && options.quiet) throw new UsageError("Expected --suggest or --quiet, got both.");
  if (options.auto || options.suggest) {
    const flag = options.auto ? "--auto" : "--suggest";
    if (recipe.operation !== "components" || recipe.options?.by !== undefined) {
      throw new UsageError(`Expected objects by a threshold for ${flag}, got --by or --tolerance.`);
    }
  }
  if (options.auto && options.steps)
    throw new UsageError("Expected no --steps with --auto, which chooses by the picture.");
  const keepsLater = options.auto && options.recipe !== undefined;
  if (keepsLater && inputs.length > 1) {
    throw new UsageError("Expected one input for --recipe with --auto, which chooses settings for each.");
  }
  if (!keepsLater && (await keepRecipe(recipe, options))) return;
  const all = allOf(recipe);
  const asked = all ? takenAt(recipe, all, 0) : recipe;
  const sharpPays = inputs.length > FEW_INPUTS;
  const isTable = (inputs.length > 1 || all !== undefined) && options.regions !== undefined;
  const tables = new Map<string, RegionsTable>();
  const isOne = isTable && !options.regions?.includes("{name}");
  // Lengths and conditions of the recipe mean the same for all inputs, as numbers in one table do.
  const { select, sort } = recipe.options ?? {};
  const hasLengths =
    LENGTHS.some((name) => recipe.options?.[name] !== undefined) || select !== undefined || sort !== undefined;
  const sharesUnit = isOne || (hasLengths && inputs.length > 1);
  let tableUnit: InputOptions["tableUnit"];
  const read = (input: string, own = asked): Promise<OpenedInput> =>
    openInput(input, own, { sharpPays, ...(sharesUnit ? { tableUnit } : {}) });
  const tableFor = (input: string): RegionsTable | undefined => {
    const path = options.regions === undefined ? undefined : fillName(options.regions, input);
    if (path === undefined || !isTable || (!isOne && all === undefined)) return undefined;
    const table = tables.get(path) ?? new RegionsTable(path);
    tables.set(path, table);
    return table;
  };
  let engine: Engine | undefined;
  // The next picture is decoded, in threads of sharp's, while this one is labelled and written.
  let ahead: Promise<OpenedInput> | undefined;
  const run = async (
    picture: OpenedInput,
    own: Recipe,
    watch: Stopwatch,
    more: Pick<Labelled, "at" | "showsInput">,
  ): Promise<void> => {
    const { input } = picture;
    checkVolume(picture, options);
    checkHeader(picture, own);
    checkSheared(own, picture, options);
    checkDrawn(picture, 1, options.output);
    if (sizeOf(picture).depth === 1) checkDrawn(picture, 3, options.overlay);
    const { output, overwrite } = options;
    const path = output === undefined ? undefined : fillName(output, input);
    await checkSink(path, picture, own, { type: "u32", overwrite });
    engine ??= await watch.measure("open the device", 0, () => {
      const { width, height, depth } = sizeOf(picture);
      return openEngine(options, deviceFor(width * height * depth, inputs.length));
    });
    const { picture: near, free } = await watch.measure("read pixels", 0, () =>
      reading(picture, options, (told) => resident(engine as Engine, picture, told)),
    );
    try {
      const filled = recipeOfInput(recipeFor(own, picture), input);
      const isAlone = inputs.length === 1 && !all;
      await labelOne(engine, near, filled, options, watch, { table: tableFor(input), isAlone, ...more });
    } finally {
      free();
    }
  };
  try {
    await eachInput(inputs, options, async (input, i) => {
      const watch = new Stopwatch();
      const own = ahead ?? read(input);
      const next = inputs[i + 1];
      const follow = (): void => {
        ahead = next === undefined ? undefined : read(next);
        // An error is reported when it is this picture's turn.
        ahead?.catch(() => undefined);
      };
      const picture = await watch
        .measure(
          "read",
          ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
          () =>
            own.then((opened) => {
              tableUnit ??= { unit: lengthUnitOf(opened.space), of: input };
              return opened;
            }),
        )
        .finally(follow);
      const showsInput = inputs.length > 1 && isOne;
      let count = 1;
      try {
        if (all) count = await countAlong(all, picture, recipeOfInput(asked, input));
        await run(picture, asked, watch, { showsInput, ...(all ? { at: { axis: all, index: 0 } } : {}) });
      } finally {
        await picture.close();
      }
      for (let index = 1; all && index < count; index++) {
        const recipeAt = takenAt(recipe, all, index);
        const other = await read(input, recipeAt);
        try {
          await run(other, recipeAt, new Stopwatch(), { showsInput, at: { axis: all, index } });
        } finally {
          await other.close();
        }
      }
    });
    for (const table of tables.values()) await table.finish();
  } catch (error) {
    // If inputs failed, the table keeps the rows of the others.
    for (const table of tables.values()) await (error instanceof BatchError ? table.finish() : table.discard());
    throw error;
  } finally {
    await ahead?.then(
      (picture) => picture.close(),
      () => undefined,
    );
    await engine?.close();
  }
}

/** The axis along which every image of a file is taken; undefined if one is. Pages of a volume are slices. */
function allOf({ input = {} }: Recipe): "time" | "page" | undefined {
  if (input.time === "all") return "time";
  return input.page === "all" && !input.volume ? "page" : undefined;
}

/** The recipe for one image of an axis. */
const takenAt = (recipe: Recipe, axis: "time" | "page", index: number): Recipe => ({
  ...recipe,
  input: { ...recipe.input, [axis]: index },
});

/** Calls `read` with a progress bar. */
async function reading<T>(
  picture: Picture,
  { quiet }: Options,
  read: (told: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(!quiet);
  bar.count(bytesOf(picture));
  try {
    return await read(bar.update);
  } finally {
    bar.stop();
  }
}

/** Options whose lengths are distances in the grid. */
const DISTANCES = [...LENGTHS, "surface"] as const;

/** Properties that hold in a sheared grid: counts, volumes by the determinant, and values. */
const OF_SHEARED: readonly RegionProperty[] = REGION_PROPERTIES.filter((name) => {
  const { unit, byName } = factsOf(name);
  return name !== "surfaceArea" && byName !== true && ["size", "count", "value", "sum"].includes(unit ?? "");
});

/** Refuses physical lengths in a grid whose axes are not at right angles. */
function checkSheared(recipe: Recipe, picture: Picture, { regions, outlines }: Options): void {
  const { physical, select, sort, ...others } = recipe.options ?? {};
  if (!physical || !isUneven(recipe, picture)) return;
  const isMeasured = regions !== undefined || outlines !== undefined;
  const named = `${select ?? ""} ${sort ?? ""}`.match(/[A-Za-z]\w*/g) ?? [];
  const wanted = [...((isMeasured && recipe.products?.properties) || []), ...named];
  const length = DISTANCES.find((name) => (others as Record<string, unknown>)[name] !== undefined);
  const property = wanted.find(
    (name) =>
      REGION_PROPERTIES.includes(name as RegionProperty) &&
      !OF_SHEARED.includes(name as RegionProperty) &&
      !(isOfIntensity(name as RegionProperty) && name !== "weightedCentroid"),
  );
  const what = length === undefined ? property : `--${length}`;
  if (what === undefined) return;
  throw new UsageError(
    `Expected no ${what} with --physical for ${picture.input}, whose grid is sheared: distances along its axes are not those of its space; ${OF_SHEARED.slice(0, 3).join(", ")} are right by the determinant, or leave out --physical.`,
  );
}

/** Images along an axis: of the input or, if it has none, of the files beside it. */
async function countAlong(axis: "time" | "page", picture: OpenedInput, recipe: Recipe): Promise<number> {
  const own = axisOf(picture.space, axis)?.size ?? 1;
  const several = [own, ...(await countsBeside(recipe, axis))].filter((count) => count > 1);
  if (new Set(several).size > 1) {
    throw new UsageError(`Expected files with one number of ${axis}s for --${axis} all, got ${several.join(" and ")}.`);
  }
  if (several.length > 0) return several[0];
  throw new UsageError(`Expected a file with several ${axis}s for --${axis} all, got one in ${picture.input}.`);
}

/** Refuses a volume for outputs that cannot hold volumes. */
function checkVolume(picture: Picture, { outlines, runs }: Options): void {
  if (sizeOf(picture).depth === 1) return;
  if (outlines !== undefined) throw new UsageError(`Expected an image for --outlines ${outlines}, got a volume.`);
  if (runs !== undefined && !runs.toLowerCase().endsWith(".csv")) {
    throw new UsageError(`Expected an image for --runs ${runs}: masks have no volumes; write .csv.`);
  }
}

/** Refuses what the size and the place of an input cannot give, before its pixels are worked on. */
function checkHeader(picture: OpenedInput, { options = {}, products = {} }: Recipe): void {
  const sizes = sizesOf(picture.whole).slice(0, sizeOf(picture).depth === 1 ? 2 : 3);
  const flat = sizes.length === 2;
  const { sort, select } = options;
  const asked: readonly (readonly [flag: string, names: readonly string[] | undefined])[] = [
    ["--properties", products.properties],
    ["--sort", sort === undefined ? undefined : [sort.replace(/^-/, "")]],
    ["--select", select === undefined ? undefined : parseCondition("--select", select, NUMBERS).names],
  ];
  for (const [flag, names = []] of asked) {
    const other = REGION_PROPERTIES.find(
      (name) => names.includes(name) && factsOf(name).only === (flat ? "volume" : "image"),
    );
    if (other === undefined) continue;
    const [kind, others] = flat ? ["an image", "volumes"] : ["a volume", "images"];
    throw new UsageError(`Expected ${flag} of ${kind}, got "${other}", which only ${others} have.`);
  }
  for (const [name, places = []] of Object.entries({ pick: options.pick, drop: options.drop })) {
    const wrong = places.find((place) => place.length !== sizes.length || place.some((at, axis) => at >= sizes[axis]));
    if (wrong === undefined) continue;
    const [letters, kind] = flat ? ["X,Y", "image"] : ["X,Y,Z", "volume"];
    throw new UsageError(
      `Expected the pixels of ${name} to be ${letters} inside the ${sizes.join(" x ")} ${kind}, got ${wrong.join(",")}.`,
    );
  }
  if (products.world) worldOf(picture);
}

/** How one image is labelled beside others. */
interface Labelled {
  readonly table: RegionsTable | undefined;
  readonly isAlone: boolean;
  /** The time or the page of a file whose every one is labelled. */
  readonly at?: TableOptions["at"];
  /** Whether the table has a column with the input's name. */
  readonly showsInput: boolean;
}

async function labelOne(
  engine: Engine,
  picture: OpenedInput,
  asked: Recipe,
  options: Options,
  watch: Stopwatch,
  { table, isAlone, at, showsInput }: Labelled,
): Promise<void> {
  const talkative = !options.quiet && !options.json;
  checkFits(asked, picture, options);
  const chosen = options.auto ? await automatic(engine, picture, asked, options, watch) : undefined;
  const recipe = chosen?.recipe ?? asked;
  const { operation } = recipe;
  const threshold =
    operation === "components"
      ? await watch.measure("choose threshold", 0, () => thresholdFor(engine, recipe, picture.pixels))
      : undefined;
  const intensities = await openIntensities(engine, recipe, picture);
  const bar = new ProgressBar(!options.quiet);
  bar.count(bytesOf(picture));
  const begin = performance.now();
  try {
    const call = { onProgress: bar.update };
    const told: string[] = [];
    const onEmpty = (name: string, at: readonly number[]): void => {
      const place = at.map((own, axis) => own + picture.origin[axis]).join(",");
      told.push(`${picture.input}: --${name} ${place} is a pixel of no object`);
    };
    const within = await withinOf(engine, recipe, picture);
    // Measures only if an output, --select or --sort needs it.
    const { select, sort } = recipe.options ?? {};
    const { regions, outlines } = options;
    const measures = regions !== undefined || select !== undefined || sort !== undefined || hasAttributes(outlines);
    const measuring = measures ? await measuringOf(engine, recipe, picture.pixels, call, intensities[0]?.pixels) : {};
    const components = await objectsOf(engine, recipe, picture.pixels, {
      threshold,
      measuring,
      ...within,
      ...call,
      onEmpty,
    });
    const milliseconds = performance.now() - begin;
    watch.add(engine.timings);
    let range: readonly string[] = [];
    let extremes: readonly string[] = [];
    try {
      await checkIds(components, picture, recipe);
      range = await rangeNotes(engine, picture, recipe, components.foreground, namedThreshold(recipe));
      const { foreground, count, width, height, depth } = components;
      extremes = extremesNote(picture, recipe, { foreground, count, size: width * height * depth });
      await write({
        engine,
        components,
        picture,
        recipe,
        measuring,
        intensities,
        options,
        watch,
        bar,
        table,
        at,
        showsInput,
      });
    } finally {
      bar.stop();
      components.dispose();
    }
    const isLeftOut = options.regions !== undefined && !readsAgain({ picture, recipe });
    const leftOut =
      "the values under objects were not measured, because that reads the image again; request them with --properties";
    // No threshold above 0 is chosen for pixels of one value.
    const flat = (components.threshold ?? 1) <= 0 ? await flatNotes(picture, recipe, threshold) : [];
    const notes = [
      ...(isLeftOut ? [`${picture.input}: ${leftOut}`] : []),
      ...mapNotes(picture, recipe, options),
      ...picture.notes(),
      ...flat,
      ...range,
      ...(flat.length + range.length === 0 ? extremes : []),
      ...idsNotes(picture, recipe),
      ...greysNote(picture, recipe),
      ...idleNotes(picture, recipe, {
        hasTable: options.regions !== undefined || hasAttributes(outlines),
        isCounted: outputsOf(options, recipe).length === 0,
      }),
      ...told,
      ...drawnNotes(recipe, options),
      ...(recipe.products?.perChannel &&
      intensities.length > 0 &&
      intensities.every(({ pixels: own }) => (own.channels ?? 1) === 1)
        ? [`${intensities.map((own) => own.picture.input).join(", ")}: one channel; --per-channel has no effect`]
        : []),
      ...lostPlaces(picture, options.output && fillName(options.output, picture.input)),
      ...intensities.flatMap((own) => own.picture.notes()),
    ];
    const noted = tellNotes(notes, options);
    const looks = looksFurther(recipe, options, isAlone);
    const further = (): Promise<Offers | undefined> => offered(engine, recipe, picture, { ...within, threshold });
    const more = options.json && looks ? await further() : undefined;
    report(engine, components, picture, recipe, threshold, milliseconds, options, {
      ...(at ? { [at.axis]: at.index } : {}),
      ...(chosen ? { auto: flagsOf(chosen) } : {}),
      ...(more ? jsonOf(more) : {}),
      ...noted,
    });
    if (talkative && options.auto) console.log(toldOfAuto(chosen));
    if (options.timing) console.error(await watch.table());
    if (talkative && looks) {
      const offers = await further();
      const lines = offers ? linesOf(recipe, offers) : ["no other settings are offered for volumes"];
      if (options.suggest || lines.length > 1) for (const line of lines) console.log(line);
    }
  } finally {
    bar.stop();
    await closeAll(intensities);
  }
}

/** Refuses a label image whose values are no ids. */
async function checkIds(components: Components, { input, pixels }: OpenedInput, recipe: Recipe): Promise<void> {
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  if (!OF_LABELS.includes(recipe.operation) || type !== "f32") return;
  const { value } = await components.regions({ properties: [] });
  const wrong = value?.find((own) => !Number.isInteger(own));
  if (wrong === undefined) return;
  throw new UsageError(
    `Expected ${input} to be a label image, whose values are whole numbers, got ${wrong}; skerry label finds the objects of other images.`,
  );
}

/** The settings of --auto, which --recipe saves; undefined if those that were asked for are the best. */
async function automatic(
  engine: Engine,
  picture: OpenedInput,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<Offer | undefined> {
  const within = await withinOf(engine, recipe, picture);
  const offers = await watch.measure("suggest", 0, () => offered(engine, recipe, picture, { ...within }));
  if (!offers) throw new UsageError(`Expected an image for --auto, got the volume ${picture.input}.`);
  const first = firstOf(recipe, offers);
  if (options.recipe !== undefined) await keepRecipe(first?.recipe ?? recipe, { recipe: options.recipe });
  return first;
}

/** Objects of one input, and everything that writing them needs. */
interface Found {
  readonly engine: Engine;
  readonly components: Components;
  readonly picture: OpenedInput;
  readonly recipe: Recipe;
  readonly measuring: Measuring;
  readonly intensities: readonly Intensity[];
  readonly options: Options;
  readonly watch: Stopwatch;
  readonly bar: ProgressBar;
  readonly table: RegionsTable | undefined;
  readonly at: TableOptions["at"];
  readonly showsInput: boolean;
}

async function write(found: Found): Promise<void> {
  const { components, picture, recipe, options, watch, bar, table: all } = found;
  const { input } = picture;
  const pixels = components.width * components.height * components.depth;
  const { output, regions, runs, outlines, overlay } = options;
  const { simplify: tolerance = 0, rings = "simple" } = recipe.products ?? {};
  if (output !== undefined && isZarrName(output)) {
    await watch.measure("write labels", pixels * 4, () => writeLabelled(found, fillName(output, input)));
  } else if (output !== undefined) {
    await watch.measure("write labels", pixels * 4, () =>
      writeLabels(fillName(output, input), components, picture.space),
    );
  }
  const image = picture.image ?? input;
  const { properties } = recipe.products ?? {};
  const onMap = hasAttributes(outlines);
  const table = regions !== undefined ? properties : (properties ?? ATTRIBUTES);
  const needsTable = (regions !== undefined && !options.beside) || onMap;
  const tabular = needsTable ? await measuredOf(found, table) : undefined;
  if (regions !== undefined && tabular && !options.beside) {
    const { measured, columns } = tabular;
    await watch.measure("write regions", 0, () =>
      all
        ? all.add(found.showsInput ? input : undefined, measured, columns)
        : writeRegions(fillName(regions, input), measured, columns),
    );
  }
  if (runs !== undefined) {
    await watch.measure("write runs", 0, async () => writeRuns(fillName(runs, input), await drawnOf(found), image));
  }
  if (outlines !== undefined) {
    const path = fillName(outlines, input);
    const map = onMap && tabular ? mapOf(found, tabular) : undefined;
    const whole = await drawnOf(found);
    // Maps have a place of their own, drawings the size of what is drawn.
    const isPlaced = map !== undefined || path.toLowerCase().endsWith(".svg");
    await watch.measure("write outlines", 0, () =>
      writeOutlines(path, isPlaced ? components : whole, { tolerance, rings, onProgress: bar.update }, image, map),
    );
  }
  if (overlay !== undefined) {
    await watch.measure("write overlay", pixels * 3, () => writeOverlay(fillName(overlay, input), picture, components));
  }
}

/** Objects on the whole image, with the names that the input's masks have. */
async function drawnOf({ components, picture: { origin, whole, annotations }, recipe }: Found): Promise<Drawable> {
  const drawn = inWhole(components, origin, sizesOf(whole));
  return annotations && OF_LABELS.includes(recipe.operation) ? annotated(drawn, annotations) : drawn;
}

/** Writes labels into OME-Zarr, with the tables beside them. */
async function writeLabelled(found: Found, path: string): Promise<void> {
  const { components, picture, recipe, options, bar } = found;
  const { beside, overwrite } = options;
  // Measures first: later, the sink buffers rows in memory until their chunks are full.
  const tabular = beside ? await measuredOf(found, recipe.products?.properties) : undefined;
  await writeStored(path, picture, recipe, { type: "u32", overwrite }, async (sink) => {
    await components.labels({ into: sink, onProgress: bar.update });
    if (tabular) {
      const { measured, columns } = tabular;
      for (const format of ["csv", "parquet"] as const) {
        const table = new MemoryOutput();
        await writeRegionsTo(table, measured, format, columns);
        await sink.beside.set(TABLE_BESIDE.replace(/csv$/, format), table.bytes());
      }
    }
    return components;
  });
}

/** Measurements, and the options of their table. */
interface Tabular {
  readonly measured: Regions;
  readonly columns: TableOptions;
}

/** Default attributes of outlines. */
const ATTRIBUTES: readonly RegionProperty[] = ["area"];

/** Whether the format of the outlines is one of maps, which has attributes. */
function hasAttributes(outlines: string | undefined): boolean {
  return outlines !== undefined && OUTLINE_WRITERS[endingOf(outlines)]?.map === true;
}

/**
 * Whether the values under objects are measured. An OME-Zarr image that does not fit in memory is read again for them, and
 * only if `intensity` or `properties` is given.
 */
function readsAgain({ picture, recipe }: Pick<Found, "picture" | "recipe">): boolean {
  return (
    storeOf(picture) === undefined || recipe.input?.intensity !== undefined || recipe.products?.properties !== undefined
  );
}

/** Measurements, with those under other images, and the options of their table. */
async function measuredOf(found: Found, properties: readonly RegionProperty[] | undefined): Promise<Tabular> {
  const { engine, components, picture, recipe, measuring, intensities, watch, bar } = found;
  const call = { onProgress: bar.update };
  const { quantiles, perChannel = false, world = false } = recipe.products ?? {};
  const physical = measuring.physical === true;
  const wholly = properties ?? (isUneven(recipe, picture) && physical ? OF_SHEARED : undefined);
  const own = { ...recipe, products: { ...recipe.products, ...(wholly ? { properties: wholly } : {}) } };
  const { intensity: _, ...plain } = measuring;
  const wanted = regionsOptions(own, readsAgain(found) ? measuring : plain);
  const measured = await components.regions({ ...wanted, ...call } as RegionsOptions);
  watch.add(engine.timings);
  const channelsOf = (values: Pixels | undefined): number => (perChannel && values ? (values.channels ?? 1) : 1);
  const others: OtherValues[] = [];
  const named = namesIntensity(recipe);
  const ofValues = properties?.filter(isOfIntensity);
  for (const { name, pixels } of intensities.slice(1)) {
    if (ofValues?.length === 0) break;
    const values = { ...wanted, ...(ofValues ? { properties: ofValues } : {}), intensity: pixels as Raster };
    others.push({ name, regions: await components.regions({ ...values, ...call }), channels: channelsOf(pixels) });
  }
  const { sort } = recipe.options ?? {};
  const order = sort === undefined ? undefined : await orderOf(components, sort, measuring, call);
  if (world) worldOf(picture);
  const { space, origin, ids } = picture;
  const columns = {
    properties: wholly,
    order,
    quantiles,
    channels: channelsOf(measuring.intensity),
    depth: components.depth,
    others,
    ids,
    at: found.at,
    frame: frameOf(space, { physical, world, origin }),
  };
  return { measured, columns: { ...columns, ...(named ? { name: intensities[0].name } : {}) } };
}

/** The place of an input on the map. */
function worldOf({ input, space }: Picture): { readonly affine: Affine; readonly epsg: number | undefined } {
  const affine = mapAffineOf(space);
  if (affine) return { affine, epsg: space.crs?.kind === "map" ? space.crs.epsg : undefined };
  throw new UsageError(`Expected ${input} to be georeferenced for --world, as a GeoTIFF is, but it is not.`);
}

/** Attributes of outlines, and with --world their place on the map. */
function mapOf({ picture, recipe }: Found, { measured, columns }: Tabular): GeoJsonOptions {
  const { properties = ATTRIBUTES, world = false } = recipe.products ?? {};
  const all = columnsOf(measured, { ...columns, properties }).filter(({ name }) => name !== "label");
  const attributes = (label: number): Record<string, number | string | null> => attributesOf(all, label);
  const [x, y] = picture.origin;
  if (!world) return { ...(x || y ? { affine: [1, 0, x, 0, 1, y] } : {}), properties: attributes };
  const { affine, epsg } = worldOf(picture);
  return { affine, epsg, properties: attributes };
}

/** A note on outlines on a map whose coordinate system has no code. */
function mapNotes({ input, space }: Picture, { products = {} }: Recipe, { outlines }: Options): string[] {
  if (!products.world || !hasAttributes(outlines) || space.crs?.kind !== "map" || space.crs.epsg !== undefined)
    return [];
  return [`${input} has a coordinate system without an EPSG code; the outlines name none`];
}

/** A note on fields of a recipe for outlines, of which none are written; the command line refuses their flags. */
function drawnNotes({ products = {} }: Recipe, { outlines }: Options): string[] {
  const idle = (["rings", "simplify"] as const).find((name) => products[name] !== undefined);
  return idle === undefined || outlines !== undefined
    ? []
    : [`products.${idle} is for outlines, of which none are written`];
}

/** The value of the local mean in a flattened picture, by pixel type. */
const MIDDLES: Readonly<Record<PixelType, number>> = { u8: 128, u16: 32768, i16: 0, u32: 0, i32: 0, f32: 0 };

function report(
  engine: Engine,
  { count, width, height, depth, foreground, threshold: chosen, polarity, device }: Components,
  { input, pixels }: Picture,
  { operation, options = {} }: Recipe,
  threshold: Threshold | undefined,
  milliseconds: number,
  { json, quiet }: Options,
  more: object,
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
      ...sizeFields({ width, height, depth }),
      count,
      foreground,
      ...ranOn(device, engine.describe(), milliseconds),
      ...(used === undefined ? { ...rule, ...background } : { threshold: used }),
      ...(automatic === undefined && polarity !== undefined ? { polarity } : {}),
      ...more,
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
  const [axis] = Object.entries(more).filter(([name]) => name === "time" || name === "page");
  const place = axis ? `${axis[0]} ${axis[1]}: ` : "";
  const shift = mean === undefined ? "" : `, where ${mean} is the local mean`;
  const how = automatic ? `${METHODS[automatic]}: ${side} ${shortest(chosen ?? 0)}${shift}` : nonzero;
  console.log(
    `${ahead(input)}${place}${objects} in ${sides({ width, height, depth })}, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, engine.describe())}${how && ` (${how})`}`,
  );
}

function shortest(n: number): string {
  return Number.isInteger(n) ? `${n}` : n.toPrecision(6);
}
