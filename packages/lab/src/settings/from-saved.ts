// Settings of the page from recipes of files and links. Loaded, with the table of fields, when one is opened.

import type { RecipeOptions, Recipe as SavedRecipe, Stroke as SavedStroke } from "@skerry/recipe";
import { parseRecipe, placesOf } from "@skerry/recipe/internal";
import type { DistanceMetric, Edit } from "skerry";
import { defined } from "skerry/internal";
import { COLOURS, type ColoursRecipe, STARTS, type Start } from "./colours.js";
import { DISTANCE } from "./distance.js";
import { figureOf } from "./figure.js";
import { FILL, type FillRecipe, type FillSettings, type Stroke } from "./fill.js";
import {
  BELOW_ALL,
  CHANNELS,
  type Channel,
  METHODS,
  type Method,
  OBJECTS,
  type ObjectsRecipe,
  PROPERTIES,
  type Property,
  type Rule,
  STEPS,
  type Step,
} from "./objects.js";
import type { Fence, Recipe, Scale, TAKEN_AXES, Taken } from "./recipe.js";
import { isOfObjects } from "./saved.js";
import type { Spot } from "./spots.js";

/** The settings of a recipe. */
export type Read = Omit<Recipe, "source" | "shrink" | "within"> & { readonly within: Fence | undefined };

/** The error for a recipe that the page cannot show; the message is the field. */
export class WithoutControl extends Error {
  override name = "WithoutControl";
}

/**
 * The settings of a recipe.
 * @throws RecipeError if it is no recipe, WithoutControl if the page has no control for one of its fields
 */
export function settingsOf(saved: unknown): Read {
  const recipe = parseRecipe(saved);
  const { operation, input = {}, options = {}, products = {}, files } = recipe;
  if (files) throw new WithoutControl("files");
  const { within, channel: given, spacing, unit, page, time, level, ...others } = input;
  refuse("input", others);
  // A number is that of a channel that the file holds as an image of its own; names are computed from all channels.
  const isImage = typeof given === "number";
  const channel = isImage ? undefined : given;
  const taken = takenOf({ page, time, level, channel: isImage ? given : undefined });
  const fence = within === undefined ? undefined : fenceOf(within);
  const scale = scaleOf(spacing, unit, options.physical);
  // A recipe without lengths leaves the scale as it is.
  const isSized = scale !== undefined || isOfObjects(operation) || operation === "distance";
  const sized: Pick<Recipe, "scale"> = isSized ? { scale } : {};
  const parts = { objects: OBJECTS, fill: FILL, distance: DISTANCE, colours: COLOURS, within: fence, ...sized };
  const plain = taken ? { ...parts, taken } : parts;
  if (operation === "fill") {
    if (channel !== undefined) refuse("input", { channel });
    const strokes = strokesOf(options);
    const coats = (products.coats ?? []).map(({ color, strokes: marks, ...how }) => ({
      ...FILL,
      ...how,
      colour: color,
      strokes: marks.map(shownStroke),
    }));
    const { color = FILL.colour } = products;
    if (typeof color !== "string") refuse("products", { color });
    const fill: FillRecipe = {
      ...comparisonOf(options),
      tolerance: strokes.at(-1)?.tolerance ?? FILL.tolerance,
      colour: color as string,
      strokes,
      coats: coats.map(({ tolerance: _, coats: __, ...coat }) => coat),
    };
    return { ...plain, tool: "fill", fill };
  }
  if (operation === "kmeans") {
    if (channel !== undefined) refuse("input", { channel });
    return { ...plain, tool: "colours", colours: coloursOf(options) };
  }
  if (operation === "distance") return { ...plain, tool: "distance", ...distancesOf(options, channel, scale) };
  if (!isOfObjects(operation)) throw new WithoutControl(`operation ${operation}`);
  return {
    ...plain,
    tool: "objects",
    objects: objectsOf(withoutScale(options, scale), channel, operation === "labelled" ? "labels" : undefined),
    figure: figureOf(products),
  };
}

/** The image of a file that holds several. */
function takenOf(told: Readonly<Record<(typeof TAKEN_AXES)[number], unknown>>): Taken | undefined {
  if (told.page === "all" || told.time === "all") refuse("input", { page: told.page, time: told.time });
  const isTold = Object.values(told).some((at) => at !== undefined);
  return isTold ? defined(told as Taken) : undefined;
}

/** The size of a pixel. Lengths in a unit without one are those of the file's own. */
function scaleOf(spacing: unknown, unit: unknown, isPhysical: unknown): Scale | undefined {
  if (spacing === undefined) {
    if (unit === undefined && isPhysical !== true) return undefined;
    return { size: 1, unit: typeof unit === "string" ? unit : "", isOfFile: true };
  }
  if (!Array.isArray(spacing) || spacing.length > 3) refuse("input", { spacing });
  const [x, y = x] = spacing as number[];
  return defined({ size: x, down: y === x ? undefined : y, unit: typeof unit === "string" ? unit : "px" });
}

/** Refuses `physical` without a scale. With a scale, all lengths are in its unit. */
function withoutScale({ physical, ...options }: RecipeOptions, scale: Scale | undefined): RecipeOptions {
  if (physical !== undefined && !scale) refuse("options", { physical });
  return options;
}

function coloursOf({ k, metric, colourSpace, init, seed, merge, pick: _, ...others }: RecipeOptions): ColoursRecipe {
  refuse("options", others);
  if (typeof k !== "number") refuse("options", { k: k ?? "" });
  if (init !== undefined && !STARTS.includes(init as Start)) refuse("options", { init });
  const given = { k, metric, colourSpace, init, seed, merged: merge };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...COLOURS, ...known } as ColoursRecipe;
}

function distancesOf(
  { points, to, max = 0, signed, metric = DISTANCE.metric, ...given }: RecipeOptions,
  channel: unknown,
  scale: Scale | undefined,
): Pick<Recipe, "distance" | "objects"> {
  const options = withoutScale(given, scale);
  const { threshold } = options;
  const isAll = typeof threshold === "object" && "above" in threshold && threshold.above <= BELOW_ALL;
  const rule = {
    ...DISTANCE,
    surface: to === "surface",
    signed: signed === true,
    max,
    points: (points ?? []) as Spot[],
    metric: metric as DistanceMetric,
    target: points ? ("points" as const) : isAll ? ("selection" as const) : ("objects" as const),
  };
  const objects = points || isAll ? OBJECTS : objectsOf(options, channel);
  if (points || isAll) {
    const { threshold: _, ...others } = options;
    refuse("options", others);
  }
  return { distance: rule, objects };
}

function refuse(part: string, fields: object): void {
  const [name] = Object.keys(fields).filter((each) => fields[each as never] !== undefined);
  if (name !== undefined) throw new WithoutControl(`${part}.${name}`);
}

const shownStroke = ({ mode, at, tolerance }: SavedStroke): Stroke => ({ mode, x: at[0], y: at[1], tolerance });

function strokesOf({ seeds, strokes, tolerance = 0 }: RecipeOptions): Stroke[] {
  if (strokes) return strokes.map(shownStroke);
  if (typeof tolerance !== "number") refuse("options", { tolerance });
  const modes = ["new", "add"] as const;
  return (seeds ?? []).map((at, i) => shownStroke({ mode: modes[Math.min(i, 1)], at, tolerance: tolerance as number }));
}

function comparisonOf({
  range,
  metric,
  connectivity,
  average,
  contiguous,
  seeds: _,
  strokes: __,
  tolerance: ___,
  ...others
}: RecipeOptions): FillSettings {
  refuse("options", others);
  const given = { range, metric, connectivity, average, contiguous };
  return {
    ...FILL,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as FillSettings;
}

function fenceOf(within: string | object): Fence {
  if (typeof within === "string") throw new WithoutControl("input.within");
  // parseRecipe() has checked the whole recipe, with its fence.
  const { operation, input = {}, options = {} } = within as SavedRecipe;
  const outer = input.within === undefined ? {} : { within: fenceOf(input.within) };
  if (operation === "fill")
    return { tool: "fill", fill: { ...comparisonOf(options), strokes: strokesOf(options) }, ...outer };
  if (operation === "kmeans")
    return { tool: "colours", colours: coloursOf(options), spots: (options.pick ?? []) as never, ...outer };
  // The scale of the whole recipe decides whether lengths are in a unit.
  const { pick = [], physical: _, ...rest } = options;
  return { tool: "objects", objects: objectsOf(rest, input.channel), spots: pick as never, ...outer };
}

function objectsOf(options: RecipeOptions, channel: unknown, rule?: Rule): ObjectsRecipe {
  const { threshold: _, polarity: __, by: ___, connectivity = 4, edits = [], select, ...others } = options;
  const { minArea = 1, maxArea = 0, largest = 0, fillHoles, clearBorder, split, gradient = 0, ...steps } = others;
  if (edits.some((edit) => placesOf(edit).some(({ length }) => length > 2))) {
    throw new WithoutControl("options.edits with places of a volume");
  }
  if (channel !== undefined && !CHANNELS.includes(channel as Channel)) refuse("input", { channel });
  if (connectivity !== 4 && connectivity !== 8) refuse("options", { connectivity });
  if (fillHoles !== undefined && fillHoles !== true) refuse("options", { fillHoles });
  const known = Object.keys(STEPS) as Step[];
  refuse("options", Object.fromEntries(Object.entries(steps).filter(([name]) => !known.includes(name as Step))));
  return {
    ...OBJECTS,
    ...steps,
    ...ruleOf(options, rule),
    channel: (channel ?? OBJECTS.channel) as Channel,
    connectivity: connectivity as 4 | 8,
    gradient,
    minArea,
    maxArea,
    largest,
    fillHoles: fillHoles === true,
    clearBorder: clearBorder === true,
    split: split === true ? 1 : (split ?? 0),
    keep: select === undefined ? {} : boundsOf(select),
    edits,
  } as ObjectsRecipe;
}

/** The rule and the method of a threshold. Without `polarity` the rule is "auto". */
function ruleOf({ threshold = "otsu", polarity, by }: RecipeOptions, given?: Rule): Partial<ObjectsRecipe> {
  if (given) return { rule: given };
  const rule = polarity ?? "auto";
  if (by === "value") return { rule: "value" };
  if (by !== undefined) refuse("options", { by });
  if (threshold === "nonzero") return { rule: "nonzero" };
  if (typeof threshold === "object" && "above" in threshold && threshold.above <= BELOW_ALL) return { rule: "all" };
  if (typeof threshold === "string") {
    if (METHODS.includes(threshold as Method)) return { rule, method: threshold as Method };
  } else if ("above" in threshold) return { rule: "bright", method: "fixed", threshold: threshold.above };
  else if ("below" in threshold) return { rule: "dark", method: "fixed", threshold: threshold.below };
  else if ("outside" in threshold) {
    const [lower, upper] = threshold.outside;
    return { rule: "both", method: "fixed", lower, threshold: upper };
  } else if ("local" in threshold && threshold.local.method === "sauvola") {
    const { radius, ...others } = threshold.local;
    if (Object.keys(others).length === 1) return { rule, method: "local", local: radius };
  } else if ("local" in threshold) {
    const { local } = threshold;
    if (local.method !== "sauvola") return { rule, method: "mean", local: local.radius, offset: local.offset ?? 0 };
  }
  throw new WithoutControl(`options.threshold ${JSON.stringify(threshold)}`);
}

/** The bounds of properties in a condition. Refuses a condition of another form than "area >= 5 && area <= 90", of which one side may lack. */
function boundsOf(select: string): ObjectsRecipe["keep"] {
  const keep: Partial<Record<Property, readonly [number, number]>> = {};
  const pattern = /^(\w+) (>=|<=) (-?[\d.e+-]+)(?: && |$)/;
  for (let rest = select; rest !== ""; ) {
    const [entry, name, sign, text] = pattern.exec(rest) ?? [];
    if (entry === undefined || !PROPERTIES.includes(name as Property)) throw new WithoutControl("options.select");
    const [low, high] = keep[name as Property] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const bound = Number(text);
    keep[name as Property] = sign === ">=" ? [Math.max(low, bound), high] : [low, Math.min(high, bound)];
    rest = rest.slice(entry.length);
  }
  return keep;
}

/**
 * Checks corrections of a volume.
 * @throws RecipeError if they are none, WithoutControl if places are not of three numbers
 */
export function checkVolumeEdits(edits: readonly Edit[]): void {
  parseRecipe({ skerry: 1, operation: "components", options: { edits } });
  if (edits.some((edit) => placesOf(edit).some(({ length }) => length !== 3))) throw new WithoutControl("edits");
}
