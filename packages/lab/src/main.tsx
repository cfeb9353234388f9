// The page: the picture, its numbers, the settings of a tool, its results; and what is dropped, pasted and typed anywhere on it.

import { signal } from "@preact/signals";
import { render } from "preact";
import { Bar, restoreTheme } from "./panels/Bar.js";
import { Devices } from "./panels/Devices.js";
import { listenToKeys } from "./panels/keyboard.js";
import { Sheet } from "./panels/Sheet.js";
import { Strip } from "./panels/Strip.js";
import { isolate } from "./session/isolate.js";
import { openFiles } from "./session/open.js";
import { done, failure, found, recipe, stale, tour } from "./state/lab.js";
import { Later } from "./widgets/Later.js";
import "./style.css";
import "./widgets/style.css";
import "./tools/style.css";
import "./panels/style.css";
import "./view/style.css";
import "./narrow.css";
import { toolOf } from "./tools/index.js";
import { Picture } from "./view/Picture.js";
import { TEXT } from "./words/text.js";

function Numbers() {
  const { value } = found;
  const { within } = recipe.value;
  const tool = toolOf(recipe.value);
  const number = value && TEXT.headline(value.headline);
  return (
    <div class={stale.value ? "numbers stale" : "numbers"}>
      <strong data-testid="count">{number ?? "…"}</strong>
      <span>{value?.headline.unit}</span>
      <span>{value ? (value.detail ?? (within ? TEXT.coveredOfFence : TEXT.covered)(value.covered)) : ""}</span>
      {within && <span class="fenced">{TEXT.fenced}</span>}
      <output class="spoken" aria-live="polite">
        {value && number ? TEXT.spoken(number, value.headline.unit) + (tool.spoken?.(recipe.value, value) ?? "") : ""}
      </output>
    </div>
  );
}

function Panel() {
  const { Controls, panels } = toolOf(recipe.value);
  return (
    <Sheet>
      <Numbers />
      <Controls />
      {found.value && <Later key={recipe.value.tool} load={panels} />}
    </Sheet>
  );
}

function Failure() {
  const { value } = failure;
  if (!value) return null;
  const { text, action, field } = value;
  return (
    <div class="failure" role="alert" data-field={field}>
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

/** How long the message of the last save or copy is shown. */
const DONE_MILLISECONDS = 6000;
let goes: ReturnType<typeof setTimeout> | undefined;
done.subscribe((text) => {
  clearTimeout(goes);
  if (text)
    goes = setTimeout(() => {
      done.value = "";
    }, DONE_MILLISECONDS);
});

const theTour = async () => (await import("./panels/Tour.js")).Tour;

function Lab() {
  return (
    <div class="lab">
      <Bar />
      <main>
        <Picture />
        <Strip />
        {tour.value !== undefined && <Later load={theTour} />}
        {isDragged.value && <p class="drop">{TEXT.drop}</p>}
        <Failure />
        <output class="done" aria-live="polite">
          {done.value}
        </output>
      </main>
      <Panel />
      <Devices />
    </div>
  );
}

/** Whether files are dragged over the page. */
const isDragged = signal(false);
addEventListener("dragover", (event) => {
  event.preventDefault();
  isDragged.value = event.dataTransfer?.types.includes("Files") === true;
});
addEventListener("dragleave", (event) => {
  // Without a related target, the pointer has left the window.
  if (!event.relatedTarget) isDragged.value = false;
});
addEventListener("drop", (event) => {
  event.preventDefault();
  isDragged.value = false;
  const { items, files } = event.dataTransfer ?? {};
  // The list of items is empty after the event.
  const entries = [...(items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  openFiles([...(files ?? [])], entries);
});
addEventListener("paste", (event) => openFiles([...(event.clipboardData?.files ?? [])]));

listenToKeys();
restoreTheme();
isolate().then((goesOn) => {
  if (!goesOn) return;
  const lab = document.getElementById("lab") as HTMLElement;
  // The picture that was seen until now would stay below the page.
  lab.replaceChildren();
  render(<Lab />, lab);
});
