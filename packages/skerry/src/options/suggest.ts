// The options of `suggest()`, and how much of a picture is searched.

import { SUGGESTED } from "../types/suggest.js";
import { unexpected } from "./arguments.js";

/** Most pixels that are searched, over all channels that are tried; larger images are searched on a copy. */
export const SEARCHED_PIXELS = 2 ** 20;

/** Offers are counted in the image itself up to this number of pixels, in its copy beyond. */
export const COUNTED_PIXELS = 2 ** 23;

/** Checks the names of options that stay. */
export function checkKeep(keep: unknown): readonly (typeof SUGGESTED)[number][] {
  const names = keep === undefined ? [] : keep;
  if (!Array.isArray(names)) throw unexpected("keep", `a list of names out of ${SUGGESTED.join(", ")}`, keep);
  const wrong = names.find((name) => !(SUGGESTED as readonly unknown[]).includes(name));
  if (wrong !== undefined) throw unexpected("keep", `names out of ${SUGGESTED.join(", ")}`, wrong);
  return names;
}
