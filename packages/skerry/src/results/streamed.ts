// Measurements of one object of a stream, in coordinates of all lines.

import type { RegionProperty, Regions } from "../types/regions.js";

/** The entries of properties that are columns, and those that are rows. */
const PLACES: Partial<
  Record<RegionProperty, { readonly columns: readonly number[]; readonly rows: readonly number[] }>
> = {
  centroid: { columns: [0], rows: [1] },
  bounds: { columns: [0, 2], rows: [1, 3] },
  weightedCentroid: { columns: [0], rows: [1] },
  minimumRectangle: { columns: [0], rows: [1] },
  inscribed: { columns: [1], rows: [2] },
};

/** Writes a property of object `index` of some regions into a record. */
type Writer = (object: Record<string, number | readonly number[]>, index: number) => void;

/** The writers of properties, with places moved by columns and rows. Streams tell millions of objects, so each is a plain loop. */
export function propertyWriters(
  regions: Regions,
  properties: readonly RegionProperty[],
  [column, row]: readonly [number, number],
): readonly Writer[] {
  if (regions.count === 0) return [];
  return properties.map((property): Writer => {
    const all = regions[property] as ArrayLike<number | bigint>;
    const each = all.length / regions.count;
    if (each === 1) {
      return (object, index) => {
        object[property] = Number(all[index]);
      };
    }
    const { columns = [], rows = [] } = PLACES[property] ?? {};
    const by = Array.from({ length: each }, (_, i) => (columns.includes(i) ? column : rows.includes(i) ? row : 0));
    const area = property === "centroid" ? regions.area : undefined;
    return (object, index) => {
      const values = new Array<number>(each);
      for (let i = 0; i < each; i++) {
        const value = Number(all[index * each + i]);
        values[i] = by[i] === 0 ? value : area ? movedMean(value, area[index], by[i]) : value + by[i];
      }
      object[property] = values;
    };
  });
}

/**
 * Moves the mean of `area` whole coordinates, so that the result does not depend on the row that it was counted from. The mean is a
 * rounded quotient, of which the sum is found again: below 2^52 it is the nearest whole number. As long as the moved sum is below 2^53,
 * the result is its correctly rounded quotient.
 */
function movedMean(mean: number, area: number, by: number): number {
  const sum = Math.round(mean * area);
  if (sum >= 2 ** 52) return mean + by;
  const moved = sum + area * by;
  if (moved < 2 ** 53) return moved / area;
  const whole = Math.floor(sum / area);
  return by + whole + (sum - whole * area) / area;
}
