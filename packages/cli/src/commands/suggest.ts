// Other settings in the output of label: --auto takes the first, --suggest lists all, and in a terminal they follow an answer for which nothing
// was set.

import type { Picture } from "@skerry/files/node";
import type { Offer, Offers, Recipe } from "@skerry/recipe";
import { argumentsOf, offersFor, quotedForShell } from "@skerry/recipe/internal";
import type { Engine, Mask, Threshold } from "skerry";
import { SUGGESTED } from "skerry/internal";
import { counted, grouped } from "../progress.js";

export interface SuggestOptions {
  auto?: boolean;
  suggest?: boolean;
}

/** Whether nothing was set that a suggestion may change; an answer under such a field needs no advice that was not asked for. */
function isPlain({ input = {}, options = {} }: Recipe): boolean {
  return input.channel === undefined && !SUGGESTED.some((name) => name in options);
}

/** Whether offers are looked for once the answer is printed: on request, or in a terminal for one picture without settings. */
export function looksFurther(recipe: Recipe, { auto, suggest }: SuggestOptions, isAlone: boolean): boolean {
  return suggest === true || (!auto && isAlone && process.stdout.isTTY === true && isPlain(recipe));
}

/** Other settings for a picture; undefined where nothing is suggested. */
export function offered(
  engine: Engine,
  recipe: Recipe,
  { pixels }: Picture,
  given: { readonly within?: Mask; readonly threshold?: Threshold | undefined },
): Promise<Offers | undefined> {
  return offersFor(engine, recipe, pixels, given);
}

/** The recipe of the first offer, for --auto; the given one if there is none. */
export function firstOf(recipe: Recipe, offers: Offers | undefined): Offer | undefined {
  const [first] = offers?.offers ?? [];
  return first && first.recipe !== recipe ? first : undefined;
}

/** The line that makes --auto repeatable. */
export function toldOfAuto(first: Offer | undefined): string {
  return first ? `auto: ${flagsOf(first)}` : "auto: these settings, no others are better";
}

/** Every flag of an offer, with those that were given. */
export function flagsOf({ recipe }: Offer): string {
  return argumentsOf(recipe).args.map(quotedForShell).join(" ");
}

/** Lines about offers beside those of the answer. */
export function linesOf(recipe: Recipe, { offers, count, specks, ground, scale }: Offers): readonly string[] {
  const others = offers.filter((offer) => offer.recipe !== recipe);
  if (others.length === 0) return ["no other settings are offered"];
  const faults = [
    ...(specks >= 0.1 ? [`${Math.round(specks * 100)} % are specks`] : []),
    ...(ground >= 0.05 ? [`the ground or a frame has ${Math.round(ground * 100)} % of the picture`] : []),
    ...(offers[0].recipe === recipe ? ["most ways to find objects agree"] : []),
  ];
  const about = scale > 1 ? `about, in a copy of 1/${scale} the size` : "";
  const head = `${counted(count, "object")}${faults.length > 0 ? ` (${faults.join("; ")})` : ""}. Other settings give${about && `, ${about}`}:`;
  const width = Math.max(...others.map((offer) => grouped(offer.count).length));
  return [head, ...others.map((offer) => `  ${grouped(offer.count).padStart(width)} with ${flagsOf(offer)}`)];
}

/** Offers in --json. */
export function jsonOf(offers: Offers): object {
  const { specks, ground, scale } = offers;
  const rows = offers.offers.map((offer) => ({
    count: offer.count,
    agreement: offer.agreement,
    flags: flagsOf(offer),
  }));
  return { suggestions: { specks, ground, scale, offers: rows } };
}
