// Conditions on objects, and on all objects together: the names that they may have, what each needs to be measured, and its value.

import type { ObjectProperty } from "skerry";
import { POLARITIES } from "skerry/internal";
import { RecipeError } from "./errors.js";
import { type Name, parseCondition } from "./expression.js";
import { NUMBERS } from "./fields/objects.js";

/** The sides of an object's bounds: half of them are the first pixel, half the pixel after the last. */
const SIDES: Readonly<Record<string, (sides: number) => number>> = {
  x0: () => 0,
  y0: () => 1,
  z0: (sides) => (sides === 6 ? 2 : Number.NaN),
  x1: (sides) => sides / 2,
  y1: (sides) => sides / 2 + 1,
  z1: (sides) => (sides === 6 ? 5 : Number.NaN),
};
const SIDE_CODE: Readonly<Record<string, string>> = {
  x0: "bounds[0]",
  y0: "bounds[1]",
  z0: "(bounds.length === 6 ? bounds[2] : NaN)",
  x1: "bounds[bounds.length / 2]",
  y1: "bounds[bounds.length / 2 + 1]",
  z1: "(bounds.length === 6 ? bounds[5] : NaN)",
};

/** Names of facts that an object has without being measured. */
const KINDS = ["polarity", "value"] as const;

/** Names of one object. */
const OBJECT: Readonly<Record<string, Name>> = {
  ...Object.fromEntries(NUMBERS.map((name) => [name, {}])),
  ...Object.fromEntries(Object.entries(SIDE_CODE).map(([name, code]) => [name, { code }])),
  ...Object.fromEntries(KINDS.map((name) => [name, {}])),
  ...Object.fromEntries(POLARITIES.map((name, i) => [name, { constant: i + 1, code: `"${name}"` }])),
};

/** Numbers of all objects together, and their source texts. */
export interface Totals {
  /** Objects. */
  readonly count: number;
  /** Pixels of all objects. */
  readonly foreground: number;
  /** The share of the pixels that are in objects, from 0 to 1. */
  readonly coverage: number;
}
const TOTALS: Readonly<Record<keyof Totals, Name>> = {
  count: { code: "objects.count" },
  foreground: { code: "objects.foreground" },
  coverage: { code: "(objects.foreground / (objects.width * objects.height * objects.depth))" },
};

/** A parsed condition. */
export interface ObjectCondition {
  /** Properties to measure; none if the condition names no property of an object. */
  readonly properties: readonly ObjectProperty[];
  /** Whether it names a property or the kind of an object; else it is one of totals alone. */
  readonly ofObjects: boolean;
  readonly names: readonly string[];
  /** Whether it holds for an object as `keep({ where })` and `engine.stream()` give it, or with `{}` for totals alone. */
  readonly holds: (object: object, totals?: Totals) => boolean;
  /** The condition in TypeScript, and the variables of an object that it reads. */
  readonly code: string;
  readonly variables: readonly string[];
}

/** Parses a condition on objects. @throws RecipeError at the first error */
export function objectCondition(option: string, text: string): ObjectCondition {
  return conditionOver(option, text, OBJECT);
}

/** Parses a condition on totals, on objects, or on both. @throws RecipeError at the first error */
export function totalCondition(option: string, text: string): ObjectCondition {
  return conditionOver(option, text, { ...TOTALS, ...OBJECT });
}

function conditionOver(option: string, text: string, known: Readonly<Record<string, Name>>): ObjectCondition {
  const { condition, names, code } = parseCondition(option, text, known);
  const ofObject = names.filter((name) => Object.hasOwn(OBJECT, name));
  const sides = ofObject.filter((name) => Object.hasOwn(SIDES, name));
  const kinds = KINDS.filter((name) => ofObject.includes(name));
  const measured = ofObject.filter((name) => !sides.includes(name) && !kinds.some((kind) => kind === name));
  const properties = [...measured, ...(sides.length > 0 ? ["bounds"] : [])] as ObjectProperty[];
  return {
    properties,
    ofObjects: ofObject.length > 0,
    names,
    holds: (given, totals) => {
      const object = given as Readonly<Record<string, unknown>>;
      const numbers: Record<string, number> = { ...totals };
      for (const name of measured) numbers[name] = object[name] as number;
      for (const name of sides) {
        const bounds = object.bounds as readonly number[];
        if (bounds.length < 6 && name.startsWith("z")) {
          throw new RecipeError(`Expected ${name} in a condition only for volumes, got an image.`);
        }
        numbers[name] = bounds[SIDES[name](bounds.length)] ?? Number.NaN;
      }
      for (const kind of kinds) numbers[kind] = numberOfKind(kind, object[kind]);
      return condition(numbers);
    },
    code,
    variables: [...properties, ...kinds],
  };
}

/** The polarity as the constant of its name, or the value. */
function numberOfKind(kind: (typeof KINDS)[number], given: unknown): number {
  if (kind === "polarity" && typeof given === "string") return (POLARITIES as readonly string[]).indexOf(given) + 1;
  if (kind === "value" && typeof given === "number") return given;
  throw new RecipeError(
    kind === "polarity"
      ? `Expected polarity in a condition only for objects of two, as a threshold outside LO..HI finds them.`
      : `Expected value in a condition only for objects of one value each, as those of a label image or by value.`,
  );
}
