// Signals that the panels of the objects tool read: levels, measurements, the curve of counts, and what is shown of them.

import { computed, signal } from "@preact/signals";
import { REGION_PROPERTIES, type RegionProperty } from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { dragged, isLocal, lineOf, type ObjectsRecipe, type Property } from "../../settings/objects.js";
import type { Recipe } from "../../settings/recipe.js";
import type { Found } from "../../state/found.js";
import { found, recipe } from "../../state/lab.js";
import type { Gestures } from "../tool.js";
import type { Counts, Levels, Measured } from "./run.js";
import type { SuggestedObjects } from "./suggest.js";

export const levels = signal<Levels | undefined>(undefined);
/**
 * Measurements of the objects. Those of the previous objects stay until new ones arrive, so that the panels do not
 * jump.
 */
export const measured = signal<Measured | undefined>(undefined);
/** The gestures of the tool that is chosen for corrections by hand; undefined until its panel is loaded. */
export const handed = signal<Gestures | undefined>(undefined);
/** Whether `measured` belongs to the objects that are shown. */
export const fresh = signal(false);
/** Numbers of objects at each threshold, and the settings that they belong to. */
export const curve = signal<{ readonly key: string; readonly counts: Counts; readonly isWhole: boolean } | undefined>(
  undefined,
);
/** Other settings of the picture with their effects, and the picture and fence that they belong to. */
export const suggested = signal<{ readonly key: string; readonly offers: readonly SuggestedObjects[] } | undefined>(
  undefined,
);
/** The property that is brushed, and the two of the scatter plot. */
export const brushed = signal<Property>("area");
export const scattered = signal<readonly [Property, Property]>(["area", "mean"]);
/** Columns that the user chose, besides properties that something else on the page shows. */
export const columns = signal<ReadonlySet<Property>>(new Set<Property>(["circularity", "mean"]));

/**
 * The properties of saved tables: those of the command line by default, and the columns that the user chose besides.
 * @param isSquare whether pixels are, which perimeters need in units
 * @param hasValues whether there are values under the objects
 */
export function savedProperties(isSquare: boolean, hasValues: boolean): readonly RegionProperty[] | "usual" {
  const chosen = [...columns.value].filter((name) => !factsOf(name).usual && (hasValues || !isOfIntensity(name)));
  if (chosen.length === 0) return "usual";
  const isUsual = (name: RegionProperty): boolean => {
    const { usual, only, needs = [] } = factsOf(name);
    return (
      usual === true &&
      (hasValues || !isOfIntensity(name)) &&
      only !== "volume" &&
      (isSquare || !needs.includes("square"))
    );
  };
  return REGION_PROPERTIES.filter((name) => isUsual(name) || chosen.some((property) => property === name));
}

/** Properties that something on the page shows. */
export const wantedProperties = computed<ReadonlySet<Property>>(
  () => new Set<Property>(["area", "mean", ...columns.value, brushed.value, ...scattered.value]),
);

/** The value of the threshold line. */
export const line = computed(() => lineOf(recipe.value.objects, found.value, levels.value?.isInteger ?? true));

/** The settings that a curve of counts depends on: without the threshold or radius, corrections and bounds. */
export function countedOf(objects: ObjectsRecipe, found: Found | undefined): ObjectsRecipe {
  if (isLocal(objects.method)) return { ...objects, local: 1, threshold: 0, edits: [], keep: {} };
  return { ...objects, ...dragged(objects, found), threshold: 0, edits: [], keep: {} };
}

/** The settings that a curve of counts belongs to. */
export const curveKey = ({ objects, within }: Pick<Recipe, "objects" | "within">, found: Found | undefined): string =>
  JSON.stringify([within, levels.value?.key, countedOf(objects, found)]);
