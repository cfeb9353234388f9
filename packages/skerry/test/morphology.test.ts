// Morphology against its definition (every radius, metric and border, images and volumes, uneven pixels), beside SciPy, and
// labels that grow beside plain loops and scikit-image.

import { type Components, type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, type Ball, type Bits } from "./oracles/morphology.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";
import { noise, random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

const OPERATIONS = ["dilate", "erode", "open", "close"] as const;
const UNIT = [1, 1, 1] as const;

const thirds = (width: number, height: number, depth: number, seed: number, block: number): Bits => {
  const next = random(seed);
  const cells = new Map<string, number>();
  const data = Uint8Array.from({ length: width * height * depth }, (_, at) => {
    const place = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    const key = place.map((n) => Math.floor(n / block)).join();
    const cell = cells.get(key) ?? Number(next() % 3 === 0);
    cells.set(key, cell);
    return cell;
  });
  return { data, width, height, depth };
};

interface Case extends Ball {
  readonly name: string;
  readonly bits: Bits;
}

const PICTURES: [string, Bits][] = [
  ["65 x 20", thirds(65, 20, 1, 1, 2)],
  ["64 x 18", thirds(64, 18, 1, 2, 3)],
  ["133 x 9", thirds(133, 9, 1, 3, 5)],
  ["1 x 40", thirds(1, 40, 1, 4, 4)],
  ["70 x 1", thirds(70, 1, 1, 5, 3)],
  ["full", { data: new Uint8Array(40 * 30).fill(1), width: 40, height: 30, depth: 1 }],
  ["empty", { data: new Uint8Array(40 * 30), width: 40, height: 30, depth: 1 }],
  [
    "a point",
    { data: Uint8Array.from({ length: 81 * 33 }, (_, i) => Number(i === 1300)), width: 81, height: 33, depth: 1 },
  ],
  ["20 x 9 x 7", thirds(20, 9, 7, 6, 2)],
];

const CASES: Case[] = PICTURES.flatMap(([name, bits]) => {
  const radii = bits.depth > 1 ? [0, 1, 2.3] : [0, 1, 2, 6.5, 8.1];
  return radii.flatMap((radius, i) =>
    (["euclidean", "cityblock", "chessboard"] as const).flatMap((metric, k): Case[] => {
      // The oracle looks at every pixel of a ball, twice over.
      if (radius > 6 && k !== i % 3) return [];
      const border = (i + k) % 2 ? "extend" : "background";
      return [{ name: `${name}, ${metric} ${radius}, ${border}`, bits, radius, metric, border, spacing: UNIT }];
    }),
  );
});

const UNEVEN: Case[] = [
  ...[3, 7.5, 12].map((radius) => ({ radius, spacing: [0.5, 2, 1] as const, bits: PICTURES[0][1] })),
  ...[2.2, 9].map((radius) => ({ radius, spacing: [1.13, 0.7, 1] as const, bits: PICTURES[1][1] })),
  ...[1.5, 2.9].map((radius) => ({ radius, spacing: [0.9, 1.2, 2] as const, bits: PICTURES[8][1] })),
].map(
  (each) => ({ ...each, metric: "euclidean", border: "background", name: `${each.spacing} ${each.radius}` }) as const,
);

// Balls that a GPU takes by a distance map: of more than 32 pixels to the side, or of many rows.
const FAR: Case[] = (["background", "extend"] as const).flatMap((border) =>
  (
    [
      [PICTURES[3][1], 38, "euclidean"],
      [thirds(40, 5, 1, 7, 2), 34.5, "cityblock"],
      [thirds(7, 5, 4, 8, 2), 8.5, "euclidean"],
    ] as const
  ).map(([bits, radius, metric]) => ({
    bits,
    radius,
    metric,
    border,
    spacing: UNIT,
    name: `far ${radius}, ${border}`,
  })),
);

async function pixelsOf(found: Components): Promise<Uint8Array> {
  return Uint8Array.from((await found.labels()).data, Boolean as unknown as (n: number) => number);
}

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each([...CASES, ...UNEVEN, ...FAR])("$name", async (ball) => {
    const { bits, radius, metric, border, spacing } = ball;
    const objects = await engine.components({ ...bits, data: Uint8Array.from(bits.data), spacing });
    for (const operation of OPERATIONS) {
      const found = await objects[operation](radius, { physical: true, metric, border });
      expectSame(await pixelsOf(found), apply(operation, bits, ball));
      found.dispose();
    }
    objects.dispose();
  });

  test("discs of more than 255 rows, and images of several bands", async () => {
    const { data, width, height } = noise(300, 900, 0.0001, 1, 3);
    const objects = await engine.components({ data, width, height });
    const map = await engine.distance(objects);
    for (const radius of [3, 40, 254, 255, 300]) {
      const found = await objects.dilate(radius);
      expectSame(
        await pixelsOf(found),
        Uint8Array.from(map.data, (d) => Number(d <= radius)),
      );
    }
  });

  test("SciPy's binary_dilation and binary_erosion by ball(r)", async () => {
    const bits = PICTURES[8][1];
    const { width, height, depth } = bits;
    const data = Uint8Array.from(bits.data);
    const script = `import sys, numpy as np
from scipy import ndimage
from skimage.morphology import ball
a = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(${depth}, ${height}, ${width})
for f in (ndimage.binary_dilation, ndimage.binary_erosion):
  for r in (1, 2, 3): sys.stdout.buffer.write(f(a, ball(r)).astype(np.uint8).tobytes())`;
    const answer = golden("morphology-scipy", { modules: "skimage", script, input: data });
    const objects = await engine.components({ data, width, height, depth });
    for (const [i, operation] of (["dilate", "erode"] as const).entries()) {
      for (const radius of [1, 2, 3]) {
        const found = await objects[operation](radius);
        const at = (i * 3 + radius - 1) * data.length;
        expectSame(await pixelsOf(found), Uint8Array.from(answer.subarray(at, at + data.length)));
      }
    }
  });

  test.each([
    [40, 30, 1, [1, 1, 1]],
    [33, 21, 1, [2, 0.5, 1]],
    [15, 11, 9, [1, 1, 1.5]],
  ] as const)("labels of %i x %i x %i grow to the nearest", async (width, height, depth, spacing) => {
    const next = random(width);
    const data = Uint16Array.from({ length: width * height * depth }, () => (next() % 40 === 0 ? 1 + (next() % 9) : 0));
    const objects = await engine.labelled({ data, width, height, depth, spacing });
    const values = (await objects.regions()).value as Uint16Array;
    const placeOf = (at: number): number[] => [
      at % width,
      Math.floor(at / width) % height,
      Math.floor(at / width / height),
    ];
    for (const distance of [1, 3.5, Number.POSITIVE_INFINITY]) {
      const grown = await objects.expand(distance, { physical: true });
      expect([...((await grown.regions()).value as Uint16Array)]).toEqual([...values]);
      const { data: labels } = await grown.labels();
      const expected = labels.map((_, at) => {
        let best = { far: distance * (1 + 1e-9), label: 0 };
        data.forEach((value, other) => {
          if (!value) return;
          const [a, b] = [placeOf(at), placeOf(other)];
          const far = Math.hypot(...a.map((n, axis) => (n - b[axis]) * spacing[axis]));
          const nearer = best.label ? far < best.far - 1e-9 : far <= best.far;
          if (nearer) best = { far, label: values.indexOf(value) + 1 };
        });
        return best.label;
      });
      expectSame(labels, expected);
      grown.dispose();
    }
    objects.dispose();
  });

  test("expand is scikit-image's expand_labels, but for ties", async () => {
    const { data, width, height } = noise(120, 80, 0.004, 1, 5);
    const script = `import sys, numpy as np
from scipy import ndimage
from skimage.segmentation import expand_labels
a = ndimage.label(np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(${height}, ${width}))[0]
sys.stdout.buffer.write(expand_labels(a, 7).astype(np.uint32).tobytes())`;
    const bytes = golden("expand-scikit-image", { modules: "skimage", script, input: data });
    const answer = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const objects = await engine.components({ data, width, height });
    const { data: labels } = await (await objects.expand(7)).labels();
    const map = await engine.distance(objects, { squared: true });
    const { data: own } = await objects.labels();
    labels.forEach((label, at) => {
      if (label === answer[at]) return;
      // Both are as near.
      const far = (wanted: number): number => {
        let least = 1e9;
        own.forEach((each, other) => {
          const [dx, dy] = [(at % width) - (other % width), Math.floor(at / width) - Math.floor(other / width)];
          if (each === wanted) least = Math.min(least, dx * dx + dy * dy);
        });
        return least;
      };
      expect(far(label)).toBe(map.data[at]);
      expect(far(answer[at])).toBe(map.data[at]);
    });
  });

  test("wrong calls", async () => {
    const objects = await engine.components({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    await expect(objects.dilate(-1)).rejects.toThrow("Expected the radius to be 0 or more, got -1.");
    await expect(objects.erode(1, { border: "wrap" as never })).rejects.toThrow('"background" or "extend"');
    await expect(objects.open(40_000)).rejects.toThrow("at most 65500 pixels wide");
    await expect(objects.expand(0)).rejects.toThrow("above 0");
    await expect(objects.close(1, { radius: 2 } as never)).rejects.toThrow("close() knows");
  });
});
