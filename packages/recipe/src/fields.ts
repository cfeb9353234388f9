// The table of fields: every field of every recipe, in the order of help and of what happens.

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

/** Every field. Several of one name belong to different operations. */
export const FIELDS = ROWS as unknown as readonly Field[];

/** Fields that recipes of an operation may have. */
export function fieldsOf(operation: Operation): readonly Field[] {
  return FIELDS.filter(({ operations }) => operations.includes(operation));
}

type Row = (typeof ROWS)[number];
type FieldsOf<P extends Part> = {
  readonly [R in Extract<Row, { readonly part: P }> as R["name"]]?: R extends Field<string, P, infer T> ? T : never;
};

/**
 * A plain object that says what to do with an image, as JSON of this version. `input` says how files are read, `options` what is done with the
 * pixels, `products` what is made of the result. Fields that are left out mean their defaults.
 */
export interface Recipe {
  readonly skerry: 1;
  readonly operation: Operation;
  readonly input?: FieldsOf<"input">;
  readonly options?: FieldsOf<"options">;
  readonly products?: FieldsOf<"products">;
}
/** Fields that say what is read. */
export type RecipeInput = FieldsOf<"input">;
/** Fields that say what is done. */
export type RecipeOptions = FieldsOf<"options">;
/** Fields that say what is written. */
export type RecipeProducts = FieldsOf<"products">;
