// Thresholds: their check, and their intervals of values in each pixel type.

import { chooseThreshold, isAutomatic } from "../core/automatic-threshold.js";
import type { Histogram } from "../core/histogram.js";
import { PIXEL_RANGE, type Shape } from "../core/pixels.js";
import type { Interval, Predicate } from "../core/plans.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { PixelType } from "../types/raster.js";
import {
  type AutomaticThreshold,
  type LocalThreshold,
  METHODS,
  POLARITIES,
  type Polarity,
  type Threshold,
} from "../types/threshold.js";
import { number, oneOf, pair, show, unexpected } from "./arguments.js";
import { nearest } from "./nearest.js";
import { checkRadius } from "./smooth.js";

const NAMES = Object.keys(METHODS);
const quotedMethods = NAMES.map((name) => `"${name}"`).join(", ");

export function checkThreshold(threshold: unknown, polarity: unknown): Threshold {
  if (polarity !== undefined) oneOf("polarity", polarity, [...POLARITIES, "auto"]);
  if ((polarity === "dark" || polarity === "auto") && !isAutomatic(threshold) && !isLocal(threshold)) {
    throw new InvalidArgument(
      `Expected polarity "${polarity}" only with threshold ${quotedMethods} or { local }; use { below: n } otherwise.`,
      { argument: "polarity" },
    );
  }
  if (threshold === "nonzero" || isAutomatic(threshold)) return threshold;
  const kinds = ["above", "below", "between", "outside", "hysteresis", "local"] as const;
  const record = (typeof threshold === "object" && threshold !== null ? threshold : {}) as Record<string, unknown>;
  const given = kinds.filter((kind) => record[kind] !== undefined);
  const [kind] = given;
  if (given.length !== 1 || !kind) {
    const words = typeof threshold === "string" ? ["nonzero", ...NAMES] : kinds;
    const near = (typeof threshold === "string" ? [threshold] : Object.keys(record)).map((each) =>
      nearest(each, words),
    );
    // A known name without a value is no misspelling.
    const hint = near.find((each) => each !== undefined && !Object.hasOwn(record, each));
    throw new InvalidArgument(
      `Expected threshold to be "nonzero", ${quotedMethods} or one of { above }, { below }, { between }, { outside }, { hysteresis } and { local }, got ${
        given.length > 1 ? `both ${given.join(" and ")}` : show(threshold)
      }${hint && given.length === 0 ? `; did you mean ${hint}?` : "."}`,
      { argument: "threshold" },
    );
  }
  if (kind === "local") checkLocal(record.local);
  else if (kind === "above" || kind === "below") number(`threshold.${kind}`, record[kind]);
  else pair(`threshold.${kind}`, record[kind]);
  return threshold as Threshold;
}

/** Whether a threshold is compared with the pixels around each pixel. */
function isLocal(threshold: unknown): threshold is LocalThreshold {
  return typeof threshold === "object" && threshold !== null && (threshold as { local?: unknown }).local !== undefined;
}

const LOCAL = { mean: ["radius", "method", "offset"], sauvola: ["radius", "method", "k", "r"] } as const;

function checkLocal(local: unknown): void {
  if (typeof local !== "object" || local === null) {
    throw unexpected("threshold.local", "{ radius, method }", local);
  }
  const given = local as Record<string, unknown>;
  const method = oneOf("threshold.local.method", given.method ?? "mean", ["mean", "sauvola"]);
  for (const name of Object.keys(given)) {
    if ((LOCAL[method] as readonly string[]).includes(name) || given[name] === undefined) continue;
    throw new InvalidArgument(
      `Expected threshold.local of method "${method}" to have ${LOCAL[method].join(", ")}, got ${show(name)}.`,
      { argument: "threshold" },
    );
  }
  for (const name of ["offset", "k"]) if (given[name] !== undefined) finite(`threshold.local.${name}`, given[name]);
  if (given.r !== undefined && !(finite("threshold.local.r", given.r) > 0)) {
    throw unexpected("threshold.local.r", "above 0", given.r);
  }
}

function finite(name: string, value: unknown): number {
  if (!Number.isFinite(value)) throw unexpected(name, "a number", value);
  return value as number;
}

/** Steps of Sauvola's k. */
const K_STEP = 2 ** -20;

/** The predicate of a local threshold. */
function localPredicate({ local }: LocalThreshold, shape: Shape, dark: boolean): Predicate {
  const { type, nodata } = shape;
  if (type !== "u8" && type !== "u16" && type !== "i16") {
    throw new Unsupported(
      `Expected u8, u16 or i16 for a local threshold, got ${type}; flatten takes it, and then one threshold.`,
    );
  }
  if (nodata !== undefined) throw new Unsupported("Expected no nodata with a local threshold.");
  const radius = checkRadius("threshold.local.radius", local.radius, shape, local.method === "sauvola");
  // The threshold of bright objects is that of dark ones, reflected at the mean.
  const side = dark ? 1 : -1;
  const plan =
    local.method === "sauvola"
      ? {
          first: side * Math.round((local.k ?? 0.2) / K_STEP) * K_STEP,
          second: local.r ?? (type === "u8" ? 128 : 32768),
        }
      : { first: side * (local.offset ?? 0), second: 1 };
  return { ...one(interval(type, 0, 0)), local: { radius, method: local.method ?? "mean", ...plan, dark } };
}

/** The predicate of a threshold that is not automatic, on pixels of `type`. */
function predicateOf(
  threshold: Exclude<Threshold, AutomaticThreshold | LocalThreshold>,
  type: PixelType,
  channels: number,
): Predicate {
  if (threshold === "nonzero") {
    return { any: channels > 1, intervals: [{ ...interval(type, 0, 0), invert: true }] };
  }
  if ("above" in threshold) return one(above(type, threshold.above));
  if ("below" in threshold) return one(below(type, threshold.below));
  if ("between" in threshold) return one(interval(type, threshold.between[0], threshold.between[1]));
  // Components without a pixel above the higher threshold are dropped later.
  if ("hysteresis" in threshold) return one(above(type, threshold.hysteresis[0]));
  const [lo, hi] = threshold.outside;
  return { any: false, intervals: [above(type, hi), below(type, lo)] };
}

/** The predicate of a chosen value: bright is above it, dark at and below it. */
function chosenPredicate(value: number, type: PixelType, dark: boolean): Predicate {
  return one(dark ? interval(type, Number.NEGATIVE_INFINITY, value) : above(type, value));
}

function one(interval: Interval): Predicate {
  return { any: false, intervals: [interval] };
}

function above(type: PixelType, n: number): Interval {
  return interval(type, type === "f32" ? floatAbove(n) : Math.floor(n) + 1, Number.POSITIVE_INFINITY);
}

function below(type: PixelType, n: number): Interval {
  return interval(type, Number.NEGATIVE_INFINITY, type === "f32" ? -floatAbove(-n) : Math.ceil(n) - 1);
}

/** lo <= v <= hi, narrowed to the values of the type; the empty interval if none is left. */
function interval(type: PixelType, lo: number, hi: number): Interval {
  const [least, most] = PIXEL_RANGE[type];
  const isInteger = type !== "f32";
  const from = Math.max(least, isInteger ? Math.ceil(lo) : floatAtLeast(lo));
  const to = Math.min(most, isInteger ? Math.floor(hi) : -floatAtLeast(-hi));
  // Kernels need an interval that holds a value, so the empty interval is the inverse of the full one.
  if (!(from <= to)) return { lo: least, hi: most, invert: true };
  return { lo: from, hi: to, invert: false };
}

/** The smallest f32 that is >= n. */
function floatAtLeast(n: number): number {
  const f = Math.fround(n);
  return f >= n ? f : nextFloat(f);
}

/** The smallest f32 that is > n. */
function floatAbove(n: number): number {
  const f = Math.fround(n);
  return f > n ? f : nextFloat(f);
}

function nextFloat(f: number): number {
  if (f === Number.POSITIVE_INFINITY) return Number.NaN;
  if (f === 0) return 2 ** -149;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, f);
  view.setInt32(0, view.getInt32(0) + (f > 0 ? 1 : -1));
  return view.getFloat32(0);
}

/** A threshold on pixels of a type: its predicate by polarity (ignored by some thresholds), and the value if it is automatic. */
export interface Rule {
  readonly predicate: (dark: boolean) => Predicate;
  readonly chosen: number | undefined;
  /** Whether pixels have one value, which no threshold divides: then objects are bright. */
  readonly isFlat: boolean;
}

/** The rule of any threshold; automatic ones are chosen from the histogram. */
export async function ruleOf(threshold: Threshold, shape: Shape, histogram: () => Promise<Histogram>): Promise<Rule> {
  if (!isAutomatic(threshold)) return fixedRule(threshold, shape);
  const { value, divides } = chooseThreshold(threshold, await histogram());
  const predicate = (dark: boolean): Predicate => ({
    ...chosenPredicate(value, shape.type, dark),
    except: shape.nodata,
  });
  return { predicate, chosen: value, isFlat: !divides };
}

/** The rule of a threshold that is not automatic; throws where the shape does not suit it. */
export function fixedRule(threshold: Exclude<Threshold, AutomaticThreshold>, shape: Shape): Rule {
  const { type, channels, nodata } = shape;
  if (isLocal(threshold))
    return { predicate: (dark) => localPredicate(threshold, shape, dark), chosen: undefined, isFlat: false };
  const predicate = { ...predicateOf(threshold, type, channels), except: nodata };
  return { predicate: () => predicate, chosen: undefined, isFlat: false };
}

/** The side of a threshold on which objects lie if no polarity is given; undefined for thresholds without a side. */
export function polarityOf(threshold: Threshold): Polarity | "both" | undefined {
  if (threshold === "nonzero") return undefined;
  if (typeof threshold !== "object") return "bright";
  if ("below" in threshold) return "dark";
  if ("outside" in threshold) return "both";
  return "between" in threshold ? undefined : "bright";
}
