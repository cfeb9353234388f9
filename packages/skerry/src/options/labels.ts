// The targets of `labels()` and `mask()`, and lists of labels.

import { InvalidArgument } from "../types/errors.js";
import type { Sink } from "../types/raster.js";
import { show, unexpected } from "./arguments.js";
import { isSink } from "./pixels.js";

/** Checks the target of labels of `pixels` pixels; undefined for a new array. */
export function checkLabelsInto(into: unknown, pixels: number, windowed: boolean): Uint32Array | Sink | undefined {
  if (into === undefined) return undefined;
  if (into instanceof Uint32Array) {
    if (into.length === pixels) return into;
  } else if (windowed) throw unexpected("into", "a Uint32Array with a window", into);
  else if (isSink(Object(into))) return into as Sink;
  const found = into instanceof Uint32Array ? `${into.length} values` : show(into);
  throw new InvalidArgument(`Expected into to be a Sink or a Uint32Array of ${pixels} values, got ${found}.`, {
    argument: "into",
  });
}

/** Whether a result goes into a GPUBuffer. */
export function checkAs(as: unknown): boolean {
  if (as !== undefined && as !== "buffer") throw unexpected("as", '"buffer" or left out', as);
  return as === "buffer";
}

/** Checks a list of labels, in any order; labels may repeat. */
export function checkLabelList(labels: unknown, count: number): readonly number[] {
  if (typeof Object(labels)[Symbol.iterator] !== "function") throw unexpected("labels", "a list of labels", labels);
  const list = [...(labels as Iterable<number>)];
  const wrong = list.findIndex((label) => !Number.isInteger(label) || label < 1 || label > count);
  if (wrong >= 0) throw unexpected("labels", `whole numbers from 1 to ${count}`, list[wrong]);
  return list;
}
