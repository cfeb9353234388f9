// The slow references of the tests, which share no code with the library, for steps that have one and are small enough.

import { clusters, distances, oracle, solids } from "./answers.mjs";
import { startOf } from "./draw.mjs";
import { rasterOf } from "./pixels.mjs";

const MOST_PIXELS = 6_000;
const MOST_DISTANCES = 1_000_000;
/** Pixels times centres times iterations. */
const MOST_COSTS = 400_000;

/** Foreground classes by definition; undefined for a threshold that has no plain definition here. */
function classesOf({ data, channels, nodata }, threshold) {
  const classes = definedClasses({ data, channels, nodata }, threshold);
  return nodata === undefined ? classes : classes?.map((c, i) => (data[i] === nodata ? 0 : c));
}

function definedClasses({ data, channels, nodata }, threshold) {
  const float = data instanceof Float32Array;
  const values = oracle.luma(data, channels, float);
  // NaN is background under every threshold. The luma of a colour is NaN if one of its channels is.
  const odd = (i) =>
    float && Array.from({ length: Math.min(3, channels) }, (_, c) => data[i * channels + c]).some(Number.isNaN);
  if (threshold === "nonzero") {
    return Uint8Array.from(values, (_, i) =>
      Array.from({ length: Math.min(3, channels) }, (_, c) => data[i * channels + c]).some((v) => v !== 0) && !odd(i)
        ? 1
        : 0,
    );
  }
  if (threshold === "otsu") {
    if (!(data instanceof Uint8Array)) return undefined;
    const measured = values.filter((v) => v !== nodata);
    if (measured.length === 0) return undefined;
    // Of one value no threshold divides pixels: those that are not 0 are objects.
    const t = measured.every((v) => v === measured[0]) ? 0 : oracle.otsu(measured);
    return Uint8Array.from(values, (v) => (v > t ? 1 : 0));
  }
  // Li's, the triangle's and hysteresis are compared in test/threshold.test.ts.
  if (typeof threshold === "string" || threshold.hysteresis) return undefined;
  const { above, below, between, outside } = threshold;
  if (above !== undefined) return Uint8Array.from(values, (v) => (v > above ? 1 : 0));
  if (below !== undefined) return Uint8Array.from(values, (v) => (v < below ? 1 : 0));
  if (between) return Uint8Array.from(values, (v) => (v >= between[0] && v <= between[1] ? 1 : 0));
  return Uint8Array.from(values, (v) => (v > outside[1] ? 1 : v < outside[0] ? 2 : 0));
}

const SLOW = {
  components({ rule, filter, neighbours, product, within }, raster) {
    if (within || rule.by || rule.polarity || product !== "labels") return undefined;
    const { width, height, depth = 1 } = raster;
    const classes = classesOf(raster, rule.threshold);
    if (!classes) return undefined;
    if (depth === 1) {
      const two = classes.includes(2);
      if (two && filter.fillHoles) return undefined;
      const connectivity = [4, 8, 8][neighbours];
      return oracle.label(oracle.filter(classes, width, height, connectivity, filter), width, height, connectivity)
        .labels;
    }
    if (Object.keys(filter).length > 0) return undefined;
    const connectivity = [6, 18, 26][neighbours];
    const size = { width, height, depth };
    return solids.label(
      size,
      connectivity,
      (at) => classes[at] > 0,
      (a, b) => classes[a] === classes[b],
    ).labels;
  },
  fill({ seeds, tolerance, metric, range, contiguous, average, neighbours }, raster) {
    const { width, height, depth = 1, channels } = raster;
    const odd = raster.data instanceof Float32Array || raster.nodata !== undefined;
    if (depth > 1 || typeof tolerance === "object" || average > 1 || odd) return undefined;
    const each = Array.from({ length: channels }, () => tolerance);
    const filled = oracle.fill(raster, {
      seeds: seeds.map(([x, y]) => [x % width, y % height]),
      lower: each,
      upper: each,
      metric,
      contiguous,
      connectivity: [4, 8, 8][neighbours],
      floating: contiguous && range === "floating",
    });
    return [filled, "mask"];
  },
  kmeans(step, raster) {
    const { k, init, metric, colourSpace, maxIterations, ignoreTransparent, seed } = step;
    const { data, width, height, depth = 1, channels } = raster;
    if (init !== "colours" || (data.length / channels) * k * (maxIterations + 1) > MOST_COSTS) return undefined;
    const picture = { data, width, height: height * depth, channels };
    const start = startOf(k, channels, seed);
    const rule = { metric, colourSpace, maxIterations, ignoreTransparent: ignoreTransparent && channels === 4 };
    return clusters.lloyd(picture, start, rule).data;
  },
  distance({ threshold, to, metric, spacing, max, beyond: wanted, signed, nearest }, raster) {
    // With nearest sites, steps.mjs always passes "infinity".
    const beyond = nearest && metric !== "chessboard" ? "infinity" : wanted;
    if (to === "surface" || signed) return undefined;
    const classes = classesOf(raster, threshold);
    const { width, height, depth = 1 } = raster;
    const sites = classes?.reduce((sum, c) => sum + c, 0);
    if (!classes || sites * classes.length > MOST_DISTANCES) return undefined;
    const found = distances.bruteForce({ data: classes, width, height, depth }, metric, spacing);
    const within = (d) => max === undefined || d <= max;
    return [
      found.distance.map((d) => (within(d) ? d : beyond === "clamp" ? max : Number.POSITIVE_INFINITY)),
      "distance",
      // The first of equally near sites, where distances are whole numbers; beyond max there is none.
      spacing.every((n) => n === 1) && metric === "euclidean"
        ? found.nearest.map((site, at) => (within(found.distance[at]) ? site : 0xffffffff))
        : undefined,
    ];
  },
};

/** How a step's result differs from the slow reference, if it has one and they differ. */
export function mismatch(step, { arrays }) {
  const slow = SLOW[step.noun];
  const { size } = step.raster ?? {};
  if (!slow || !arrays || size.width * size.height * size.depth > MOST_PIXELS) return undefined;
  const raster = rasterOf(step.raster);
  const expected = slow(step, raster);
  if (expected === undefined) return undefined;
  const [values, kind, sites] = Array.isArray(expected) ? expected : [expected, "same"];
  const wrong = sites && arrays[1] ? sites.findIndex((site, at) => site !== arrays[1][at]) : -1;
  if (wrong >= 0) return `site ${arrays[1][wrong]} at ${wrong}, where the slow answer is ${sites[wrong]}`;
  const words = Math.ceil(raster.width / 32);
  for (let at = 0; at < values.length; at++) {
    let found = arrays[0][at];
    if (kind === "mask") {
      const [x, row] = [at % raster.width, Math.floor(at / raster.width)];
      found = (arrays[0][row * words + (x >> 5)] >>> (x & 31)) & 1;
    }
    if (
      kind === "distance" &&
      step.beyond === "coarse" &&
      step.max !== undefined &&
      values[at] === Number.POSITIVE_INFINITY
    )
      continue;
    if (kind === "distance" && arrays[0] instanceof Uint32Array)
      found = found === 0xffffffff ? Number.POSITIVE_INFINITY : Math.sqrt(found);
    const close = kind === "distance" && Math.abs(found - values[at]) <= 2e-6 * Math.max(1, values[at]);
    if (found !== values[at] && !close) return `${found} at ${at}, where the slow answer is ${values[at]}`;
  }
  return undefined;
}
