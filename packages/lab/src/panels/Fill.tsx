// The settings of the fill tool.

import type { ColourMetric } from "skerry";
import { paintSelected } from "../state/edits.js";
import { changeFill, fillAreas, recipe } from "../state/lab.js";
import { TEXT } from "../text.js";
import { Choice, NumberField, Tick } from "./fields.js";
import { Levels } from "./Levels.js";

/** No area is known yet. */
const NONE = new Float64Array(256).fill(-1);
const AVERAGES = [1, 3, 5, 9];

/** Another tolerance: of the last press, and of the next. */
function setTolerance(tolerance: number, gesture?: string): void {
  const { strokes } = recipe.value.fill;
  const last = strokes.at(-1);
  const next = last ? [...strokes.slice(0, -1), { ...last, tolerance }] : strokes;
  changeFill({ strokes: next, tolerance }, gesture ? { gesture } : {});
}

export function FillControls() {
  const { fill } = recipe.value;
  const { tolerance, range, metric, connectivity, average, contiguous, colour, strokes, coats } = fill;
  const areas = fillAreas.value ?? NONE;
  return (
    <div class="controls">
      <Levels
        values={areas}
        line
        label={TEXT.fillArea}
        handles={[
          {
            ...{ name: "tolerance", label: TEXT.tolerance, at: Math.min(255, tolerance), text: String(tolerance) },
            move: (bin, gesture) => setTolerance(bin, gesture),
          },
        ]}
      />
      <p class="hint">{TEXT.fillHint}</p>
      <div class="row">
        <NumberField
          {...{ name: "toleranceNumber", label: TEXT.tolerance, value: tolerance, most: 765 }}
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
          label={TEXT.contiguous}
          value={contiguous}
          change={(value) => changeFill({ contiguous: value })}
        />
      </div>
      <details class="more">
        <summary>{TEXT.more}</summary>
        <div class="row">
          <Choice
            {...{ name: "range", label: TEXT.range, value: range }}
            options={Object.entries(TEXT.ranges) as ["fixed" | "floating", string][]}
            change={(value) => changeFill({ range: value })}
          />
          <Choice
            {...{ name: "metric", label: TEXT.metric, value: metric }}
            options={Object.entries(TEXT.metrics) as [ColourMetric, string][]}
            change={(value) => changeFill({ metric: value })}
          />
          <Choice
            {...{ name: "average", label: TEXT.average, value: average }}
            options={AVERAGES.map((n) => [n, TEXT.averages(n)] as const)}
            change={(value) => changeFill({ average: value })}
          />
        </div>
      </details>
      <div class="row">
        <label>
          {TEXT.colour}
          <input
            type="color"
            name="colour"
            value={colour}
            onInput={(event) => changeFill({ colour: event.currentTarget.value })}
          />
        </label>
        <button type="button" disabled={strokes.length === 0} onClick={paintSelected}>
          {TEXT.paint}
        </button>
        <button type="button" disabled={strokes.length === 0} onClick={() => changeFill({ strokes: [] })}>
          {TEXT.clear}
        </button>
        {coats.length > 0 && (
          <button type="button" onClick={() => changeFill({ coats: [] })}>
            {TEXT.unpaint}
          </button>
        )}
      </div>
    </div>
  );
}
