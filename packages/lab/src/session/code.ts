// The recipe of the page as calls of the library and as a command line, which give the same.

import { isNamedZarr } from "@skerry/files/internal";
import { type Recipe as SavedRecipe, toCommand, toTypeScript } from "@skerry/recipe";
import type { Opened } from "../files/opened.js";
import { isStoreAddress } from "../files/stored.js";
import { figureOf } from "../settings/figure.js";
import { type Recipe, sampleNamed } from "../settings/recipe.js";
import { isOfObjects } from "../settings/saved.js";
import { picture } from "../state/lab.js";
import { savedOf, withSides } from "../tools/index.js";

/** A command line, and the features of the page that it lacks. */
export interface Command {
  readonly text: string;
  readonly without: readonly string[];
}

/** The file of a sample in the repository, or the user's own file. */
function fileOf({ source }: Recipe): string {
  const sample = sampleNamed(source);
  return sample ? `samples/${sample.folder ?? sample.file}` : source;
}

/** Hosts that code runs on. */
export type Host = "node" | "browser";

/** How a host reads a picture's pixels as they are stored. */
const READERS: Readonly<
  Record<Host, (file: string) => { readonly imports: string; readonly lines: readonly string[] }>
> = {
  node: (file) => ({
    imports: 'import sharp from "sharp";\n',
    lines: [
      `const picture = sharp(${JSON.stringify(file)}, { ignoreIcc: true }).autoOrient();`,
      `const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });`,
      "const image = { data: new Uint8Array(data), width: info.width, height: info.height, channels: info.channels };",
    ],
  }),
  browser: (file) => ({
    imports: "",
    lines: [
      `const file = await (await fetch(${JSON.stringify(file)})).blob();`,
      'const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });',
      'const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");',
      "canvas.drawImage(bitmap, 0, 0);",
      "const { data, width, height } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);",
      "const image = { data: new Uint8Array(data.buffer), width, height, channels: 4 };",
    ],
  }),
};

/** How Node reads the values of every other file, and of more than 8 bits, with the image that is taken of it. */
function otherReader(file: string, { page, time, level, channel }: NonNullable<SavedRecipe["input"]>) {
  const isStore = isNamedZarr(file);
  const open = isStore ? "openZarr" : "openPicture";
  const image = typeof channel === "number" ? { page, time, level, channel } : { page, time, level };
  const taken = Object.entries(image).flatMap(([name, at]) =>
    at === undefined ? [] : [`${name}: ${JSON.stringify(at)}`],
  );
  const options = taken.length > 0 ? `, { ${taken.join(", ")} }` : "";
  return {
    imports: isStore
      ? 'import { rasterOf } from "@skerry/files/node";\nimport { openZarr } from "@skerry/files/zarr";\n'
      : 'import { openPicture, rasterOf } from "@skerry/files/node";\n',
    lines: [
      `const picture = await ${open}(${JSON.stringify(file)}${options});`,
      "const image = await rasterOf(picture);",
      "await picture.close();",
    ],
  };
}

/** Whether browsers and sharp read the values of a file as they are stored. */
export const isCommon = (settings: Recipe, { data }: Pick<Opened, "data">): boolean =>
  /\.(png|jpe?g|webp|gif|avif)$/i.test(fileOf(settings)) && data instanceof Uint8Array;

/** Characters of the longest line of code that the dialog shows whole. */
const MOST_LETTERS = 92;

/** The program that gives what the page shows, from the picture's file. */
export function typescriptOf(settings: Recipe, host: Host = "node", opened = picture.value): string {
  const saved = savedOf(settings);
  if (!saved) return "";
  // The reader in the program does not tell the size of a pixel.
  const recipe = settings.scale ? withSides(saved, settings.scale) : saved;
  const file = fileOf(settings);
  const isPlain = host === "browser" || opened === undefined || isCommon(settings, opened);
  const { imports, lines } = isPlain ? READERS[host](file) : otherReader(file, recipe.input ?? {});
  // A channel that the reader takes is the only one of its image.
  const isTaken = !isPlain && typeof recipe.input?.channel === "number";
  const { channel: _, ...input } = recipe.input ?? {};
  const given = isTaken ? { ...recipe, input } : recipe;
  const text = toTypeScript(given).replace(/^\/\/ image: .*$/m, () => lines.join("\n"));
  return imports + text.split("\n").map(wrapped).join("\n");
}

/** Breaks a long call into lines, one for each of its options. */
function wrapped(line: string): string {
  const [, head = "", options = "", tail = ""] = /^(.*\w\(.*?\{) (.*) (\}\);)$/.exec(line) ?? [];
  if (line.length <= MOST_LETTERS || !options) return line;
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= options.length; i++) {
    const letter = options[i];
    if (letter === undefined || (letter === "," && depth === 0)) {
      parts.push(options.slice(from, i).trim());
      from = i + 1;
    } else if ("([{".includes(letter)) depth++;
    else if (")]}".includes(letter)) depth--;
  }
  return `${head}\n${parts.map((part) => `  ${part},`).join("\n")}\n${tail}`;
}

/** Whether a recipe says how a figure is drawn, which the command line refuses without one. */
export const hasFigure = ({ products = {} }: SavedRecipe): boolean => figureOf(products) !== undefined;

/** Whether a picture lies at an address that the command line does not read: of those there it reads OME-Zarr. */
const isElsewhere = (file: string): boolean => /^https?:/.test(file) && !isStoreAddress(new URL(file));

/** The command line. If several colours were painted, it paints only the last. */
export function commandOf(settings: Recipe): Command {
  const { fill, shrink } = settings;
  const shown = savedOf(settings);
  // Without a selection, the fill consists of what was painted.
  const isPainted = shown?.operation === "fill" && fill.strokes.length === 0;
  const coat = isPainted ? fill.coats.at(-1) : undefined;
  const recipe = coat ? savedOf({ ...settings, fill: { ...fill, ...coat, coats: [] } }) : shown;
  if (!recipe) return { text: "", without: ["nothing"] };
  const file = fileOf(settings);
  const painted = coat ? ["--color", coat.colour, "-o", "painted.png"] : ["--mask", "mask.png"];
  const { color: _, ...products } = recipe.products ?? {};
  // Lengths and places on a map are those of a table: without one the command line refuses them.
  const isMeasured = recipe.options?.physical === true || products.world === true;
  const table = isOfObjects(recipe.operation) && isMeasured ? ["--regions", "objects.csv"] : [];
  const figure = hasFigure(recipe) ? ["--figure", "figure.png"] : [];
  const outputs = recipe.operation === "fill" ? painted : [...table, ...figure];
  const { text, without } = toCommand({ ...recipe, products }, file, outputs);
  const page = [...(shrink > 1 ? ["shrink"] : []), ...(isElsewhere(file) ? ["address"] : [])];
  const coats = coat && fill.coats.length > 1 ? ["products.coats"] : [];
  return { text, without: [...page, ...without, ...coats] };
}
