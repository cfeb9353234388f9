// Chooses among the images of a file: its pages, the slices of a volume, its times. Images are numbered from 0, as the command line does.

import { Latest } from "../engine/latest.js";
import { imagesOf } from "../files/opened.js";
import { takeImage } from "../session/open.js";
import type { Taken } from "../settings/recipe.js";
import { session } from "../state/engine.js";
import { picture, recipe } from "../state/lab.js";
import { Dialog } from "../widgets/Dialog.js";
import { IMAGES } from "../words/dialogs.js";

/** While a slider is dragged, an image is opened to its end, then the last that was asked for meanwhile. */
const latest = new Latest({
  failed: (error) => void session.follower?.failed(error),
  progressed: () => undefined,
});
const show = (taken: Taken): void => latest.ask(() => takeImage(taken));

const volume = async () => (await import("./volume/Volume.js")).Volume;

export function Images() {
  // Pages of a file are pictures of their own; slices have a third axis in common.
  const isVolume = picture.value?.space.axes.some(({ name, size }) => name === "page" && size > 1) === true;
  return (
    <div class="images" data-bar>
      {(picture.value ? imagesOf(picture.value) : []).map(({ name, size, at }) => (
        <label key={name}>
          {IMAGES[name]}
          <input
            type="range"
            name={name}
            min={0}
            max={size - 1}
            value={at}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              show({ ...recipe.value.taken, [name]: valueAsNumber });
            }}
          />
          <output>{IMAGES.of(at, size - 1)}</output>
        </label>
      ))}
      {isVolume && <Dialog name={IMAGES.volume} load={volume} />}
    </div>
  );
}
