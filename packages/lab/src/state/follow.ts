// Computes the result of the recipe: calls the engine, and updates the view and the panels. One call is in flight at a
// time.

import { DeviceLost, type Engine, type Mask, OutOfMemory } from "skerry";
import { type DeviceChoice, Resident } from "../engine/devices.js";
import { type Asked, Latest } from "../engine/latest.js";
import type { Opened } from "../files/open.js";
import { TEXT } from "../text.js";
import { areasOf, type Filled, fillStrokes, forgetFills, rgbOf } from "../tools/fill.js";
import {
  countLevels,
  countThresholds,
  findObjects,
  levelsKey,
  measureObjects,
  type Objects,
} from "../tools/objects.js";
import type { Given } from "../tools/tool.js";
import {
  choice,
  comparison,
  curve,
  device,
  failure,
  fillAreas,
  followWith,
  found,
  fresh,
  hovered,
  levels,
  measured,
  picture,
  progress,
  reading,
  recipe,
  selection,
  stages,
  thresholds,
  wantedProperties,
} from "./lab.js";
import type { Recipe, Spot, Stroke } from "./recipe.js";
import { fenceOf, forgetFences, openEngine, session } from "./session.js";

/** The view that shows the result. */
export interface Shower {
  /** Another picture: it is fitted. */
  picture(opened: Opened): void;
  /** Objects, by their labels. */
  objects(objects: Objects, key: string, signal?: AbortSignal): Promise<void>;
  /** Selected pixels, and those painted with each colour. */
  fills(shown: ShownFills): void;
  /** The settings changed: until the result comes the picture is tinted. */
  tint(): void;
}

export interface ShownFills {
  readonly selected: Mask | undefined;
  readonly preview: Mask | undefined;
  readonly coats: readonly { readonly mask: Mask; readonly colour: readonly [number, number, number] }[];
}

let shower: Shower;
let objects: Objects | undefined;
let filled: Filled | undefined;
let coats: ShownFills["coats"] = [];
let preview: Mask | undefined;
/** Maximum time for counting the curve of thresholds. */
const MOST_IDLE_MILLISECONDS = 20_000;

const latest = new Latest({
  failed: (error) => failed(error),
  progressed: (fraction) => {
    progress.value = fraction;
  },
});

/** Sets the view. From now on every change of the recipe is computed and shown. */
export function showWith(shown: Shower): void {
  shower = shown;
  followWith(() => {
    tellSettled();
    latest.ask(follow);
  }, shown.tint);
}

export const showPicture = (opened: Opened): void => shower.picture(opened);

/** The parts of a recipe that the objects depend on. */
export const keyOf = ({ objects, within }: Recipe): string => JSON.stringify([objects, within]);

/** The recipe of the result, or of the call that failed or was cancelled. */
let followed: Recipe | undefined;
/** Whether the view moved while a result was on its way. */
let movedMeanwhile = false;

export function cancel(): void {
  latest.cancel();
  followed = recipe.value;
  progress.value = undefined;
  failure.value = { text: TEXT.cancelled };
}

/** The same picture on another device. */
export async function chooseDevice(next: DeviceChoice): Promise<void> {
  choice.value = next;
  await restart();
}

async function restart(): Promise<void> {
  const opened = picture.value;
  dropResults();
  if (!(await openEngine()) || !opened) return;
  session.resident = new Resident(session.engine as Engine, opened);
  latest.ask(follow);
}

export async function failed(error: unknown): Promise<void> {
  followed = recipe.value;
  if (error instanceof DeviceLost) {
    await restart();
    failure.value = { text: TEXT.failures.lost };
  } else if (error instanceof OutOfMemory || error instanceof RangeError) {
    failure.value = { text: TEXT.failures.memory };
  } else failure.value = { text: TEXT.failures.call((error as Error).message) };
}

/** Disposes the results of the picture, and the picture on the engine. */
export function dropResults(): void {
  latest.cancel();
  objects?.components.dispose();
  objects = undefined;
  filled = undefined;
  coats = [];
  preview = undefined;
  forgetFills();
  forgetFences();
  measured.value = undefined;
  fresh.value = false;
  found.value = undefined;
  curve.value = undefined;
  fillAreas.value = undefined;
  comparison.value = undefined;
  selection.value = new Set();
  hovered.value = 0;
  reading.value = "";
  session.resident?.dispose();
  session.resident = undefined;
}

async function follow(asked: Asked): Promise<void> {
  const { resident } = session;
  if (!resident) return;
  const wanted = recipe.value;
  const within = await fenceOf({ resident, ...asked }, wanted.within);
  const given: Given = { resident, within, ...asked };
  if (wanted.tool === "objects") await followObjects(given, wanted);
  else await followFill(given, wanted);
  followed = wanted;
  tellDevice();
  tellSettled();
  if (movedMeanwhile) showAgain();
  if (wantedPreview) previewFill(wantedPreview);
}

/** Sets an attribute of the document: whether the result belongs to the settings, for programs that drive the page. */
export function tellSettled(): void {
  const measuring = recipe.value.tool === "objects" && !fresh.value;
  document.documentElement.dataset.settled = String(followed === recipe.value && !measuring && session.opening === 0);
}

function tellDevice(): void {
  if (!session.engine) return;
  const { threads, gpu, device: own } = session.engine.describe();
  const ran = objects?.components.device ?? own;
  device.value = TEXT.on(ran === "gpu" && gpu ? "gpu" : "cpu", threads);
}

async function followObjects(given: Given, wanted: Recipe): Promise<void> {
  const next = await findObjects(given, wanted.objects);
  if (given.signal?.aborted) {
    next.components.dispose();
    return;
  }
  if (levels.value && levels.value.key !== levelsKey(wanted.objects)) {
    levels.value = await countLevels(given, wanted.objects);
  }
  objects?.components.dispose();
  objects = next;
  const { components } = next;
  fresh.value = false;
  hovered.value = 0;
  await shower.objects(next, keyOf(wanted), given.signal);
  found.value = {
    count: components.count,
    covered: components.foreground / (components.width * components.height),
  };
  stages.value = next.stages;
  followed = wanted;
  // While a slider is dragged the next settings come first; the table follows when it rests.
  await rested(given.signal);
  await measure(given);
  const { rule } = wanted.objects;
  if ((rule === "bright" || rule === "dark") && wanted.objects.local === 0 && levels.value) countLater(wanted);
}

const REST_MILLISECONDS = 80;

function rested(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, REST_MILLISECONDS);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function measure(asked: Omit<Given, "resident">): Promise<void> {
  const { resident } = session;
  if (!objects || !resident) return;
  measured.value = await measureObjects(objects, wantedProperties.value, { resident, ...asked });
  fresh.value = true;
}

/** Measures once more, for a property that the page did not show before. */
export function measureAnew(): void {
  const { regions } = measured.value ?? {};
  if (!regions || [...wantedProperties.value].every((name) => regions[name])) return;
  latest.ask(async (asked) => {
    if (followed !== recipe.value) return follow(asked);
    await measure(asked);
    tellSettled();
  });
}

/** The settings for which the curve of thresholds was counted. */
let counted = "";

function countLater(wanted: Recipe): void {
  const { value } = levels;
  if (!value) return;
  const key = JSON.stringify([wanted.within, { ...wanted.objects, threshold: 0, dropped: [], keep: {} }]);
  if (key === counted && curve.value) return;
  latest.whenIdle(async ({ signal }) => {
    const { resident } = session;
    if (!resident) return;
    const within = await fenceOf({ resident, signal }, wanted.within);
    const given: Given = { resident, within, signal };
    await countThresholds(
      given,
      wanted.objects,
      thresholds(value),
      (counts) => {
        counted = key;
        curve.value = counts;
      },
      MOST_IDLE_MILLISECONDS,
    );
  });
}

async function followFill(given: Given, { fill }: Recipe): Promise<void> {
  const made: { mask: Mask; colour: [number, number, number] }[] = [];
  for (const coat of fill.coats) {
    made.push({ mask: (await fillStrokes(given, coat, coat.strokes)).mask, colour: rgbOf(coat.colour) });
  }
  coats = made;
  filled = fill.strokes.length > 0 ? await fillStrokes(given, fill, fill.strokes) : undefined;
  preview = undefined;
  showFills();
  const { width, height } = given.resident.opened;
  found.value = { count: filled?.area ?? 0, covered: (filled?.area ?? 0) / (width * height) };
  stages.value = filled?.stages ?? [];
  const last = fill.strokes.at(-1);
  if (last && fill.range === "fixed" && fill.metric === "linf" && fill.average === 1 && fill.contiguous) {
    areasLater(last);
  } else fillAreas.value = undefined;
}

function showFills(): void {
  shower.fills({ selected: filled?.mask, preview, coats });
}

let areasFor = "";

function areasLater({ x, y }: Stroke): void {
  const { fill } = recipe.value;
  const key = `${x} ${y} ${fill.connectivity} ${recipe.value.source}`;
  if (key === areasFor && fillAreas.value) return;
  latest.whenIdle(async ({ signal }) => {
    const { resident } = session;
    if (!resident) return;
    fillAreas.value = await areasOf({ resident, signal }, fill, x, y);
    areasFor = key;
  });
}

let wantedPreview: Spot | undefined;

/** Previews a click at `spot`; undefined when the pointer leaves. */
export function previewFill(spot: Spot | undefined): void {
  wantedPreview = spot;
  if (!spot) {
    if (!preview) return;
    preview = undefined;
    showFills();
    return;
  }
  // The result comes first. The preview of the pointer's place then follows.
  if (followed !== recipe.value) return;
  latest.ask(async (asked) => {
    const { resident } = session;
    if (!resident) return;
    const { fill, within } = recipe.value;
    const given: Given = { resident, within: await fenceOf({ resident, ...asked }, within), ...asked };
    const stroke: Stroke = { mode: "new", x: spot[0], y: spot[1], tolerance: fill.tolerance };
    preview = (await fillStrokes(given, fill, [stroke])).mask;
    showFills();
  });
}

/** The camera moved: the window of labels is read again. */
export function showAgain(): void {
  if (recipe.value.tool !== "objects") {
    showFills();
    return;
  }
  movedMeanwhile = followed !== recipe.value;
  if (movedMeanwhile) return;
  latest.ask(async (asked) => {
    if (objects) await shower.objects(objects, "", asked.signal);
    // This call may have aborted the measuring.
    if (!fresh.value) await measure(asked);
    tellSettled();
  });
}
