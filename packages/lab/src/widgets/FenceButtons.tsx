// Buttons under a selection: every tool works only inside it, and everywhere again.

import type { Recipe } from "../settings/recipe.js";
import { change, recipe } from "../state/lab.js";
import { TEXT } from "../words/text.js";

interface Props {
  /** Settings in which the selection is the fence; undefined if nothing is selected. */
  readonly fence: (recipe: Recipe) => Partial<Recipe> | undefined;
  readonly disabled: boolean;
}

/** Makes a selection the fence. */
export function takeFence(fence: Props["fence"]): void {
  const next = fence(recipe.value);
  if (next) change(next, "fence");
}

export function FenceButtons({ fence, disabled }: Props) {
  return (
    <>
      <button type="button" title={TEXT.tips.fence} disabled={disabled} onClick={() => takeFence(fence)}>
        {TEXT.fence}
      </button>
      {recipe.value.within && (
        <button type="button" onClick={() => change({ within: undefined }, "fence")}>
          {TEXT.unfence}
        </button>
      )}
    </>
  );
}
