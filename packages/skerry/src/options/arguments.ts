// Checks of single arguments. Each throws InvalidArgument with what was expected and what was found.

import { InvalidArgument } from "../types/errors.js";
import { nearest } from "./nearest.js";

/** The number of values of a list, and of letters of a text, that messages show. */
const SHOWN_VALUES = 6;
const SHOWN_LETTERS = 60;

/** Whether a value is a Promise, as a call gives that nobody waited for. */
const isPromise = (value: unknown): boolean => typeof (Object(value) as { then?: unknown }).then === "function";

/** Refuses an input that is a Promise, or has a misspelt name of a field instead of that field. */
export function checkFields(name: string, input: object, known: readonly string[]): void {
  if (isPromise(input)) throw new InvalidArgument(`Expected ${name}, got ${show(input)}.`, { argument: name });
  if (Object.getPrototypeOf(input) !== Object.prototype) return;
  for (const key of Object.keys(input)) {
    if (known.includes(key)) continue;
    const near = nearest(key, known);
    // A field of its own may have a similar name, where the known one is there, too.
    if (near === undefined || near in input) continue;
    throw new InvalidArgument(`Expected fields of ${name}, got ${show(key)}; did you mean "${near}"?`, {
      argument: key,
    });
  }
}

/** A value as text for messages, of at most some hundred letters. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return value.length > SHOWN_LETTERS ? `"${value.slice(0, SHOWN_LETTERS)}..."` : `"${value}"`;
  }
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (isPromise(value)) return "a Promise, of which await gives the value";
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) {
      // Lists within lists are shown once: they may be long, or contain themselves. Holes are undefined.
      const inner = (item: unknown): string => (Array.isArray(item) ? "a list" : show(item));
      const shown = Array.from(value.slice(0, SHOWN_VALUES), (each) =>
        Array.isArray(each) && each.length <= SHOWN_VALUES ? `[${Array.from(each, inner).join(", ")}]` : inner(each),
      );
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
export function wholeNumber(name: string, value: unknown, least: number, most: number): number {
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
  const wanted = [...(others.length > 0 ? [others.join(", ")] : []), last].join(" or ");
  const near = typeof value === "string" ? nearest(value, known) : undefined;
  throw new InvalidArgument(
    `Expected ${name} to be ${wanted}, got ${show(value)}${near ? `; did you mean "${near}"?` : "."}`,
    { argument: name },
  );
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
