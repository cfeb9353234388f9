// The interface of the view: it shows pictures and results, and has a place.

import type { Mask } from "skerry";
import type { Opened } from "../files/opened.js";
import type { Tint } from "../settings/objects.js";
import type { Content, Layer } from "./found.js";

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
  /** Shows a result; `isNew` is false after the view moved, and for the preview of a click. */
  show(shown: Shown, isNew: boolean, signal?: AbortSignal): Promise<void>;
  /** Tints the picture by a comparison of its pixels until the result arrives, if one is given. */
  tint(tint: Tint | undefined): void;
}

/** The middle of the view in pixels of the picture, and CSS pixels per pixel. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface View extends Shower {
  /** Shows another picture: the whole of it, or a stored place. Resolves once all of it is drawn. */
  picture(opened: Opened, place?: Place): Promise<void>;
  /** Undefined if the whole picture is shown. */
  readonly place: Place | undefined;
  /** Calls `told` whenever the place changes. */
  onPlace(listener: () => void): void;
}
