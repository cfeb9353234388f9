// Runs skerry label on inputs, one after another: opens each, finds its objects, writes and tells them.

import { basename } from "node:path";
import type { TableOptions } from "@skerry/files";
import { type Comparison, typeOfArray } from "@skerry/files/internal";
import { type Picture, resident } from "@skerry/files/node";
import { RegionsTable, sizeOf } from "@skerry/files/node/internal";
import type { Offer, Offers, Recipe } from "@skerry/recipe";
import {
  measuringOf,
  namedThreshold,
  objectsOf,
  recipeOfFile,
  thresholdFor,
  type Verdict,
  verdictOf,
} from "@skerry/recipe/internal";
import type { Components, Engine, PixelType, Progress, Threshold } from "skerry";
import { defined, METHODS, STAIN_NAMES } from "skerry/internal";
import { UsageError } from "../errors.js";
import {
  ahead,
  FAILED,
  grouped,
  ProgressBar,
  ranOn,
  runnerOf,
  Stopwatch,
  sides,
  sizeFields,
  tellDifferences,
  tellNotes,
  tellVerdict,
} from "../progress.js";
import { deviceFor, openEngine } from "./arguments.js";
import { BatchError, eachInput, expandInputs, fillName, recipeOfInput } from "./batch.js";
import { closeAll, openIntensities, withinOf } from "./beside.js";
import { keepRecipe, type RecipeFlags } from "./fields.js";
import { checkDrawn, type InputOptions, type OpenedInput, openInput, recipeFor, resultUnit } from "./input.js";
import { checkHeader, checkIds, checkSheared, checkVolume, countAlong } from "./label-checks.js";
import { labelEndless } from "./label-endless.js";
import {
  allOf,
  checkOutputs,
  type GivenOptions,
  hasAttributes,
  named,
  type Options,
  outputsOf,
} from "./label-options.js";
import { compared, drawnNotes, mapNotes, readsAgain, write } from "./label-write.js";
import { checkFits } from "./memory.js";
import {
  editNotes,
  extremesNote,
  flatNotes,
  greysNote,
  idleNotes,
  idsNotes,
  LENGTHS,
  labelsNote,
  lostPlaces,
  numberedNote,
  rangeNotes,
} from "./notes.js";
import { bytesOf, checkSink } from "./stores.js";
import { firstOf, flagsOf, jsonOf, linesOf, looksFurther, offered, toldOfAuto } from "./suggest.js";

/** Up to this number of inputs, small PNGs are read without sharp, because loading sharp takes longer than reading them. */
const FEW_INPUTS = 8;

/** Labels or measures inputs, one after another. */
export async function label(given: string[], flags: RecipeFlags, wanted: GivenOptions): Promise<void> {
  const recipe = flags.recipe();
  const options = named(wanted, recipe);
  if (recipe.input?.endless) {
    if (await keepRecipe(recipe, options)) return;
    return labelEndless(given, recipe, options);
  }
  const inputs = await expandInputs(given, recipe);
  checkOutputs(inputs, flags, recipe, options);
  if (options.auto && options.suggest) throw new UsageError("Expected --auto or --suggest, got both.");
  if (options.suggest && options.quiet) throw new UsageError("Expected --suggest or --quiet, got both.");
  if (options.auto || options.suggest) {
    const flag = options.auto ? "--auto" : "--suggest";
    if (recipe.operation !== "components" || recipe.options?.by !== undefined) {
      throw new UsageError(`Expected objects by a threshold for ${flag}, got --by.`);
    }
  }
  if (options.auto && options.steps)
    throw new UsageError("Expected no --steps with --auto, which chooses by the picture.");
  const keepsLater = options.auto && options.recipe !== undefined;
  if (keepsLater && inputs.length > 1) {
    throw new UsageError("Expected one input for --recipe with --auto, which chooses settings for each.");
  }
  if (!keepsLater && (await keepRecipe(recipe, options))) return;
  const all = allOf(recipe);
  const askedFor = (input: string): Recipe => {
    const recipeOfInput = recipeOfFile(recipe, basename(input));
    return all ? takenAt(recipeOfInput, all, 0) : recipeOfInput;
  };
  const unmet = Object.keys(recipe.files ?? {}).filter((name) => !inputs.some((input) => basename(input) === name));
  if (unmet.length > 0) tellNotes([`no input is named ${unmet.join(" or ")}, as files of the recipe are`], options);
  const sharpPays = inputs.length > FEW_INPUTS;
  const isTable = (inputs.length > 1 || all !== undefined) && options.regions !== undefined;
  const tables = new Map<string, RegionsTable>();
  const isOne = isTable && !options.regions?.includes("{name}");
  // Lengths and conditions of the recipe mean the same for all inputs, as numbers in one table do.
  const hasLengths = [recipe, ...Object.values(recipe.files ?? {})].some(({ options = {} }) =>
    ([...LENGTHS, "select", "sort"] as const).some((name) => options[name] !== undefined),
  );
  const sharesUnit = isOne || (hasLengths && inputs.length > 1);
  let tableUnit: InputOptions["tableUnit"];
  // A file with settings of its own has its own unit where it has its own table.
  const unitFor = (input: string): InputOptions["tableUnit"] =>
    isOne || (sharesUnit && !Object.hasOwn(recipe.files ?? {}, basename(input))) ? tableUnit : undefined;
  const read = (input: string, wanted = askedFor(input)): Promise<OpenedInput> =>
    openInput(input, wanted, defined({ sharpPays, tableUnit: unitFor(input) }));
  const tableFor = (input: string): RegionsTable | undefined => {
    const path = options.regions === undefined ? undefined : fillName(options.regions, input);
    if (path === undefined || !isTable || (!isOne && all === undefined)) return undefined;
    const table = tables.get(path) ?? new RegionsTable(path);
    tables.set(path, table);
    return table;
  };
  let engine: Engine | undefined;
  // The next picture is decoded, in threads of sharp's, while this one is labelled and written.
  let ahead: Promise<OpenedInput> | undefined;
  const run = async (
    picture: OpenedInput,
    inputRecipe: Recipe,
    watch: Stopwatch,
    more: Pick<Labelled, "at" | "showsInput">,
  ): Promise<void> => {
    const { input } = picture;
    checkVolume(picture, recipe, options);
    checkHeader(picture, inputRecipe);
    checkSheared(inputRecipe, picture, options);
    checkDrawn(picture, 1, options.output);
    if (sizeOf(picture).depth === 1) checkDrawn(picture, 3, options.overlay);
    const { output, overwrite } = options;
    const path = output === undefined ? undefined : fillName(output, input);
    await checkSink(path, picture, inputRecipe, { type: "u32", overwrite });
    engine ??= await watch.measure("open the device", 0, () => {
      const { width, height, depth } = sizeOf(picture);
      return openEngine(options, deviceFor(width * height * depth, inputs.length));
    });
    const { picture: near, free } = await watch.measure("read pixels", 0, () =>
      reading(picture, options, (onProgress) => resident(engine as Engine, picture, onProgress)),
    );
    try {
      const filled = recipeOfInput(recipeFor(inputRecipe, picture), input);
      const isAlone = inputs.length === 1 && !all;
      await labelOne(engine, near, filled, options, watch, { table: tableFor(input), isAlone, ...more });
    } finally {
      free();
    }
  };
  try {
    await eachInput(inputs, options, async (input, i) => {
      const watch = new Stopwatch();
      const asked = askedFor(input);
      const reading = ahead ?? read(input);
      const next = inputs[i + 1];
      const follow = (): void => {
        ahead = next === undefined ? undefined : read(next);
        // An error is reported when it is this picture's turn.
        ahead?.catch(() => undefined);
      };
      const picture = await watch
        .measure(
          "read",
          ({ pixels }) => ("data" in pixels ? pixels.data.byteLength : 0),
          () =>
            reading.then((opened) => {
              tableUnit ??= { unit: resultUnit(asked, opened), of: input };
              return opened;
            }),
        )
        .finally(follow);
      const showsInput = inputs.length > 1 && isOne;
      try {
        const count = all ? await countAlong(all, picture, recipeOfInput(asked, input)) : 1;
        await run(picture, asked, watch, defined({ showsInput, at: all ? { axis: all, index: 0 } : undefined }));
        // The first image stays open: others of its file share what was unpacked.
        for (let index = 1; all && index < count; index++) {
          const recipeAt = takenAt(asked, all, index);
          const other = await read(input, recipeAt);
          try {
            await run(other, recipeAt, new Stopwatch(), { showsInput, at: { axis: all, index } });
          } finally {
            await other.close();
          }
        }
      } finally {
        await picture.close();
      }
    });
    for (const table of tables.values()) await table.finish();
  } catch (error) {
    // If inputs failed, the table keeps the rows of the others.
    for (const table of tables.values()) await (error instanceof BatchError ? table.finish() : table.discard());
    throw error;
  } finally {
    await ahead?.then(
      (picture) => picture.close(),
      () => undefined,
    );
    await engine?.close();
  }
}

/** The recipe for one image of an axis. */
const takenAt = (recipe: Recipe, axis: "time" | "page", index: number): Recipe => ({
  ...recipe,
  input: { ...recipe.input, [axis]: index },
});

/** Calls `read` with a progress bar. */
async function reading<T>(
  picture: Picture,
  { quiet }: Options,
  read: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const bar = new ProgressBar(!quiet);
  bar.count(bytesOf(picture));
  try {
    return await read(bar.update);
  } finally {
    bar.stop();
  }
}

/** How one image is labelled beside others. */
interface Labelled {
  readonly table: RegionsTable | undefined;
  readonly isAlone: boolean;
  /** The time or the page of a file whose every one is labelled. */
  readonly at?: TableOptions["at"];
  /** Whether the table has a column with the input's name. */
  readonly showsInput: boolean;
}

async function labelOne(
  engine: Engine,
  picture: OpenedInput,
  asked: Recipe,
  options: Options,
  watch: Stopwatch,
  { table, isAlone, at, showsInput }: Labelled,
): Promise<void> {
  const talkative = !options.quiet && !options.json;
  checkFits(asked, picture, options);
  const chosen = options.auto ? await automatic(engine, picture, asked, options, watch) : undefined;
  const recipe = chosen?.recipe ?? asked;
  const { operation } = recipe;
  const threshold =
    operation === "components"
      ? await watch.measure("choose threshold", 0, () => thresholdFor(engine, recipe, picture.pixels))
      : undefined;
  const intensities = await openIntensities(engine, recipe, picture);
  const bar = new ProgressBar(!options.quiet);
  bar.count(bytesOf(picture));
  const begin = performance.now();
  try {
    const call = { onProgress: bar.update };
    const notices: string[] = [];
    const idle: string[] = [];
    const onEmpty = (name: "pick" | "edits", at: readonly number[]): void => {
      const place = at.map((coordinate, axis) => coordinate + picture.origin[axis]).join(",");
      if (name === "edits") idle.push(place);
      else notices.push(`${picture.input}: --pick ${place} is a pixel of no object`);
    };
    const within = await withinOf(engine, recipe, picture);
    // Measures only if an output, --select or --sort needs it.
    const { select, sort } = recipe.options ?? {};
    const { regions, outlines, figure } = options;
    const { failIf, golden } = recipe.products ?? {};
    const isColoured = figure !== undefined && recipe.products?.colourBy !== undefined;
    const measures =
      isColoured ||
      regions !== undefined ||
      select !== undefined ||
      sort !== undefined ||
      failIf !== undefined ||
      golden !== undefined ||
      hasAttributes(outlines);
    const measuring = measures ? await measuringOf(engine, recipe, picture.pixels, call, intensities[0]?.pixels) : {};
    const components = await objectsOf(engine, recipe, picture.pixels, {
      threshold,
      measuring,
      ...within,
      ...call,
      onEmpty,
    });
    const milliseconds = performance.now() - begin;
    watch.add(engine.timings);
    let range: readonly string[] = [];
    let extremes: readonly string[] = [];
    let verdict: Verdict | undefined;
    let comparison: Comparison | undefined;
    try {
      await checkIds(components, picture, recipe);
      verdict = await verdictOf(components, recipe, measuring);
      range = await rangeNotes(engine, picture, recipe, components.foreground, namedThreshold(recipe));
      const { foreground, count, width, height, depth } = components;
      extremes = extremesNote(picture, recipe, { foreground, count, size: width * height * depth });
      const found = { engine, components, picture, recipe, measuring, intensities, options };
      const whole = { ...found, watch, bar, table, at, showsInput };
      await write(whole);
      comparison = await compared(whole);
    } finally {
      bar.stop();
      components.dispose();
    }
    const isLeftOut = options.regions !== undefined && !readsAgain({ picture, recipe });
    const leftOut =
      "the values under objects were not measured, because that reads the image again; request them with --properties";
    // No threshold above 0 is chosen for pixels of one value.
    const flat = (components.threshold ?? 1) <= 0 ? await flatNotes(picture, recipe, threshold) : [];
    const notes = [
      ...(isLeftOut ? [`${picture.input}: ${leftOut}`] : []),
      ...mapNotes(picture, recipe, options),
      ...picture.notes(),
      ...flat,
      ...range,
      ...(flat.length + range.length === 0 ? extremes : []),
      ...idsNotes(picture, recipe),
      ...numberedNote(picture, components, options.output && fillName(options.output, picture.input)),
      ...greysNote(picture, recipe),
      ...labelsNote(picture, recipe),
      ...idleNotes(picture, recipe, {
        hasTable: options.regions !== undefined || hasAttributes(outlines),
        isCounted: outputsOf(options, recipe).length === 0,
      }),
      ...notices,
      ...editNotes(picture, recipe, idle),
      ...drawnNotes(recipe, options, picture),
      ...(recipe.products?.perChannel &&
      intensities.length > 0 &&
      intensities.every(({ pixels: values }) => (values.channels ?? 1) === 1)
        ? [`${intensities.map((one) => one.picture.input).join(", ")}: one channel; --per-channel has no effect`]
        : []),
      ...lostPlaces(picture, options.output && fillName(options.output, picture.input)),
      ...intensities.flatMap((one) => one.picture.notes()),
    ];
    const noted = tellNotes(notes, options);
    const looks = looksFurther(recipe, options, isAlone);
    const further = (): Promise<Offers | undefined> => offered(engine, recipe, picture, { ...within, threshold });
    const more = options.json && looks ? await further() : undefined;
    const place = at && { [at.axis]: at.index };
    const auto = chosen && { auto: flagsOf(chosen) };
    const differs = comparison !== undefined && comparison.differences.length > 0;
    if (verdict?.fails || differs) process.exitCode = FAILED;
    const judged = defined<object>({ failed: verdict?.fails, differences: comparison?.differences });
    const fields = {
      ...place,
      ...auto,
      ...judged,
      ...(more && jsonOf(more)),
      ...noted,
    };
    report(engine, components, picture, recipe, threshold, milliseconds, options, fields);
    if (verdict?.fails) tellVerdict(picture.input, verdict);
    if (comparison && differs) tellDifferences(picture.input, comparison);
    if (talkative && options.auto) console.log(toldOfAuto(chosen));
    if (options.timing) console.error(await watch.table());
    if (talkative && looks) {
      const offers = await further();
      const lines = offers ? linesOf(recipe, offers) : ["no other settings are offered for volumes"];
      if (options.suggest || lines.length > 1) for (const line of lines) console.log(line);
    }
  } finally {
    bar.stop();
    await closeAll(intensities);
  }
}

/** The settings of --auto, which --recipe saves; undefined if those that were asked for are the best. */
async function automatic(
  engine: Engine,
  picture: OpenedInput,
  recipe: Recipe,
  options: Options,
  watch: Stopwatch,
): Promise<Offer | undefined> {
  const within = await withinOf(engine, recipe, picture);
  const offers = await watch.measure("suggest", 0, () => offered(engine, recipe, picture, { ...within }));
  if (!offers) throw new UsageError(`Expected an image for --auto, got the volume ${picture.input}.`);
  const first = firstOf(recipe, offers);
  if (options.recipe !== undefined) await keepRecipe(first?.recipe ?? recipe, { recipe: options.recipe });
  return first;
}

/** Stains are amounts, as f32; so are gradients. */
const isStain = (channel: unknown): boolean => STAIN_NAMES.some((name) => name === channel);

/** The value of the local mean in a flattened picture, by pixel type. */
const MIDDLES: Readonly<Record<PixelType, number>> = { u8: 128, u16: 32768, i16: 0, u32: 0, i32: 0, f32: 0 };

function report(
  engine: Engine,
  { count, width, height, depth, foreground, threshold: chosen, polarity, device }: Components,
  { input, pixels }: Picture,
  { operation, input: { channel } = {}, options = {} }: Recipe,
  threshold: Threshold | undefined,
  milliseconds: number,
  { json, quiet }: Options,
  more: object,
): void {
  const { flatten, gradient } = options;
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  const mean = flatten === undefined ? undefined : MIDDLES[isStain(channel) || gradient !== undefined ? "f32" : type];
  const automatic = typeof threshold === "string" && threshold !== "nonzero" ? threshold : undefined;
  if (json) {
    const used = automatic ? defined<object>({ [automatic]: chosen, polarity, localMean: mean }) : threshold;
    const isRule = used === undefined;
    const summary = defined<object>({
      input,
      ...sizeFields({ width, height, depth }),
      count,
      foreground,
      ...ranOn(device, engine.describe(), milliseconds),
      by: isRule ? (operation === "components" ? options.by : "labels") : undefined,
      background: isRule ? options.background : undefined,
      threshold: used,
      polarity: automatic === undefined && polarity !== undefined ? polarity : undefined,
      ...more,
    });
    console.log(JSON.stringify(summary));
    return;
  }
  if (quiet) return;
  const dark =
    polarity === "dark" && (automatic !== undefined || (typeof threshold === "object" && "local" in threshold));
  const objects = `${grouped(count)} ${dark ? "dark " : ""}${count === 1 ? "object" : "objects"}`;
  const side = dark ? "at and below" : "above";
  const nonzero = options.threshold === undefined && threshold === "nonzero" ? "nonzero pixels" : "";
  const [axis] = Object.entries(more).filter(([name]) => name === "time" || name === "page");
  const place = axis ? `${axis[0]} ${axis[1]}: ` : "";
  const shift = mean === undefined ? "" : `, where ${mean} is the local mean`;
  const how = automatic ? `${METHODS[automatic].title}: ${side} ${shortest(chosen ?? 0)}${shift}` : nonzero;
  console.log(
    `${ahead(input)}${place}${objects} in ${sides({ width, height, depth })}, ${milliseconds.toFixed(1)} ms on ${runnerOf(device, engine.describe())}${how && ` (${how})`}`,
  );
}

function shortest(n: number): string {
  return Number.isInteger(n) ? `${n}` : n.toPrecision(6);
}
