// The threshold of `skerry explain`, worked out again in plain JavaScript: which pixels are foreground, and of which
// polarity. It shares no code with the engine, so that its pictures also check the engine.

import type { Raster, Threshold } from "skerry";

/** The polarity of every pixel: 0 is background; under `{ outside }` 1 is bright and 2 is dark, otherwise 1 is foreground. */
export function classesOf(
  raster: Raster & { channels: number },
  threshold: Threshold,
  dark: boolean,
  chosen: number | undefined,
): Uint8Array {
  const { data, width, height, channels } = raster;
  const missing = missingOf(raster);
  const classes = new Uint8Array(width * height);
  const classOf = rule(threshold, dark, chosen);
  for (let i = 0; i < classes.length; i++) {
    const at = i * channels;
    const first = data[at];
    const [green, blue] = [data[at + 1], data[at + 2]];
    if (threshold === "nonzero") {
      const colour = channels > 1 ? [first, green, blue] : [first];
      // NaN is background.
      classes[i] = colour.some((value) => value !== 0) && !colour.some(Number.isNaN) && first !== missing ? 1 : 0;
    } else if (first !== missing) {
      classes[i] = classOf(channels > 1 ? luma(data, first, green, blue) : first);
    }
  }
  return classes;
}

/** The nodata value as the array stores it; only images of one channel have one. */
function missingOf({ data, nodata }: Raster): number | undefined {
  if (nodata === undefined) return undefined;
  return data instanceof Float32Array ? Math.fround(nodata) : Math.round(nodata);
}

function rule(threshold: Threshold, dark: boolean, chosen: number | undefined): (value: number) => number {
  if (threshold === "nonzero") return (value) => (value !== 0 ? 1 : 0);
  if (typeof threshold === "string") {
    if (chosen === undefined) throw new RangeError("the automatic threshold is missing");
    return dark ? (value) => (value <= chosen ? 1 : 0) : (value) => (value > chosen ? 1 : 0);
  }
  if ("above" in threshold) return (value) => (value > threshold.above ? 1 : 0);
  if ("below" in threshold) return (value) => (value < threshold.below ? 1 : 0);
  if ("between" in threshold) {
    const [low, high] = threshold.between;
    return (value) => (value >= low && value <= high ? 1 : 0);
  }
  if ("hysteresis" in threshold || "local" in threshold)
    throw new RangeError("hysteresis and local thresholds need more than one pixel");
  const [low, high] = threshold.outside;
  return (value) => (value > high ? 1 : value < low ? 2 : 0);
}

/** Rec. 601 luma in integers. For f32, every step is rounded to single precision, in this order. */
function luma(data: Raster["data"], red: number, green: number, blue: number): number {
  if (!(data instanceof Float32Array)) return Math.floor((77 * red + 150 * green + 29 * blue + 128) / 256);
  const { fround } = Math;
  return fround(fround(fround(fround(77 * red) + fround(150 * green)) + fround(29 * blue)) / 256);
}
