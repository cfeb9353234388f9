// Distance maps of a picture under a recipe, and their statistics.

import type { DistanceMap, DistanceTarget } from "skerry";
import { defined } from "skerry/internal";
import { type DistanceRecipe, distanceOptions, foregroundOf } from "../../settings/distance.js";
import type { ObjectsRecipe } from "../../settings/objects.js";
import type { Totals } from "../../state/drawn.js";
import { type FoundObjects, findObjects } from "../objects/run.js";
import { addTimings, callOptions, type Given, type Result } from "../tool.js";
import { farthest, map as shown } from "./state.js";

export interface Distances extends Result {
  readonly map: DistanceMap | undefined;
}

/** Values that are read before the page may handle events. */
const TURN = 1 << 20;
const KEPT = "distance: values";

/** The map, and how the view draws it. There is no map if no point is set, or nothing is selected. */
export async function showDistances(
  given: Given,
  distance: DistanceRecipe,
  objects: ObjectsRecipe,
): Promise<Distances> {
  const { map, chosen } = await mapOf(given, distance, objects);
  const stages: Distances["stages"][number][] = [];
  if (map) addTimings(stages, given.resident.engine.timings);
  return {
    map,
    stages,
    found: { headline: farthest(), covered: 0, detail: "", ...chosen },
    content: map ? { kind: "map", map } : { kind: "marks", coats: [] },
    left: [],
    right: map ? ["map"] : [],
    dispose: () => undefined,
  };
}

/** Computes the map. Its values lie in one of two arrays that are kept with the picture and used in turns. */
export async function mapOf(
  given: Given,
  distance: DistanceRecipe,
  objects: ObjectsRecipe,
): Promise<{ readonly map: DistanceMap | undefined; readonly chosen?: FoundObjects["chosen"] }> {
  const { resident, within } = given;
  const { width, height } = resident.opened;
  // The map that is shown keeps its values while the next one is measured.
  const arrays = (resident.kept.get(KEPT) ?? []) as Float32Array[];
  const into = arrays.find((each) => each !== shown.value?.data) ?? new Float32Array(width * height);
  if (!arrays.includes(into)) resident.kept.set(KEPT, [...arrays, into]);
  const options = { ...distanceOptions(distance), ...callOptions(given), into };
  const measure = (target: DistanceTarget): Promise<DistanceMap> => resident.engine.distance(target, options);
  const { spacing } = resident;
  if (distance.target === "points") {
    if (distance.points.length === 0) return { map: undefined };
    return { map: await measure(defined({ points: distance.points, width, height, spacing })) };
  }
  if (distance.target === "selection")
    return { map: within && (await measure(spacing ? { ...within, spacing } : within)) };
  const { components, chosen } = await findObjects(given, foregroundOf(objects));
  try {
    return { map: await measure(components), chosen };
  } finally {
    components.dispose();
  }
}

/** The minimum, maximum and mean of the finite values, a part at a time; undefined if no value is finite. */
export async function totalsOf({ data }: DistanceMap, signal: AbortSignal | undefined): Promise<Totals | undefined> {
  let [low, high, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let from = 0; from < data.length; from += TURN) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    const end = Math.min(data.length, from + TURN);
    for (let i = from; i < end; i++) {
      const value = data[i];
      if (value - value !== 0) continue;
      if (value < low) low = value;
      if (value > high) high = value;
      sum += value;
      count++;
    }
  }
  return count > 0 ? { low, high, mean: sum / count } : undefined;
}

/** Radius and centre of the largest circle in each object: in pixels, or in the unit of the scale. */
export async function circlesOf(given: Given, objects: ObjectsRecipe, isScaled: boolean): Promise<Float64Array> {
  const { components } = await findObjects(given, objects);
  try {
    const physical = isScaled ? given.resident.physical : {};
    const { inscribed } = await components.regions({ properties: ["inscribed"], ...physical, ...callOptions(given) });
    return inscribed ?? new Float64Array();
  } finally {
    components.dispose();
  }
}
