// Opens the whole volume, and computes the objects, the fill or the distances in it by the settings of the tools. Settings of one slice,
// such as deleted objects and the selection that is worked in, stay with that slice.

import { type Space, spacingOf } from "@skerry/files";
import { lengthUnitOf, sizesOf } from "@skerry/files/internal";
import type { RecipeOptions, Recipe as SavedRecipe } from "@skerry/recipe";
import type { CallOptions, Components, DistanceMap, Engine, Image, Raster } from "skerry";
import { defined } from "skerry/internal";
import { type Asked, Latest } from "../../engine/latest.js";
import { type Opened, openWhole, Refused } from "../../files/open.js";
import { imagesOf } from "../../files/opened.js";
import { planesOf } from "../../files/planes.js";
import { fileShown } from "../../session/open.js";
import { distanceOptions } from "../../settings/distance.js";
import { changedComparison, comparisonOf } from "../../settings/fill.js";
import { chosenOf, optionsOf } from "../../settings/objects.js";
import type { Recipe } from "../../settings/recipe.js";
import { isOfObjects, tidy } from "../../settings/saved.js";
import { lines } from "../../state/drawn.js";
import { session } from "../../state/engine.js";
import { followWith, picture, recipe } from "../../state/lab.js";
import { carriedInto, isToldBy, scaleIn } from "../../state/scale.js";
import { savedOf } from "../../tools/index.js";
import { takenOf } from "../../tools/objects/taken.js";
import { VOLUME } from "../../words/volume.js";
import { forgetFinest } from "./finest.js";
import { forgetLine } from "./hand.js";
import {
  connectivity,
  edits,
  hand,
  held,
  isBusy,
  kindNow,
  measured,
  type Point,
  point,
  type Result,
  refuse,
  refused,
  result,
  seed,
  seen,
  shades,
  tolerance,
  usualTolerance,
} from "./state.js";

/** Parts of the values that are darker than black and brighter than white at first. */
const CUT = 0.005;

const engineNow = (): Engine => {
  if (!session.engine) throw new Error(VOLUME.noEngine);
  return session.engine;
};

/** The values below and above which a part of all lies. */
function cutOf(counts: Float64Array, edges: Float64Array): readonly [number, number] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const at = (part: number): number => {
    let sum = 0;
    const bin = counts.findIndex((count) => {
      sum += count;
      return sum >= part * all;
    });
    return bin < 0 ? counts.length - 1 : bin;
  };
  const [low, high] = [edges[at(CUT)], edges[at(1 - CUT) + 1] ?? edges[at(1 - CUT)]];
  return high > low ? [low, high] : [low, low + 1];
}

/** Keeps the page from computing the slice that the volume covers with each change, or lets it follow again. */
export function coverPage(isCovered: boolean): void {
  followWith(() => isCovered || session.follower?.ask());
  if (!isCovered) session.follower?.ask();
}

/** All slices of the volume of which one is shown. Rejects with {@link Refused}. */
async function wholeVolume(signal: AbortSignal): Promise<Opened> {
  const { source } = recipe.value;
  const file = fileShown();
  if (!file) throw new Refused({ why: "decode" });
  return openWhole(file, source.split("/").at(-1) ?? source, recipe.value, signal);
}

/** Opens the volume of the picture that is shown. */
export async function openVolume(signal: AbortSignal): Promise<void> {
  refused.value = "";
  let image: Image | undefined;
  try {
    const opened = await wholeVolume(signal);
    const { space, width, height, depth = 1, data } = opened;
    if (depth < 2) throw new Error(VOLUME.flat);
    const spacing = spacingOf(space);
    // A scale that was set by hand does not tell how far apart slices are.
    const unit = spacing?.length === 3 && isToldBy(opened, recipe.value) ? lengthUnitOf(space) : undefined;
    const raster: Raster = defined({ data, width, height, depth, spacing: unit === undefined ? undefined : spacing });
    const engine = engineNow();
    image = await engine.load(raster);
    const levels = await engine.histogram(image, data instanceof Uint8Array ? {} : { bins: 256 });
    if (signal.aborted) return image.dispose();
    const sides = space.axes.slice(0, 3).map((axis) => axis.spacing ?? 1) as unknown as Point;
    const sizes = sizesOf(space);
    shades.value = cutOf(levels.counts, levels.edges);
    usualTolerance.value = Number(((shades.value[1] - shades.value[0]) / 10).toPrecision(2));
    const middle = sizes.map((size) => Math.floor(size / 2));
    const images = picture.value ? imagesOf(picture.value) : [];
    // The planes meet in the slice that was shown.
    const { at = middle[2] } = images.find(({ name }) => name === "slice" || name === "page") ?? {};
    point.value = [middle[0], middle[1], Math.min(at, sizes[2] - 1)];
    held.value = { opened, sizes, sides, unit, planes: planesOf(space), image, low: levels.min, high: levels.max };
  } catch (error) {
    image?.dispose();
    if (signal.aborted) return;
    refuse(error);
  }
}

/** Gives back all that the volume holds. */
export function closeVolume(): void {
  forgetLine();
  hand.value = undefined;
  latest.cancel();
  replace(undefined, "");
  held.value?.image.dispose();
  held.value = undefined;
  distances = new Float32Array(0);
}

/** The settings of the page as they hold for the whole volume: lengths in voxels where a side is not known. */
function settingsNow(): Recipe {
  const { value } = recipe;
  const settings = { ...value, within: undefined, objects: { ...value.objects, edits: [], keep: {} } };
  const { unit } = held.value ?? {};
  return carriedInto(settings, unit === undefined ? undefined : value.scale && scaleIn(value.scale, unit));
}

/** The recipe of a fill from a voxel of a level. */
export function savedFill(from: Point, level: number | undefined): SavedRecipe {
  const { connectivity: _, ...changed } = changedComparison(settingsNow().fill);
  const options: RecipeOptions = defined({
    seeds: [from],
    tolerance: tolerance.value || undefined,
    connectivity: connectivity.value === 6 ? undefined : connectivity.value,
  });
  return tidy("fill", { input: defined({ ...inputOf({}), level }), options: { ...options, ...changed } });
}

/** The recipe that gives what is shown with `skerry run`. */
export function savedVolume(): SavedRecipe | undefined {
  const settings = settingsNow();
  const joined = connectivity.value === 6 ? undefined : connectivity.value;
  const kind = kindNow();
  if (kind === "fill") {
    return seed.value && savedFill(seed.value, held.value?.opened.whole?.level);
  }
  const saved = savedOf({ ...settings, tool: kind });
  if (!saved) return undefined;
  const { connectivity: _, ...options } = saved.options ?? {};
  const corrected: RecipeOptions =
    kind === "objects" && edits.value.length > 0 ? { ...options, edits: edits.value } : options;
  const isJoined = isOfObjects(saved.operation) && joined !== undefined;
  const input = inputOf(saved.input ?? {});
  // The command measures in the file's spacing, which may have no unit that the page knows.
  const isSpaced =
    kind === "distance" && held.value?.unit === undefined && spacingOf(held.value?.opened.space as Space);
  return tidy(saved.operation, {
    input: isSpaced ? { ...input, spacing: [1, 1, 1] } : input,
    options: isJoined ? { ...corrected, connectivity: joined } : corrected,
  });
}

/** The input of a recipe for the whole volume: the file tells its size, and no slice is taken. */
function inputOf(input: NonNullable<SavedRecipe["input"]>): NonNullable<SavedRecipe["input"]> {
  const { page: _, time: __, spacing: ___, unit: ____, ...rest } = input;
  return { ...rest, ...held.value?.opened.whole };
}

let distances = new Float32Array(0);
/** The array of the distances, which stays from one map to the next. */
function distancesOf({ width, height, depth }: Image): Float32Array {
  const length = width * height * depth;
  if (distances.length !== length) distances = new Float32Array(length);
  return distances;
}

function farthestOf({ data }: DistanceMap): number {
  let farthest = 0;
  // An iterator takes ten times as long over millions of voxels.
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    if (value > farthest && value < Number.POSITIVE_INFINITY) farthest = value;
  }
  return farthest;
}

/** Computes the result of the settings. The caller disposes its components. */
async function computeVolume({ signal, onProgress }: Asked): Promise<Result | undefined> {
  const { image, unit } = held.value ?? {};
  if (!image) return undefined;
  const engine = engineNow();
  const call: CallOptions = { signal, onProgress };
  const kind = kindNow();
  const begin = performance.now();
  const settings = settingsNow();
  let components: Components;
  let map: DistanceMap | undefined;
  if (kind === "fill") {
    if (!seed.value) return undefined;
    const options = { ...comparisonOf(settings.fill), connectivity: connectivity.value, tolerance: tolerance.value };
    components = await engine.fill(image, { ...options, ...call, seeds: [seed.value] });
  } else if (settings.objects.rule === "labels") {
    const physical = unit === undefined ? {} : ({ physical: true } as const);
    const joined = kind === "distance" ? 6 : connectivity.value;
    components = await takenOf(engine, image, settings.objects, { ...physical, ...call }, joined);
  } else {
    components = await engine.components(image, {
      ...optionsOf(settings.objects),
      connectivity: kind === "distance" ? 6 : connectivity.value,
      physical: unit !== undefined,
      ...call,
    });
  }
  const chosen = kind === "fill" ? {} : chosenOf(components);
  if (kind === "objects" && edits.value.length > 0) {
    const found = components;
    components = await found.edit(edits.value, call).finally(() => found.dispose());
  }
  try {
    if (kind === "distance")
      map = await engine.distance(components, {
        ...distanceOptions(settings.distance),
        ...call,
        into: distancesOf(image),
      });
    const milliseconds = performance.now() - begin;
    const idle = Array.from(components.idleEdits ?? []);
    return { kind, components, map, farthest: map ? farthestOf(map) : 0, chosen, idle, milliseconds };
  } catch (error) {
    components.dispose();
    throw error;
  }
}

/** The settings that the result belongs to. */
let computed = "";
const keyNow = (): string => {
  const { objects, distance, fill } = settingsNow();
  const kind = kindNow();
  const of =
    kind === "fill"
      ? [fill, seed.value, tolerance.value]
      : kind === "distance"
        ? [objects, distance]
        : [objects, edits.value];
  return JSON.stringify([kind, connectivity.value, ...of]);
};

const latest = new Latest({
  failed: (error) => {
    refuse(error);
    isBusy.value = false;
  },
  progressed: (fraction) => {
    isBusy.value = fraction !== undefined;
  },
});

/** Takes a result, or none, in place of the one that is shown. */
function replace(next: Result | undefined, key: string): void {
  result.value?.components.dispose();
  result.value = next;
  measured.value = undefined;
  forgetFinest();
  // The planes of the result before stay until those of the next are read.
  if (!next) seen.value = undefined;
  computed = key;
}

/** Computes what changed, and reads the three planes through the point. */
export function refresh(): void {
  latest.ask(async (asked) => {
    const key = keyNow();
    if (key !== computed) {
      refused.value = "";
      let next: Result | undefined;
      try {
        next = await computeVolume(asked);
      } catch (error) {
        // The shown result is of other settings.
        if (!asked.signal.aborted) replace(undefined, key);
        throw error;
      }
      if (asked.signal.aborted) {
        next?.components.dispose();
        return;
      }
      replace(next, key);
    }
    await look();
    // The picture comes first.
    if (!measured.value) await measure(asked);
  });
}

/** Measures the objects for the table. */
async function measure(call: Asked): Promise<void> {
  const { kind, components } = result.value ?? {};
  if (kind !== "objects" || !components) return;
  const physical = held.value?.unit !== undefined;
  measured.value = await components.regions({ properties: ["area", "centroid"], physical, ...call });
}

/** Reads the results in the planes through the point. */
async function look(): Promise<void> {
  const { value: found } = result;
  const { value: volume } = held;
  if (!found || !volume) return;
  const [x, y, z] = point.value;
  const [width, height, depth] = volume.sizes;
  const windows = [
    { axis: "x", x, y: 0, z: 0, width: height, height: depth },
    { axis: "y", x: 0, y, z: 0, width, height: depth },
    { axis: "z", x: 0, y: 0, z, width, height },
  ] as const;
  const { map, components } = found;
  if (map) {
    const planes = windows.map((window) => map.window(window));
    seen.value = { kind: "distances", planes, farthest: found.farthest, lines: lines.value };
    return;
  }
  const read = await Promise.all(windows.map((window) => components.labels({ window })));
  seen.value = { kind: "labels", planes: read.map(({ data }) => data) };
}
