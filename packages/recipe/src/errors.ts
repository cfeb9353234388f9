// The error of a recipe that cannot be run, in one sentence.

import { nearest } from "skerry/internal";
import type { Kind } from "./kinds.js";

/** A recipe, or one of its fields, is wrong. */
export class RecipeError extends Error {
  override name = "RecipeError";
}

/** The error of a field with a wrong value: one sentence with the expected and the given value, and the nearest of the words it takes. */
export function unexpected(
  name: string,
  {
    expected,
    json,
    words = [],
    schema = {},
    meant,
  }: Pick<Kind<unknown>, "expected" | "json" | "words" | "meant"> & Partial<Pick<Kind<unknown>, "schema">>,
  got: unknown,
): RecipeError {
  const isFlag = name.startsWith("-");
  const shape = isFlag || json !== undefined ? "" : shapeOf(schema, got);
  const given = typeof got === "string" ? got.split(",") : Array.isArray(got) ? got.map(String) : [];
  const wrong = given.find((each) => !words.includes(each.trim()));
  const near = wrong === undefined || wrong === "" ? undefined : (meant?.(String(got)) ?? nearest(wrong.trim(), words));
  return new RecipeError(
    `Expected ${name} to be ${shape}${isFlag ? expected : (json ?? expected)}, got ${quoted(name, got)}${near === undefined ? "." : `; did you mean ${near}?`}`,
  );
}

/** The list that JSON needs where none came: points, which flags give one by one, are a list of lists. */
function shapeOf(schema: Readonly<Record<string, unknown>>, got: unknown): string {
  const depth = depthOf(schema);
  if (depth === 0 || (Array.isArray(got) && (depth === 1 || got.every((each) => isNested(each, depth - 1))))) return "";
  return depth === 1 ? "a list, " : `a list${" of lists".repeat(depth - 1)}, each `;
}

/** Lists within each other that a schema describes. */
const depthOf = ({ type, items }: { readonly type?: unknown; readonly items?: object }): number =>
  type === "array" ? 1 + depthOf(items ?? {}) : 0;

/** Whether a value is lists within each other, to a depth. */
const isNested = (value: unknown, depth: number): boolean =>
  depth === 0 || (Array.isArray(value) && value.every((each) => isNested(each, depth - 1)));

/** A value as a flag has it, or as JSON has it where a field of a recipe is named: "8" is not 8. */
const quoted = (name: string, got: unknown): string =>
  got === "" || (typeof got === "string" && !name.startsWith("-")) ? JSON.stringify(got) : shown(got);

/** Numbers that JSON writes as null by their names. */
const printed = (value: unknown): string =>
  typeof value === "number" && !Number.isFinite(value) ? `${value}` : JSON.stringify(value);

/** A value as text for messages, at most 60 characters of it. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "nothing" : printed(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
