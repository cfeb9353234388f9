// Many files: one recipe for all, with progress, a table of all objects, and the command that gives the same.

import { useSignal } from "@preact/signals";
import { type Recipe as SavedRecipe, toCommand } from "@skerry/recipe";
import { quotedForShell } from "@skerry/recipe/internal";
import { useRef } from "preact/hooks";
import { type BatchResult, type Broken, measureAll } from "../session/batch.js";
import { hasFigure } from "../session/code.js";
import { exceptions, settingsFor, shareSettings } from "../session/open.js";
import type { Recipe } from "../settings/recipe.js";
import { hand } from "../state/download.js";
import { done, failure, others, recipe } from "../state/lab.js";
import { inOrder, mark } from "../state/strip.js";
import { savedOf, toolOf } from "../tools/index.js";
import { Tick } from "../widgets/fields.js";
import { TEXT } from "../words/text.js";

const { files: WORDS } = TEXT;

/** The command for a folder of the files. */
function commandOf(settings: Recipe, made: SavedRecipe | undefined): string {
  const outputs = ["--regions", "objects.csv", "-o", "labels/{name}.tif", "--overlay", "overlays/{name}.png"];
  if (made?.files) return `npx @skerry/cli run recipe.json FOLDER ${outputs.map(quotedForShell).join(" ")}`;
  const saved = savedOf(settings);
  if (!saved) return "";
  const figures = hasFigure(saved) ? ["--figure", "figures/{name}.png"] : [];
  return toCommand(saved, "FOLDER", [...outputs, ...figures]).text;
}

export function Files() {
  const files = inOrder(others.value).filter(({ file }) => file) as { name: string; file: File }[];
  const progress = useSignal<number | undefined>(undefined);
  const broken = useSignal<readonly Broken[]>([]);
  const hasPictures = useSignal(true);
  const settings = useSignal<SavedRecipe | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const { hasObjects } = toolOf(recipe.value);
  const run = async (): Promise<void> => {
    const controller = new AbortController();
    // Changes while it runs are not of this table.
    const now = recipe.value;
    running.current = controller;
    progress.value = 0;
    broken.value = [];
    try {
      const made: BatchResult = await measureAll(files, {
        settingsOf: (file, opened) => settingsFor(file, opened, now),
        hasPictures: hasPictures.value,
        signal: controller.signal,
        counted: (name, count) => mark(name, { count, failure: undefined }),
        told: (count, failed) => {
          progress.value = count;
          broken.value = [...failed];
          for (const { name, why } of failed) mark(name, { failure: why });
        },
      });
      hand(made.table, "objects.csv");
      if (made.zip) hand(made.zip, "labels-and-overlays.zip");
      broken.value = made.broken;
      settings.value = made.recipe;
      done.value = WORDS.done(made.objects, files.length - made.broken.length);
    } catch (error) {
      if (!controller.signal.aborted) failure.value = { text: TEXT.failures.call((error as Error).message) };
    } finally {
      progress.value = undefined;
    }
  };
  return (
    <div class="files">
      <p>{WORDS.about(files.length)}</p>
      <ul>
        {files.map(({ name }) => {
          const why = broken.value.find((each) => each.name === name)?.why;
          return (
            <li key={name}>
              {name}
              {exceptions.value.has(name) && <em> {WORDS.own}</em>}
              {why && <span class="wrong"> {why}</span>}
            </li>
          );
        })}
      </ul>
      {exceptions.value.size > 0 && (
        <button type="button" onClick={() => void shareSettings()}>
          {WORDS.share(files.length)}
        </button>
      )}
      <Tick
        {...{ name: "hasPictures", label: WORDS.pictures, value: hasPictures.value }}
        change={(value) => {
          hasPictures.value = value;
        }}
      />
      <div class="row">
        <button type="button" disabled={!hasObjects || progress.value !== undefined} onClick={() => void run()}>
          {WORDS.run(files.length)}
        </button>
        {progress.value !== undefined && (
          <>
            <progress value={progress.value} max={files.length} aria-label={WORDS.progress} />
            <span data-testid="batch">{`${progress.value} / ${files.length}`}</span>
            <button type="button" onClick={() => running.current?.abort()}>
              {TEXT.cancel}
            </button>
          </>
        )}
      </div>
      {settings.value && (
        <button
          type="button"
          onClick={() => hand(new Blob([`${JSON.stringify(settings.value, undefined, 2)}\n`]), "recipe.json")}
        >
          {WORDS.settings}
        </button>
      )}
      {!hasObjects && <p class="hint">{WORDS.objects}</p>}
      <h3>{TEXT.commandLine}</h3>
      <pre data-testid="batch command">{commandOf(recipe.value, settings.value)}</pre>
    </div>
  );
}
