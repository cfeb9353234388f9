// The options of components and of label images.

import type { CallOptions } from "./calls.js";
import type { FilterOptions } from "./filter.js";
import type { ChannelName, Connectivity, Mask } from "./raster.js";
import type { SplitOptions } from "./split.js";
import type { Polarity, Threshold } from "./threshold.js";

/** Options of `engine.components()`. */
export interface ComponentsOptions extends FilterOptions, CallOptions {
  /**
   * - `"nonzero"` (default): any colour channel is not 0.
   * - `"otsu"` (Otsu 1979), `"li"` (least cross entropy, Li and Tam 1998), `"triangle"` (Zack et al. 1977): above the
   *   threshold that the method chooses from the histogram: of exact levels for integers that span at most 65 536 levels, else
   *   of 256 bins. `Components.threshold` holds its value. Pixels of one value are objects unless it is 0, as with `"nonzero"`.
   * - `{ above: n }`: v > n; `{ below: n }`: v < n; `{ between: [lo, hi] }`: lo <= v <= hi.
   * - `{ outside: [lo, hi] }`: bright objects (v > hi) and dark ones (v < lo) at once,
   *   which never merge.
   * - `{ hysteresis: [lo, hi] }`: v > lo, in components that hold a pixel v > hi. Filters apply to these components.
   * - `{ local: { radius, method } }`: compared with the pixels around each pixel; see {@link LocalThreshold}.
   *
   * Colour is reduced to Rec. 601 luma, (77 r + 150 g + 29 b + 128) >> 8.
   */
  readonly threshold?: Threshold;
  /**
   * Finds objects in one channel, or in the amount of one stain, instead of in the luma. This step comes first. See
   * `engine.channel()`.
   */
  readonly channel?: ChannelName;
  /** Standard deviation in pixels of a Gaussian that smooths before the threshold; see `engine.smooth()`. */
  readonly smooth?: number | readonly [number, number] | readonly [number, number, number];
  /** Finds objects in the magnitude of the gradient, after smoothing: by `"sobel"`, or of a Gaussian of so many pixels; see `engine.gradient()`. */
  readonly gradient?: "sobel" | number;
  /** Radius in pixels of the local mean that is subtracted before the threshold; see `engine.flatten()`. */
  readonly flatten?: number;
  /**
   * With an automatic or a local threshold: objects are `"bright"` (above, default) or `"dark"` (at and below it). With
   * `"auto"` objects are dark if more pixels are above the mean around them than below it, else bright. The mean is over a box
   * that reaches an eighth of the image to each side along each axis. If the objects would then have 0.9 of the frame (the outer
   * 1/32 of the samples) and 0.8 of the image, they are the ground, and the other side of an automatic threshold is taken. `"auto"` takes samples of at most 256 rows and columns, of
   * volumes 40 along each axis; with `within` those inside the mask count. It was right for 236 of 253 public pictures
   * (docs/testing.md). `Components.polarity` holds the chosen polarity.
   */
  readonly polarity?: Polarity | "auto";
  /**
   * Joins neighbours by value instead of using a threshold, e.g. for label images and class maps. `"value"` joins
   * neighbours with equal values. `{ tolerance }` joins neighbours that differ by at most `tolerance` in every channel,
   * alpha included.
   */
  readonly by?: "value" | { readonly tolerance: number };
  /**
   * Radii of an opening, a closing, an erosion and a dilation, in this order, by balls of the exact Euclidean distance; after
   * the threshold and before the filters. See `components.open()`.
   */
  readonly open?: number;
  /** Closing: fills gaps up to this radius; see `components.close()`. */
  readonly close?: number;
  /** Erosion: shrinks objects by this radius; see `components.erode()`. */
  readonly erode?: number;
  /** Dilation: grows objects by this radius; see `components.dilate()`. */
  readonly dilate?: number;
  /**
   * Splits objects that touch, after the holes are filled: `true`, the least height h of a peak, or the options of
   * `components.split()`.
   */
  readonly split?: boolean | number | Omit<SplitOptions, keyof CallOptions>;
  /** After the split, merges areas of fewer pixels into a neighbour that they touch; see `components.absorb()`. */
  readonly absorb?: number;
  /** The distance up to which objects grow at the end, keeping their labels; see `components.expand()`. */
  readonly expand?: number;
  /** `smooth`, `gradient`, radii and distances are in units of the spacing instead of pixels. */
  readonly physical?: boolean;
  /** With `by`: pixels of this value (one number, or one per channel) belong to no object; 0 by default, null for none. */
  readonly background?: number | readonly number[] | null;
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
  /**
   * Pixels outside this mask are background. Its outline is not an image border for `fillHoles` and `clearBorder`.
   * Automatic thresholds are chosen from the pixels inside. With a GPU, the CPU packs the pixels of such a call.
   */
  readonly within?: Mask;
  /**
   * Memory limit on the CPU, in bytes, for the call plus the memory that the engine already holds. A limit that is too
   * low rejects the call.
   */
  readonly memory?: number;
}

/** Options of `engine.components()` for the slices of a stack, each as an image of its own. */
export interface StackOptions extends ComponentsOptions {
  /**
   * Every slice of a volume is an image: all options hold for each, as does what is chosen automatically, and `connectivity` is 4
   * (default) or 8. A mask `within` has the stack's size. A GPU labels all slices of a fixed threshold at once.
   */
  readonly each: true;
}

/** Options of `engine.labelled()`. */
export interface LabelledOptions extends CallOptions {
  /** Neighbours, for the Euler number: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
}
