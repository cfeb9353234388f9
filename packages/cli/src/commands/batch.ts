// Several inputs in one call: patterns and folders are expanded to their files, and a failed input does not stop the others.

import { existsSync } from "node:fs";
import { byNumbers } from "@skerry/files/internal";
import { nameOf, picturesIn } from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import { REGION_PROPERTIES } from "skerry";
import { defined } from "skerry/internal";
import { printable, RunError, UsageError } from "../errors.js";
import { isZarr, isZarrName } from "./stores.js";

/** Characters that make a name a pattern. */
const MAGIC = /[*?[\]{}()!]/;

/** Replaces `{name}` in a template by the name of an input. */
export function fillName(template: string, input: string): string {
  return template.replaceAll("{name}", nameOf(input));
}

/** The recipe for one input: replaces `{name}` in the paths of `within` and `intensity`. */
export function recipeOfInput(recipe: Recipe, input: string): Recipe {
  const { within, intensity } = recipe.input ?? {};
  if (within === undefined && intensity === undefined) return recipe;
  return {
    ...recipe,
    input: defined({
      ...recipe.input,
      within: typeof within === "string" ? fillName(within, input) : within,
      intensity: intensity?.map((path) => fillName(path, input)),
    }),
  };
}

/**
 * Expands quoted patterns to their files, ordered by the numbers in their names. Expands folders to their pictures, unless
 * a folder is read as a volume.
 * @throws UsageError if a pattern matches nothing
 */
export async function expandInputs(
  inputs: readonly string[],
  { input = {}, products = {} }: Recipe,
): Promise<string[]> {
  const all: string[] = [];
  for (const given of inputs) {
    if (Array.isArray(products.properties) && REGION_PROPERTIES.some((name) => name === given) && !existsSync(given)) {
      throw new UsageError(
        `Expected --properties with commas between, as ${products.properties.join(",")},${given}, got spaces.`,
      );
    }
    if (given !== "-" && !existsSync(given) && MAGIC.test(given)) {
      const { glob } = await import("tinyglobby");
      // Images in OME-Zarr are folders.
      const found = (await glob(given, { expandDirectories: false, dot: false, onlyFiles: !isZarrName(given) })).map(
        (path) => path.replace(/\/$/, ""),
      );
      if (found.length === 0) throw new UsageError(`Expected files that match ${given}, got none.`);
      all.push(...found.sort(byNumbers));
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

/** Calls `run` for each input. With several inputs, a failure is reported and the next input runs, unless `failFast` is set. */
export async function eachInput(
  inputs: readonly string[],
  { failFast = false, json = false }: BatchOptions,
  run: (input: string, i: number) => Promise<void>,
): Promise<void> {
  // The first failure ends the run: a name that is no file does so before any work.
  const missing =
    failFast && inputs.length > 1
      ? inputs.find((path) => path !== "-" && !isZarrName(path) && !existsSync(path))
      : undefined;
  if (missing !== undefined) throw new RunError(`Could not read ${missing}: there is no such file or folder.`);
  let failed = 0;
  for (const [i, input] of inputs.entries()) {
    try {
      await run(input, i);
    } catch (error) {
      if (inputs.length === 1 || failFast) throw error;
      failed++;
      const reason = (error as Error).message;
      const message = reason.includes(input) ? reason : `${input}: ${reason}`;
      if (json) console.log(JSON.stringify({ input, error: message }));
      console.error(`skerry: ${printable(message)}`);
    }
  }
  if (failed > 0) {
    const others = failed < inputs.length ? "; the others are done" : "";
    throw new BatchError(`${failed} of ${inputs.length} inputs failed${others}.`);
  }
}
