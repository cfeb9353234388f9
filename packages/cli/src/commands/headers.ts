// Headers of an input and of the files beside it, which are compared before a pixel of any of them is decoded.

import { existsSync } from "node:fs";
import { matched, type Space } from "@skerry/files";
import type { PictureOptions } from "@skerry/files/node";
import { headerOf, nameOf } from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import { BESIDE_FIELDS, type BesideFile, parseBeside } from "@skerry/recipe/internal";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";

/** The file that a text names: the whole text, if there is a file of that name. */
export function fileOf(text: string): BesideFile {
  const parsed = parseBeside(text);
  if (!parsed) throw new UsageError(`Expected a file, got ${text}.`);
  const { named, written, path, name } = parsed;
  // A name before = and a selection after : may be parts of the file's own name.
  if (named && existsSync(text)) return { name: nameOf(text), path: text, written: text, named: false };
  const before = text.slice(0, text.length - (written.length - path.length));
  if (named && before !== text && !existsSync(path) && existsSync(before)) {
    const { name: _, path: __, ...selected } = parsed;
    return { ...selected, name: nameOf(before), path: before, written: text, named: false };
  }
  if (named && before !== text && existsSync(before) && existsSync(path)) {
    throw new UsageError(
      `Expected one file by ${text}, got ${before} and ${path}; give the first a name, as in a=${text}.`,
    );
  }
  if (written === path || !existsSync(written)) return parsed;
  return { name: named ? name : nameOf(written), path: written, written, named };
}

/** Files that a recipe names beside the input, with the flags that name them. */
export function filesBeside({ input = {} }: Recipe): readonly { readonly flag: string; readonly text: string }[] {
  return BESIDE_FIELDS.flatMap((name) =>
    [input[name] ?? []].flat().flatMap((text) => (typeof text === "string" ? [{ flag: `--${name}`, text }] : [])),
  );
}

/** Refuses files beside an input whose headers tell that they do not lie where it lies. */
export async function checkHeaders(path: string, recipe: Recipe, options: PictureOptions): Promise<void> {
  const beside = filesBeside(recipe);
  if (beside.length === 0) return;
  const { ignorePlace, page, time } = recipe.input ?? {};
  const first = await headerOf(path, options);
  if (!first) return;
  for (const { flag, text } of beside) {
    const file = fileOf(text);
    const choice: PictureOptions = defined({
      page: file.page ?? page,
      time: file.time ?? (time === "all" ? undefined : time),
      lenient: true,
    });
    const second: Space | undefined = await headerOf(file.path, choice);
    if (!second) continue;
    matched(
      first,
      second,
      { names: [path, `${flag} ${file.path}`], ignorePlace },
      (sentence) => new UsageError(sentence),
    );
  }
}
