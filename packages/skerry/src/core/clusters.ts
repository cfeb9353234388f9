// K-means on both devices: plans, centres and results. Coordinates of centres are integers of 15 bits.

import type { COLOUR_SPACES, COLOUR_STARTS } from "../types/kmeans.js";
import { OKLAB_STEPS } from "./oklab.js";

/** A colour space and its integer coordinates. */
export interface ColourSpace {
  readonly name: (typeof COLOUR_SPACES)[number];
  /** Bits of a colour's coordinate, and the fractional bits that a centre's coordinate has in addition. */
  readonly bits: 8 | 10;
  readonly fraction: 7 | 5;
  /** Steps of a centre's coordinate per unit of the space. */
  readonly unit: number;
}

export const SPACES: Record<(typeof COLOUR_SPACES)[number], ColourSpace> = {
  rgb: { name: "rgb", bits: 8, fraction: 7, unit: 1 << 7 },
  oklab: { name: "oklab", bits: 10, fraction: 5, unit: OKLAB_STEPS << 5 },
};

/** Three coordinates per centre. */
export type Centres = Uint16Array;

/** The cost between two colours, and the kind of a centre. */
export interface ClusterRule {
  /** Costs: squared distances, or sums of absolute differences. */
  readonly cost: "l2" | "l1";
  readonly centre: "mean" | "median";
}

/** Methods of initial centres that need the colours. */
export type ColourStart = (typeof COLOUR_STARTS)[number];

/** A checked KmeansOptions. */
export interface KmeansPlan extends ClusterRule {
  readonly k: number;
  readonly init: ColourStart | Centres;
  readonly seed: number;
  readonly maxIterations: number;
  /** Converged when no centre moves by more than this cost. */
  readonly limit: number;
  readonly restarts: number;
  readonly space: ColourSpace;
  readonly ignoreTransparent: boolean;
  /** Channels of a palette: 1 or 3. */
  readonly channels: 1 | 3;
}

/** The part of a plan that initial centres need. */
export type StartPlan = Pick<KmeansPlan, "k" | "cost" | "seed">;

/** Candidates for each centre of k by k-means++: as many as scikit-learn draws. */
export const trialsFor = (k: number): number => 2 + Math.floor(Math.log(k));

/** The part of a plan that iterations need. */
export type IterationPlan = Pick<KmeansPlan, keyof ClusterRule | "maxIterations" | "limit">;

/** Result of the iterations. */
export interface Iterated {
  readonly centres: Centres;
  readonly iterations: number;
  readonly converged: boolean;
}

/** Pixels per class, and the total cost in steps of coordinates, for `"l2"` in squared steps. */
export interface Assessment {
  readonly counts: readonly number[];
  readonly cost: bigint;
}
