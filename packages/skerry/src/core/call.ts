// What accompanies one call through every room.

import type { Timing } from "../types/calls.js";
import type { Step } from "./progress.js";

/** What accompanies one call: its signal, its progress, its times. */
export interface Call {
  /** Bytes that may be in use, if there is a limit. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: Step) => void) | undefined;
  readonly timings: Timing[];
}
