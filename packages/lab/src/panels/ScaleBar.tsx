// The scale bar over the picture, and the button of its dialog.

import { roundLength } from "@skerry/files/internal";
import { placed } from "../state/drawn.js";
import { recipe } from "../state/lab.js";
import { Dialog } from "../widgets/Dialog.js";
import { TEXT } from "../words/text.js";

const load = async () => (await import("./ScaleOf.js")).ScaleOf;
/** Maximum length of the bar, in CSS pixels. */
const MOST_POINTS = 120;

export function ScaleBar() {
  const { scale } = recipe.value;
  const per = placed.value.scale / (scale?.size ?? 1);
  const length = roundLength(MOST_POINTS / per);
  return (
    <div class="scalebar">
      {scale && (
        <span style={{ width: `${length * per}px` }}>
          {TEXT.length(length)} {scale.unit}
        </span>
      )}
      <Dialog name={TEXT.scale.name} load={load} />
    </div>
  );
}
