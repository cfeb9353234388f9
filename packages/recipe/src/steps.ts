// The steps of a recipe in order, as sentences.

import { givenFields, parseRecipe } from "./check.js";
import { shown } from "./errors.js";
import type { Field, Flag, Group, Operation } from "./field.js";
import { takesPolarity } from "./fields/thresholds.js";
import type { Recipe } from "./fields.js";
import { isPrepared } from "./run/options.js";

const BEGIN: Readonly<Record<Operation, string>> = {
  components: "Read the image.",
  labelled: "Read the label image: each value is one object.",
  fill: "Read the image with all its channels.",
  distance: "Read the image.",
  kmeans: "Read the image, 8 bits a channel.",
  mask: "Read the mask: pixels that are not 0 in any colour channel.",
};

const END: Readonly<Record<Operation, string>> = {
  components: "Number the objects from 1 in reading order.",
  labelled: "Number the objects from 1 in the order of their labels.",
  fill: "Number the filled regions from 1 in reading order.",
  distance: "Map the exact distance of every pixel.",
  kmeans: "Number the classes from 0, the one of the most pixels first.",
  mask: "Write the mask.",
};

/** Groups of fields that are applied before the operation itself. */
const BEFORE: readonly Group[] = ["read", "pixels"];

/** The unit of lengths that --physical takes in units of the spacing. */
const IN_UNITS = "pixels, or units with physical";

/** A value as its flag takes it. */
const printed = ({ repeat, kind }: Flag, value: unknown): string =>
  repeat ? (value as unknown[]).map((each) => kind.print([each])).join(" ") : kind.print(value);

/** A field with its value as a sentence: its help, capitalised, and the value. */
function sentence(field: Field, value: unknown, isPhysical: boolean): string {
  const flag = field.flags.find((each) => each.unwrap(value) !== undefined);
  const meaning = flag?.says?.(value);
  if (meaning !== undefined) return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  const help = (flag?.help ?? field.help).replace(/ \(default[^)]*\)|; default/g, "");
  const inner = flag ? flag.unwrap(value) : value;
  const text = flag && typeof inner === "object" ? printed(flag, inner) : shown(inner);
  const unit = field.unit === IN_UNITS ? (isPhysical ? "units" : "pixels") : field.unit;
  const detail = inner === true || inner === false ? "" : `: ${text}${unit ? ` (${unit})` : ""}`;
  return `${help.charAt(0).toUpperCase()}${help.slice(1)}${detail}.`;
}

/**
 * Describes the steps of a recipe, in order.
 * @returns one sentence per step
 * @example
 * import { steps } from "@skerry/recipe";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: "otsu", minArea: 20 } };
 * for (const sentence of steps(recipe)) console.log(sentence);
 */
export function steps(recipe: Recipe): string[] {
  parseRecipe(recipe);
  const files = Object.keys(recipe.files ?? {});
  const { operation, options = {} } = recipe;
  const given = givenFields(recipe).filter(([{ name }]) => name !== "physical" && name !== "connectivity");
  const of = (...groups: readonly Group[]): string[] =>
    given
      .filter(([{ group }]) => groups.includes(group))
      .map(([field, value]) => sentence(field, value, options.physical === true));
  const finds = operation === "components" || operation === "distance";
  const { connectivity } = options;
  const neighbours = connectivity === undefined ? "4 neighbours, in volumes 6," : `${connectivity} neighbours`;
  const middle = finds
    ? [
        ...(options.by === undefined && options.threshold === undefined
          ? [
              isPrepared(recipe)
                ? "Take pixels above Otsu's threshold."
                : "Take pixels that are not 0 if the image holds at most two values and one is 0, else those above Otsu's threshold.",
            ]
          : []),
        ...(options.by === undefined &&
        options.polarity === undefined &&
        options.threshold !== "nonzero" &&
        takesPolarity(options.threshold)
          ? [
              "Take the pixels at and below the threshold instead if more pixels are above the mean around them than below it.",
            ]
          : []),
        `Join ${neighbours} to objects.`,
      ]
    : [];
  const fields = finds ? [...of("objects"), ...of("own")] : [...of("own"), ...of("objects")];
  const measures = ["components", "labelled"].includes(operation);
  const physical = options.physical
    ? ["Count lengths and areas in units of the spacing instead of pixels."]
    : (recipe.input?.spacing ?? recipe.input?.unit) !== undefined && measures
      ? ["Count lengths and areas in pixels: the spacing counts with --physical."]
      : [];
  return [
    BEGIN[operation],
    ...of(...BEFORE),
    ...middle,
    ...fields,
    recipe.input?.endless
      ? "Tell each object once no pixel of the last line continues it, in that order."
      : END[operation],
    ...of("keep"),
    ...physical,
    ...of("products"),
    ...(files.length > 0 ? [`Take settings of their own for ${files.join(", ")}.`] : []),
  ];
}
