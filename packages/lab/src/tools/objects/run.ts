// The objects of a picture under a recipe: connected components, which of them stay, their measurements, and the run table
// for the pointer.

import {
  type Components,
  type ComponentsOptions,
  type Image,
  labelAt,
  type Mask,
  type Regions,
  type RegionsOptions,
  type Runs,
  type Timing,
} from "skerry";
import { defined, factsOf, isOfIntensity } from "skerry/internal";
import {
  boundsOf,
  type Chosen,
  chosenOf,
  isLocal,
  isOfColours,
  type ObjectsRecipe,
  optionsOf,
  type Property,
  preparingSteps,
} from "../../settings/objects.js";
import type { Fence } from "../../settings/recipe.js";
import type { Spot } from "../../settings/spots.js";
import { TEXT } from "../../words/text.js";
import { addTimings, areaOf, callOptions, type Given, type Result, wholeOf } from "../tool.js";

/** Objects as the page shows them. */
export interface Objects extends Result {
  readonly components: Components;
  /** The plane on which properties of pixels are measured; a label image has none. */
  readonly plane: Image | undefined;
}

export interface Measured {
  readonly regions: Regions;
  readonly runs: Runs;
}

/** The histogram of the plane. */
export interface Levels {
  /** Key of the plane's options; see `levelsKey`. */
  readonly key: string;
  readonly counts: Float64Array;
  readonly edges: Float64Array;
  readonly otsu: number;
  readonly min: number;
  readonly max: number;
  /** Whether values are whole numbers, one to a bin. */
  readonly isInteger: boolean;
}

/** The plane that is thresholded. */
const preparedPlane = ({ resident }: Given, recipe: ObjectsRecipe): Promise<Image> =>
  resident.prepared(recipe.channel, preparingSteps(recipe));

/** The options without the steps that a prepared plane has already. */
const optionsOfPrepared = (recipe: ObjectsRecipe) => optionsOf({ ...recipe, smooth: 0, gradient: 0, flatten: 0 });

/** Key of the options, and of the fence, that the levels depend on. */
export function levelsKey(recipe: ObjectsRecipe, fence?: Fence): string {
  return JSON.stringify([recipe.channel, preparingSteps(recipe), fence]);
}

/** The histogram of the pixels that are thresholded: of the plane, inside the fence. */
export async function countLevels(given: Given, recipe: ObjectsRecipe, fence?: Fence): Promise<Levels> {
  const plane = await preparedPlane(given, recipe);
  const bins = plane.type === "u8" ? {} : { bins: 256 };
  const { counts, edges, otsu, min, max } = await given.resident.engine.histogram(
    plane,
    // A fence without a pixel has no levels; those of the plane stay in sight.
    defined({
      ...bins,
      signal: given.signal,
      within: given.within && areaOf(given.within) > 0 ? given.within : undefined,
    }),
  );
  const isInteger = plane.type !== "f32" && (edges[1] ?? 0) - (edges[0] ?? 0) === 1;
  return { key: levelsKey(recipe, fence), counts, edges, otsu, min, max, isInteger };
}

/** Objects that were found, before they are shown. */
export interface FoundObjects {
  readonly components: Components;
  readonly plane: Image | undefined;
  readonly stages: readonly Timing[];
  /** The choice of an automatic threshold. */
  readonly chosen: Chosen;
  /** Corrections that change nothing. */
  readonly idle: readonly number[];
  /** Whether only corrections changed. */
  readonly isOfAct?: boolean;
}

/** The objects before the corrections of the last result: a correction does not find them again. */
let kept: { readonly key: string; readonly given: Given; readonly found: FoundObjects } | undefined;

export function forgetKept(): void {
  kept?.found.components.dispose();
  kept = undefined;
}

/** Finds the objects, and how the view draws them. */
export async function showObjects(given: Given, recipe: ObjectsRecipe): Promise<Objects> {
  const { components, plane, stages, chosen, idle, isOfAct } = await foundQuickly(given, recipe);
  return {
    isOfAct,
    components,
    plane,
    stages,
    found: {
      headline: { value: components.count, unit: TEXT.objects(components.count) },
      covered: components.foreground / Math.max(1, wholeOf(given)),
      ...chosen,
      idle,
    },
    content: { kind: "labels", components },
    left: ["chosen"],
    right: ["colours"],
    dispose: () => components.dispose(),
  };
}

/** Finds the objects, from those before the corrections if nothing else has changed. */
async function foundQuickly(given: Given, recipe: ObjectsRecipe): Promise<FoundObjects> {
  const key = JSON.stringify([{ ...recipe, edits: [] }, given.resident.spacing]);
  const { resident, within } = kept?.given ?? {};
  const isKept = kept?.key === key && resident === given.resident && within === given.within;
  if (!isKept || recipe.edits.length === 0) forgetKept();
  if (recipe.edits.length === 0) return findObjects(given, recipe);
  if (!isKept) {
    const found = await uncorrected(given, recipe);
    if (given.signal?.aborted) {
      found.components.dispose();
      given.signal.throwIfAborted();
    }
    // A call that was begun before may have ended meanwhile.
    forgetKept();
    kept = { key, given, found };
  }
  const { found } = kept as NonNullable<typeof kept>;
  const before = isKept ? { ...found, stages: [] } : found;
  return { ...(await corrected(given, recipe, before)), isOfAct: isKept };
}

/** Finds the objects. The caller disposes them. */
export async function findObjects(given: Given, recipe: ObjectsRecipe): Promise<FoundObjects> {
  const before = await uncorrected(given, recipe);
  if (recipe.edits.length === 0) return before;
  return corrected(given, recipe, before).finally(() => before.components.dispose());
}

/** The objects after the corrections. */
async function corrected(given: Given, { edits }: ObjectsRecipe, before: FoundObjects): Promise<FoundObjects> {
  const components = await before.components.edit(edits, callOptions(given));
  const stages = [...before.stages];
  addTimings(stages, given.resident.engine.timings);
  return { ...before, components, stages, idle: Array.from(components.idleEdits ?? []) };
}

/** Objects that join by their pixels. */
async function joined(given: Given, recipe: ObjectsRecipe): Promise<Components> {
  const { resident, within } = given;
  const allPixels = recipe.rule === "value" ? resident.values() : resident.image();
  const pixels = isOfColours(recipe) ? await allPixels : await preparedPlane(given, recipe);
  const options = { ...optionsOfPrepared(recipe), ...resident.physical, ...callOptions(given), within };
  return resident.engine.components(pixels, defined<ComponentsOptions>(options));
}

async function uncorrected(given: Given, recipe: ObjectsRecipe): Promise<FoundObjects> {
  const { resident } = given;
  const call = callOptions(given);
  const isTaken = recipe.rule === "labels";
  const plane = isTaken ? undefined : await resident.plane(recipe.channel);
  const stages: Timing[] = [];
  let components = await (isTaken ? (await import("./taken.js")).taken(given, recipe) : joined(given, recipe));
  addTimings(stages, resident.engine.timings);
  const chosen = chosenOf(components);
  const bounds = boundsOf(recipe);
  if (bounds.length > 0) {
    const all = components;
    try {
      const properties = bounds.map(([name]) => name);
      const regions = await all.regions(
        defined<RegionsOptions>({ properties, intensity: plane, ...resident.physical, ...call }),
      );
      addTimings(stages, resident.engine.timings);
      const labels: number[] = [];
      for (let i = 0; i < all.count; i++) {
        const within = bounds.every(([name, [low, high]]) => {
          const value = Number(regions[name]?.[i]);
          return value >= low && value <= high;
        });
        if (within) labels.push(i + 1);
      }
      components = await all.keep({ labels, ...call });
      addTimings(stages, resident.engine.timings);
    } finally {
      all.dispose();
    }
  }
  return { components, plane, stages, chosen, idle: [] };
}

/** The labels of the objects at some pixels. */
export function labelsAt(runs: Runs, spots: readonly Spot[]): Set<number> {
  return new Set(spots.map(([x, y]) => labelAt(runs, x, y)).filter((label) => label > 0));
}

/** A pixel of each of some objects: the first of its first run. */
export function spotsOf({ count, row, begin, label }: Runs, labels: ReadonlySet<number>): Spot[] {
  const spots = new Map<number, Spot>();
  for (let i = 0; i < count && spots.size < labels.size; i++) {
    const labelHere = label[i];
    if (labels.has(labelHere) && !spots.has(labelHere)) spots.set(labelHere, [begin[i], row[i]]);
  }
  return [...spots.values()];
}

/** Measures objects for the table, and reads their runs. */
export async function measureObjects(
  { components, plane }: Pick<Objects, "components" | "plane">,
  properties: ReadonlySet<Property>,
  given: Given,
): Promise<Measured> {
  const call = callOptions(given);
  const { spacing } = given.resident;
  const isSquare = spacing === undefined || spacing[0] === spacing[1];
  // Lengths along borders need square pixels.
  const isMeasured = (name: Property): boolean =>
    name !== "area" &&
    (plane !== undefined || !isOfIntensity(name)) &&
    (isSquare || !(factsOf(name).needs ?? []).includes("square"));
  const wanted = ["area", "centroid", "bounds", ...[...properties].filter(isMeasured)] as const;
  const options = defined<RegionsOptions>({
    properties: wanted,
    intensity: plane,
    ...given.resident.physical,
    ...call,
  });
  const [regions, runs] = await Promise.all([components.regions(options), components.runs(call)]);
  return { regions, runs };
}

/** The pixels of the objects at some spots, as a fence. */
export async function maskOfObjects(given: Given, recipe: ObjectsRecipe, spots: readonly Spot[]): Promise<Mask> {
  const { components } = await findObjects(given, recipe);
  try {
    const labels = [...labelsAt(await components.runs(callOptions(given)), spots)].sort((a, b) => a - b);
    const kept = await components.keep({ labels, ...callOptions(given) });
    const mask = await kept.mask(callOptions(given));
    kept.dispose();
    return mask;
  } finally {
    components.dispose();
  }
}

/** The number of objects for each threshold or radius; -1 if it is not counted yet. */
export type Counts = Int32Array;

/** The threshold of each bin of the histogram. */
export function thresholdsOf({ edges, isInteger }: Levels): number[] {
  return Array.from(edges.subarray(0, -1), (edge) => (isInteger ? edge : Math.fround(edge)));
}

/** The largest radius of a local threshold on its chart. */
export const MOST_RADIUS = 100;

/** Settings along a chart: with each threshold, or with each radius of a local one. */
export const settingsAlong = (recipe: ObjectsRecipe, levels: Levels): readonly Partial<ObjectsRecipe>[] =>
  isLocal(recipe.method)
    ? Array.from({ length: MOST_RADIUS }, (_, i) => ({ local: i + 1 }))
    : thresholdsOf(levels).map((threshold) => ({ threshold }));

/** Counts objects under each of some settings, coarse steps first. `told` receives the counts after each step. */
export async function countAlong(
  given: Given,
  recipe: ObjectsRecipe,
  settings: readonly Partial<ObjectsRecipe>[],
  onCounts: (counts: Counts) => void,
  mostMilliseconds: number,
): Promise<void> {
  const plane = await preparedPlane(given, recipe);
  const counts = new Int32Array(settings.length).fill(-1);
  const begin = performance.now();
  for (let step = 16; step >= 1; step /= 2) {
    for (let i = 0; i < settings.length; i += step) {
      if (counts[i] >= 0) continue;
      given.signal?.throwIfAborted();
      if (performance.now() - begin > mostMilliseconds) return;
      const { components } = await findAt(given, { ...recipe, ...settings[i] }, plane);
      counts[i] = components.count;
      components.dispose();
    }
    onCounts(counts.slice());
  }
}

async function findAt(given: Given, recipe: ObjectsRecipe, plane: Image) {
  const { resident, within, signal } = given;
  const options = optionsOfPrepared(recipe);
  const components = await resident.engine.components(
    plane,
    defined<ComponentsOptions>({
      ...options,
      ...resident.physical,
      signal: signal ?? options.signal,
      within: within ?? options.within,
    }),
  );
  return { components };
}

/** A range of thresholds in which the number of objects hardly changes, and the number that most of them have. */
export interface Plateau {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

const LEAST_LEVELS = 6;
const MOST_PLATEAUS = 3;

/** The number that occurs most often. */
function mostFrequent(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  for (const n of numbers) times.set(n, (times.get(n) ?? 0) + 1);
  return [...times].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

/**
 * The longest ranges of the curve in which counts differ by at most 2 % or one object. Uncounted thresholds are
 * skipped.
 */
export function plateausOf(counts: Counts): Plateau[] {
  const known = Array.from(counts.keys()).filter((i) => counts[i] >= 0);
  const found: Plateau[] = [];
  for (let a = 0; a < known.length; ) {
    let [low, high] = [counts[known[a]], counts[known[a]]];
    let b = a;
    while (b + 1 < known.length) {
      const next = counts[known[b + 1]];
      const [lower, higher] = [Math.min(low, next), Math.max(high, next)];
      if (higher - lower > Math.max(1, 0.02 * higher)) break;
      [low, high] = [lower, higher];
      b++;
    }
    const [first, last] = [known[a], known[b]];
    // A single object usually covers the whole picture.
    if (low > 1 && last - first >= LEAST_LEVELS) {
      found.push({ first, last, count: mostFrequent(known.slice(a, b + 1).map((i) => counts[i])) });
    }
    a = b + 1;
  }
  return found.sort((p, q) => q.last - q.first - (p.last - p.first)).slice(0, MOST_PLATEAUS);
}
