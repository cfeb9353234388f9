// What follows from the recipe: the engine is called, and the view and the panels are told. One call is in flight at a time.

import { DeviceLost, type Engine, type Mask, OutOfMemory } from "skerry";
import { compareDevices, checkGpu as runCases } from "../engine/agree.js";
import { type DeviceChoice, openDevice, Resident } from "../engine/devices.js";
import { type Asked, Latest } from "../engine/latest.js";
import { type Opened, openImage, Refused } from "../files/open.js";
import { TEXT } from "../text.js";
import { areasOf, componentsOf, type Filled, fillStrokes, forgetFills, rgbOf } from "../tools/fill.js";
import {
  countThresholds,
  findObjects,
  maskOfObjects,
  measureObjects,
  type Objects,
  spotsOf,
} from "../tools/objects.js";
import type { Given } from "../tools/tool.js";
import { forget } from "./history.js";
import {
  apply,
  busyComparing,
  change,
  choice,
  comparison,
  curve,
  device,
  failure,
  fillAreas,
  followWith,
  found,
  fresh,
  hasGpu,
  hovered,
  type Levels,
  level,
  levels,
  measured,
  others,
  picture,
  progress,
  reading,
  recipe,
  selection,
  stages,
  thresholds,
  wantedProperties,
} from "./lab.js";
import { type Fence, FILL, OBJECTS, type Recipe, recipeFor, SAMPLES, type Spot, type Stroke } from "./recipe.js";
import { recipeOf } from "./url.js";

/** What the result is shown by. */
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

let engine: Engine | undefined;
let resident: Resident | undefined;
let shower: Shower;
let objects: Objects | undefined;
let filled: Filled | undefined;
let coats: ShownFills["coats"] = [];
let preview: Mask | undefined;
/** Counts pictures as they are opened: one that was decoded late must not replace a newer one. */
let opening = 0;
/** How long the curve of thresholds may be counted for. */
const MOST_IDLE_MILLISECONDS = 20_000;

const latest = new Latest({
  failed: (error) => failed(error),
  progressed: (fraction) => {
    progress.value = fraction;
  },
});

/** The parts of a recipe that the objects depend on. */
export const keyOf = ({ objects, within }: Recipe): string => JSON.stringify([objects, within]);

/** The recipe that the result is of, or that was given up. */
let followed: Recipe | undefined;
/** Whether the view moved while a result was on its way. */
let movedMeanwhile = false;

export function cancel(): void {
  latest.cancel();
  followed = recipe.value;
  progress.value = undefined;
  failure.value = { text: TEXT.cancelled };
}

/** Starts the engine, and opens what the address names, or the galaxies. */
export async function start(shown: Shower): Promise<void> {
  shower = shown;
  followWith(() => {
    tellSettled();
    latest.ask(follow);
  }, shown.tint);
  const search = new URLSearchParams(location.search);
  const wanted = search.get("device");
  if (wanted === "gpu" || wanted === "cpu") choice.value = wanted;
  hasGpu.value = await hasAdapter(wanted === "gpu");
  if (!(await openEngine())) return;
  const named = recipeOf(location.hash);
  const files = search.getAll("open");
  others.value = files;
  if (files[0]) {
    await openAddress(files[0], named);
    return;
  }
  const sample = SAMPLES.find(({ source }) => source === (named?.source ?? "galaxies"));
  if (sample) await openSample(sample.source, named);
  else {
    await openSample("galaxies");
    failure.value = { text: TEXT.failures.named(named?.source ?? "") };
    waitingFor = named;
  }
}

/** The recipe of a link whose file the reader has yet to open. */
let waitingFor: Recipe | undefined;

async function hasAdapter(software: boolean): Promise<boolean> {
  try {
    const adapter = await navigator.gpu?.requestAdapter();
    return adapter !== null && adapter !== undefined && (software || !adapter.info?.isFallbackAdapter);
  } catch {
    return false;
  }
}

async function openEngine(): Promise<boolean> {
  await engine?.close().catch(() => undefined);
  try {
    engine = await openDevice(choice.value);
    return true;
  } catch (error) {
    if (choice.value === "gpu") {
      choice.value = "cpu";
      const opened = await openEngine();
      if (opened) failure.value = { text: TEXT.failures.gpu((error as Error).message) };
      return opened;
    }
    failure.value = { text: TEXT.failures.engine((error as Error).message) };
    return false;
  }
}

/** The same picture on another device. */
export async function chooseDevice(next: DeviceChoice): Promise<void> {
  choice.value = next;
  await restart();
}

async function restart(): Promise<void> {
  latest.cancel();
  const opened = picture.value;
  dropResults();
  if (!(await openEngine()) || !opened) return;
  resident = new Resident(engine as Engine, opened);
  latest.ask(follow);
}

async function failed(error: unknown): Promise<void> {
  followed = recipe.value;
  if (error instanceof DeviceLost) {
    await restart();
    failure.value = { text: TEXT.failures.lost };
  } else if (error instanceof OutOfMemory || error instanceof RangeError) {
    failure.value = { text: TEXT.failures.memory };
  } else failure.value = { text: TEXT.failures.call((error as Error).message) };
}

/** Opens a sample with the settings that suit it, or with others. */
export async function openSample(source: string, settings?: Recipe): Promise<void> {
  const sample = SAMPLES.find((each) => each.source === source);
  if (!sample) return;
  let blob: Blob;
  try {
    const response = await fetch(`./samples/${sample.file}`);
    if (!response.ok) throw new Error(response.statusText);
    blob = await response.blob();
  } catch {
    failure.value = { text: TEXT.failures.sample(source) };
    return;
  }
  const automatic = !settings && sample.otsu === true;
  await show(blob, source, settings ?? recipeFor(sample), automatic);
}

/** Opens a file of the reader's. */
export async function openFile(file: File, shrink = 1): Promise<void> {
  const wanted = waitingFor?.source === file.name ? waitingFor : undefined;
  waitingFor = undefined;
  await show(file, file.name, wanted ?? ownRecipe(file.name, shrink), !wanted);
}

function ownRecipe(source: string, shrink: number): Recipe {
  const { tool } = recipe.value;
  return { source, shrink, tool, objects: OBJECTS, fill: FILL };
}

/** Opens a picture at an address; another host's after a click that names it. */
export async function openAddress(address: string, named?: Recipe): Promise<void> {
  const url = new URL(address, location.href);
  const get = async (): Promise<void> => {
    failure.value = undefined;
    try {
      const response = await fetch(url, { credentials: "omit" });
      if (!response.ok) throw new Error(response.statusText);
      const own = named?.source === address ? named : undefined;
      await show(await response.blob(), address, own ?? ownRecipe(address, 1), !own);
    } catch {
      failure.value = { text: TEXT.failures.fetch(url.host) };
    }
  };
  if (url.origin === location.origin) await get();
  else failure.value = { text: TEXT.remote(url.host), action: { label: TEXT.fetch, run: get } };
}

async function show(blob: Blob, name: string, settings: Recipe, automatic: boolean): Promise<void> {
  failure.value = undefined;
  const own = ++opening;
  const shown = name.split("/").at(-1) ?? name;
  let opened: Opened;
  try {
    opened = await openImage(blob, shown, settings.shrink);
  } catch (error) {
    if (own !== opening) return;
    const refusal = error instanceof Refused ? error.refusal : { why: "decode" as const };
    const large = refusal.why === "large" && !/\.npy$/i.test(shown);
    const by = large
      ? 2 ** Math.ceil(Math.log2(Math.max(1, Math.sqrt((refusal.width * refusal.height) / 2 ** 25))))
      : 1;
    const smaller = () => void show(blob, name, { ...settings, shrink: by }, automatic);
    failure.value = {
      text: TEXT.refused(shown, refusal),
      ...(large ? { action: { label: TEXT.openSmaller(by), run: smaller } } : {}),
    };
    return;
  }
  if (own !== opening || !engine) return;
  latest.cancel();
  dropResults();
  resident = new Resident(engine, opened);
  try {
    const plane = await resident.plane(settings.objects.channel);
    const bytes = opened.data instanceof Uint8Array;
    const counted = await engine.histogram(plane, bytes ? {} : { bins: 256 });
    if (own !== opening) return;
    levels.value = levelsOf(counted, !(opened.data instanceof Float32Array));
  } catch (error) {
    // A picture of NaN alone has no levels.
    levels.value = undefined;
    if (error instanceof DeviceLost) return failed(error);
  }
  const { value } = levels;
  level.value = opened.data instanceof Uint8Array || !value ? undefined : [value.min, value.max];
  picture.value = opened;
  const [note] = opened.notes;
  if (note === "pages") failure.value = { text: TEXT.notes.pages };
  else if (settings.shrink > 1) failure.value = { text: TEXT.notes.shrunk(settings.shrink) };
  shower.picture(opened);
  forget();
  const threshold = value?.otsu ?? settings.objects.threshold;
  apply(automatic ? { ...settings, objects: { ...settings.objects, threshold } } : settings);
}

function levelsOf(counted: Omit<Levels, "whole">, integers: boolean): Levels {
  const { counts, edges, otsu, min, max } = counted;
  return { counts, edges, otsu, min, max, whole: integers && (edges[1] ?? 0) - (edges[0] ?? 0) === 1 };
}

function dropResults(): void {
  objects?.components.dispose();
  objects = undefined;
  filled = undefined;
  coats = [];
  preview = undefined;
  forgetFills();
  fences.clear();
  measured.value = undefined;
  fresh.value = false;
  found.value = undefined;
  curve.value = undefined;
  fillAreas.value = undefined;
  comparison.value = undefined;
  selection.value = new Set();
  hovered.value = 0;
  reading.value = "";
  resident?.dispose();
  resident = undefined;
}

/** Masks of fences, by what made them. */
const fences = new Map<string, Mask>();

async function fenceOf(given: Given, fence: Fence | undefined): Promise<Mask | undefined> {
  if (!fence) return undefined;
  const key = JSON.stringify(fence);
  const known = fences.get(key);
  if (known) return known;
  const within = await fenceOf(given, fence.within);
  const inner = { ...given, within };
  const mask =
    fence.tool === "objects"
      ? await maskOfObjects(inner, fence.objects, fence.spots)
      : (await fillStrokes(inner, fence.fill, fence.fill.strokes)).mask;
  fences.set(key, mask);
  return mask;
}

async function follow(asked: Asked): Promise<void> {
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

/** The document says whether the result belongs to the settings, for whoever drives the page. */
function tellSettled(): void {
  const measuring = recipe.value.tool === "objects" && !fresh.value;
  document.documentElement.dataset.settled = String(followed === recipe.value && !measuring);
}

function tellDevice(): void {
  if (!engine) return;
  const { threads, gpu, device: own } = engine.describe();
  const ran = objects?.components.device ?? own;
  device.value = TEXT.on(ran === "gpu" && gpu ? "gpu" : "cpu", threads);
}

async function followObjects(given: Given, wanted: Recipe): Promise<void> {
  const next = await findObjects(given, wanted.objects);
  if (given.signal?.aborted) {
    next.components.dispose();
    return;
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
  if ((rule === "bright" || rule === "dark") && levels.value) countLater(wanted);
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

/** What the curve of thresholds was counted for. */
let counted = "";

function countLater(wanted: Recipe): void {
  const { value } = levels;
  if (!value) return;
  const key = JSON.stringify([wanted.within, { ...wanted.objects, threshold: 0, dropped: [], keep: {} }]);
  if (key === counted && curve.value) return;
  latest.whenIdle(async ({ signal }) => {
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
    if (!resident) return;
    fillAreas.value = await areasOf({ resident, signal }, fill, x, y);
    areasFor = key;
  });
}

let wantedPreview: Spot | undefined;

/** What a click would take; undefined when the pointer leaves. */
export function previewFill(spot: Spot | undefined): void {
  wantedPreview = spot;
  if (!spot) {
    if (!preview) return;
    preview = undefined;
    showFills();
    return;
  }
  // The result comes first; what the pointer is on then is shown after it.
  if (followed !== recipe.value) return;
  latest.ask(async (asked) => {
    if (!resident) return;
    const { fill, within } = recipe.value;
    const given: Given = { resident, within: await fenceOf({ resident, ...asked }, within), ...asked };
    const stroke: Stroke = { mode: "new", x: spot[0], y: spot[1], tolerance: fill.tolerance };
    preview = (await fillStrokes(given, fill, [stroke])).mask;
    showFills();
  });
}

/** Looks from another place: the window of labels follows. */
export function showAgain(): void {
  if (recipe.value.tool !== "objects") {
    showFills();
    return;
  }
  movedMeanwhile = followed !== recipe.value;
  if (movedMeanwhile) return;
  latest.ask(async (asked) => {
    if (objects) await shower.objects(objects, "", asked.signal);
    // What this call cut short may have been the measuring.
    if (!fresh.value) await measure(asked);
    tellSettled();
  });
}

/** Deletes what is selected. */
export function removeSelected(): void {
  const { runs } = measured.value ?? {};
  if (!runs || !fresh.value || selection.value.size === 0) return;
  const { objects } = recipe.value;
  const dropped = [...objects.dropped, ...spotsOf(runs, selection.value)];
  change({ objects: { ...objects, dropped } }, `drop ${dropped.length}`);
}

/** What is selected becomes the fence of every tool. */
export function fenceSelected(): void {
  const { tool, objects, fill, within } = recipe.value;
  const { runs } = measured.value ?? {};
  if (tool === "objects") {
    if (!runs || !fresh.value || selection.value.size === 0) return;
    change({ within: { tool, objects, spots: spotsOf(runs, selection.value), within } }, "fence");
  } else if (fill.strokes.length > 0) {
    const { range, metric, connectivity, average, contiguous, strokes } = fill;
    const own = { range, metric, connectivity, average, contiguous, strokes };
    change({ within: { tool, fill: own, within }, fill: { ...fill, strokes: [] } }, "fence");
  }
}

/** Paints the selection with the colour. */
export function paintSelected(): void {
  const { fill } = recipe.value;
  if (fill.strokes.length === 0) return;
  const { tolerance: _, coats: before, ...coat } = fill;
  change({ fill: { ...fill, strokes: [], coats: [...before, coat] } }, "paint");
}

/** The result as components, for what is saved of it; they are the caller's to dispose. */
export async function resultComponents() {
  if (!resident) return undefined;
  const { tool, objects: wanted, fill, within } = recipe.value;
  const fence = await fenceOf({ resident }, within);
  const given: Given = { resident, within: fence };
  if (tool === "objects") {
    const made = await findObjects(given, wanted);
    return { components: made.components, plane: made.plane };
  }
  const made = await fillStrokes(given, fill, fill.strokes);
  return { components: await componentsOf(given, made, fill.connectivity), plane: await resident.image() };
}

/** Each painted colour with its components, for the painted picture; they are the caller's to dispose. */
export async function coatComponents() {
  if (!resident) return [];
  const { fill, within } = recipe.value;
  const given: Given = { resident, within: await fenceOf({ resident }, within) };
  const made = [];
  for (const coat of fill.coats) {
    const strokes = await fillStrokes(given, coat, coat.strokes);
    made.push({ components: await componentsOf(given, strokes, coat.connectivity), colour: rgbOf(coat.colour) });
  }
  return made;
}

/** Runs what is on the screen on both devices. */
export async function compare(): Promise<void> {
  const opened = picture.value;
  const { tool, objects: wanted, fill } = recipe.value;
  if (!opened) return;
  busyComparing.value = "…";
  try {
    comparison.value = await compareDevices(opened, async (own) => {
      const given: Given = { resident: own };
      if (tool === "fill") {
        const { mask, milliseconds } = await fillStrokes(given, fill, fill.strokes);
        return { arrays: [mask.bits], milliseconds };
      }
      const { components, milliseconds } = await findObjects(given, { ...wanted, dropped: [] });
      const { data } = await components.labels();
      const { area, bounds, centroid } = await components.regions();
      components.dispose();
      return { arrays: [data, area, bounds, centroid].filter((array) => array !== undefined), milliseconds };
    });
  } catch (error) {
    failure.value = { text: TEXT.failures.compare((error as Error).message) };
  } finally {
    busyComparing.value = "";
  }
}

/** Seeded cases on both devices; resolves to a line to paste into an issue. */
export async function checkGpu(told: (done: number, count: number) => void): Promise<string> {
  const count = Number(new URLSearchParams(location.search).get("cases") ?? 200);
  try {
    return await runCases(count, (done) => told(done, count));
  } catch (error) {
    return TEXT.failures.compare((error as Error).message);
  }
}

/** The engine's memory, for the bench. */
export const memory = () => engine?.describe().memory;
