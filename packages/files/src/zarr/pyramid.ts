// Downsamples label images: takes the first pixel of each group of pixels, or its most frequent label. Runs in the workers.

import { type Band, valuesOf } from "./chunk.js";

/** The way in which several pixels become one: the first, or the most frequent value. */
export type Downsampling = "nearest" | "mode";

/** Downsampling of some slices and rows, from one band into another. Bands hold whole rows, from a first slice and row on. */
export interface Halving {
  readonly how: Downsampling;
  readonly from: Part;
  readonly to: Part;
  /** Slices and rows of the smaller version that are made. */
  readonly z: readonly [number, number];
  readonly y: readonly [number, number];
  /** Pixels that become one along z, y and x; derived from the sizes of the parts by default. */
  readonly factors?: readonly [number, number, number] | undefined;
}

/** A part of an image that a band holds. */
export interface Part {
  readonly band: Band;
  /** The image's size, z, y, x. */
  readonly size: readonly [number, number, number];
  /** The first slice and the first row of the band. */
  readonly z0: number;
  readonly y0: number;
}

/**
 * The first of the pixels that become pixel i, if m pixels become n: i * factor for whole factors, else i * m / n, rounded down.
 */
export function firstOf(i: number, n: number, m: number): number {
  const factor = Math.round(m / n);
  return isWhole(n, m) ? Math.min(m - 1, i * factor) : Math.floor((i * m) / n);
}

/** Whether n is m divided by a whole factor, rounded up or down. */
export function isWhole(n: number, m: number): boolean {
  const factor = Math.round(m / n);
  return factor >= 1 && (Math.ceil(m / factor) === n || Math.floor(m / factor) === n);
}

/** Makes the smaller version. */
export function halve({ how, from, to, z, y, factors }: Halving): void {
  const source = valuesOf(from.band);
  const target = valuesOf(to.band);
  const [depth, height, width] = from.size;
  const [lessDepth, lessHeight, lessWidth] = to.size;
  const first = (i: number, n: number, m: number, axis: 0 | 1 | 2): number =>
    factors ? Math.min(m - 1, i * factors[axis]) : firstOf(i, n, m);
  const columns = Uint32Array.from({ length: lessWidth + 1 }, (_, i) =>
    i < lessWidth ? first(i, lessWidth, width, 2) : width,
  );
  const end = (i: number, n: number, m: number, axis: 0 | 1 | 2): number => {
    if (factors) return Math.min(m, (i + 1) * factors[axis]);
    return i + 1 < n ? firstOf(i + 1, n, m) : Math.min(m, lastOf(i, n, m));
  };
  const count = new Counts();
  for (let k = z[0]; k < z[1]; k++) {
    const z0 = first(k, lessDepth, depth, 0);
    for (let j = y[0]; j < y[1]; j++) {
      const y0 = first(j, lessHeight, height, 1);
      const at = (k - to.z0) * to.band.strides[0] + (j - to.y0) * to.band.strides[1];
      const row = (z0 - from.z0) * from.band.strides[0] + (y0 - from.y0) * from.band.strides[1];
      if (how === "nearest") {
        for (let i = 0; i < lessWidth; i++) target[at + i] = source[row + columns[i]];
        continue;
      }
      const z1 = Math.max(z0 + 1, end(k, lessDepth, depth, 0));
      const y1 = Math.max(y0 + 1, end(j, lessHeight, height, 1));
      for (let i = 0; i < lessWidth; i++) {
        const x1 = Math.max(columns[i] + 1, end(i, lessWidth, width, 2));
        count.clear();
        for (let zz = z0; zz < z1; zz++) {
          for (let yy = y0; yy < y1; yy++) {
            const line = row + (zz - z0) * from.band.strides[0] + (yy - y0) * from.band.strides[1];
            for (let x = columns[i]; x < x1; x++) count.add(source[line + x]);
          }
        }
        target[at + i] = count.most();
      }
    }
  }
}

/** The end of the pixels that become the last pixel: a remainder that was rounded down is left out. */
function lastOf(i: number, n: number, m: number): number {
  return isWhole(n, m) ? (i + 1) * Math.round(m / n) : m;
}

/** Counts of values, for the few pixels that become one. */
class Counts {
  #values: number[] = [];
  #counts: number[] = [];

  clear(): void {
    this.#values.length = 0;
    this.#counts.length = 0;
  }

  add(value: number): void {
    const at = this.#values.indexOf(value);
    if (at >= 0) this.#counts[at]++;
    else {
      this.#values.push(value);
      this.#counts.push(1);
    }
  }

  /** The most frequent value; the smallest if several are equally frequent. */
  most(): number {
    let best = 0;
    for (let i = 1; i < this.#values.length; i++) {
      const more = this.#counts[i] - this.#counts[best];
      if (more > 0 || (more === 0 && this.#values[i] < this.#values[best])) best = i;
    }
    return this.#values[best];
  }
}
