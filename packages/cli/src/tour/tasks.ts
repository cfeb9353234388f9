// The tasks of the five articles that skerry implements (docs/tour.md), on rendered input. The input has the size that
// the article names, or else the usual size of the article's class of camera. Each task renders its input just before
// it runs, and frees it afterwards.

import { blobs, defects, headMask, landscape, maze, noise, spiral } from "@skerry/scenes";
import type { Engine, Timing } from "skerry";
import { defined } from "skerry/internal";

/** Takes the stages of each call that a step makes. */
export type Clock = (timings: readonly Timing[]) => void;

/** One timed call of a task. */
export interface Step {
  readonly what: string;
  /** Time in the article, with its machine. */
  readonly article: string;
  /** Bytes that a plain copy of the input and of the result moves. */
  readonly bytes: number;
  /** Runs the task, from arrays on the host to results on the host. */
  readonly run: (engine: Engine, clock: Clock) => Promise<void>;
  /** The article's steps or regrets for which the stages of ours are listed beside it. */
  readonly steps?: string;
  /** A fact about the result, in a few words; runs once, untimed. */
  readonly fact?: (engine: Engine) => Promise<string>;
}

export interface Task {
  readonly title: string;
  /** Renders the input. */
  readonly steps: () => Step[];
}

/** The five tasks; `scale` below 1 makes inputs smaller, for tests. */
export function tasksOf(scale = 1): Task[] {
  const sized = (side: number): number => Math.max(16, Math.round(side * scale));
  return [
    { title: "1 Object markup", steps: () => markup([sized(4096), sized(8192), sized(16384)]) },
    { title: "2 Defects, bright and dark", steps: () => inspection(sized(8192)) },
    { title: "3 Flood fill", steps: () => fills(sized(4096)) },
    { title: "4 Distance map", steps: () => distances(sized(625), sized(625), sized(592)) },
    { title: "5 K-means colours", steps: () => colours(sized(3872), sized(2592)) },
  ];
}

function markup(sizes: readonly number[]): Step[] {
  const articles = [
    "GTX 460: tens of ms",
    "Core 2 Duo E8400: 680 to 780 ms for one plain pass",
    "named as the largest size, without a time",
  ];
  return sizes.map((size, i) => {
    const image = { data: blobs(size, 0.5), width: size, height: size };
    const into = new Uint32Array(size * size).fill(1);
    return defined({
      what: `${size} x ${size}, regions and labels`,
      article: articles[i],
      bytes: image.data.byteLength + into.byteLength,
      run: async (engine, clock) => {
        using found = await engine.components(image, { connectivity: 8 });
        clock(engine.timings);
        await found.regions();
        clock(engine.timings);
        await found.labels({ into });
        clock(engine.timings);
      },
      steps: i === 1 ? "fill in tiles, list of joins, walk over borders; the transfer is its bottleneck" : undefined,
    });
  });
}

/** Bytes of a run: its row, where it begins and ends, its label. */
const RUN_BYTES = 16;

function inspection(size: number): Step[] {
  const image = { data: defects(size, 0.005), width: size, height: size };
  const properties = ["area", "bounds", "centroid", "contrast"] as const;
  const threshold = { outside: [70, 190] } as const;
  return [
    {
      what: `${size} x ${size}, area, box, centroid and contrast of each`,
      article: "RTX 4080: about 15 ms for labels, compression and features, one polarity",
      bytes: image.data.byteLength,
      run: async (engine, clock) => {
        using found = await engine.components(image, { threshold, connectivity: 8, minArea: 5 });
        clock(engine.timings);
        await found.regions({ properties: [...properties], intensity: image });
        clock(engine.timings);
      },
      steps: "labels 2.4 ms, compression 11.5 ms, features 0.4 to 1 ms",
      fact: async (engine) => {
        using found = await engine.components(image, { threshold, connectivity: 8, minArea: 5 });
        const percent = (100 * found.runCount * RUN_BYTES) / image.data.byteLength;
        return `its ${found.runCount} runs are ${percent.toFixed(2)} % of a full copy`;
      },
    },
    {
      what: `${size} x ${size}, the same in two passes, bright and dark apart`,
      article: "regret: bright and dark are two passes",
      bytes: image.data.byteLength,
      run: async (engine, clock) => {
        for (const side of [{ above: threshold.outside[1] }, { below: threshold.outside[0] }]) {
          using found = await engine.components(image, { threshold: side, connectivity: 8, minArea: 5 });
          clock(engine.timings);
          await found.regions({ properties: [...properties], intensity: image });
          clock(engine.timings);
        }
      },
    },
    ...[1, 2, 4, 100].map((percent) => ofDensity(size, percent)),
  ];
}

/** The densities of the article. Runs are linked, which the article considers impossible on a GPU. */
function ofDensity(size: number, percent: number): Step {
  const image = { data: noise(size, percent / 100), width: size, height: size };
  return {
    what: `${size} x ${size}, ${percent} % set: area, box and centroid of each`,
    article: "runs pay below 0.5 to 1.5 % density",
    bytes: image.data.byteLength,
    run: async (engine, clock) => {
      using found = await engine.components(image, { connectivity: 8 });
      clock(engine.timings);
      await found.regions();
      clock(engine.timings);
    },
  };
}

function fills(size: number): Step[] {
  const patterns = [
    ["compact", () => new Uint8Array(size * size).fill(255), "15 ms on the GPU, 110 on the CPU"],
    ["slender: a spiral", () => spiral(size), "1000 ms on the GPU, 110 on the CPU"],
    ["a maze", () => maze(size), "1150 ms on the GPU, 1200 on the CPU"],
  ] as const;
  const cases = patterns.map(([name, make, article]): Step => {
    const data = new Uint8Array(size * size * 3);
    for (const [at, value] of make().entries()) data.fill(value ? 200 : 20, 3 * at, 3 * at + 3);
    const image = { data, width: size, height: size, channels: 3 };
    return {
      what: `${name}, ${size} x ${size} RGB, to a mask`,
      article,
      bytes: data.byteLength + size * size,
      run: async (engine, clock) => {
        // "Less than 10" of whole numbers is at most 9.
        using filled = await engine.fill(image, { seeds: [[0, 0]], tolerance: 9 });
        clock(engine.timings);
        await filled.mask();
        clock(engine.timings);
      },
    };
  });
  return [...cases, paintedBlob(size)];
}

/** The article's second blob, wider and with bays: it is filled and painted. */
function paintedBlob(size: number): Step {
  const data = new Uint8Array(size * size * 3).fill(20);
  const middle = size / 2;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const turn = Math.atan2(y - middle, x - middle);
      if (Math.hypot(x - middle, y - middle) < middle * (0.7 + 0.25 * Math.cos(9 * turn))) {
        data.fill(200, 3 * (y * size + x), 3 * (y * size + x) + 3);
      }
    }
  }
  const image = { data, width: size, height: size, channels: 3 };
  const into = { ...image, data: new Uint8Array(data.length).fill(1) };
  return {
    what: `a second blob with bays, ${size} x ${size} RGB, filled and painted`,
    article: "50 ms on the GPU, 100 on the CPU, with painting",
    bytes: 2 * data.byteLength,
    run: async (engine, clock) => {
      using filled = await engine.fill(image, { seeds: [[middle, middle]], tolerance: 9 });
      clock(engine.timings);
      await engine.paint(image, filled, [0, 160, 255], { into });
      clock(engine.timings);
    },
  };
}

function distances(width: number, height: number, depth: number): Step[] {
  const head = headMask({ width, height, depth });
  const into = new Float32Array(width * height * depth).fill(1);
  const size = `${width} x ${height} x ${depth}`;
  const step = (what: string, article: string, max: number): Step => ({
    what: `${size}, ${what}`,
    article,
    bytes: head.bits.byteLength + into.byteLength,
    run: async (engine, clock) => {
      await engine.distance(head, { to: "surface", max, into });
      clock(engine.timings);
    },
  });
  return [
    step("exact everywhere", "GTX 460: about a minute, exact to 10, good to 36", Number.POSITIVE_INFINITY),
    step("exact to 36", "the same", 36),
  ];
}

/** More iterations than k-means needs to converge. */
const AT_REST = 100_000;

function colours(width: number, height: number): Step[] {
  const photo = landscape(width, height);
  const into = new Uint8Array(width * height).fill(1);
  const articles = { 64: "10 minutes on an i5", 128: "Tesla P4: 6.8 s", 255: "Tesla P4: 28 s" };
  const bytes = photo.data.byteLength + into.byteLength;
  const options = { metric: "l1-mean", init: "grid", maxIterations: AT_REST, into } as const;
  const steps = Object.entries(articles).map(
    ([k, article]): Step =>
      defined({
        what: `k = ${k}, ${width} x ${height}, to rest`,
        article,
        bytes,
        run: async (engine, clock) => {
          const { converged } = await engine.kmeans(photo, { ...options, k: Number(k) });
          clock(engine.timings);
          if (!converged) throw new Error(`k-means with ${k} classes did not converge`);
        },
        steps: k === "255" ? "step 3 assigns, step 4 updates: 4 was only 4.5 times faster than on a CPU" : undefined,
        fact:
          k === "255"
            ? async (engine: Engine) => {
                const classes = await engine.kmeans(photo, { ...options, k: 255 });
                const painted = await engine.recolour(classes);
                return `the picture in 255 colours has a PSNR of ${psnr(photo.data, painted.data).toFixed(1)} dB`;
              }
            : undefined,
      }),
  );
  return [
    ...steps,
    {
      what: `k chosen from 2 to 12, ${width} x ${height}`,
      article: "k is given by hand",
      bytes,
      run: async (engine, clock) => {
        await engine.pickK(photo, { max: 12 });
        clock(engine.timings);
      },
      fact: async (engine) => `the bend of the cost is at k = ${(await engine.pickK(photo, { max: 12 })).k}`,
    },
  ];
}

/** Peak signal-to-noise ratio of bytes, in decibels. */
function psnr(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / a.length));
}
