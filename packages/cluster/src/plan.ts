// Plans: the immutable description of a run. A run is identified by the digest of its plan, so that the outputs of two plans are
// never mixed.

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { matched, type Space, spacingOf, UsageError } from "@skerry/files";
import { hasAxis, isExchanged, isIdentity, isSheared, TABLE_WRITERS } from "@skerry/files/internal";
import type { ZarrSource } from "@skerry/files/zarr";
import {
  checkBlocks,
  isRemote,
  NamedImage,
  openImage,
  openStore,
  sourceOf,
  type Three,
  writablePlace,
  type ZarrBlocksOptions,
} from "@skerry/files/zarr/internal";
import type { Field, Recipe } from "@skerry/recipe";
import {
  fieldsOf,
  flagName,
  givenFields,
  intensityFiles,
  isDeep,
  isDistributed,
  namedProperties,
  namedThreshold,
  namesIntensity,
  parseRecipe,
} from "@skerry/recipe/internal";
import { REGION_PROPERTIES as ALL, type Connectivity, type PixelType, type RegionProperty } from "skerry";
import { CONNECTIVITIES, defined, factsOf, isOfIntensity } from "skerry/internal";
import { ClusterError } from "./errors.js";
import { BUILT } from "./generated/built.js";
import { type Grid, gridOf, three, volumeOf } from "./grid.js";
import { type Identity, identify, isUnlisted } from "./identity.js";
import { isKnown, isOfJoined } from "./known.js";
import { wrongField } from "./schema.js";

/** Version of plans. */
const PLAN_VERSION = 4;

/** An image that a run reads. */
export interface PlannedImage {
  readonly url: string;
  /** Suffix of its columns; undefined if its columns have none. */
  readonly name?: string | undefined;
  readonly level: number;
  readonly channel?: number | undefined;
  readonly time?: number | undefined;
  readonly type: PixelType;
  /** The image when it was planned. */
  readonly identity: Identity;
  /** Axes x, y and z that run the other way than those of the input, and the sides of the whole level; undefined if none does. */
  readonly flipped?: { readonly flips: readonly [boolean, boolean, boolean]; readonly size: Three } | undefined;
}

/** A run: a recipe, its inputs and outputs, and the blocks of the image. Sizes are along z, y and x. */
export interface Plan {
  readonly skerry: "plan";
  readonly version: number;
  /** Digest of the program that made the plan; workers of another one refuse it. */
  readonly built: string;
  readonly recipe: Recipe;
  readonly input: PlannedImage;
  readonly intensities: readonly PlannedImage[];
  /** The first pixel and the size of the part of the image that is processed. */
  readonly from: Three;
  readonly size: Three;
  readonly block: Three;
  /** Size of the input's shards, or else chunks, of which blocks consist. */
  readonly chunks: Three;
  /** Sides of a pixel, their unit, and the place of the part. */
  readonly space: Space;
  readonly properties: readonly RegionProperty[];
  /** The folder for the objects of runs. */
  readonly scratch: string;
  /** The label image. */
  readonly labels?: PlannedLabels | undefined;
  /** The table. */
  readonly table?: PlannedTable | undefined;
}

export interface PlannedLabels {
  /** The image that holds the labels, or the path of a separate label image. */
  readonly url: string;
  readonly name: string;
  readonly downsample: "nearest" | "mode";
  /** u64 for any number of objects, or "auto": u32, but u64 from 2^32 objects on. */
  readonly type: "u64" | "auto";
  readonly overwrite: boolean;
  /** Sides of a chunk of a separate label image along x, y and z: those of the input, of which blocks hold whole ones. */
  readonly chunks?: readonly number[] | undefined;
}

export interface PlannedTable {
  /** A file, or for a table beside the labels the name of its folder. */
  readonly url: string;
  readonly format: "csv" | "parquet" | "both";
  /** Whether the table lies in the folder of the label image, and appears with it. */
  readonly isBeside: boolean;
}

/** Options of {@link plan}. */
export interface PlanOptions {
  readonly recipe: Recipe;
  /** An OME-Zarr image, or a label image. */
  readonly input: string;
  /** An OME-Zarr image that will hold the labels, or a new one. */
  readonly output?: string | undefined;
  /** A .csv or .parquet file, or `true` for a table beside the labels. */
  readonly regions?: string | true | undefined;
  /** The folder for the objects of runs; beside the output by default. */
  readonly scratch?: string | undefined;
  /** Sides of a block along x, y and z; near 512, or near 4096 for images, by default. */
  readonly block?: readonly number[] | undefined;
  readonly overwrite?: boolean | undefined;
  /** Type of labels; by default u32, but u64 from 2^32 objects on. */
  readonly labelType?: "u64" | undefined;
  /** Called with sentences about images that lie near the input, rather than at its place. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** The supported properties: those that are derived from exact sums over blocks. */
export const KNOWN_PROPERTIES: readonly RegionProperty[] = [
  ...(["area", "centroid", "bounds", "rawMoments", "secondMoments", "majorAxis", "minorAxis", "orientation"] as const),
  ...([
    "eccentricity",
    "principalAxes",
    "extent",
    "equivalentDiameter",
    "edges",
    "surfaceArea",
    "eulerNumber",
  ] as const),
  ...(["min", "max", "sum", "mean", "std", "weightedCentroid"] as const),
];

/** Preferred sides of a block along z, y and x, if none are given. Blocks of at most 1.5 times as many voxels are chosen. */
const BLOCK = { volume: [512, 512, 512], image: [1, 4096, 4096] } as const;
/** Most voxels of a block. */
const MOST_VOXELS = 2 ** 30;
/** Most blocks of a run: each is a step of every phase. */
const MOST_BLOCKS = 2 ** 22;
/** Most objects that `largest` keeps. */
const MOST_LARGEST = 100_000;

/**
 * The run of a plan: 16 hexadecimal digits of the digest of its canonical form.
 * @example
 * import { plan, runOf } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * console.log(runOf(made).length); // 16
 */
export function runOf(plan: Plan): string {
  return createHash("sha256").update(canonical(plan)).digest("hex").slice(0, 16);
}

/** JSON with sorted keys and without white space, so that equal plans have equal bytes. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/**
 * Returns a value as a plan; `shown` is its name in messages.
 * @throws ClusterError if it is not a plan of this version
 * @throws RecipeError if its recipe is wrong
 * @example
 * import { parsePlan, plan, runOf } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * const read = parsePlan(JSON.parse(JSON.stringify(made)), "plan.json");
 * console.log(runOf(read) === runOf(made)); // true
 */
export function parsePlan(given: unknown, shown: string): Plan {
  const plan = given as Plan;
  if (typeof plan !== "object" || plan === null || plan.skerry !== "plan") {
    throw new ClusterError("damaged", `Expected ${shown} to be a plan, as skerry cluster plan writes it.`);
  }
  if (plan.version !== PLAN_VERSION) {
    throw new ClusterError(
      "damaged",
      `Expected a plan of version ${PLAN_VERSION}, got ${typeof plan.version === "number" ? plan.version : "none"} in ${shown}.`,
    );
  }
  if (isDeep(given))
    throw new ClusterError("damaged", `Expected ${shown} to have fields of a plan, got lists within lists.`);
  const wrong = wrongField(plan);
  if (wrong !== undefined) throw new ClusterError("damaged", `Expected ${wrong} in ${shown}.`);
  const least = three((axis) => Math.min(plan.block[axis], plan.size[axis]));
  if (volumeOf(least) > MOST_VOXELS) {
    throw new ClusterError(
      "damaged",
      `Expected a block of at most 2^30 voxels in ${shown}, got ${shownSize(plan.block)}.`,
    );
  }
  if (gridOfPlan(plan).count > MOST_BLOCKS) {
    throw new ClusterError(
      "damaged",
      `Expected at most ${MOST_BLOCKS} blocks in ${shown}, got ${shownSize(plan.size)} in blocks of ${shownSize(plan.block)}.`,
    );
  }
  if (plan.table?.format === "both" && !plan.table.isBeside) {
    throw new ClusterError(
      "damaged",
      `Expected table.format to be "csv" or "parquet" for a file in ${shown}, got "both".`,
    );
  }
  const unknown = plan.properties.find((name) => !KNOWN_PROPERTIES.includes(name));
  if (unknown !== undefined)
    throw new ClusterError("damaged", `Expected properties that plans support in ${shown}, got ${unknown}.`);
  const { block, chunks, size } = plan;
  if (!block.every((side, axis) => side >= size[axis] || side % chunks[axis] === 0)) {
    throw new ClusterError(
      "damaged",
      `Expected a block of whole chunks, which are ${shownSize(chunks)}, in ${shown}, got ${shownSize(block)}.`,
    );
  }
  const ofValues = plan.properties.find(isOfIntensity);
  if (ofValues !== undefined && plan.intensities.length === 0) {
    throw new ClusterError(
      "damaged",
      `Expected intensities in ${shown} for ${ofValues}, which is of values, got none.`,
    );
  }
  checkRecipe(parseRecipe(plan.recipe));
  return plan;
}

/** The blocks of a plan. */
export function gridOfPlan({ size, block }: Plan): Grid {
  return gridOf(size, block);
}

/** Whether the run measures the labels of a label image, instead of finding objects. */
export function isMeasure({ recipe }: Plan): boolean {
  return recipe.operation !== "components";
}

/** Neighbours of a pixel; those of one slice of a volume are the ones within the slice. */
export function connectivityOf({ recipe, size }: Plan): Connectivity {
  const { connectivity } = recipe.options ?? {};
  if (size[0] > 1) return connectivity ?? 6;
  return connectivity === undefined || connectivity === 4 || connectivity === 6 ? 4 : 8;
}

/** Whether one bit per pixel describes the objects. The bits are stored, so that pixels are read once. */
export function hasBits({ recipe }: Pick<Plan, "recipe">): boolean {
  const { by, threshold } = recipe.options ?? {};
  return (
    recipe.operation === "components" && by === undefined && !(typeof threshold === "object" && "outside" in threshold)
  );
}

/** Whether the threshold is computed from the histogram of the whole image. */
export function isAutomatic({ recipe }: Pick<Plan, "recipe">): boolean {
  const { by, threshold, polarity } = recipe.options ?? {};
  if (recipe.operation !== "components" || by !== undefined) return false;
  return threshold === "otsu" || (threshold === undefined && polarity !== undefined);
}

/** The first value and the number of values of types that have a histogram with one level per value. */
const LEVELS = { u8: [0, 256], u16: [0, 65536], i16: [-32768, 65536] } as const;

/** The first value, and the number of values, of a type. */
export function levelsOf(type: string): readonly [number, number] {
  const levels = LEVELS[type as keyof typeof LEVELS];
  if (levels) return levels;
  throw new UsageError(
    `Expected an image of u8, u16 or i16 for --threshold otsu in a plan, got ${type}; give a threshold, such as ">120".`,
  );
}

/** Type of labels for a number of objects. */
export function labelTypeOf({ labels }: Plan, count: number): "u32" | "u64" {
  return labels?.type === "u64" || count >= 2 ** 32 ? "u64" : "u32";
}

/**
 * Plans a run. Reads metadata, and lists the images once.
 * @throws UsageError for options that distributed runs do not support, with the name of the option
 * @throws ZarrError if the input cannot be read
 * @example
 * const made = await plan({ recipe: { skerry: 1, operation: "components", options: { threshold: { above: 120 } } },
 *   input: "cells.zarr", output: "cells.zarr", regions: true });
 * console.log(runOf(made), made.block);
 */
export async function plan(options: PlanOptions): Promise<Plan> {
  const { recipe, output, regions, overwrite = false } = options;
  checkRecipe(recipe);
  if (output === undefined && regions === undefined) {
    throw new UsageError("Expected -o FILE.zarr or --regions FILE: a run writes labels, or a table, or both.");
  }
  checkWritable("-o", output);
  checkWritable("--regions", regions);
  const ofLabels = recipe.operation !== "components";
  if (ofLabels && output !== undefined) {
    throw new UsageError(
      "Expected no -o with a label image: its labels stay as they are, and its objects are measured.",
    );
  }
  const { input: read = {}, options: wanted = {}, products = {} } = recipe;
  const channel = read.channel as number | undefined;
  const time = read.time as number | undefined;
  const names = intensityFiles(recipe);
  const lenient = names.length > 0;
  const opened = await opening(options.input, { level: read.level, time, channel, crop: read.crop, lenient });
  const { source } = opened;
  const size: Three = [source.depth, source.height, source.width];
  const flat = size[0] === 1;
  if (isAutomatic({ recipe })) levelsOf(source.type);
  checkConnectivity(wanted.connectivity, opened.isVolume, flat);
  const others = await Promise.all(
    names.map(async ({ path, channel: givenChannel, name, ...selected }) => {
      if (typeof givenChannel === "string") {
        throw new UsageError(`Expected a number as the channel of --intensity ${path} in a plan, got ${givenChannel}.`);
      }
      const { level = read.level, time: at = time } = selected;
      const image = await opening(path, { level, time: at, channel: givenChannel, lenient: true });
      const files = [options.input, `--intensity ${path}`] as const;
      const wanted = { names: files, ignorePlace: read.ignorePlace };
      const found = matched(source.wholeSpace, image.source.wholeSpace, wanted, (text) => new UsageError(text));
      if (isExchanged(found)) {
        throw new UsageError(
          `Expected axes of --intensity ${path} in the order of ${options.input} in a plan, got x, y, z as ${found.order.map((axis) => "xyz"[axis]).join(", ")}; store it in that order, or label without a plan.`,
        );
      }
      for (const note of found.notes) options.onNote?.(note);
      const { depth, height, width } = image.source;
      const flipped = isIdentity(found)
        ? {}
        : { flipped: { flips: found.flips, size: [depth, height, width] as const } };
      return defined<PlannedImage & { readonly space: Space }>({
        ...image.planned,
        ...flipped,
        name: namesIntensity(recipe) ? name : image.planned.name,
        space: image.source.wholeSpace,
      });
    }),
  );
  for (const [option, axis] of [
    ["time", "time"],
    ["level", "level"],
  ] as const) {
    const isGiven = read[option] !== undefined && read[option] !== 0;
    if (
      !lenient ||
      !isGiven ||
      [source.wholeSpace, ...others.map(({ space }) => space)].some((space) => hasAxis(space, axis))
    ) {
      continue;
    }
    throw new UsageError(`Expected an image with several ${axis}s for --${option} ${read[option]}, got none.`);
  }
  for (const { url, identity } of [opened.planned, ...others]) {
    if (!isUnlisted(identity)) continue;
    options.onNote?.(
      `${url} cannot be listed: a change of its metadata is noticed, and one of its chunks where they are read twice`,
    );
  }
  const properties = propertiesOf(recipe, flat, others.length > 0 || !ofLabels);
  const ofValues = properties.some(isOfIntensity);
  if (ofLabels && ofValues && others.length === 0) {
    throw new UsageError(`Expected --intensity FILE for ${properties.find(isOfIntensity)} of a label image.`);
  }
  if (wanted.physical && spacingOf(source.space) === undefined) {
    throw new UsageError(`Expected a size of a pixel for --physical: ${options.input} tells none.`);
  }
  if (wanted.physical && isSheared(source.space)) {
    throw new UsageError(
      `Expected axes at right angles for --physical in a plan, got a sheared grid in ${options.input}.`,
    );
  }
  // Without other images, values of the image itself are measured, if a property needs values.
  const intensities =
    others.length === 0 && ofValues ? [opened.planned] : others.map(({ space: _, ...image }) => image);
  const block = blockOf(size, opened.chunks, options.block);
  const table = tableOf(options);
  const place = scratchFor(options, table);
  const plan: Plan = defined({
    skerry: "plan",
    version: PLAN_VERSION,
    built: BUILT,
    recipe,
    input: opened.planned,
    intensities,
    from: opened.from,
    size,
    block,
    chunks: opened.chunks,
    space: source.space,
    properties,
    scratch: place,
    labels:
      output === undefined
        ? undefined
        : defined({
            url: placed(output),
            name: products.name ?? "labels",
            downsample: products.downsample ?? "nearest",
            chunks: (await isAlone(output)) ? [...opened.inner].reverse() : undefined,
            type: options.labelType ?? "auto",
            overwrite,
          }),
    table,
  });
  if (plan.labels) await checkBlocks(plan.labels.url, { ...labelOptions(plan, "u32"), run: "planned" });
  source.close();
  return JSON.parse(canonical(plan)) as Plan;
}

/** Options of the label image of a plan. */
export function labelOptions(
  { labels, size, from, block, space, input }: Plan,
  type: "u32" | "u64",
): Omit<ZarrBlocksOptions, "run"> {
  const { name, downsample, overwrite, chunks } = labels as PlannedLabels;
  const [depth, height, width] = size;
  return defined({
    name,
    downsample,
    overwrite,
    space,
    type,
    width,
    height,
    depth,
    block,
    chunks,
    level: input.level,
    time: input.time,
    origin: [from[2], from[1], from[0]],
  });
}

const shownSize = (size: readonly number[]): string => [...size].reverse().join(" x ");

function checkRecipe(recipe: Recipe): void {
  const { operation, options = {}, input = {} } = recipe;
  if (!["components", "labelled"].includes(operation)) {
    throw new UsageError(`Expected a recipe of label for a plan, got ${operation}.`);
  }
  if (recipe.files) throw new UsageError("Expected a recipe without files for a plan, which is of one image.");
  const refuse = (field: Field, value: unknown, why: string): never => {
    throw new UsageError(`Expected no ${flagName(field, value)} in a plan: ${why}.`);
  };
  for (const [field, value] of givenFields(recipe)) {
    if (!isKnown(field)) refuse(field, value, "distributed runs do not support it yet");
    if (operation !== "components" && isOfJoined(field)) {
      refuse(field, value, "label images are measured as they are");
    }
    if (field.name === "time" && value === "all") {
      throw new UsageError("Expected --time N in a plan, got all; plan one time after another.");
    }
    if (field.name === "channel" && typeof value !== "number") refuse(field, value, "in plans a channel is a number");
  }
  const { threshold, by, largest } = options;
  if (operation === "components") {
    if (typeof by === "object")
      throw new UsageError("Expected no --by tolerance:D in a plan: distributed runs do not support it yet.");
    if (by === undefined && namedThreshold(recipe) === undefined) {
      throw new UsageError(
        'Expected a threshold in a plan, such as --threshold otsu or --threshold ">120": plans have no default threshold.',
      );
    }
    if (threshold !== undefined && !isDistributed(threshold)) {
      const [field] = fieldsOf(operation).filter(({ name }) => name === "threshold");
      refuse(field, threshold, "distributed runs do not support it yet");
    }
  }
  if (largest !== undefined && largest > MOST_LARGEST) {
    throw new UsageError(`Expected --largest of at most ${MOST_LARGEST} in a plan, got ${largest}.`);
  }
  if (input.crop && ![4, 6].includes(input.crop.length)) throw new UsageError("Expected --crop of 4 or 6 numbers.");
}

/** A slice of a volume takes the neighbours of both, as everywhere. */
function checkConnectivity(connectivity: number | undefined, isVolume: boolean, flat: boolean): void {
  const { image, volume } = CONNECTIVITIES;
  const known: readonly number[] = [...(flat ? image : []), ...(isVolume ? volume : [])];
  if (connectivity === undefined || known.includes(connectivity)) return;
  throw new UsageError(
    `Expected --connectivity to be ${known.join(", ").replace(/, (?=\d+$)/, " or ")} here, got ${connectivity}.`,
  );
}

/** The properties of a table: those that the recipe names, or the supported ones of the default or of all. */
function propertiesOf(recipe: Recipe, flat: boolean, hasIntensity: boolean): readonly RegionProperty[] {
  const isHere = (name: RegionProperty): boolean => factsOf(name).only !== (flat ? "volume" : "image");
  const properties = namedProperties(recipe);
  if (!properties) {
    const isAll = recipe.products?.properties === "all";
    return KNOWN_PROPERTIES.filter(
      (name) =>
        isHere(name) &&
        (isAll ? !factsOf(name).raw : factsOf(name).usual === true) &&
        (hasIntensity || !isOfIntensity(name)),
    );
  }
  for (const name of properties) {
    if (!KNOWN_PROPERTIES.includes(name)) {
      const known = KNOWN_PROPERTIES.filter(isHere).join(", ");
      throw new UsageError(`Expected properties that a plan supports, ${known}, got ${name}.`);
    }
    if (!isHere(name)) {
      const [kind, other] = flat ? ["an image", "volumes"] : ["a volume", "images"];
      throw new UsageError(`Expected properties of ${kind}, got ${name}, which only ${other} have.`);
    }
  }
  return ALL.filter((name) => properties.includes(name));
}

interface OpenedInput {
  /** Whether the image has an axis z. */
  readonly isVolume: boolean;
  readonly planned: PlannedImage;
  readonly source: ZarrSource;
  readonly from: Three;
  /** Size of shards, or of chunks if there are none; and size of the decoded chunks. */
  readonly chunks: Three;
  readonly inner: Three;
}

/** Whether labels become a separate image: if the path is free, or holds a label image. */
async function isAlone(path: string): Promise<boolean> {
  const { parent, name } = writablePlace(path);
  const store = parent.at(name);
  const isFree = parent.hasFolders
    ? (await store.list("")).length === 0
    : !(await new NamedImage(parent, name).isThere());
  return isFree || (await openImage(store)).isLabels;
}

/** A place of a plan: folders are absolute, so that workers find them. */
const placed = (path: string): string => (isRemote(path) ? path.replace(/\/+$/, "") : resolve(path));

/** Refuses an output behind HTTP, and a table whose parts cannot appear at once. */
function checkWritable(flag: "-o" | "--regions", path: string | boolean | undefined): void {
  if (typeof path !== "string" || !isRemote(path)) return;
  if (!/^s3:/i.test(path)) {
    throw new UsageError(
      `Expected a folder or s3://BUCKET/PATH for ${flag}, got ${path}: runs only read from servers.`,
    );
  }
  if (flag === "--regions" && /\.parquet$/i.test(path)) {
    throw new UsageError(
      `Expected a table in a bucket to end in .csv, got ${path}: the parts of a .parquet cannot appear there at once; beside labels they can (--regions without a name).`,
    );
  }
}

async function opening(
  path: string,
  {
    lenient,
    channel,
    crop,
    ...asked
  }: Record<"level" | "time" | "channel", number | undefined> & {
    readonly lenient: boolean;
    readonly crop?: readonly number[] | undefined;
  },
): Promise<OpenedInput> {
  const url = isRemote(path) ? path : resolve(path);
  // Plans are stored in folders that other people can read.
  if (isRemote(path) && new URL(path).username !== "") {
    throw new UsageError(`Expected a URL without a user or a password in a plan, got one for ${new URL(path).host}.`);
  }
  const image = await openImage(openStore(url));
  // A choice for another image counts only if this one has such an axis.
  const level = lenient && image.levels.length === 1 ? 0 : (asked.level ?? 0);
  const time = lenient && !image.axes.some(({ name }) => name === "t") ? undefined : asked.time;
  const [x, y, third = 0, ...rest] = crop ?? [];
  const box =
    crop === undefined
      ? undefined
      : crop.length === 4
        ? { x, y, width: third, height: rest[0] }
        : { x, y, z: third, width: rest[0], height: rest[1], depth: rest[2] };
  const chosen: Pick<PlannedImage, "level" | "time" | "channel"> = defined({ level, time, channel });
  const source = await sourceOf(image, defined({ ...chosen, box }));
  const { array } = source;
  const along = (sides: readonly number[]): Three => {
    const [z, y, x] = ["z", "y", "x"].map((name) => sides[image.axes.findIndex((axis) => axis.name === name)] ?? 1);
    return [z, y, x];
  };
  return {
    isVolume: image.axes.some(({ name }) => name === "z"),
    planned: { url, type: source.type, identity: await identify(image, level), ...chosen },
    source,
    from: [box?.z ?? 0, box?.y ?? 0, box?.x ?? 0],
    chunks: along(array.shards ?? array.chunks),
    inner: along(array.chunks),
  };
}

/** The sides of a block: as given, or multiples of a chunk near the preferred sides. */
export function blockOf(size: Three, chunks: Three, asked: readonly number[] | undefined): Three {
  const defaults = size[0] === 1 ? BLOCK.image : BLOCK.volume;
  if (asked) {
    const [x, y = x, z = x] = asked;
    if (asked.some((side) => !Number.isInteger(side) || side < 1)) {
      throw new UsageError(`Expected whole sides of at least 1 as --block, got ${asked.join(",")}.`);
    }
    const block = three((axis) => Math.min(size[axis], [size[0] === 1 ? 1 : z, y, x][axis]));
    const isWhole = block.every((side, axis) => side === size[axis] || side % chunks[axis] === 0);
    if (!isWhole) {
      throw new UsageError(
        `Expected a block of whole chunks, which are ${shownSize(chunks)}, so that each is read once, got ${shownSize(block)}.`,
      );
    }
    if (volumeOf(block) > MOST_VOXELS)
      throw new UsageError(`Expected a block of at most 2^30 voxels, got ${shownSize(block)}.`);
    return block;
  }
  const block = [0, 1, 2].map((axis) =>
    Math.min(size[axis], Math.max(1, Math.round(defaults[axis] / chunks[axis])) * chunks[axis]),
  ) as unknown as [number, number, number];
  // Chunks that span whole slices make wide blocks; such blocks get fewer slices.
  const most = 1.5 * volumeOf(defaults);
  while (volumeOf(block) > most && block[0] > chunks[0])
    block[0] = Math.max(1, Math.floor(block[0] / 2 / chunks[0])) * chunks[0];
  if (volumeOf(block) > MOST_VOXELS) {
    throw new UsageError(`Expected chunks of at most 2^30 voxels, got ${shownSize(chunks)}.`);
  }
  return block;
}

function tableOf({ regions, output }: PlanOptions): PlannedTable | undefined {
  if (regions === undefined) return undefined;
  if (regions === true) {
    if (output === undefined) {
      throw new UsageError("Expected a file for --regions, or -o FILE.zarr, beside whose labels it is written.");
    }
    return { url: "tables", format: "both", isBeside: true };
  }
  const known = Object.entries(TABLE_WRITERS).flatMap(([known, { distributed }]) => (distributed ? [known] : []));
  const ending = known.find((known) => regions.toLowerCase().endsWith(known));
  if (ending === undefined)
    throw new UsageError(`Expected --regions to end in ${known.join(" or ")} in a plan, got ${regions}.`);
  return { url: placed(regions), format: ending.slice(1) as "csv" | "parquet", isBeside: false };
}

function scratchFor({ scratch, output }: PlanOptions, table: PlannedTable | undefined): string {
  if (scratch !== undefined) {
    if (!isRemote(scratch)) return resolve(scratch);
    if (/^s3:/i.test(scratch)) return scratch.replace(/\/+$/, "");
    throw new UsageError(`Expected a folder that all workers see, or s3://BUCKET/PATH, as --scratch, got ${scratch}.`);
  }
  const path = placed(output ?? (table?.url as string));
  const { parent, name } = writablePlace(path);
  return parent.at(`.${name.replace(/\.[^.]*$/, "")}.skerry`).url;
}
