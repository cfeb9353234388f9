// Channels of a file drawn together, each in a colour between two of its values. Only what is seen changes: objects are found in the channel
// that the slider takes.

import { signal } from "@preact/signals";
import type { PixelArray } from "skerry";
import type { ImagesAxis } from "../files/opened.js";

/** How a channel is drawn. */
export interface DrawnChannel {
  readonly name: string;
  readonly isOn: boolean;
  /** As in #00ff00. */
  readonly colour: string;
  /** The values that are shown as black and as the colour; undefined until they are known. */
  readonly window: readonly [number, number] | undefined;
}

/** Colours of channels without their own, as ImageJ has them. */
const COLOURS = ["#ff0000", "#00ff00", "#0000ff", "#ffffff", "#00ffff", "#ff00ff", "#ffff00"];
/** Parts of the values that are darker than black and brighter than the colour at first, and values that tell them. */
const CUT = 0.005;
const MOST_SAMPLES = 2 ** 16;

/** Channels of the files that were looked at, by name. */
export const drawnChannels = signal<Readonly<Record<string, readonly DrawnChannel[]>>>({});

/** Channels as the file shows them, or in colours one after the other; all are off. */
export const channelsOf = ({ size, shown = [] }: Pick<ImagesAxis, "size" | "shown">): readonly DrawnChannel[] =>
  Array.from({ length: size }, (_, i) => ({
    name: shown[i]?.name ?? String(i),
    isOn: false,
    colour: shown[i]?.colour ?? COLOURS[i % COLOURS.length],
    window: shown[i]?.window,
  }));

/** The values below and above which few values lie. */
export function windowIn(data: PixelArray): readonly [number, number] {
  const step = Math.max(1, Math.floor(data.length / MOST_SAMPLES));
  const samples: number[] = [];
  for (let i = 0; i < data.length; i += step) if (Number.isFinite(data[i])) samples.push(data[i]);
  if (samples.length === 0) return [0, 1];
  const sorted = Float64Array.from(samples).sort();
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))];
  const [low, high] = [at(CUT), at(1 - CUT)];
  return low < high ? [low, high] : [low, low + 1];
}

/** Adds the colours of planes of one size: red, green, blue and 255 of each pixel. */
export function composedOf(
  planes: readonly { readonly data: PixelArray; readonly colour: string; readonly window: readonly [number, number] }[],
): Uint8Array {
  const pixels = planes[0]?.data.length ?? 0;
  const sums = new Float32Array(3 * pixels);
  for (const { data, colour, window } of planes) {
    const [low, high] = window;
    const scale = 1 / (high - low || 1);
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    for (let i = 0, to = 0; i < pixels; i++, to += 3) {
      const part = Math.max(0, Math.min(1, (data[i] - low) * scale)) || 0;
      sums[to] += part * red;
      sums[to + 1] += part * green;
      sums[to + 2] += part * blue;
    }
  }
  const rgba = new Uint8ClampedArray(4 * pixels);
  for (let i = 0, from = 0, to = 0; i < pixels; i++, from += 3, to += 4) {
    rgba[to] = sums[from];
    rgba[to + 1] = sums[from + 1];
    rgba[to + 2] = sums[from + 2];
    rgba[to + 3] = 255;
  }
  return new Uint8Array(rgba.buffer);
}
