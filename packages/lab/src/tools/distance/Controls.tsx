// The settings of the distance tool: to which pixels, how far, and how the map is drawn.

import type { DistanceMetric } from "skerry";
import { hasInside, type Target } from "../../settings/distance.js";
import { lines, range, totals } from "../../state/drawn.js";
import { session } from "../../state/engine.js";
import { changeDistance, recipe, unit } from "../../state/lab.js";
import { Choice, NumberField, Tick } from "../../widgets/fields.js";
import { DISTANCE } from "../../words/distance.js";
import { TEXT } from "../../words/text.js";
import { Foreground } from "../objects/Controls.js";
import { showsCircles } from "./state.js";

export function DistanceControls() {
  const { distance } = recipe.value;
  const { target, surface, signed, metric, max, points } = distance;
  return (
    <div class="controls">
      <div class="fields">
        <Choice
          {...{ name: "target", label: DISTANCE.target, value: target, title: DISTANCE.tips.target }}
          options={Object.entries(DISTANCE.targets) as [Target, string][]}
          change={(value) => changeDistance({ target: value })}
        />
        <Choice
          {...{ name: "distanceMetric", label: DISTANCE.metric, value: metric, title: DISTANCE.tips.metric }}
          options={Object.entries(DISTANCE.metrics) as [DistanceMetric, string][]}
          change={(value) => changeDistance({ metric: value })}
        />
        <NumberField
          {...{ name: "max", label: TEXT.distance.max(unit()), value: max, step: "any", none: DISTANCE.all }}
          change={(value) => changeDistance({ max: value })}
        />
      </div>
      {target === "objects" && <Foreground />}
      {target === "selection" && !recipe.value.within && <p class="hint">{DISTANCE.select}</p>}
      {target === "points" && <p class="hint">{DISTANCE.set(points.length)}</p>}
      {hasInside(distance) && (
        <div class="onoff">
          <Tick
            {...{ name: "signed", label: DISTANCE.signed, value: signed, title: DISTANCE.tips.signed }}
            change={(value) => changeDistance({ signed: value })}
          />
          <Tick
            {...{ name: "surface", label: DISTANCE.surface, value: surface, title: DISTANCE.tips.surface }}
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
        {...{
          name: "lines",
          label: TEXT.distance.lines,
          value: lines.value,
          step: "any",
          none: TEXT.none,
          unit: unit(),
        }}
        change={(value) => {
          lines.value = value;
        }}
      />
      <NumberField
        {...{ ...free, name: "rangeLow", label: DISTANCE.from, value: round(from) }}
        change={(value) => {
          range.value = [value, to];
        }}
      />
      <NumberField
        {...{ ...free, name: "rangeHigh", label: DISTANCE.to, value: round(to) }}
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
          {DISTANCE.wholeRange}
        </button>
      )}
      {recipe.value.distance.target === "objects" && (
        <Tick
          {...{ name: "circles", label: DISTANCE.circles, value: showsCircles.value, title: DISTANCE.tips.circles }}
          change={(value) => {
            showsCircles.value = value;
            session.follower?.moved();
          }}
        />
      )}
    </div>
  );
}
