// The settings of the colours tool: the number of classes, how colours are compared, and the initial centres.

import { useMemo } from "preact/hooks";
import { type ColoursRecipe, SLIDER_END, type Start } from "../../settings/colours.js";
import { changeColours, recipe } from "../../state/lab.js";
import { Choice, NumberField } from "../../widgets/fields.js";
import { Levels } from "../../widgets/Levels.js";
import { COLOUR_WORDS as WORDS } from "../../words/colours.js";
import { keyOf } from "./run.js";
import { suited, took } from "./state.js";

/** The silhouette of each number of classes, higher is better; the handle is k. */
function Suited() {
  const { colours, within } = recipe.value;
  const key = keyOf(colours, within);
  const picked = suited.value?.key === key ? suited.value.picked : undefined;
  const values = useMemo(() => {
    const all = new Float64Array(SLIDER_END).fill(-1);
    if (!picked) return all;
    // Silhouettes differ by little, so the chart shows only their range.
    const [low, high] = [Math.min(...picked.silhouette), Math.max(...picked.silhouette)];
    picked.candidates.forEach((k, i) => {
      all[k - 1] = (1000 * (picked.silhouette[i] - low)) / Math.max(1e-9, high - low);
    });
    return all;
  }, [picked]);
  return (
    <Levels
      values={values}
      line
      handles={[
        {
          name: "kHandle",
          label: WORDS.k,
          at: Math.min(SLIDER_END, colours.k) - 1,
          text: String(colours.k),
          move: (bin, gesture) => changeColours({ k: bin + 1, merged: [] }, gesture ? { gesture } : {}),
        },
      ]}
      marks={
        picked
          ? [
              {
                first: picked.k - 1,
                last: picked.k - 1,
                text: WORDS.suggested(picked.k),
                label: WORDS.suggested(picked.k),
                take: () => changeColours({ k: picked.k, merged: [] }),
              },
            ]
          : []
      }
      label={WORDS.suited}
      textAt={(bin) => String(bin + 1)}
      tellBin={(bin) => (values[bin] < 0 ? "" : WORDS.silhouette(bin + 1, picked?.silhouette[bin - 1] ?? 0))}
    />
  );
}

/** The time that each number of classes took on this machine. */
function Took() {
  const { colours, within } = recipe.value;
  const milliseconds = took.value?.key === keyOf(colours, within) ? took.value.milliseconds : undefined;
  if (!milliseconds) return null;
  const values = Float64Array.from(milliseconds.subarray(1), (ms) => ms || -1);
  return (
    <Levels
      values={values}
      line
      handles={[]}
      label={WORDS.took}
      textAt={(bin) => String(bin + 1)}
      tellBin={(bin) => (values[bin] < 0 ? "" : WORDS.milliseconds(bin + 1, values[bin]))}
    />
  );
}

export function ColoursControls() {
  const { colours } = recipe.value;
  const { k, metric, colourSpace, init, seed, merged } = colours;
  return (
    <div class="controls">
      <Suited />
      <Took />
      <div class="fields">
        <NumberField
          {...{ name: "k", label: WORDS.k, value: k, least: 1, most: 255 }}
          change={(value) => changeColours({ k: Math.round(value), merged: [] })}
        />
        <Choice
          {...{ name: "coloursMetric", label: WORDS.metric, value: metric, title: WORDS.tips.metric }}
          options={Object.entries(WORDS.metrics) as [ColoursRecipe["metric"], string][]}
          change={(value) => changeColours({ metric: value, merged: [] })}
        />
        <Choice
          {...{ name: "colourSpace", label: WORDS.space, value: colourSpace, title: WORDS.tips.space }}
          options={Object.entries(WORDS.spaces) as [ColoursRecipe["colourSpace"], string][]}
          change={(value) => changeColours({ colourSpace: value, merged: [] })}
        />
        <Choice
          {...{ name: "init", label: WORDS.start, value: init, title: WORDS.tips.start }}
          options={Object.entries(WORDS.starts) as [Start, string][]}
          change={(value) => changeColours({ init: value, merged: [] })}
        />
        <NumberField
          {...{ name: "seed", label: WORDS.seed, value: seed, most: 2 ** 32 - 1 }}
          change={(value) => changeColours({ seed: Math.round(value), merged: [] })}
        />
      </div>
      {merged.length > 0 && (
        <button type="button" onClick={() => changeColours({ merged: [] })}>
          {WORDS.apart}
        </button>
      )}
    </div>
  );
}
