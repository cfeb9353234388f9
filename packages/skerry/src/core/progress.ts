// Progress of a whole call: its stages report bands, and each stage takes a share of the call's time.

import type { Progress } from "../types/calls.js";

/** Progress of a stage. */
export type Step = Omit<Progress, "fraction">;

/** The stages of a call in their order, each with its usual share of the call's time. */
export type Stages = readonly (readonly [stage: string, share: number])[];

/** Stages of the GPU, and the stage of the CPU that each replaces. */
const SAME: Readonly<Record<string, string>> = { upload: "pack", label: "label strips" };

const LABEL: Stages = [
  ["count runs", 1],
  ["label strips", 2],
];
const FILTER: Stages = [...LABEL, ["regions", 2], ["select", 1]];

/** Filters label the background, the filled objects and the kept objects. Steps that are not needed are skipped. */
export const FILTER_STAGES: Stages = [...FILTER, ...FILTER, ...LABEL];
export const MORPHOLOGY_STAGES: Stages = [["morphology", 4], ...LABEL];
export const EXPAND_STAGES: Stages = [
  ["labels", 1],
  ["distance", 6],
  ["link", 2],
];
export const EDIT_STAGES: Stages = [
  ["runs", 1],
  ["edit", 1],
  ["label runs", 1],
];
export const SPLIT_STAGES: Stages = [
  ["basins", 4],
  ["saddles", 3],
  ["label basins", 1],
  ["link", 1],
];
export const OUTLINE_STAGES: Stages = [["outlines", 1]];
export const SIMPLIFIED_STAGES: Stages = [...OUTLINE_STAGES, ["simplify", 3]];
export const KEEP_STAGES: Stages = [["regions", 2], ["select", 1], ...LABEL];
/** Hysteresis measures the largest value of each component, and keeps some components. */
const HYSTERESIS_STAGES: Stages = [["regions", 1], ["intensity", 4], ["select", 1], ...LABEL];
export const DISTANCE_STAGES: Stages = [
  ["pack", 1],
  ["distance", 6],
];
export const REGION_STAGES: Stages = [
  ["regions", 2],
  ["gather", 1],
  ["intensity", 4],
  ["gather", 1],
];
export const LABELLED_STAGES: Stages = [
  ["link", 3],
  ["rank labels", 1],
];
export const PAINT_STAGES: Stages = [["paint", 1]];
export const COLOUR_STAGES: Stages = [
  ["colours", 2],
  ["initial centres", 1],
  ["iterations", 6],
  ["classes", 2],
];

/** Stages of the preparation before a threshold. */
const PREPARATION: Stages = [
  ["channel", 1],
  ["smooth", 3],
  ["gradient", 2],
  ["flatten", 2],
];

/** Stages of `components()`. */
export function componentsStages(options: {
  /** Stages before the threshold. */
  prepared: readonly string[];
  automatic: boolean;
  hysteresis: boolean;
  /** Stages of the refinement after labelling. */
  refined: Stages;
}): Stages {
  return [
    ...PREPARATION.filter(([stage]) => options.prepared.includes(stage)),
    ...(options.automatic ? ([["histogram", 2]] as const) : []),
    ["pack", 1],
    ["label strips", 2],
    ...(options.hysteresis ? HYSTERESIS_STAGES : []),
    ...options.refined,
  ];
}

/**
 * Turns steps into progress with the fraction of the call that is done. The fraction never decreases. A stage that runs
 * more often than `stages` lists it does not change the fraction. A listed stage that does not run is skipped.
 */
export function tellFractions(onProgress: (progress: Progress) => void, stages: Stages): (step: Step) => void {
  const total = stages.reduce((sum, [, share]) => sum + share, 0);
  let at = -1;
  let through = 0;
  let last: Step | undefined;
  let fraction = 0;
  return (step) => {
    const stage = SAME[step.stage] ?? step.stage;
    // A stage begins when the name changes, or when `done` does not increase.
    if (!last || (SAME[last.stage] ?? last.stage) !== stage || step.done <= last.done) {
      const next = stages.findIndex(([name], i) => i > at && name === stage);
      if (next >= 0) {
        at = next;
        through = stages.slice(0, at).reduce((sum, [, share]) => sum + share, 0);
      }
    }
    last = step;
    const part = step.total > 0 ? step.done / step.total : 1;
    if (stages.length === 0) fraction = Math.max(fraction, part);
    else if (stages[at]?.[0] === stage) {
      fraction = Math.max(fraction, (through + (stages[at]?.[1] ?? 0) * part) / total);
    }
    onProgress({ ...step, fraction });
  };
}
