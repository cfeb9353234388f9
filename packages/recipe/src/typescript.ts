// Converts a recipe into a program of library calls with the same result.

import type { Threshold } from "skerry";
import { defined } from "skerry/internal";
import { intensityFiles } from "./beside.js";
import { parseRecipe } from "./check.js";
import { type ObjectCondition, objectCondition, totalCondition } from "./conditions.js";
import { rgbOf, type Stroke } from "./fields/own.js";
import type { Recipe, RecipeInput } from "./fields.js";
import { checkOne } from "./files.js";
import { quotedForComment } from "./quote.js";
import { distanceOptions } from "./run/distance.js";
import { refuseEndless } from "./run/endless.js";
import { coatRecipe } from "./run/fill.js";
import { regionsOptions } from "./run/objects.js";
import {
  channelOf,
  componentsOptions,
  connectivityOf,
  fillOptions,
  isOfPixels,
  isPrepared,
  labelledSteps,
  namedThreshold,
  optionsFor,
  physicalOf,
} from "./run/options.js";
import { inPart } from "./run/part.js";
import type { Measuring } from "./run/selection.js";
import { strokesThatCount } from "./strokes.js";

/** Source text that is printed unchanged. */
class Code {
  constructor(readonly text: string) {}
}

/** A value as source text: an object literal has unquoted names. */
function literal(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value instanceof Code && value.text === name ? name : `${name}: ${literal(value)}`));
  return fields.length > 0 ? `{ ${fields.join(", ")} }` : "{}";
}

/** The lines and imports of a program. */
class Program {
  readonly lines: string[] = [];
  readonly library = new Set(["open"]);
  readonly recipe = new Set<string>();
  #count = 0;

  add(...lines: string[]): void {
    this.lines.push(...lines);
  }

  /** A new name. */
  fresh(stem: string): string {
    this.#count++;
    return `${stem}${this.#count}`;
  }

  /** Imports a function of `@skerry/recipe`, and returns its name. */
  uses(name: string): string {
    this.recipe.add(name);
    return name;
  }

  /** A call with the fields of a record as its options. */
  call(begin: string, options: object, ...others: string[]): string {
    const text = literal(options);
    return `await ${begin}(${[...others, ...(text === "{}" ? [] : [text])].join(", ")})`;
  }
}

const code = (text: string): Code => new Code(text);

/** Adds a line that reads the mask of a file. Returns its name. */
function maskLine(program: Program, recipe: Recipe, path: string, stem: string): string {
  const name = program.fresh(stem);
  const of = pixelsOf(program, recipe, `await read(${literal(path)})`);
  program.add(`const ${name} = await ${program.uses("maskOf")}(engine, ${of});`);
  return name;
}

/** Pixels with the crop, spacing and nodata of the recipe's input, as code. */
function pixelsOf(program: Program, { input = {} }: Recipe, image: string, beside = true): string {
  const { crop, spacing, nodata } = input;
  const placed: Pick<RecipeInput, "crop" | "spacing" | "nodata"> = defined({
    crop,
    spacing: spacing === undefined || spacing === "file" ? undefined : spacing,
    nodata: beside || nodata === undefined ? undefined : nodata,
  });
  return Object.keys(placed).length > 0 ? `${program.uses("prepared")}(${image}, ${literal(placed)})` : image;
}

/** The mask of `within`, as code: that of a file, or of a recipe's objects, whose lines have their own scope. */
function fenceCode(program: Program, recipe: Recipe): { readonly within?: Code } {
  const { within: fence } = recipe.input ?? {};
  if (fence === undefined) return {};
  if (typeof fence === "string") return { within: code(maskLine(program, recipe, fence, "within")) };
  const inner = fence as Recipe;
  const name = program.fresh("within");
  const before = program.lines.length;
  if (inner.operation === "fill") addFill(program, inner);
  else if (inner.operation === "kmeans") addKmeans(program, inner);
  else addFound(program, inner);
  const lines = program.lines.splice(before).filter((line) => !line.startsWith("console.log"));
  program.add(
    `const ${name} = await (async () => {`,
    ...lines.map((line) => `  ${line}`),
    inner.operation === "kmeans"
      ? `  return ${program.uses("maskOfClasses")}(classes, ${literal(inner.options?.pick)});`
      : "  return objects.mask();",
    "})();",
  );
  return { within: code(name) };
}

/** The threshold that the recipe names, or a call that chooses it, as code. */
function thresholdCode(program: Program, recipe: Recipe): Threshold {
  const named = namedThreshold(recipe);
  if (named !== undefined || recipe.options?.by !== undefined) return named as Threshold;
  if (isPrepared(recipe)) return "otsu";
  return code(`await ${program.uses("nonzeroOrOtsu")}(pixels, engine)`) as unknown as Threshold;
}

/** Options of components(), as code. */
function findOptions(program: Program, recipe: Recipe): object {
  const threshold = thresholdCode(program, recipe);
  const chosen = threshold instanceof Code;
  const options = componentsOptions(recipe, chosen ? "otsu" : threshold);
  // Polarity does not apply to the threshold nonzero.
  const polarity = chosen
    ? { threshold: code("threshold"), polarity: code('threshold === "nonzero" ? undefined : "auto"') }
    : {};
  if (chosen) program.add(`const threshold = ${(threshold as unknown as Code).text};`);
  return {
    ...options,
    ...polarity,
    ...fenceCode(program, recipe),
  };
}

/** The options of `keep()` for a condition, as code. */
function whereCode({ properties, variables, code: condition }: ObjectCondition, measuring: object): object {
  return {
    properties: properties.length > 0 ? properties : undefined,
    ...measuring,
    where: code(`(${variables.length > 0 ? `{ ${variables.join(", ")} }` : ""}) => ${condition}`),
  };
}

/** Adds lines that end the program with exit code 3 if the objects fail. */
function addVerdict(program: Program, { products = {} }: Recipe, measuring: object): void {
  if (products.failIf === undefined) return;
  const condition = totalCondition("failIf", products.failIf);
  if (!condition.ofObjects) program.add(`if (${condition.code}) process.exitCode = 3;`);
  else {
    program.add(
      `const failing = await objects.keep(${literal(whereCode(condition, measuring))});`,
      "if (failing.count > 0) process.exitCode = 3;",
    );
  }
}

/** Adds lines that select, sort, correct and pick objects. */
function addSelection(program: Program, { options = {} }: Recipe, measuring: object): void {
  const { select, sort, top, edits, pick } = options;
  if (select) {
    program.add(`objects = await objects.keep(${literal(whereCode(objectCondition("select", select), measuring))});`);
  }
  if (top !== undefined) {
    const order = `await ${program.uses("orderOf")}(objects, ${literal(sort ?? "area")}, ${literal(measuring)})`;
    program.add(`objects = await objects.keep({ labels: (${order}).subarray(0, ${top}) });`);
  }
  if (edits) program.add(`objects = await objects.edit(${literal(edits)});`);
  if (pick) {
    program.library.add("labelAt");
    program.add(
      "const runs = await objects.runs();",
      `const picked = ${literal(pick)}.map(([x, y, z]) => labelAt(runs, x, y, z));`,
      "objects = await objects.keep({ labels: [...new Set(picked)].filter((label) => label > 0) });",
    );
  }
}

/** Adds lines that find objects and keep some of them. Returns the options that measure them, as code. */
function addFound(program: Program, recipe: Recipe): object {
  const { operation, products = {} } = recipe;
  if (operation === "components") {
    const options = findOptions(program, recipe);
    program.add(`let objects = ${program.call("engine.components", options, "pixels")};`);
  } else {
    program.add(`let objects = ${program.call("engine.labelled", connectivityOf(recipe), "pixels")};`);
    for (const [call, ...given] of labelledSteps(recipe)) {
      const texts = given.map(literal).filter((text) => text !== "{}");
      program.add(`objects = await objects.${call}(${texts.join(", ")});`);
    }
  }
  const channel = products.perChannel || recipe.operation !== "components" ? undefined : channelOf(recipe);
  const files = intensityFiles(recipe);
  for (const [i, { path, channel }] of files.entries()) {
    const pixels = pixelsOf(program, recipe, `await read(${literal(path)})`);
    const values = channel === undefined ? pixels : `await engine.channel(${pixels}, ${literal(channel)})`;
    program.add(`const ${intensityName(i)} = ${values};`);
  }
  if (files.length === 0 && channel !== undefined) {
    program.add(`const intensity = await engine.channel(pixels, ${literal(channel)});`);
  }
  const intensity = code(files.length === 0 && channel === undefined ? "pixels" : "intensity");
  const measuring = { ...physicalOf(recipe), intensity };
  addSelection(program, recipe, measuring);
  return measuring;
}

const intensityName = (i: number): string => `intensity${i === 0 ? "" : i + 1}`;

function addObjects(program: Program, recipe: Recipe): void {
  const { products = {} } = recipe;
  const measuring = addFound(program, recipe);
  const regions = regionsOptions(recipe, measuring as Measuring);
  program.add("const labels = await objects.labels();", `const regions = await objects.regions(${literal(regions)});`);
  for (const [i, { name }] of intensityFiles(recipe).entries()) {
    if (i === 0) continue;
    const other = { ...regions, intensity: code(intensityName(i)) };
    program.add(`// ${quotedForComment(name)}`, `const regions${i + 1} = await objects.regions(${literal(other)});`);
  }
  addVerdict(program, recipe, measuring);
  const outlines = optionsFor(recipe, "outlines");
  if (Object.keys(outlines).length > 0) {
    const { simplify: tolerance, rings = "simple" } = products;
    program.add(
      `const outlines = await objects.outlines(${literal(defined({ tolerance: tolerance || undefined, rings }))});`,
    );
  }
  program.add("console.log(objects.count, labels.data.length, regions.count);");
}

/** Adds lines that compute the mask of strokes. */
function addStrokes(
  program: Program,
  recipe: Recipe,
  strokes: readonly Stroke[],
  name: string,
  fence: { readonly within?: Code },
  image: string,
): void {
  for (const [i, stroke] of strokesThatCount(strokes).entries()) {
    const filled = `await (await engine.fill(${image}, ${literal({ ...fillOptions(recipe, stroke), ...fence })})).mask()`;
    if (i === 0) program.add(`let ${name} = ${filled};`);
    else if (stroke.mode === "add") program.add(`${name} = await engine.union([${name}, ${filled}]);`);
    else program.add(`${name} = await engine.difference(${name}, [${filled}]);`);
  }
}

/** The name of the pixels that are filled or divided: those of the channel, if the recipe takes one. A fence is found in all channels. */
function inChannelCode(program: Program, recipe: Recipe): string {
  const channel = channelOf(recipe);
  if (channel === undefined) return "pixels";
  program.add(`const plane = await engine.channel(pixels, ${literal(channel)});`);
  return "plane";
}

function addFill(program: Program, recipe: Recipe): void {
  const { options = {}, products = {} } = recipe;
  const fence = fenceCode(program, recipe);
  const image = inChannelCode(program, recipe);
  if (options.strokes) {
    addStrokes(program, recipe, options.strokes, "selection", fence, image);
    program.add(`const objects = ${program.call("engine.components", connectivityOf(recipe), "selection")};`);
  } else if (options.seeds)
    program.add(`const objects = await engine.fill(${image}, ${literal({ ...fillOptions(recipe), ...fence })});`);
  if (options.strokes || options.seeds)
    program.add("const mask = await objects.mask();", "console.log(objects.foreground, mask.width);");
  if (!products.coats) return;
  program.library.add("paint");
  for (const [i, coat] of products.coats.entries())
    addStrokes(program, coatRecipe(coat), coat.strokes, `coat${i + 1}`, fence, "pixels");
  program.add(
    "const painted = await paint(pixels, [",
    ...products.coats.map(
      ({ color, ...coat }, i) =>
        `  { components: ${program.call("engine.components", connectivityOf(coatRecipe({ color, ...coat })), `coat${i + 1}`)}, colour: ${literal(rgbOf(color))} },`,
    ),
    "]);",
    "console.log(painted.data.length);",
  );
}

function addDistance(program: Program, recipe: Recipe): void {
  const { points } = recipe.options ?? {};
  if (points) {
    const size = ["width", "height", "depth", "spacing"].map((name) => [name, code(`pixels.${name}`)]);
    const target = literal({ points, ...Object.fromEntries(size) });
    program.add(`const map = ${program.call("engine.distance", distanceOptions(recipe), target)};`);
    program.add("console.log(map.data.length);");
    return;
  }
  const options = { ...distanceOptions(recipe), spacing: code("pixels.spacing") };
  const { physical, ...plain }: { readonly physical?: true } = findOptions(program, recipe);
  // Lengths are in the units of the spacing whatever it says; objects are measured by it.
  const found = isOfPixels(recipe) || physical === undefined ? plain : { ...plain, physical };
  if (isOfPixels(recipe)) {
    program.add(`const map = await engine.distance(pixels, ${literal({ ...found, ...options })});`);
  } else {
    program.add(
      `const objects = await engine.components(pixels, ${literal(found)});`,
      `const map = await engine.distance(objects, ${literal(options)});`,
    );
  }
  program.add("console.log(map.data.length);");
}

function addKmeans(program: Program, recipe: Recipe): void {
  const fence = fenceCode(program, recipe);
  const image = inChannelCode(program, recipe);
  const { k, init, maxK = 12, absorb, merge } = recipe.options ?? {};
  const start =
    init === undefined
      ? {}
      : {
          init:
            typeof init === "string"
              ? init
              : code(`${program.uses("startFor")}(${literal(init)}, ${image}.channels ?? 1)`),
        };
  const wanted = { ...optionsFor(recipe, "kmeans"), ...start, ...fence };
  if (k === "auto") {
    program.add(`const picked = await engine.pickK(${image}, ${literal({ ...wanted, max: maxK })});`);
  }
  const asked = k === "auto" ? { k: code("Math.max(1, picked.k)") } : k === undefined ? {} : { k };
  program.add(`let classes = await engine.kmeans(${image}, ${literal({ ...wanted, ...asked })});`);
  if (merge) program.add(`classes = ${program.uses("mergeClasses")}(classes, ${literal(merge)});`);
  if (absorb !== undefined) program.add(`classes = await ${program.uses("absorbAreas")}(engine, classes, ${absorb});`);
  program.add("console.log(classes.k, classes.data.length);");
}

function addMask(program: Program, recipe: Recipe): void {
  const { union = [], intersection = [], difference = [] } = recipe.input ?? {};
  const { erode, dilate } = recipe.options ?? {};
  program.add(`let mask = await ${program.uses("maskOf")}(engine, pixels);`);
  for (const path of union)
    program.add(`mask = await engine.union([mask, ${maskLine(program, recipe, path, "other")}]);`);
  for (const path of intersection) {
    program.add(`mask = await engine.intersection([mask, ${maskLine(program, recipe, path, "other")}]);`);
  }
  for (const path of difference) {
    program.add(`mask = await engine.difference(mask, [${maskLine(program, recipe, path, "other")}]);`);
  }
  const ball = { ...optionsFor(recipe, "ball"), ...physicalOf(recipe) };
  if (erode !== undefined) program.add(`mask = ${program.call("engine.erode", ball, "mask", `${erode}`)};`);
  if (dilate !== undefined) program.add(`mask = ${program.call("engine.dilate", ball, "mask", `${dilate}`)};`);
  program.add("console.log(mask.bits.length);");
}

/**
 * A recipe as a program of library calls with the same result as `run()`. The program uses `image`, a raster, and `read(path)`
 * if the recipe names other files.
 * @example
 * import { toTypeScript } from "@skerry/recipe";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: "otsu", minArea: 20 } };
 * console.log(toTypeScript(recipe));
 */
export function toTypeScript(fullRecipe: Recipe): string {
  checkOne(parseRecipe(fullRecipe));
  refuseEndless(fullRecipe);
  const program = new Program();
  // Points are those of the whole image, whose size the program need not know.
  const endless = Number.POSITIVE_INFINITY;
  const recipe = inPart(fullRecipe, { width: endless, height: endless, depth: endless });
  const { operation } = recipe;
  program.add(`const pixels = ${pixelsOf(program, recipe, "image", false)};`);
  if (operation === "fill") addFill(program, recipe);
  else if (operation === "distance") addDistance(program, recipe);
  else if (operation === "kmeans") addKmeans(program, recipe);
  else if (operation === "mask") addMask(program, recipe);
  else addObjects(program, recipe);
  const names = (of: ReadonlySet<string>): string => [...of].sort().join(", ");
  const reads = program.lines.some((line) => line.includes("await read("));
  return [
    ...(program.recipe.size > 0 ? [`import { ${names(program.recipe)} } from "@skerry/recipe";`] : []),
    `import { ${names(program.library)} } from "skerry";`,
    "",
    "const engine = await open();",
    "// image: { data, width, height, channels }, e.g. an ImageData",
    ...(reads ? ["// read(path): the same of another file"] : []),
    ...program.lines,
    "await engine.close();",
    "",
  ].join("\n");
}
