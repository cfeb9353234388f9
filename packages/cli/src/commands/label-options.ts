// Options of skerry label: what they write, and which combinations are refused before anything is opened.

import { endingOf, OUTLINE_WRITERS, TABLE_WRITERS } from "@skerry/files/internal";
import {
  checkFigurePath,
  checkLabelsPath,
  checkOutlinesPath,
  checkRunsPath,
  checkTablePath,
} from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import { intensityFiles, namedProperties } from "@skerry/recipe/internal";
import type { Command } from "commander";
import type { RegionProperty } from "skerry";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";
import { addStoreOptions, checkWritten, type Named, type RunOptions, TABLE_ENDINGS } from "./arguments.js";
import { fillName } from "./batch.js";
import type { RecipeFlags } from "./fields.js";
import { LENGTHS } from "./notes.js";
import { checkStored, checkStores, isZarrName, TABLE_BESIDE, writtenIn } from "./stores.js";
import type { SuggestOptions } from "./suggest.js";

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
  figure?: string;
}

export const AUTO =
  "auto opens a GPU only for half a gigapixel or more, because the CPU labels less before a GPU is open";

export const CODES = `Exit codes: 0 done, 3 done and the objects fail --fail-if or --golden, 1 a file could not be read, labelled or written, 2 a wrong call. SKERRY_DEBUG=1 prints the
stack trace of an error.`;

/** Adds the options for output files. */
export function addOutputs(command: Command): void {
  command.optionsGroup("What to write:");
  command
    .option(
      "-o, --output <FILE>",
      "labels: .npy, .tif, .nii, .nii.gz, .nrrd, .mha or OME-Zarr .zarr (32 bit), or of an image .png or .pgm (16 bit, at most 65535 objects); into an OME-Zarr image as labels/NAME",
    )
    .option(
      "--regions [FILE]",
      `measurements, one row per object: ${TABLE_ENDINGS}; without {name} one table of all inputs, with a column input; without FILE as .csv and .parquet beside labels in OME-Zarr`,
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
    .option("--overlay <FILE.png>", "each object in its own colour over the image, or a volume's three middle slices")
    .option(
      "--figure <FILE>",
      "the same with a scale bar, and what --draw, --colour-by and --title say: .png or .svg, in which each object is a path",
    );
  addStoreOptions(command);
}

/** The options, with a path for --regions without FILE: beside the labels in OME-Zarr. */
export function named(given: GivenOptions, recipe: Recipe): Options {
  const { regions, ...options } = given;
  if (regions !== true) return defined({ ...options, regions });
  const { output } = options;
  if (output === undefined || !isZarrName(output)) {
    throw new UsageError("Expected a file for --regions, or -o FILE.zarr, beside whose labels it is written.");
  }
  return { ...options, regions: `${writtenIn(output, recipe)}/${TABLE_BESIDE}`, beside: true };
}

/** Default attributes of outlines. */
export const ATTRIBUTES: readonly RegionProperty[] = ["area"];

/** Whether the format of the outlines is one of maps, which has attributes. */
export function hasAttributes(outlines: string | undefined): boolean {
  return outlines !== undefined && OUTLINE_WRITERS[endingOf(outlines)]?.map === true;
}

/** The axis along which every image of a file is taken; undefined if one is. Pages of a volume are slices. */
export function allOf({ input = {} }: Recipe): "time" | "page" | undefined {
  if (input.time === "all") return "time";
  return input.page === "all" && !input.volume ? "page" : undefined;
}

export function outputsOf(
  { output, regions, runs, outlines, overlay, figure }: Options,
  recipe: Recipe,
): [string, string][] {
  const all: [string, string | undefined][] = [
    ["-o", output === undefined ? undefined : writtenIn(output, recipe)],
    ["--regions", regions],
    ["--runs", runs],
    ["--outlines", outlines],
    ["--overlay", overlay],
    ["--figure", figure],
  ];
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** A taught table is one of one image. */
function checkGolden(recipe: Recipe, golden: string | undefined): void {
  if (golden === undefined) return;
  if (endingOf(golden) !== ".csv") throw new UsageError(`Expected --golden to end in .csv, got ${golden}.`);
  if (allOf(recipe)) throw new UsageError("Expected --golden without all times or pages, got both.");
}

/** Wrong calls are refused before anything is opened. */
export function checkOutputs(inputs: string[], flags: RecipeFlags, recipe: Recipe, options: Options): void {
  const { output, regions, runs, outlines, overlay, figure } = options;
  if (output !== undefined) checkStored(output, checkLabelsPath);
  checkStores(recipe, [output], options, flags.isSpoken);
  if (regions !== undefined) checkTablePath("--regions", regions);
  if (runs !== undefined) checkRunsPath(runs);
  if (outlines !== undefined) checkOutlinesPath(outlines);
  if (overlay !== undefined && !overlay.toLowerCase().endsWith(".png")) {
    throw new UsageError(`Expected --overlay to end in .png, got ${overlay}.`);
  }
  if (figure !== undefined) checkFigurePath(figure);
  const { golden } = recipe.products ?? {};
  checkGolden(recipe, golden);
  const onMap = hasAttributes(outlines);
  flags.checkOutputs((of) => {
    if (of === "--golden TABLE.csv") return golden !== undefined;
    if (of === "--regions FILE") return regions !== undefined;
    if (of === "--figure FILE") return figure !== undefined;
    if (of.endsWith(".zarr") || of.includes("OME-Zarr")) return output !== undefined && isZarrName(output);
    return of === "--outlines FILE" ? outlines !== undefined : regions !== undefined || golden !== undefined || onMap;
  });
  const { world = false } = recipe.products ?? {};
  if (flags.isSpoken && world && regions === undefined && !onMap) {
    throw new UsageError("Expected --world together with --regions FILE, or --outlines FILE.geojson or .fgb.");
  }
  const { physical, sort, top } = recipe.options ?? {};
  const properties = namedProperties(recipe) ?? [];
  if (
    flags.isSpoken &&
    physical &&
    regions === undefined &&
    golden === undefined &&
    !onMap &&
    figure === undefined &&
    !LENGTHS.some((name) => recipe.options?.[name] !== undefined)
  ) {
    throw new UsageError(
      "Expected --physical together with --regions FILE, --outlines FILE.geojson or .fgb, --figure FILE with --colour-by, or with a radius.",
    );
  }
  const { spacing, unit, time, page, volume } = recipe.input ?? {};
  if (allOf(recipe) !== undefined) {
    const flag = time === "all" ? "--time all" : "--page all";
    const others = Object.entries({
      "-o": output,
      "--runs": runs,
      "--outlines": outlines,
      "--overlay": overlay,
      "--figure": figure,
    });
    const other = others.find(([, path]) => path !== undefined);
    const hint = page === "all" && !volume ? " (with --volume the pages are slices of one volume)" : "";
    if (other)
      throw new UsageError(
        `Expected --regions alone with ${flag}, got ${other[0]}${hint}; take one with ${flag.replace("all", "N")}.`,
      );
  }
  if (flags.isSpoken && !physical && regions !== undefined && (spacing ?? unit) !== undefined) {
    const flag = spacing === undefined ? "--unit" : "--spacing";
    throw new UsageError(`Expected --physical together with ${flag} and --regions: without it the table is in pixels.`);
  }
  if (flags.isSpoken && sort !== undefined && regions === undefined && top === undefined) {
    throw new UsageError("Expected --sort together with --regions FILE or --top.");
  }
  const table = regions === undefined ? undefined : TABLE_WRITERS[endingOf(regions) as keyof typeof TABLE_WRITERS];
  if (properties.includes("convexHull") && table?.hulls === false) {
    const endings = Object.entries(TABLE_WRITERS).flatMap(([ending, { hulls }]) => (hulls ? [ending] : []));
    throw new UsageError(`Expected --regions to end in ${endings.join(" or ")} for convexHull, got ${regions}.`);
  }
  if (inputs.filter((input) => input === "-").length > 1)
    throw new UsageError("Expected - at most once: stdin is read to its end.");
  const { within } = recipe.input ?? {};
  const outputs = outputsOf(options, recipe);
  for (const [option, path] of outputs) {
    const [other] = path.match(/\{\w*\}/g)?.filter((each) => each !== "{name}") ?? [];
    if (other) throw new UsageError(`Expected {name} in ${option} ${path}, got ${other}; did you mean {name}?`);
  }
  const [range] =
    inputs.length > 1 ? outputs.filter(([option, path]) => !path.includes("{name}") && option !== "--regions") : [];
  if (range) throw new UsageError(`Expected ${range[0]} to hold {name} with several inputs, got ${range[1]}.`);
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
