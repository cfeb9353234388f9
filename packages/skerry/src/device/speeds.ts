// Which device does a kind of work faster, by what both took: `auto` chooses by it. Two measurements of each device give a line, time by
// number of pixels; without them the GPU takes host images of 2^20 pixels or more.

/** The kinds of work that are measured, by the calls of an engine. Others are taken for the one that is nearest. */
export const MEASURED = ["components", "distance", "kmeans", "smooth"] as const;
export type MeasuredWork = (typeof MEASURED)[number];

/** Milliseconds that a call takes: `fixed`, and for each pixel. */
export interface Line {
  readonly fixed: number;
  readonly perPixel: number;
}

/** Both devices of one machine, from arrays to arrays. */
export type Speed = Readonly<Record<"cpu" | "gpu", Line>>;

/** A call to the GPU and back takes a millisecond, about the time that the CPU takes to label and measure this many pixels. */
const GPU_PIXELS = 1 << 20;

/** The line through two measurements; noise must not make it fall. */
export function lineOf(pixels: readonly [number, number], milliseconds: readonly [number, number]): Line {
  const perPixel = Math.max(0, (milliseconds[1] - milliseconds[0]) / (pixels[1] - pixels[0]));
  return { fixed: Math.max(0, milliseconds[0] - perPixel * pixels[0]), perPixel };
}

/** Milliseconds of a call to the GPU and back at least. A CPU whose code was not compiled yet would hide them. */
const ROUND_TRIP = 0.7;

/** Pixels from which the GPU is faster; Infinity if it never is. */
export function pixelsForGpu({ cpu, gpu }: Speed): number {
  const gained = cpu.perPixel - gpu.perPixel;
  if (gained <= 0) return Number.POSITIVE_INFINITY;
  return Math.ceil(Math.max(ROUND_TRIP, gpu.fixed - cpu.fixed) / gained);
}

/** The speeds of an engine's two devices, as far as they were measured. */
export class Speeds {
  readonly #known = new Map<MeasuredWork, number>();

  learn(work: MeasuredWork, speed: Speed): void {
    this.#known.set(work, pixelsForGpu(speed));
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
