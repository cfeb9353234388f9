// Which channel a name or a number means.

import { unexpected } from "./arguments.js";

const CHANNEL_NAMES = ["red", "green", "blue", "alpha"];

/** The number of a channel, or undefined for luma. */
export function checkChannel(channel: unknown, channels: number): number | undefined {
  if (channel === "luma") return channels === 1 ? 0 : undefined;
  const names = channels === 1 ? [] : CHANNEL_NAMES.slice(0, channels);
  const number = typeof channel === "string" ? names.indexOf(channel) : channel;
  if (Number.isInteger(number) && (number as number) >= 0 && (number as number) < channels) return number as number;
  const known = ['"luma"', ...names.map((name) => `"${name}"`)].join(", ");
  throw unexpected("the channel", `${known} or a number below ${channels}`, channel);
}
