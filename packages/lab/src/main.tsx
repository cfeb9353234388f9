// The page: the picture, its numbers, the settings of a tool, its results; and what is dropped, pasted and typed anywhere on it.

import { signal } from "@preact/signals";
import { render } from "preact";
import { isolate } from "./isolate.js";
import { Bar, Samples } from "./panels/Bar.js";
import { Devices } from "./panels/Devices.js";
import { FillControls } from "./panels/Fill.js";
import { ObjectsControls } from "./panels/Objects.js";
import { Properties } from "./panels/Properties.js";
import { Table } from "./panels/Table.js";
import { fenceSelected, paintSelected } from "./state/edits.js";
import { change, failure, found, recipe, step } from "./state/lab.js";
import { openFile } from "./state/open.js";
import "./style.css";
import { TEXT } from "./text.js";
import { Picture } from "./view/Picture.js";

function Numbers() {
  const { value } = found;
  const { tool, objects, within } = recipe.value;
  const what = tool === "objects" ? TEXT.objects(value?.count ?? 0) : TEXT.pixels(value?.count ?? 0);
  const threshold = tool === "objects" && objects.rule !== "value" && objects.rule !== "nonzero";
  return (
    <div class="numbers">
      <strong data-testid="count">{value ? value.count.toLocaleString("en") : "…"}</strong>
      <span>{what}</span>
      <span>{value ? TEXT.covered(value.covered) : ""}</span>
      {within && <span class="fenced">{TEXT.fenced}</span>}
      <output class="spoken" aria-live="polite">
        {value ? TEXT.spoken(value.count, what) + (threshold ? TEXT.spokenThreshold(objects.threshold) : "") : ""}
      </output>
    </div>
  );
}

/** On a phone the controls are a sheet of three heights. */
const sheet = signal(1);

function Panel() {
  const { tool, within } = recipe.value;
  return (
    <aside data-sheet={sheet.value}>
      <button
        type="button"
        class="grip"
        aria-label={TEXT.sheet}
        onClick={() => {
          sheet.value = (sheet.value + 1) % 3;
        }}
      />
      <Numbers />
      {tool === "objects" ? <ObjectsControls /> : <FillControls />}
      {tool === "objects" && <Properties />}
      {tool === "objects" ? <Table /> : null}
      {tool === "fill" && (
        <div class="row">
          <button type="button" disabled={recipe.value.fill.strokes.length === 0} onClick={fenceSelected}>
            {TEXT.fence}
          </button>
          {within && (
            <button type="button" onClick={() => change({ within: undefined }, "fence")}>
              {TEXT.unfence}
            </button>
          )}
        </div>
      )}
    </aside>
  );
}

function Failure() {
  const { value } = failure;
  if (!value) return null;
  const { text, action } = value;
  return (
    <div class="failure" role="alert">
      <p>{text}</p>
      {action && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          failure.value = undefined;
        }}
      >
        {TEXT.close}
      </button>
    </div>
  );
}

function Lab() {
  return (
    <div class="lab">
      <Bar />
      <main>
        <Picture />
        <Samples />
        <Failure />
      </main>
      <Panel />
      <Devices />
    </div>
  );
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) openFile(file);
});
addEventListener("paste", (event) => {
  const file = event.clipboardData?.files[0];
  if (file) openFile(file);
});

const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

/** Keys that work wherever the focus is, but for fields of text. */
addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const commands = event.ctrlKey || event.metaKey;
  const typing = event.target instanceof HTMLInputElement && ["number", "text"].includes(event.target.type);
  if (commands && (key === "z" || key === "y")) {
    event.preventDefault();
    step(key === "z" && !event.shiftKey);
    return;
  }
  if (commands || event.altKey || typing || document.querySelector("dialog[open]")) return;
  const keys: Record<string, () => void> = {
    f: fenceSelected,
    p: paintSelected,
    o: () => press("[data-open]"),
    s: () => press(`[data-dialog="${TEXT.save}"]`),
    "?": () => press(`[data-dialog="${TEXT.help}"]`),
  };
  const work = keys[key];
  if (!work) return;
  event.preventDefault();
  work();
});

isolate().then((goesOn) => {
  if (goesOn) render(<Lab />, document.getElementById("lab") as HTMLElement);
});
