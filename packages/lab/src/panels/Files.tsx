// All files, as a panel over the picture: the run with its progress, and one table of the objects of all files, whose rows lead back to them.

import { useSignal } from "@preact/signals";
import { type Recipe as SavedRecipe, toCommand } from "@skerry/recipe";
import { quotedForShell } from "@skerry/recipe/internal";
import {
  broken,
  endRun,
  filesOf,
  isPaused,
  measureFiles,
  pauseOrGoOn,
  results,
  run,
  showRow,
  table,
} from "../session/all-files.js";
import type { BatchResult, Rows } from "../session/batch.js";
import { hasFigure } from "../session/code.js";
import { exceptions } from "../session/open.js";
import type { Recipe } from "../settings/recipe.js";
import { base } from "../state/base.js";
import { hand } from "../state/download.js";
import { recipe } from "../state/lab.js";
import { marks } from "../state/strip.js";
import { savedOf, toolOf } from "../tools/index.js";
import { Tick } from "../widgets/fields.js";
import { FILES } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";

/** Height of a row of the table, and rows that are made beyond those in view. */
const [ROW, SPARE] = [24, 8];
/** Browsers limit the height of elements to about 2^24 pixels. */
const MOST_ROWS = 600_000;

/** The command for a folder of the files. */
function commandOf(shown: Recipe, saved: SavedRecipe | undefined): string {
  const outputs = ["--regions", "objects.csv", "-o", "labels/{name}.tif", "--overlay", "overlays/{name}.png"];
  if (saved?.files) return `cd FOLDER && npx @skerry/cli run recipe.json . ${outputs.map(quotedForShell).join(" ")}`;
  const savedNow = savedOf(shown);
  if (!savedNow) return "";
  const figures = hasFigure(savedNow) ? ["--figure", "figures/{name}.png"] : [];
  // Names of files are those of the page where they are the inputs' own.
  return `cd FOLDER && ${toCommand(savedNow, ".", [...outputs, ...figures]).text}`;
}

/** The objects of all files: only the rows in view are made. */
function Objects() {
  const top = useSignal(0);
  const height = useSignal(300);
  const starts: number[] = [];
  let all = 0;
  for (const { areas } of table.value) {
    starts.push(all);
    all += areas.length;
  }
  const count = Math.min(MOST_ROWS, all);
  const first = Math.max(0, Math.floor(top.value / ROW) - SPARE);
  const last = Math.min(count, Math.ceil((top.value + height.value) / ROW) + SPARE);
  const rows: { readonly of: Rows; readonly i: number; readonly at: number }[] = [];
  for (let at = first, file = starts.findLastIndex((start) => start <= first); at < last; at++) {
    while (at - starts[file] >= table.value[file].areas.length) file++;
    rows.push({ of: table.value[file], i: at - starts[file], at });
  }
  const { areaUnit, placeUnit } = table.value[0];
  return (
    <div
      class="objects"
      role="grid"
      aria-label={FILES.table}
      aria-rowcount={all + 1}
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
        height.value = currentTarget.clientHeight;
      }}
    >
      <div class="head" role="row" aria-rowindex={1}>
        {[FILES.file, "#", FILES.area(areaUnit), `x (${placeUnit})`, `y (${placeUnit})`].map((text) => (
          <span role="columnheader" key={text}>
            {text}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: `${count * ROW}px` }}>
        {rows.map(({ of, i, at }) => (
          <div
            class="line"
            role="row"
            tabIndex={0}
            key={at}
            aria-rowindex={at + 2}
            aria-label={FILES.show(of.name, i + 1)}
            style={{ transform: `translateY(${at * ROW}px)` }}
            onClick={() => void showRow(of, i)}
            onKeyDown={({ key }) => {
              if (key === "Enter") void showRow(of, i);
            }}
          >
            {[of.name, i + 1, TEXT.length(of.areas[i]), TEXT.length(of.xs[i]), TEXT.length(of.ys[i])].map((text, k) => (
              <span role="gridcell" key={k}>
                {text}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The files of a run, each with a button that saves it. */
function Saves({ table, zip, recipe }: BatchResult) {
  const saves: readonly (readonly [label: string, name: string, file: Blob | undefined])[] = [
    [FILES.saves.table, "objects.csv", table],
    [FILES.saves.pictures, "labels-and-overlays.zip", zip],
    [FILES.saves.settings, "recipe.json", recipe && new Blob([`${JSON.stringify(recipe, undefined, 2)}\n`])],
  ];
  return (
    <div class="row">
      {saves.map(
        ([label, name, file]) =>
          file && (
            <button type="button" key={name} onClick={() => hand(file, name)}>
              {label}
            </button>
          ),
      )}
    </div>
  );
}

export function Files() {
  const files = filesOf();
  const hasPictures = useSignal(true);
  const { hasObjects } = toolOf(recipe.value);
  const progress = run.value;
  const tried = new Set([...table.value, ...broken.value].map(({ name }) => name));
  const isStale =
    table.value.some(({ name, areas }) => marks.value.get(name)?.count !== areas.length) ||
    (table.value.length > 0 && !progress && files.some(({ name }) => !tried.has(name)));
  return (
    <div class="files">
      <p>{FILES.about(files.length, base.value.source)}</p>
      <ul>
        {files.map(({ name }) => {
          const { count, failure } = marks.value.get(name) ?? {};
          const why = broken.value.find((each) => each.name === name)?.why ?? failure;
          return (
            <li key={name}>
              <span>{name}</span>
              {exceptions.value.has(name) && <em> {TEXT.files.ownSettings}</em>}
              {why ? <span class="wrong"> {why}</span> : count !== undefined && <span>{TEXT.counted(count)}</span>}
            </li>
          );
        })}
      </ul>
      <Tick
        {...{ name: "hasPictures", label: FILES.pictures, value: hasPictures.value }}
        change={(value) => {
          hasPictures.value = value;
        }}
      />
      <div class="row">
        {progress ? (
          <>
            <progress value={progress.done} max={progress.of} aria-label={FILES.progress} />
            <span data-testid="batch">{`${progress.done} / ${progress.of}`}</span>
            <button type="button" aria-pressed={isPaused.value} onClick={pauseOrGoOn}>
              {isPaused.value ? FILES.goOn : FILES.pause}
            </button>
            <button type="button" onClick={endRun}>
              {TEXT.cancel}
            </button>
          </>
        ) : (
          <button type="button" disabled={!hasObjects} onClick={() => void measureFiles(hasPictures.value)}>
            {FILES.run(files.length)}
          </button>
        )}
      </div>
      {results.value && <Saves {...results.value} />}
      {results.value && results.value.left.length > 0 && <p class="hint">{FILES.left(results.value.left)}</p>}
      {!hasObjects && <p class="hint">{FILES.objects}</p>}
      {isStale && <p class="hint">{FILES.stale}</p>}
      {table.value.length > 0 && <Objects />}
      <details
        onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: "nearest" })}
      >
        <summary>{TEXT.commandLine}</summary>
        <pre data-testid="batch command">{commandOf(recipe.value, results.value?.recipe)}</pre>
      </details>
    </div>
  );
}
