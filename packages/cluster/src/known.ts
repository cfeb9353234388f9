// Which settings of a recipe runs over many machines support. Everything else is refused by name when the plan is made, and help leaves
// it out.

import type { Field, Operation } from "@skerry/recipe";

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  input: ["level", "time", "channel", "crop", "intensity", "ignorePlace"],
  options: [
    "threshold",
    "polarity",
    "by",
    "background",
    "connectivity",
    "minArea",
    "maxArea",
    "clearBorder",
    "largest",
    "physical",
  ],
  products: ["properties", "name", "downsample"],
};
/** Fields that depend on whole objects, joined across seams. */
const OF_JOINED = ["minArea", "maxArea", "clearBorder", "largest"];

/** Whether a plan may have a field; its value may still be refused. */
export const isKnown = ({ part, name }: Pick<Field, "part" | "name">): boolean => KNOWN[part]?.includes(name) ?? false;

/** Whether a field works on objects that are joined across seams, which label images are not. */
export const isOfJoined = ({ name }: Pick<Field, "name">): boolean => OF_JOINED.includes(name);

/**
 * Whether `skerry cluster plan` takes a flag of the recipe. O(1).
 *
 * @param field the field that the flag sets
 * @param operation what the plan is to do
 */
export const plansFlag = (field: Pick<Field, "part" | "name">, operation: Operation): boolean =>
  isKnown(field) && (operation === "components" || !isOfJoined(field));
