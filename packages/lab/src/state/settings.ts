// Settings of the page from recipes: of files and of links. Loaded with the table of fields by those who open one.

import { parseRecipe, type RecipeOptions, type Stroke as SavedStroke } from "@skerry/recipe";
import {
  CHANNELS,
  type Channel,
  type Fence,
  FILL,
  type FillRecipe,
  type FillSettings,
  OBJECTS,
  type ObjectsRecipe,
  PROPERTIES,
  type Property,
  type Recipe,
  STEPS,
  type Step,
  type Stroke,
} from "./recipe.js";

/** Settings of a recipe, and what follows from the picture: Otsu's threshold, or that and the polarity. */
export interface Read {
  readonly settings: Pick<Recipe, "tool" | "objects" | "fill"> & { readonly within: Fence | undefined };
  readonly chooses: "threshold" | "polarity" | undefined;
}

/** A recipe that the page cannot show, by the field. */
export class WithoutControl extends Error {
  override name = "WithoutControl";
}

/**
 * The settings of a recipe.
 * @throws RecipeError if it is no recipe, WithoutControl if the page has no control for one of its fields
 */
export function settingsOf(given: unknown): Read {
  const recipe = parseRecipe(given);
  const { operation, input = {}, options = {}, products = {} } = recipe;
  const { within, channel, ...others } = input;
  refuse("input", others);
  const fence = within === undefined ? undefined : fenceOf(within);
  if (operation === "fill") {
    if (channel !== undefined) refuse("input", { channel });
    const strokes = strokesOf(options);
    const coats = (products.coats ?? []).map(({ color, strokes: own, ...how }) => ({
      ...{ ...FILL, ...how, colour: color, strokes: own.map(shownStroke) },
    }));
    const { color = FILL.colour } = products;
    if (typeof color !== "string") refuse("products", { color });
    const fill: FillRecipe = {
      ...comparisonOf(options),
      ...{ tolerance: strokes.at(-1)?.tolerance ?? FILL.tolerance, colour: color as string, strokes },
      coats: coats.map(({ tolerance: _, coats: __, ...coat }) => coat),
    };
    return { settings: { tool: "fill", objects: OBJECTS, fill, within: fence }, chooses: undefined };
  }
  if (operation !== "components") throw new WithoutControl(`operation ${operation}`);
  const { objects, chooses } = objectsOf(options, channel);
  return { settings: { tool: "objects", objects, fill: FILL, within: fence }, chooses };
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
  const { operation, input = {}, options = {} } = parseRecipe(within);
  const outer = input.within === undefined ? {} : { within: fenceOf(input.within) };
  if (operation === "fill")
    return { tool: "fill", fill: { ...comparisonOf(options), strokes: strokesOf(options) }, ...outer };
  const { pick = [], ...rest } = options;
  const { objects, chooses } = objectsOf(rest, input.channel);
  if (chooses) throw new WithoutControl("input.within");
  return { tool: "objects", objects, spots: pick as never, ...outer };
}

function objectsOf(
  options: RecipeOptions,
  channel: unknown,
): Pick<Read, "chooses"> & { readonly objects: ObjectsRecipe } {
  const { threshold, polarity, by, connectivity = 4, drop = [], select, ...others } = options;
  const { minArea = 1, maxArea = 0, largest = 0, fillHoles, clearBorder, split, ...steps } = others;
  if (channel !== undefined && !CHANNELS.includes(channel as Channel)) refuse("input", { channel });
  if (connectivity !== 4 && connectivity !== 8) refuse("options", { connectivity });
  if (fillHoles !== undefined && fillHoles !== true) refuse("options", { fillHoles });
  const known = Object.keys(STEPS) as Step[];
  refuse("options", Object.fromEntries(Object.entries(steps).filter(([name]) => !known.includes(name as Step))));
  const automatic = by === undefined && (threshold === undefined || threshold === "otsu");
  const chooses = automatic ? (polarity === undefined ? "polarity" : "threshold") : undefined;
  const objects = {
    ...{ ...OBJECTS, ...steps, ...ruleOf(options) },
    ...{
      channel: (channel ?? OBJECTS.channel) as Channel,
      connectivity: connectivity as 4 | 8,
      minArea,
      maxArea,
      largest,
    },
    ...{ fillHoles: fillHoles === true, clearBorder: clearBorder === true, split: split === true ? 1 : (split ?? 0) },
    ...{ keep: select === undefined ? {} : boundsOf(select), dropped: drop as never },
  } as ObjectsRecipe;
  return { objects, chooses };
}

/** The rule of a threshold. Otsu's is taken from the picture, with its polarity unless that is told. */
function ruleOf({ threshold, polarity, by }: RecipeOptions): Partial<ObjectsRecipe> {
  if (by === "value") return { rule: "value" };
  if (by !== undefined) refuse("options", { by });
  if (threshold === undefined || threshold === "otsu") return { rule: polarity ?? "bright" };
  if (threshold === "nonzero") return { rule: "nonzero" };
  if (typeof threshold === "object") {
    if ("above" in threshold) return { rule: "bright", threshold: threshold.above };
    if ("below" in threshold) return { rule: "dark", threshold: threshold.below };
    if ("outside" in threshold) return { rule: "both", lower: threshold.outside[0], threshold: threshold.outside[1] };
    if ("local" in threshold && threshold.local.method === "sauvola" && polarity !== undefined) {
      const { radius, ...others } = threshold.local;
      if (Object.keys(others).length === 1) return { rule: polarity, local: radius };
    }
  }
  throw new WithoutControl(`options.threshold ${JSON.stringify(threshold)}`);
}

/** Bounds of properties, where a condition is nothing else: "area >= 5 && area <= 90". */
function boundsOf(select: string): ObjectsRecipe["keep"] {
  const keep: Partial<Record<Property, [number, number]>> = {};
  const pattern = /^(\w+) >= (-?[\d.e+-]+) && \1 <= (-?[\d.e+-]+)(?: && |$)/;
  for (let rest = select; rest !== ""; ) {
    const [whole, name, low, high] = pattern.exec(rest) ?? [];
    if (whole === undefined || !PROPERTIES.includes(name as Property)) throw new WithoutControl("options.select");
    keep[name as Property] = [Number(low), Number(high)];
    rest = rest.slice(whole.length);
  }
  return keep;
}
