// Which device does a kind of work faster, by what both took: `auto` chooses by the number of pixels from which the GPU was faster on this
// machine. Where that was not measured, the GPU takes host images of 2^20 pixels or more.

/** The kinds of work that are measured, by the calls of an engine. Others are taken for the one that is nearest. */
export const MEASURED = ["components", "distance", "kmeans", "smooth"] as const;
export type MeasuredWork = (typeof MEASURED)[number];

/** A picture on both devices: its pixels, and the time of the GPU as a multiple of the CPU's. */
export interface Compared {
  readonly pixels: number;
  readonly ratio: number;
}

/** A call to the GPU and back takes a millisecond, about the time that the CPU takes to label and measure this many pixels. */
const GPU_PIXELS = 1 << 20;

/**
 * Pixels from which the GPU is faster, between the largest picture that it lost and the smallest that it won; Infinity if it won none. The
 * logarithm of the ratio is taken for linear in that of the pixels.
 */
export function crossing(lost: Compared | undefined, won: Compared | undefined): number {
  if (!won) return Number.POSITIVE_INFINITY;
  if (!lost) return won.pixels;
  const share = Math.log(lost.ratio) / (Math.log(lost.ratio) - Math.log(won.ratio));
  return Math.ceil(lost.pixels * (won.pixels / lost.pixels) ** share);
}

/** The speeds of an engine's two devices, as far as they were measured. */
export class Speeds {
  readonly #known = new Map<MeasuredWork, number>();

  /** Takes note of the pixels from which the GPU is faster. */
  learn(work: MeasuredWork, from: number): void {
    this.#known.set(work, from);
  }

  /** Pixels from which the GPU does the work; undefined if it was not measured. */
  from(work: MeasuredWork): number | undefined {
    return this.#known.get(work);
  }

  /** Whether the GPU does the work, given and returned on the host. Not measured, distances stay on the CPU, for their transfers. */
  prefersGpu(work: MeasuredWork, pixels: number): boolean {
    return pixels >= (this.#known.get(work) ?? (work === "distance" ? Number.POSITIVE_INFINITY : GPU_PIXELS));
  }

  /** The measured kinds of work, and the pixels from which the GPU does each. */
  get measured(): Readonly<Partial<Record<MeasuredWork, number>>> {
    return Object.fromEntries(this.#known);
  }
}
