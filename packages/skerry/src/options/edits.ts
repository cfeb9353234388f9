// The edits of `components.edit()`: each is one record, whose places lie inside the image.

import { defined } from "../core/defined.js";
import type { Size } from "../core/pixels.js";
import { sizeText } from "../core/pixels.js";
import { EDITS, type Edit, type EditName, MOST_RADIUS } from "../types/edits.js";
import { InvalidArgument } from "../types/errors.js";
import type { Place } from "../types/raster.js";
import { show, unexpected } from "./arguments.js";

/** Most pixels of a line. */
const MOST_LINE = 2 ** 22;

/** Most pixels of a line times rows of its brush, which bounds the time of a stroke. */
const MOST_STROKE = 2 ** 26;

/** Checks edits of an image or a volume. */
export function checkEdits(edits: unknown, size: Size): readonly Edit[] {
  if (!Array.isArray(edits)) throw unexpected("edits", "a list of edits", edits);
  for (const [i, edit] of edits.entries()) checkEdit(`edits[${i}]`, edit, size);
  return edits.map(defined) as Edit[];
}

function checkEdit(name: string, edit: unknown, size: Size): void {
  if (typeof edit !== "object" || edit === null || Array.isArray(edit)) throw unexpected(name, "an edit", edit);
  const keys = Object.entries(edit).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  const [kind, ...others] = keys.filter((key) => key !== "radius");
  const known = Object.keys(EDITS).join(", ");
  if (kind === undefined || others.length > 0 || !Object.hasOwn(EDITS, kind)) {
    const unknown = keys.filter((key) => key !== "radius" && !Object.hasOwn(EDITS, key));
    const got = unknown.length > 0 ? unknown : keys;
    throw wrong(`Expected ${name} to be one of ${known}, got ${got.join(", ") || "none"}.`);
  }
  const form = EDITS[kind as EditName];
  const { radius, [kind]: places } = edit as Record<string, unknown>;
  if (radius !== undefined) {
    if (form !== "stroke") throw wrong(`Expected no radius of ${name}, a ${kind}.`);
    if (!(typeof radius === "number" && radius >= 0 && radius <= MOST_RADIUS)) {
      throw unexpected(`${name}.radius`, `a number from 0 to ${MOST_RADIUS}`, radius);
    }
  }
  if (form === "place") {
    checkPlace(`${name}.${kind}`, places, size);
    return;
  }
  const isPair = form === "pair";
  if (!Array.isArray(places) || (isPair ? places.length !== 2 : places.length === 0)) {
    throw unexpected(`${name}.${kind}`, isPair ? "two places" : "a list of places", places);
  }
  for (const [i, place] of places.entries()) checkPlace(`${name}.${kind}[${i}]`, place, size);
  if (isPair) return;
  const line = places as readonly Place[];
  const other = line.find((place) => place[2] !== line[0][2]);
  if (other) {
    throw wrong(`Expected the places of ${name}.${kind} in one slice, got slices ${line[0][2]} and ${other[2]}.`);
  }
  const steps = line.slice(1).map(([x, y], i) => Math.abs(x - line[i][0]) + Math.abs(y - line[i][1]));
  const length = steps.reduce((sum, each) => sum + each, 1);
  if (length > MOST_LINE) {
    throw wrong(`Expected ${name}.${kind} to be a line of at most ${MOST_LINE} pixels, got ${length}.`);
  }
  const rows = 2 * Math.floor(Number(radius ?? 0)) + 1;
  if (length * rows > MOST_STROKE) {
    const most = Math.floor(MOST_STROKE / rows);
    throw wrong(`Expected ${name}.${kind} to be a line of at most ${most} pixels with this radius, got ${length}.`);
  }
}

function wrong(message: string): InvalidArgument {
  return new InvalidArgument(message, { argument: "edits" });
}

function checkPlace(name: string, place: unknown, size: Size): void {
  const { width, height, depth } = size;
  const ends = depth > 1 ? [width, height, depth] : [width, height];
  const isInside =
    Array.isArray(place) &&
    place.length === ends.length &&
    place.every((n, axis) => Number.isInteger(n) && n >= 0 && n < ends[axis]);
  if (isInside) return;
  throw wrong(
    `Expected ${name} to be [${depth > 1 ? "x, y, z" : "x, y"}] inside ${sizeText(size)}, got ${show(place)}.`,
  );
}
