// Options and reports of every call: signals, progress, timings.

import type { Signal } from "./platform.js";

/** Passed to `onProgress`: `done` of `total` bands of a stage are complete. */
export interface Progress {
  /** Name of the stage, e.g. `"pack"`. */
  readonly stage: string;
  /** Completed bands. */
  readonly done: number;
  /** Bands of the stage. */
  readonly total: number;
  /**
   * Completed fraction of the whole call, 0 to 1. The fraction never decreases. Each stage counts with its usual share of the
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

/** Time and bytes of a stage of a call. */
export interface Timing {
  /** Name of the stage, e.g. `"pack"`, `"label"`, `"regions"`. */
  readonly stage: string;
  /** Time of the stage, in milliseconds. */
  readonly milliseconds: number;
  /** Bytes that the stage read and wrote; 0 if unknown. */
  readonly bytes: number;
  /** True if this time is included in stages before, e.g. that of copies. */
  readonly part?: true;
  /**
   * `"wall"` (default): the wall clock, transfers and waiting included. `"device"`: the GPU's own clock, for time that
   * is part of an earlier wall-clock stage.
   */
  readonly clock?: "wall" | "device";
}
