// Components as devices hold them: planes of bits that are labelled at once, or when somebody asks for more than was
// counted without labels.

import type { Call } from "./call.js";

/** Planes P, and their labels L. */
export interface LazyLabels<P, L> {
  readonly planes: P;
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  labelled(call: Call): Promise<L>;
  free(): void;
}

/** What a fill from one seed reached, counted; or planes to be labelled. */
export interface Filled<P> {
  readonly planes: P;
  readonly known?: { readonly foreground: number; readonly runCount: number } | undefined;
}

/** What is labelled already; its planes go with it. */
export function labelledNow<P, L extends Omit<LazyLabels<P, L>, "labelled">>(labelled: L): LazyLabels<P, L> {
  const { planes, count, foreground, runCount } = labelled;
  const free = (): void => labelled.free();
  return { planes, count, foreground, runCount, labelled: async () => labelled, free };
}

/** What one seed filled is at most one component: labelled when that is needed, by then the planes go with the labels. */
export function labelledLater<P, L extends { free(): void }>(
  { planes, known }: Required<Filled<P>>,
  label: (call: Call) => Promise<L>,
  free: () => void,
): LazyLabels<P, L> {
  const { foreground, runCount } = known;
  let labelled: Promise<L> | undefined;
  return {
    ...{ planes, foreground, runCount, count: foreground > 0 ? 1 : 0 },
    labelled(call) {
      // Whoever gives up on a product leaves the labels to the next one.
      labelled ??= label({ ...call, signal: undefined });
      return labelled;
    },
    free() {
      // Labelling that fails gives the planes back itself.
      if (labelled) labelled.then((made) => made.free()).catch(() => undefined);
      else free();
    },
  };
}
