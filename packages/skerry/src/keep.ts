// Which objects stay, chosen on the host: a byte per object.

import type { BackendComponents, Call, Filter, RegionSums, Size } from "./backend.js";
import { show } from "./check.js";
import { InvalidArgument } from "./errors.js";
import type { KeepOptions, PixelArray } from "./types.js";

/** Makes a byte per object, 1 for those that stay. */
export type Choose = (held: BackendComponents, call: Call) => Promise<Uint8Array>;

/** Checks the options of `keep()`. */
export function chosenLabels({ perValue, labels }: KeepOptions): Choose {
  if ((perValue === undefined) === (labels === undefined)) {
    throw new InvalidArgument("Expected either perValue or labels to say which objects to keep.");
  }
  if (labels !== undefined && typeof Object(labels)[Symbol.iterator] !== "function") {
    throw new InvalidArgument(`Expected labels to be a list of labels, got ${show(labels)}.`);
  }
  if (labels !== undefined) return (held) => listed(labels, held.count);
  const k = perValue as number;
  if (!Number.isInteger(k) || k < 1) {
    throw new InvalidArgument(`Expected perValue to be a whole number of at least 1, got ${show(perValue)}.`);
  }
  return (held, call) => largestPerValue(held, k, call);
}

async function listed(labels: Iterable<number>, count: number): Promise<Uint8Array> {
  const keep = new Uint8Array(count);
  for (const label of labels) {
    if (!Number.isInteger(label) || label < 1 || label > count) {
      throw new InvalidArgument(`Expected labels to be whole numbers from 1 to ${count}, got ${show(label)}.`);
    }
    keep[label - 1] = 1;
  }
  return keep;
}

/** Sorts the objects by size, and of each value or class takes the first k. */
async function largestPerValue(held: BackendComponents, k: number, call: Call): Promise<Uint8Array> {
  const { count, values } = held;
  const { area } = await held.regions({ level: "area", solid: held.depth > 1 || values !== undefined }, call);
  const classes = held.classes === 2 ? await held.classOf(call) : undefined;
  const channels = values ? values.length / count : 0;
  const kindOf = (i: number): number | string => {
    if (classes) return classes[i] as number;
    if (!values) return 0;
    return channels === 1 ? (values[i] as number) : values.subarray(i * channels, (i + 1) * channels).join();
  };
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (area[b] as number) - (area[a] as number) || a - b);
  const kept = new Map<number | string, number>();
  const keep = new Uint8Array(count);
  for (const i of order) {
    const kind = kindOf(i);
    const before = kept.get(kind) ?? 0;
    if (before === k) continue;
    kept.set(kind, before + 1);
    keep[i] = 1;
  }
  return keep;
}

/** The objects that a filter keeps, by their areas and, where it clears the border, their boxes. */
export function chooseLabels(
  { clearBorder, minArea, maxArea, largest }: Omit<Filter, "fillHoles">,
  { area, bounds }: RegionSums,
  { width, height, depth }: Size,
): Uint8Array {
  const count = area.length;
  const keep = new Uint8Array(count);
  const fields = bounds ? bounds.length / count : 0;
  const ends = [width, height, depth];
  for (let i = 0; i < count; i++) {
    const size = area[i] as number;
    if (size < minArea || size > maxArea) continue;
    if (bounds && clearBorder && touches(bounds, i * fields, fields / 2, ends)) continue;
    keep[i] = 1;
  }
  if (largest > 0) keepLargest(keep, area, largest);
  return keep;
}

/** Whether a box reaches the border; an image's slice is no border. */
function touches(bounds: Uint32Array, at: number, axes: number, ends: readonly number[]): boolean {
  for (let axis = 0; axis < axes; axis++) {
    if (axis === 2 && ends[2] === 1) continue;
    if (bounds[at + axis] === 0 || bounds[at + axes + axis] === ends[axis]) return true;
  }
  return false;
}

/** Of what is kept, only the k largest stay; at equal area the lower label. */
function keepLargest(keep: Uint8Array, area: Uint32Array, k: number): void {
  const areas = area.filter((_, i) => keep[i]).sort();
  if (areas.length <= k) return;
  const least = areas[areas.length - k] as number;
  let ties = k - (areas.length - (areas.lastIndexOf(least) + 1));
  for (let i = 0; i < area.length; i++) {
    const size = area[i] as number;
    if (!keep[i] || size > least) continue;
    if (size === least && ties > 0) ties--;
    else keep[i] = 0;
  }
}

/** The values of the objects that stay, in their order. */
export function valuesKept(values: PixelArray, keep: Uint8Array): PixelArray {
  const channels = values.length / keep.length || 1;
  return values.filter((_, i) => keep[Math.floor(i / channels)] === 1) as PixelArray;
}
