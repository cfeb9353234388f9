// How a figure is drawn that is saved: fields of a recipe's products.

import type { Recipe as SavedRecipe } from "@skerry/recipe";
import { defined } from "skerry/internal";
import { type ObjectsRecipe, PROPERTIES, type Property } from "./objects.js";

type Products = NonNullable<SavedRecipe["products"]>;
export type FigurePart = NonNullable<Products["draw"]>[number];

export interface FigureSettings {
  /** Undefined for colours, and a scale bar where the size of a pixel is known. */
  readonly draw?: readonly FigurePart[] | undefined;
  /** The property that colours follow, or the class of objects found by value; undefined if each object has a colour of its own. */
  readonly colourBy?: Property | "value" | undefined;
  readonly title?: string | undefined;
}

/** The settings of a figure as they hold: only objects that are found by value have classes. */
export const figureNow = (figure: FigureSettings = {}, { rule }: Pick<ObjectsRecipe, "rule">): FigureSettings =>
  figure.colourBy === "value" && rule !== "value" ? { ...figure, colourBy: undefined } : figure;

/** Products of a recipe with the settings of a figure. */
export function withFigure(
  products: Products | undefined,
  { figure, objects }: { readonly figure?: FigureSettings | undefined; readonly objects: ObjectsRecipe },
): Products | undefined {
  const now = figureNow(figure, objects);
  return Object.values(now).some((value) => value !== undefined) ? defined({ ...products, ...now }) : products;
}

/** The settings of a figure in a recipe; undefined if it has none. */
export function figureOf({ draw, colourBy, title }: Products): FigureSettings | undefined {
  const follows = ["value" as const, ...PROPERTIES].find((name) => name === colourBy);
  const figure: FigureSettings = defined({ draw, colourBy: follows, title });
  return Object.keys(figure).length > 0 ? figure : undefined;
}
