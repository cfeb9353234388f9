// The scale bar over the picture, and the button of its dialog.

import { placed } from "../state/drawn.js";
import { recipe } from "../state/lab.js";
import { TEXT } from "../text.js";
import { Dialog } from "./Dialog.js";

const load = async () => (await import("./ScaleOf.js")).ScaleOf;
/** Maximum length of the bar, in CSS pixels. */
const MOST_POINTS = 120;

/** The largest of 1, 2 and 5 times a power of ten that is at most a length. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((n) => n * power <= most) ?? 1) * power;
}

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
