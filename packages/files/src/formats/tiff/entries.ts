// Entries of a GeoTIFF's directory that tell the place and the coordinate system. They are kept as they are, so that outputs lie exactly on
// the input.

import type { AffineRow, ToWorld } from "../../affine.js";
import { TAG } from "./tags.js";

/** The key of the kind of coordinates, and its value for those of pixel centres. */
export const [RASTER_TYPE, PIXEL_IS_POINT] = [1025, 2];
const MODEL_TYPE = 1024;

/** An entry of the input's directory, to be written again. */
export interface Entry {
  readonly tag: number;
  readonly values: readonly number[] | string;
  /** Whether it is a part of the coordinate system, rather than of the place in it. */
  readonly isSystem?: boolean | undefined;
}

/** The entries of a part of an image whose first pixel is (x, y). */
export function movedEntries(entries: readonly Entry[], x: number, y: number): readonly Entry[] {
  const moved = (values: readonly number[], tag: number): readonly number[] => {
    if (tag === TAG.tiePoints)
      return values.map((value, i) => (i % 6 === 0 ? value - x : i % 6 === 1 ? value - y : value));
    if (tag !== TAG.transformation) return values;
    return values.map((value, i) => (i % 4 === 3 && i < 8 ? value + values[i - 3] * x + values[i - 2] * y : value));
  };
  return entries.map((entry) =>
    typeof entry.values === "string" ? entry : { ...entry, values: moved(entry.values, entry.tag) },
  );
}

/** The entries of a coordinate system with a place that is told by an affine transform of pixel centres. */
export function entriesAt(entries: readonly Entry[], [x, y]: ToWorld): readonly Entry[] {
  const system = entries.filter(({ isSystem }) => isSystem);
  const keys = system.find(({ tag }) => tag === TAG.geoKeys)?.values as readonly number[] | undefined;
  const isPoint = keys?.some((id, i) => i % 4 === 0 && id === RASTER_TYPE && keys[i + 3] === PIXEL_IS_POINT) ?? false;
  const half = isPoint ? 0 : 0.5;
  const row = ([a, b, , c]: AffineRow): number[] => [a, b, 0, c - half * (a + b)];
  return [...system, { tag: TAG.transformation, values: [...row(x), ...row(y), 0, 0, 0, 0, 0, 0, 0, 1] }];
}

/** Numbers of an entry that tell a coordinate system: keys without those of texts and of the kind of coordinates, and their doubles. */
export function numbersOf(tag: number, values: Entry["values"]): readonly unknown[] {
  if (typeof values === "string") return [];
  if (tag !== TAG.geoKeys) return values;
  const keys = Array.from({ length: Math.floor(values.length / 4) - 1 }, (_, i) => values.slice(4 * i + 4, 4 * i + 8));
  // Model type and raster type tell how pixels lie in a system, not which it is.
  return keys.filter(([id, from]) => from !== TAG.geoText && id !== RASTER_TYPE && id !== MODEL_TYPE);
}
