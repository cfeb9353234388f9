// A row of the table of fields: all that is known of one field of a recipe. Checks, sentences, flags with their help, calls of the library,
// printed code and the JSON schema follow from the rows.

import { type Kind, on } from "./kinds.js";

/** Operations of recipes, in the order in which help lists them. */
export const OPERATIONS = ["components", "labelled", "measure", "fill", "distance", "kmeans", "mask"] as const;
/** An operation: the work that a recipe asks for. */
export type Operation = (typeof OPERATIONS)[number];

/** Parts of a recipe: how the input is read, what is done with it, and what is made of the result. */
export const PARTS = ["input", "options", "products"] as const;
/** A part of a recipe: input, options, products. */
export type Part = (typeof PARTS)[number];

/** Groups of fields, in the order of help. */
export const GROUPS = ["read", "pixels", "objects", "keep", "own", "products"] as const;
/** A heading under which `--help` and the docs list fields. */
export type Group = (typeof GROUPS)[number];

/**
 * Call of the library that a field is an option of. `filter`, `absorb` and `expand` are options of `components()` for pixels, and
 * calls of their own for label images.
 */
export type Call =
  | "components"
  | "filter"
  | "absorb"
  | "expand"
  | "distance"
  | "fill"
  | "paint"
  | "kmeans"
  | "ball"
  | "regions"
  | "outlines";

/** One way to say a field on the command line. */
export interface Flag<T = unknown> {
  /** `--above`. */
  readonly name: string;
  /** Placeholder of its text, `<N>`, or `[N]` where it may be left out; none for a switch. */
  readonly value?: string | undefined;
  readonly help: string;
  /** Given once for each value of a list. */
  readonly repeat?: boolean | undefined;
  /** Takes several texts at once. */
  readonly variadic?: boolean | undefined;
  /** One of the options that people need: in the short help. */
  readonly common?: boolean | undefined;
  readonly kind: Kind<unknown>;
  /** The field's value for what the flag says. */
  wrap(inner: unknown): T;
  /** The inner value that the flag says for a value of the field; undefined where another flag, or none, says it. */
  unwrap(value: T): unknown;
}

/** A field of a recipe. */
export interface Field<N extends string = string, P extends Part = Part, T = unknown> {
  readonly name: N;
  readonly part: P;
  readonly operations: readonly Operation[];
  readonly kind: Kind<T>;
  readonly group: Group;
  /** One sentence, without a full stop. */
  readonly help: string;
  /** The value that is meant where the field is left out, for reading only. */
  readonly otherwise?: string | undefined;
  readonly unit?: string | undefined;
  /** The call of the library that takes it under this name. */
  readonly call?: Call | undefined;
  /** The output that it says something of, on the command line. */
  readonly of?: string | undefined;
  readonly flags: readonly Flag<T>[];
}

/** Facts of a field with one flag, written `--name <VALUE>`, that has the field's help; or with several flags, or none. */
type Facts<N extends string, P extends Part, T> = Omit<Field<N, P, T>, "flags"> & {
  readonly flag?: string;
  readonly flags?: readonly Flag<T>[];
  readonly common?: boolean;
  readonly repeat?: boolean;
  readonly variadic?: boolean;
};

/** A row of the table. */
export function field<const N extends string, const P extends Part, T>({
  flag,
  flags,
  common,
  repeat,
  variadic,
  ...facts
}: Facts<N, P, T>): Field<N, P, T> {
  const [name, value] = flag?.split(" ") ?? [];
  const own: Flag<T> = {
    ...{ name: name ?? "", value, help: facts.help, common, repeat, variadic, kind: facts.kind as Kind<unknown> },
    wrap: (inner) => inner as T,
    unwrap: (own) => own,
  };
  return { ...facts, flags: flags ?? (flag ? [own] : []) };
}

/** A flag that says the field's value in a way of its own. */
export function flagFor<T, I>(
  written: string,
  help: string,
  kind: Kind<I>,
  wrap: (inner: I) => T,
  unwrap: (value: T) => I | undefined,
  common?: boolean,
): Flag<T> {
  const [name, value] = written.split(" ");
  return { name, value, help, common, kind: kind as Kind<unknown>, wrap: wrap as (inner: unknown) => T, unwrap };
}

/** A switch that stands for one value. */
export function switchFor<T>(name: string, help: string, meant: T, common?: boolean): Flag<T> {
  return flagFor<T, true>(
    name,
    help,
    on,
    () => meant,
    (value) => (value === meant ? true : undefined),
    common,
  );
}
