// How a figure is drawn that is saved: fields of a recipe's products.

import type { Recipe as SavedRecipe } from "@skerry/recipe";
import { defined } from "skerry/internal";
import { PROPERTIES, type Property } from "./objects.js";

type Products = NonNullable<SavedRecipe["products"]>;
export type FigurePart = NonNullable<Products["draw"]>[number];

export interface FigureSettings {
  /** Undefined for colours, and a scale bar where the size of a pixel is known. */
  readonly draw?: readonly FigurePart[] | undefined;
  /** The property that colours follow; undefined if each object has a colour of its own. */
  readonly colourBy?: Property | undefined;
  readonly title?: string | undefined;
}

/** Products of a recipe with the settings of a figure. */
export const withFigure = (products: Products | undefined, figure: FigureSettings | undefined): Products | undefined =>
  figure && Object.values(figure).some((value) => value !== undefined) ? defined({ ...products, ...figure }) : products;

/** The settings of a figure in a recipe; undefined if it has none. */
export function figureOf({ draw, colourBy, title }: Products): FigureSettings | undefined {
  const figure: FigureSettings = defined({ draw, colourBy: PROPERTIES.find((name) => name === colourBy), title });
  return Object.keys(figure).length > 0 ? figure : undefined;
}
