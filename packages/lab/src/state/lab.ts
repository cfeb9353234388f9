// The state of the page: signals that panels read, and what makes them follow the recipe.

import { signal } from "@preact/signals";
import { type Engine, type Image, labelAt, open } from "skerry";
import { Latest } from "../engine/latest.js";
import { type Opened, openImage } from "../files/open.js";
import { TEXT } from "../text.js";
import { findObjects, type Measured, measureObjects, type Objects } from "../tools/objects.js";
import { type Camera, fitted, windowOf } from "../view/camera.js";
import type { Renderer } from "../view/gl.js";
import { forget, keep, redone, undone } from "./history.js";
import { type Recipe, SAMPLES } from "./recipe.js";
import { recipeOf, remember } from "./url.js";

/** What a histogram of 256 levels tells. */
interface Levels {
  readonly counts: Float64Array;
  readonly otsu: number;
}

export const recipe = signal<Recipe>(SAMPLES[0] as Recipe);
export const picture = signal<Opened | undefined>(undefined);
export const levels = signal<Levels | undefined>(undefined);
export const found = signal<{ count: number; covered: number; milliseconds: number } | undefined>(undefined);
export const measured = signal<Measured | undefined>(undefined);
export const hovered = signal(0);
export const reading = signal("");
export const failure = signal("");
export const device = signal("");
/** The divider, as a part of the view's width. */
export const divider = signal(0.5);

const latest = new Latest((error) => {
  failure.value = (error as Error).message;
});
let engine: Engine;
let renderer: Renderer;
let canvas: HTMLCanvasElement;
let plane: Image | undefined;
/** Counts pictures as they are opened: one that was decoded late must not replace a newer one. */
let opening = 0;
let objects: Objects | undefined;
/** The threshold whose labels the view shows. */
let shown: string | undefined;
export let camera: Camera = { x: 0, y: 0, scale: 1 };

/** Starts the engine, and opens what the address names, or the galaxies. */
export async function start(on: HTMLCanvasElement, drawing: Renderer): Promise<void> {
  canvas = on;
  renderer = drawing;
  try {
    const wanted = new URLSearchParams(location.search).get("device");
    engine = await open(wanted === "gpu" || wanted === "cpu" ? { device: wanted } : {});
  } catch (error) {
    failure.value = TEXT.failures.engine((error as Error).message);
    return;
  }
  const named = recipeOf(location.hash);
  const sample = SAMPLES.find(({ source }) => source === (named?.source ?? "galaxies")) ?? SAMPLES[0];
  if (sample) await openSample(sample.source, named);
}

/** Opens a sample with the settings that suit it, or with others. */
export async function openSample(source: string, settings?: Recipe): Promise<void> {
  const sample = SAMPLES.find((each) => each.source === source);
  if (!sample) return;
  const response = await fetch(`./samples/${sample.file}`);
  const { file: _, otsu, ...own } = sample;
  await show(await response.blob(), source, settings ?? own, !settings && otsu === true);
}

/** Opens a file of the reader's. */
export async function openFile(file: File): Promise<void> {
  await show(file, file.name, { ...recipe.value, source: file.name, polarity: "bright" }, true);
}

async function show(blob: Blob, name: string, settings: Recipe, automatic: boolean): Promise<void> {
  failure.value = "";
  const own = ++opening;
  let opened: Opened;
  try {
    opened = await openImage(blob, name);
  } catch {
    if (own === opening) failure.value = TEXT.failures.decode(name);
    return;
  }
  if (own !== opening) return;
  if (Math.max(opened.width, opened.height) > renderer.mostPixels) {
    failure.value = TEXT.failures.large(opened.width, opened.height);
    return;
  }
  renderer.showImage(opened);
  objects?.components.dispose();
  objects = undefined;
  measured.value = undefined;
  found.value = undefined;
  hovered.value = 0;
  reading.value = "";
  plane?.dispose();
  plane = undefined;
  const luma = await engine.channel(opened, "luma");
  const { counts, otsu } = await engine.histogram(luma);
  if (own !== opening) {
    luma.dispose();
    return;
  }
  plane = luma;
  picture.value = opened;
  levels.value = { counts, otsu };
  camera = fitted(canvas, opened);
  forget();
  apply(automatic ? { ...settings, threshold: otsu } : settings);
}

/** Another recipe: the view shows it at once, the objects follow. */
export function change(next: Partial<Recipe>): void {
  keep(recipe.value);
  apply({ ...recipe.value, ...next });
}

/** The recipe before the last change, or after the last undo. */
export function step(back: boolean): void {
  const next = back ? undone(recipe.value) : redone(recipe.value);
  if (next) apply(next);
}

function apply(next: Recipe): void {
  recipe.value = next;
  remember(recipe.value);
  draw();
  latest.ask(follow);
}

async function follow(signal: AbortSignal): Promise<void> {
  if (!plane) return;
  const wanted = recipe.value;
  const next = await findObjects(engine, plane, wanted, signal);
  objects?.components.dispose();
  objects = next;
  const { components, milliseconds } = next;
  await showWindow(signal);
  shown = keyOf(wanted);
  draw();
  const covered = components.foreground / (components.width * components.height);
  found.value = { count: components.count, covered, milliseconds };
  const { threads, gpu } = engine.describe();
  device.value = TEXT.on(components.device === "gpu" && gpu ? "gpu" : "cpu", threads);
  measured.value = await measureObjects(next, signal);
}

async function showWindow(signal?: AbortSignal): Promise<void> {
  if (!objects) return;
  const window = windowOf(camera, canvas);
  const { data } = await objects.components.labels({ window, ...(signal ? { signal } : {}) });
  renderer.showLabels({ ...window, data });
}

function keyOf({ polarity, threshold, connectivity, minArea, fillHoles, clearBorder }: Recipe): string {
  return [polarity, threshold, connectivity, minArea, fillHoles, clearBorder].join();
}

/** Looks from another place: what is shown moves along, and its window follows. */
export function look(next: Camera): void {
  camera = next;
  draw();
  latest.ask(async (signal) => {
    if (shown !== keyOf(recipe.value)) return follow(signal);
    await showWindow(signal);
    draw();
  });
}

/** What lies under the pointer. */
export function point(px: number, py: number): void {
  const { value: image } = picture;
  if (!image) return;
  const [x, y] = [Math.floor(camera.x + px / camera.scale), Math.floor(camera.y + py / camera.scale)];
  const inside = x >= 0 && y >= 0 && x < image.width && y < image.height;
  const label = measured.value && inside ? labelAt(measured.value.runs, x, y) : 0;
  const at = (y * image.width + x) * image.channels;
  const { data, channels } = image;
  const values = inside ? Array.from(data.subarray(at, at + Math.min(3, channels))) : [];
  const value =
    values.length > 1 ? (77 * (values[0] ?? 0) + 150 * (values[1] ?? 0) + 29 * (values[2] ?? 0) + 128) >> 8 : values[0];
  reading.value = inside ? TEXT.pixel(x, y, value, label) : "";
  if (label === hovered.value) return;
  hovered.value = label;
  draw();
}

/** Brings an object to the middle of the view. */
export function zoomTo(label: number): void {
  const bounds = measured.value?.regions.bounds;
  if (!bounds) return;
  const [x0, y0, x1, y1] = bounds.subarray(4 * (label - 1), 4 * label) as unknown as [number, number, number, number];
  const scale = Math.min(16, 0.4 * Math.min(canvas.width / (x1 - x0), canvas.height / (y1 - y0)));
  hovered.value = label;
  look({ x: (x0 + x1) / 2 - canvas.width / scale / 2, y: (y0 + y1) / 2 - canvas.height / scale / 2, scale });
}

/** The whole picture. */
export function fit(): void {
  if (picture.value) look(fitted(canvas, picture.value));
}

let frame = 0;

/** Draws with the next frame. */
export function draw(): void {
  if (frame) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    const { threshold, polarity } = recipe.value;
    const settled = shown === keyOf(recipe.value);
    const scene = {
      camera,
      divider: divider.value,
      threshold,
      dark: polarity === "dark",
      settled,
      hovered: hovered.value,
    };
    renderer.draw(scene);
  });
}
