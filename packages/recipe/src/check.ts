// Checks recipes: the version, the operation, every field by its row of the table, then the fields against each other.

import { nearest } from "skerry/internal";
import { BESIDE_FIELDS } from "./beside.js";
import { objectCondition, totalCondition } from "./conditions.js";
import { RecipeError, shown, unexpected } from "./errors.js";
import { type Field, OPERATIONS, type Operation, PARTS, type Part } from "./field.js";
import { namedProperties } from "./fields/products.js";
import { takesPolarity } from "./fields/thresholds.js";
import { fieldsOf, type Recipe } from "./fields.js";
import { OF_FILES, recipeOfFile } from "./files.js";
import { isDeep } from "./json.js";

/** The name of a field with a value in messages: `options.smooth`, or a flag of the command line. */
export type NameOf = (field: Field, value: unknown) => string;

const pathOf = ({ part, name }: Pick<Field, "part" | "name">): string => `${part}.${name}`;

/** The values of a part of a recipe. */
export type Values = Readonly<Record<string, unknown>>;

/** The fields of a recipe's part, by name. */
export function valuesOf(recipe: Recipe, part: Part): Values {
  return (recipe[part] ?? {}) as Values;
}

/** The value of a field. */
export function fieldValue(recipe: Recipe, { part, name }: Field): unknown {
  return valuesOf(recipe, part)[name];
}

/** The fields that a recipe sets, with their values, in the order of the table. */
export function givenFields(recipe: Recipe): readonly (readonly [Field, unknown])[] {
  return fieldsOf(recipe.operation)
    .map((field) => [field, fieldValue(recipe, field)] as const)
    .filter(([, value]) => value !== undefined);
}

/**
 * Checks that a value is a recipe of this version.
 * @param nameOf the name of a field in messages; `options.smooth` by default
 * @returns one sentence that names the wrong field, or undefined
 * @example
 * import { check } from "@skerry/recipe";
 * console.log(check({ skerry: 1, operation: "components", options: { minArea: -1 } }));
 * // Expected options.minArea to be 0 or more, got -1.
 */
export function check(recipe: unknown, nameOf: NameOf = pathOf): string | undefined {
  try {
    parseRecipe(recipe, nameOf);
    return undefined;
  } catch (error) {
    if (error instanceof RecipeError) return error.message;
    throw error;
  }
}

/**
 * Returns a value as a recipe.
 * @throws RecipeError with the sentence of {@link check}
 */
export function parseRecipe(given: unknown, nameOf: NameOf = pathOf, isFence = false): Recipe {
  if (!isRecord(given)) throw unexpected("a recipe", { expected: "an object" }, given);
  if (isDeep(given))
    throw unexpected("a recipe", { expected: "at most 32 lists and objects within each other" }, "more");
  const { skerry, operation, files, ...parts } = given;
  if (skerry !== 1)
    throw unexpected(
      isFence ? "input.within.skerry" : "skerry",
      { expected: "1, the version of recipes that this program knows" },
      skerry,
    );
  if (operation === "measure") {
    throw new RecipeError(
      'Expected operation to be labelled for the objects of a label image, got "measure", which is its name in older recipes.',
    );
  }
  if (!OPERATIONS.includes(operation as Operation)) {
    throw unexpected(
      isFence ? "input.within.operation" : "operation",
      { expected: OPERATIONS.join(", "), words: OPERATIONS },
      operation,
    );
  }
  const known = fieldsOf(operation as Operation);
  for (const [part, values] of Object.entries(parts)) {
    if (!PARTS.includes(part as Part)) {
      const meant = known.find(({ name }) => name === part);
      throw unknown(part, ["skerry", "operation", ...PARTS, "files"], "a recipe", meant && pathOf(meant));
    }
    if (!isRecord(values)) throw unexpected(part, { expected: "an object" }, values);
    const ofPart = known.filter((field) => field.part === part);
    for (const [name, value] of Object.entries(values)) {
      const field = ofPart.find((each) => each.name === name);
      const elsewhere = known.find((each) => each.name === name && each.part !== part);
      if (!field && elsewhere) {
        throw new RecipeError(
          `Expected fields that a recipe of ${operation} has, got ${part}.${name}; did you mean ${elsewhere.part}.${elsewhere.name}?`,
        );
      }
      if (!field) {
        const meant = known.find((each) => holds(each, name));
        const hint = meant && `${pathOf(meant)} { ${name} }`;
        throw unknown(`${part}.${name}`, ofPart.map(pathOf), `a recipe of ${operation}`, hint);
      }
      if (field.kind.is(value)) continue;
      const named = nameOf(field, value);
      const wrong = named.startsWith("-") ? undefined : field.kind.wrongPart?.(value);
      if (wrong) throw unexpected(`${named}${wrong.name}`, wrong.kind, wrong.value);
      throw unexpected(named, field.kind, value);
    }
  }
  const recipe = given as unknown as Recipe;
  checkTogether(recipe, nameOf, isFence);
  if (files !== undefined) checkFiles(recipe, files, isFence);
  return recipe;
}

/** Checks the settings of single files, each with the rest of the recipe. */
function checkFiles(recipe: Recipe, files: unknown, isFence: boolean): void {
  if (isFence || !OF_FILES.includes(recipe.operation)) {
    throw new RecipeError(`Expected no files in a recipe of ${isFence ? "a fence" : recipe.operation}.`);
  }
  if (!isRecord(files)) throw unexpected("files", { expected: "an object of file names" }, files);
  for (const [name, entry] of Object.entries(files)) {
    const at = `files[${JSON.stringify(name)}]`;
    if (/[/\\]/.test(name)) throw new RecipeError(`Expected names without folders in files, got ${shown(name)}.`);
    if (!isRecord(entry)) throw unexpected(at, { expected: "an object with input and options" }, entry);
    const wrong = Object.keys(entry).find((key) => key !== "input" && key !== "options");
    if (wrong !== undefined) throw unknown(`${at}.${wrong}`, [`${at}.input`, `${at}.options`], "files");
    parseRecipe(recipeOfFile(recipe, name), (field) => `${at}.${pathOf(field)}`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a field's value may be an object that has such a field. */
const holds = ({ kind }: Field, name: string): boolean => {
  type Shape = { readonly properties?: object };
  const { anyOf = [kind.schema] } = kind.schema as { readonly anyOf?: readonly Shape[] };
  return anyOf.some(({ properties = {} }: Shape) => Object.hasOwn(properties, name));
};

function unknown(name: string, known: readonly string[], where: string, meant?: string): RecipeError {
  const near = meant ?? nearest(name, known);
  const hint = near === undefined ? `it has ${known.join(", ")}.` : `did you mean ${near}?`;
  return new RecipeError(`Expected fields that ${where} has, got ${shown(name)}; ${hint}`);
}

/** Checks that fields fit each other. */
function checkTogether(recipe: Recipe, nameOf: NameOf, isFence: boolean): void {
  const { operation, input = {}, options = {}, products = {} } = recipe;
  const named = (name: string): string => {
    const field = fieldsOf(operation).find((each) => each.name === name) as Field;
    return nameOf(field, fieldValue(recipe, field));
  };
  const wrong = (message: string): never => {
    throw new RecipeError(message);
  };
  /** The words of the command line, or those of a recipe. */
  const said = (flags: string, fields: string): string => (nameOf === pathOf ? fields : flags);
  const { threshold, by, polarity } = options;
  if (by !== undefined && threshold !== undefined) {
    wrong(`Expected no threshold with ${said("--by", "options.by")}, got ${named("threshold")}.`);
  }
  if (by !== undefined && polarity !== undefined) {
    wrong(`Expected no threshold with ${said("--by", "options.by")}, got ${named("polarity")}.`);
  }
  if (by === undefined && options.background !== undefined) {
    wrong(`Expected ${named("background")} together with ${said("--by", "options.by")}.`);
  }
  if (polarity !== undefined && !takesPolarity(threshold)) {
    const side = polarity === "dark" ? "below" : "above";
    const other = side === "above" ? "below" : "above";
    const isThere = typeof threshold !== "object" || !(other in threshold);
    const instead = isThere
      ? "leave it out"
      : `use ${said(`--threshold "${side === "above" ? ">" : "<"}N"`, `{ "${side}": N }`)} instead`;
    wrong(
      `Expected ${named("polarity")} only with ${said("an automatic or local --threshold", "an automatic or local threshold")}, got ${named("threshold")}; ${instead}.`,
    );
  }
  if (options.maxHoleArea !== undefined && options.fillHoles === undefined) {
    wrong(`Expected ${named("maxHoleArea")} together with ${said("--fill-holes", "options.fillHoles")}.`);
  }
  if (products.colourBy === "value" && options.by !== "value" && recipe.operation !== "labelled") {
    wrong(`Expected ${named("colourBy")} value together with ${said("--by value", 'options.by "value"')}.`);
  }
  const { minArea = 0, maxArea = Number.POSITIVE_INFINITY } = options;
  if (minArea > maxArea) {
    wrong(`Expected ${named("minArea")} to be at most ${named("maxArea")}, got ${minArea} and ${maxArea}.`);
  }
  if (options.select !== undefined) objectCondition(named("select"), options.select);
  if (products.failIf !== undefined) totalCondition(named("failIf"), products.failIf);
  const properties = namedProperties(recipe) ?? [];
  if (products.quantiles && !properties.includes("quantiles")) {
    wrong(
      `Expected ${named("quantiles")} together with ${said("--properties quantiles", "quantiles in products.properties")}.`,
    );
  }
  if (properties.includes("rawMoments") && (input.crop || options.physical || products.world)) {
    wrong(
      `Expected rawMoments without ${said("--crop, --physical and --world", "crop, physical and world")}: they are sums over the pixels of a whole image.`,
    );
  }
  if (products.bins !== undefined && !properties.includes("histogram")) {
    wrong(
      `Expected ${named("bins")} together with ${said("--properties histogram", "histogram in products.properties")}.`,
    );
  }
  if (typeof input.within === "object") {
    const fence = parseRecipe(input.within, pathOf, true);
    if (!["components", "fill", "kmeans"].includes(fence.operation)) {
      wrong(
        `Expected ${named("within")} to be a file or a recipe of components, fill or kmeans, got one of ${fence.operation}.`,
      );
    }
    if (fence.input?.crop || fence.input?.spacing) {
      wrong(`Expected ${named("within")} to be a recipe without crop and spacing, which are those of the whole.`);
    }
  }
  const measures = ["components", "labelled"].includes(operation);
  if (input.time === "all" && !measures) wrong(`Expected ${named("time")} N, got all, which is for tables of objects.`);
  if (input.page === "all" && !measures && !input.volume) {
    wrong(
      `Expected ${named("page")} all together with ${said("--volume", "input.volume")}, which makes the pages slices.`,
    );
  }
  if (input.time === "all" && input.page === "all" && !input.volume) {
    wrong(`Expected ${named("time")} or ${named("page")} to be all, got both.`);
  }
  if (input.ignorePlace && BESIDE_FIELDS.every((name) => input[name] === undefined)) {
    wrong(`Expected ${named("ignorePlace")} together with a second file, whose place would be compared.`);
  }
  if (input.endless !== undefined && input.shape?.length !== 1) {
    wrong(
      `Expected ${said("--shape WIDTH", "input.shape [width]")} with ${named("endless")}, got ${input.shape === undefined ? "none" : shown(input.shape)}.`,
    );
  }
  if (input.endless === undefined && input.shape?.length === 1) {
    wrong(
      `Expected ${named("shape")} to be WIDTH,HEIGHT or WIDTH,HEIGHT,DEPTH, got one number, which is for ${said("--endless", "input.endless")}.`,
    );
  }
  if (options.maxLength !== undefined && input.endless === undefined) {
    wrong(`Expected ${named("maxLength")} together with ${said("--endless", "input.endless")}.`);
  }
  if (input.dtype !== undefined && input.shape === undefined)
    wrong(`Expected ${named("dtype")} together with ${said("--shape", "input.shape")}.`);
  if (operation === "distance" && options.points !== undefined) {
    const taken = ["points", "max", "beyond", "squared", "metric"];
    const [other] = givenFields(recipe).filter(
      ([{ part, name }]) =>
        (part === "options" && !taken.includes(name)) || (part === "input" && ["channel", "within"].includes(name)),
    );
    if (other) wrong(`Expected ${named("points")} without ${nameOf(...other)}, which is for pixels of a picture.`);
  }
  if (operation === "distance") {
    if (typeof threshold === "object" && "outside" in threshold) {
      wrong(`Expected one polarity of foreground for distances, got ${named("threshold")}.`);
    }
    if (options.signed && options.to === "surface") {
      wrong(`Expected ${named("signed")} without ${named("to")}, because a surface has no inside.`);
    }
    const mixing = (["smooth", "gradient"] as const).find((name) => options[name] !== undefined);
    if (mixing && input.nodata !== undefined) {
      wrong(`Expected ${named(mixing)} or ${named("nodata")}, got both: it mixes neighbours, measured or not.`);
    }
  }
  if (operation === "fill") {
    const { seeds, strokes } = options;
    if (seeds && strokes) wrong(`Expected ${named("seeds")} or ${named("strokes")}, got both.`);
    if (!seeds && !strokes && !products.coats)
      wrong(`Expected ${named("seeds")} X,Y, a point to begin with, at least once.`);
  }
  if (operation === "kmeans") {
    const { k, init, pick, absorb, maxK } = options;
    if (maxK !== undefined && k !== "auto")
      wrong(`Expected ${named("maxK")} together with ${said("-k auto", '"auto" as options.k')}.`);
    if (pick !== undefined && !isFence) wrong(`Expected ${named("pick")} only in a recipe that another works within.`);
    if (isFence && pick === undefined)
      wrong("Expected pick, a pixel of each class, in a recipe of kmeans to work within.");
    if (isFence && absorb !== undefined) wrong("Expected a recipe of kmeans without absorb to work within.");
    if (k === undefined && (init === undefined || typeof init === "string"))
      wrong(`Expected ${named("k")}${said(" K", "")}, how many classes, or ${said("-k auto", '"auto"')}, got none.`);
    if (k === "auto" && init !== undefined && (typeof init !== "string" || init === "tiles"))
      wrong(`Expected ${said("-k auto", '"auto" as options.k')} without colours or tiles as ${named("init")}.`);
  }
  if (operation === "mask") {
    const alone = options.erode === undefined && options.dilate === undefined;
    if (alone && (options.metric !== undefined || options.physical)) {
      wrong(
        `Expected ${named(options.physical ? "physical" : "metric")} together with ${said("--erode or --dilate", "options.erode or options.dilate")}.`,
      );
    }
  }
}
