// Points of a recipe under a crop: they are written in pixels of the whole image, as places in tables are, and used in those of the part.

import { defined } from "skerry/internal";
import { RecipeError } from "../errors.js";
import { withPlaces } from "../fields/places.js";
import type { Recipe } from "../fields.js";
import { boundsOf } from "./pixels.js";

type Point = readonly number[];
type Move = (point: Point, of?: string) => Point;

/** A point of the whole image in pixels of the part. */
function moverOf(crop: readonly number[], size: { width: number; height: number; depth?: number }): Move {
  const { x, y, z, width, height, depth } = boundsOf(crop, size);
  const [first, sides] = [
    [x, y, z],
    [width, height, depth],
  ];
  return (given, of) => {
    // Two numbers in a volume are a point of its first slice.
    const point =
      given.length === 2 && (crop.length === 6 || (size.depth ?? 1) > 1) && Number.isFinite(size.depth)
        ? [...given, 0]
        : given;
    const moved = point.map((at, axis) => at - first[axis]);
    if (moved.every((at, axis) => at >= 0 && at < sides[axis])) return moved;
    throw new RecipeError(
      `Expected ${of ? `the pixels of ${of}` : "points"} within the crop ${crop.join(",")}, got ${given.join(",")}.`,
    );
  };
}

function moved(recipe: Recipe, move: Move): Recipe {
  const { options = {}, products, input } = recipe;
  const { seeds, points, pick, edits, strokes, merge } = options;
  const list = (points: readonly Point[] | undefined): object | undefined => points?.map((point) => move(point));
  const entries = {
    seeds: list(seeds),
    points: list(points),
    pick: list(pick),
    edits: edits?.map((edit, i) => withPlaces(edit, (at) => move(at, `edits[${i}]`))),
    strokes: strokes?.map((stroke) => ({ ...stroke, at: move(stroke.at) })),
    merge: merge?.map((group) => group.map((point) => move(point))),
  };
  const given = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  const coats = products?.coats?.map((coat) => ({
    ...coat,
    strokes: coat.strokes.map((stroke) => ({ ...stroke, at: move(stroke.at) })),
  }));
  const { within } = input ?? {};
  return defined({
    ...recipe,
    options: Object.keys(given).length > 0 ? { ...options, ...given } : recipe.options,
    products: coats ? { ...products, coats } : recipe.products,
    input: typeof within === "object" ? { ...input, within: moved(within as Recipe, move) } : recipe.input,
  }) as Recipe;
}

/**
 * The recipe for the part of an image that its crop takes: points are those of the whole image, and become those of the part.
 * @param size the size of the whole image
 * @throws RecipeError for a point outside the part
 */
export function inPart(recipe: Recipe, size: { width: number; height: number; depth?: number }): Recipe {
  const { crop } = recipe.input ?? {};
  return crop ? moved(recipe, moverOf(crop, size)) : recipe;
}
