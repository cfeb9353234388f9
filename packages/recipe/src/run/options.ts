// Options of library calls for a recipe. Runs and printed code use the same objects.

import type { AbsorbOptions, ChannelName, ComponentsOptions, FillOptions, FilterOptions, Threshold } from "skerry";
import { defined } from "skerry/internal";
import { givenFields } from "../check.js";
import type { Call } from "../field.js";
import type { Stroke } from "../fields/own.js";
import { takesPolarity } from "../fields/thresholds.js";
import type { Recipe } from "../fields.js";

/** The fields of a recipe that some calls of the library have as options of the same name. */
export function optionsFor(recipe: Recipe, ...calls: readonly Call[]): Record<string, unknown> {
  const fields = givenFields(recipe).filter(([{ call }]) => call !== undefined && calls.includes(call));
  return Object.fromEntries(fields.map(([{ name }, value]) => [name, value]));
}

/** The threshold that a recipe names; undefined if it depends on the picture. */
export function namedThreshold({ options = {} }: Recipe): Threshold | undefined {
  if (options.threshold !== undefined || options.by !== undefined) return options.threshold;
  return options.polarity === undefined ? undefined : "otsu";
}

/** The channel that the library extracts. Palette indices are read as the only channel, 0. */
export function channelOf({ input = {} }: Recipe): ChannelName | undefined {
  return input.channel === "index" ? 0 : input.channel;
}

/** Whether pixels are changed before the threshold, so that a picture of two values may have more afterwards. */
export function isPrepared({ input = {}, options = {} }: Recipe): boolean {
  const steps = [input.channel, options.smooth, options.gradient, options.flatten];
  return steps.some((step) => step !== undefined);
}

/** Options of `engine.components()`, with the threshold that the recipe names or that was chosen for the picture. */
export function componentsOptions(recipe: Recipe, chosen: Threshold | undefined): ComponentsOptions {
  const { options = {} } = recipe;
  const channel = channelOf(recipe);
  const threshold = options.by === undefined ? { threshold: chosen } : {};
  const polarity: Pick<ComponentsOptions, "polarity"> =
    options.by === undefined && chosen !== "nonzero" && takesPolarity(chosen)
      ? { polarity: options.polarity ?? "auto" }
      : {};
  return defined({
    channel,
    ...optionsFor(recipe, "components", "filter", "absorb", "expand"),
    ...threshold,
    ...polarity,
    ...connectivityOf(recipe),
    ...physicalOf(recipe),
  });
}

/** The connectivity of a recipe, as an option; {} if it names none. */
export function connectivityOf({ options = {} }: Recipe): Pick<ComponentsOptions, "connectivity"> {
  return options.connectivity === undefined ? {} : { connectivity: options.connectivity };
}

/** Whether lengths are in units of the spacing. */
export function physicalOf({ options = {} }: Recipe): { readonly physical?: true } {
  return options.physical ? { physical: true } : {};
}

/** Whether a plain threshold determines the foreground of distances, so that no objects have to be found. */
export function isOfPixels(recipe: Recipe): boolean {
  const { by, threshold, physical: _, ...options } = recipe.options ?? {};
  const isOwnForm = typeof threshold === "object" && ("hysteresis" in threshold || "local" in threshold);
  const shaping = givenFields({ ...recipe, options }).filter(
    ([{ call, name }]) => call !== undefined && call !== "distance" && call !== "ball" && name !== "polarity",
  );
  const { channel, within } = recipe.input ?? {};
  return by === undefined && !isOwnForm && shaping.length === 0 && channel === undefined && within === undefined;
}

/** A step after `labelled()`: the call of components with its arguments. */
export type Step =
  | readonly ["absorb", AbsorbOptions]
  | readonly ["filter", FilterOptions]
  | readonly ["expand", number, { readonly physical?: true }];

/** The steps of a recipe for the objects of a label image, in order. */
export function labelledSteps(recipe: Recipe): readonly Step[] {
  const { absorb, expand } = recipe.options ?? {};
  const filter: FilterOptions = optionsFor(recipe, "filter");
  return [
    ...(absorb === undefined ? [] : [["absorb", { minArea: absorb }] as const]),
    ...(Object.keys(filter).length > 0 ? [["filter", filter] as const] : []),
    ...(expand === undefined ? [] : [["expand", expand, physicalOf(recipe)] as const]),
  ];
}

/** Options of `engine.fill()`, for the seeds of a recipe or for one stroke. */
export function fillOptions(recipe: Recipe, stroke?: Stroke): FillOptions {
  const from = stroke ? { seeds: [stroke.at], tolerance: stroke.tolerance } : {};
  return { ...optionsFor(recipe, "fill"), ...connectivityOf(recipe), ...from } as unknown as FillOptions;
}
