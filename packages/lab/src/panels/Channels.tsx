// The channels of a file, in colours: each is drawn or not, in a colour, between two values.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PixelArray } from "skerry";
import { Latest } from "../engine/latest.js";
import { openImage } from "../files/open.js";
import { type ImagesAxis, imagesOf, takenOf } from "../files/opened.js";
import { fileShown } from "../session/open.js";
import { composed } from "../state/drawn.js";
import { session } from "../state/engine.js";
import { picture, recipe } from "../state/lab.js";
import { NumberField } from "../widgets/fields.js";
import { IMAGES } from "../words/dialogs.js";
import { channelsOf, composedOf, type DrawnChannel, drawnChannels, windowIn } from "./channels.js";

const latest = new Latest({
  failed: (error) => void session.follower?.failed(error),
  progressed: () => undefined,
});

/** Planes of the channels of the image that is shown, by their number. */
let planes = new Map<number, PixelArray>();
let planesOf: unknown;

function changed(axis: ImagesAxis, at: number, next: Partial<DrawnChannel>): void {
  const { source } = recipe.value;
  const channels = drawnChannels.value[source] ?? channelsOf(axis);
  const list = channels.map((channel, i) => (i === at ? { ...channel, ...next } : channel));
  drawnChannels.value = { ...drawnChannels.value, [source]: list };
}

/** Draws the channels that are on. */
function draw(): void {
  const { value: opened } = picture;
  const axis = opened && imagesOf(opened).find(({ name }) => name === "channel");
  const channels = drawnChannels.value[recipe.peek().source];
  const file = fileShown();
  if (!opened || !file || !axis || !channels?.some(({ isOn }) => isOn)) {
    latest.cancel();
    composed.value = undefined;
    return;
  }
  latest.ask(async ({ signal }) => {
    // The picture is drawn first, by those who have just set it.
    await undefined;
    if (planesOf !== opened) planes = new Map([[axis.at, opened.data]]);
    planesOf = opened;
    const shown = [];
    for (const [i, { isOn, colour, window }] of channels.entries()) {
      if (!isOn) continue;
      const taken = axis.pages ? { page: axis.pages[i] } : { ...takenOf(opened), channel: i };
      const { name } = opened;
      // A signal would end the decoder, and with it the work of others.
      const data = planes.get(i) ?? (await openImage(file, name, { shrink: 1, taken })).data;
      if (signal.aborted) return;
      planes.set(i, data);
      if (window === undefined) changed(axis, i, { window: windowIn(data) });
      shown.push({ data, colour, window: window ?? windowIn(data) });
    }
    composed.value = { ...opened, channels: 4, data: composedOf(shown) };
  });
}

export function Channels({ axis }: { axis: ImagesAxis }) {
  useEffect(() => {
    const stop = effect(draw);
    return () => {
      stop();
      latest.cancel();
      composed.value = undefined;
      planes = new Map();
      planesOf = undefined;
    };
  }, []);
  const channels = drawnChannels.value[recipe.value.source] ?? channelsOf(axis);
  return (
    <details class="channels">
      <summary>{IMAGES.channels}</summary>
      {channels.map(({ name, isOn, colour, window }, i) => (
        <div key={`${i} ${name}`}>
          <label class="tick">
            <input
              type="checkbox"
              name={`channel ${i}`}
              checked={isOn}
              onChange={({ currentTarget: { checked } }) => changed(axis, i, { isOn: checked })}
            />
            {name}
          </label>
          <input
            type="color"
            aria-label={IMAGES.colourOf(name)}
            value={colour}
            onInput={({ currentTarget: { value } }) => changed(axis, i, { colour: value })}
          />
          {isOn && window && (
            <>
              <NumberField
                {...{ name: `black ${i}`, label: IMAGES.black, value: window[0], step: "any", least: -3e38 }}
                change={(value) => changed(axis, i, { window: [value, Math.max(value, window[1])] })}
              />
              <NumberField
                {...{ name: `white ${i}`, label: IMAGES.white, value: window[1], step: "any", least: -3e38 }}
                change={(value) => changed(axis, i, { window: [Math.min(value, window[0]), value] })}
              />
            </>
          )}
        </div>
      ))}
    </details>
  );
}
