// The table of fields: every field of every recipe, in the order of the help, which is that of processing.

import type { Field, Operation, Part } from "./field.js";
import { INPUT_FIELDS } from "./fields/input.js";
import { OBJECTS_FIELDS } from "./fields/objects.js";
import { DISTANCE_FIELDS, FILL_FIELDS, KMEANS_FIELDS, MASK_FIELDS } from "./fields/own.js";
import { PRODUCTS_FIELDS } from "./fields/products.js";

const ROWS = [
  ...INPUT_FIELDS,
  ...FILL_FIELDS,
  ...KMEANS_FIELDS,
  ...MASK_FIELDS,
  ...DISTANCE_FIELDS,
  ...OBJECTS_FIELDS,
  ...PRODUCTS_FIELDS,
] as const;

/** Every field. Several fields have the same name in different operations. */
export const FIELDS = ROWS as unknown as readonly Field[];

/** The fields that recipes of an operation may set. */
export function fieldsOf(operation: Operation): readonly Field[] {
  return FIELDS.filter(({ operations }) => operations.includes(operation));
}

type Row = (typeof ROWS)[number];
type FieldsOf<P extends Part> = {
  readonly [R in Extract<Row, { readonly part: P }> as R["name"]]?: R extends Field<string, P, infer T> ? T : never;
};

/**
 * The JSON object that says what to do with an image. `input` controls the reading of files, `options` the processing of pixels,
 * `products` the outputs. Fields that are left out have their defaults.
 */
export interface Recipe {
  readonly skerry: 1;
  readonly operation: Operation;
  readonly input?: FieldsOf<"input">;
  readonly options?: FieldsOf<"options">;
  readonly products?: FieldsOf<"products">;
  /**
   * Settings of single files of `skerry label` and `skerry run`, by their names without folders. They take the places of `input` and
   * `options`.
   */
  readonly files?: Readonly<
    Record<string, { readonly input?: FieldsOf<"input">; readonly options?: FieldsOf<"options"> }>
  >;
}
/** Fields for reading the input. */
export type RecipeInput = FieldsOf<"input">;
/** Fields for processing. */
export type RecipeOptions = FieldsOf<"options">;
/** Fields for outputs. */
export type RecipeProducts = FieldsOf<"products">;
