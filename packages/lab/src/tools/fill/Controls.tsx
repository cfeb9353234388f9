// The settings of the fill tool.

import type { ColourMetric } from "skerry";
import type { Mode } from "../../settings/spots.js";
import { changeFill, mode, recipe } from "../../state/lab.js";
import { Choice, NumberField, Tick } from "../../widgets/fields.js";
import { Levels } from "../../widgets/Levels.js";
import { FILL } from "../../words/fill.js";
import { TEXT } from "../../words/text.js";
import { clearSelected, paintSelected, setTolerance } from "./edits.js";
import { areas, areasKey } from "./state.js";

/** Marks areas that are not counted yet. */
const NONE = new Float64Array(256).fill(-1);
const AVERAGES = [1, 3, 5, 9];

/** How the next press changes the selection, for users without a keyboard. */
function Modes() {
  return (
    <fieldset class="chips">
      <legend class="spoken">{FILL.modes}</legend>
      {(Object.entries(FILL.mode) as [Mode, string][]).map(([name, text]) => (
        <button
          type="button"
          class="chip"
          key={name}
          aria-pressed={mode.value === name}
          onClick={() => {
            mode.value = name;
          }}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

export function FillControls() {
  const { fill } = recipe.value;
  const { tolerance, range, metric, connectivity, average, contiguous, colour, strokes, coats } = fill;
  const counts = (areas.value?.key === areasKey(recipe.value) ? areas.value.counts : undefined) ?? NONE;
  const newest = strokes.at(-1)?.tolerance ?? tolerance;
  return (
    <div class="controls">
      <Modes />
      <Levels
        values={counts}
        line
        label={FILL.fillArea}
        textAt={String}
        tellBin={(bin) => (counts[bin] < 0 ? "" : FILL.pixelsAt(counts[bin], bin))}
        handles={[
          {
            name: "tolerance",
            label: FILL.tolerance,
            at: Math.min(255, newest),
            text: String(newest),
            move: (bin, gesture) => setTolerance(bin, gesture),
          },
        ]}
      />
      <p class="hint">{FILL.fillHint}</p>
      <div class="row">
        <NumberField
          {...{ name: "toleranceNumber", label: FILL.tolerance, value: newest, most: 765 }}
          change={(value) => setTolerance(value)}
        />
        <Choice
          {...{ name: "fillConnectivity", label: TEXT.connectivity, value: connectivity }}
          options={[
            [4, "4"],
            [8, "8"],
          ]}
          change={(value) => changeFill({ connectivity: value })}
        />
        <Tick
          name="contiguous"
          label={FILL.contiguous}
          value={contiguous}
          change={(value) => changeFill({ contiguous: value })}
        />
      </div>
      <details class="more">
        <summary>{FILL.more}</summary>
        <div class="row">
          <Choice
            {...{ name: "range", label: FILL.range, value: range }}
            options={Object.entries(FILL.ranges) as [keyof typeof FILL.ranges, string][]}
            change={(value) => changeFill({ range: value })}
          />
          <Choice
            {...{ name: "metric", label: FILL.metric, value: metric }}
            options={Object.entries(FILL.metrics) as [ColourMetric, string][]}
            change={(value) => changeFill({ metric: value })}
          />
          <Choice
            {...{ name: "average", label: FILL.average, value: average }}
            options={AVERAGES.map((n) => [n, FILL.averages(n)] as const)}
            change={(value) => changeFill({ average: value })}
          />
        </div>
      </details>
      <div class="row">
        <label>
          {FILL.colour}
          <input
            type="color"
            name="colour"
            value={colour}
            onInput={(event) => changeFill({ colour: event.currentTarget.value })}
          />
        </label>
        <button type="button" disabled={strokes.length === 0} onClick={paintSelected}>
          {FILL.paint}
        </button>
        <button type="button" disabled={strokes.length === 0} onClick={clearSelected}>
          {FILL.clear}
        </button>
        {coats.length > 0 && (
          <button type="button" onClick={() => changeFill({ coats: [] })}>
            {FILL.unpaint}
          </button>
        )}
      </div>
    </div>
  );
}
