// The state of the page: signals that panels read, and actions that change the recipe. follow.ts computes the result.

import { computed, effect, signal } from "@preact/signals";
import type { Timing } from "skerry";
import type { Comparison } from "../engine/agree.js";
import type { DeviceChoice } from "../engine/devices.js";
import type { Opened } from "../files/open.js";
import type { ColoursRecipe } from "../settings/colours.js";
import type { DistanceRecipe } from "../settings/distance.js";
import type { FillRecipe } from "../settings/fill.js";
import type { ObjectsRecipe } from "../settings/objects.js";
import { type Recipe, recipeFor, SAMPLES, type ToolName } from "../settings/recipe.js";
import type { Mode } from "../settings/spots.js";
import type { Found } from "./found.js";
import { keep, redone, reverted, undone } from "./history.js";

/** Something that went wrong, and what can be done about it. */
export interface Failure {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Whether the next result removes it. */
  readonly isOfCall?: boolean;
  /** The setting that caused it; its field shows the text. */
  readonly field?: string | undefined;
}

/** A picture in the film strip: a file of the user's, or an address. */
export interface Waiting {
  readonly name: string;
  readonly file?: File | undefined;
}

export const recipe = signal<Recipe>(recipeFor(SAMPLES[0]));
/** The scale of the recipe. It stays the same while other settings change, so that tables are not summed again. */
export const scale = computed(() => recipe.value.scale);
/** The unit of lengths. */
export const unit = (): string => scale.value?.unit ?? "px";
export const picture = signal<Opened | undefined>(undefined);
export const found = signal<Found | undefined>(undefined);
export const selection = signal<ReadonlySet<number>>(new Set());
export const hovered = signal(0);
export const reading = signal("");
export const failure = signal<Failure | undefined>(undefined);
/** Whether the numbers belong to settings before those that are shown: a call failed, or was cancelled. */
export const stale = signal(false);
/** The message of the last save or copy. */
export const done = signal("");
export const device = signal("");
export const choice = signal<DeviceChoice>("auto");
export const hasGpu = signal(false);
export const stages = signal<readonly Timing[]>([]);
/** Milliseconds of the calls on this picture with this tool: of the first, which compiles and starts what it needs, and of the latest. */
export const calls = signal<{
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}>({
  key: "",
  first: 0,
  last: 0,
  count: 0,
});
export const drawMilliseconds = signal(0);
/** The finished fraction of a call that takes long. */
export const progress = signal<number | undefined>(undefined);
export const comparison = signal<Comparison | undefined>(undefined);
export const busyComparing = signal("");
/** CSS pixels per pixel of the picture, in percent. */
export const zoom = signal(100);
/** How a press changes the selection if no key is held. */
export const mode = signal<Mode>("new");
/** The selection box that is drawn: left, top, width and height in CSS pixels of the view. */
export const band = signal<readonly [number, number, number, number] | undefined>(undefined);
/** The position of the divider, 0 to 1 of the view's width. */
export const divider = signal(0.5);
/** A box of the picture that the view zooms to, once. */
export const sought = signal<readonly [number, number, number, number] | undefined>(undefined);
/** How the result is drawn, how strong its colours are, and whether a key is held to see the picture alone. */
export const look = signal<"colours" | "outlines" | "original">("colours");
export const opacity = signal(0.6);
export const peeks = signal(false);
/** Whether the picture is shown as the one channel that is thresholded. */
export const seesChannel = signal(false);
/** The values that are shown as black and white, for pictures beyond 0 to 255. */
export const level = signal<readonly [number, number] | undefined>(undefined);
/** The picture that is being opened, and how that is ended. */
export const opening = signal<{ readonly name: string; readonly cancel: () => void } | undefined>(undefined);
/** Pictures that can be chosen besides the samples. */
export const others = signal<readonly Waiting[]>([]);

/** The step of the tour that is shown. */
export const tour = signal<number | undefined>(undefined);

/** Dividers of the tools that are not shown. */
const dividers = new Map<ToolName, number>();

/** Requests the result of the recipe; set by followWith(). */
let follow: () => void = () => undefined;

export function followWith(listener: () => void): void {
  follow = listener;
}

/** Changes with the same name of a gesture are one step of undo. */
export interface ChangeOptions {
  readonly gesture?: string;
}

/** Changes the recipe: the view shows it at once, the result follows. */
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

export function changeDistance(next: Partial<DistanceRecipe>, options?: ChangeOptions): void {
  change({ distance: { ...recipe.value.distance, ...next } }, `distance ${Object.keys(next)}`, options);
}

export function changeColours(next: Partial<ColoursRecipe>, options?: ChangeOptions): void {
  change({ colours: { ...recipe.value.colours, ...next } }, `colours ${Object.keys(next)}`, options);
}

/** Adds numbers that are known only after the result is shown. */
export function tell(numbers: Partial<Found>): void {
  if (found.value) found.value = { ...found.value, ...numbers };
}

/** Changes the tool. Each has its own position of the divider, `first` if it was not shown before. */
export function changeTool(tool: ToolName, first: number): void {
  const before = recipe.value.tool;
  if (before === tool) return;
  dividers.set(before, divider.value);
  divider.value = dividers.get(tool) ?? first;
  change({ tool }, "tool");
}

/** Undoes the last change, or redoes the last undone one. */
export function step(back: boolean): void {
  const next = back ? undone(recipe.value) : redone(recipe.value);
  if (next) apply(next);
}

/** Reverts a gesture as if it had not begun. */
export function rollBack(gesture: string): void {
  const before = reverted(gesture);
  if (before) apply(before);
}

export function apply(next: Recipe): void {
  // Each tool begins with the mode "new".
  const [before, after] = [recipe.value.tool, next.tool];
  if (before !== after) mode.value = "new";
  recipe.value = next;
  if (selection.value.size > 0) selection.value = new Set();
  follow();
}

/** Calls `told` with every recipe from now on. */
export function onRecipe(listener: (recipe: Recipe) => void): void {
  effect(() => listener(recipe.value));
}
