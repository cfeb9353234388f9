// Settings of the objects tool, as options of the library and as a saved recipe.

import type { RecipeOptions, Recipe as SavedRecipe } from "@skerry/recipe";
import {
  type AutomaticThreshold,
  type Components,
  type ComponentsOptions,
  type Edit,
  type Polarity,
  REGION_PROPERTIES,
} from "skerry";
import { METHODS as AUTOMATIC, defined, factsOf, isNumber, isOfIntensity, type NumberProperty } from "skerry/internal";
import { tidy } from "./saved.js";
import type { Spot } from "./spots.js";

/** Which pixels are objects. For "auto" the picture decides between bright and dark. */
export type Rule = "auto" | "bright" | "dark" | "both" | "nonzero" | "value" | "labels" | "all";
const methods = Object.keys(AUTOMATIC) as AutomaticThreshold[];
/** How the threshold is chosen: by the line, by the picture's histogram, or for each pixel from those around it. */
export const METHODS = ["fixed", ...methods, "local", "mean"] as const;
export type Method = (typeof METHODS)[number];
export const CHANNELS = ["luma", "red", "green", "blue", "alpha", "hematoxylin", "eosin", "dab", "contrast"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Steps before and after the threshold, in their order, and the largest value of each. */
export const STEPS = {
  smooth: 100,
  flatten: 1000,
  open: 1000,
  close: 1000,
  erode: 1000,
  dilate: 1000,
  split: 1000,
  absorb: 2 ** 31,
  expand: 1000,
} as const;
export type Step = keyof typeof STEPS;

/** Properties of images with one number per object, for filters, charts and columns. */
export const PROPERTIES: readonly NumberProperty[] = REGION_PROPERTIES.filter(isNumber).filter((name) => {
  const { only, byName } = factsOf(name);
  return only !== "volume" && !byName;
});
export type Property = NumberProperty;

/** A threshold below every value: only the fence decides which pixels count. */
export const BELOW_ALL = -3e38;

/** The choices of the picture, for settings that leave them to it. */
export interface Chosen {
  readonly threshold?: number | undefined;
  readonly polarity?: Polarity | undefined;
}

/** The choices that components tell. */
export const chosenOf = ({ threshold, polarity }: Pick<Components, "threshold" | "polarity">): Chosen =>
  defined({
    threshold: typeof threshold === "number" ? threshold : undefined,
    polarity: polarity === "bright" || polarity === "dark" ? polarity : undefined,
  });

/** A comparison of pixels that a shader makes until labels arrive. */
export interface Tint {
  readonly rule: "bright" | "dark" | "both" | "nonzero";
  readonly channel: string;
  readonly lower: number;
  readonly threshold: number;
}

/** Sigma, radii, h of a split, area and distance; 0 leaves a step out. */
export interface ObjectsRecipe extends Readonly<Record<Step, number>> {
  readonly rule: Rule;
  readonly method: Method;
  readonly channel: Channel;
  /** The line: bright objects are above it, dark ones below it. With the rule "both" the bright ones are above it. */
  readonly threshold: number;
  /** With the rule "both", dark objects are below it. */
  readonly lower: number;
  /** Objects are found in the gradient: by Sobel's operators, or by derivatives of a Gaussian of this sigma; 0 for the values. */
  readonly gradient: "sobel" | number;
  /** Radius of the methods "local" (Sauvola) and "mean". */
  readonly local: number;
  /** How far objects of the method "mean" are from the mean around them. */
  readonly offset: number;
  readonly connectivity: 4 | 8;
  readonly minArea: number;
  /** 0 for any. */
  readonly maxArea: number;
  /** How many of the largest stay; 0 for all. */
  readonly largest: number;
  readonly fillHoles: boolean;
  readonly clearBorder: boolean;
  /** Objects stay if their properties lie within these bounds, inclusive; an infinite one is none. */
  readonly keep: { readonly [name in Property]?: readonly [number, number] };
  /** Corrections by hand, in order. */
  readonly edits: readonly Edit[];
}

export const OBJECTS: ObjectsRecipe = {
  rule: "auto",
  method: "otsu",
  channel: "luma",
  threshold: 128,
  lower: 64,
  local: 25,
  offset: 10,
  connectivity: 4,
  smooth: 0,
  gradient: 0,
  flatten: 0,
  open: 0,
  close: 0,
  erode: 0,
  dilate: 0,
  split: 0,
  absorb: 0,
  expand: 0,
  minArea: 1,
  maxArea: 0,
  largest: 0,
  fillHoles: false,
  clearBorder: false,
  keep: {},
  edits: [],
};

/** Rules of one polarity, rules with a threshold, and rules with a binary foreground, which can be grown and split. */
export const hasOneSide = (rule: Rule): rule is "auto" | "bright" | "dark" =>
  rule === "auto" || rule === "bright" || rule === "dark";
export const hasThreshold = (rule: Rule): boolean => hasOneSide(rule) || rule === "both";
export const hasOneClass = (rule: Rule): boolean => hasOneSide(rule) || rule === "nonzero" || rule === "all";

/** Whether each pixel is compared with those around it. */
export const isLocal = (method: Method): method is "local" | "mean" => method === "local" || method === "mean";

/** Whether the histogram chooses the threshold. */
export const isAutomatic = ({ rule, method }: ObjectsRecipe): boolean =>
  hasOneSide(rule) && method !== "fixed" && !isLocal(method);

/** Whether a recipe uses all channels rather than one. */
export const isOfColours = ({ rule }: ObjectsRecipe): boolean =>
  rule === "nonzero" || rule === "value" || rule === "labels";

/** Whether a step applies to a recipe. */
export function applies(step: Step, { rule, split, [step]: value }: ObjectsRecipe): boolean {
  return value !== 0 && takes(step, rule, split);
}

/** Whether a step applies to a rule. `absorb` applies only to areas that touch. */
export function takes(step: Step, rule: Rule, split: number): boolean {
  if (step === "smooth" || step === "flatten") return hasThreshold(rule);
  if (rule === "labels") return step === "absorb" || step === "expand";
  if (step === "absorb") return rule === "value" || (hasOneClass(rule) && split > 0);
  return hasOneClass(rule);
}

type Steps = Partial<Record<Step, number>> & Pick<ComponentsOptions, "gradient">;

/** The steps of a recipe that apply, in their order; the gradient comes behind. */
export function stepsOf(recipe: ObjectsRecipe): Steps {
  const steps = Object.keys(STEPS) as Step[];
  const { gradient, rule } = recipe;
  return {
    ...Object.fromEntries(steps.filter((step) => applies(step, recipe)).map((step) => [step, recipe[step]])),
    ...defined({ gradient: gradient !== 0 && hasThreshold(rule) ? gradient : undefined }),
  };
}

/** Steps before a threshold, of those that apply. */
export type PreparingSteps = Pick<Steps, "smooth" | "gradient" | "flatten">;

export function preparingSteps(recipe: ObjectsRecipe): PreparingSteps {
  const { smooth, gradient, flatten } = stepsOf(recipe);
  return defined({ smooth, gradient, flatten });
}

function thresholdOf({
  rule,
  method,
  threshold,
  lower,
  local,
  offset,
}: ObjectsRecipe): Pick<ComponentsOptions, "threshold" | "polarity" | "by"> {
  if (rule === "both") return { threshold: { outside: [Math.min(lower, threshold), threshold] } };
  if (rule === "labels") return {};
  if (rule === "nonzero") return { threshold: "nonzero" };
  if (rule === "all") return { threshold: { above: BELOW_ALL } };
  if (rule === "value") return { by: "value" };
  if (method === "local") return { threshold: { local: { radius: local, method: "sauvola" } }, polarity: rule };
  if (method === "mean") return { threshold: { local: { radius: local, method, offset } }, polarity: rule };
  if (method !== "fixed") return { threshold: method, polarity: rule };
  return { threshold: rule === "dark" ? { below: threshold } : { above: threshold } };
}

/** The library's options for a recipe. */
export function optionsOf(recipe: ObjectsRecipe): ComponentsOptions {
  const { connectivity, minArea, maxArea, largest, fillHoles, clearBorder } = recipe;
  return defined({
    ...thresholdOf(recipe),
    connectivity,
    ...stepsOf(recipe),
    minArea: minArea > 1 ? minArea : undefined,
    maxArea: maxArea > 0 ? maxArea : undefined,
    largest: largest > 0 ? largest : undefined,
    fillHoles: (fillHoles && recipe.rule !== "labels") || undefined,
    clearBorder: clearBorder || undefined,
  });
}

/** The polarity of the objects: that of the rule, or the automatic choice. */
export const sideOf = ({ rule }: ObjectsRecipe, found: Chosen | undefined): Polarity =>
  rule === "dark" || (rule === "auto" && found?.polarity === "dark") ? "dark" : "bright";

/**
 * The threshold line of a recipe: where it was dragged, or the automatic choice. Dark objects are at and below an automatic
 * threshold, but below the line. So for whole values the line is at the threshold plus 1.
 */
export function lineOf(recipe: ObjectsRecipe, found: Chosen | undefined, isWhole: boolean): number {
  if (!isAutomatic(recipe) || found?.threshold === undefined) return recipe.threshold;
  return found.threshold + Number(sideOf(recipe, found) === "dark" && isWhole);
}

/** Rule and method once the line is dragged: the automatic polarity becomes fixed. */
export function dragged(
  recipe: ObjectsRecipe,
  found: Chosen | undefined,
): Pick<ObjectsRecipe, "rule" | "method"> | Record<string, never> {
  return hasOneSide(recipe.rule) ? { rule: sideOf(recipe, found), method: "fixed" } : {};
}

/** The comparison of a recipe; undefined if a shader cannot make it. */
export function tintOf(recipe: ObjectsRecipe): Tint | undefined {
  const { rule, method, channel, lower, threshold } = recipe;
  if (
    rule === "value" ||
    rule === "labels" ||
    rule === "all" ||
    rule === "auto" ||
    (hasOneSide(rule) && method !== "fixed")
  )
    return undefined;
  return Object.keys(stepsOf(recipe)).length === 0 ? { rule, channel, lower, threshold } : undefined;
}

/** The bounds of properties that a recipe can measure: under a label image there are no values. */
export function boundsOf({ keep, rule }: ObjectsRecipe): [Property, readonly [number, number]][] {
  const bounds = Object.entries(keep) as [Property, readonly [number, number]][];
  return bounds.filter(([name]) => rule !== "labels" || !isOfIntensity(name));
}

/** The saved recipe. `pick` are pixels of the objects that a fence is made of. */
export function savedObjects(
  objects: ObjectsRecipe,
  within: SavedRecipe | undefined,
  pick: readonly Spot[] = [],
): SavedRecipe {
  const { rule, channel, edits } = objects;
  const { connectivity, polarity, ...options } = optionsOf(objects);
  const bounds = boundsOf(objects).flatMap(([name, [low, high]]) => [
    ...(Number.isFinite(low) ? [`${name} >= ${low}`] : []),
    ...(Number.isFinite(high) ? [`${name} <= ${high}`] : []),
  ]);
  return tidy(rule === "labels" ? "labelled" : "components", {
    input: defined({ channel: channel === OBJECTS.channel || isOfColours(objects) ? undefined : channel, within }),
    options: defined({
      ...(options as RecipeOptions),
      polarity: polarity === undefined || polarity === "auto" ? undefined : polarity,
      connectivity: connectivity === OBJECTS.connectivity ? undefined : connectivity,
      pick: pick.length > 0 ? pick : undefined,
      select: bounds.length > 0 ? bounds.join(" && ") : undefined,
      edits: edits.length > 0 ? edits : undefined,
    }),
  });
}
