// Selects objects by their properties, sorts them, corrects them by hand, and picks some by a pixel.

import { type CallOptions, type Components, type Engine, labelAt, type Raster, type Regions } from "skerry";
import { type ObjectCondition, objectCondition, type Totals, totalCondition } from "../conditions.js";
import { RecipeError } from "../errors.js";
import { placesOf } from "../fields/places.js";
import type { Recipe } from "../fields.js";
import { channelOf, physicalOf } from "./options.js";
import type { Pixels } from "./pixels.js";

/** Called with picks that are pixels of no object, and with the first places of edits that changed nothing. */
export type OnEmpty = (name: "pick" | "edits", at: readonly number[]) => void;

/** Options that measure objects: the image with their values, and the unit of lengths. */
export interface Measuring {
  readonly intensity?: Pixels;
  readonly physical?: true;
}

/** How the objects of a recipe are measured: with the values of another image, or else of the channel in which they were found. */
export async function measuringOf(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  call: CallOptions = {},
  other?: Pixels,
): Promise<Measuring> {
  if (other) return { ...physicalOf(recipe), intensity: other };
  const channel = recipe.products?.perChannel || recipe.operation !== "components" ? undefined : channelOf(recipe);
  const isOne = !("buffer" in pixels) && pixels.channels === 1;
  const intensity =
    channel === undefined || (isOne && (channel === 0 || channel === "luma"))
      ? pixels
      : await engine.channel(pixels as Raster, channel, call);
  return { ...physicalOf(recipe), intensity };
}

/** Refuses a pixel outside the image, and one of a volume without its slice. */
function checkPlace(name: string, at: readonly number[], { width, height, depth }: Components): void {
  const [x, y, z = 0] = at;
  const isVolume = depth > 1;
  const isInside = x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
  if (isInside && at.length === (isVolume ? 3 : 2)) return;
  const size = isVolume ? `${width} x ${height} x ${depth} volume` : `${width} x ${height} image`;
  throw new RecipeError(
    `Expected the pixels of ${name} to be ${isVolume ? "X,Y,Z" : "X,Y"} inside the ${size}, got ${at.join(",")}.`,
  );
}

/** New components: the objects for which a condition holds. */
function objectsWhere(
  objects: Components,
  { properties, holds }: ObjectCondition,
  measuring: Measuring,
  call: CallOptions,
  totals?: Totals,
): Promise<Components> {
  return objects.keep({
    ...(measuring as { intensity?: Raster }),
    ...call,
    where: (object) => holds(object, totals),
    properties,
  });
}

/** The verdict of `products.failIf`: how many objects fulfil it, or for a condition on totals alone whether it holds. */
export interface Verdict {
  readonly condition: string;
  readonly fails: boolean;
  /** Objects that fulfil it; undefined for totals alone. */
  readonly objects: number | undefined;
  /** The bounds of the first of them. */
  readonly first: readonly number[] | undefined;
  readonly totals: Totals;
}

/** Whether the objects of a recipe fail; undefined if it does not say when they do. */
export async function verdictOf(
  found: Components,
  { products = {} }: Recipe,
  measuring: Measuring,
  call: CallOptions = {},
): Promise<Verdict | undefined> {
  const { failIf } = products;
  if (failIf === undefined) return undefined;
  const condition = totalCondition("failIf", failIf);
  const { count, foreground, width, height, depth } = found;
  const totals = { count, foreground, coverage: foreground / (width * height * depth) };
  if (!condition.ofObjects) {
    return { condition: failIf, fails: condition.holds({}, totals), objects: undefined, first: undefined, totals };
  }
  using failing = await objectsWhere(found, condition, measuring, call, totals);
  const { bounds } = await failing.regions({ properties: ["bounds"], ...call });
  const first = failing.count > 0 ? Array.from(bounds.subarray(0, bounds.length / failing.count)) : undefined;
  return { condition: failIf, fails: failing.count > 0, objects: failing.count, first, totals };
}

/** Selects, sorts, corrects and picks objects. `found` is disposed of if new objects are returned, and on errors. */
export async function selectObjects(
  found: Components,
  { options = {} }: Recipe,
  measuring: Measuring,
  call: CallOptions,
  onEmpty: OnEmpty | undefined,
): Promise<Components> {
  const { select, sort, top, edits, pick } = options;
  let left = found;
  const become = (next: Components): void => {
    left.dispose();
    left = next;
  };
  try {
    for (const at of pick ?? []) checkPlace("pick", at, found);
    for (const [i, edit] of edits?.entries() ?? [])
      for (const at of placesOf(edit)) checkPlace(`edits[${i}]`, at, found);
    if (select) {
      become(await objectsWhere(left, objectCondition("select", select), measuring, call));
    }
    if (top !== undefined && top < left.count) {
      const order = await orderOf(left, sort ?? "area", measuring, call);
      become(await left.keep({ labels: order.subarray(0, top), ...call }));
    }
    if (edits) {
      become(await left.edit(edits, call));
      for (const i of left.idleEdits ?? []) onEmpty?.("edits", placesOf(edits[i])[0]);
    }
    if (pick) {
      const runs = await left.runs(call);
      const picked = new Set<number>();
      for (const at of pick) {
        const [x, y, z] = at;
        const label = labelAt(runs, x, y, z);
        if (label === 0) onEmpty?.("pick", at);
        else picked.add(label);
      }
      become(await left.keep({ labels: [...picked].sort((a, b) => a - b), ...call }));
    }
    return left;
  } catch (error) {
    left.dispose();
    throw error;
  }
}

/**
 * Labels in decreasing order of a property, or in increasing order with `-property`. NaN come last; of equal values the lower
 * label comes first.
 * @example
 * import { orderOf } from "@skerry/recipe";
 * const labels = await orderOf(blobs, "area"); // the largest first
 * console.log(labels.length === blobs.count); // true
 */
export async function orderOf(
  objects: Components,
  sort: string,
  measuring: Measuring = {},
  call: CallOptions = {},
): Promise<Uint32Array> {
  const rising = sort.startsWith("-");
  const property = sort.replace(/^-/, "") as keyof Regions;
  const regions = await objects.regions({ properties: [property as "area"], ...(measuring as object), ...call });
  const values = Float64Array.from(regions[property as "area"] as ArrayLike<number | bigint>, Number);
  const labels = Uint32Array.from({ length: objects.count }, (_, i) => i + 1);
  return labels.sort((a, b) => {
    const [one, other] = [values[a - 1], values[b - 1]];
    if (Number.isNaN(one) || Number.isNaN(other)) {
      return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || a - b;
    }
    return (rising ? one - other : other - one) || a - b;
  });
}
