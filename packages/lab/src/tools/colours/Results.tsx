// Under the settings of the colours: each class with its colour and its pixels, shown alone by a click, and taken to the other tools.

import { colourOf } from "@skerry/files";
import { OBJECTS } from "../../settings/objects.js";
import { isolated } from "../../state/drawn.js";
import { change, hovered, recipe } from "../../state/lab.js";
import { FenceButtons } from "../../widgets/FenceButtons.js";
import { COLOUR_WORDS as WORDS } from "../../words/colours.js";
import { fenceOf, isolate, merge } from "./edits.js";
import { classes } from "./state.js";

/** The objects of the classes that are shown alone: connected areas, in the objects tool. */
function toObjects(settings: Parameters<typeof fenceOf>[0]): ReturnType<typeof fenceOf> {
  const fenced = fenceOf(settings);
  return fenced && { ...fenced, tool: "objects", objects: { ...OBJECTS, rule: "all" } };
}

export function Results() {
  const { value } = classes;
  if (!value) return null;
  const total = value.counts.reduce((sum, count) => sum + count, 0);
  return (
    <div class="results">
      <ul class="palette">
        {Array.from({ length: value.k }, (_, index) => {
          const [r, g, b] = colourOf(value, index);
          const hex = `#${[r, g, b].map((n) => n.toString(16).padStart(2, "0")).join("")}`;
          return (
            <li key={index}>
              <button
                type="button"
                class={hovered.value === index + 1 ? "hovered" : undefined}
                aria-pressed={isolated.value.has(index)}
                title={WORDS.tips.click}
                onClick={(event) => (event.shiftKey ? merge(index) : isolate(index))}
              >
                <span class="swatch" style={{ background: hex }} />
                <code>{hex}</code>
                <span>{value.counts[index].toLocaleString("en")} px</span>
                <span>{((100 * value.counts[index]) / Math.max(1, total)).toFixed(1)} %</span>
              </button>
            </li>
          );
        })}
      </ul>
      <div class="row">
        <button
          type="button"
          disabled={isolated.value.size === 0}
          title={WORDS.tips.objects}
          onClick={() => {
            const next = toObjects(recipe.value);
            if (next) change(next, "class");
          }}
        >
          {WORDS.objects}
        </button>
        <FenceButtons fence={fenceOf} disabled={isolated.value.size === 0} />
      </div>
    </div>
  );
}
