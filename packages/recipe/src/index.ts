// The public names of recipes.

export type { Selection } from "./beside.js";
export { check } from "./check.js";
export { RecipeError } from "./errors.js";
export type { Condition } from "./expression.js";
export type { Field, Group, Operation } from "./field.js";
export type { Stroke } from "./fields/own.js";
export type { PaintedCoat } from "./fields/products.js";
export type { Recipe, RecipeInput, RecipeOptions, RecipeProducts } from "./fields.js";
export { toCommand } from "./flags.js";
export { absorbAreas, type Divided, maskOfClasses, mergeClasses, startFor } from "./run/kmeans.js";
export { nonzeroOrOtsu, type RunOptions } from "./run/objects.js";
export { type Box, cropped, maskOf, type Pixels, prepared } from "./run/pixels.js";
export { type Measuring, orderOf } from "./run/selection.js";
export type { Offer, Offers } from "./run/suggest.js";
export { type NamedPixels, type RecipeInputs, type Result, run } from "./run.js";
export { schema } from "./schema.js";
export { steps } from "./steps.js";
export { toTypeScript } from "./typescript.js";
