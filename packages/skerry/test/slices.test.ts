// Holes of slices and holes of bounded area, against a flood from the border of each slice; and the order of the options of
// components() against the calls one after another.

import { type Components, type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

interface Picture {
  readonly name: string;
  readonly data: Uint8Array;
  readonly size: readonly [number, number, number];
}

function shells(width: number, height: number, depth: number, seed: number, density: number): Picture {
  const next = random(seed);
  const data = Uint8Array.from({ length: width * height * depth }, () => Number(next() < density * 2 ** 32));
  return { name: `${width} x ${height} x ${depth} of ${density}`, data, size: [width, height, depth] };
}

const PICTURES = [
  shells(30, 22, 9, 1, 0.55),
  shells(70, 19, 5, 2, 0.7),
  shells(129, 12, 3, 3, 0.5),
  shells(64, 40, 1, 4, 0.6),
  shells(5, 66, 7, 5, 0.62),
];

/** Fills the holes of every slice across an axis that have at most `most` pixels. */
function fill({ data, size }: Picture, axis: 0 | 1 | 2, eight: boolean, most: number): Uint8Array {
  const step = [1, size[0], size[0] * size[1]];
  const [u, v] = [0, 1, 2].filter((each) => each !== axis) as [number, number];
  const filled = data.slice();
  for (let slice = 0; slice < size[axis]; slice++) {
    const at = (x: number, y: number): number => slice * step[axis] + x * step[u] + y * step[v];
    const seen = new Set<number>();
    for (let y = 0; y < size[v]; y++)
      for (let x = 0; x < size[u]; x++) {
        if (data[at(x, y)] || seen.has(at(x, y))) continue;
        const open = [[x, y]];
        const area: number[] = [];
        let border = false;
        seen.add(at(x, y));
        for (let place = open.pop(); place; place = open.pop()) {
          const [px, py] = place as [number, number];
          area.push(at(px, py));
          for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
            [1, 1],
            [1, -1],
            [-1, 1],
            [-1, -1],
          ] as const) {
            const [nx, ny] = [px + dx, py + dy];
            if (nx < 0 || ny < 0 || nx >= size[u] || ny >= size[v]) {
              if (dx * dy === 0) border = true;
              continue;
            }
            if ((dx * dy !== 0 && !eight) || data[at(nx, ny)] || seen.has(at(nx, ny))) continue;
            seen.add(at(nx, ny));
            open.push([nx, ny]);
          }
        }
        if (!border && area.length <= most) for (const pixel of area) filled[pixel] = 1;
      }
  }
  return filled;
}

async function pixelsOf(found: Components): Promise<Uint8Array> {
  const { data } = await found.labels();
  found.dispose();
  return Uint8Array.from(data, (label) => Number(label > 0));
}

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(PICTURES)("$name: holes of slices", async (picture) => {
    const [width, height, depth] = picture.size;
    const raster = { data: picture.data, width, height, depth };
    for (const connectivity of depth > 1 ? ([6, 26] as const) : ([4, 8] as const)) {
      const objects = await engine.components(raster, { connectivity });
      const eight = connectivity < 8 && connectivity !== 8;
      for (const [axis, where] of (["x", "y", "slices"] as const).entries()) {
        if (depth === 1 && axis < 2) continue;
        for (const maxHoleArea of [undefined, 2]) {
          const found = await objects.filter({ fillHoles: where, ...(maxHoleArea ? { maxHoleArea } : {}) });
          const expected = fill(picture, axis as 0 | 1 | 2, eight, maxHoleArea ?? Number.POSITIVE_INFINITY);
          expectSame(await pixelsOf(found), expected);
        }
      }
      objects.dispose();
    }
  });

  test("scikit-image's remove_small_holes, but for background at the border", async () => {
    const { data, size } = shells(64, 40, 1, 7, 0.62);
    const [width, height] = size;
    // With a frame of background, all of it that touches the border is one large component.
    const framed = data.map((value, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return Number(value && x > 0 && y > 0 && x + 1 < width && y + 1 < height);
    });
    const script = `import sys, numpy as np
from skimage.morphology import remove_small_holes
a = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(${height}, ${width}) > 0
for most in (1, 4, 30): sys.stdout.buffer.write(remove_small_holes(a, most + 1, connectivity=2).astype(np.uint8).tobytes())`;
    const answer = golden("remove-small-holes", { modules: "skimage", script, input: framed });
    for (const [i, maxHoleArea] of [1, 4, 30].entries()) {
      const found = await engine.components({ data: framed, width, height }, { fillHoles: true, maxHoleArea });
      expectSame(await pixelsOf(found), Uint8Array.from(answer.subarray(i * data.length, (i + 1) * data.length)));
    }
  });

  test("holes of bounded area, of whole images", async () => {
    const picture = PICTURES[3];
    const raster = { data: picture.data, width: 64, height: 40 };
    for (const maxHoleArea of [0, 1, 3, 20]) {
      const found = await engine.components(raster, { fillHoles: true, maxHoleArea });
      expectSame(await pixelsOf(found), fill(picture, 2, true, maxHoleArea));
    }
  });

  test("slices across several axes are filled one after another, by components() and filter() alike", async () => {
    for (const picture of PICTURES.slice(0, 3)) {
      const [width, height, depth] = picture.size;
      const raster = { data: picture.data, width, height, depth };
      const x = { ...picture, data: fill(picture, 0, true, 20) };
      const expected = fill(x, 2, true, 20);
      const options = { fillHoles: ["x", "slices"], maxHoleArea: 20 } as const;
      expectSame(await pixelsOf(await engine.components(raster, options)), expected);
      const plain = await engine.components(raster);
      expectSame(await pixelsOf(await plain.filter(options)), expected);
    }
  });

  test("options of components() are the calls in their order", async () => {
    const { data, size } = shells(90, 60, 1, 8, 0.3);
    const raster = { data, width: size[0], height: size[1], spacing: [2, 2] as const };
    const once = await engine.components(raster, {
      open: 1,
      close: 4,
      erode: 1,
      dilate: 2,
      fillHoles: true,
      maxHoleArea: 50,
      minArea: 9,
      largest: 5,
      expand: 6,
      physical: true,
    });
    let step = await engine.components(raster);
    const physical = { physical: true };
    step = await step.open(1, physical);
    step = await step.close(4, physical);
    step = await step.erode(1, physical);
    step = await step.dilate(2, physical);
    step = await step.filter({ fillHoles: true, maxHoleArea: 50, minArea: 9, largest: 5 });
    step = await step.expand(6, physical);
    expect(once.count).toBe(step.count);
    expectSame((await once.labels()).data, (await step.labels()).data);
  });

  test("wrong calls", async () => {
    const raster = { data: new Uint8Array(12), width: 4, height: 3 };
    await expect(engine.components(raster, { maxHoleArea: 3 })).rejects.toThrow("only with fillHoles");
    await expect(engine.components(raster, { fillHoles: "w" as never })).rejects.toThrow(
      '"slices", "x", "y", "z" or a list',
    );
    await expect(engine.components(raster, { by: "value", close: 2 })).rejects.toThrow("Expected no close with by");
  });
});
