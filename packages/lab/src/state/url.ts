// Recipes in the address's hash: short, with a version, written at most twice a second. Only what differs from the defaults is written.
// Fences are left out: they would make links too long.

import {
  CHANNELS,
  FILL,
  type FillRecipe,
  type FillSettings,
  OBJECTS,
  type ObjectsRecipe,
  PROPERTIES,
  type Recipe,
  STEPS,
  type Step,
  type Stroke,
  TOOLS,
} from "./recipe.js";

const VERSION = "2";
const PAUSE_MILLISECONDS = 500;
const MOST_LETTERS = 1500;

/** The fields of a recipe's part that differ from the defaults. */
function differing<T extends object>(part: T, defaults: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name as keyof T])),
  ) as Partial<T>;
}

const empty = (part: object): boolean => Object.keys(part).length === 0;

/** A recipe as the hash holds it; undefined where it is too long for a link. */
export function hashOf({ source, shrink, tool, objects, fill }: Recipe): string | undefined {
  const [own, filled] = [differing(objects, OBJECTS), differing(fill, FILL)];
  const fields = new URLSearchParams({
    ...{ v: VERSION, source, tool },
    ...(shrink > 1 ? { shrink: `${shrink}` } : {}),
    ...(empty(own) ? {} : { objects: JSON.stringify(own) }),
    ...(empty(filled) ? {} : { fill: JSON.stringify(filled) }),
  });
  const hash = `#${fields}`;
  return hash.length <= MOST_LETTERS ? hash : undefined;
}

/** The recipe of a hash; undefined where it holds none that this version knows. */
export function recipeOf(hash: string): Recipe | undefined {
  try {
    const fields = new URLSearchParams(hash.slice(1));
    const source = fields.get("source");
    const tool = TOOLS.find((name) => name === fields.get("tool"));
    if (fields.get("v") !== VERSION || !source || !tool) return undefined;
    const objects = checkedObjects({ ...OBJECTS, ...JSON.parse(fields.get("objects") ?? "{}") });
    const fill = checkedFill({ ...FILL, ...JSON.parse(fields.get("fill") ?? "{}") });
    const shrink = Number(fields.get("shrink") ?? 1);
    return objects && fill && isWhole(shrink, 1, 64) ? { source, shrink, tool, objects, fill } : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = (n: unknown, least: number, most: number): boolean =>
  Number.isInteger(n) && (n as number) >= least && (n as number) <= most;
const isSpot = (spot: unknown): boolean =>
  Array.isArray(spot) && spot.length === 2 && spot.every((n) => isWhole(n, 0, 65535));

function checkedObjects(objects: ObjectsRecipe): ObjectsRecipe | undefined {
  const { rule, channel, threshold, lower, connectivity, minArea, maxArea, largest, fillHoles, clearBorder } = objects;
  const { keep, dropped } = objects;
  const known =
    ["bright", "dark", "both", "nonzero", "value"].includes(rule) &&
    CHANNELS.includes(channel) &&
    (Object.entries(STEPS) as [Step, number][]).every(([name, most]) => objects[name] >= 0 && objects[name] <= most) &&
    [threshold, lower].every(Number.isFinite) &&
    [4, 8].includes(connectivity) &&
    [minArea, maxArea, largest].every((n) => isWhole(n, 0, 2 ** 32)) &&
    [fillHoles, clearBorder].every((flag) => typeof flag === "boolean") &&
    Array.isArray(dropped) &&
    dropped.every(isSpot) &&
    Object.entries(keep).every(
      ([name, bounds]) =>
        PROPERTIES.some((each) => each === name) && bounds.length === 2 && bounds.every(Number.isFinite),
    );
  return known ? objects : undefined;
}

function areSettings({ range, metric, connectivity, average, contiguous }: FillSettings): boolean {
  return (
    ["fixed", "floating"].includes(range) &&
    ["linf", "l1", "l2"].includes(metric) &&
    [4, 8].includes(connectivity) &&
    isWhole(average, 1, 99) &&
    average % 2 === 1 &&
    typeof contiguous === "boolean"
  );
}

function areStrokes(strokes: readonly Stroke[]): boolean {
  return (
    Array.isArray(strokes) &&
    strokes.every(
      ({ mode, x, y, tolerance }) =>
        ["new", "add", "take"].includes(mode) && isSpot([x, y]) && Number.isFinite(tolerance) && tolerance >= 0,
    )
  );
}

const isColour = (colour: unknown): boolean => typeof colour === "string" && /^#[0-9a-f]{6}$/.test(colour);

function checkedFill(fill: FillRecipe): FillRecipe | undefined {
  const known =
    areSettings(fill) &&
    areStrokes(fill.strokes) &&
    Number.isFinite(fill.tolerance) &&
    isColour(fill.colour) &&
    Array.isArray(fill.coats) &&
    fill.coats.every((coat) => areSettings(coat) && areStrokes(coat.strokes) && isColour(coat.colour));
  return known ? fill : undefined;
}

let timer: ReturnType<typeof setTimeout> | undefined;
let newest: Recipe | undefined;

/** Puts a recipe into the address, soon; one that is too long for a link leaves none there. */
export function remember(recipe: Recipe): void {
  newest = recipe;
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    const { pathname, search } = location;
    if (newest) history.replaceState(null, "", hashOf(newest) ?? `${pathname}${search}`);
  }, PAUSE_MILLISECONDS);
}
