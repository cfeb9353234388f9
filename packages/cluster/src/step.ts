// Names of phases and steps, and what a step costs.

/** Names of phases. */
export const PHASES = [
  ...(["histogram", "threshold", "label", "measure", "seams", "merge", "ranges", "number"] as const),
  ...(["relabel", "tables", "finish"] as const),
] as const;
/** The name of a phase, in the order in which phases run. */
export type PhaseName = (typeof PHASES)[number];

/** A step: its phase, and its number among the steps of the phase. */
export interface StepName {
  readonly phase: PhaseName;
  readonly number: number;
}

/** The costs of a step, stored beside its outputs. */
export interface StepReport extends StepName {
  readonly milliseconds: number;
  readonly input: { readonly bytes: number; readonly chunks: number };
  readonly read: number;
  readonly written: number;
  /** Digests of the versions of what was read of each image, by the image's number. */
  readonly seen?: Readonly<Record<number, string>> | undefined;
}
