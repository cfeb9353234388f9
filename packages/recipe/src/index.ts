// The public names of recipes.

export {
  BESIDE_FIELDS,
  type BesideFile,
  intensityFiles,
  namesIntensity,
  parseBeside,
  SELECTION_KEYS,
  type Selection,
} from "./beside.js";
export { check, givenFields, type NameOf, parseRecipe } from "./check.js";
export { RecipeError } from "./errors.js";
export { type Condition, type Parsed, parseCondition } from "./expression.js";
export { type Field, type Flag, GROUPS, type Group, OPERATIONS, type Operation, PARTS, type Part } from "./field.js";
export { DTYPES } from "./fields/input.js";
export { NUMBERS } from "./fields/objects.js";
export { rgbOf, type Stroke } from "./fields/own.js";
export { namedProperties, type PaintedCoat } from "./fields/products.js";
export { DISTRIBUTED_TEXTS, isDistributed } from "./fields/thresholds.js";
export { FIELDS, fieldsOf, type Recipe, type RecipeInput, type RecipeOptions, type RecipeProducts } from "./fields.js";
export {
  argumentsOf,
  COMMANDS,
  type CommandLine,
  flagName,
  operationsOf,
  parseFlag,
  recipeOf,
  toCommand,
} from "./flags.js";
export { isDeep, repeatedName } from "./json.js";
export { quotedForComment, quotedForShell } from "./quote.js";
export { oneValueOf } from "./run/binary.js";
export { distanceTarget } from "./run/distance.js";
export { fillObjects } from "./run/fill.js";
export { absorbAreas, type Divided, divideColours, maskOfClasses, mergeClasses, startFor } from "./run/kmeans.js";
export { combineMasks } from "./run/mask.js";
export { nonzeroOrOtsu, objectsOf, type RunOptions, regionsOptions, thresholdFor } from "./run/objects.js";
export { componentsOptions, connectivityOf, fillOptions, namedThreshold } from "./run/options.js";
export { inPart } from "./run/part.js";
export { type Box, boundsOf, cropped, maskOf, type Pixels, prepared } from "./run/pixels.js";
export { type Measuring, measuringOf, orderOf } from "./run/selection.js";
export { type Offer, type Offers, offersFor } from "./run/suggest.js";
export { toleranceAround } from "./run/tolerance.js";
export { fenceOf, type NamedPixels, type RecipeInputs, type Result, run } from "./run.js";
export { schema } from "./schema.js";
export { steps } from "./steps.js";
export { strokesThatCount } from "./strokes.js";
export { toTypeScript } from "./typescript.js";
