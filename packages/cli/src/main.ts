// The command skerry: parses, runs, and turns every failure into one sentence and an exit code.

import { existsSync, readFileSync } from "node:fs";
import { cleanUpOnSignals, enforceLimit, firstLine, reasonOf } from "@skerry/files/node/internal";
import { isZarrName } from "@skerry/files/zarr/internal";
import { type Operation, type Recipe, RecipeError } from "@skerry/recipe";
import { COMMANDS as COMMAND_OF, fieldsOf, OPERATIONS, operationsOf } from "@skerry/recipe/internal";
import { Command, CommanderError } from "commander";
import { InvalidArgument, OutOfMemory } from "skerry";
import { nearest } from "skerry/internal";
import { ADDS_UP, isAllShown, readRecipe, showAllOptions } from "./commands/fields.js";
import { inFields, inFlags, printable, UsageError } from "./errors.js";
import { adviseOnly } from "./progress.js";

function version(): string {
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** The command whose flags a plan takes, beside recipes. */
const PLANNED = "label";

/** Commands, each with its module. */
type Commands = Readonly<Record<string, (recipe?: Recipe) => Promise<Command>>>;

/** Every command, in the order in which help lists them. */
const COMMANDS: Commands = {
  label: async (recipe) => (await import("./commands/label.js")).labelCommand(recipe),
  fill: async (recipe) => (await import("./commands/fill.js")).fillCommand(recipe),
  distance: async (recipe) => (await import("./commands/distance.js")).distanceCommand(recipe),
  mask: async (recipe) => (await import("./commands/mask.js")).maskCommand(recipe),
  kmeans: async (recipe) => (await import("./commands/kmeans.js")).kmeansCommand(recipe),
  run: async () => (await import("./commands/run.js")).runCommand(),
  cluster: async () => clusterCommand(),
  explain: async () => (await import("./commands/explain.js")).explainCommand(),
  lab: async () => (await import("./commands/lab.js")).labCommand(),
  info: async () => (await import("./commands/info.js")).infoCommand(),
};

/** The commands of skerry cluster. */
const OF_CLUSTER: Commands = {
  plan: async (recipe) => (await import("./commands/plan.js")).planCommand(recipe),
  submit: async () => (await import("./commands/submit.js")).submitCommand(),
  worker: async () => (await import("./commands/worker.js")).workerCommand(),
  status: async () => (await import("./commands/status.js")).statusCommand(),
  step: async () => (await import("./commands/step.js")).stepCommand(),
  clean: async () => (await import("./commands/clean.js")).cleanCommand(),
};

/** The row of skerry cluster in the help of skerry; its commands have a help of their own. */
function clusterCommand(): Command {
  return new Command("cluster")
    .summary("label OME-Zarr images block by block on many machines: plan, submit, worker, status, step, clean")
    .argument("<COMMAND>");
}

/** The command that a switch puts in the place of the named one: info --bench. */
async function benchInfo(): Promise<Command> {
  return (await import("./commands/bench.js")).benchCommand();
}

const insteadOf = (place: Place, argv: readonly string[]): Promise<Command> | undefined =>
  place === TOP && argv[2] === "info" && argv.includes("--bench") ? benchInfo() : undefined;

/** The command of a recipe, with the recipe before its inputs. */
const asRun = (command: Command): Command => command.name("run").usage(`RECIPE.json ${command.usage()}`);

/** `skerry cluster plan label`, whose flags are those of label. */
async function planOfLabel(): Promise<Command> {
  return (await import("./commands/plan.js")).planCommand(undefined, PLANNED).name("plan");
}

/** The heading under which help lists a command. */
function groupOf(name: string): string {
  if (Object.hasOwn(OF_CLUSTER, name)) return "Commands:";
  if (name === "cluster") return "Many machines:";
  return ["explain", "lab", "info"].includes(name) ? "This machine:" : "Images and volumes:";
}

/** The command line that was called: skerry itself, or a command that has commands. */
interface Place {
  readonly title: string;
  readonly description: string;
  readonly commands: Commands;
}

const TOP: Place = {
  title: "skerry",
  description:
    "Labels, measures and fills objects in images and volumes, maps distances to them, and finds k-means colours.",
  commands: COMMANDS,
};

const CLUSTER: Place = {
  title: "skerry cluster",
  description:
    "Labels and measures OME-Zarr images block by block, with workers on any number of machines. The result is that of one machine. See docs/scale.md.",
  commands: OF_CLUSTER,
};

async function program(
  { title, description, commands: known }: Place,
  name: string | undefined,
  recipe: Recipe | undefined,
  instead: Promise<Command> | undefined,
): Promise<Command> {
  const skerry = new Command(title)
    .description(description)
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText(
      "after",
      `\n${title === "skerry" ? "Skerry is a small rocky island. 'skerry help label'" : "'skerry help cluster plan'"} lists the options, with examples.`,
    )
    .showHelpAfterError(false);
  // If a command is named, only that one is loaded: each takes tens of milliseconds. Help and wrong names load all.
  const wanted = name !== undefined && Object.hasOwn(known, name) ? [known[name]] : Object.values(known);
  const commands = recipe
    ? [name === "plan" ? await OF_CLUSTER.plan(recipe) : asRun(await COMMANDS[COMMAND_OF[recipe.operation]](recipe))]
    : instead
      ? [await instead]
      : await Promise.all(wanted.map((load) => load()));
  for (const command of commands) skerry.addCommand(command.helpGroup(groupOf(command.name())));
  const [only] = commands;
  if (commands.length === 1 && only) adviseOnly(only.options.map(({ long }) => long ?? ""));
  for (const command of [skerry, ...skerry.commands]) {
    command.helpOption("-h, --help", "print this help").exitOverride();
    const isShort = command.options.some(({ hidden }) => hidden) && !isAllShown();
    // The short help of label says so at its end, and so do others here. Plans hide what they refuse.
    if (isShort && !["label", "plan", "run"].includes(command.name()))
      command.addHelpText("after", `\nAll options: ${title.replace("skerry", "skerry help")} ${command.name()} all.`);
    command.configureOutput({ writeErr: () => undefined });
    // Commander would drop the first of two values of an option.
    for (const option of command.options) {
      if (ADDS_UP.has(option) || option.variadic || option.isBoolean()) continue;
      let before: string | undefined;
      command.on(`option:${option.name()}`, (text: string | null) => {
        const name = option.short ?? option.long;
        if (before !== undefined && before !== text) {
          throw new UsageError(`Expected ${name} once, got ${before} and ${text ?? "it without a value"}.`);
        }
        before = text ?? undefined;
      });
    }
  }
  return skerry;
}

/** Prepares a process of its own for the command line: signals, limits and broken pipes. */
export function prepareProcess(): void {
  // A file larger than `ulimit -f` raises this signal; ignored, the write fails with EFBIG and is reported.
  process.on("SIGXFSZ", () => undefined);
  cleanUpOnSignals();
  enforceLimit();
  // A reader that went away (`| head`) ends the run quietly.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    console.error(`skerry: Could not write to stdout: ${reasonOf(error)}.`);
    process.exit(1);
  });
}

/**
 * The place of a call, and its words behind the program: `skerry help label` is `skerry label --help`, `skerry help` alone
 * `skerry --help`, and `skerry cluster plan` is plan of the cluster.
 */
function routed(given: readonly string[]): { readonly place: Place; readonly argv: readonly string[] } {
  const isOfCluster = given[2] === "cluster" || (given[2] === "help" && given[3] === "cluster");
  const place = isOfCluster ? CLUSTER : TOP;
  const isHelp = given[2] === "help" || (isOfCluster && given[3] === "help");
  const words = given.slice(2 + Number(isHelp) + Number(isOfCluster));
  // The commands of a cluster are listed in full.
  const [command, ...rest] = isHelp && isOfCluster && words.join() === "all" ? [] : words;
  const program = given.slice(0, 2);
  if (!isHelp) return { place, argv: command === undefined ? program : [...program, command, ...rest] };
  if (command !== undefined && !Object.hasOwn(place.commands, command)) {
    throw new UsageError(sentence(`unknown command '${command}'`, place, undefined));
  }
  const isBench = command === "info" && rest[0] === "--bench";
  const left = isBench ? rest.slice(1) : rest;
  if (left.length > 0 && (left.length > 1 || left[0] !== "all")) {
    const title = `${place.title.replace("skerry", "skerry help")} ${command}`;
    throw new UsageError(`Expected ${title}, or ${title} all, got ${rest.join(" ")}.`);
  }
  return {
    place,
    argv: [...program, ...(command === undefined ? [] : [command]), ...(isBench ? ["--bench"] : []), "--help", ...left],
  };
}

/** Refuses empty words, as a shell makes them of a variable without a value, and plans of commands that have none. */
function checkWords(argv: readonly string[]): void {
  const empty = argv.indexOf("", 2);
  if (empty >= 2) {
    const before = argv[empty - 1];
    const behind = before.startsWith("--") && before !== "--" ? ` behind ${before}` : "";
    throw new UsageError(`Expected a name or a value${behind}, got "".`);
  }
  const [, , name, of] = argv;
  if (name !== "plan" || !isFile(of) || of === PLANNED || isZarrName(of)) return;
  if (of === "measure" && !existsSync(of)) {
    throw new UsageError(
      "Expected label or RECIPE.json behind plan, got measure; did you mean label INPUT --by labels?",
    );
  }
  const near = nearest(of, [PLANNED]);
  if ((Object.hasOwn(COMMANDS, of) || near !== undefined) && !existsSync(of)) {
    const hint = near === undefined ? "." : `; did you mean ${near}?`;
    throw new UsageError(`Expected ${PLANNED} or RECIPE.json behind plan, got ${of}${hint}`);
  }
}

/** Refuses the long name of an option behind one dash, of which the rest would be the value of a short one: -overlay is -o verlay. */
function checkDashes(argv: readonly string[], commands: readonly Command[]): void {
  if (commands.length !== 1) return;
  const [{ options }] = commands;
  for (const word of argv.slice(3)) {
    if (word === "--") return;
    const meant = /^-[a-z][a-z-]+/.exec(word)?.[0];
    if (meant !== undefined && options.some(({ long }) => long === `-${meant}`)) {
      throw new UsageError(`Unknown option '${meant}'; did you mean -${meant}?`);
    }
  }
}

/**
 * Refuses a word behind a switch, as in --dark true, which would be taken for one more input. Words with a dot or a folder, and commands
 * without another input, may mean a file that is not there.
 */
function checkSwitches(argv: readonly string[], commands: readonly Command[]): void {
  if (commands.length !== 1) return;
  const [{ options }] = commands;
  const words = argv.slice(3);
  const isInput = (word: string): boolean => !word.startsWith("-") && existsSync(word);
  for (const [i, word] of words.entries()) {
    if (word === "--") return;
    const before = options.find(({ long, short }) => i > 0 && (long === words[i - 1] || short === words[i - 1]));
    if (!before?.isBoolean() || !/^[\w+-]+$/.test(word) || word.startsWith("-") || existsSync(word)) continue;
    if (words.some(isInput)) throw new UsageError(`Expected ${words[i - 1]} without a value, got ${word}.`);
  }
}

/** Runs the command line; sets the exit code: 0, 2 for a wrong call, 1 for a failed run. */
export async function main(given: readonly string[]): Promise<void> {
  let argv = given;
  let place = TOP;
  let skerry: Command | undefined;
  let recipe: Recipe | undefined;
  try {
    ({ place, argv } = routed(given));
    checkWords(argv);
    if (wantsAllOptions(argv)) showAllOptions();
    // The recipe is read first: for run, its operation selects the command that takes the place of run.
    const takesRecipe = argv[2] === (place === TOP ? "run" : "plan");
    const planned = place === CLUSTER && argv[2] === "plan" && argv[3] === PLANNED;
    recipe = takesRecipe && !planned && isFile(argv[3]) && !isZarrName(argv[3]) ? await readRecipe(argv[3]) : undefined;
    skerry = await program(place, argv[2], recipe, planned ? planOfLabel() : insteadOf(place, argv));
    checkDashes(argv, skerry.commands);
    checkSwitches(argv, skerry.commands);
    if (argv.length <= 2) console.log(skerry.helpInformation());
    else await skerry.parseAsync(recipe || planned ? [...argv.slice(0, 3), ...argv.slice(4)] : argv);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const message =
      error instanceof CommanderError
        ? sentence(
            error.message,
            place,
            skerry?.commands.find((command) => command.name() === argv[2]),
            recipe && argv[2] === "run" ? argv[3] : undefined,
            recipe?.operation,
          )
        : error instanceof InvalidArgument && error.argument !== undefined
          ? inFlags(
              error.message,
              operationsOf(argv[2]).flatMap((operation) => fieldsOf(operation)),
            )
          : error instanceof OutOfMemory
            ? error.message.replace(/\.$/, "; give --crop, or a smaller input.")
            : (error as Error).message;
    const lastLine =
      recipe && argv[2] === "run" && !(error instanceof CommanderError)
        ? inFields(message, fieldsOf(recipe.operation))
        : message;
    console.error(`skerry: ${printable(lastLine)}`);
    if (process.env.SKERRY_DEBUG) console.error(error);
    process.exitCode = isWrongCall(error) ? 2 : 1;
  }
}

/**
 * Whether an error is a wrong call. That includes options that the library refuses for the picture's size, channels or
 * type. An error in the picture's values, such as no finite value, is a failed run.
 */
function isWrongCall(error: unknown): boolean {
  if (error instanceof InvalidArgument) return error.argument !== undefined;
  return error instanceof CommanderError || error instanceof UsageError || error instanceof RecipeError;
}

/** Whether `--help all` is given, which lists every option, not only the common ones. */
function wantsAllOptions(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => word === "--help" || word === "-h");
  return at >= 0 && argv[at + 1] === "all";
}

/** Whether a word names a file rather than an option. */
function isFile(word: string | undefined): word is string {
  return word !== undefined && !word.startsWith("-");
}

/** Names that other tools have for options, with those of ours that do the same, the likeliest first. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "--polarity": ["--objects"],
  "--invert": ["--objects dark"],
  "--dark": ["--objects dark"],
  "--drop": ["--edits '[{\"drop\":[X,Y]}]'"],
  "--bright": ["--objects bright"],
  "--otsu": ["--threshold otsu"],
  "--nonzero": ["--threshold nonzero"],
  "--above": ['--threshold ">N"'],
  "--below": ['--threshold "<N"'],
  "--between": ["--threshold LO..HI"],
  "--outside": ["--threshold outside:LO..HI"],
  "--hysteresis": ["--threshold hysteresis:LO..HI"],
  "--local": ["--threshold METHOD:RADIUS"],
  "--min-size": ["--min-area"],
  "--max-size": ["--max-area"],
  "--sigma": ["--smooth"],
  "--blur": ["--smooth"],
  "--sobel": ["--gradient sobel"],
  "--edges": ["--gradient"],
  "--watershed": ["--split"],
  "--subtract": ["--difference"],
  "--and": ["--intersection"],
  "--or": ["--union"],
  "--k": ["-k"],
  "--clusters": ["-k"],
  "--seed": ["--at"],
  "--mask": ["--within"],
  "--tolerance": ["--by tolerance:D"],
  "--tour": ["--bench --tour"],
  "--rounds": ["--bench --rounds"],
  "--cases": ["--bench --tour --cases"],
  measure: ["label --by labels"],
  bench: ["info --bench"],
  ...Object.fromEntries(Object.keys(OF_CLUSTER).map((name) => [name, [`cluster ${name}`]])),
};

/** Commander's "error: unknown option '--x'" as a sentence of ours, with the nearest name that there is. */
function sentence(
  message: string,
  place: Place,
  command: Command | undefined,
  recipe?: string,
  operation?: Operation,
): string {
  const text = firstLine(message.replace(/^error: /, ""));
  const see = `see ${place.title} ${command ? `${command.name()} ` : ""}${recipe ? `${recipe} ` : ""}--help`;
  const [, flag, value] = /^option '(?:-\w, )?(--[\w-]+|-\w) <(.+)>' argument missing$/.exec(text) ?? [];
  if (flag === "--threshold")
    return `Expected a threshold behind ${flag}, got nothing; write ">60" and "<60" in quotes.`;
  if (flag !== undefined) return `Expected ${value} behind ${flag}, got nothing; ${see}.`;
  const [, missing] = /^missing required argument '(.+)'$/.exec(text) ?? [];
  if (missing !== undefined) return `Expected ${missing.replace(/^\.\.\.|\.\.\.$/, "")}, got none; ${see}.`;
  const [, most, got] = /^too many arguments.* Expected (\d+) arguments? but got (\d+)/.exec(text) ?? [];
  if (most !== undefined) {
    const names = command?.registeredArguments.map((argument) => argument.name()).join(" ");
    return `Expected ${Number(most) === 0 ? "options only" : `${names} alone`}, got ${got} arguments; quote names with spaces.`;
  }
  const [, required] = /^required option '(?:-\w, )?(--[\w-]+ <.+>)' not specified$/.exec(text) ?? [];
  if (required !== undefined) return `Expected ${required.replace(/[<>]/g, "")}, got none; ${see}.`;
  const [, flagName, switched] = /^unknown option '(--[\w-]+)=(.*)'$/.exec(text) ?? [];
  if (
    flagName !== undefined &&
    command?.options.some(({ long, required, optional }) => long === flagName && !required && !optional)
  ) {
    return `Expected ${flagName} without a value, got ${switched}.`;
  }
  const [, one, other] =
    /^option '(?:-\w, )?(--[\w-]+).*' cannot be used with option '(?:-\w, )?(--[\w-]+).*'$/.exec(text) ?? [];
  if (one !== undefined) return `Expected ${one} or ${other}, got both.`;
  const [, kind, word = ""] = /^unknown (option|command) '(.*)'$/.exec(text) ?? [];
  const given = word.replace(/^(--[\w-]+)=.*$/, "$1");
  if (operation !== undefined && recipe !== undefined) {
    const field = fieldsOf(operation).find(({ flags }) => flags.some(({ name }) => name === given));
    if (field) return `Expected ${given} in ${recipe}, as ${inFields(given, [field])}, got it behind run.`;
  }
  const names =
    kind === "option"
      ? [...(command?.options.map(({ long, short }) => long ?? short ?? "") ?? []), "--help", "--version"]
      : Object.keys(place.commands);
  const near =
    kind === undefined
      ? undefined
      : (ELSEWHERE[given]?.find((place) => names.includes(place.split(" ")[0])) ?? nearest(given, names));
  if (kind === "command" && existsSync(given))
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}; skerry label ${given} --threshold otsu counts its objects.`;
  const owners = OPERATIONS.filter((operation) =>
    fieldsOf(operation).some(({ flags }) => flags.some(({ name }) => name === given)),
  );
  const theirs = [...new Set(owners.map((operation) => `skerry ${COMMAND_OF[operation]}`))].join(", ");
  const has = theirs.includes(",") ? "have" : "has";
  const hint = near !== undefined ? `did you mean ${near}?` : theirs === "" ? `${see}.` : `${theirs} ${has} it.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}; ${hint}`;
}
