// Several inputs in one call: patterns and folders are their files, what fails ends no others, and one table holds the objects of all.

import { existsSync } from "node:fs";
import { nameOf, picturesIn } from "@skerry/files/node";
import type { Recipe } from "@skerry/recipe";
import { printable, RunError, UsageError } from "../errors.js";
import { isZarr, isZarrName } from "./stores.js";

/** Characters that make a name a pattern. */
const MAGIC = /[*?[\]{}()!]/;

/** The name of an input in the place of `{name}`. */
export function fillName(template: string, input: string): string {
  return template.replaceAll("{name}", nameOf(input));
}

/** A recipe for one input: `{name}` in the files beside it is the input's. */
export function recipeOfInput(recipe: Recipe, input: string): Recipe {
  const { within, intensity } = recipe.input ?? {};
  if (within === undefined && intensity === undefined) return recipe;
  return {
    ...recipe,
    input: {
      ...recipe.input,
      ...(typeof within === "string" ? { within: fillName(within, input) } : {}),
      ...(intensity ? { intensity: intensity.map((path) => fillName(path, input)) } : {}),
    },
  };
}

/**
 * Inputs one by one: the files of quoted patterns, in the order of the numbers in their names, and the pictures of folders, unless these
 * are volumes.
 * @throws UsageError if a pattern matches nothing
 */
export async function expandInputs(inputs: readonly string[], { input = {} }: Recipe): Promise<string[]> {
  const all: string[] = [];
  const order = new Intl.Collator("en", { numeric: true }).compare;
  for (const given of inputs) {
    if (given !== "-" && !existsSync(given) && MAGIC.test(given)) {
      const { glob } = await import("tinyglobby");
      // Images in OME-Zarr are folders.
      const found = (await glob(given, { expandDirectories: false, dot: false, onlyFiles: !isZarrName(given) })).map(
        (path) => path.replace(/\/$/, ""),
      );
      if (found.length === 0) throw new UsageError(`Expected files that match ${given}, got none.`);
      all.push(...found.sort(order));
      continue;
    }
    const pictures = input.volume || (await isZarr(given)) ? undefined : await picturesIn(given);
    all.push(...(pictures ?? [given]));
  }
  return all;
}

/** Some of several inputs failed. */
export class BatchError extends RunError {}

/** How a batch goes on after a failure. */
export interface BatchOptions {
  failFast?: boolean;
  json?: boolean;
}

/** Runs something for each input. A failure of one of several is told, and the others go on. */
export async function eachInput(
  inputs: readonly string[],
  { failFast = false, json = false }: BatchOptions,
  run: (input: string, i: number) => Promise<void>,
): Promise<void> {
  let failed = 0;
  for (const [i, input] of inputs.entries()) {
    try {
      await run(input, i);
    } catch (error) {
      if (inputs.length === 1 || failFast) throw error;
      failed++;
      const told = (error as Error).message;
      const message = told.includes(input) ? told : `${input}: ${told}`;
      if (json) console.log(JSON.stringify({ input, error: message }));
      console.error(`skerry: ${printable(message)}`);
    }
  }
  if (failed > 0) {
    const others = failed < inputs.length ? "; the others are done" : "";
    throw new BatchError(`${failed} of ${inputs.length} inputs failed${others}.`);
  }
}
