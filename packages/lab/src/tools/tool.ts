// Shared by the tools, which take a picture on an engine and a recipe, and return the data that the page shows.

import type { CallOptions, Mask, Timing } from "skerry";
import type { Resident } from "../engine/devices.js";

/** Arguments of every tool. */
export interface Given extends CallOptions {
  readonly resident: Resident;
  /** Pixels outside belong to nothing. */
  readonly within?: Mask | undefined;
}

/** Stages of the engine's last call, added to those before it. */
export function addTimings(stages: Timing[], timings: readonly Timing[]): void {
  for (const timing of timings) if (!timing.part) stages.push(timing);
}

/** The options of a call among what a tool was given. */
export function callOptions({ signal, onProgress }: Given): CallOptions {
  return { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
}
