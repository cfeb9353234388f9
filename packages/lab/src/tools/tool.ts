// A tool of the page: from settings to a result, and what the picture and the panels show of it. Each tool is a folder: `recipe` has its
// settings, `run` calls the engine, `Controls` are its fields, `view` is what pointers and keys do, `save` is what it writes. The rest
// of the page knows tools by this interface alone.

import type { Recipe as SavedRecipe } from "@skerry/recipe";
import type { ComponentType } from "preact";
import type { CallOptions, Components, Image, Mask, Timing } from "skerry";
import type { Resident } from "../engine/devices.js";
import type { Fence, Recipe } from "../state/recipe.js";
import type { Content, Found, Layer, Mode, Spot, Tint } from "./records.js";

/** Arguments of every call of a tool. */
export interface Given extends CallOptions {
  readonly resident: Resident;
  /** Pixels outside belong to nothing. */
  readonly within?: Mask | undefined;
}

/** A result: what it found, and what the picture draws of it. It is disposed when the next one is shown. */
export interface Result {
  readonly found: Found;
  readonly stages: readonly Timing[];
  readonly content: Content;
  /** Layers of the two sides of the divider. */
  readonly left: readonly Layer[];
  readonly right: readonly Layer[];
  dispose(): void;
}

/** Work of pointers and keys on the picture with a tool. */
export interface Gestures {
  /** The pointer, or the crosshair, is at a pixel; undefined where it left. Returns what is told of it. */
  point(spot: Spot | undefined): string;
  /** A press that was lifted at its place, or Enter at the crosshair. */
  click(spot: Spot, mode: Mode, gesture: string): void;
  /** A drag that works the tool; without it drags move the picture. `by` is in levels: right and up are more. */
  readonly drag?: {
    begin(spot: Spot, mode: Mode, gesture: string): void;
    move(by: number, gesture: string): void;
  };
  /** A box that was drawn with Shift. */
  box?(from: Spot, to: Spot): void;
  /** Keys of the tool, by their names. */
  readonly keys: Readonly<Record<string, () => void>>;
}

/** Components that are saved. The caller disposes them. */
export interface Saved {
  readonly components: Components;
  readonly plane: Image;
}

/** A file that a tool saves, by its name in the texts. */
export type Save = string;

/** Work for when nothing else is to be done. */
export type Idle = (given: Given) => Promise<void>;

export interface Tool<R extends Result = Result, F extends Fence = Fence> {
  /** The first place of the divider, as a part of the view's width. */
  readonly divider: number;
  /** Fields of the tool. */
  readonly Controls: ComponentType;
  /** Panels under the fields, which are loaded after the first picture. */
  readonly panels: () => Promise<ComponentType>;
  readonly gestures: Gestures;

  /** Comparison that the picture makes while a result is on its way. */
  tint(recipe: Recipe): Tint | undefined;
  /** Makes the result. */
  run(given: Given, recipe: Recipe): Promise<R>;
  /** Work that follows once a result is shown and the settings rest. */
  after?(given: Given, result: R): Promise<void>;
  /** Work for when the page is idle. */
  idle?(recipe: Recipe, result: R): Idle | undefined;
  /** Pixels that a click would take. */
  preview?(given: Given, recipe: Recipe, spot: Spot): Promise<Mask>;
  /** Drops everything that is of the picture. */
  forget(): void;

  /** The saved recipe; undefined where nothing was done yet. */
  saved(recipe: Recipe, within: SavedRecipe | undefined): SavedRecipe | undefined;
  /** Settings in which what is selected is the fence of every tool; undefined where nothing is selected. */
  fence(recipe: Recipe): Partial<Recipe> | undefined;
  maskOf(given: Given, fence: F): Promise<Mask>;
  savedFence(fence: F, within: SavedRecipe | undefined): SavedRecipe;
  /** Settings for another picture: without what belongs to places of this one. */
  carried(recipe: Recipe): Partial<Recipe>;

  /** Files that the settings allow. */
  saves(recipe: Recipe): readonly Save[];
  components(given: Given, recipe: Recipe): Promise<Saved>;
  /** Arrays that must be equal on both devices. */
  arrays(given: Given, recipe: Recipe): Promise<readonly ArrayBufferView[]>;
  /** The large number of a result, such as its count. */
  number(count: number): string;
  /** "objects" or "pixels". */
  noun(count: number): string;
  /** Words that are read out besides the count. */
  spoken(recipe: Recipe, found: Found): string;
}

/** Stages of the engine's last call, added to those before it. */
export function addTimings(stages: Timing[], timings: readonly Timing[]): void {
  for (const timing of timings) if (!timing.part) stages.push(timing);
}

/** The options of a call among what a tool was given. */
export function callOptions({ signal, onProgress }: Given): CallOptions {
  return { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
}

/** Set bits of 32 at a time: pairs, nibbles and bytes are added up in place, 0b1011 -> 0b10_01 -> 3. */
export function areaOf({ bits }: Mask): number {
  let area = 0;
  for (let i = 0; i < bits.length; i++) {
    let n = bits[i];
    n -= (n >>> 1) & 0x55555555;
    n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
    area += Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return area;
}

/** Pixels that a result could cover: of the fence, or of the picture. */
export function wholeOf({ resident, within }: Given): number {
  return within ? areaOf(within) : resident.opened.width * resident.opened.height;
}
