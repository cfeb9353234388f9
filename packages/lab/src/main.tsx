// The page: the picture, its numbers, its settings, its objects.

import { render } from "preact";
import { Code } from "./panels/Code.js";
import { Controls } from "./panels/Controls.js";
import { Histogram } from "./panels/Histogram.js";
import { Table } from "./panels/Table.js";
import { canRedo, canUndo } from "./state/history.js";
import { device, failure, found, openFile, openSample, reading, recipe, step } from "./state/lab.js";
import { SAMPLES } from "./state/recipe.js";
import "./style.css";
import { TEXT } from "./text.js";
import { Picture } from "./view/Picture.js";

function Bar() {
  return (
    <header>
      <h1>{TEXT.title}</h1>
      <select
        name="sample"
        aria-label={TEXT.samples}
        value={recipe.value.source}
        onChange={(event) => openSample(event.currentTarget.value)}
      >
        {SAMPLES.map(({ source }) => (
          <option key={source} value={source}>
            {source}
          </option>
        ))}
        {SAMPLES.some(({ source }) => source === recipe.value.source) || (
          <option value={recipe.value.source}>{recipe.value.source}</option>
        )}
      </select>
      <label class="open">
        {TEXT.open}
        <input
          type="file"
          accept="image/*"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) openFile(file);
          }}
        />
      </label>
      <button type="button" disabled={!canUndo.value} onClick={() => step(true)}>
        {TEXT.undo}
      </button>
      <button type="button" disabled={!canRedo.value} onClick={() => step(false)}>
        {TEXT.redo}
      </button>
      <Code />
      <p>{TEXT.invite}</p>
    </header>
  );
}

function Numbers() {
  const { value } = found;
  return (
    <div class="numbers">
      <strong data-testid="count">{value ? value.count.toLocaleString("en") : "…"}</strong>
      <span>{TEXT.objects(value?.count ?? 0)}</span>
      <span>{value ? TEXT.covered(value.covered) : ""}</span>
      <output class="spoken" aria-live="polite">
        {value ? TEXT.spoken(value.count, recipe.value.threshold) : ""}
      </output>
    </div>
  );
}

function Status() {
  return (
    <footer>
      <span>{device.value}</span>
      <span>{found.value ? TEXT.milliseconds(found.value.milliseconds) : ""}</span>
      <span class="reading">{reading.value}</span>
      <span>{TEXT.stays}</span>
    </footer>
  );
}

function Lab() {
  return (
    <div class="lab">
      <Bar />
      <main>
        <Picture />
        {failure.value && (
          <p class="failure" role="alert">
            {failure.value}
          </p>
        )}
      </main>
      <aside>
        <Numbers />
        <Histogram />
        <Controls />
        <Table />
      </aside>
      <Status />
    </div>
  );
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) openFile(file);
});
addEventListener("keydown", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  step(key === "z" && !event.shiftKey);
});
addEventListener("paste", (event) => {
  const file = event.clipboardData?.files[0];
  if (file) openFile(file);
});
render(<Lab />, document.getElementById("lab") as HTMLElement);
