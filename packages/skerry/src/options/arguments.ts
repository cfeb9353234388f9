// Checks of single arguments. Each throws InvalidArgument with what was expected and what was found.

import { InvalidArgument } from "../types/errors.js";

/** The number of values of a list, and of letters of a text, that messages show. */
const SHOWN_VALUES = 6;
const SHOWN_LETTERS = 60;

/** A value as text for messages, of at most some hundred letters. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return value.length > SHOWN_LETTERS ? `"${value.slice(0, SHOWN_LETTERS)}..."` : `"${value}"`;
  }
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) {
      // Lists within lists are not shown: they may be long, or contain themselves. Holes are undefined.
      const shown = Array.from(value.slice(0, SHOWN_VALUES), (each) => (Array.isArray(each) ? "a list" : show(each)));
      return `[${shown.join(", ")}${value.length > SHOWN_VALUES ? `, ... ${value.length} in all` : ""}]`;
    }
    const name = value.constructor?.name;
    return name && name !== "Object" ? `a ${name}` : "an object";
  }
  return String(value);
}

/** The error for a wrong argument: one sentence with the expected value and the given one. */
export function unexpected(argument: string, wanted: string, got: unknown): InvalidArgument {
  return new InvalidArgument(`Expected ${argument} to be ${wanted}, got ${show(got)}.`, { argument });
}

export function positiveInteger(name: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw unexpected(name, "a whole number of at least 1", value);
  }
  return value;
}

/** A whole number in a range. */
export function whole(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw unexpected(name, `a whole number from ${least} to ${most}`, value);
}

/** A limit in bytes, or none. */
export function checkMemoryLimit(memory: unknown): void {
  if (memory !== undefined && !(Number.isFinite(memory) && (memory as number) > 0)) {
    throw unexpected("memory", "a number of bytes above 0", memory);
  }
}

/** One of several words. */
export function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  if (known.includes(value as T)) return value as T;
  const last = `"${known.at(-1)}"`;
  const others = known.slice(0, -1).map((each) => `"${each}"`);
  throw unexpected(name, [...(others.length > 0 ? [others.join(", ")] : []), last].join(" or "), value);
}

/** True or false. */
export function flag(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw unexpected(name, "true or false", value);
}

/** A finite or infinite number, never NaN. */
export function number(name: string, value: unknown): number {
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw unexpected(name, "a number", value);
  }
  return value;
}

/** A number of 0 or more, or infinity. */
export function atLeastZero(name: string, value: unknown): number {
  if (!(number(name, value) >= 0)) throw unexpected(name, "0 or more", value);
  return value as number;
}

export function pair(name: string, value: unknown): void {
  if (!Array.isArray(value) || value.length !== 2) {
    throw unexpected(name, "a pair [lo, hi]", value);
  }
  const lo = number(`the first number of ${name}`, value[0]);
  const hi = number(`the second number of ${name}`, value[1]);
  if (lo > hi)
    throw new InvalidArgument(`Expected ${name} to be a pair [lo, hi] with lo <= hi, got [${lo}, ${hi}].`, {
      argument: name,
    });
}
