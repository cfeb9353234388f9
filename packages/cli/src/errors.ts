// Errors of the command line: one sentence on stderr and an exit code. A UsageError is a wrong call, with
// exit code 2; a RunError is a failed run, with 1. main.ts decides for other errors.

import { UsageError } from "@skerry/files";
import type { Field } from "@skerry/recipe";

export { UsageError } from "@skerry/files";

/** The error for a wrong value of an option: names the expected and the given value. */
export function unexpected(option: string, wanted: string, got: unknown): UsageError {
  return new UsageError(`Expected ${option} to be ${wanted}, got ${got === "" ? '""' : got}.`);
}

/** A letter, digit or dot, which would continue a name. */
const NAME = "[\\w.]";

/**
 * A sentence of the library with flags instead of the names of options: `fillHoles` becomes `--fill-holes`, and `threshold.above`
 * `--threshold`. Options that are English words count only behind "Expected", "no" or "with".
 */
export function inFlags(message: string, fields: readonly Field[]): string {
  let text = message;
  // A switch stands for the one value that it sets.
  for (const { name, flags } of fields) {
    const off = flags.find((flag) => flag.unwrap(false) === true);
    if (off) text = text.replace(`${name} false`, off.name);
  }
  for (const { name, part, flags } of fields) {
    if (part === "input" || flags.length === 0) continue;
    const behind = /[A-Z]/.test(name) ? `(?<!${NAME})` : "(?<=(?:Expected|either|or|no|with) )";
    text = text.replace(new RegExp(`${behind}${name}((?:\\.\\w+)*)(?!${NAME}*\\w|:)`, "g"), (_, path: string) => {
      const [, inner, detail] = path.split(".");
      const owner = flags.find((flag) => flag.name === `--${inner}`) ?? flags[0];
      return detail === undefined ? owner.name : `${detail} of ${owner.name}`;
    });
  }
  return text;
}

/**
 * A sentence of a command with the fields of a recipe instead of its flags, for those who wrote none: `--spacing` becomes
 * `input.spacing`, and `--min-area 3` `options.minArea 3`.
 */
export function inFields(message: string, fields: readonly Field[]): string {
  const names = new Map<string, string>();
  for (const { name, part, flags } of fields) {
    for (const flag of flags) {
      const inner = flag.name.replace(/^--?/, "");
      const set = flag.unwrap({ [inner]: 0 });
      names.set(flag.name, `${part}.${name}${set === 0 ? `.${inner}` : ""}`);
    }
  }
  return message.replace(/(?<![\w-])--?[a-z][\w-]*/g, (flag) => names.get(flag) ?? flag);
}

/** A failed run. */
export class RunError extends Error {
  override name = "RunError";
}

/** Text for a terminal: control characters, which may come from names of files, are written as \\x1b. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
