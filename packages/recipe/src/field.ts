// A row of the table of fields: the description of one field of a recipe. Checks, sentences, flags with their help, calls of the
// library, printed code and the JSON schema are derived from the rows.

import { type Kind, on } from "./kinds.js";

/** Operations of recipes, in the order in which help lists them. */
export const OPERATIONS = ["components", "labelled", "fill", "distance", "kmeans", "mask"] as const;
/** An operation: the work that a recipe describes. */
export type Operation = (typeof OPERATIONS)[number];

/** Parts of a recipe: reading of the input, processing, and outputs. */
export const PARTS = ["input", "options", "products"] as const;
/** A part of a recipe: input, options, products. */
export type Part = (typeof PARTS)[number];

/** Groups of fields, in the order of help. */
export const GROUPS = ["read", "pixels", "objects", "keep", "own", "products"] as const;
/** A heading under which `--help` and the docs list fields. */
export type Group = (typeof GROUPS)[number];

/**
 * The library call that has a field as an option. `filter`, `absorb` and `expand` are options of `components()` for pixels, and
 * separate calls for label images.
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

/** A flag that sets a field on the command line. */
export interface Flag<T = unknown> {
  /** `--threshold`. */
  readonly name: string;
  /** Placeholder of its text, `<N>`, or `[N]` if the text is optional; undefined for a switch. */
  readonly value?: string | undefined;
  readonly help: string;
  /** The words of the short help, if they are others. */
  readonly brief?: string | undefined;
  /** The meaning of a value, for flags whose values are settings of their own; messages name the flag with its value. */
  readonly says?: ((value: T) => string) | undefined;
  /** Whether the flag is repeated for each value of a list. */
  readonly repeat?: boolean | undefined;
  /** Whether the flag takes several texts at once. */
  readonly variadic?: boolean | undefined;
  /** Whether the flag takes JSON, or the name of a file that holds it. */
  readonly takesFile?: boolean | undefined;
  /** The value of a flag that is given twice, for one that adds up; undefined if two values contradict each other. */
  readonly together?: ((before: unknown, next: unknown) => unknown) | undefined;
  /** Whether the flag is common, and listed in the short help. */
  readonly common?: boolean | undefined;
  readonly kind: Kind<unknown>;
  /** The field's value for a value of the flag. */
  wrap(inner: unknown): T;
  /** The flag's value for a value of the field; undefined if another flag, or none, expresses it. */
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
  /** The default value, as text for readers. */
  readonly otherwise?: string | undefined;
  readonly unit?: string | undefined;
  /** The library call that has an option of this name. */
  readonly call?: Call | undefined;
  /** The output that it modifies, on the command line. */
  readonly of?: string | undefined;
  readonly flags: readonly Flag<T>[];
}

/**
 * Arguments of {@link field}: `flag`, written `--name <VALUE>`, for one flag with the field's help; or several `flags`, or none.
 */
type Facts<N extends string, P extends Part, T> = Omit<Field<N, P, T>, "flags"> & {
  readonly flag?: string;
  readonly flags?: readonly Flag<T>[];
  readonly common?: boolean;
  readonly repeat?: boolean;
  readonly variadic?: boolean;
  readonly takesFile?: boolean;
  readonly together?: (before: unknown, next: unknown) => unknown;
  readonly says?: (value: T) => string;
};

/** A row of the table. */
export function field<const N extends string, const P extends Part, T>({
  flag,
  flags,
  common,
  repeat,
  variadic,
  takesFile,
  together,
  says,
  ...facts
}: Facts<N, P, T>): Field<N, P, T> {
  const [name, value] = flag?.split(" ") ?? [];
  const given: Flag<T> = {
    name: name ?? "",
    value,
    help: facts.help,
    common,
    repeat,
    variadic,
    takesFile,
    together,
    says,
    kind: facts.kind as Kind<unknown>,
    wrap: (inner) => inner as T,
    unwrap: (flag) => flag,
  };
  return { ...facts, flags: flags ?? (flag ? [given] : []) };
}

/** A flag with its own help and kind of value, which converts to and from the field's value. */
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

/** A flag of the field's own values, with its own help, and texts that JSON does not write so. */
export function textFlag<T>(
  written: string,
  help: string,
  kind: Kind<T>,
  more: Pick<Flag<T>, "brief" | "says" | "common">,
): Flag<T> {
  const identity = (value: T): T => value;
  return { ...flagFor<T, T>(written, help, kind, identity, identity), ...more };
}

/** A switch that sets one value. */
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
