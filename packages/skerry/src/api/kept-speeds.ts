// Keeps the speeds of a machine's devices: in Node in the user's folder for caches, in browsers in the site's storage.

import { keep, kept } from "#kept";
import { MEASURED, type MeasuredWork } from "../device/speeds.js";

/** Changed when what is measured changes: older measurements are made again. */
const VERSION = 2;
const NAME = "speeds";
/** By machine and kind of work, the pixels from which the GPU is faster; null, since JSON has no Infinity, if it never is. */
type Kept = Record<string, Partial<Record<MeasuredWork, number | null>>>;

function readKept(): Kept {
  try {
    const { version, machines } = JSON.parse(kept(NAME) ?? "{}") as { version?: number; machines?: Kept };
    return version === VERSION && machines ? machines : {};
  } catch {
    return {};
  }
}

/** The measurements that were kept for a machine, by the name of its adapter and its threads. */
export function keptSpeeds(machine: string): Partial<Record<MeasuredWork, number>> {
  const found = readKept()[machine] ?? {};
  const known = MEASURED.filter((work) => found[work] === null || Number.isFinite(found[work]));
  return Object.fromEntries(known.map((work) => [work, found[work] ?? Number.POSITIVE_INFINITY]));
}

/** Keeps what was measured on a machine, beside that of others. */
export function keepSpeeds(machine: string, speeds: Partial<Record<MeasuredWork, number>>): void {
  keep(NAME, JSON.stringify({ version: VERSION, machines: { ...readKept(), [machine]: speeds } }));
}
