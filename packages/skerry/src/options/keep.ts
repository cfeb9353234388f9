// Which objects stay, chosen on the host: a byte per object.

import { InvalidArgument } from "../api/errors.js";
import type { KeepOptions } from "../api/types.js";
import type { Call } from "../core/call.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { unexpected } from "./arguments.js";

/** Makes a byte per object, 1 for those that stay. */
export type Choose = (router: Router, held: BackendComponents, call: Call) => Promise<Uint8Array>;

/** Checks the options of `keep()`. */
export function chosenLabels({ perValue, labels }: KeepOptions): Choose {
  if ((perValue === undefined) === (labels === undefined)) {
    throw new InvalidArgument("Expected either perValue or labels to say which objects to keep.", {
      argument: "perValue",
    });
  }
  if (labels !== undefined && typeof Object(labels)[Symbol.iterator] !== "function") {
    throw unexpected("labels", "a list of labels", labels);
  }
  if (labels !== undefined) return (_, held) => listed(labels, held.count);
  const k = perValue as number;
  if (!Number.isInteger(k) || k < 1) {
    throw unexpected("perValue", "a whole number of at least 1", perValue);
  }
  return (router, held, call) => largestPerValue(router, held, k, call);
}

async function listed(labels: Iterable<number>, count: number): Promise<Uint8Array> {
  const keep = new Uint8Array(count);
  for (const label of labels) {
    if (!Number.isInteger(label) || label < 1 || label > count) {
      throw unexpected("labels", `whole numbers from 1 to ${count}`, label);
    }
    keep[label - 1] = 1;
  }
  return keep;
}

/** Sorts the objects by size, and of each value or class takes the first k. */
async function largestPerValue(router: Router, held: BackendComponents, k: number, call: Call): Promise<Uint8Array> {
  const { count, values, touching } = held;
  const { area } = await router.regionsOf(held, { level: "area", solid: held.depth > 1 || touching }, call);
  const classes = held.classes === 2 ? await held.classOf(call) : undefined;
  const channels = values ? values.length / count : 0;
  const kindOf = (i: number): number | string => {
    if (classes) return classes[i];
    if (!values) return 0;
    return channels === 1 ? values[i] : values.subarray(i * channels, (i + 1) * channels).join();
  };
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => area[b] - area[a] || a - b);
  const kept = new Map<number | string, number>();
  const keep = new Uint8Array(count);
  for (const i of order) {
    const kind = kindOf(i);
    const before = kept.get(kind) ?? 0;
    if (before === k) continue;
    kept.set(kind, before + 1);
    keep[i] = 1;
  }
  return keep;
}
