// Finds the nearest pixel of a map's foreground from the map alone. The value is the exact distance, so only the pixels of
// one ring are checked, and no array of nearest pixels is needed.

import type { DistanceMap } from "skerry";
import type { Spot } from "../../settings/spots.js";

/**
 * The foreground pixel that is nearest to a pixel; in signed maps, for a pixel inside, the nearest background pixel. Of
 * several it is the first in raster order. Undefined if nothing is in reach. Checks O(distance) pixels. Those at Euclidean
 * distance 5 are (0, 5), (3, 4), (4, 3) and (5, 0) in each direction.
 */
export function nearestOf(map: DistanceMap, isSigned: boolean, [x, y]: Spot): Spot | undefined {
  const { data, width, height, spacing, metric } = map;
  const here = data[y * width + x];
  if (!Number.isFinite(here)) return undefined;
  const isSite = (value: number): boolean => (!isSigned ? value === 0 : here < 0 ? value > 0 : value < 0);
  if (!isSigned && here === 0) return [x, y];
  const far = Math.abs(here);
  const [sx, sy] = spacing;
  const lengthOf = (dx: number, dy: number): number => {
    const [a, b] = [dx * sx, dy * sy];
    return metric === "cityblock" ? a + b : metric === "chessboard" ? Math.max(a, b) : Math.hypot(a, b);
  };
  let best = Number.POSITIVE_INFINITY;
  const look = (dx: number, dy: number): void => {
    // The map is rounded to 32 bits.
    if (Math.abs(lengthOf(dx, dy) - far) > far * 1e-6) return;
    for (const [px, py] of [
      [x - dx, y - dy],
      [x + dx, y - dy],
      [x - dx, y + dy],
      [x + dx, y + dy],
    ]) {
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const at = py * width + px;
      if (at < best && isSite(data[at])) best = at;
    }
  };
  const [across, down] = [Math.round(far / sx), Math.round(far / sy)];
  if (metric === "chessboard") {
    for (let dx = 0; dx <= across; dx++) look(dx, down);
    for (let dy = 0; dy <= down; dy++) look(across, dy);
  } else {
    for (let dx = 0; dx <= across + 1; dx++) {
      const left = metric === "cityblock" ? far - dx * sx : Math.sqrt(Math.max(0, far * far - dx * dx * sx * sx));
      look(dx, Math.max(0, Math.round(left / sy)));
    }
  }
  return best < Number.POSITIVE_INFINITY ? [best % width, Math.floor(best / width)] : undefined;
}
