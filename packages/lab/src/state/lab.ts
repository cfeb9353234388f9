// The state of the page: signals that panels read, and the actions that change the recipe. What follows from it is made in follow.ts.

import { computed, signal } from "@preact/signals";
import type { Timing } from "skerry";
import type { Comparison } from "../engine/agree.js";
import type { DeviceChoice } from "../engine/devices.js";
import type { Opened } from "../files/open.js";
import type { Counts, Levels, Measured } from "../tools/objects.js";
import { keep, redone, undone } from "./history.js";
import { type FillRecipe, type ObjectsRecipe, type Property, type Recipe, recipeFor, SAMPLES } from "./recipe.js";
import { remember } from "./url.js";

/** Results in numbers. */
export interface Found {
  readonly count: number;
  readonly covered: number;
}

/** Something that went wrong, and what can be done about it. */
export interface Failure {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const recipe = signal<Recipe>(recipeFor(SAMPLES[0]));
export const picture = signal<Opened | undefined>(undefined);
export const levels = signal<Levels | undefined>(undefined);
export const found = signal<Found | undefined>(undefined);
/**
 * Measurements of the objects. Those of the previous objects stay until new ones arrive, so that the panels do not
 * jump.
 */
export const measured = signal<Measured | undefined>(undefined);
/** Whether `measured` belongs to the objects that are shown. */
export const fresh = signal(false);
export const curve = signal<Counts | undefined>(undefined);
export const fillAreas = signal<Float64Array | undefined>(undefined);
export const selection = signal<ReadonlySet<number>>(new Set());
export const hovered = signal(0);
export const reading = signal("");
export const failure = signal<Failure | undefined>(undefined);
export const device = signal("");
export const choice = signal<DeviceChoice>("auto");
export const hasGpu = signal(false);
export const stages = signal<readonly Timing[]>([]);
export const drawMilliseconds = signal(0);
/** The finished fraction of a call that takes long. */
export const progress = signal<number | undefined>(undefined);
export const comparison = signal<Comparison | undefined>(undefined);
export const busyComparing = signal("");
/** Canvas points per pixel of the picture, in percent. */
export const zoom = signal(100);
/** The divider, as a part of the view's width. */
export const divider = signal(0.5);
/** The values that are shown as black and white, for pictures beyond 0 to 255. */
export const level = signal<readonly [number, number] | undefined>(undefined);
/** The property that is brushed, and the two of the scatter plot. */
export const brushed = signal<Property>("area");
export const scattered = signal<readonly [Property, Property]>(["area", "mean"]);
/** Names of the pictures that can be chosen besides the samples. */
export const others = signal<readonly string[]>([]);

/** Properties that something on the page shows. */
export const wantedProperties = computed<ReadonlySet<Property>>(
  () => new Set<Property>(["area", "eccentricity", "mean", brushed.value, ...scattered.value]),
);

/** The functions that update the result and redraw; set by followWith(). */
let follow: () => void = () => undefined;
let redraw: () => void = () => undefined;

export function followWith(made: () => void, drawn: () => void): void {
  follow = made;
  redraw = drawn;
}

/** Changes of one gesture, which has a name of its own, are one step back. */
export interface ChangeOptions {
  readonly gesture?: string;
}

/** Another recipe: the view shows it at once, the result follows. */
export function change(next: Partial<Recipe>, what: string, { gesture }: ChangeOptions = {}): void {
  const changed = { ...recipe.value, ...next };
  // A change to the same value is not a step.
  if (JSON.stringify(changed) === JSON.stringify(recipe.value)) return;
  keep(recipe.value, gesture ?? what, gesture !== undefined);
  apply(changed);
}

export function changeObjects(next: Partial<ObjectsRecipe>, options?: ChangeOptions): void {
  change({ objects: { ...recipe.value.objects, ...next } }, `objects ${Object.keys(next)}`, options);
}

export function changeFill(next: Partial<FillRecipe>, options?: ChangeOptions): void {
  change({ fill: { ...recipe.value.fill, ...next } }, `fill ${Object.keys(next)}`, options);
}

/** The recipe before the last change, or after the last undo. */
export function step(back: boolean): void {
  const next = back ? undone(recipe.value) : redone(recipe.value);
  if (next) apply(next);
}

export function apply(next: Recipe): void {
  recipe.value = next;
  if (selection.value.size > 0) selection.value = new Set();
  remember(next);
  redraw();
  follow();
}

/** A number for each bin of the levels at which a threshold can lie. */
export function thresholds({ edges, whole }: Levels): number[] {
  return Array.from(edges.subarray(0, -1), (edge) => (whole ? edge : Math.fround(edge)));
}
