// Recipe flags: the table of fields defines the options of a command, and the options that were given make its recipe.

import { existsSync, readFileSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { reasonOf } from "@skerry/files/node/internal";
import { type Field, type Group, type Operation, type Recipe, steps } from "@skerry/recipe";
import {
  DISTRIBUTED_TEXTS,
  type Flag,
  fieldsOf,
  flagName,
  GROUPS,
  givenFields,
  operationsOf,
  parseFlag,
  parseRecipe,
  recipeOf,
  repeatedName,
} from "@skerry/recipe/internal";
import { type Command, Option } from "commander";
import { RunError, UsageError, unexpected } from "../errors.js";

/** Help headings of the groups whose heading is the same in all commands. */
const HEADINGS: Readonly<Record<Exclude<Group, "own">, string>> = {
  products: "What to write:",
  read: "How to read the input:",
  pixels:
    "Which pixels are objects (default: nonzero if the image holds at most two values and one is 0, else Otsu; dark ones if most pixels are brighter than the mean around them):",
  objects: "What happens to the objects (in this order):",
  keep: "Which objects stay:",
};

/** The heading of pixels where no threshold chooses them, and where a threshold has to be named. */
const PIXELS = {
  any: "Which pixels count:",
  named: "Which pixels are objects (a threshold has to be named):",
} as const;

let showsAll = false;

/** Makes help list every option, not only the common ones. */
export function showAllOptions(): void {
  showsAll = true;
}

/** Shows only some options of a command in the short help, by their long names. */
export function shorten(command: Command, names: readonly string[]): void {
  if (showsAll) return;
  for (const option of command.options) if (!names.includes(option.long ?? "")) option.hideHelp();
}

/** Whether help lists every option. */
export const isAllShown = (): boolean => showsAll;

/** Options of fields, which know whether two of a kind add up. */
export const ADDS_UP = new WeakSet<Option>();

/** Shows an option only in the long help. */
export function rare(option: Option): Option {
  return option.hideHelp(!showsAll);
}

/** A flag that was given, and the value of its field. */
interface Said {
  readonly flag: Flag;
  readonly value: unknown;
}

/**
 * Limits the flags of a command to operations (default: the command's own) and to names of fields (default: all). Help lists those
 * that are `shown` (default: all); the others are parsed, so that they are refused by name.
 */
interface Narrowed {
  readonly operations?: readonly Operation[];
  readonly only?: readonly string[];
  readonly shown?: (field: Field) => boolean;
  /** Whether the command plans runs over many machines, which take fewer thresholds and choose none. */
  readonly isPlan?: boolean;
}

/** Help on the value of --by that is an operation of its own. */
const BY_LABELS = "labels: each value of a label image is one object, in one piece or several";

/** The recipe of a command: from its flags, or one that was given. */
export class RecipeFlags {
  readonly #operations: readonly Operation[];
  readonly #given: Recipe | undefined;
  readonly #said = new Map<Field, Said[]>();
  #labelled = false;
  /** The text of --by, which is a field or an operation. */
  #by: string | undefined;
  readonly #isPlan: boolean;

  constructor(
    command: Command,
    given: Recipe | undefined,
    name: string,
    { operations, only, shown, isPlan = false }: Narrowed = {},
  ) {
    this.#isPlan = isPlan;
    this.#operations = operations ?? operationsOf(command.name());
    this.#given = given;
    if (given) return;
    for (const group of [
      "products",
      "own",
      ...GROUPS.filter((each) => each !== "own" && each !== "products"),
    ] as const) {
      const flags = this.#flags().filter(([field]) => field.group === group && (only?.includes(field.name) ?? true));
      const isChosen = flags.some(([field]) => field.name === "threshold");
      const pixels = !isChosen ? PIXELS.any : isPlan ? PIXELS.named : HEADINGS.pixels;
      if (flags.length > 0)
        command.optionsGroup(group === "own" ? name : group === "pixels" ? pixels : HEADINGS[group]);
      for (const [field, flag] of flags) this.#add(command, field, flag, shown?.(field) ?? true);
    }
  }

  /** Each flag of the command once, with its field, even if several operations have it. */
  #flags(): readonly (readonly [Field, Flag])[] {
    const flags = new Map<string, readonly [Field, Flag]>();
    for (const field of this.#operations.flatMap((operation) => fieldsOf(operation))) {
      for (const flag of field.flags) if (!flags.has(flag.name)) flags.set(flag.name, [field, flag]);
    }
    return [...flags.values()];
  }

  #add(command: Command, field: Field, flag: Flag, isShown: boolean): void {
    const takes = flag.name === "--by" && this.#operations.includes("labelled");
    const isPlanned = flag.name === "--threshold" && this.#isPlan;
    const help = isPlanned ? DISTRIBUTED_TEXTS.join(", ") : showsAll ? flag.help : (flag.brief ?? flag.help);
    const option = new Option(
      flag.value ? `${flag.name} ${flag.value}` : flag.name,
      takes ? `${help}; ${BY_LABELS}` : help,
    );
    command.addOption(isShown ? (flag.common ? option : rare(option)) : option.hideHelp());
    ADDS_UP.add(option);
    command.on(`option:${option.name()}`, (text: string | null) => this.#hear(field, flag, text ?? undefined));
  }

  #hear(field: Field, flag: Flag, text: string | undefined): void {
    if (flag.name === "--by" && text !== undefined) {
      const takes = this.#operations.includes("labelled");
      if (this.#by !== undefined && this.#by !== text)
        throw new UsageError(`Expected --by once, got ${this.#by} and ${text}.`);
      this.#by = text;
      this.#labelled = takes && text === "labels";
      if (this.#labelled) return;
      if (takes && !flag.kind.is(flag.kind.parse(text))) throw unexpected("--by", "value, tolerance:D or labels", text);
      if (text === "labels") {
        throw new UsageError(
          "Expected --by to be value or tolerance:D, got labels; --threshold nonzero takes every object of a label image.",
        );
      }
    }
    if (/^--\w/.test(text ?? "") && flag.value?.startsWith("<")) {
      const isThreshold = flag.name === "--threshold";
      throw unexpected(
        flag.name,
        isThreshold ? 'a threshold, as otsu or ">60" in quotes' : flag.value.slice(1, -1),
        text,
      );
    }
    if (flag.variadic && text?.startsWith("-") && text !== "-") throw unexpected(flag.name, "files", text);
    const said = this.#said.get(field) ?? [];
    const before = said.find((each) => each.flag === flag);
    const given = flag.takesFile && text !== undefined ? jsonOf(text) : text;
    const inner = parseFlag(flag, given, before && flag.unwrap(before.value));
    const value = flag.wrap(inner);
    this.#said.set(field, [...said.filter((each) => each !== before), { flag, value }]);
  }

  /**
   * The recipe.
   * @throws RecipeError or UsageError with a sentence that names the flag which is wrong
   */
  recipe(): Recipe {
    if (this.#given) return this.#given;
    const operation = this.#labelled ? "labelled" : this.#operations[0];
    const known = fieldsOf(operation);
    const said = [...this.#said].map(([field, all]) => {
      if (all.length > 1) {
        throw new UsageError(`Expected one ${field.name}, got ${all.map(({ flag }) => flag.name).join(" and ")}.`);
      }
      const [{ flag, value }] = all;
      // Some fields take fewer values for label images than for pixels; parseRecipe() checks them.
      const twin = known.find(({ part, name }) => part === field.part && name === field.name);
      if (!twin) throw new UsageError(`Expected no ${flag.name} with --by labels.`);
      return [twin, value] as const;
    });
    return parseRecipe(recipeOf(operation, said), flagName);
  }

  /** Whether the recipe comes from flags. Each flag must then affect something that is written. */
  get isSpoken(): boolean {
    return this.#given === undefined;
  }

  /** Whether any flag was given. */
  get isHeard(): boolean {
    return this.#said.size > 0;
  }

  /** Refuses flags about outputs that are not written; `instead` replaces the output's name in the message. */
  checkOutputs(written: (output: string) => boolean, instead?: string): void {
    for (const [{ of }, [{ flag }]] of this.#said) {
      if (of !== undefined && !written(of)) {
        throw new UsageError(`Expected ${flag.name} together with ${instead ?? of}.`);
      }
    }
  }
}

/** Options that save a recipe or print its steps. */
export interface RecipeOptions {
  recipe?: string;
  steps?: boolean;
}

/** Adds the options that save a recipe or print its steps. */
export function addRecipeOptions(command: Command): void {
  command
    .option("--recipe <FILE.json>", "save these settings as a recipe, for skerry run, the page and colleagues")
    .option("--steps", "print what would run, in order, and exit");
}

/** Saves a recipe for --recipe and prints its steps for --steps. Returns true with --steps: the command then ends. */
export async function keepRecipe(recipe: Recipe, { recipe: path, steps: showSteps }: RecipeOptions): Promise<boolean> {
  if (path !== undefined) {
    // A path that is no file, like /dev/stdout, has any name.
    const isFile = !existsSync(path) || statSync(path).isFile();
    if (isFile && !/\.json$/i.test(path)) throw new UsageError(`Expected --recipe to end in .json, got ${path}.`);
    if (isFile && existsSync(path)) await checkReplaced(recipe, path);
    await writeFile(path, `${JSON.stringify(recipe, undefined, 2)}\n`).catch((error) => {
      throw new RunError(`Could not write ${path}: ${reasonOf(error)}.`);
    });
  }
  if (showSteps) for (const [i, sentence] of steps(recipe).entries()) console.log(`${i + 1}. ${sentence}`);
  return showSteps === true;
}

/** The JSON of a flag: its text if that is a list, else that of a file. Flags are heard one by one, without waiting. */
function jsonOf(text: string): string {
  if (/^\s*[[{]|^null$/.test(text)) return text.trim();
  let json = "";
  try {
    json = readFileSync(text, "utf8");
  } catch (error) {
    throw new RunError(`Could not read ${text}: ${reasonOf(error)}.`);
  }
  parsedJson(json, text, "a list of edits", "[");
  return json.trim();
}

/** Refuses to replace what is no recipe, and a recipe by one without any setting, as of those who meant to use it. */
async function checkReplaced(recipe: Recipe, path: string): Promise<void> {
  const held = await readRecipe(path).catch(() => undefined);
  if (held === undefined)
    throw new UsageError(`Expected --recipe to be a new file or an earlier recipe, got ${path}, which is none.`);
  const isPlain = givenFields(recipe).length === 0 && recipe.operation !== "labelled";
  if (isPlain && givenFields(held).length > 0) {
    throw new UsageError(
      `Expected settings to save in ${path}, which holds a recipe, got none; skerry run ${path} INPUT runs it.`,
    );
  }
}

/** Reads a recipe from a file. */
export async function readRecipe(path: string): Promise<Recipe> {
  return parseRecipe(await readJson(path, "a recipe"));
}

/** Reads a JSON file; `what` names the expected contents in messages. */
export async function readJson(path: string, what: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error) => {
    throw new RunError(`Could not read ${path}: ${reasonOf(error)}.`);
  });
  return parsedJson(text, path, what, "{");
}

/** The value of a JSON text of a file; `opening` is the bracket that it begins with. */
function parsedJson(text: string, path: string, what: string, opening: "{" | "["): unknown {
  try {
    // Some editors begin a file with a mark of its encoding.
    const value = JSON.parse(text.replace(/^\ufeff/, ""));
    const repeated = repeatedName(text);
    if (repeated !== undefined) throw new UsageError(`Expected every name in ${path} once, got ${repeated} twice.`);
    return value;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const begin = text.trimStart().charAt(0);
    if (begin !== opening) {
      const got =
        begin === ""
          ? "an empty file"
          : /^(\/[/*]|#)/.test(text.trimStart())
            ? "a comment, which JSON has none of"
            : "something else";
      throw new UsageError(
        `Expected ${path} to hold ${what} as JSON, got ${got}${what === "a recipe" ? "; a recipe comes before the inputs" : ""}.`,
      );
    }
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const isCut = /end of JSON|Unterminated/.test(message);
    const found = at === undefined ? undefined : text.charAt(Number(at));
    const got =
      isCut || at === undefined || found === ""
        ? "JSON that ends early"
        : `an unexpected ${found} in line ${text.slice(0, Number(at)).split("\n").length}`;
    throw new UsageError(`Expected ${path} to hold ${what} as JSON, got ${got}.`);
  }
}
