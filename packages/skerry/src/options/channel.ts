// The channel or stain of a name or a number.

import { unexpected } from "./arguments.js";
import { STAIN_NAMES } from "./stains.js";

const CHANNEL_NAMES = ["red", "green", "blue", "alpha"];

/** The number of a stain; undefined for other channels, and for rasters of fewer than 3 channels. */
export function stainOf(channel: unknown, channels: number): number | undefined {
  const stain = (STAIN_NAMES as readonly unknown[]).indexOf(channel);
  return stain >= 0 && channels >= 3 ? stain : undefined;
}

/** The number of a channel, or undefined for luma. */
export function checkChannel(channel: unknown, channels: number): number | undefined {
  if (channel === "luma") return channels === 1 ? 0 : undefined;
  const names = channels === 1 ? [] : CHANNEL_NAMES.slice(0, channels);
  const number = typeof channel === "string" ? names.indexOf(channel) : channel;
  if (Number.isInteger(number) && (number as number) >= 0 && (number as number) < channels) return number as number;
  const stains = channels >= 3 ? STAIN_NAMES : [];
  const known = ['"luma"', ...[...names, ...stains].map((name) => `"${name}"`)].join(", ");
  throw unexpected("the channel", `${known} or a number below ${channels}`, channel);
}
