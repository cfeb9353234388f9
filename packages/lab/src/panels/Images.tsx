// Chooses among the images of a file: its pages, the slices of a volume, its times. Images are numbered from 0, as the command line does.

import { PROJECTIONS, type Projection } from "skerry/internal";
import { Latest } from "../engine/latest.js";
import { type ImagesAxis, imagesOf, takenAt } from "../files/opened.js";
import { takeImage } from "../session/open.js";
import type { Taken } from "../settings/recipe.js";
import { session } from "../state/engine.js";
import { picture, recipe } from "../state/lab.js";
import { Dialog } from "../widgets/Dialog.js";
import { IMAGES } from "../words/dialogs.js";
import { Channels } from "./Channels.js";
import "./images.css";

/** While a slider is dragged, an image is opened to its end, then the last that was asked for meanwhile. */
const latest = new Latest({
  failed: (error) => void session.follower?.failed(error),
  progressed: () => undefined,
});
const show = (taken: Taken): void => latest.ask(() => takeImage(taken));

/** The image of all slices, or pages, at what is taken along the other axes. */
const projectedIn = (images: readonly ImagesAxis[], page: Projection): Taken =>
  Object.assign({}, ...images.map(({ name, at }) => (name === "slice" || name === "page" ? { page } : { [name]: at })));

const volume = async () => (await import("./volume/Volume.js")).Volume;

export function Images() {
  // Pages may be pictures of their own, or slices that no description makes a volume.
  const images = picture.value ? imagesOf(picture.value) : [];
  const several = images.find(({ name }) => name === "channel");
  const along = images.find(({ name }) => name === "slice" || name === "page");
  return (
    <div class="images" data-bar>
      {images.map((axis) => (
        <label key={axis.name}>
          {IMAGES[axis.name]}
          <input
            type="range"
            name={axis.name}
            min={0}
            max={axis.size - 1}
            value={axis.at}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              show(takenAt(axis, valueAsNumber, recipe.value.taken));
            }}
          />
          <output>{axis.projection ?? IMAGES.of(axis.at, axis.size - 1)}</output>
        </label>
      ))}
      {along && (
        <select
          name="projection"
          aria-label={IMAGES.projection}
          value={along.projection ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const page = PROJECTIONS.find((name) => name === value);
            show(page ? projectedIn(images, page) : takenAt(along, along.at, recipe.value.taken));
          }}
        >
          {["", ...PROJECTIONS].map((name) => (
            <option key={name} value={name}>
              {IMAGES.projections[name as "" | Projection]}
            </option>
          ))}
        </select>
      )}
      {several && <Channels axis={several} />}
      {along && <Dialog name={IMAGES.volume} load={volume} />}
    </div>
  );
}
