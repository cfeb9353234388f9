// Refusals of skerry label once an input is open: properties, places and lengths that its size, grid or values cannot give.

import { mapAffineOf } from "@skerry/files";
import { type Affine, axisOf, sizesOf, typeOfArray } from "@skerry/files/internal";
import type { Picture } from "@skerry/files/node";
import { sizeOf } from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import { namedProperties, objectCondition, placesOf, totalCondition } from "@skerry/recipe/internal";
import { type Components, REGION_PROPERTIES, type RegionProperty } from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { UsageError } from "../errors.js";
import { countsBeside } from "./beside.js";
import { isUneven, type OpenedInput } from "./input.js";
import type { Options } from "./label-options.js";
import { LENGTHS } from "./notes.js";

/** Options whose lengths are distances in the grid. */
const DISTANCES = [...LENGTHS, "surface"] as const;

/** Properties that hold in a sheared grid: counts, volumes by the determinant, and values. */
export const OF_SHEARED: readonly RegionProperty[] = REGION_PROPERTIES.filter((name) => {
  const { unit, byName } = factsOf(name);
  return name !== "surfaceArea" && byName !== true && ["size", "count", "value", "sum"].includes(unit ?? "");
});

/** The properties of a sheared grid in a table: those of the default, or all. */
export const ofSheared = (depth: number, isAll: boolean): readonly RegionProperty[] =>
  OF_SHEARED.filter((name) => {
    const { only, usual } = factsOf(name);
    return only !== (depth > 1 ? "image" : "volume") && (isAll || usual === true);
  });

/** Refuses physical lengths in a grid whose axes are not at right angles. */
export function checkSheared(recipe: Recipe, picture: Picture, { regions, outlines, figure }: Options): void {
  const { physical, select, sort, ...others } = recipe.options ?? {};
  if (!physical || !isUneven(recipe, picture)) return;
  const isMeasured = regions !== undefined || outlines !== undefined;
  const colour = figure === undefined ? "" : (recipe.products?.colourBy ?? "");
  const named = `${select ?? ""} ${sort ?? ""} ${colour}`.match(/[A-Za-z]\w*/g) ?? [];
  const wanted = [...((isMeasured && namedProperties(recipe)) || []), ...named];
  const length = DISTANCES.find((name) => (others as Record<string, unknown>)[name] !== undefined);
  const property = wanted.find(
    (name) =>
      REGION_PROPERTIES.includes(name as RegionProperty) &&
      !OF_SHEARED.includes(name as RegionProperty) &&
      !(isOfIntensity(name as RegionProperty) && name !== "weightedCentroid"),
  );
  const what = length === undefined ? property : `--${length}`;
  if (what === undefined) return;
  throw new UsageError(
    `Expected no ${what} with --physical for ${picture.input}, whose grid is sheared: distances along its axes are not those of its space; ${OF_SHEARED.slice(0, 3).join(", ")} are right by the determinant, or leave out --physical.`,
  );
}

/** Images along an axis: of the input or, if it has none, of the files beside it. */
export async function countAlong(axis: "time" | "page", picture: OpenedInput, recipe: Recipe): Promise<number> {
  const length = axisOf(picture.space, axis)?.size ?? 1;
  const several = [length, ...(await countsBeside(recipe, axis))].filter((count) => count > 1);
  if (new Set(several).size > 1) {
    throw new UsageError(`Expected files with one number of ${axis}s for --${axis} all, got ${several.join(" and ")}.`);
  }
  if (several.length > 0) return several[0];
  throw new UsageError(`Expected a file with several ${axis}s for --${axis} all, got one in ${picture.input}.`);
}

/** Refuses a volume for outputs that cannot hold volumes. */
export function checkVolume(picture: Picture, { products = {} }: Recipe, { outlines, runs, figure }: Options): void {
  if (sizeOf(picture).depth === 1) return;
  if (outlines !== undefined) throw new UsageError(`Expected an image for --outlines ${outlines}, got a volume.`);
  const flat = (products.draw ?? []).filter((part) => part === "outlines" || part === "numbers");
  if (figure !== undefined && flat.length > 0) {
    throw new UsageError(
      `Expected an image for --draw ${flat.join(",")}, got a volume, of which a figure shows slices.`,
    );
  }
  if (runs !== undefined && !runs.toLowerCase().endsWith(".csv")) {
    throw new UsageError(`Expected an image for --runs ${runs}: masks have no volumes; write .csv.`);
  }
}

/** Refuses what the size and the place of an input cannot give, before its pixels are worked on. */
export function checkHeader(picture: OpenedInput, recipe: Recipe): void {
  const { options = {}, products = {} } = recipe;
  const sizes = sizesOf(picture.wholeSpace).slice(0, sizeOf(picture).depth === 1 ? 2 : 3);
  const flat = sizes.length === 2;
  const { sort, select } = options;
  const asked: readonly (readonly [flag: string, names: readonly string[] | undefined])[] = [
    ["--properties", namedProperties(recipe)],
    ["--sort", sort === undefined ? undefined : [sort.replace(/^-/, "")]],
    ["--colour-by", products.colourBy === undefined ? undefined : [products.colourBy]],
    ["--select", select === undefined ? undefined : objectCondition("--select", select).names],
    ["--fail-if", products.failIf === undefined ? undefined : totalCondition("--fail-if", products.failIf).names],
  ];
  for (const [flag, names = []] of asked) {
    const other = REGION_PROPERTIES.find(
      (name) => names.includes(name) && factsOf(name).only === (flat ? "volume" : "image"),
    );
    if (other === undefined) continue;
    const [kind, others] = flat ? ["an image", "volumes"] : ["a volume", "images"];
    throw new UsageError(`Expected ${flag} of ${kind}, got "${other}", which only ${others} have.`);
  }
  for (const [name, places = []] of [
    ["pick", options.pick],
    ...(options.edits ?? []).map((edit, i) => [`edits[${i}]`, placesOf(edit)] as const),
  ] as const) {
    const wrong = places.find((place) => place.length !== sizes.length || place.some((at, axis) => at >= sizes[axis]));
    if (wrong === undefined) continue;
    const [letters, kind] = flat ? ["X,Y", "image"] : ["X,Y,Z", "volume"];
    throw new UsageError(
      `Expected the pixels of ${name} to be ${letters} inside the ${sizes.join(" x ")} ${kind}, got ${wrong.join(",")}.`,
    );
  }
  const channels = recipe.input?.channel === undefined ? (picture.pixels.channels ?? 1) : 1;
  if (products.colourBy === "value" && channels > 1) {
    throw new UsageError(`Expected an image of one channel for --colour-by value, got ${channels}.`);
  }
  if (products.world) worldOf(picture);
}

/** Refuses a label image whose values are no ids. */
export async function checkIds(components: Components, { input, pixels }: OpenedInput, recipe: Recipe): Promise<void> {
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  if (recipe.operation !== "labelled" || type !== "f32") return;
  const { value } = await components.regions({ properties: [] });
  const wrong = value?.find((label) => !Number.isInteger(label));
  if (wrong === undefined) return;
  throw new UsageError(
    `Expected ${input} to be a label image, whose values are whole numbers, got ${wrong}; skerry label finds the objects of other images.`,
  );
}

/** The place of an input on the map. */
export function worldOf({ input, space }: Picture): { readonly affine: Affine; readonly epsg: number | undefined } {
  const affine = mapAffineOf(space);
  if (affine) return { affine, epsg: space.crs?.kind === "map" ? space.crs.epsg : undefined };
  throw new UsageError(`Expected ${input} to be georeferenced for --world, as a GeoTIFF is, but it is not.`);
}
