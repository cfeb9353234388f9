// Exports for our own packages beyond the public names of recipes. They are not documented, and change without notice.

export {
  BESIDE_FIELDS,
  type BesideFile,
  intensityFiles,
  namesIntensity,
  parseBeside,
  SELECTION_KEYS,
} from "./beside.js";
export { givenFields, type NameOf, parseRecipe } from "./check.js";
export { type ObjectCondition, objectCondition, type Totals, totalCondition } from "./conditions.js";
export { type Flag, GROUPS, OPERATIONS, PARTS, type Part } from "./field.js";
export { DTYPES } from "./fields/input.js";
export { rgbOf } from "./fields/own.js";
export { nameOfEdit, placesOf } from "./fields/places.js";
export { namedProperties } from "./fields/products.js";
export { DISTRIBUTED_TEXTS, isDistributed } from "./fields/thresholds.js";
export { FIELDS, fieldsOf } from "./fields.js";
export { recipeOfFile } from "./files.js";
export { argumentsOf, COMMANDS, type CommandLine, flagName, operationsOf, parseFlag, recipeOf } from "./flags.js";
export { isDeep, repeatedName } from "./json.js";
export { quotedForComment, quotedForShell } from "./quote.js";
export { oneValueOf } from "./run/binary.js";
export { distanceTarget } from "./run/distance.js";
export { shownProperties, streamOptions } from "./run/endless.js";
export { fillObjects } from "./run/fill.js";
export { idsIn, neighboursOf } from "./run/ids.js";
export { divideColours } from "./run/kmeans.js";
export { combineMasks } from "./run/mask.js";
export { objectsOf, regionsOptions, thresholdFor } from "./run/objects.js";
export { componentsOptions, connectivityOf, fillOptions, namedThreshold } from "./run/options.js";
export { inPart } from "./run/part.js";
export { boundsOf } from "./run/pixels.js";
export { measuringOf, type Verdict, verdictOf } from "./run/selection.js";
export { offersFor } from "./run/suggest.js";
export { toleranceAround } from "./run/tolerance.js";
export { fenceOf } from "./run.js";
export {
  BY_VALUE,
  type Carrier,
  type Connection,
  OF_OBJECTS,
  productsOfObjects,
  roomFor,
  type SentArray,
  type Served,
  type ServeRequest,
  serve,
  typeOf,
} from "./serve.js";
export { strokesThatCount } from "./strokes.js";
