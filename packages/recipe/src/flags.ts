// Converts recipes from and to flags of the command line.

import { givenFields, type NameOf, parseRecipe } from "./check.js";
import { RecipeError, unexpected } from "./errors.js";
import type { Field, Flag, Operation } from "./field.js";
import type { Recipe } from "./fields.js";
import { quotedForShell } from "./quote.js";

/** The flag that sets a field to a value. */
export function flagOf(field: Field, value: unknown): Flag | undefined {
  return field.flags.find((flag) => flag.unwrap(value) !== undefined) ?? field.flags[0];
}

/** The name of the flag that sets a field to a value, for messages of the command line; of a threshold with the value. */
export const flagName: NameOf = (field, value) => {
  const flag = flagOf(field, value);
  if (!flag) return `${field.part}.${field.name}`;
  const isSaid = flag.says !== undefined && flag.kind.is(value);
  return isSaid ? `${flag.name} ${quotedForShell(flag.kind.print(value))}` : flag.name;
};

/**
 * The value of a flag with its text; of a switch without a text. A flag of a list appends to the values before; others add up with
 * them, or are refused.
 * @throws RecipeError if the text is not a value of the flag, or contradicts the value before
 */
export function parseFlag(flag: Flag, text: string | undefined, before?: unknown): unknown {
  const inner = text === undefined ? true : flag.kind.parse(text);
  const value = flag.repeat ? [...((before as unknown[] | undefined) ?? []), inner] : inner;
  if (!flag.kind.is(value)) {
    const wrong = flag.takesFile ? flag.kind.wrongPart?.(value) : undefined;
    if (wrong) throw unexpected(`${flag.name} ${wrong.name}`, wrong.kind, wrong.value);
    throw unexpected(flag.name, flag.kind, text ?? "nothing");
  }
  if (flag.repeat || before === undefined || JSON.stringify(before) === JSON.stringify(value)) return value;
  const both = flag.together?.(before, value);
  if (both !== undefined) return both;
  throw new RecipeError(
    `Expected ${flag.name} once, got ${flag.kind.print(before) || "it without a value"} and ${flag.kind.print(value) || "without one"}.`,
  );
}

/** A recipe of an operation from pairs of a field and its value, such as flags give. */
export function recipeOf(operation: Operation, said: readonly (readonly [Field, unknown])[]): Recipe {
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [{ part, name }, value] of said) {
    parts[part] ??= {};
    parts[part][name] = value;
  }
  return { skerry: 1, operation, ...parts };
}

/** The command of each operation; `label` also processes label images. */
export const COMMANDS: Readonly<Record<Operation, string>> = {
  components: "label",
  labelled: "label",
  fill: "fill",
  distance: "distance",
  kmeans: "kmeans",
  mask: "mask",
};

/** The operations of a command. */
export function operationsOf(command: string): readonly Operation[] {
  return (Object.keys(COMMANDS) as Operation[]).filter((operation) => COMMANDS[operation] === command);
}

/** The arguments of a recipe's command, without inputs and outputs, and the fields that have no flag. */
export function argumentsOf(recipe: Recipe): { readonly args: readonly string[]; readonly without: readonly string[] } {
  const args: string[] = recipe.operation === "labelled" ? ["--by", "labels"] : [];
  const without: string[] = [];
  for (const [field, value] of givenFields(recipe)) {
    const flag = field.flags.find((each) => each.unwrap(value) !== undefined);
    if (!flag) {
      without.push(`${field.part}.${field.name}`);
      continue;
    }
    const inner = flag.unwrap(value);
    const texts = flag.repeat ? (inner as unknown[]).map((each) => flag.kind.print([each])) : [flag.kind.print(inner)];
    // A separate argument that begins with - would be parsed as a flag.
    for (const text of texts) {
      if (inner === true || inner === false || flag.value === undefined) args.push(flag.name);
      else if (text.startsWith("-") && !flag.name.startsWith("--")) args.push(`${flag.name}${text}`);
      else if (text.startsWith("-")) args.push(`${flag.name}=${text}`);
      else args.push(flag.name, text);
    }
  }
  if (recipe.files) without.push("files");
  return { args, without };
}

/** A command line, and the fields of the recipe that have no flag. */
export interface CommandLine {
  readonly text: string;
  readonly without: readonly string[];
}

/**
 * The command line of a recipe, quoted for a POSIX shell.
 * @param input the file to run on
 * @param outputs further arguments: what to write, and where
 * @example
 * import { toCommand } from "@skerry/recipe";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: "otsu", minArea: 20 } };
 * console.log(toCommand(recipe, "cells.png", ["-o", "labels.png"]).text);
 * // npx @skerry/cli label cells.png --threshold otsu --min-area 20 -o labels.png
 */
export function toCommand(recipe: Recipe, input = "INPUT", outputs: readonly string[] = []): CommandLine {
  parseRecipe(recipe);
  const { args, without } = argumentsOf(recipe);
  // A name that begins with - would be a flag.
  const words = [
    COMMANDS[recipe.operation],
    input.startsWith("-") && input !== "-" ? `./${input}` : input,
    ...args,
    ...outputs,
  ];
  return { text: `npx @skerry/cli ${words.map(quotedForShell).join(" ")}`, without };
}
