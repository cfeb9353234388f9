// The rules that separate objects from background.

/** The methods that choose a threshold from the histogram: their names for readers, and whether plans over many machines take them. */
export const METHODS = {
  otsu: { title: "Otsu", distributed: true },
  li: { title: "Li", distributed: false },
  triangle: { title: "triangle", distributed: false },
} as const;

/** Thresholds that are chosen from the histogram. */
export type AutomaticThreshold = keyof typeof METHODS;

export const POLARITIES = ["bright", "dark"] as const;

/** The side of a threshold on which objects lie: above it (`"bright"`), or at and below it (`"dark"`). */
export type Polarity = (typeof POLARITIES)[number];

/** The rule that separates objects from background; see {@link ComponentsOptions}. */
export type Threshold =
  | "nonzero"
  | AutomaticThreshold
  | { readonly above: number }
  | { readonly below: number }
  | { readonly between: readonly [number, number] }
  | { readonly outside: readonly [number, number] }
  | { readonly hysteresis: readonly [number, number] }
  | LocalThreshold;

/**
 * A threshold for each pixel, from the (2 radius + 1)^2 pixels around it, in volumes ^3; for u8, u16 and i16. Window sums are
 * exact.
 *
 * The threshold of bright objects is that of dark ones, reflected at the mean: either side has to differ from it by as much.
 *
 * - `"mean"` (default): bright is v > mean + offset, dark is v <= mean - offset. Pixels are mirrored at the border, the border's own included, as in
 *   scikit-image's `threshold_local`.
 * - `"sauvola"` (Sauvola and Pietikäinen 2000): dark is v <= mean (1 + k (s / r - 1)) for the standard deviation s, bright is
 *   v > mean (1 - k (s / r - 1)). k is
 *   0.2 by default, in steps of 2^-20; r is half of the type's range, 128 for u8. Pixels are mirrored without the border's
 *   own, as in scikit-image's `threshold_sauvola`.
 */
export interface LocalThreshold {
  /** The window and the rule. */
  readonly local:
    | { readonly radius: number; readonly method?: "mean"; readonly offset?: number }
    | { readonly radius: number; readonly method: "sauvola"; readonly k?: number; readonly r?: number };
}
