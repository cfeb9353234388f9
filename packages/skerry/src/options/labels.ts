// The targets of `labels()` and `mask()`, and lists of labels.

import { bytesOfBuffer } from "../core/allocation.js";
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

/** The usages of the GPUBuffer of a result: STORAGE and COPY_DST of GPUBufferUsage, which Node does not have. */
const USAGES = 0x88;

/** A result that goes into a GPUBuffer: the caller's, or a new one. */
export interface AsBuffer {
  readonly into: GPUBuffer | undefined;
}

/** Checks whether a result of `bytes` bytes goes into a GPUBuffer; undefined if not. */
export function checkAs({ as, into }: { as?: unknown; into?: unknown }, bytes: number): AsBuffer | undefined {
  const { size, usage } = Object(into) as Partial<GPUBuffer>;
  const isBuffer = size !== undefined && usage !== undefined;
  if (as === undefined && !isBuffer) return undefined;
  if (as !== "buffer") throw unexpected("as", '"buffer" for a GPUBuffer, or left out', as);
  if (into === undefined) return { into };
  const wanted = `a GPUBuffer of at least ${bytesOfBuffer(bytes)} bytes of usages STORAGE and COPY_DST`;
  if (!isBuffer) throw unexpected("into", wanted, into);
  if (size >= bytesOfBuffer(bytes) && (usage & USAGES) === USAGES) return { into: into as GPUBuffer };
  throw new InvalidArgument(
    `Expected into to be ${wanted}, got one of ${size} bytes of usages 0x${usage.toString(16)}.`,
    { argument: "into" },
  );
}

/** Checks a list of labels, in any order; labels may repeat. */
export function checkLabelList(labels: unknown, count: number): readonly number[] {
  if (typeof Object(labels)[Symbol.iterator] !== "function") throw unexpected("labels", "a list of labels", labels);
  const list = [...(labels as Iterable<number>)];
  const wrong = list.findIndex((label) => !Number.isInteger(label) || label < 1 || label > count);
  if (wrong >= 0) throw unexpected("labels", `whole numbers from 1 to ${count}`, list[wrong]);
  return list;
}
