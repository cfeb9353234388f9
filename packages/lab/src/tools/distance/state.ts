// Signals of the distance tool: the map, and the largest circle in each object.

import { signal } from "@preact/signals";
import type { DistanceMap } from "skerry";
import type { Recipe } from "../../settings/recipe.js";
import type { Headline } from "../../state/found.js";
import { unit } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";

export const map = signal<DistanceMap | undefined>(undefined);
/** Radius, x and y of the largest circle in each object, in pixels, if they are shown; and the settings that they belong to. */
export const circles = signal<{ readonly key: string; readonly values: Float64Array } | undefined>(undefined);
export const showsCircles = signal(false);

/** The settings that circles belong to. */
export const circlesKey = ({ objects, within, scale }: Recipe): string => JSON.stringify([objects, within, scale]);

/** The headline of a map: its greatest distance, once it is known. */
export const farthest = (value?: number): Headline => ({ value, unit: TEXT.distance.farthest(unit()), kind: "length" });
