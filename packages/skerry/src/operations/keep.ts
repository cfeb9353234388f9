// The objects that `keep()` keeps, chosen on the host: a byte per object.

import type { Call } from "../core/call.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { unexpected } from "../options/arguments.js";
import { checkLabelList } from "../options/labels.js";
import { nearest } from "../options/nearest.js";
import { InvalidArgument } from "../types/errors.js";
import type { KeepOptions, KeepWhereOptions, ObjectKind, ObjectProperties } from "../types/filter.js";
import { isList, type ObjectProperty, REGION_PROPERTIES } from "../types/region-properties.js";
import type { RegionProperty, Regions } from "../types/regions.js";
import { POLARITIES } from "../types/threshold.js";

/** Returns a byte per object, 1 for objects that stay. */
export type Choose = (router: Router, held: BackendComponents, call: Call) => Promise<Uint8Array>;

/** Checks the options of `keep()`. */
export function chosenLabels({ perValue, labels, ...options }: KeepOptions): Choose {
  const unused = Object.entries(options).find(
    ([name, value]) => value !== undefined && ["properties", "intensity", "physical", "quantiles"].includes(name),
  );
  if (unused) {
    throw new InvalidArgument(`Expected ${unused[0]} only together with where.`, { argument: unused[0] });
  }
  if ((perValue === undefined) === (labels === undefined)) {
    throw new InvalidArgument("Expected either perValue or labels to say which objects to keep.", {
      argument: "perValue",
    });
  }
  if (labels !== undefined) return async (_, held) => marked(checkLabelList(labels, held.count), held.count);
  const k = perValue as number;
  if (!Number.isInteger(k) || k < 1) {
    throw unexpected("perValue", "a whole number of at least 1", perValue);
  }
  return (router, held, call) => largestPerValue(router, held, k, call);
}

/** Checks the options of `keep()` with `where`, and returns the properties that it reads. */
export function checkWhere<P extends ObjectProperty>({
  where,
  properties,
  perValue,
  labels,
}: KeepWhereOptions<P>): readonly P[] {
  if (typeof where !== "function") throw unexpected("where", "a function of an object's properties", where);
  if (perValue !== undefined || labels !== undefined) {
    throw new InvalidArgument("Expected where alone, or perValue, or labels.", { argument: "where" });
  }
  if (properties === undefined) return [];
  if (!Array.isArray(properties)) {
    throw unexpected("properties", "a list of the properties that where reads", properties);
  }
  const ragged = (properties as readonly RegionProperty[]).find(isList);
  if (ragged) {
    throw new InvalidArgument(`Expected properties of one number or several for where, got ${ragged}.`, {
      argument: "properties",
    });
  }
  return properties;
}

/** Keeps the objects that a function accepts. */
export function chosenWhere<P extends ObjectProperty>(
  { where, properties = [] }: KeepWhereOptions<P>,
  measure: (held: BackendComponents, call: Call) => Promise<Regions>,
): Choose {
  return async (_, held, call) => {
    const regions = await measure(held, call);
    const { count } = held;
    const columns = properties.map((name) => {
      const values = regions[name] as ArrayLike<number | bigint>;
      // A list of one quantile is still a list.
      return { name, values, parts: values.length / count, isList: name === "quantiles" };
    });
    const { polarity, value } = regions;
    const channels = value ? value.length / count : 0;
    const strict = strictPrototype(properties);
    return Uint8Array.from({ length: count }, (__, i) => {
      const object: Record<string, number | number[] | string> = {};
      if (polarity) object.polarity = POLARITIES[polarity[i] - 1];
      if (value)
        object.value = channels === 1 ? value[i] : Array.from(value.subarray(i * channels, (i + 1) * channels));
      for (const { name, values, parts, isList } of columns) {
        const partValues = Array.from({ length: parts }, (___, k) => Number(values[i * parts + k]));
        object[name] = parts > 1 || isList ? partValues : partValues[0];
      }
      Object.setPrototypeOf(object, strict);
      const stays = where(object as ObjectProperties<P> & ObjectKind, i);
      if (typeof stays !== "boolean") throw unexpected("the result of where", "true or false", stays);
      return Number(stays);
    });
  };
}

/** The prototype of measured objects: refuses names of properties, or nearly such names, that were not measured. */
function strictPrototype(properties: readonly string[]): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver) {
      const near = typeof name === "string" && !(name in target) && nearest(name, REGION_PROPERTIES);
      if (!near) return Reflect.get(target, name, receiver);
      throw new InvalidArgument(
        `Expected where to read one of its properties (${properties.join(", ")}), got ${String(name)}${near === name ? "; add it to properties" : ""}.`,
        { argument: "where" },
      );
    },
  });
}

function marked(labels: readonly number[], count: number): Uint8Array {
  const keep = new Uint8Array(count);
  for (const label of labels) keep[label - 1] = 1;
  return keep;
}

/** Sorts the objects by area, and keeps the first k of each value or polarity. */
async function largestPerValue(router: Router, held: BackendComponents, k: number, call: Call): Promise<Uint8Array> {
  const { count, values, touching } = held;
  const { area } = await router.regions(held, { level: "area", solid: held.depth > 1 || touching }, call);
  const polarities = held.polarities === 2 ? await router.serve(held, "polarityOf", undefined, call) : undefined;
  const channels = values ? values.length / count : 0;
  const kindOf = (i: number): number | string => {
    if (polarities) return polarities[i];
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
