// Lines that were drawn by hand: fewer places for the same line, and what lies inside a closed one.

import type { Spot } from "../../../settings/spots.js";

/** The square of the distance of a place from a stretch between two others. */
function fromStretch([x, y]: Spot, [ax, ay]: Spot, [bx, by]: Spot): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = dx === 0 && dy === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const at = Math.min(1, Math.max(0, along));
  return (x - ax - at * dx) ** 2 + (y - ay - at * dy) ** 2;
}

/**
 * The places of a line without those that lie within `tolerance` of the line through the others (Ramer, 1972; Douglas and Peucker,
 * 1973). O(n log n) for lines of hands.
 */
export function simplified(places: readonly Spot[], tolerance: number): Spot[] {
  const stays = new Uint8Array(places.length).fill(0);
  stays[0] = stays[places.length - 1] = 1;
  const stretches: [number, number][] = [[0, places.length - 1]];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const [from, to] = stretch;
    let [farthest, most] = [0, tolerance * tolerance];
    for (let i = from + 1; i < to; i++) {
      const distance = fromStretch(places[i], places[from], places[to]);
      if (distance > most) [farthest, most] = [i, distance];
    }
    if (farthest === 0) continue;
    stays[farthest] = 1;
    stretches.push([from, farthest], [farthest, to]);
  }
  return places.filter((place, i) => stays[i] === 1 && (i === 0 || place.join() !== places[i - 1].join()));
}

/** Whether a point lies inside a closed line, by the number of its sides to the right. */
export function isInside([x, y]: readonly [number, number], places: readonly Spot[]): boolean {
  let inside = false;
  for (let i = 0, j = places.length - 1; i < places.length; j = i++) {
    const [ax, ay] = places[i];
    const [bx, by] = places[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
