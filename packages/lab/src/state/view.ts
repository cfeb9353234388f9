// The view of a picture, as the state knows it: it is told of pictures and results, and has a place.

import type { Mask } from "skerry";
import type { Opened } from "../files/opened.js";
import type { Content, Layer, Tint } from "../tools/records.js";

/** All that the view draws: the content of a result, its layers on both sides, and the fence. */
export interface Shown {
  readonly content: Content;
  readonly left: readonly Layer[];
  readonly right: readonly Layer[];
  readonly within: Mask | undefined;
  /** A result that is kept for comparison: it is the left side. */
  readonly aside?: Content | undefined;
}

export interface Shower {
  /** A result; `isNew` is false where the view moved, or where a click is previewed. */
  show(shown: Shown, isNew: boolean, signal?: AbortSignal): Promise<void>;
  /** The settings changed: until the result comes the picture is tinted, where it can compare its pixels by itself. */
  tint(tint: Tint | undefined): void;
}

/** The middle of the view in pixels of the picture, and points of the screen per pixel. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface View extends Shower {
  /** Another picture: the whole of it, or the place that was kept. */
  picture(opened: Opened, place?: Place): void;
  /** Undefined where the whole picture is shown. */
  readonly place: Place | undefined;
  /** Calls `told` whenever the place changes. */
  onPlace(told: () => void): void;
}
