// The stains of a slide: their colours, and the inverse matrix that gives the amount of each in a colour (A. C. Ruifrok and
// D. A. Johnston, "Quantification of histochemical staining by color deconvolution", 2001).

import type { Shape } from "../core/pixels.js";
import type { StainPlan } from "../core/plans.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { Stains } from "../types/light.js";
import { unexpected } from "./arguments.js";

type Vector = readonly [number, number, number];

/** Densities of red, green and blue of each stain, as scikit-image has them. */
const HED: readonly Vector[] = [
  [0.65, 0.7, 0.29],
  [0.07, 0.99, 0.11],
  [0.27, 0.57, 0.78],
];

/** The least transmission, so that black has a finite density. */
const LEAST = 1e-6;

/** The entry of 1. Weights, of determinants above {@link FLAT}, leave sums below 2^63. */
const ONE = 2 ** 40;

/** Stains count as linearly dependent if the magnitude of their determinant is at most this. */
const FLAT = 1e-6;

/** One plan for each of the two or three stains. */
export function planStains(
  stains: Stains | undefined,
  { type, channels }: Pick<Shape, "type" | "channels">,
): readonly StainPlan[] {
  if (type !== "u8" && type !== "u16") throw new Unsupported(`Expected a u8 or u16 raster to unmix, got ${type}.`);
  if (channels < 3) {
    throw new InvalidArgument(`Expected a raster of 3 or 4 channels to unmix, got ${channels}.`, {
      argument: "channels",
    });
  }
  const densities = densitiesOf(type === "u8" ? 255 : 65535);
  return stainWeights(stains).map((weights) => ({ entries: entriesOf(densities, weights) }));
}

/** The weights of the densities of red, green and blue for each of the two or three stains. */
export function stainWeights(stains: Stains | undefined): readonly Vector[] {
  const vectors = stains === undefined || stains === "hed" ? HED : checkVectors(stains);
  const rows = inverse(vectors.length === 3 ? vectors : [...vectors, across(vectors[0], vectors[1])]);
  return vectors.map((_, stain) => rows.map((row) => row[stain]) as unknown as Vector);
}

/** The density of each value, in units of the density of the least transmission. */
function densitiesOf(most: number): Float64Array {
  const black = Math.log(LEAST);
  return Float64Array.from({ length: most + 1 }, (_, value) => Math.log(Math.max(value / most, LEAST)) / black);
}

/** Densities times each weight, as whole numbers of 64 bits; see {@link StainPlan}. */
function entriesOf(densities: Float64Array, weights: readonly number[]): Uint32Array {
  const { length } = densities;
  const entries = new Uint32Array(2 * length * weights.length);
  for (const [channel, weight] of weights.entries()) {
    for (let value = 0; value < length; value++) {
      const fixed = Math.round(densities[value] * weight * ONE);
      const upper = Math.floor(fixed / 2 ** 32);
      const at = 2 * (channel * length + value);
      entries[at] = fixed - upper * 2 ** 32;
      entries[at + 1] = upper;
    }
  }
  return entries;
}

function checkVectors(stains: unknown): readonly Vector[] {
  const good = (vector: unknown): vector is Vector =>
    Array.isArray(vector) && vector.length === 3 && Array.from(vector).every((n) => Number.isFinite(n));
  if (!Array.isArray(stains) || stains.length < 2 || stains.length > 3 || !Array.from(stains).every(good)) {
    throw unexpected("stains", '"hed", or two or three lists of the densities of red, green and blue', stains);
  }
  const vectors = stains.map((vector) => scaled(vector));
  const third = vectors[2] ?? across(vectors[0], vectors[1]);
  if (!(Math.abs(determinant([vectors[0], vectors[1], third])) > FLAT)) {
    throw new InvalidArgument("Expected stains of different colours, got some that depend on each other.", {
      argument: "stains",
    });
  }
  return vectors;
}

function scaled(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return vector.map((n) => n / length) as unknown as Vector;
}

/** Unit vector perpendicular to both stains. */
function across(a: Vector, b: Vector): Vector {
  return scaled([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]);
}

function determinant([a, b, c]: readonly Vector[]): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/** The inverse of a 3 x 3 matrix, by cofactors. */
function inverse(m: readonly Vector[]): readonly Vector[] {
  const all = determinant(m);
  return [0, 1, 2].map(
    (row) =>
      [0, 1, 2].map((column) => {
        const [i, j] = [0, 1, 2].filter((n) => n !== column);
        const [k, l] = [0, 1, 2].filter((n) => n !== row);
        const minor = m[i][k] * m[j][l] - m[i][l] * m[j][k];
        return ((row + column) % 2 ? -minor : minor) / all;
      }) as unknown as Vector,
  );
}
