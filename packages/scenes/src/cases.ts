// Random calls from seeds, the same on every machine: `skerry info --bench --tour` runs them on every device, to check that all devices
// compute the same bits. A case returns the typed arrays that must be equal. Two results are left out, because the library allows
// devices to differ in their last bit: square roots of distances, and sums of f32.

import type {
  ComponentsOptions,
  DistanceOptions,
  Engine,
  FillOptions,
  KmeansOptions,
  PixelArray,
  Raster,
  Threshold,
} from "skerry";
import { defined } from "skerry/internal";
import { random } from "./random.js";

/** A call with its input. */
export interface Case {
  /** Short description of the call, with its seed, from which it can be repeated. */
  readonly name: string;
  readonly run: (engine: Engine) => Promise<ArrayBufferView[]>;
}

/** Draws the parameters of a case. */
interface Dice {
  /** A whole number of 0 to n - 1. */
  below(n: number): number;
  /** One of a list. */
  of<T>(list: readonly T[]): T;
  /** True in one of n draws. */
  one(n: number): boolean;
}

function diceOf(seed: number): Dice {
  const next = random(seed * 2654435761);
  const below = (n: number): number => next() % n;
  return { below, of: (list) => list[below(list.length)], one: (n) => below(n) === 0 };
}

/**
 * The case of a seed.
 * @example
 * import { caseOf } from "@skerry/scenes";
 * const { name, run } = caseOf(3);
 * const arrays = await run(engine);
 * console.log(name, arrays.length);
 */
export function caseOf(seed: number): Case {
  const dice = diceOf(seed);
  const make = [componentsCase, fillCase, distanceCase, kmeansCase][seed % 4];
  const { what, raster, run } = make(dice);
  const { width, height, depth = 1, data } = raster;
  const type = data.constructor.name.replace("Array", "");
  return { name: `seed ${seed}: ${what} of ${width} x ${height} x ${depth}, ${type}`, run };
}

interface Drawn {
  readonly what: string;
  readonly raster: Raster;
  readonly run: Case["run"];
}

function componentsCase(dice: Dice): Drawn {
  const raster = rasterOf(dice, dice.of(["u8", "u8", "u16", "i16", "f32"]), dice.of([1, 1, 3]));
  const rule: ComponentsOptions = dice.one(5)
    ? { by: dice.of(["value" as const, { tolerance: 3 }]) }
    : { threshold: thresholdOf(dice, true), fillHoles: dice.one(4) };
  const options: ComponentsOptions = defined({
    ...rule,
    connectivity: connectivityOf(dice, raster),
    minArea: dice.one(3) ? 1 + dice.below(8) : rule.minArea,
    clearBorder: dice.one(6) ? true : rule.clearBorder,
    largest: dice.one(6) ? 1 + dice.below(5) : rule.largest,
  });
  return {
    what: `components ${JSON.stringify(options)}`,
    raster,
    run: async (engine) => {
      using found = await engine.components(raster, options);
      const { area, bounds, centroid } = await found.regions();
      const { row, begin, end, label } = await found.runs();
      return [(await found.labels()).data, area, bounds, centroid, row, begin, end, label] as ArrayBufferView[];
    },
  };
}

function fillCase(dice: Dice): Drawn {
  const raster = rasterOf(dice, dice.of(["u8", "u8", "u16", "f32"]), dice.of([1, 3, 4]));
  const { width, height, depth = 1 } = raster;
  const contiguous = !dice.one(6);
  const options: FillOptions = {
    seeds: Array.from({ length: 1 + dice.below(3) }, () => {
      const [x, y, z] = [dice.below(width), dice.below(height), dice.below(depth)];
      return depth > 1 ? ([x, y, z] as const) : ([x, y] as const);
    }),
    tolerance: dice.of([0, 1, 8, 40]),
    metric: dice.of(["linf", "l1", "l2"]),
    range: contiguous ? dice.of(["fixed", "fixed", "floating"]) : "fixed",
    connectivity: connectivityOf(dice, raster),
    contiguous,
  };
  return {
    what: `fill ${JSON.stringify(options)}`,
    raster,
    run: async (engine) => {
      using found = await engine.fill(raster, options);
      return [(await found.labels()).data, (await found.mask()).bits];
    },
  };
}

function distanceCase(dice: Dice): Drawn {
  const raster = rasterOf(dice, "u8", 1);
  const metric = dice.of(["euclidean", "euclidean", "cityblock", "chessboard"] as const);
  const options: DistanceOptions & { into?: undefined } = defined({
    threshold: thresholdOf(dice, false) as DistanceOptions["threshold"],
    to: dice.of(["foreground", "surface"]),
    metric,
    // The other metrics have no square root.
    squared: metric === "euclidean" ? true : undefined,
    max: dice.one(2) ? 1 + dice.below(30) : undefined,
    nearest: metric === "euclidean" && raster.height > 1 && dice.one(2) ? true : undefined,
  });
  return {
    what: `distance ${JSON.stringify(options)}`,
    raster,
    run: async (engine) => {
      const { data, nearest } = await engine.distance(raster, options);
      return nearest ? [data, nearest] : [data];
    },
  };
}

function kmeansCase(dice: Dice): Drawn {
  const raster = rasterOf(dice, "u8", dice.of([1, 3, 3, 4]));
  const options: KmeansOptions & { into?: undefined } = {
    k: 1 + dice.below(12),
    metric: dice.of(["l2", "l2", "l1", "l1-mean"]),
    init: dice.of(["kmeans++", "random", "grid"]),
    colourSpace: dice.of(["rgb", "rgb", "oklab"]),
    seed: dice.below(1000),
    maxIterations: dice.below(20),
  };
  return {
    what: `kmeans ${JSON.stringify(options)}`,
    raster,
    run: async (engine) => {
      const { data, palette, counts, centres } = await engine.kmeans(raster, options);
      return [data, palette, counts, centres];
    },
  };
}

function connectivityOf(dice: Dice, { depth = 1 }: Raster): 4 | 8 | 6 | 18 | 26 {
  return depth > 1 ? dice.of([6, 18, 26]) : dice.of([4, 8]);
}

function thresholdOf(dice: Dice, outside: boolean): Threshold {
  const [a, b] = [dice.below(200), dice.below(200)];
  const between = [Math.min(a, b), Math.max(a, b)] as const;
  return dice.of<Threshold>([
    ...(["nonzero", "otsu", { above: a }, { below: a }, { between }] as const),
    ...(outside ? [{ outside: between }] : []),
  ]);
}

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, f32: Float32Array };

/** Values of 0 to 255 (from -100 on for i16, in quarters for f32) in one of several patterns. */
function rasterOf(dice: Dice, type: keyof typeof ARRAYS, channels: number): Raster {
  const volume = dice.one(4);
  const side = (): number =>
    volume ? 1 + dice.below(20) : dice.one(3) ? dice.of([31, 32, 33, 63, 64, 65, 1]) : 1 + dice.below(200);
  const [width, height] = [side(), side()];
  const depth = volume ? 2 + dice.below(12) : 1;
  const data: PixelArray = new ARRAYS[type](width * height * depth * channels);
  const pattern = dice.of(["noise", "blocks", "rings", "stripes", "few"]);
  const density = 0.1 + 0.8 * (dice.below(100) / 100);
  const cell = 2 + dice.below(9);
  const tint = dice.below(60);
  const lattice = Array.from({ length: 4096 }, () =>
    dice.below(1000) / 1000 < density ? 90 + dice.below(120) : dice.below(40),
  );
  const latticeAt = (x: number, y: number, z: number): number => lattice[(x * 31 + y * 57 + z * 101) & 4095];
  const [cx, cy, cz] = [dice.below(width), dice.below(height), dice.below(depth)];
  for (let at = 0; at < width * height * depth; at++) {
    const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    const value = {
      noise: () => lattice[dice.below(4096)],
      blocks: () => latticeAt(Math.floor(x / cell), Math.floor(y / cell), Math.floor(z / cell)),
      rings: () => (((x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2) % (cell * 40) > cell * 18 ? 180 : 0),
      stripes: () => ((x + (dice.one(40) ? 1 : 0)) % cell < cell / 2 || y % (2 * cell) === 0 ? 200 : 10),
      few: () => [0, 0, 0, 50, 120, 200][Math.floor(latticeAt(x >> 2, y >> 2, z) / 40)],
    }[pattern as "noise"]();
    for (let c = 0; c < channels; c++) {
      const v = Math.min(255, value + (c === 0 ? 0 : (tint * c) % 50));
      data[at * channels + c] = type === "i16" ? v - 100 : type === "f32" ? v + (at % 4) / 4 : v;
    }
  }
  return defined({ data, width, height, channels, depth: depth > 1 ? depth : undefined });
}
