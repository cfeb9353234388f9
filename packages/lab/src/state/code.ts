// The recipe as calls of the library and as a command line, which give the same.

import { fillOptionsOf, rgbOf } from "../tools/fill.js";
import { isOfColours, optionsOf, stepsOf } from "../tools/objects.js";
import { type Fence, type FillSettings, type ObjectsRecipe, type Recipe, SAMPLES, type Stroke } from "./recipe.js";

/** A command line, and the features of the page that it lacks. */
export interface Command {
  readonly text: string;
  readonly without: readonly string[];
}

/** The file of a sample, in the repository, or the reader's own. */
function fileOf({ source }: Recipe): string {
  const sample = SAMPLES.find((each) => each.source === source);
  return sample ? `samples/${sample.file}` : source;
}

/** An object as source text: names without quotes where they need none. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, own]) => `${name}: ${literal(own)}`);
  return fields.length > 0 ? `{ ${fields.join(", ")} }` : "{}";
}

/** Lines of a program, and names in it. */
class Program {
  readonly lines: string[] = [];
  readonly imports = new Set(["open"]);
  readonly #names = new Map<string, number>();

  /** A name that is not taken yet: the stem, or the stem with a number. */
  name(stem: string): string {
    const count = (this.#names.get(stem) ?? 0) + 1;
    this.#names.set(stem, count);
    return count === 1 ? stem : `${stem}${count}`;
  }

  add(...lines: string[]): void {
    this.lines.push(...lines);
  }
}

/** The fence as a mask; its name. */
function addFence(program: Program, fence: Fence | undefined): string | undefined {
  if (!fence) return undefined;
  const outer = addFence(program, fence.within);
  const name = program.name("fence");
  if (fence.tool === "fill") {
    addSelection(program, name, fence.fill, fence.fill.strokes, outer);
    return name;
  }
  const all = program.name("all");
  addObjects(program, all, fence.objects, outer);
  program.imports.add("labelAt");
  const runs = program.name("runs");
  program.add(
    `const ${runs} = await ${all}.runs();`,
    `const ${name} = await (await ${all}.keep({ labels: ${literal(fence.spots)}.map(([x, y]) => labelAt(${runs}, x, y)) })).mask();`,
  );
  return name;
}

function addObjects(program: Program, name: string, recipe: ObjectsRecipe, fence: string | undefined): void {
  const { channel, keep, dropped } = recipe;
  const properties = Object.keys(keep);
  const filtered = properties.length > 0 || dropped.length > 0;
  const plane = channel === "luma" && properties.length === 0 ? "image" : program.name("plane");
  if (plane !== "image") program.add(`const ${plane} = await engine.channel(image, "${channel}");`);
  const options = Object.entries(optionsOf(recipe)).map(([key, value]) => `${key}: ${literal(value)}`);
  if (fence) options.push(fence === "within" ? "within" : `within: ${fence}`);
  const found = filtered ? program.name("found") : name;
  program.add(
    `const ${found} = await engine.components(${isOfColours(recipe) ? "image" : plane}, {`,
    ...options.map((option) => `  ${option},`),
    "});",
  );
  if (!filtered) return;
  const [regions, table, gone, labels] = ["regions", "table", "dropped", "labels"].map((stem) => program.name(stem));
  const conditions = Object.entries(keep).map(
    ([property, [low, high]]) =>
      `${regions}.${property}[label - 1] >= ${low} && ${regions}.${property}[label - 1] <= ${high}`,
  );
  if (properties.length > 0) {
    program.add(
      `const ${regions} = await ${found}.regions({ properties: ${literal(properties)}, intensity: ${plane} });`,
    );
  }
  if (dropped.length > 0) {
    program.imports.add("labelAt");
    program.add(
      `const ${table} = await ${found}.runs();`,
      `const ${gone} = ${literal(dropped)}.map(([x, y]) => labelAt(${table}, x, y));`,
    );
    conditions.push(`!${gone}.includes(label)`);
  }
  program.add(
    `const ${labels} = Array.from({ length: ${found}.count }, (_, i) => i + 1).filter(`,
    `  (label) => ${conditions.join(" && ")},`,
    ");",
    `const ${name} = await ${found}.keep({ labels${labels === "labels" ? "" : `: ${labels}`} });`,
  );
}

/** Strokes from the last that begins anew on. */
export function strokesThatCount(strokes: readonly Stroke[]): readonly Stroke[] {
  return strokes.slice(
    Math.max(
      0,
      strokes.findLastIndex(({ mode }) => mode === "new"),
    ),
  );
}

/** The selection of some strokes as a mask. */
function addSelection(
  program: Program,
  name: string,
  settings: FillSettings,
  strokes: readonly Stroke[],
  fence: string | undefined,
): void {
  const own = strokesThatCount(strokes);
  for (const [i, stroke] of own.entries()) {
    const options = literal(fillOptionsOf(settings, stroke)).replace(/ }$/, fence ? `, within: ${fence} }` : " }");
    const filled = `(await (await engine.fill(image, ${options})).mask())`;
    if (i === 0) program.add(`const ${name} = ${filled.slice(1, -1)};`);
    else if (stroke.mode === "add") program.add(`${filled}.bits.forEach((bits, i) => (${name}.bits[i] |= bits));`);
    else program.add(`${filled}.bits.forEach((bits, i) => (${name}.bits[i] &= ~bits));`);
  }
}

export function typescriptOf(recipe: Recipe): string {
  const program = new Program();
  const fence = addFence(program, recipe.within);
  const { fill } = recipe;
  if (recipe.tool === "objects") {
    addObjects(program, "objects", recipe.objects, fence);
    program.add("console.log(objects.count);");
  } else if (fill.coats.length > 0) {
    program.imports.add("paint");
    for (const [i, coat] of fill.coats.entries()) addSelection(program, `mask${i + 1}`, coat, coat.strokes, fence);
    program.add(
      "const painted = await paint(image, [",
      ...fill.coats.map(
        ({ colour, connectivity }, i) =>
          `  { components: await engine.components(mask${i + 1}, { connectivity: ${connectivity} }), colour: ${literal(rgbOf(colour))} },`,
      ),
      "]);",
      "console.log(painted.data.length);",
    );
  } else if (fill.strokes.length > 0) {
    addSelection(program, "selection", fill, fill.strokes, fence);
    program.add(
      `const objects = await engine.components(selection, { connectivity: ${fill.connectivity} });`,
      "console.log(objects.foreground);",
    );
  }
  return [
    `import { ${[...program.imports].sort().join(", ")} } from "skerry";`,
    "",
    "const engine = await open();",
    "// image: { data, width, height, channels }, e.g. an ImageData",
    ...program.lines,
    "await engine.close();",
    "",
  ].join("\n");
}

export function commandOf(recipe: Recipe): Command {
  const file = fileOf(recipe);
  const quoted = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  const without = [
    ...(recipe.within ? ["fence"] : []),
    ...(recipe.shrink > 1 ? ["shrink"] : []),
    ...(/^https?:/.test(file) ? ["address"] : []),
  ];
  const { text, without: more } =
    recipe.tool === "objects" ? labelCommand(quoted, recipe.objects) : fillCommand(quoted, recipe);
  return { text, without: [...without, ...more] };
}

function labelCommand(file: string, recipe: ObjectsRecipe): Command {
  const { rule, channel, threshold, lower, connectivity, minArea, maxArea, largest, fillHoles, clearBorder } = recipe;
  const rules = {
    bright: `--above ${threshold}`,
    dark: `--below ${threshold}`,
    both: `--outside ${Math.min(lower, threshold)},${threshold}`,
    nonzero: "--nonzero",
    value: "--by value",
  };
  const { local, ...steps } = stepsOf(recipe);
  const text = [
    `npx @skerry/cli label ${file}`,
    ...(channel === "luma" || isOfColours(recipe) ? [] : [`--channel ${channel}`]),
    local ? `--local sauvola:${local}${rule === "dark" ? " --dark" : ""}` : rules[rule],
    ...Object.entries(steps).map(([step, value]) => `--${step} ${value}`),
    ...(connectivity === 8 ? ["--connectivity 8"] : []),
    ...(minArea > 1 ? [`--min-area ${minArea}`] : []),
    ...(maxArea > 0 ? [`--max-area ${maxArea}`] : []),
    ...(largest > 0 ? [`--largest ${largest}`] : []),
    ...(fillHoles ? ["--fill-holes"] : []),
    ...(clearBorder ? ["--clear-border"] : []),
  ].join(" ");
  const without = [
    ...(channel === "luma" || isOfColours(recipe) ? [] : ["channel"]),
    ...(Object.keys(recipe.keep).length > 0 ? ["keep"] : []),
    ...(recipe.dropped.length > 0 ? ["dropped"] : []),
  ];
  return { text, without };
}

function fillCommand(file: string, { fill }: Recipe): Command {
  const coat = fill.coats.at(-1);
  const { strokes, ...settings } = coat ?? fill;
  const own = strokesThatCount(strokes);
  const [first] = own;
  if (!first) return { text: "", without: ["nothing"] };
  const { range, metric, connectivity, average, contiguous } = settings;
  const alike = own.filter(({ mode, tolerance }) => mode !== "take" && tolerance === first.tolerance);
  const text = [
    `npx @skerry/cli fill ${file}`,
    ...alike.map(({ x, y }) => `--at ${x},${y}`),
    `--tolerance ${first.tolerance}`,
    ...(range === "fixed" ? [] : [`--range ${range}`]),
    ...(metric === "linf" ? [] : [`--metric ${metric}`]),
    ...(connectivity === 4 ? [] : ["--connectivity 8"]),
    ...(average === 1 ? [] : [`--average ${average}`]),
    ...(contiguous ? [] : ["--global"]),
    ...(coat ? [`--color '${coat.colour}'`, "-o painted.png"] : ["--mask mask.png"]),
  ].join(" ");
  const without = [...(alike.length < own.length ? ["strokes"] : []), ...(fill.coats.length > 1 ? ["coats"] : [])];
  return { text, without };
}
