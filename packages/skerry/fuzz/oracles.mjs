// The slow answers of the tests, which share no code with the library, for those steps that have one and are small enough.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rasterOf } from "./pixels.mjs";

const MOST_PIXELS = 6_000;
const MOST_DISTANCES = 1_000_000;

/** Bundles the oracles of test/, which are TypeScript. */
async function load() {
  const folder = fileURLToPath(new URL("../test/", import.meta.url));
  const contents = ["oracle", "solids", "distances", "clusters"]
    .map((name) => `export * as ${name} from "./${name}.ts";`)
    .join("\n");
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: folder, loader: "ts" }, bundle: true, format: "esm", platform: "node" },
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { oracle, solids, distances } = await load();

/** Foreground classes by definition; undefined for a threshold that has no plain definition here. */
function classesOf({ data, channels }, threshold) {
  const float = data instanceof Float32Array;
  const values = oracle.luma(data, channels, float);
  // NaN is background under every threshold; of colours the luma is NaN where a channel is.
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
    const t = oracle.otsu(values);
    return Uint8Array.from(values, (v) => (v > t ? 1 : 0));
  }
  const { above, below, between, outside } = threshold;
  if (above !== undefined) return Uint8Array.from(values, (v) => (v > above ? 1 : 0));
  if (below !== undefined) return Uint8Array.from(values, (v) => (v < below ? 1 : 0));
  if (between) return Uint8Array.from(values, (v) => (v >= between[0] && v <= between[1] ? 1 : 0));
  return Uint8Array.from(values, (v) => (v > outside[1] ? 1 : v < outside[0] ? 2 : 0));
}

const SLOW = {
  components({ rule, filter, neighbours, product }, raster) {
    if (rule.by || product !== "labels") return undefined;
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
    if (depth > 1 || typeof tolerance === "object" || average > 1 || raster.data instanceof Float32Array)
      return undefined;
    const each = Array.from({ length: channels }, () => tolerance);
    const filled = oracle.fill(raster, {
      seeds: seeds.map(([x, y]) => [x % width, y % height]),
      ...{ lower: each, upper: each, metric, contiguous, connectivity: [4, 8, 8][neighbours] },
      floating: contiguous && range === "floating",
    });
    return [filled, "mask"];
  },
  distance({ threshold, to, metric, spacing, max, beyond: wanted, signed, nearest }, raster) {
    // steps.mjs asks for nothing else where nearest sites are wanted.
    const beyond = nearest && metric !== "chessboard" ? "infinity" : wanted;
    if (to === "surface" || signed) return undefined;
    const classes = classesOf(raster, threshold);
    const { width, height, depth = 1 } = raster;
    const sites = classes?.reduce((sum, c) => sum + c, 0);
    if (!classes || sites * classes.length > MOST_DISTANCES) return undefined;
    const { distance } = distances.bruteForce({ data: classes, width, height, depth }, metric, spacing);
    return [
      distance.map((d) => (max === undefined || d <= max ? d : beyond === "clamp" ? max : Number.POSITIVE_INFINITY)),
      "distance",
    ];
  },
};

/** What is wrong with a step's result by a slow answer, if there is one. */
export function mismatch(step, { arrays }) {
  const slow = SLOW[step.noun];
  const { size } = step.raster ?? {};
  if (!slow || !arrays || size.width * size.height * size.depth > MOST_PIXELS) return undefined;
  const raster = rasterOf(step.raster);
  const expected = slow(step, raster);
  if (expected === undefined) return undefined;
  const [values, kind] = Array.isArray(expected) ? expected : [expected, "same"];
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
