// All files: the run that measures every file of the strip, whether it pauses, and what it found, which stays while single files are looked at.

import { signal } from "@preact/signals";
import { base } from "../state/base.js";
import { workedBeside } from "../state/belongings.js";
import { done, failure, found, others, recipe, selection, sought, type Waiting } from "../state/lab.js";
import { inOrder, mark, showsFiles } from "../state/strip.js";
import { FILES } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";
import { type BatchResult, type Broken, measureAll, type Rows } from "./batch.js";
import { nextResult, openWaiting, settingsFor } from "./open.js";

/** Files of the strip that hold bytes, in its order. */
export const filesOf = () =>
  inOrder(others.value).filter((each): each is Waiting & { readonly file: File } => each.file !== undefined);

/** Files that are done, of how many; undefined while nothing runs. */
export const run = signal<{ readonly done: number; readonly of: number } | undefined>(undefined);
export const isPaused = signal(false);
export const broken = signal<readonly Broken[]>([]);
/** The measurements of each file of the last run. */
export const table = signal<readonly Rows[]>([]);
/** The files of the last run that can be saved. */
export const results = signal<BatchResult | undefined>(undefined);

let running: AbortController | undefined;
/** Lets a paused run go on. */
let goOn: () => void = () => undefined;
let pause: Promise<void> = Promise.resolve();

export function pauseOrGoOn(): void {
  isPaused.value = !isPaused.value;
  if (isPaused.value) {
    pause = new Promise((resolve) => {
      goOn = resolve;
    });
  } else goOn();
}

export function endRun(): void {
  running?.abort();
  if (isPaused.value) pauseOrGoOn();
}

/** Measures all files; labels and overlays are made if wanted. */
export async function measureFiles(hasPictures: boolean): Promise<void> {
  const files = filesOf();
  const controller = new AbortController();
  // Changes while it runs are not of this table.
  const now = recipe.value;
  const from = base.value;
  running = controller;
  run.value = { done: 0, of: files.length };
  broken.value = [];
  table.value = [];
  results.value = undefined;
  try {
    const batch = await measureAll(files, {
      settingsOf: (file, opened) => settingsFor(file, opened, now, from),
      workedBeside: (file, taken) => workedBeside(file, file.name, taken),
      takenOf: (name) => (name === now.source ? now.taken : undefined),
      hasPictures,
      signal: controller.signal,
      mayBegin: () => pause,
      counted: (rows) => {
        table.value = [...table.value, rows];
        mark(rows.name, { count: rows.areas.length, failure: undefined });
      },
      onFile: (count, failed) => {
        run.value = { done: count, of: files.length };
        broken.value = [...failed];
        for (const { name, why } of failed) mark(name, { failure: why });
      },
    });
    results.value = batch;
    done.value = FILES.done(batch.objects, files.length - batch.broken.length);
  } catch (error) {
    if (!controller.signal.aborted) failure.value = { text: TEXT.failures.call((error as Error).message) };
  } finally {
    run.value = undefined;
    isPaused.value = false;
  }
}

/** Opens a file of the table, selects an object of it, and brings it to the middle of the view. */
export async function showRow({ name, areas, bounds }: Rows, i: number): Promise<void> {
  const waiting = others.value.find((each) => each.name === name);
  if (!waiting) return;
  // On a phone the panel covers the picture.
  if (matchMedia("(max-width: 760px) and (min-height: 481px)").matches) showsFiles.value = false;
  if (recipe.value.source !== name) {
    const result = nextResult();
    await openWaiting(waiting);
    if (recipe.value.source !== name) return;
    await result;
  }
  // Labels are those of the settings of the run.
  if (found.value?.headline.value !== areas.length) {
    failure.value = { text: FILES.changed(name) };
    return;
  }
  selection.value = new Set([i + 1]);
  const [x0, y0, x1, y1] = bounds.subarray(4 * i, 4 * i + 4);
  // The panel covers the left: the object comes to lie at the right of the middle.
  sought.value = [x0 - 2 * Math.max(x1 - x0, y1 - y0), y0, x1, y1];
}
