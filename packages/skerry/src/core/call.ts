// Context of one call, passed through all layers.

import type { Timing } from "../types/calls.js";
import type { Step } from "./progress.js";

/** Context of one call: its signal, its progress, its times. */
export interface Call {
  /** Bytes that may be in use, if there is a limit. */
  readonly memory?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: Step) => void) | undefined;
  readonly timings: Timing[];
}
