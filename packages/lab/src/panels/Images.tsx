// Chooses among the images of a file: its pages, the slices of a volume, its times. Images are numbered from 0, as the command line does.

import { takeImage } from "../session/open.js";
import type { Taken } from "../settings/recipe.js";
import { picture, recipe } from "../state/lab.js";
import { IMAGES } from "../words/dialogs.js";

let wanted: Taken | undefined;
let isBusy = false;

/** Shows an image; of those that were asked for meanwhile the last. */
async function show(taken: Taken): Promise<void> {
  wanted = taken;
  if (isBusy) return;
  isBusy = true;
  try {
    for (let next: Taken | undefined = wanted; next; next = wanted) {
      wanted = undefined;
      await takeImage(next);
    }
  } finally {
    isBusy = false;
  }
}

export function Images() {
  return (
    <div class="images" data-bar>
      {(picture.value?.axes ?? []).map(({ name, size, at }) => (
        <label key={name}>
          {IMAGES[name]}
          <input
            type="range"
            name={name}
            min={0}
            max={size - 1}
            value={at}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              void show({ ...recipe.value.taken, [name]: valueAsNumber });
            }}
          />
          <output>{IMAGES.of(at, size - 1)}</output>
        </label>
      ))}
    </div>
  );
}
