// The options of `kmeans()` and `pickK()`, as plans in integers.

import { type Centres, type ColourSpace, type ColourStart, type KmeansPlan, SPACES } from "../core/clusters.js";
import { oklabOf } from "../core/oklab.js";
import { InvalidArgument } from "../types/errors.js";
import {
  CLUSTER_METRICS,
  COLOUR_SPACES,
  COLOUR_STARTS,
  type KmeansOptions,
  type PickKOptions,
} from "../types/kmeans.js";
import type { Sink } from "../types/raster.js";
import { atLeastZero, flag, oneOf, show, unexpected, wholeNumber } from "./arguments.js";
import { isSink } from "./pixels.js";

/** Checks options for a raster of `channels` channels. */
export function planKmeans(options: Omit<KmeansOptions, "into">, channels: number): KmeansPlan {
  const { metric = "l2", init = "kmeans++", seed = 0, maxIterations = 100, tolerance = 0, restarts = 1 } = options;
  const { ignoreTransparent = false, within } = options;
  oneOf("metric", metric, CLUSTER_METRICS);
  const space = SPACES[oneOf("colourSpace", options.colourSpace ?? "rgb", COLOUR_SPACES)];
  flag("ignoreTransparent", ignoreTransparent);
  const shown = channels === 1 ? 1 : 3;
  const given = typeof init === "string" ? undefined : coloursGiven(init, shown);
  const start = given ? centresOf(given, space) : (oneOf("init", init, [...COLOUR_STARTS, "tiles"]) as ColourStart);
  const k = wholeNumber("k", options.k ?? given?.length, 1, ignoreTransparent || within !== undefined ? 255 : 256);
  if (given && given.length !== k) {
    throw new InvalidArgument(`Expected init to have as many colours as k, which is ${k}, got ${given.length}.`, {
      argument: "init",
    });
  }
  wholeNumber("restarts", restarts, 1, 1000);
  if (restarts > 1 && (given || init === "grid")) {
    throw new InvalidArgument("Expected restarts only with random initial centres, got others as init.", {
      argument: "restarts",
    });
  }
  atLeastZero("tolerance", tolerance);
  const cost = metric === "l2" ? "l2" : "l1";
  const moved = tolerance * space.unit;
  return {
    k,
    init: start,
    restarts,
    space,
    ignoreTransparent,
    channels: shown,
    cost,
    centre: metric === "l1" ? "median" : "mean",
    seed: wholeNumber("seed", seed, 0, 2 ** 32 - 1),
    maxIterations: wholeNumber("maxIterations", maxIterations, 0, 2 ** 31 - 1),
    limit: Math.min(2 ** 32 - 1, Math.floor(cost === "l2" ? moved * moved : moved)),
  };
}

/** Checks the options that the tiles' mean colours need; returns the number of tiles. */
export function planTiles({ k, restarts = 1, ignoreTransparent = false, within }: KmeansOptions): number {
  if (wholeNumber("restarts", restarts, 1, 1000) > 1) {
    throw new InvalidArgument("Expected restarts only with random initial centres, got others as init.", {
      argument: "restarts",
    });
  }
  flag("ignoreTransparent", ignoreTransparent);
  return wholeNumber("k", k, 1, ignoreTransparent || within !== undefined ? 255 : 256);
}

/** Checks the options of a search for k, for a raster of `channels` channels; the plan's k is the largest to try. */
export function planPickK({ max = 12, ...options }: PickKOptions, channels: number): KmeansPlan {
  const most = wholeNumber("max", max, 2, options.ignoreTransparent || options.within !== undefined ? 255 : 256);
  const plan = planKmeans({ ...options, k: most }, channels);
  if ((COLOUR_STARTS as readonly unknown[]).includes(plan.init)) return plan;
  throw new InvalidArgument(
    'Expected init to be "kmeans++", "random" or "grid" to try several k, got tiles or colours.',
    {
      argument: "init",
    },
  );
}

/** Colours of the caller's: a list of one per class, or one array of all their channels. */
function coloursGiven(init: unknown, channels: 1 | 3): number[][] {
  const flat = init instanceof Uint8Array || init instanceof Uint8ClampedArray;
  if (!flat && !Array.isArray(init)) {
    throw unexpected("init", '"kmeans++", "random", "grid", "tiles" or a list of colours', init);
  }
  if (flat && init.length % channels !== 0) {
    throw new InvalidArgument(`Expected init to have ${channels} bytes per colour, got ${init.length} bytes.`, {
      argument: "init",
    });
  }
  const rows: unknown[] = flat
    ? Array.from({ length: init.length / channels }, (_, i) => [...init.subarray(i * channels, (i + 1) * channels)])
    : init;
  for (const row of rows) {
    const fits =
      Array.isArray(row) &&
      row.length === channels &&
      Array.from(row).every((n) => typeof n === "number" && n >= 0 && n <= 255);
    if (!fits) {
      throw new InvalidArgument(
        `Expected init to have colours of ${channels === 1 ? "one number" : "three numbers"} from 0 to 255, got ${show(row)}.`,
        { argument: "init" },
      );
    }
  }
  return rows as number[][];
}

/** Colours as centres; in Oklab those of the nearest whole channels. */
function centresOf(colours: readonly number[][], { name, unit, fraction }: ColourSpace): Centres {
  const centres = new Uint16Array(colours.length * 3);
  colours.forEach(([red = 0, green, blue], i) => {
    if (name === "rgb") {
      const point = [red, green ?? 0, blue ?? 0];
      centres.set(
        point.map((value) => Math.floor(value * unit + 0.5)),
        i * 3,
      );
      return;
    }
    const [r, g, b] = [red, green ?? red, blue ?? red].map((value) => Math.floor(value + 0.5)) as [
      number,
      number,
      number,
    ];
    const lab = oklabOf(r, g, b);
    centres.set(
      [lab, lab >> 10, lab >> 20].map((value) => (value & 1023) << fraction),
      i * 3,
    );
  });
  return centres;
}

/** Checks the target of classes. */
export function checkClassesInto(into: unknown, pixels: number): Uint8Array | Sink<Uint8Array> | undefined {
  if (into === undefined) return undefined;
  if (typeof into === "object" && into !== null && isSink<Uint8Array>(into)) return into;
  if (into instanceof Uint8Array && into.length === pixels) return into;
  const found = into instanceof Uint8Array ? `one of ${into.length}` : show(into);
  throw new InvalidArgument(`Expected into to be a Uint8Array of ${pixels} values or a Sink, got ${found}.`, {
    argument: "into",
  });
}
