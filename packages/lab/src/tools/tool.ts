// A tool of the page: from settings to a result, and how the picture and the panels show it. Each tool is a folder: `recipe`
// has its settings, `run` calls the engine, `Controls` are its fields, `view` handles pointers and keys, `save` writes
// files. The rest of the page uses tools only through this interface.

import type { Recipe as SavedRecipe } from "@skerry/recipe";
import type { ComponentType } from "preact";
import type { CallOptions, Components, Image, Mask, Timing } from "skerry";
import { defined } from "skerry/internal";
import type { Resident } from "../engine/devices.js";
import type { Tint } from "../settings/objects.js";
import type { Fence, Recipe } from "../settings/recipe.js";
import type { Mode, Spot } from "../settings/spots.js";
import type { Content, Found, Layer } from "../state/found.js";

/** Arguments of every call of a tool. */
export interface Given extends CallOptions {
  readonly resident: Resident;
  /** Pixels outside are left out. */
  readonly within?: Mask | undefined;
}

/** A result: its numbers, and its content that the view draws. It is disposed when the next one is shown. */
export interface Result {
  readonly found: Found;
  readonly stages: readonly Timing[];
  readonly content: Content;
  /** Layers of the two sides of the divider. */
  readonly left: readonly Layer[];
  readonly right: readonly Layer[];
  /** Whether the settings changed by an act, not along a slider: the work after the result does not wait. */
  readonly isOfAct?: boolean | undefined;
  dispose(): void;
}

/** The handlers of a tool for pointers and keys on the picture. */
export interface Gestures {
  /** The pointer or the crosshair moved to a pixel, or left (undefined). Returns the text to show about the pixel. */
  point(spot: Spot | undefined): string;
  /** A press that did not move, or Enter at the crosshair. */
  click(spot: Spot, mode: Mode, gesture: string): void;
  /** A drag that the tool handles; without it, drags move the picture. `by` is in steps: right and up are positive. */
  readonly drag?: {
    begin(spot: Spot, mode: Mode, gesture: string): void;
    move(by: number, gesture: string): void;
  };
  /** A line that the tool draws, from the press to the release, instead of a drag. A press that did not move is a click. */
  readonly stroke?: {
    begin(spot: Spot): void;
    move(spot: Spot): void;
    end(gesture: string): void;
    cancel(): void;
  };
  /** The wheel with Alt: larger or smaller. */
  size?(by: 1 | -1): void;
  /** Two fingers turned by so many radians; to the right is positive. */
  turn?(by: number): void;
  /** A box that was drawn with Shift. */
  box?(from: Spot, to: Spot): void;
  /** Keys of the tool, by their names. */
  readonly keys: Readonly<Record<string, () => void>>;
}

/** Components that are saved. The caller disposes them. */
export interface Saved {
  readonly components: Components;
  /** The values under the objects; undefined if they are their own ids. */
  readonly plane: Image | undefined;
}

/** A file that a tool saves, by its name in the texts. */
export type Save = string;

/** Work that runs when nothing else does. */
export type Idle = (given: Given) => Promise<void>;

/** A tool's selection as a fence: pixels outside it are left out by every tool. */
export interface Fencing<F extends Fence = Fence> {
  /** Settings in which the selection is the fence; undefined if nothing is selected. */
  take(recipe: Recipe): Partial<Recipe> | undefined;
  maskOf(given: Given, fence: F): Promise<Mask>;
  saved(fence: F, within: SavedRecipe | undefined): SavedRecipe;
}

export interface Tool<R extends Result = Result> {
  /** The first position of the divider, 0 to 1 of the view's width. */
  readonly divider: number;
  /** Whether a result is objects: two settings can be compared, and many files counted. */
  readonly hasObjects: boolean;
  /** Whether the settings have a threshold chosen. */
  choosesThreshold?(recipe: Recipe): boolean;
  /** Whether the settings take colours without their transparency. */
  leavesAlphaOut?(recipe: Recipe): boolean;
  /** Fields of the tool. */
  readonly Controls: ComponentType;
  /** Panels under the fields, which are loaded after the first picture. */
  readonly panels: () => Promise<ComponentType>;
  readonly gestures: Gestures;

  /** The comparison that the view draws until the result arrives. */
  tint?(recipe: Recipe): Tint | undefined;
  /** Computes the result. */
  run(given: Given, recipe: Recipe): Promise<R>;
  /** Work after a result is shown and no setting has changed for a moment. */
  after?(given: Given, result: R): Promise<void>;
  /** Work for when the page is idle. */
  idle?(recipe: Recipe, result: R): Idle | undefined;
  /** Pixels that a click would select. */
  preview?(given: Given, recipe: Recipe, spot: Spot): Promise<Mask>;
  /** Drops everything that was computed from the picture. */
  forget(): void;

  /** The saved recipe; undefined if there is nothing to save yet. */
  saved(recipe: Recipe, within: SavedRecipe | undefined): SavedRecipe | undefined;
  /** Settings for another picture: without positions in this one. */
  carried(recipe: Recipe): Partial<Recipe>;

  /** Files that the settings allow. */
  saves(recipe: Recipe): readonly Save[];
  /** The result as components, of tools that have some. */
  components?(given: Given, recipe: Recipe): Promise<Saved>;
  /** Arrays that must be equal on both devices. */
  arrays(given: Given, recipe: Recipe): Promise<readonly ArrayBufferView[]>;
  /** Words that are read out besides the headline. */
  spoken?(recipe: Recipe, found: Found): string;
}

/** Appends the stages of the engine's last call, without their parts. */
export function addTimings(stages: Timing[], timings: readonly Timing[]): void {
  for (const timing of timings) if (!timing.part) stages.push(timing);
}

/** The options of a call, from the arguments of a tool. */
export function callOptions({ signal, onProgress }: Given): CallOptions {
  return defined({ signal, onProgress });
}

/** Counts set bits, 32 at a time: pairs, nibbles and bytes are added up in place, 0b1011 -> 0b01_10 -> 3. */
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
