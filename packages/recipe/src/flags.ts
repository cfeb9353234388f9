// Recipes from and to the flags of a command line.

import { givenFields, type NameOf } from "./check.js";
import { unexpected } from "./errors.js";
import type { Field, Flag, Operation } from "./field.js";
import type { Recipe } from "./fields.js";

/** The flag that says a value of a field. */
export function flagOf(field: Field, value: unknown): Flag | undefined {
  return field.flags.find((flag) => flag.unwrap(value) !== undefined) ?? field.flags[0];
}

/** Names fields by their flags, for messages of a command line. */
export const flagName: NameOf = (field, value) => flagOf(field, value)?.name ?? `${field.part}.${field.name}`;

/** The value of a flag's text, or of the flag alone; added to the values before where the flag may be repeated. */
export function parseFlag(flag: Flag, text: string | undefined, before?: unknown): unknown {
  const inner = text === undefined ? true : flag.kind.parse(text);
  const value = flag.repeat ? [...((before as unknown[] | undefined) ?? []), inner] : inner;
  if (!flag.kind.is(value)) throw unexpected(flag.name, flag.kind.expected, text ?? "nothing");
  return value;
}

/** A recipe of an operation, from what was said of its fields by flags: pairs of a field and a value. */
export function recipeOf(operation: Operation, said: readonly (readonly [Field, unknown])[]): Recipe {
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [{ part, name }, value] of said) {
    parts[part] ??= {};
    parts[part][name] = value;
  }
  return { skerry: 1, operation, ...parts };
}

/** The commands of operations: label images are labelled, too. */
export const COMMANDS: Readonly<Record<Operation, string>> = {
  ...{ components: "label", labelled: "label", measure: "measure", fill: "fill", distance: "distance" },
  ...{ kmeans: "kmeans", mask: "mask" },
};

/** Operations of a command. */
export function operationsOf(command: string): readonly Operation[] {
  return (Object.keys(COMMANDS) as Operation[]).filter((operation) => COMMANDS[operation] === command);
}

/** Arguments of the command of a recipe, without inputs and outputs, and the fields that no flag says. */
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
    // A value that begins with - would be taken for a flag.
    for (const text of texts) {
      if (inner === true || inner === false || flag.value === undefined) args.push(flag.name);
      else if (text.startsWith("-") && !flag.name.startsWith("--")) args.push(`${flag.name}${text}`);
      else if (text.startsWith("-")) args.push(`${flag.name}=${text}`);
      else args.push(flag.name, text);
    }
  }
  return { args, without };
}

/** A command line, and the fields of the recipe that it cannot say. */
export interface CommandLine {
  readonly text: string;
  readonly without: readonly string[];
}

/**
 * The command line of a recipe, quoted for a POSIX shell.
 * @param input the file to run on
 * @param outputs further arguments: what to write, and where
 */
export function toCommand(recipe: Recipe, input = "INPUT", outputs: readonly string[] = []): CommandLine {
  const { args, without } = argumentsOf(recipe);
  const words = [COMMANDS[recipe.operation], input, ...args, ...outputs];
  return { text: `npx @skerry/cli ${words.map(quoted).join(" ")}`, without };
}

function quoted(word: string): string {
  return /^[\w./:,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
