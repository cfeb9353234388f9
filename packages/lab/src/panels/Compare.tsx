// Comparing two settings: a button that keeps what is shown as A, the counts of both sides, and what only one of them has.

import { endComparing, keepAsA, lone, slot, swap } from "../session/compare.js";
import { divider, found, recipe } from "../state/lab.js";
import { toolOf } from "../tools/index.js";
import { TEXT } from "../words/text.js";

const { comparing: WORDS } = TEXT;

/** Counts at both sides of the divider. */
export function Counts() {
  const { value: a } = slot;
  if (!a) return null;
  const [ofA, ofB] = lone.value ?? [];
  const at = { left: `${100 * divider.value}%` };
  return (
    <>
      <output class="count left" style={at}>
        {WORDS.side("A", a.count, ofA?.size)}
      </output>
      <output class="count right" style={at}>
        {WORDS.side("B", found.value?.headline.value ?? 0, ofB?.size)}
      </output>
    </>
  );
}

export function CompareButtons() {
  if (!toolOf(recipe.value).hasObjects) return null;
  if (!slot.value)
    return (
      <button type="button" title={WORDS.tip} onClick={keepAsA}>
        {WORDS.begin}
      </button>
    );
  return (
    <>
      <button type="button" onClick={swap}>
        {WORDS.swap}
      </button>
      <button type="button" aria-pressed onClick={endComparing}>
        {WORDS.end}
      </button>
    </>
  );
}
