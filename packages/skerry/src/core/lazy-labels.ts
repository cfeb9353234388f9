// Components in the memory of a device: bit planes whose labels are computed immediately, or on first use.

import type { Call } from "./call.js";
import type { Size } from "./pixels.js";

/** Planes P, and their labels L. */
export interface LazyLabels<P, L> {
  readonly planes: P;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  labelled(call: Call): Promise<L>;
  free(): void;
}

/** The properties of components that both devices hold without labels: size and counts. */
export class HeldComponents<P extends Size, L> implements Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly count: number;
  /** Foreground pixels. */
  readonly foreground: number;
  readonly runCount: number;
  protected readonly held: LazyLabels<P, L>;

  constructor(held: LazyLabels<P, L>) {
    const { planes, count, foreground, runCount } = held;
    this.width = planes.width;
    this.height = planes.height;
    this.depth = planes.depth;
    this.count = count;
    this.foreground = foreground;
    this.runCount = runCount;
    this.held = held;
  }
}

/** The planes of a fill. After a fill from one seed, the numbers of pixels and runs are known; other planes must be labelled. */
export interface Filled<P> {
  readonly planes: P;
  readonly known?: { readonly foreground: number; readonly runCount: number; readonly count?: number } | undefined;
}

/** Wraps planes that are labelled already. Freeing the labels frees the planes. */
export function labelledNow<P, L extends Omit<LazyLabels<P, L>, "labelled">>(labelled: L): LazyLabels<P, L> {
  const { planes, count, foreground, runCount } = labelled;
  const free = (): void => labelled.free();
  return { planes, count, foreground, runCount, labelled: async () => labelled, free };
}

/**
 * Wraps planes whose counts are known; without `count` those of a fill from one seed, which have at most one component. They are
 * labelled on first use; the labels then own the planes.
 */
export function labelledLater<P, L extends { free(): void }>(
  { planes, known }: Required<Filled<P>>,
  label: (call: Call) => Promise<L>,
  free: () => void,
): LazyLabels<P, L> {
  const { foreground, runCount, count = foreground > 0 ? 1 : 0 } = known;
  let labelled: Promise<L> | undefined;
  return {
    planes,
    foreground,
    runCount,
    count,
    labelled(call) {
      // The signal is left out: an aborted call must not abort labels that later calls use.
      labelled ??= label({ ...call, signal: undefined });
      return labelled;
    },
    free() {
      // If labelling fails, it has freed the planes.
      if (labelled) labelled.then((labels) => labels.free()).catch(() => undefined);
      else free();
    },
  };
}
