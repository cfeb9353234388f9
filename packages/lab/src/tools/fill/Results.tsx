// Under the settings of a fill: what is selected as the fence of every tool.

import { change, recipe } from "../../state/lab.js";
import { TEXT } from "../../text.js";
import { fenceSelected } from "./edits.js";

export function Results() {
  const { fill, within } = recipe.value;
  return (
    <div class="row">
      <button type="button" title={TEXT.tips.fence} disabled={fill.strokes.length === 0} onClick={fenceSelected}>
        {TEXT.fence}
      </button>
      {within && (
        <button type="button" onClick={() => change({ within: undefined }, "fence")}>
          {TEXT.unfence}
        </button>
      )}
    </div>
  );
}
