// The selection and its buttons: for one object its numbers, for several their count.

import { done, failure, recipe, selection } from "../../state/lab.js";
import { FenceButtons } from "../../widgets/FenceButtons.js";
import { RESULTS } from "../../words/results.js";
import { TEXT } from "../../words/text.js";
import { columnsOf, headOf, textOf } from "./columns.js";
import { fenceOf, removeSelected } from "./edits.js";
import { fresh, measured, wantedProperties } from "./state.js";

/** Copies the rows of some objects as tab-separated text. */
export async function copyRows(labels: Iterable<number>): Promise<void> {
  const regions = measured.value?.regions;
  if (!regions) return;
  const columns = columnsOf(wantedProperties.value, regions);
  const rows = Array.from(labels, (label) => columns.map((column) => textOf(column, regions, label - 1)).join("\t"));
  await navigator.clipboard.writeText([columns.map(headOf).join("\t"), ...rows].join("\n"));
  done.value = RESULTS.copied(rows.length);
}

async function cutOut(): Promise<void> {
  try {
    const { saveCutOut } = await import("./save.js");
    await saveCutOut([...selection.value]);
  } catch (error) {
    failure.value = { text: TEXT.failures.call((error as Error).message) };
  }
}

function One({ label }: { label: number }) {
  const regions = measured.value?.regions;
  if (!regions) return null;
  const columns = columnsOf(wantedProperties.value, regions).filter(({ name }) => name === "area" || name === "mean");
  return (
    <dl>
      {columns.map((column) => (
        <div key={column.name}>
          <dt>{column.text}</dt>
          <dd>{textOf(column, regions, label - 1)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Card() {
  const { size } = selection.value;
  const [label = 0] = selection.value;
  if (size === 0 && !recipe.value.within) return null;
  const isIdle = size === 0 || !fresh.value;
  return (
    <div class="card">
      <div class="chosen">
        <span data-testid="selected">{size === 1 ? RESULTS.objectOf(label) : RESULTS.selected(size)}</span>
        {size === 1 && fresh.value && <One label={label} />}
      </div>
      <div class="row">
        <button type="button" disabled={isIdle} onClick={() => void copyRows(selection.value)}>
          {TEXT.copy}
        </button>
        <button type="button" disabled={isIdle} onClick={removeSelected}>
          {RESULTS.remove}
        </button>
        <button type="button" disabled={isIdle} title={TEXT.tips.cutOut} onClick={() => void cutOut()}>
          {RESULTS.cutOut}
        </button>
        <FenceButtons fence={fenceOf} disabled={isIdle} />
      </div>
    </div>
  );
}
