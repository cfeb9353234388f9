// Under the settings of a distance map: the scale of its colours, its numbers, and its values in each object of a label image.

import { useSignal } from "@preact/signals";
import { rampColour } from "@skerry/files";
import { range, totals } from "../../state/drawn.js";
import { done, failure, unit } from "../../state/lab.js";
import { SAVES } from "../../words/dialogs.js";
import { DISTANCE } from "../../words/distance.js";
import { TEXT } from "../../words/text.js";
import { map } from "./state.js";

const STOPS = 24;

/** The colours from the least to the largest value that is shown. */
function Scale() {
  const { low, high, mean } = totals.value ?? { low: 0, high: 0, mean: 0 };
  const [from, to] = range.value ?? [Math.min(0, low), high];
  const colours = Array.from({ length: STOPS + 1 }, (_, i) => {
    const value = from + ((to - from) * i) / STOPS;
    return `rgb(${rampColour(value, from, to).join(" ")})`;
  });
  return (
    <figure class="scale">
      <div style={{ background: `linear-gradient(to right, ${colours.join(", ")})` }} />
      <div class="ticks">
        {[from, (from + to) / 2, to].map((value, i) => (
          <span key={i}>{TEXT.length(value)}</span>
        ))}
      </div>
      <figcaption>{TEXT.distance.mean(mean, unit())}</figcaption>
    </figure>
  );
}

export function Results() {
  const busy = useSignal(false);
  if (!totals.value || !map.value) return null;
  const measure = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    busy.value = true;
    try {
      const { saveOver } = await import("./over.js");
      done.value = SAVES.savedRows(...(await saveOver(file)));
    } catch (error) {
      failure.value = { text: TEXT.failures.call((error as Error).message) };
    } finally {
      busy.value = false;
    }
  };
  return (
    <div class="results">
      <Scale />
      <label class="row" title={DISTANCE.tips.over}>
        {DISTANCE.over}
        <input
          type="file"
          name="over"
          disabled={busy.value}
          accept="image/*,.npy,.tif,.tiff"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            void measure(file);
            event.currentTarget.value = "";
          }}
        />
      </label>
    </div>
  );
}
