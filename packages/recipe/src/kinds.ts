// Kinds of values of fields: their check, their description in messages and in the schema, and their text in a flag.

import { defined } from "skerry/internal";

/** One kind of value. */
export interface Kind<T> {
  /** The description after "to be" in messages: "above 0". */
  readonly expected: string;
  /** The same in JSON, where lists are not words with commas; the description above by default. */
  readonly json?: string | undefined;
  /** The part of a value that is wrong, if one is, with its name and kind. */
  wrongPart?(value: unknown): WrongPart | undefined;
  /** The words that it takes, of which messages name the nearest. */
  readonly words?: readonly string[] | undefined;
  /** The text that a wrong one may have meant, if it is near no word. */
  readonly meant?: ((text: string) => string | undefined) | undefined;
  /** The part of a JSON schema that describes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  is(value: unknown): value is T;
  /** The value of a flag's text; for a wrong text anything that {@link is} rejects. */
  parse(text: string): unknown;
  /** The text of a flag for a value. */
  print(value: T): string;
}

/** A part of a value, and what it should have been; without a kind it is a name that the value does not take. */
export interface WrongPart {
  readonly name: string;
  readonly kind: Pick<Kind<unknown>, "expected" | "json" | "words" | "schema">;
  readonly value: unknown;
}

/** Bounds of a number. */
interface Bounds {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
  readonly integer?: boolean;
}

/** The finite number in a text, or NaN. */
export function numberOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Comma-separated numbers; undefined if one of them is not a finite number. */
export function numbersOf(text: string): number[] | undefined {
  const parts = text.split(",").map(numberOf);
  return parts.some(Number.isNaN) ? undefined : parts;
}

/** A finite number within bounds. */
export function number(expected: string, { least, above, most, integer }: Bounds = {}): Kind<number> {
  return {
    expected,
    schema: defined({ type: integer ? "integer" : "number", minimum: least, exclusiveMinimum: above, maximum: most }),
    is: (value): value is number =>
      typeof value === "number" &&
      Number.isFinite(value) &&
      (!integer || Number.isInteger(value)) &&
      (least === undefined || value >= least) &&
      (above === undefined || value > above) &&
      (most === undefined || value <= most),
    parse: (text) => {
      const value = numberOf(text);
      return Number.isNaN(value) ? text : value;
    },
    print: String,
  };
}

/** A switch: true, or left out. */
export const on: Kind<true> = {
  expected: "true",
  schema: { const: true },
  is: (value): value is true => value === true,
  parse: (text) => text,
  print: () => "",
};

/** A switch that turns something off: false, or left out. */
export const off: Kind<false> = {
  expected: "false",
  schema: { const: false },
  is: (value): value is false => value === false,
  parse: (text) => text,
  print: () => "",
};

/** One of some names. */
export function oneOf<const T extends string>(...names: readonly T[]): Kind<T> {
  return {
    expected: names.join(", "),
    words: names,
    schema: { enum: names },
    is: (value): value is T => names.includes(value as T),
    parse: (text) => text,
    print: (value) => value,
  };
}

/** A text that is not empty. */
export function text(expected: string): Kind<string> {
  return {
    expected,
    schema: { type: "string", minLength: 1 },
    is: (value): value is string => typeof value === "string" && value !== "",
    parse: (value) => value,
    print: (value) => value,
  };
}

/** Comma-separated numbers, `least` to `most` of them. */
export function numbers<T extends readonly number[]>(
  expected: string,
  { item, least = 1, most }: { readonly item: Kind<number>; readonly least?: number; readonly most?: number },
): Kind<T> {
  return {
    expected,
    schema: defined({ type: "array", items: item.schema, minItems: least, maxItems: most }),
    is: (value): value is T =>
      Array.isArray(value) && value.length >= least && value.length <= (most ?? value.length) && value.every(item.is),
    parse: numbersOf,
    print: (value) => value.join(","),
  };
}

/** Values of a kind, one for each time a flag is given. */
export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    expected: item.expected,
    words: item.words,
    schema: { type: "array", items: item.schema, minItems: 1 },
    is: (value): value is readonly T[] => Array.isArray(value) && value.length > 0 && value.every(item.is),
    parse: item.parse,
    print: (value) => value.map(item.print).join(","),
    wrongPart: (value) => {
      const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
      const at = items.findIndex((each) => !item.is(each));
      const part = at < 0 ? undefined : item.wrongPart?.(items[at]);
      return part && { ...part, name: `[${at}]${part.name}` };
    },
  };
}

/** A value of either kind; a text is parsed as the first kind that accepts it. */
export function either<A, B>(expected: string, one: Kind<A>, other: Kind<B>): Kind<A | B> {
  return {
    expected,
    words: [...(one.words ?? []), ...(other.words ?? [])],
    schema: { anyOf: [one.schema, other.schema] },
    is: (value): value is A | B => one.is(value) || other.is(value),
    parse: (text) => {
      const first = one.parse(text);
      return one.is(first) ? first : other.parse(text);
    },
    print: (value) => (one.is(value) ? one.print(value) : other.print(value)),
  };
}

/** Any record; its fields are checked elsewhere. */
export const anyRecord: Kind<object> = {
  expected: "an object",
  schema: { type: "object" },
  is: (value): value is object => typeof value === "object" && value !== null && !Array.isArray(value),
  parse: (written) => written,
  print: (value) => JSON.stringify(value),
};

/** A record with some fields, of which `needed` are required. */
export function record<T extends object>(
  expected: string,
  fields: Readonly<Record<string, Kind<unknown>>>,
  needed: readonly string[],
): Kind<T> {
  return {
    expected,
    schema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, kind.schema])),
      required: needed,
      additionalProperties: false,
    },
    is: (value): value is T =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      needed.every((name) => Object.hasOwn(value, name)) &&
      Object.entries(value).every(([name, field]) => Object.hasOwn(fields, name) && fields[name].is(field)),
    parse: (value) => value,
    print: JSON.stringify,
    wrongPart: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      const values = value as Readonly<Record<string, unknown>>;
      const names = Object.keys(fields);
      const unknown = Object.keys(values).find((name) => !names.includes(name));
      if (unknown !== undefined) return { name: "'s field", kind: oneOf(...names), value: unknown };
      const wrong = names.find((name) => (name in values ? !fields[name].is(values[name]) : needed.includes(name)));
      if (wrong === undefined) return undefined;
      const inner = fields[wrong].wrongPart?.(values[wrong]);
      if (inner) return { ...inner, name: `.${wrong}${inner.name}` };
      return { name: `.${wrong}`, kind: fields[wrong], value: values[wrong] };
    },
  };
}
