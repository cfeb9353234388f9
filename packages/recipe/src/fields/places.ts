// Kinds of what is said by places: single pixels, and corrections by hand.

import type { Edit } from "skerry";
import { EDITS, type EditName, MOST_RADIUS } from "skerry/internal";
import { anyRecord, type Kind, listOf, number, numbers, record } from "../kinds.js";

/** Pixels: X,Y or X,Y,Z. */
export const place: Kind<readonly number[]> = {
  json: "[x, y], or [x, y, z] for a volume, in whole pixels",
  ...numbers<readonly number[]>("X,Y, or X,Y,Z for a volume, in whole pixels", {
    item: number("a whole number", { integer: true }),
    least: 2,
    most: 3,
  }),
};

/** Pixels in JSON, whether or not a flag names its file. */
const spot: Kind<readonly number[]> = { ...place, expected: "[x, y], or [x, y, z] for a volume, in whole pixels" };
const line: Kind<readonly (readonly number[])[]> = {
  ...listOf(spot),
  expected: "a list of [x, y], or of [x, y, z] for a volume, in whole pixels",
};
const pair: Kind<readonly (readonly number[])[]> = {
  ...line,
  expected: "two of [x, y], or of [x, y, z] for a volume, in whole pixels",
  schema: { ...line.schema, minItems: 2, maxItems: 2 },
  is: (value): value is readonly (readonly number[])[] => line.is(value) && value.length === 2,
};
const radius = number(`from 0 to ${MOST_RADIUS} pixels`, { least: 0, most: MOST_RADIUS });

const names = Object.keys(EDITS) as EditName[];
const SHAPES = { place: spot, pair, line, stroke: line };
/** The record of each edit. */
const RECORDS = Object.fromEntries(
  names.map((name) => {
    const form = EDITS[name];
    const own: Record<string, Kind<unknown>> = { [name]: SHAPES[form] };
    return [name, record<Edit>(`a ${name}`, form === "stroke" ? Object.assign(own, { radius }) : own, [name])];
  }),
) as Record<EditName, Kind<Edit>>;

const edit: Kind<Edit> = {
  expected: `an object with one of ${names.join(", ")}`,
  words: names,
  schema: { anyOf: names.map((name) => RECORDS[name].schema) },
  is: (value): value is Edit => names.some((name) => RECORDS[name].is(value)),
  parse: (text) => text,
  print: JSON.stringify,
  wrongPart: (value) => {
    const given = names.filter((name) => Object.hasOwn(Object(value), name));
    const other = Object.keys(Object(value)).find((key) => key !== "radius" && !names.includes(key as EditName));
    if (given.length !== 1 || other !== undefined) return undefined;
    const part = RECORDS[given[0]].wrongPart?.(value);
    return part?.value === "radius"
      ? { name: "", kind: { ...anyRecord, expected: `a ${given[0]} without a radius` }, value }
      : part;
  },
};

const list = listOf(edit);
/** Corrections by hand, in order; a flag takes them as JSON. */
export const edits: Kind<readonly Edit[]> = {
  ...list,
  // None, for a file that has none of those of the others.
  schema: { type: "array", items: edit.schema },
  is: (value): value is readonly Edit[] => Array.isArray(value) && value.every(edit.is),
  expected: "a list of edits as JSON",
  json: "a list of edits",
  parse: (text) => {
    try {
      return JSON.parse(text.replace(/^\ufeff/, ""));
    } catch {
      return text;
    }
  },
  print: JSON.stringify,
  wrongPart: (value) => {
    if (!Array.isArray(value)) return undefined;
    const at = value.findIndex((each) => !edit.is(each));
    if (at < 0) return undefined;
    return list.wrongPart?.(value) ?? { name: `[${at}]`, kind: edit, value: value[at] };
  },
};

/** The name of an edit; a radius may stand before it. */
export const nameOfEdit = (given: Edit): EditName => names.find((name) => Object.hasOwn(given, name)) as EditName;

/** An edit with other places. */
export function withPlaces(given: Edit, move: (place: readonly number[]) => readonly number[]): Edit {
  const moved = Object.entries(given).map(([name, value]) => {
    if (name === "radius") return [name, value];
    return [name, EDITS[name as EditName] === "place" ? move(value) : (value as (readonly number[])[]).map(move)];
  });
  return Object.fromEntries(moved) as Edit;
}

/** The places of an edit. */
export function placesOf(given: Edit): readonly (readonly number[])[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (name === "radius") return [];
    return EDITS[name as EditName] === "place" ? [value] : value;
  });
}
