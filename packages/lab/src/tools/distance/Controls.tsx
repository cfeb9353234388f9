// The settings of the distance tool: to which pixels, how far, and how the map is drawn.

import type { DistanceMetric } from "skerry";
import { hasInside, type Target } from "../../settings/distance.js";
import { lines, range, totals } from "../../state/drawn.js";
import { session } from "../../state/engine.js";
import { changeDistance, recipe, unit } from "../../state/lab.js";
import { Choice, NumberField, Tick } from "../../widgets/fields.js";
import { TEXT } from "../../words/text.js";
import { Foreground } from "../objects/Controls.js";
import { showsCircles } from "./state.js";

const { distance: WORDS } = TEXT;

export function DistanceControls() {
  const { distance } = recipe.value;
  const { target, surface, signed, metric, max, points } = distance;
  return (
    <div class="controls">
      <div class="fields">
        <Choice
          {...{ name: "target", label: WORDS.target, value: target, title: WORDS.tips.target }}
          options={Object.entries(WORDS.targets) as [Target, string][]}
          change={(value) => changeDistance({ target: value })}
        />
        <Choice
          {...{ name: "distanceMetric", label: WORDS.metric, value: metric, title: WORDS.tips.metric }}
          options={Object.entries(WORDS.metrics) as [DistanceMetric, string][]}
          change={(value) => changeDistance({ metric: value })}
        />
        <NumberField
          {...{ name: "max", label: WORDS.max(unit()), value: max, step: "any", none: WORDS.all }}
          change={(value) => changeDistance({ max: value })}
        />
      </div>
      {target === "objects" && <Foreground />}
      {target === "selection" && !recipe.value.within && <p class="hint">{WORDS.select}</p>}
      {target === "points" && <p class="hint">{WORDS.set(points.length)}</p>}
      {hasInside(distance) && (
        <div class="onoff">
          <Tick
            {...{ name: "signed", label: WORDS.signed, value: signed, title: WORDS.tips.signed }}
            change={(value) => changeDistance({ signed: value })}
          />
          <Tick
            {...{ name: "surface", label: WORDS.surface, value: surface, title: WORDS.tips.surface }}
            change={(value) => changeDistance({ surface: value })}
          />
        </div>
      )}
      <Drawn />
    </div>
  );
}

/** How the map is drawn; changes of it do not compute the map again. */
function Drawn() {
  const { low = 0, high = 0 } = totals.value ?? {};
  const [from, to] = range.value ?? [low, high];
  const free = { least: Number.NEGATIVE_INFINITY, step: "any" } as const;
  const round = (value: number): number => Number(value.toPrecision(4));
  return (
    <div class="row">
      <NumberField
        {...{ name: "lines", label: WORDS.lines, value: lines.value, step: "any", none: TEXT.none, unit: unit() }}
        change={(value) => {
          lines.value = value;
        }}
      />
      <NumberField
        {...{ ...free, name: "rangeLow", label: WORDS.from, value: round(from) }}
        change={(value) => {
          range.value = [value, to];
        }}
      />
      <NumberField
        {...{ ...free, name: "rangeHigh", label: WORDS.to, value: round(to) }}
        change={(value) => {
          range.value = [from, value];
        }}
      />
      {range.value && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            range.value = undefined;
          }}
        >
          {WORDS.wholeRange}
        </button>
      )}
      {recipe.value.distance.target === "objects" && (
        <Tick
          {...{ name: "circles", label: WORDS.circles, value: showsCircles.value, title: WORDS.tips.circles }}
          change={(value) => {
            showsCircles.value = value;
            session.follower?.moved();
          }}
        />
      )}
    </div>
  );
}
