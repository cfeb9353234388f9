// Under the settings of a fill: buttons that make the selection the fence of every tool.

import { recipe } from "../../state/lab.js";
import { FenceButtons } from "../../widgets/FenceButtons.js";
import { fenceOf } from "./edits.js";

export function Results() {
  return (
    <div class="row">
      <FenceButtons fence={fenceOf} disabled={recipe.value.fill.strokes.length === 0} />
    </div>
  );
}
