// Options and reports of every call: signals, progress, timings.

import type { Signal } from "./platform.js";

/** Passed by `onProgress`: `done` of `total` bands of a stage are through. */
export interface Progress {
  /** Name of the stage, e.g. `"pack"`. */
  readonly stage: string;
  /** Bands that are through. */
  readonly done: number;
  /** Bands of the stage. */
  readonly total: number;
  /**
   * Fraction of the whole call that is done, 0 to 1. It never decreases. Each stage counts with its usual share of the
   * time.
   */
  readonly fraction: number;
}

/** Options every call takes. */
export interface CallOptions {
  /** Aborts the call between two bands; the promise rejects with the signal's reason. */
  readonly signal?: Signal;
  /** Called between bands. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Time and bytes of a stage of the last call. */
export interface Timing {
  /** Name of the stage, e.g. `"pack"`, `"label"`, `"regions"`. */
  readonly stage: string;
  /** Time of the stage. */
  readonly milliseconds: number;
  /** Bytes read and written by the stage, as far as they are known; 0 if not. */
  readonly bytes: number;
  /** True for time that is part of the stage before, e.g. its copies. */
  readonly part?: true;
  /**
   * `"wall"` (default): the wall clock, transfers and waiting included. `"device"`: the GPU's own clock, for time that
   * is part of an earlier wall-clock stage.
   */
  readonly clock?: "wall" | "device";
}
