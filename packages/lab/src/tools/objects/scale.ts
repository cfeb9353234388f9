// Properties as numbers, and the range of a chart of them.

import type { Regions } from "skerry";
import type { Property } from "../../settings/objects.js";

export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** A property's numbers; sums of integers are converted from BigInt64Array. */
export const valuesOf = (regions: Regions, name: Property): ArrayLike<number> => {
  const values = regions[name] ?? [];
  return values instanceof BigInt64Array ? Float64Array.from(values, Number) : values;
};

/** The range of the finite values and the finite bounds; never empty. */
export function scaleOf(values: ArrayLike<number>, bounds?: readonly [number, number]): Scale {
  const ends = bounds?.filter(Number.isFinite) ?? [];
  let [low, high] = [Math.min(Number.POSITIVE_INFINITY, ...ends), Math.max(Number.NEGATIVE_INFINITY, ...ends)];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return low < high
    ? { low, high }
    : { low: Number.isFinite(low) ? low : 0, high: (Number.isFinite(low) ? low : 0) + 1 };
}
