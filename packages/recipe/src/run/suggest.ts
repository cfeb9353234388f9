// Other settings for a picture as recipes: the suggestions of the library, as changes of fields.

import type { CallOptions, Engine, Mask, Source, Suggestion, Suggestions, Threshold } from "skerry";
import { defined, SUGGESTED } from "skerry/internal";
import type { Recipe } from "../fields.js";
import { argumentsOf } from "../flags.js";
import { thresholdFor } from "./objects.js";
import { componentsOptions } from "./options.js";
import type { Pixels } from "./pixels.js";

/** A suggestion as a recipe. */
export interface Offer extends Suggestion {
  /** The recipe with the changes. */
  readonly recipe: Recipe;
  /** The flags that it has more than the recipe before. */
  readonly flags: readonly string[];
}

/** Suggestions for a picture, as recipes. */
export interface Offers extends Omit<Suggestions, "offers"> {
  readonly offers: readonly Offer[];
}

/** Whether a recipe is one for which settings are suggested: it finds objects in an image by a threshold. */
function isSuggestible({ operation, options = {} }: Recipe, { depth = 1 }: Pick<Pixels, "depth">): boolean {
  return operation === "components" && options.by === undefined && depth === 1;
}

/**
 * Other settings for a picture, the best first. Fields that the recipe has stay as they are; see `engine.suggest()`. Undefined for
 * volumes and for recipes that find no objects by a threshold.
 */
export async function offersFor(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  { threshold, ...call }: CallOptions & { within?: Mask | undefined; threshold?: Threshold | undefined } = {},
): Promise<Offers | undefined> {
  if (!isSuggestible(recipe, pixels)) return undefined;
  const { options = {}, input = {} } = recipe;
  const chosen = threshold ?? (await thresholdFor(engine, recipe, pixels));
  const { within, ...plain } = call;
  const keep = SUGGESTED.filter((name) => (name === "channel" ? input.channel : options[name]) !== undefined);
  const found = await engine.suggest(
    pixels as Source,
    defined({ ...componentsOptions(recipe, chosen), within, ...plain, keep }),
  );
  return { ...found, offers: found.offers.map((offer) => offerOf(recipe, offer)) };
}

function offerOf(recipe: Recipe, suggestion: Suggestion): Offer {
  const { channel, ...changes } = suggestion.changes;
  // A recipe's own polarity is that of the picture, so it need not be said where nothing else changes.
  const set = Object.entries(changes).filter(([, value]) => value !== undefined);
  const isChanged = set.length > 0 || channel !== undefined;
  const options = { ...recipe.options, ...Object.fromEntries(set) };
  const offered = isChanged
    ? (defined({
        ...recipe,
        input: channel === undefined ? recipe.input : { ...recipe.input, channel },
        options,
      }) as Recipe)
    : recipe;
  const before = argumentsOf(recipe).args.join(" ");
  const { args } = argumentsOf(offered);
  return { ...suggestion, recipe: offered, flags: withoutFlags(args, before) };
}

/** Arguments that are not among those before: a flag goes with its value. */
function withoutFlags(args: readonly string[], before: string): readonly string[] {
  const pairs: string[][] = [];
  for (const arg of args) {
    if (arg.startsWith("--")) pairs.push([arg]);
    else pairs.at(-1)?.push(arg);
  }
  return pairs.filter((pair) => !` ${before} `.includes(` ${pair.join(" ")} `)).flat();
}
