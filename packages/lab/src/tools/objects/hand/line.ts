// Lines that were drawn by hand: fewer places for the same line, and what lies inside a closed one.

import type { Edit, Place } from "skerry";
import type { EditName } from "skerry/internal";
import type { Spot } from "../../../settings/spots.js";

/** How far a line may lie from the one that was drawn, in pixels. */
const TOLERANCE = 0.7;

/** Whether lines of a tool have the width of the brush. */
export const hasBrush = (name: string | undefined): name is "draw" | "erase" => name === "draw" || name === "erase";

/** Whether two clicks, at its ends, make an edit of a kind. */
export const isLine = (name: EditName): boolean => name === "cut" || name === "join";

/** The places of a line that was drawn, without those that it does not need. */
export const linePlaces = <P extends Place>(places: readonly P[]): P[] => simplified(places, TOLERANCE);

/** The edit of a tool along a line that was drawn, or at its first place. */
export function editOf<P extends Place>(name: EditName, places: readonly P[], radius: number): Edit {
  if (name === "drop") return { drop: places[0] };
  if (name === "fill") return { fill: places[0] };
  if (name === "join") return { join: [places[0], places[places.length - 1]] };
  const line = linePlaces(places);
  if (name === "cut") return { cut: line };
  return name === "draw" ? { draw: line, radius } : { erase: line, radius };
}

/** The square of the distance of a place from a stretch between two others. */
function fromStretch([x, y]: Place, [ax, ay]: Place, [bx, by]: Place): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = dx === 0 && dy === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const at = Math.min(1, Math.max(0, along));
  return (x - ax - at * dx) ** 2 + (y - ay - at * dy) ** 2;
}

/**
 * The places of a line without those that lie within `tolerance` of the line through the others (Ramer, 1972; Douglas and Peucker,
 * 1973). O(n log n) for lines of hands.
 */
export function simplified<P extends Place>(places: readonly P[], tolerance: number): P[] {
  const stays = new Uint8Array(places.length);
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

/** Rows that are looked at for the inside of a closed line. */
const MOST_SAMPLED = 256;

/** A pixel in the middle of the widest stretch of a row that lies inside a closed line, and not on it; undefined if there is none. */
export function middleOf(places: readonly Spot[]): Spot | undefined {
  const rows = places.map(([, y]) => y);
  const [top, bottom] = [rows.reduce((a, b) => Math.min(a, b)), rows.reduce((a, b) => Math.max(a, b))];
  const step = Math.max(1, Math.floor((bottom - top) / MOST_SAMPLED));
  let found: Spot | undefined;
  let widest = 3;
  for (let y = top + 1; y < bottom; y += step) {
    const ends: number[] = [];
    for (let i = 0, j = places.length - 1; i < places.length; j = i++) {
      const [ax, ay] = places[i];
      const [bx, by] = places[j];
      if (ay > y !== by > y) ends.push(((bx - ax) * (y - ay)) / (by - ay) + ax);
    }
    ends.sort((a, b) => a - b);
    for (let i = 0; i + 1 < ends.length; i += 2) {
      const width = ends[i + 1] - ends[i];
      if (width < widest) continue;
      widest = width;
      found = [Math.floor((ends[i] + ends[i + 1]) / 2), y];
    }
  }
  return found;
}
