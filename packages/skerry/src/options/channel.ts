// The channel, stain or contrast of a name or a number.

import type { Shape } from "../core/pixels.js";
import { Unsupported } from "../types/errors.js";
import { COLOUR_CHANNELS, STAIN_NAMES } from "../types/raster.js";
import { unexpected } from "./arguments.js";

/** The number of a stain; undefined for other channels, and for rasters of fewer than 3 channels. */
export function stainOf(channel: unknown, channels: number): number | undefined {
  const stain = (STAIN_NAMES as readonly unknown[]).indexOf(channel);
  return stain >= 0 && channels >= 3 ? stain : undefined;
}

/** Refuses rasters whose contrast with their frame is not defined. */
export function checkContrast({ type, nodata }: Pick<Shape, "type" | "nodata">): void {
  if (type !== "u8" && type !== "u16") {
    throw new Unsupported(`Expected a u8 or u16 raster for the channel "contrast", got ${type}.`);
  }
  if (nodata !== undefined) throw new Unsupported('Expected no nodata with the channel "contrast".');
}

/** The number of a channel, or undefined for luma. */
export function checkChannel(channel: unknown, channels: number): number | undefined {
  if (channel === "luma") return channels === 1 ? 0 : undefined;
  const names = channels === 1 ? [] : COLOUR_CHANNELS.slice(0, channels);
  const number = typeof channel === "string" ? (names as readonly string[]).indexOf(channel) : channel;
  if (Number.isInteger(number) && (number as number) >= 0 && (number as number) < channels) return number as number;
  const stains = channels >= 3 ? STAIN_NAMES : [];
  const known = ['"luma"', '"contrast"', ...[...names, ...stains].map((name) => `"${name}"`)].join(", ");
  if (channels < 3 && STAIN_NAMES.some((name) => name === channel)) {
    throw new Unsupported(
      `Expected colours of u8 or u16 for the channel ${channel}, got ${channels === 1 ? "one channel" : `${channels} channels`}.`,
    );
  }
  throw unexpected("the channel", `${known} or a number below ${channels}`, channel);
}
